package verify

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// page is what was found on one page that others may link to, and what it
// links to.
type page struct {
	blocks  map[string]key // headline blocks, by the id of their element
	links   []link         // of figures, to blocks
	records map[string]bool
	// Of a committee document: what its computations come to, and where it shows
	// their results.
	computed map[string]float64
	uses     []computedUse
	whole    bool // it holds a whole comparison of two records
}

func newPage() *page {
	return &page{blocks: map[string]key{}, records: map[string]bool{}, computed: map[string]float64{}}
}

// key is what a block or figure is of.
type key struct {
	record string
	metric measure.MetricID
}

// link is a figure's link to its block.
type link struct {
	key
	page, id string
}

// walkPages holds every page against the records.
func (v *verifier) walkPages(ctx context.Context) error {
	v.pages = map[string]*page{}
	var names []string
	for _, name := range v.files {
		if strings.HasSuffix(name, ".html") {
			names = append(names, name)
		}
	}
	return each(ctx, names, func(name string) error {
		f, err := os.Open(v.path(name))
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // only read from
		root, err := html.Parse(f)
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		c := &checker{v: v, name: name, page: newPage()}
		c.walk(root)
		c.simulated(root)
		if isGenerated(name) {
			c.strays(root)
		}
		if strings.HasPrefix(name, "compare/") && name != "compare/index.html" && !c.page.whole {
			c.fault("is the page of a comparison, and holds none")
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.pages[name] = c.page
		v.report.Pages++
		return nil
	})
}

// isGenerated reports whether a page is made from records alone. Others have
// prose, whose figures another check reads.
func isGenerated(name string) bool {
	switch dir, _, _ := strings.Cut(name, "/"); dir {
	case "index.html", "records", "families", "profiles", "compare":
		return true
	}
	return false
}

// links holds that each figure leads to its block, and that each record has
// a page with a block for each of its figures.
func (v *verifier) links(context.Context) error {
	for _, name := range sortedKeys(v.pages) {
		v.computed(name, v.pages[name])
		for _, l := range v.pages[name].links {
			target, ok := v.pages[l.page]
			if !ok {
				v.mismatch(name, "the figure %s of %s links to %s, which is no page", l.metric, l.record, l.page)
				continue
			}
			if got, ok := target.blocks[l.id]; !ok || got != l.key {
				v.mismatch(name, "the figure %s of %s links to %s#%s, which is not its headline block", l.metric, l.record, l.page, l.id)
			}
		}
	}
	for _, slug := range v.slugs {
		v.ownPage(v.records[slug])
	}
	return nil
}

// ownPage holds that a record's page shows each of its figures.
func (v *verifier) ownPage(r *evidence.Record) {
	name := "records/" + r.Slug + ".html"
	p, ok := v.pages[name]
	if !ok {
		v.mismatch(name, "is missing: record %s has no page", r.Slug)
		return
	}
	shown := map[key]bool{}
	for _, k := range p.blocks {
		shown[k] = true
	}
	for _, val := range r.Values {
		if !shown[key{r.Slug, val.Metric}] {
			v.mismatch(name, "has no headline block for %s", val.Metric)
		}
	}
}

// checker reads one page.
type checker struct {
	v    *verifier
	name string
	page *page
}

func (c *checker) fault(format string, args ...any) { c.v.mismatch(c.name, format, args...) }

// walk looks at every element.
func (c *checker) walk(n *html.Node) {
	if n.Type == html.ElementNode {
		switch {
		case n.DataAtom == atom.Figure && hasClass(n, "headline"):
			c.headline(n)
		case hasClass(n, "figure") && has(n, "data-record"):
			c.figure(n)
		case c.pack(n):
		case hasClass(n, "comparison") && has(n, "data-a"):
			c.comparison(n)
		case n.DataAtom == atom.Data && hasClass(n, "compared"):
			if !inNumber(n) {
				c.fault("the number %q stands in no comparison", text(n))
			}
		case n.DataAtom == atom.Data && !inValuePart(n):
			c.fault("a <data> element (%q) is neither a figure nor the value of a headline block", text(n))
		}
	}
	for child := range n.ChildNodes() {
		c.walk(child)
	}
}

// inNumber reports whether the element lies in a row of numbers of a comparison.
func inNumber(n *html.Node) bool {
	row := false
	for p := n.Parent; p != nil; p = p.Parent {
		row = row || hasClass(p, "number")
		if hasClass(p, "comparison") && has(p, "data-a") {
			return row
		}
	}
	return false
}

// inValuePart reports whether the element lies in the value of a headline block.
func inValuePart(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if attr(p, "data-part") == "value" {
			return true
		}
	}
	return false
}

// find returns the value that an element names.
func (c *checker) find(n *html.Node, what string) (*evidence.Record, evidence.Value, bool) {
	slug, id := attr(n, "data-record"), measure.MetricID(attr(n, "data-metric"))
	r, ok := c.v.records[slug]
	if !ok {
		c.fault("%s names record %q, which is not in %s", what, slug, recordsFile)
		return nil, evidence.Value{}, false
	}
	c.page.records[slug] = true
	if val, ok := r.Value(id); ok {
		return r, val, true
	}
	c.fault("%s names metric %q, which record %s does not have", what, id, slug)
	return r, evidence.Value{}, false
}

// figure checks a figure in a table or a sentence.
func (c *checker) figure(n *html.Node) {
	what := fmt.Sprintf("the figure %s of %s", attr(n, "data-metric"), attr(n, "data-record"))
	c.v.count(&c.v.report.Figures, 1)
	_, val, ok := c.find(n, what)
	if !ok {
		return
	}
	c.amount(n, n, val, what, unitBehind(n))
	href, ok := firstLink(n)
	if !ok {
		c.fault("%s is not linked to its block", what)
		return
	}
	to, id, _ := strings.Cut(href, "#")
	target := c.name
	if to != "" {
		target = path.Join(path.Dir(c.name), to)
	}
	c.page.links = append(c.page.links, link{key: key{attr(n, "data-record"), val.Metric}, page: target, id: id})
}

// simulated holds that a page with figures of the simulated endpoint says so.
func (c *checker) simulated(root *html.Node) {
	for _, slug := range sortedKeys(c.page.records) {
		if c.v.records[slug].Class == evidence.Simulated && !saysSimulated(root) {
			c.fault("shows record %s, and does not say that it is from a simulated endpoint", slug)
			return
		}
	}
}

func saysSimulated(n *html.Node) bool {
	return strings.Contains(strings.ToLower(text(n)), string(evidence.Simulated))
}
