package page

import (
	"bytes"
	"fmt"

	"benchline/ingest/measure"
	"benchline/render/report"
)

// Resolver makes the figures that authored pages ask for.
type Resolver struct {
	r    *Renderer
	set  *report.Set
	root string
}

// Resolver is for a page from which root leads to the site's root.
func (r *Renderer) Resolver(set *report.Set, root string) Resolver {
	return Resolver{r: r, set: set, root: root}
}

// Figure is a figure in a sentence, as HTML and Markdown.
func (x Resolver) Figure(slug, metric string) (html, markdown []byte, err error) {
	f, err := x.set.FigureOn(slug, measure.MetricID(metric), x.root)
	if err != nil {
		return nil, nil, err
	}
	return x.r.both("figunit", f, &slots{})
}

// Headline is a whole headline block, as HTML and Markdown.
func (x Resolver) Headline(slug, metric string) (html, markdown []byte, err error) {
	h, err := x.set.HeadlineOn(slug, measure.MetricID(metric), x.root)
	if err != nil {
		return nil, nil, err
	}
	return x.r.headlineBlock(h)
}

// headlineBlock is a whole headline block, as HTML and Markdown.
func (r *Renderer) headlineBlock(h report.Headline) (html, markdown []byte, err error) {
	var s slots
	if err := r.nameShared(&s, h.Outcomes, h.Sources); err != nil {
		return nil, nil, err
	}
	return r.both("headline", h, &s)
}

func (r *Renderer) both(template string, data any, s *slots) (html, markdown []byte, err error) {
	var h, m bytes.Buffer
	if err := r.html.ExecuteTemplate(&h, template, data); err != nil {
		return nil, nil, fmt.Errorf("making a figure: %w", err)
	}
	if err := r.md.ExecuteTemplate(&m, template, data); err != nil {
		return nil, nil, fmt.Errorf("making a figure: %w", err)
	}
	full, err := s.fill(h.Bytes())
	return full, m.Bytes(), err
}
