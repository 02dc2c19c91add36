package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchline/ingest"
	"benchline/ingest/evidence"
	"benchline/ingest/verify"
)

// repeatsPair are the summaries of the two points of [repeatsSite].
func repeatsPair() [2]string {
	return [2]string{"demo-20261129t172300z-i128-o32-c4-repeats", "demo-20261129t172300z-i128-o32-c8-repeats"}
}

// comparing makes a site of all that the goldens need: repeats of two points, the
// built-in archive, and a result of MLPerf. Its settings name the pairs.
func comparing(t *testing.T) (dir string, mlperf string) {
	t.Helper()
	dir = repeatsSite(t)
	from := os.DirFS(filepath.Join("..", "..", "testdata", "foreign", "mlperf", "5.1", "closed"))
	if err := os.CopyFS(filepath.Join(dir, "imports", "closed"), from); err != nil {
		t.Fatal(err)
	}
	set := func(pairs ...[2]string) {
		quoted := make([]string, len(pairs))
		for i, p := range pairs {
			quoted[i] = fmt.Sprintf("[%q, %q]", p[0], p[1])
		}
		text := "title = \"T\"\narchive = true\ncompare = [" + strings.Join(quoted, ",\n  ") + "]\n"
		if err := writeFile(filepath.Join(dir, "site.toml"), text); err != nil {
			t.Fatal(err)
		}
	}
	set()
	carryOut(t, "ingest", "--site", dir)
	records, err := ingest.Records(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(records, func(r evidence.Record) bool {
		return slices.ContainsFunc(r.Sources, func(s evidence.Source) bool { return strings.HasPrefix(s.Adapter, "mlperf") })
	})
	if i < 0 {
		t.Fatal("the MLPerf sample gave no record")
	}
	mlperf = records[i].Slug
	run := func(point, repeat int) string {
		return fmt.Sprintf("demo-20261129t172300z-i128-o32-c%d-r%d", point, repeat)
	}
	set(repeatsPair(), [2]string{run(4, 1), run(4, 2)}, [2]string{run(4, 1), run(8, 1)}, [2]string{mlperf, run(4, 1)}, [2]string{"e16-short-c16-run1", "b0-short-c16"},
		[2]string{"p1-c128", "p1-c64"}, [2]string{"p1-c128", "raw-c128"})
	return dir, mlperf
}

// goldenPages are the pages whose twins are kept, by the golden's name. Read a
// golden when it changes: it is what a reader is told.
func goldenPages(mlperf string) map[string]struct{ pair, kind string } {
	p := repeatsPair()
	const run = "demo-20261129t172300z-i128-o32-c4-r1"
	return map[string]struct{ pair, kind string }{
		"controlled-repeats": {p[0] + "--" + p[1], "controlled"},
		"controlled-runs":    {run + "--demo-20261129t172300z-i128-o32-c8-r1", "controlled"},
		"one-recipe":         {run + "--demo-20261129t172300z-i128-o32-c4-r2", "controlled"},
		"systems-ratio":      {"e16-short-c16-run1--b0-short-c16", "systems ratio"},
		"confounded":         {"p1-c128--p1-c64", "confounded"},
		"not-comparable":     {"p1-c128--raw-c128", "not comparable"},
		"mlperf":             {mlperf + "--" + run, "not comparable"},
	}
}

// TestComparisonPages: each verdict has its page as the golden has it, no number
// stands where the verdict allows none, and the whole site verifies.
func TestComparisonPages(t *testing.T) {
	dir, mlperf := comparing(t)
	carryOut(t, "build", dir)
	public := filepath.Join(dir, "public")
	for name, g := range goldenPages(mlperf) {
		stem, err := evidence.Slug(g.pair)
		if err != nil {
			t.Fatal(err)
		}
		page := readText(t, filepath.Join(public, "compare", stem+".html"))
		if !strings.Contains(page, `data-kind="`+g.kind+`"`) {
			t.Errorf("%s is not %s", name, g.kind)
		}
		numbers := strings.Contains(page, "<data") || strings.Contains(page, `class="figure`)
		if want := g.kind == "controlled" || g.kind == "systems ratio"; numbers != want {
			t.Errorf("%s: the page has figures: %t, want %t", name, numbers, want)
		}
		checkGolden(t, name, readText(t, filepath.Join(public, "compare", stem+".md")))
	}
	out := carryOut(t, "verify", public)
	if !strings.Contains(out, " of two records given again") {
		t.Errorf("verify says:\n%s", out)
	}
	t.Run("changed", func(t *testing.T) { changedVerdicts(t, public) })
}

// checkGolden holds the page up to its foot, which names the program's version.
func checkGolden(t *testing.T, name, twin string) {
	t.Helper()
	got, _, _ := strings.Cut(twin, "\n---\n")
	file := filepath.Join("..", "..", "testdata", "compare", name+".md")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := writeFile(file, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := readText(t, file); got != want {
		t.Errorf("%s differs from %s (UPDATE_GOLDEN=1 writes it anew); got\n%s", name, file, got)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// changedVerdicts: whatever is changed in a comparison is found, also if the list
// of checksums was made again for it.
func changedVerdicts(t *testing.T, public string) {
	const ratio, confounded = "compare/e16-short-c16-run1--b0-short-c16", "compare/p1-c128--p1-c64"
	p := repeatsPair()
	controlled := "compare/" + p[0] + "--" + p[1]
	for name, c := range map[string]struct{ file, from, to, want string }{
		"kind":          {confounded + ".html", `data-kind="confounded"`, `data-kind="controlled"`, `is "controlled", it should be "confounded"`},
		"sentence":      {confounded + ".html", "Confounded: request count and concurrency differ.", "Controlled: only the concurrency differs.", "its verdict is"},
		"in prose":      {"archive/p1-ladder.html", "Confounded: request count and concurrency differ.", "Controlled: only the concurrency differs.", "its verdict is"},
		"in a list":     {"compare/index.html", "Not comparable: the evidence class differs.", "Controlled: nothing differs.", "its verdict is"},
		"need":          {confounded + ".html", "<li>Run p1-c64 with 512 requests.</li>", "", "what would have to be known is"},
		"state":         {confounded + ".html", `data-key="request_count" data-state="differs"`, `data-key="request_count" data-state="same"`, `the request count is shown as "same"`},
		"dimension":     {confounded + ".html", `<td data-label="B">128</td>`, `<td data-label="B">512</td>`, "the request count of B is"},
		"no dimension":  {confounded + ".html", `<tr class="dimension" data-key="request_count"`, `<tr data-key="request_count"`, "has the dimension request_count 0 times"},
		"no comparison": {confounded + ".html", `class="comparison whole"`, `class="comparison"`, "is the page of a comparison, and holds none"},
		"other record":  {confounded + ".html", `data-b="p1-c64"`, `data-b="p1-c32"`, ""},
		"judged":        {confounded + ".html", `data-comparable="true"`, `data-comparable="false"`, `has data-comparable="false"`},
		"metric":        {confounded + ".html", ">alike in what is stated;", ">alike;", "what is said of output_token_rate is"},
		"a number":      {confounded + ".html", `<h2 id="metrics">`, `<p><data class="compared" value="3">3×</data></p><h2 id="metrics">`, "stands in no comparison"},
		"ratio":         {ratio + ".html", ">2.04×<", ">3.04×<", "the change of output_token_rate is"},
		"ratio's value": {ratio + ".html", `class="compared" value="2.0`, `class="compared" value="3.0`, "the number for output_token_rate has the value"},
		"ratio in text": {"archive/two-systems.html", ">2.04×<", ">3.04×<", "the change of output_token_rate is"},
		"note":          {ratio + ".html", "One run on each side is no evidence", "Two runs on each side are evidence", "the note on output_token_rate is"},
		"test":          {controlled + ".html", "p = 0.002", "p = 0.001", "the test of"},
		"interval":      {controlled + ".html", `<span data-part="interval">&#43;`, `<span data-part="interval">&#43;1`, "the interval of"},
		"no evidence":   {controlled + ".html", ">~<", ">+1<", "the change of"},
		"run's figure":  {"records/" + p[0] + ".html", "45.00, 46.00", "45.50, 46.00", `"45.50 ms" is the figure of none of its runs`},
		"lines":         {"data/" + confounded + ".jsonl", `"kind":"confounded"`, `"kind":"controlled"`, "line 1: kind: stored \"controlled\", recomputed \"confounded\""},
		"ratio in data": {"data/" + ratio + ".jsonl", `"ratio":2.0`, `"ratio":3.0`, "ratio: stored 3.0"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(public)); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, filepath.FromSlash(c.file))
			before := readText(t, file)
			after := strings.ReplaceAll(before, c.from, c.to)
			if after == before {
				t.Fatalf("%s does not hold %q", c.file, c.from)
			}
			if err := writeFile(file, after); err != nil {
				t.Fatal(err)
			}
			resum(t, dir, c.file)
			r, err := verify.Site(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(r.Mismatches, func(m verify.Mismatch) bool { return m.Path == c.file && strings.Contains(m.What, c.want) }) {
				t.Errorf("got %v, want %q", r.Mismatches, c.want)
			}
		})
	}
}

// resum puts the right checksum of a file into the list.
func resum(t *testing.T, dir, name string) {
	t.Helper()
	list := filepath.Join(dir, "SHA256SUMS")
	sum := sha256.Sum256([]byte(readText(t, filepath.Join(dir, filepath.FromSlash(name)))))
	var out bytes.Buffer
	for line := range strings.Lines(readText(t, list)) {
		if strings.HasSuffix(line, "  "+name+"\n") {
			line = hex.EncodeToString(sum[:]) + "  " + name + "\n"
		}
		out.WriteString(line)
	}
	if err := writeFile(list, out.String()); err != nil {
		t.Fatal(err)
	}
}
