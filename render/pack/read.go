package pack

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
)

// Ext is the ending of a pack file, FreezeExt that of what was frozen of it.
const (
	Ext       = ".toml"
	FreezeExt = ".freeze.toml"
)

// mostProse is the longest text of a narrative in bytes.
const mostProse = 40_000

// Parse reads a pack file. Its name, without the ending, is the pack's. The error
// is [tomlfile.Faults]: all that is wrong, each with its line.
func Parse(file string, src []byte) (Pack, error) {
	top, err := tomlfile.Parse(file, src)
	if err != nil {
		return Pack{}, err
	}
	p := Pack{File: file, Source: src, Name: strings.TrimSuffix(path.Base(file), Ext)}
	if !evidence.IsSlug(p.Name) {
		top.Fault("", fmt.Sprintf("%q can't be the name of a page", tomlfile.Printable(p.Name)), "name the file in lower-case ASCII letters, digits, '-' and '.'")
	}
	p.Title = top.NeedText("title", "")
	p.Decision = top.NeedText("decision", "the question that the committee decides")
	p.Date = readDay(top, "date", true)
	p.Summary = readProse(top, "summary")
	p.Shape = readShape(top.Table("shape"))
	p.Conditions = readConditions(top.Table("conditions"))
	for _, t := range top.Tables("criteria") {
		p.Criteria = append(p.Criteria, readCriterion(t))
	}
	for _, t := range top.Tables("options") {
		p.Options = append(p.Options, readOption(t))
	}
	readRegisters(&p, top)
	top.Done()
	if err := top.Err(); err != nil {
		return Pack{}, err
	}
	p.check(top)
	if err := top.Err(); err != nil {
		return Pack{}, err
	}
	return p, nil
}

// readRegisters reads the lists of what people say.
func readRegisters(p *Pack, top *tomlfile.Table) {
	for _, t := range top.Tables("assumptions") {
		p.Assumptions = append(p.Assumptions, Assumption{Text: t.NeedText("text", ""), Said: readSaid(t, "said"), Source: t.Text("source"), Date: readDay(t, "date", false)})
		t.Done()
	}
	for _, t := range top.Tables("accuracy") {
		p.Accuracy = append(p.Accuracy, Accuracy{Option: t.NeedText("option", "the name of an option"), Task: t.NeedText("task", "what was tested"),
			Result: t.NeedText("result", "as its source has it, in quotes"), Said: readSaid(t, "said"), Source: t.NeedText("source", ""), Date: readDay(t, "date", true)})
		t.Done()
	}
	remarks := func(key string) []Remark {
		var out []Remark
		for _, t := range top.Tables(key) {
			out = append(out, Remark{By: t.NeedText("by", "whose it is"), Text: t.NeedText("text", "")})
			t.Done()
		}
		return out
	}
	p.Reservations, p.Conflicts = remarks("reservations"), remarks("conflicts")
	p.NoConflicts = top.Text("no_conflicts")
	if p.NoConflicts != "" && len(p.Conflicts) > 0 {
		top.Fault("no_conflicts", "there are conflicts below", "write one or the other")
	}
	for _, t := range top.Tables("signatories") {
		p.Signatories = append(p.Signatories, Signatory{Name: t.NeedText("name", ""), Role: t.NeedText("role", "")})
		t.Done()
	}
}

// check holds the parts against each other.
func (p Pack) check(top *tomlfile.Table) {
	if len(p.Criteria) == 0 {
		top.Fault("criteria", "is required", "write [[criteria]]: a pack without a threshold decides nothing")
	}
	if len(p.Options) < 2 {
		top.Fault("options", fmt.Sprintf("%d is no choice", len(p.Options)), "write [[options]], two at least")
	}
	for _, l := range p.Lines() {
		if len(l) > tomlfile.MostText {
			key, _, _ := strings.Cut(l, " = ")
			top.Fault("conditions", key+" is too long", fmt.Sprintf("at most %d bytes with its name", tomlfile.MostText))
		}
	}
	p.checkCriteria(top)
	p.checkOptions(top)
	for i, t := range top.Tables("accuracy") {
		if a := p.Accuracy[i]; !slices.ContainsFunc(p.Options, func(o Option) bool { return o.Name == a.Option }) {
			t.Fault("option", fmt.Sprintf("there is no option %q", a.Option), "")
		}
	}
}

func (p Pack) checkCriteria(top *tomlfile.Table) {
	names := map[string]bool{}
	governed, errors := false, false
	for i, t := range top.Tables("criteria") {
		c := p.Criteria[i]
		if names[c.Name] {
			t.Fault("name", fmt.Sprintf("%q is there twice", c.Name), "")
		}
		names[c.Name] = true
		governed = governed || governs(p.Shape.Governing[0], c)
		errors = errors || c.Metric == ErrorShare
		if m, _ := measure.Lookup(c.Metric); p.Conditions.Open() && fromDue(m.Base) != m.Base {
			t.Fault("metric", fmt.Sprintf("%s counts from when a request was sent", c.Metric),
				"in an open loop a late send would shorten it: take "+string(measure.ID(fromDue(m.Base), m.Stat)))
		}
	}
	if len(p.Criteria) > 0 && !governed {
		m, _ := measure.Lookup(p.Shape.Governing[0])
		top.Fault("criteria", fmt.Sprintf("none is about %s, which governs %s", m.Label, p.Shape.Kind), "")
	}
	if len(p.Criteria) > 0 && !errors {
		top.Fault("criteria", "none bounds the requests that end without an answer", "a fast refusal is no answer: write one on "+string(ErrorShare))
	}
}

