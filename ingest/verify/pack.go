package verify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// A committee document computes numbers from those of records, and judges. Its HTML
// says how, so that both are done again here, by code that shares nothing with the
// code that wrote them:
//
//	<data class="term" value data-from="RECORD METRIC PART; …">   parts of figures, added up
//	<div data-computation="ID"> … <data class="term" data-product="0" data-below>   a sum of products
//	<data class="computed" data-computation="ID" value>          what the terms of ID come to
//	<tr class="verdict" data-records data-metric data-side data-limit data-outcome>
//
// A term without data-from (a price, a condition) is what somebody states: the pack
// file beside the page has it, and nothing here can tell whether it is true.

// computedUse is a place at which a page shows the result of a computation.
type computedUse struct {
	id    string
	value float64
}

// pack checks what only committee documents have, and reports whether the element
// was of that kind.
func (c *checker) pack(n *html.Node) bool {
	switch {
	case n.DataAtom == atom.Data && hasClass(n, "term"):
		c.term(n)
	case n.DataAtom == atom.Data && hasClass(n, "computed"):
		if x, ok := c.number(n, "the number "+attr(n, "data-computation")); ok {
			c.page.uses = append(c.page.uses, computedUse{attr(n, "data-computation"), x})
		}
	case hasClass(n, "computation"):
		c.computation(n)
	case n.DataAtom == atom.Tr && hasClass(n, "verdict"):
		c.verdict(n)
	default:
		return false
	}
	return true
}

// number is the value of an element, which must be shown to within half of its last
// digit.
func (c *checker) number(n *html.Node, what string) (float64, bool) {
	c.v.count(&c.v.report.Computed, 1)
	x, err := strconv.ParseFloat(attr(n, "value"), 64)
	if err != nil {
		c.fault("%s has the value %q, which is no number", what, attr(n, "value"))
		return 0, false
	}
	shown, half, err := parseShown(strings.TrimPrefix(strings.TrimSpace(text(n)), "≤"))
	if err != nil {
		c.fault("%s: %v", what, err)
		return x, true
	}
	if !isShown(x, shown, half) {
		c.fault("%s shows %q, its value is %v", what, text(n), x)
	}
	return x, true
}

// term checks one term: measured ones are parts of figures, added up.
func (c *checker) term(n *html.Node) {
	what := fmt.Sprintf("the term %q", text(n))
	x, ok := c.number(n, what)
	if !ok || !has(n, "data-from") {
		return
	}
	sum := 0.0
	for _, ref := range strings.Split(attr(n, "data-from"), "; ") {
		y, err := c.part(ref)
		if err != nil {
			c.fault("%s: %v", what, err)
			return
		}
		sum += y
	}
	if sum != x {
		c.fault("%s has the value %v, its records have %v", what, x, sum)
	}
}

// part is what "RECORD METRIC PART" names.
func (c *checker) part(ref string) (float64, error) {
	words := strings.Fields(ref)
	if len(words) != 3 {
		return 0, fmt.Errorf("%q names no part of a figure", ref)
	}
	r, ok := c.v.records[words[0]]
	if !ok {
		return 0, fmt.Errorf("names record %q, which is not in %s", words[0], recordsFile)
	}
	c.page.records[words[0]] = true
	val, ok := r.Value(measure.MetricID(words[1]))
	if !ok {
		return 0, fmt.Errorf("names metric %q, which record %s does not have", words[1], words[0])
	}
	k := val.Numerator
	switch words[2] {
	case "value":
		return val.Amount.X, nil
	case "numerator":
	case "denominator":
		k = val.Denominator
	default:
		return 0, fmt.Errorf("%q is no part of a figure", words[2])
	}
	t, ok := k.Get()
	if !ok {
		return 0, fmt.Errorf("names the %s of %s, which record %s does not state", words[2], words[1], words[0])
	}
	return t.Amount, nil
}

// computation computes a sum of products from its terms.
func (c *checker) computation(n *html.Node) {
	products := map[string]float64{}
	visit(n, func(t *html.Node) {
		if t.DataAtom != atom.Data || !hasClass(t, "term") {
			return
		}
		x, err := strconv.ParseFloat(attr(t, "value"), 64)
		if err != nil {
			return // the term's own check says so
		}
		k := attr(t, "data-product")
		if _, ok := products[k]; !ok {
			products[k] = 1
		}
		if has(t, "data-below") {
			x = 1 / x
		}
		products[k] *= x
	})
	sum := 0.0
	for _, k := range sortedKeys(products) {
		sum += products[k]
	}
	id := attr(n, "data-computation")
	if _, twice := c.page.computed[id]; twice {
		c.fault("computes %s twice", id)
	}
	c.page.computed[id] = sum
}

