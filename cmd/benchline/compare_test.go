package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/compare"
	"benchline/ingest/evidence"
)

// repeatsSite writes a site with six runs of each of two points of one plan. The
// second point's first tokens come 20 ms later; all else is alike.
func repeatsSite(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := initSite(dir, "T"); err != nil {
		t.Fatal(err)
	}
	for point, c := range []int{4, 8} {
		for repeat := 1; repeat <= 6; repeat++ {
			owntest.Write(t, filepath.Join(dir, "logs"), owntest.Run{ID: fmt.Sprintf("demo-20261129t172300z-i128-o32-c%d-r%d", c, repeat),
				Repeats: 6, Repeat: repeat, SlowMS: 20*point + repeat, Loads: []int{4, 8}, Point: point, Real: true, Completed: 80})
		}
	}
	return dir
}

func TestCompareRepeats(t *testing.T) {
	dir := repeatsSite(t)
	a, b := "demo-20261129t172300z-i128-o32-c4-repeats", "demo-20261129t172300z-i128-o32-c8-repeats"
	code, said := exported(t, "compare", a, b, "--site", dir)
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	for _, want := range []string{
		"Controlled: only the concurrency differs; all else is equal, stated or of one invocation of one plan.",
		" concurrency 4 8 ",
		" request count 80 sampling ",
		"+20.00",
		"p = 0.002, n = 6 + 6",
		"~",
		"Mann-Whitney U test over the runs",
	} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
			t.Errorf("lacks %q:\n%s", want, said)
		}
	}
	numbers := 0
	_, said = exported(t, "compare", a, b, "--site", dir, "--json")
	for line := range strings.Lines(said) {
		var x struct {
			Type   string
			Metric string
			Mark   string
			Test   *compare.Test
		}
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if x.Type != "number" {
			continue
		}
		numbers++
		if x.Metric == "ttft_p50" && (x.Test == nil || !x.Test.Evidence || x.Mark != "") || x.Metric == "output_token_rate" && (x.Test == nil || x.Mark != compare.NoEvidence) {
			t.Errorf("got %s", line)
		}
	}
	if numbers == 0 {
		t.Errorf("no number:\n%s", said)
	}
}

// TestComparePaths: a run folder is read without being kept, and a folder of
// repeats stands for their summary.
func TestComparePaths(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // what others leave in the machine's own is not looked at
	dir := repeatsSite(t)
	logs := filepath.Join(dir, "logs")
	run := func(c, repeat int) string {
		return filepath.Join(logs, fmt.Sprintf("demo-20261129t172300z-i128-o32-c%d-r%d", c, repeat))
	}
	code, said := exported(t, "compare", run(4, 1), run(8, 1))
	if code != exitDone || !strings.Contains(said, "only the concurrency differs") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if code, said = exported(t, "compare", run(4, 1), "demo-20261129t172300z-i128-o32-c4-r2", "--site", dir); code != exitDone || !strings.Contains(said, "nothing differs") {
		t.Errorf("a path and a record: exit code %d: %s", code, said)
	}
	if code, said = exported(t, "compare", logs, run(4, 1)); code != exitUsage || !strings.Contains(said, "14 records are in it") {
		t.Errorf("a folder of many: exit code %d: %s", code, said)
	}
	some := t.TempDir()
	for repeat := 1; repeat <= 6; repeat++ {
		if err := os.Rename(run(4, repeat), filepath.Join(some, filepath.Base(run(4, repeat)))); err != nil {
			t.Fatal(err)
		}
	}
	if code, said = exported(t, "compare", some, "demo-20261129t172300z-i128-o32-c8-repeats", "--site", dir); code != exitDone || !strings.Contains(said, "p = 0.002, n = 6 + 6") {
		t.Errorf("a folder of repeats: exit code %d: %s", code, said)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "benchline-compare-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestByName(t *testing.T) {
	records := []evidence.Record{{Slug: "a", ID: evidence.ID{0xab, 0xcd, 0xef, 0x01}}, {Slug: "b", ID: evidence.ID{0xab, 0xcd, 0xef, 0x01, 0x02}}, {Slug: "abcdef01", ID: evidence.ID{1}}}
	for word, want := range map[string]int{"a": 1, "abcdef01": 1, "abcdef0100": 1, "abcdef010": 2, "abcdef": 0, "c": 0, "": 0} {
		if got := byName(records, word); len(got) != want {
			t.Errorf("%q: got %d records, want %d", word, len(got), want)
		}
	}
	if got := byName(records, "abcdef01"); got[0].Slug != "abcdef01" {
		t.Errorf("a slug comes before IDs: got %s", got[0].Slug)
	}
}

func TestNearHint(t *testing.T) {
	records := []evidence.Record{{Slug: "p1-c128"}, {Slug: "p1-c64"}, {Slug: "e16-short-c16-run1"}, {Slug: "raw-c128"}}
	for word, want := range map[string]string{
		"p1-c12": "did you mean p1-c128 or p1-c64?", "C128": "did you mean p1-c128 or raw-c128?", "e16-short-c16-run9": "did you mean e16-short-c16-run1?",
		"something else": "it has 4 records, as p1-c128, p1-c64, e16-short-c16-run1, and 1 more",
	} {
		if got := nearHint(records, word); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if got := nearHint(nil, "x"); got != "it has no record yet" {
		t.Errorf("got %q", got)
	}
}

func TestPrintTable(t *testing.T) {
	var b strings.Builder
	printTable(&b, 0, []string{"", "A", "gone", "B"}, [][]string{{"one", "1", "", "×"}, {"three", "22", "", "ü"}})
	if want := "         A   B\n  one    1   ×\n  three  22  ü\n"; b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	b.Reset()
	printTable(&b, 40, []string{"", "A"}, [][]string{{"name", strings.Repeat("long ", 20)}})
	for line := range strings.Lines(b.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 40 {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	if got := wrap("one two three four", 9, "  "); got != "one two\n  three\n  four" {
		t.Errorf("got %q", got)
	}
}