func (p Pack) checkOptions(top *tomlfile.Table) {
	names, named := map[string]bool{}, map[string]string{}
	for i, t := range top.Tables("options") {
		o := p.Options[i]
		if names[o.Name] {
			t.Fault("name", fmt.Sprintf("%q is there twice", o.Name), "")
		}
		names[o.Name] = true
		for key, list := range map[string][]Name{"records": o.Records, "families": o.Families, "claims": o.Claims} {
			for _, n := range list {
				if other, ok := named[n.Text]; ok && key != "claims" {
					t.Fault(key, fmt.Sprintf("%s is named already, at option %q", n.Text, other), "")
				}
				named[n.Text] = o.Name
			}
		}
	}
}

func readShape(t *tomlfile.Table) Shape {
	defer t.Done()
	hint := "one of " + strings.Join(shapeKinds(), ", ")
	kind := t.NeedText("kind", hint)
	s, ok := shapeOf(ShapeKind(kind))
	if !ok {
		if kind != "" {
			t.Fault("kind", fmt.Sprintf("%q is no kind of deployment", kind), hint)
		}
		s = Shapes()[0]
	}
	other, why := t.Text("governing"), t.Text("why")
	if (other == "") != (why == "") {
		t.Fault("governing", "another governing metric goes with why", "leave both out to take the one of the kind")
	}
	if other != "" {
		if m, ok := measure.Lookup(measure.MetricID(other)); !ok || m.Stat != measure.NoStat {
			t.Fault("governing", fmt.Sprintf("%q is no latency or rate", other), "one without its statistic, as in \"ttft\"")
		}
		s.Governing, s.Why = []measure.MetricID{measure.MetricID(other)}, why
	}
	return s
}

// readDay reads a day, in quotes or as a TOML date; "" when absent or faulty.
func readDay(t *tomlfile.Table, key string, need bool) string {
	s := t.Text(key)
	if s == "" {
		if need && !t.Has(key) {
			t.Fault(key, "is required", "a day, as in 2026-11-29")
		}
		return ""
	}
	if !isDay(s) {
		t.Fault(key, fmt.Sprintf("%q is no day", s), "as in 2026-11-29")
		return ""
	}
	return s
}

func readSaid(t *tomlfile.Table, key string) Said {
	hint := fmt.Sprintf("%q, %q or %q", Measured, VendorStated, Assumed)
	s := Said(t.NeedText(key, hint))
	if s != "" && s != Measured && s != VendorStated && s != Assumed {
		t.Fault(key, fmt.Sprintf("%q does not say who vouches for it", s), hint)
	}
	return s
}

// readProse reads Markdown of several lines.
func readProse(t *tomlfile.Table, key string) Prose {
	v, ok := t.Get(key)
	if !ok {
		return Prose{}
	}
	s, isText := v.(string)
	switch {
	case !isText:
		t.Fault(key, "must be a string, is "+tomlfile.KindOf(v), "")
	case len(s) > mostProse:
		t.Fault(key, fmt.Sprintf("is %d bytes long, at most %d are allowed", len(s), mostProse), "")
	case !utf8.ValidString(s) || strings.ContainsFunc(s, func(c rune) bool { return c != '\n' && c != '\t' && c != '\r' && !unicode.IsPrint(c) }):
		t.Fault(key, "holds a character that can't be printed", "")
	case strings.TrimSpace(s) == "":
		t.Fault(key, "is empty; leave the key out", "")
	}
	return Prose{Markdown: s, Line: t.Line(key)}
}

// readShare reads a number from 0 to the most that is allowed.
func readShare(t *tomlfile.Table, key string, most float64) float64 {
	hint := fmt.Sprintf("from 0 to %g", most)
	x, ok := readNumber(t, key, hint)
	if ok && (x < 0 || x > most) {
		t.Fault(key, fmt.Sprintf("%v is out of range", x), hint)
		return 0
	}
	return x
}

// readNumber reads a number that must be there.
func readNumber(t *tomlfile.Table, key, hint string) (float64, bool) {
	v, ok := t.Get(key)
	if !ok {
		t.Fault(key, "is required", hint)
		return 0, false
	}
	x, msg := tomlfile.ReadNumber(v)
	if msg != "" {
		t.Fault(key, msg, hint)
		return 0, false
	}
	return x, true
}

// readDuration reads a duration in quotes, in seconds; 0 when absent or faulty.
func readDuration(t *tomlfile.Table, key string) float64 {
	s := t.Text(key)
	if s == "" {
		return 0
	}
	d, err := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
	if err != nil || d <= 0 {
		t.Fault(key, fmt.Sprintf("%q is no duration longer than zero", s), `as in "250ms" or "1.5s"`)
		return 0
	}
	return d.Seconds()
}

// readCount reads a whole number of at least 1; 0 when absent or faulty.
func readCount(t *tomlfile.Table, key string) int64 {
	v, ok := t.Get(key)
	if !ok {
		return 0
	}
	n, msg := tomlfile.ReadCount(v)
	if msg == "" && (n < 1 || n > math.MaxInt32) {
		msg = fmt.Sprintf("%d is out of range", n)
	}
	if msg != "" {
		t.Fault(key, msg, "a whole number from 1 on")
		return 0
	}
	return n
}
