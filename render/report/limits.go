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

// Note is one limitation code of a record, with all that it says there.
type Note struct {
	N        int
	ID       string // fragment
	Code     evidence.Code
	Title    string
	Href     string // the code's page
	Severity evidence.Severity
	Says     []NoteSays
}

// NoteSays is a sentence of a note and what it is about.
type NoteSays struct {
	Sentence string
	Whole    bool // the whole record; then About is empty
	About    []NoteTarget
	// More is how many further figures it is about; their first names stand in About.
	More int
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

// notes numbers the limitations of one record, one number a code, the strongest
// first.
type notes struct {
	groups []NoteGroup
	number map[evidence.Code]int
	title  map[evidence.Code]string
	sev    map[evidence.Code]evidence.Severity
	whole  []evidence.Limit
}

func (s *Set) notesOf(r *evidence.Record) (*notes, error) {
	n := &notes{number: map[evidence.Code]int{}, title: map[evidence.Code]string{}, sev: map[evidence.Code]evidence.Severity{}}
	byCode := map[evidence.Code]*Note{}
	for _, l := range slices.Concat(r.Limits, s.seen[r.Slug]) {
		if err := s.addNote(byCode, l, ""); err != nil {
			return nil, err
		}
		if l.Where == "record" || l.Where == "" {
			n.whole = append(n.whole, l)
		}
	}
	for _, v := range r.Values {
		for _, l := range v.Limits {
			if err := s.addNote(byCode, l, v.Metric); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range evidence.Codes() { // strongest first, and the order among equals
		note, ok := byCode[c.Code]
		if !ok {
			continue
		}
		note.N = len(n.number) + 1
		note.ID = fmt.Sprintf("note-%d", note.N)
		n.number[c.Code], n.title[c.Code], n.sev[c.Code] = note.N, note.Title, note.Severity
		for i := range note.Says {
			note.Says[i].shorten()
		}
		n.place(*note)
	}
	return n, nil
}

// addNote adds a limit to the note of its code. The metric is empty for a limit
// of the record, which may still be about one figure.
func (s *Set) addNote(byCode map[evidence.Code]*Note, l evidence.Limit, metric measure.MetricID) error {
	info, ok := evidence.Info(l.Code)
	if !ok {
		return fmt.Errorf("limit code %q is not in the list", l.Code)
	}
	sentence, err := l.Sentence()
	if err != nil {
		return err
	}
	note := byCode[l.Code]
	if note == nil {
		note = &Note{Code: l.Code, Title: info.Title, Severity: info.Severity, Href: "../limits/" + string(l.Code) + ".html"}
		byCode[l.Code] = note
	}
	i := slices.IndexFunc(note.Says, func(x NoteSays) bool { return x.Sentence == sentence })
	if i < 0 {
		i = len(note.Says)
		note.Says = append(note.Says, NoteSays{Sentence: sentence})
	}
	if metric == "" {
		metric = measure.MetricID(l.Where)
	}
	m, isMetric := s.metrics[metric]
	if !isMetric {
		note.Says[i].Whole = true
		return nil
	}
	target := NoteTarget{Label: m.Short, Href: "#" + Anchor(metric)}
	if !slices.Contains(note.Says[i].About, target) {
		note.Says[i].About = append(note.Says[i].About, target)
	}
	return nil
}

// mostTargets is how many figures a note names.
const mostTargets = 6

func (x *NoteSays) shorten() {
	if x.Whole {
		x.About = nil
		return
	}
	if len(x.About) > mostTargets {
		x.More = len(x.About) - mostTargets
		x.About = x.About[:mostTargets]
	}
}

func (n *notes) place(note Note) {
	if k := len(n.groups); k > 0 && n.groups[k-1].Notes[0].Severity == note.Severity {
		n.groups[k-1].Notes = append(n.groups[k-1].Notes, note)
		return
	}
	n.groups = append(n.groups, NoteGroup{Title: note.Severity.Title(), Start: note.N, Folded: note.Severity == evidence.Qualifies, Notes: []Note{note}})
}

// marks are the footnote marks of a figure: its own limits, and those of the
// whole record that void it or change what it means.
func (n *notes) marks(own []evidence.Limit) []Mark {
	var marks []Mark
	add := func(l evidence.Limit) {
		m := Mark{N: n.number[l.Code], Title: n.title[l.Code], Href: fmt.Sprintf("#note-%d", n.number[l.Code])}
		if m.N > 0 && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	for _, l := range own {
		add(l)
	}
	for _, l := range n.whole {
		if n.sev[l.Code] <= evidence.ChangesMeaning {
			add(l)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.N, b.N) })
	return marks
}

// count is the number of notes.
func (n *notes) count() int { return len(n.number) }
