package figurelint

import (
	"fmt"
	"slices"
	"strings"
)

// Level says what a finding does.
type Level int

// The levels.
const (
	Warn  Level = iota + 1 // a note stands beside the figure
	Error                  // the build stops
)

// Finding is one thing that a rule found. Findings of one rule with the same
// words in What are one note, about all of their figures.
type Finding struct {
	Level Level
	About string // the figure: "TTFT p95 of c = 16"; empty: the whole view
	What  string // what is wrong with it
}

// Rule is one of the fifteen patterns.
type Rule struct {
	ID, Name string
	Check    func(View) []Finding
}

// Rules lists them in their order.
func Rules() []Rule {
	return []Rule{
		{"L1", "label that is not the field's", labels},
		{"L2", "unit that is not the figure's", units},
		{"L3", "denominator that nobody stated", denominators},
		{"L4", "percentile of the survivors", survivors},
		{"L5", "percentile over finished and failed requests together", mixture},
		{"L6", "nothing shown as something", missing},
		{"L7", "hidden dimension", hidden},
		{"L8", "point that was not measured", unmeasured},
		{"L9", "line that means nothing", lines},
		{"L10", "cut or doubled scale", scales},
		{"L11", "interval or ranking without a meaning", spread},
		{"L12", "percentile or digit beyond the sample", precision},
		{"L13", "mean of what has none", aggregates},
		{"L14", "two windows in one figure", windows},
		{"L15", "points left out without a word", removed},
	}
}

// Heading is the rule's heading on the page that explains the rules: "L4
// Percentile of the survivors".
func (r Rule) Heading() string { return r.ID + " " + strings.TrimSuffix(sentence(r.Name), ".") }

// Anchor is the fragment of that heading.
func (r Rule) Anchor() string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ':
			return '-'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			return c
		}
		return -1
	}, strings.ToLower(r.Heading()))
}

// Aside sets a rule aside for one figure, with the reason.
type Aside struct {
	Rule   string
	Page   string // "families/demo-cold"
	Figure string // ID of the chart or table; empty: all of the page
	Reason string
}

func (a Aside) covers(rule, page, figure string) bool {
	return a.Rule == rule && a.Page == page && (a.Figure == "" || a.Figure == figure)
}

// Note stands beside a figure: what a rule has to say, or why it is set aside.
type Note struct {
	Rule, Anchor string
	Words        string
}

// Fault is a finding that stops the build.
type Fault struct {
	Rule, Name    string
	Figure, Title string
	Words         string
}

// String is the fault in one line.
func (f Fault) String() string {
	return fmt.Sprintf("%q (%s): %s, %s: %s", f.Title, f.Figure, f.Rule, f.Name, f.Words)
}

// Faults is an error of one page.
type Faults []Fault //nolint:errname // the name is what the callers print

// Error lists the faults, one a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Check applies all rules to a figure of a page. It returns the notes that stand
// beside it and the faults that stop the build.
func Check(page string, v View, aside []Aside) ([]Note, Faults) {
	var notes []Note
	var faults Faults
	for _, r := range Rules() {
		found := r.Check(v)
		if len(found) == 0 {
			continue
		}
		if i := slices.IndexFunc(aside, func(a Aside) bool { return a.covers(r.ID, page, v.ID) }); i >= 0 {
			notes = append(notes, Note{r.ID, r.Anchor(), fmt.Sprintf("Rule set aside here: %s It found: %s", sentence(aside[i].Reason), join(found))})
			continue
		}
		for _, level := range []Level{Error, Warn} {
			of := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Level != level })
			switch {
			case len(of) == 0:
			case level == Error:
				faults = append(faults, Fault{Rule: r.ID, Name: r.Name, Figure: v.ID, Title: v.Title, Words: join(of)})
			default:
				notes = append(notes, Note{r.ID, r.Anchor(), join(of)})
			}
		}
	}
	return notes, faults
}

// mostAbout is how many figures a note names.
const mostAbout = 3

// join makes one text of findings: those with the same words are one sentence.
func join(found []Finding) string {
	var order []string
	about := map[string][]string{}
	for _, f := range found {
		if _, seen := about[f.What]; !seen {
			order = append(order, f.What)
			about[f.What] = nil
		}
		if f.About != "" && !slices.Contains(about[f.What], f.About) {
			about[f.What] = append(about[f.What], f.About)
		}
	}
	var out []string
	for _, what := range order {
		names := about[what]
		if more := len(names) - mostAbout; more > 0 {
			names = append(slices.Clone(names[:mostAbout]), fmt.Sprintf("%d more", more))
		}
		out = append(out, sentence(strings.TrimPrefix(strings.Join(names, ", ")+": "+what, ": ")))
	}
	return strings.Join(out, " ")
}

// sentence ends a text with a point and begins it with a capital.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	return strings.TrimSuffix(s, ".") + "."
}

// Known reports whether there is a rule with the ID.
func Known(id string) bool {
	return slices.ContainsFunc(Rules(), func(r Rule) bool { return r.ID == id })
}

// warn and fault make findings.
func warn(about, format string, args ...any) Finding {
	return Finding{Warn, about, fmt.Sprintf(format, args...)}
}

func fault(about, format string, args ...any) Finding {
	return Finding{Error, about, fmt.Sprintf(format, args...)}
}

// distinct are the different texts in the order in which they occur.
func distinct(texts []string) []string {
	var out []string
	for _, t := range texts {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// hasMark reports whether any of the words beside a figure holds the text.
func (d Datum) hasMark(text string) bool {
	return slices.ContainsFunc(d.Marks, func(m string) bool { return strings.Contains(m, text) })
}
