package verify

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"benchline/ingest/evidence"
)

// parts are what a headline block must have, none of them empty.
func parts() []string {
	return []string{"value", "numerator", "denominator", "window", "population", "cache", "outcomes", "source", "limits"}
}

// headline checks one headline block.
func (c *checker) headline(n *html.Node) {
	what := fmt.Sprintf("the headline %s of %s", attr(n, "data-metric"), attr(n, "data-record"))
	c.v.count(&c.v.report.Headlines, 1)
	found := map[string]*html.Node{}
	each := func(p *html.Node) {
		if name := attr(p, "data-part"); name != "" && found[name] == nil {
			found[name] = p
		}
	}
	visit(n, each)
	for _, name := range parts() {
		p, ok := found[name]
		switch {
		case !ok:
			c.fault("%s has no %s", what, name)
		case strings.TrimSpace(text(p)) == "":
			c.fault("%s: its %s is empty", what, name)
		}
	}
	r, val, ok := c.find(n, what)
	if r != nil {
		c.labels(n, r, what)
		if p := found["outcomes"]; p != nil {
			c.outcomes(p, r.Outcomes, what)
		}
	}
	if !ok {
		return
	}
	if id := attr(n, "id"); id != "" {
		c.page.blocks[id] = key{r.Slug, val.Metric}
	}
	if p := found["value"]; p != nil {
		c.value(p, val, what)
	}
	c.said(n, r, val, what)
}

// value checks the value part: its kind, its number and its unit.
func (c *checker) value(p *html.Node, val evidence.Value, what string) {
	var number *html.Node
	visit(p, func(d *html.Node) {
		if d.DataAtom == atom.Data && number == nil {
			number = d
		}
	})
	unit := ""
	if number != nil {
		unit = unitBehind(number)
		if unit == "" {
			c.fault("%s: its number has no unit behind it", what)
		}
	}
	c.amount(p, number, val, what, unit)
}

// amount holds what is shown against the record's amount. Kind stands on the
// element outer; number is the element with the number, nil if there is none.
func (c *checker) amount(outer, number *html.Node, val evidence.Value, what, unit string) {
	a := val.Amount
	isNumber := number != nil && has(number, "value")
	kind := attr(outer, "data-kind")
	if kind == "" && number != nil {
		kind = attr(number, "data-kind")
	}
	if kind != string(a.Kind) && (kind != "" || a.Kind != evidence.Exact) {
		c.fault("%s is shown as %q, the record has %q", what, kind, a.Kind)
	}
	if a.Kind != evidence.Exact && a.Kind != evidence.AtLeast {
		if isNumber {
			c.fault("%s shows a number, the record has none: it is %q", what, a.Kind)
		}
		if a.Kind == evidence.Quoted && !strings.Contains(text(outer), a.Text) {
			c.fault("%s does not quote %q word for word", what, a.Text)
		}
		return
	}
	if !isNumber {
		c.fault("%s shows no number, the record has %v", what, a.X)
		return
	}
	shown := text(number)
	x, err := strconv.ParseFloat(attr(number, "value"), 64)
	if err != nil || x != a.X {
		c.fault("%s has the value %q, the record has %v", what, attr(number, "value"), a.X)
	}
	if (a.Kind == evidence.AtLeast) != isAtLeast(shown, text(outer)) {
		c.fault("%s shows %q, the record's amount is %q", what, strings.TrimSpace(shown), a.Kind)
	}
	if err := agrees(shown, unit, a.X, val.Metric); err != nil {
		c.fault("%s: %v", what, err)
	}
}

// isAtLeast reports whether a text says that the number is a lower bound.
func isAtLeast(shown, around string) bool {
	return strings.Contains(shown, "≥") || strings.Contains(strings.ToLower(around), "at least")
}

// labels holds that a block says of its record what nobody may miss.
func (c *checker) labels(n *html.Node, r *evidence.Record, what string) {
	if r.Class == evidence.Simulated && !saysSimulated(n) {
		c.fault("%s does not say that it is from a simulated endpoint", what)
	}
	if r.Void && !strings.Contains(strings.ToLower(text(n)), "void") {
		c.fault("%s does not say that its record is void", what)
	}
}

// outcomes holds the block's ledger against the record's.
func (c *checker) outcomes(p *html.Node, o evidence.Outcomes, what string) {
	for _, x := range []struct {
		attr  string
		count evidence.Known[int64]
	}{
		{"data-completed", o.Completed}, {"data-failed", o.Failed}, {"data-rejected", o.Rejected},
		{"data-timed-out", o.TimedOut}, {"data-cancelled", o.Cancelled},
		{"data-unresolved", o.Unresolved}, {"data-never-sent", o.NeverSent},
	} {
		want := "not-stated"
		if n, ok := x.count.Get(); ok {
			want = strconv.FormatInt(n, 10)
		}
		if got := attr(p, x.attr); got != want {
			c.fault("%s has %s=%q, the record has %s", what, x.attr, got, want)
		}
	}
	c.outcomeText(p, o, what)
}

// outcomeText holds that the counts which the contract asks for stand in the
// text too, where a reader sees them.
func (c *checker) outcomeText(p *html.Node, o evidence.Outcomes, what string) {
	shown := strings.ReplaceAll(text(p), ",", "")
	for _, x := range []struct {
		label string
		count evidence.Known[int64]
	}{{"completed", o.Completed}, {"failed", o.Failed}, {"unresolved", o.Unresolved}, {"never sent", o.NeverSent}} {
		n, ok := x.count.Get()
		if ok && !strings.Contains(shown, fmt.Sprintf("%d %s", n, x.label)) {
			c.fault("%s does not show %d %s", what, n, x.label)
		}
		if !strings.Contains(shown, x.label) {
			c.fault("%s does not speak of %s", what, x.label)
		}
	}
}