// computed holds that each result is that of its terms.
func (v *verifier) computed(name string, p *page) {
	for _, u := range p.uses {
		want, ok := p.computed[u.id]
		switch {
		case !ok:
			v.mismatch(name, "shows the number %s, and not how it is computed", u.id)
		case math.Abs(u.value-want) > 1e-9*math.Abs(want):
			v.mismatch(name, "the number %s has the value %v, its terms come to %v", u.id, u.value, want)
		}
	}
}

// The outcomes of a criterion.
const (
	passes       = "pass"
	fails        = "fail"
	undetermined = "undetermined"
)

// verdict judges again: the criterion passes if every run passes, and fails if
// every one fails.
func (c *checker) verdict(n *html.Node) {
	c.v.count(&c.v.report.Verdicts, 1)
	what := fmt.Sprintf("the verdict on %s of %s", attr(n, "data-metric"), attr(n, "data-records"))
	limit, err := strconv.ParseFloat(attr(n, "data-limit"), 64)
	side := attr(n, "data-side")
	if err != nil || side != "at most" && side != "at least" {
		c.fault("%s has no limit: %s %q", what, side, attr(n, "data-limit"))
		return
	}
	outcomes := map[string]bool{}
	for _, slug := range strings.Fields(attr(n, "data-records")) {
		r, ok := c.v.records[slug]
		if !ok {
			c.fault("%s names record %q, which is not in %s", what, slug, recordsFile)
			return
		}
		c.page.records[slug] = true
		outcomes[judge(r, measure.MetricID(attr(n, "data-metric")), limit, side == "at least")] = true
		c.saidOf(n, r, limit, what)
	}
	want := undetermined
	if len(outcomes) == 1 {
		want = sortedKeys(outcomes)[0]
	}
	if got := attr(n, "data-outcome"); got != want {
		c.fault("%s is %q, it should be %q", what, got, want)
	}
	if !strings.Contains(text(n), want) {
		c.fault("%s does not say %q", what, want)
	}
}

// saidOf holds the numbers of a verdict's reason against the record's and the limit.
func (c *checker) saidOf(n *html.Node, r *evidence.Record, limit float64, what string) {
	val, ok := r.Value(measure.MetricID(attr(n, "data-metric")))
	if !ok || strings.Contains(attr(n, "data-records"), " ") {
		return // of several runs the reason has counts only
	}
	visit(n, func(s *html.Node) {
		if hasClass(s, "says") {
			c.saidNumbers(text(s), r, val, what, limit)
		}
	})
}

// judge is the outcome of one run.
func judge(r *evidence.Record, id measure.MetricID, limit float64, atLeast bool) string {
	if id == "error_share" {
		return judgeLedger(r.Outcomes, limit)
	}
	val, ok := r.Value(id)
	m, known := measure.Lookup(id)
	if !ok || !known {
		return undetermined
	}
	if atLeast {
		switch a := val.Amount; {
		case (a.Kind == evidence.Exact || a.Kind == evidence.AtLeast) && a.X >= limit:
			return passes
		case a.Kind == evidence.Exact:
			return fails
		}
		return undetermined
	}
	q, _ := m.Stat.Q()
	b := val.Bounds
	if b == nil || q > measure.Q50 && q < measure.Max && b.N < measure.MinN(q) {
		return undetermined
	}
	switch {
	case b.Upper.Kind == evidence.Exact && b.Upper.X <= limit:
		return passes
	case (b.Lower.Kind == evidence.Exact || b.Lower.Kind == evidence.AtLeast) && b.Lower.X > limit:
		return fails
	}
	return undetermined
}

// judgeLedger is the outcome of the share of requests that ended without an answer.
func judgeLedger(o evidence.Outcomes, limit float64) string {
	count := func(ks ...evidence.Known[int64]) (n int64, all bool) {
		all = true
		for _, k := range ks {
			x, ok := k.Get()
			n, all = n+x, all && ok
		}
		return n, all
	}
	sent, ok1 := count(o.Sent)
	bad, ok2 := count(o.Failed, o.Rejected, o.TimedOut, o.Cancelled)
	open, ok3 := count(o.Unresolved)
	switch {
	case !ok1 || !ok2 || !ok3 || sent == 0:
		return undetermined
	case float64(bad+open)/float64(sent) <= limit:
		return passes
	case float64(bad)/float64(sent) > limit:
		return fails
	}
	return undetermined
}
