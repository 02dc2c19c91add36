package verify

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"benchline/ingest/evidence"
)

// FuzzPage holds that no page can stop the verification.
func FuzzPage(f *testing.F) {
	r := evidence.Unstated("x")
	r.Slug, r.Class = "a", evidence.Simulated
	r.Values = []evidence.Value{evidence.UnstatedValue("ttft_p50", evidence.Amount{Kind: evidence.AtLeast, X: 0.25}, "rule", "x")}
	f.Add(`<figure class="headline" data-record="a" data-metric="ttft_p50"><p data-part="value" data-kind="at least"><data value="0.25">≥ 250</data> ms</p><p data-part="outcomes" data-completed="not-stated">x</p></figure>`)
	f.Add(`<data class="figure" data-record="a" data-metric="ttft_p50" value="0.25"><a href="x.html#y">250</a></data> ms 5 tokens/s`)
	f.Add(`<div class="comparison whole" data-a="a" data-b="a" data-kind="controlled"><p data-part="verdict">x</p><table><tr class="dimension" data-key="profile" data-state="same"><td>x<td>y</tr><tr class="judged" data-metric="ttft_p50" data-comparable="true"><td>alike</tr><tr class="number" data-metric="ttft_p50" data-note="7"><td data-part="change"><data class="compared" value="1">1</data></tr></table><p class="numbernote">z</div>`)
	f.Fuzz(func(t *testing.T, page string) {
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Skip()
		}
		v := &verifier{dir: t.TempDir(), records: map[string]*evidence.Record{"a": &r}, strays: strayPatterns()}
		c := &checker{v: v, name: "index.html", page: newPage()}
		c.walk(root)
		c.simulated(root)
		c.strays(root)
	})
}

func FuzzParseShown(f *testing.F) {
	for _, s := range []string{"1,267.90", "≥ 87.4", "−5", "1e300", ".", "e", "Infinity", "0x1p-2", "1_000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		x, half, err := parseShown(s)
		if err == nil && (x != x || half < 0) {
			t.Errorf("%q gives %v ± %v", s, x, half)
		}
	})
}
