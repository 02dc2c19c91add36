package report

import (
	"cmp"
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Ref names a figure by its record's slug and its metric.
type Ref struct {
	Record string
	Metric measure.MetricID
}

// Footnotes are the limitation notes of the figures of an authored page, which
// may be of many records: one number a code, the strongest first, as on the
// page of a record.
type Footnotes struct {
	n     *notes
	marks map[Ref][]evidence.Code
}

// Footnotes numbers the limits of figures for a page from which root leads to
// the site's root. References to figures that are not there are passed over.
func (s *Set) Footnotes(refs []Ref, root string) (*Footnotes, error) {
	f := &Footnotes{n: newNotes(), marks: map[Ref][]evidence.Code{}}
	byCode := map[evidence.Code]*Note{}
	for _, ref := range refs {
		if _, done := f.marks[ref]; done {
			continue
		}
		r, v, err := s.lookup(ref.Record, ref.Metric)
		if err != nil {
			continue // reported where it stands
		}
		f.marks[ref] = []evidence.Code{}
		for _, l := range s.limitsOf(r, v) {
			if err := f.add(s, byCode, l, ref, root); err != nil {
				return nil, fmt.Errorf("record %s: %w", r.Slug, err)
			}
		}
	}
	f.n.order(byCode, "note.") // no heading's ID holds a point
	return f, nil
}

// limitsOf are the limits that mark a figure.
func (s *Set) limitsOf(r *evidence.Record, v evidence.Value) []evidence.Limit {
	out := slices.Clone(v.Limits)
	for _, l := range slices.Concat(r.Limits, s.seen[r.Slug]) {
		whole := l.Where == "record" || l.Where == ""
		if whole && marksAll(l) || l.Where == string(v.Metric) {
			out = append(out, l)
		}
	}
	return out
}

func (f *Footnotes) add(s *Set, byCode map[evidence.Code]*Note, l evidence.Limit, ref Ref, root string) error {
	says, err := noteSays(byCode, l, root)
	if err != nil {
		return err
	}
	says.about(NoteTarget{Label: ref.Record + ", " + s.metric(ref.Metric).Short, Href: root + "records/" + ref.Record + ".html#" + Anchor(ref.Metric)})
	if !slices.Contains(f.marks[ref], l.Code) {
		f.marks[ref] = append(f.marks[ref], l.Code)
	}
	return nil
}

// Marks are the footnote marks of a figure on the page.
func (f *Footnotes) Marks(ref Ref) []Mark {
	var marks []Mark
	for _, code := range f.marks[ref] {
		marks = append(marks, f.n.mark(code))
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Compare(a.N, b.N) })
	return marks
}

// Groups are the notes themselves.
func (f *Footnotes) Groups() []NoteGroup { return f.n.groups }
