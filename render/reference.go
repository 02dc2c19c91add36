package render

import (
	"fmt"

	"benchline/render/internal/page"
	"benchline/render/internal/prose"
)

// asks are the references of a page, as the page's figures are made from.
func asks(doc prose.Doc) []page.Ask {
	var out []page.Ask
	for _, r := range doc.References() {
		out = append(out, page.Ask{Kind: string(r.Kind), Args: r.Args})
	}
	return out
}

// once resolves each reference of a page a single time: the HTML and its twin
// ask for the same.
func once(figures *page.Resolver) prose.Resolver {
	type answer struct {
		is  prose.Resolved
		err error
	}
	type place struct{ line, col int }
	known := map[place]answer{}
	return prose.ResolverFunc(func(r prose.Reference) (prose.Resolved, error) {
		at := place{r.Line, r.Col}
		a, ok := known[at]
		if !ok {
			a.is, a.err = resolve(figures, r)
			known[at] = a
		}
		return a.is, a.err
	})
}

func resolve(figures *page.Resolver, r prose.Reference) (prose.Resolved, error) {
	var h, m []byte
	err := fmt.Errorf("a reference of the kind %q shows no evidence", r.Kind)
	switch r.Kind {
	case prose.Ev:
		h, m, err = figures.Figure(r.Args[0], r.Args[1])
	case prose.Headline:
		h, m, err = figures.Headline(r.Args[0], r.Args[1])
	case prose.Table:
		h, m, err = figures.Table(r.Args)
	case prose.Chart:
		h, m, err = figures.Chart(r.Args)
	case prose.Compare:
		h, m, err = figures.Compare(r.Args[0], r.Args[1])
	case prose.Illustration, prose.Target, prose.Claim:
	}
	return prose.Resolved{HTML: h, Markdown: m}, err
}
