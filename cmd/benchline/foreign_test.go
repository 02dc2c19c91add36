package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The real GuideLLM run with reasoning, from its file to its page: the output rate
// that was computed from its rows, over the window of those rows, beside the rate
// that the tool prints; and the time to first token both ways.
func TestReasoningRunOnItsPage(t *testing.T) {
	const sample = "../../../shared/samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.json"
	if _, err := os.Stat(sample); err != nil {
		t.Skip("the samples are not beside this checkout")
	}
	dir := t.TempDir()
	if err := initSite(dir, "T"); err != nil {
		t.Fatal(err)
	}
	if code, said := exported(t, "ingest", sample, "--site", dir); code != exitDone {
		t.Fatalf("ingest: exit code %d: %s", code, said)
	}
	if code, said := exported(t, "build", dir); code != exitDone {
		t.Fatalf("build: exit code %d: %s", code, said)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "public/records/benchmarks*.md"))
	if err != nil || len(pages) != 1 {
		t.Fatalf("pages of the record: %v, %v", pages, err)
	}
	text, err := os.ReadFile(pages[0])
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, want := range []string{"Output-token rate **59.03 output tokens/s**", "282.40127915679506 tokens/s", "50247.94960021973 ms", "denominator: time from first send to last token (queueing inside, warm-up outside), 63.5269 s."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	_, line, _ := strings.Cut(page, "denominator: ")
	if line, _, _ = strings.Cut(line, "\n"); strings.Contains(line, "as stated by the source") {
		t.Errorf("the rate line has the source's window: %s", line)
	}
}

// A figure that is another tool's claim stands as a quotation on both forms of its
// page, without the sign of a gap: something is there.
func TestQuotedFigureIsNoGap(t *testing.T) {
	dir := t.TempDir()
	if err := initSite(dir, "T"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"ingest", "../../testdata/foreign/vllm/0.26/serve-rate-and-cap.json", "../../testdata/foreign/vllm/0.26/serve-appended.json", "--site", dir}, {"build", dir}} {
		if code, said := exported(t, args...); code != exitDone {
			t.Fatalf("%s: exit code %d: %s", args[0], code, said)
		}
	}
	pages, err := filepath.Glob(filepath.Join(dir, "public/records/*.md"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("pages of records: %v, %v", pages, err)
	}
	quoted := 0
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		quoted += strings.Count(string(text), "**Output-token rate: “")
		if strings.Contains(string(text), "∅ “") {
			t.Errorf("%s has a quotation with the sign of a gap", filepath.Base(name))
		}
	}
	if quoted == 0 {
		t.Error("no page quotes an output-token rate")
	}
}
