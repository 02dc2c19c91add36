package report

import (
	"cmp"
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Mark is a footnote mark at a figure.
type Mark struct {
	N     int
	Title string
	Href  string // the note on the same page
}

// Note is one limitation of a record, with all the figures that it is about.
type Note struct {
	N        int
	ID       string // fragment
	Code     evidence.Code
	Title    string
	Sentence string
	Href     string // the code's page
	Severity int
	About    []NoteTarget
	Whole    bool // about the whole record
}

// NoteTarget is a figure that a note is about.
type NoteTarget struct{ Label, Href string }

// NoteGroup is the notes of one severity, the strongest group first.
type NoteGroup struct {
	Title  string
	Start  int  // number of its first note
	Folded bool // worth knowing only: folded on a screen, open on paper
	Notes  []Note
}

// notes numbers the limitations of one record. The strongest come first; equal
// ones, at several figures, share one number.
type notes struct {
	groups []NoteGroup
	number map[string]int
	title  map[string]string
	sev    map[string]int
	whole  []evidence.Limit
}

func limitKey(l evidence.Limit) string { return fmt.Sprintf("%s\x00%q", l.Code, l.Args) }

// severityTitles are the headings of the groups, by severity.
func severityTitles() []string {
	return []string{1: "These void the record", 2: "These change what a figure means", 3: "These bound a figure", 4: "Worth knowing"}
}

func (s *Set) notesOf(r *evidence.Record) (*notes, error) {
	n := &notes{number: map[string]int{}, title: map[string]string{}, sev: map[string]int{}}
	merged := map[string]*Note{}
	var order []*Note
	add := func(l evidence.Limit) error {
		key := limitKey(l)
		note, seen := merged[key]
		if !seen {
			info, ok := evidence.Info(l.Code)
			if !ok {
				return fmt.Errorf("limit code %q is not in the list", l.Code)
			}
			sentence, err := l.Sentence()
			if err != nil {
				return err
			}
			note = &Note{Code: l.Code, Title: info.Title, Sentence: sentence, Severity: info.Severity, Href: "../limits/" + string(l.Code) + ".html"}
			merged[key] = note
			order = append(order, note)
		}
		s.noteAbout(note, r, l.Where)
		return nil
	}
	for _, l := range r.Limits {
		if err := add(l); err != nil {
			return nil, err
		}
		if l.Where == "record" || l.Where == "" {
			n.whole = append(n.whole, l)
		}
	}
	for _, v := range r.Values {
		for _, l := range v.Limits {
			l.Where = string(v.Metric)
			if err := add(l); err != nil {
				return nil, err
			}
		}
	}
	codeOrder := map[evidence.Code]int{}
	for i, c := range evidence.Codes() {
		codeOrder[c.Code] = i
	}
	slices.SortStableFunc(order, func(a, b *Note) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(codeOrder[a.Code], codeOrder[b.Code]), cmp.Compare(a.Sentence, b.Sentence))
	})
	for key, note := range merged {
		n.title[key], n.sev[key] = note.Title, note.Severity
	}
	for i, note := range order {
		note.N, note.ID = i+1, fmt.Sprintf("note-%d", i+1)
		n.place(*note)
	}
	for key, note := range merged {
		n.number[key] = note.N
	}
	return n, nil
}

func (s *Set) noteAbout(note *Note, r *evidence.Record, where string) {
	id := measure.MetricID(where)
	if _, ok := valueOf(r, id); !ok {
		note.Whole = true
		return
	}
	target := NoteTarget{Label: s.metric(id).Short, Href: "#" + Anchor(id)}
	if !slices.Contains(note.About, target) {
		note.About = append(note.About, target)
	}
}

func (n *notes) place(note Note) {
	if k := len(n.groups); k > 0 && n.groups[k-1].Notes[0].Severity == note.Severity {
		n.groups[k-1].Notes = append(n.groups[k-1].Notes, note)
		return
	}
	title := "Worth knowing"
	if t := severityTitles(); note.Severity > 0 && note.Severity < len(t) {
		title = t[note.Severity]
	}
	n.groups = append(n.groups, NoteGroup{Title: title, Start: note.N, Folded: note.Severity >= 4, Notes: []Note{note}})
}

// marks are the footnote marks of a figure: its own limits, and those of the
// whole record that void it or change what it means.
func (n *notes) marks(own []evidence.Limit) []Mark {
	var marks []Mark
	add := func(l evidence.Limit) {
		key := limitKey(l)
		m := Mark{N: n.number[key], Title: n.title[key], Href: fmt.Sprintf("#note-%d", n.number[key])}
		if m.N > 0 && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	for _, l := range own {
		add(l)
	}
	for _, l := range n.whole {
		if n.sev[limitKey(l)] <= 2 {
			add(l)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.N, b.N) })
	return marks
}

// count is the number of notes.
func (n *notes) count() int { return len(n.number) }
