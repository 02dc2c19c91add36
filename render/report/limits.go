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
	Code  evidence.Code
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
	More     int // how many further sentences are of other arguments only
}

// NoteSays is a sentence of a note and what it is about.
type NoteSays struct {
	Sentence string
	Whole    bool // the whole record; then About is empty
	About    []NoteTarget
	// More is how many further figures it is about; their first names stand in About.
	More int
	// Each is what differs from figure to figure under one sentence; then About
	// is empty.
	Each []NoteEach
	each string // what would stand in Each
}

// NoteEach is some figures of a sentence with what it says of them alone.
type NoteEach struct {
	Words string
	About []NoteTarget
	More  int
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
	whole  []evidence.Limit
	prefix string // of the notes' IDs
	most   int    // sentences of a note; 0: all
}

func newNotes() *notes {
	return &notes{number: map[evidence.Code]int{}, title: map[evidence.Code]string{}}
}

func (s *Set) notesOf(r *evidence.Record) (*notes, error) {
	n := newNotes()
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
	n.order(byCode, "note-")
	return n, nil
}

// order numbers the notes and groups them. The IDs are the prefix and the number.
func (n *notes) order(byCode map[evidence.Code]*Note, prefix string) {
	n.prefix = prefix
	for _, c := range evidence.Codes() { // strongest first, and the order among equals
		note, ok := byCode[c.Code]
		if !ok {
			continue
		}
		note.N = len(n.number) + 1
		note.ID = fmt.Sprint(prefix, note.N)
		n.number[c.Code], n.title[c.Code] = note.N, note.Title
		note.merge()
		for i := range note.Says {
			note.Says[i].shorten()
		}
		if n.most > 0 {
			note.Says, note.More = first(note.Says, n.most)
		}
		n.place(*note)
	}
}

// addNote adds a limit to the note of its code. The metric is empty for a limit
// of the record, which may still be about one figure.
func (s *Set) addNote(byCode map[evidence.Code]*Note, l evidence.Limit, metric measure.MetricID) error {
	says, err := noteSays(byCode, l, "../")
	if err != nil {
		return err
	}
	if metric == "" {
		metric = measure.MetricID(l.Where)
	}
	m, isMetric := s.metrics[metric]
	if !isMetric {
		says.Whole = true
		return nil
	}
	says.about(NoteTarget{Label: m.Short, Href: "#" + Anchor(metric)})
	return nil
}

// noteSays is the sentence of a limit in the note of its code, on a page from
// which root leads to the site's root.
func noteSays(byCode map[evidence.Code]*Note, l evidence.Limit, root string) (*NoteSays, error) {
	info, ok := evidence.Info(l.Code)
	if !ok {
		return nil, fmt.Errorf("limit code %q is not in the list", l.Code)
	}
	sentence, err := l.Sentence()
	if err != nil {
		return nil, err
	}
	note := byCode[l.Code]
	if note == nil {
		note = &Note{Code: l.Code, Title: info.Title, Severity: info.Severity, Href: root + "limits/" + string(l.Code) + ".html"}
		byCode[l.Code] = note
	}
	each, err := l.Brief()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(note.Says, func(x NoteSays) bool { return x.Sentence == sentence })
	if i < 0 {
		i = len(note.Says)
		note.Says = append(note.Says, NoteSays{Sentence: sentence, each: each})
	}
	return &note.Says[i], nil
}

func (x *NoteSays) about(t NoteTarget) {
	if !slices.Contains(x.About, t) {
		x.About = append(x.About, t)
	}
}

// merge makes one sentence of several about figures that differ in an argument
// only, where the code has such a sentence.
func (n *Note) merge() {
	sentence, _, ok := n.Code.Several()
	if !ok {
		return
	}
	var rest []NoteSays
	one := NoteSays{Sentence: sentence}
	for _, x := range n.Says {
		if x.Whole {
			rest = append(rest, x)
			continue
		}
		one.Each = append(one.Each, NoteEach{Words: x.each, About: x.About})
	}
	if len(one.Each) > 1 {
		n.Says = append(rest, one)
	}
}

// How much a note names: figures of one sentence, and differences under one
// sentence. What is left out stands at the figures themselves.
const (
	mostTargets = 6
	mostEach    = 24
)

func (x *NoteSays) shorten() {
	if x.Whole {
		x.About = nil
		return
	}
	if len(x.Each) == 0 {
		x.About, x.More = first(x.About, mostTargets)
		return
	}
	x.Each, x.More = first(x.Each, mostEach)
	for i := range x.Each {
		x.Each[i].About, x.Each[i].More = first(x.Each[i].About, mostTargets)
	}
}

// first is the first of a list and how many are left out.
func first[T any](list []T, most int) (some []T, more int) {
	if len(list) <= most {
		return list, 0
	}
	return list[:most], len(list) - most
}

func (n *notes) place(note Note) {
	if k := len(n.groups); k > 0 && n.groups[k-1].Notes[0].Severity == note.Severity {
		n.groups[k-1].Notes = append(n.groups[k-1].Notes, note)
		return
	}
	n.groups = append(n.groups, NoteGroup{Title: note.Severity.Title(), Start: note.N, Folded: note.Severity == evidence.Qualifies, Notes: []Note{note}})
}

// marks are the footnote marks of a figure: its own limits, and those of the
// whole record that [marksAll].
func (n *notes) marks(own []evidence.Limit) []Mark {
	var marks []Mark
	add := func(l evidence.Limit) {
		if m := n.mark(l.Code); m.N > 0 && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	for _, l := range own {
		add(l)
	}
	for _, l := range n.whole {
		if marksAll(l) {
			add(l)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.N, b.N) })
	return marks
}

func (n *notes) mark(code evidence.Code) Mark {
	return Mark{N: n.number[code], Code: code, Title: n.title[code], Href: fmt.Sprintf("#%s%d", n.prefix, n.number[code])}
}

// marksAll reports whether a limit of a whole record stands at each of its
// figures: it voids them or changes what they mean.
func marksAll(l evidence.Limit) bool {
	info, ok := evidence.Info(l.Code)
	return ok && info.Severity <= evidence.ChangesMeaning
}

// count is the number of notes.
func (n *notes) count() int { return len(n.number) }
