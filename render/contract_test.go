package render_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render"
)

func parsePage(t testing.TB, text string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func walkNodes(n *html.Node, visit func(*html.Node)) {
	visit(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walkNodes(c, visit)
	}
}

func attrOf(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func hasClass(n *html.Node, class string) bool {
	v, _ := attrOf(n, "class")
	for _, c := range strings.Fields(v) {
		if c == class {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var b strings.Builder
	walkNodes(n, func(x *html.Node) {
		if x.Type == html.TextNode {
			b.WriteString(x.Data)
		}
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// builtFixtures is the site of the fixtures: it is built once for all tests.
var builtFixtures map[string]string

// buildFixtures builds the site of the fixtures and returns its files.
func buildFixtures(t testing.TB, records []evidence.Record) map[string]string {
	t.Helper()
	if builtFixtures != nil {
		return builtFixtures
	}
	out := t.TempDir()
	in := input(t, records)
	const hostile, other = "hostile-overload-20261129t172300z-i128-o64-r40-r1", "hostile-refused-20261129t172300z-i128-o32-c4-r1"
	in.Config.Compare = []render.Pair{{A: hostile, B: other}, {A: hostile, B: "ladder-20261129t172300z-i128-o32-c1-r1"}}
	if _, err := render.Site(t.Context(), in, out); err != nil {
		t.Fatal(err)
	}
	builtFixtures = tree(t, out)
	if !slices.ContainsFunc(slices.Collect(maps.Keys(builtFixtures)), func(name string) bool { return strings.HasPrefix(name, "compare/hostile-") }) {
		t.Fatal("no hostile record is compared")
	}
	return builtFixtures
}

// Each value of each record stands in a block with every part of the contract,
// and its number reads back as the same float64.
func TestHeadlineContract(t *testing.T) {
	records := fixtures(t)
	files := buildFixtures(t, records)
	for _, r := range records {
		blocks := map[string]*html.Node{}
		walkNodes(parsePage(t, files["records/"+r.Slug+".html"]), func(n *html.Node) {
			if n.Data == "figure" && hasClass(n, "headline") {
				metric, _ := attrOf(n, "data-metric")
				if slug, _ := attrOf(n, "data-record"); slug != r.Slug {
					t.Errorf("%s: a block of %q", r.Slug, slug)
				}
				if blocks[metric] != nil {
					t.Errorf("%s: two blocks of %s", r.Slug, metric)
				}
				blocks[metric] = n
			}
		})
		for _, v := range r.Values {
			n := blocks[string(v.Metric)]
			if n == nil {
				t.Errorf("%s: no block of %s", r.Slug, v.Metric)
				continue
			}
			checkBlock(t, r, v, n)
		}
		if got, want := len(blocks), len(r.Values); got != want {
			t.Errorf("%s: got %d blocks, want %d", r.Slug, got, want)
		}
	}
}

func checkBlock(t *testing.T, r evidence.Record, v evidence.Value, block *html.Node) {
	t.Helper()
	parts := map[string]*html.Node{}
	var value string
	walkNodes(block, func(n *html.Node) {
		if p, ok := attrOf(n, "data-part"); ok {
			if parts[p] != nil {
				t.Errorf("%s %s: part %s stands twice", r.Slug, v.Metric, p)
			}
			parts[p] = n
		}
		if n.Data == "data" {
			value, _ = attrOf(n, "value")
		}
	})
	for _, p := range []string{"value", "numerator", "denominator", "window", "population", "cache", "outcomes", "source", "limits"} {
		if parts[p] == nil || textOf(parts[p]) == "" {
			t.Errorf("%s %s: part %s is missing or empty", r.Slug, v.Metric, p)
			return
		}
	}
	if got, want := attrText(parts["value"], "data-kind"), string(v.Amount.Kind); got != want {
		t.Errorf("%s %s: got kind %q, want %q", r.Slug, v.Metric, got, want)
	}
	if v.Amount.Kind == evidence.Exact || v.Amount.Kind == evidence.AtLeast {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x != v.Amount.X {
			t.Errorf("%s %s: got value %q, want %v", r.Slug, v.Metric, value, v.Amount.X)
		}
	} else if value != "" {
		t.Errorf("%s %s: got a number %q for an amount that is %q", r.Slug, v.Metric, value, v.Amount.Kind)
	}
	o := r.Outcomes
	for key, k := range map[string]evidence.Known[int64]{"completed": o.Completed, "failed": o.Failed, "rejected": o.Rejected, "timed-out": o.TimedOut,
		"cancelled": o.Cancelled, "unresolved": o.Unresolved, "never-sent": o.NeverSent} {
		want := "not-stated"
		if n, ok := k.Get(); ok {
			want = fmt.Sprint(n)
		}
		if got := attrText(parts["outcomes"], "data-"+key); got != want {
			t.Errorf("%s %s: got data-%s %q, want %q", r.Slug, v.Metric, key, got, want)
		}
	}
	if r.Class == evidence.Simulated && !strings.Contains(textOf(block), "simulated endpoint") {
		t.Errorf("%s %s: the block does not say that the endpoint is simulated", r.Slug, v.Metric)
	}
	if r.Void && !strings.Contains(textOf(parts["value"]), "void") {
		t.Errorf("%s %s: the block of a void record shows %q", r.Slug, v.Metric, textOf(parts["value"]))
	}
}

func attrText(n *html.Node, key string) string {
	v, _ := attrOf(n, key)
	return v
}

// Every figure outside its block links to it and has the same number.
func TestFiguresLinkToTheirBlocks(t *testing.T) {
	records := fixtures(t)
	files := buildFixtures(t, records)
	byID := map[string]evidence.Value{}
	for _, r := range records {
		for _, v := range r.Values {
			byID[r.Slug+" "+string(v.Metric)] = v
		}
	}
	seen := 0
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		walkNodes(parsePage(t, text), func(n *html.Node) {
			if n.Data != "data" || !hasClass(n, "figure") {
				return
			}
			seen++
			slug, metric := attrText(n, "data-record"), attrText(n, "data-metric")
			v, ok := byID[slug+" "+metric]
			x, err := strconv.ParseFloat(attrText(n, "value"), 64)
			if !ok || err != nil || x != v.Amount.X {
				t.Errorf("%s: figure %s %s has value %q, want %v", name, slug, metric, attrText(n, "value"), v.Amount.X)
			}
			link := n.FirstChild
			if link == nil || link.Data != "a" || !strings.Contains(attrText(link, "href"), "#fig-") {
				t.Errorf("%s: figure %s %s does not link to its block", name, slug, metric)
			}
		})
	}
	if seen < 100 {
		t.Errorf("got %d figures in tables and sentences, want more", seen)
	}
}

// What the issue asks of single pages.
func TestRecordPagesSay(t *testing.T) {
	records := fixtures(t)
	files := buildFixtures(t, records)
	page := func(slug string) string { return textOf(parsePage(t, files["records/"+slug+".html"])) }
	for _, r := range records {
		text := page(r.Slug)
		for _, group := range []string{"Profile and evidence", "Workload", "State", "Rate", "Latency and outcomes"} {
			if !strings.Contains(text, group) {
				t.Errorf("%s: the benchmark line has no group %q", r.Slug, group)
			}
		}
		if r.Class == evidence.Simulated && !strings.Contains(text, "simulated endpoint") {
			t.Errorf("%s does not say that it is simulated", r.Slug)
		}
		if r.Void != strings.Contains(text, "No figure on this page is a valid measurement") {
			t.Errorf("%s: void is %t, and the page's banner differs", r.Slug, r.Void)
		}
		for _, v := range r.Values {
			says := "unbounded above"
			if m, _ := measure.Lookup(v.Metric); m.Quantity != measure.Time {
				says = "more, by what was not counted"
			}
			if v.Amount.Kind == evidence.AtLeast && !strings.Contains(text, says) {
				t.Errorf("%s: %s is at least, and the page does not say %q", r.Slug, v.Metric, says)
			}
		}
		if strings.Contains(text, "% success") {
			t.Errorf("%s prints a success rate", r.Slug)
		}
	}
}
