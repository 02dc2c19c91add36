package report

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// lookup finds a value by the names that an author writes.
func (s *Set) lookup(slug string, metric measure.MetricID) (*evidence.Record, evidence.Value, error) {
	r, err := s.find(slug)
	if err != nil {
		return nil, evidence.Value{}, err
	}
	if _, known := s.metrics[metric]; !known {
		return nil, evidence.Value{}, fmt.Errorf("the metric registry has no %q", metric)
	}
	v, ok := r.Value(metric)
	if !ok {
		return nil, evidence.Value{}, fmt.Errorf("record %s states no %s", slug, metric)
	}
	return r, v, nil
}

// FigureOn is a figure for a page from which root leads to the site's root.
func (s *Set) FigureOn(slug string, metric measure.MetricID, root string) (Figure, error) {
	r, v, err := s.lookup(slug, metric)
	if err != nil {
		return Figure{}, err
	}
	return s.figure(r, v, scalerOf(v), root+"records/"+slug+".html"), nil
}

// FigureIn is a figure like [Set.FigureOn], in the unit of a column.
func (s *Set) FigureIn(scale measure.Scaler, slug string, metric measure.MetricID, root string) (Figure, error) {
	r, v, err := s.lookup(slug, metric)
	if err != nil {
		return Figure{}, err
	}
	return s.figure(r, v, scale, root+"records/"+slug+".html"), nil
}

// LoadOf names a record's load: "c = 16", "20 requests per 1s".
func (s *Set) LoadOf(slug string) string {
	i, ok := s.bySlug[slug]
	if !ok {
		return ""
	}
	return loadShort(&s.records[i])
}

// HeadlineOn is a headline block for a page from which root leads to the site's
// root. Its notes and sources are those of the record's page.
func (s *Set) HeadlineOn(slug string, metric measure.MetricID, root string) (Headline, error) {
	r, v, err := s.lookup(slug, metric)
	if err != nil {
		return Headline{}, err
	}
	n, err := s.notesOf(r)
	if err != nil {
		return Headline{}, fmt.Errorf("record %s: %w", slug, err)
	}
	page := root + "records/" + slug + ".html"
	h := s.headline(r, v, n, outcomesOf(r))
	h.ID = slug + "-" + h.ID
	for i := range h.Marks {
		h.Marks[i].Href = page + h.Marks[i].Href
	}
	for i := range h.Sources {
		h.Sources[i].Href = page + h.Sources[i].Href
	}
	return h, nil
}

// Related are the pages that a record's page names besides its neighbours: the
// runs of a summary, the summaries of a run.
func (s *Set) Related(slug string) []Link {
	i, ok := s.bySlug[slug]
	if !ok {
		return nil
	}
	var p Record
	s.neighbours(&p, &s.records[i])
	return append(p.Members, p.PartOf...)
}

// FamilyOn is a family's table and charts for a page from which root leads to
// the site's root. IDs of charts begin with the family's name, so that a page
// may show several families.
func (s *Set) FamilyOn(slug, root string) (*Family, error) {
	if _, err := bySlug(s.families, slug); err != nil {
		return nil, fmt.Errorf("there is no family %q", slug)
	}
	f, err := s.Family(slug)
	if err != nil {
		return nil, err
	}
	move := func(href *string) {
		if rest, ok := strings.CutPrefix(*href, "../"); ok {
			*href = root + rest
		}
	}
	moveCell := func(c *Cell) {
		if c.Fig != nil {
			move(&c.Fig.Href)
		}
	}
	f.Table.Label = "Points of " + f.Name
	f.Table.Notes = nil // several families may stand on the page; each record's page has its notes
	for _, g := range f.Table.Groups {
		for i := range g.Rows {
			move(&g.Rows[i].Link.Href)
			g.Rows[i].Limits = nil
			for k := range g.Rows[i].Cells {
				moveCell(&g.Rows[i].Cells[k])
				g.Rows[i].Cells[k].Marks = nil
			}
		}
	}
	for i := range f.Curves {
		moveCurves(&f.Curves[i], move, moveCell)
		for k := range f.Curves[i].Charts {
			c := &f.Curves[i].Charts[k]
			c.ID = "chart-" + strings.ReplaceAll(slug, ".", "-") + "-" + c.ID
			c.Title = f.Name + ": " + lowerFirst(c.Title)
		}
	}
	return f, nil
}

func moveCurves(set *CurveSet, move func(*string), moveCell func(*Cell)) {
	for _, c := range set.Charts {
		for _, series := range c.Series {
			for i := range series.Points {
				move(&series.Points[i].Href)
			}
		}
		for i := range c.Unplaced {
			move(&c.Unplaced[i].Href)
		}
	}
	for _, g := range set.Table.Groups {
		for i := range g.Rows {
			row := &g.Rows[i]
			move(&row.Point.Href)
			moveCell(&row.Rate)
			for k := range row.Stats {
				moveCell(&row.Stats[k].Cell)
			}
		}
	}
}
