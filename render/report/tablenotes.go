package report

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
)

// tableNotes gathers the limits of a table and where their marks go.
type tableNotes struct {
	n      *notes
	byCode map[evidence.Code]*Note
	places []markPlace
}

// markPlace is a row's head or a cell, with the codes whose marks stand there.
type markPlace struct {
	marks *[]Mark
	codes []evidence.Code
}

// annotate puts the limits of a family's points where they are: those of a whole
// record at its row's head, those of a figure at its cell. Equal ones share a
// number, the strongest first; the notes stand below the table. Root leads from
// the page to the site's root.
func (s *Set) annotate(t *PointTable, root string) error {
	x := tableNotes{n: newNotes(), byCode: map[evidence.Code]*Note{}}
	x.n.most = 3 // each record's page has its own
	for _, g := range t.Groups {
		for i := range g.Rows {
			r, err := s.find(g.Rows[i].Record)
			if err == nil {
				err = x.row(s, r, &g.Rows[i], t.Cols, root)
			}
			if err != nil {
				return fmt.Errorf("record %s: %w", g.Rows[i].Record, err)
			}
		}
	}
	x.n.order(x.byCode, "limit-")
	for _, p := range x.places {
		for _, c := range evidence.Codes() {
			if slices.Contains(p.codes, c.Code) {
				*p.marks = append(*p.marks, x.n.mark(c.Code))
			}
		}
	}
	t.Notes = x.n.groups
	return nil
}

// row adds the limits of one record.
func (x *tableNotes) row(s *Set, r *evidence.Record, row *PointRow, cols []PointCol, root string) error {
	page := root + "records/" + r.Slug + ".html"
	whole, own := s.split(r)
	if err := x.at(&row.Limits, whole, root, NoteTarget{Label: row.Load, Href: page + "#limits"}); err != nil {
		return err
	}
	for k, c := range cols {
		v, ok := r.Value(c.Metric)
		if !ok {
			continue
		}
		target := NoteTarget{Label: row.Load + ", " + c.Label, Href: page + "#" + Anchor(c.Metric)}
		if err := x.at(&row.Cells[k].Marks, besides(whole, slices.Concat(v.Limits, own[string(c.Metric)])), root, target); err != nil {
			return err
		}
	}
	return nil
}

// at adds limits of one place.
func (x *tableNotes) at(marks *[]Mark, limits []evidence.Limit, root string, target NoteTarget) error {
	p := markPlace{marks: marks}
	for _, l := range limits {
		says, err := noteSays(x.byCode, l, root)
		if err != nil {
			return err
		}
		says.about(target)
		p.codes = append(p.codes, l.Code)
	}
	x.places = append(x.places, p)
	return nil
}

// besides are the limits of a figure without those that its row's head has for
// the whole record.
func besides(whole, own []evidence.Limit) []evidence.Limit {
	return slices.DeleteFunc(own, func(l evidence.Limit) bool {
		return slices.ContainsFunc(whole, func(w evidence.Limit) bool { return w.Code == l.Code })
	})
}

// split tells the limits of a whole record from those that it notes about one of
// its figures.
func (s *Set) split(r *evidence.Record) (whole []evidence.Limit, own map[string][]evidence.Limit) {
	own = map[string][]evidence.Limit{}
	for _, l := range slices.Concat(r.Limits, s.seen[r.Slug]) {
		if l.Where == "" || l.Where == "record" {
			whole = append(whole, l)
			continue
		}
		own[l.Where] = append(own[l.Where], l)
	}
	return whole, own
}
