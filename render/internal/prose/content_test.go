package prose_test

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchline/content"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/internal/prose"
)

// pages are the pages that come with the program.
func pages(t *testing.T) map[string]prose.Doc {
	t.Helper()
	docs := map[string]prose.Doc{}
	files := content.FS()
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(p) != ".md" {
			return err
		}
		src, err := fs.ReadFile(files, p)
		if err != nil {
			return err
		}
		doc, ds := prose.Parse(p, src)
		for _, d := range ds {
			t.Error(d)
		}
		docs[p] = doc
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// TestContentIsComplete: every page that comes with the program parses, and
// says what it is, since when, and on what it rests.
func TestContentIsComplete(t *testing.T) {
	for p, d := range pages(t) {
		for _, m := range d.Incomplete() {
			if strings.HasPrefix(p, "limits/") && strings.Contains(m.Msg, "[[sources]]") {
				continue // a limit page rests on the program itself
			}
			t.Error(m)
		}
		if got, want := d.Front().Canonical, strings.TrimSuffix(p, ".md")+".html"; got != want {
			t.Errorf("%s: canonical is %q, want %q", p, got, want)
		}
		for _, h := range d.Headings() {
			if h.Level == 1 {
				t.Errorf("%s: has a heading of level 1; the title is it", p)
			}
		}
		if len(d.References()) > 0 {
			t.Errorf("%s: refers to evidence, which a new site does not have", p)
		}
	}
}

// TestContentLinks: links between the pages that come with the program lead
// somewhere, headings included.
func TestContentLinks(t *testing.T) {
	docs := pages(t)
	ids := func(p string) map[string]bool {
		m := map[string]bool{}
		for _, h := range docs[p].Headings() {
			m[h.ID] = true
		}
		return m
	}
	for p, d := range docs {
		for _, l := range d.Links() {
			target, id, _ := strings.Cut(l.Target, "#")
			if strings.Contains(target, "://") || target == "" {
				continue
			}
			to := path.Join(path.Dir(p), target)
			if generated(to) {
				continue // the check of the built site follows it
			}
			if _, err := fs.Stat(content.FS(), to); err != nil {
				t.Errorf("%s:%d: nothing at %s", p, l.Line, to)
				continue
			}
			if id != "" && !ids(to)[id] {
				t.Errorf("%s:%d: %s has no heading %q", p, l.Line, to, id)
			}
		}
	}
}

// generated are the pages that every site has and nobody wrote.
func generated(p string) bool {
	return p == "methodology/same-word.md" || p == "methodology/index.md" || p == "limits/index.md"
}

// TestLimitPages: every limit code has a page and every page a code.
func TestLimitPages(t *testing.T) {
	docs := pages(t)
	known := map[string]bool{}
	for _, c := range evidence.Codes() {
		p := "limits/" + string(c.Code) + ".md"
		known[p] = true
		d, ok := docs[p]
		if !ok {
			t.Errorf("%s is missing", p)
			continue
		}
		if got := d.Front().Title; got != c.Title {
			t.Errorf("%s: title is %q, want the code's, %q", p, got, c.Title)
		}
		var heads []string
		for _, h := range d.Headings() {
			heads = append(heads, h.Text)
		}
		if got, want := fmt.Sprint(heads), "[When it is set What may still be said What the author can do Example]"; got != want {
			t.Errorf("%s: sections are %s, want %s", p, got, want)
		}
	}
	for p := range docs {
		if strings.HasPrefix(p, "limits/") && !known[p] {
			t.Errorf("%s belongs to no code", p)
		}
	}
}

// TestMinimumN: the table on the percentiles page is what the program uses.
func TestMinimumN(t *testing.T) {
	src, err := fs.ReadFile(content.FS(), "methodology/percentiles.md")
	if err != nil {
		t.Fatal(err)
	}
	quantiles := map[string]measure.Q{"p50": measure.Q50, "p90": measure.Q90, "p95": measure.Q95, "p99": measure.Q99, "p99.9": measure.Q999}
	rows := regexp.MustCompile(`(?m)^\| (p[0-9.]+) \| ([0-9,]+) \|$`).FindAllStringSubmatch(string(src), -1)
	if len(rows) != len(quantiles) {
		t.Fatalf("the table has %d rows, want %d", len(rows), len(quantiles))
	}
	for _, r := range rows {
		got, err := strconv.ParseInt(strings.ReplaceAll(r[2], ",", ""), 10, 64)
		if want := measure.MinN(quantiles[r[1]]); err != nil || got != want {
			t.Errorf("%s: the page says %d, the program needs %d", r[1], got, want)
		}
	}
}

// TestWorkedExample: the bounds on the percentiles page are what the program
// computes from the page's own numbers.
func TestWorkedExample(t *testing.T) {
	finished := []float64{1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.2, 2.5, 2.8, 3.2, 3.7, 4.4, 5.6, 10.5}
	s := measure.NewSample(finished, []float64{9, 12})
	for _, tt := range []struct {
		q            measure.Q
		lower, upper measure.Quantile
		completed    float64
		estimate     measure.Quantile
	}{
		{measure.Q50, measure.ExactQuantile(2.2, 19), measure.ExactQuantile(2.2, 19), 2.0, measure.ExactQuantile(2.2, 19)},
		{850, measure.AtLeastQuantile(9, 19), measure.ExactQuantile(10.5, 19), 4.4, measure.ExactQuantile(10.5, 19)},
		{measure.Q90, measure.ExactQuantile(10.5, 19), measure.UnboundedQuantile(19), 5.6, measure.ExactQuantile(10.5, 19)},
	} {
		lower, upper := s.Bounds(tt.q)
		if lower != tt.lower || upper != tt.upper {
			t.Errorf("%v: got %v to %v, the page says %v to %v", tt.q, lower, upper, tt.lower, tt.upper)
		}
		if x, _ := s.OfFinished(tt.q).X(); x != tt.completed {
			t.Errorf("%v of completed: got %v, the page says %v", tt.q, x, tt.completed)
		}
		if got := s.KaplanMeier(tt.q); got != tt.estimate {
			t.Errorf("%v by Kaplan-Meier: got %v, the page says %v", tt.q, got, tt.estimate)
		}
	}
	if got := s.KaplanMeier(measure.Q95); got != measure.UnboundedQuantile(19) {
		t.Errorf("p95 by Kaplan-Meier: got %v, the page says that there is none", got)
	}
	for x, longer := range s.Survival() {
		if want, ok := map[float64]float64{5.6: 3.0 / 19, 10.5: 1.5 / 19}[x]; ok && math.Abs(longer-want) > 1e-12 {
			t.Errorf("after %g s the share is %g, the page says %g", x, longer, want)
		}
	}
}

// TestDefinitionsOnThePage: the tables of the page on definitions have every
// metric of the registry with its formula.
func TestDefinitionsOnThePage(t *testing.T) {
	src, err := fs.ReadFile(content.FS(), "methodology/definitions.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	for _, m := range measure.Metrics() {
		if m.Stat != measure.NoStat {
			continue
		}
		found := slices.ContainsFunc(lines, func(l string) bool {
			name, _, _ := strings.Cut(strings.TrimPrefix(l, "| "), " |")
			name, _, _ = strings.Cut(name, " (")
			return name == m.Label && strings.HasSuffix(l, "| "+m.Formula+" |")
		})
		if !found {
			t.Errorf("no row has %q with the formula %q", m.Label, m.Formula)
		}
	}
}
