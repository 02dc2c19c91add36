package main

import (
	"bytes"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// archived is what the page of one record of the archive must show: figures as
// the source writes them with what is said of their parts, and the reasons of
// the gaps that the source itself names.
type archived struct {
	record  string
	figures []archivedFigure
	page    []string // elsewhere on the page
}

type archivedFigure struct {
	metric, value, numerator, denominator string
}

const (
	someTokens = "output tokens, how many is not stated"
	allTokens  = "input and output tokens, how many is not stated"
	noTime     = "an elapsed time that is not stated"
	noTimes    = "single times that are not stated"
	noCount    = "a number of requests that is not stated"
)

func archive() []archived {
	rate := func(value string) archivedFigure {
		return archivedFigure{"output_token_rate", value + " output tokens/s", someTokens, noTime}
	}
	wait := func(metric, value string) archivedFigure { return archivedFigure{metric, value, noTimes, noCount} }
	noEach := "the summary gives no elapsed duration for each point"
	noMatch := []string{"no elapsed durations that match", "no complete request counts", "128 asked", "512 at most", "outstanding requests: 16"}
	ladder := func(name, value, clients, requests string) archived {
		return archived{name, []archivedFigure{rate(value)}, []string{"evidence: derived", "128 asked", "512 at most", "outstanding requests: " + clients,
			"requests planned: " + requests, "EXP-GH200-2001/2005/2007/2009", "neither the raw files nor the exact timing records of this family were recovered",
			"128 and 512 requests: more than the load varies", "16K tokens, which the records contradict", "worked out from other records"}}
	}
	cold := func(name, value, ttft, tpot, acceptance string) archived {
		return archived{name, []archivedFigure{rate(value), wait("ttft_p50", ttft), wait("tpot_p50", tpot)}, []string{noEach, "cold cache, declared",
			"a seed of its own for each prompt, after prefix reuse", "512 at most", "outstanding requests: 16", "model MiMo v2.6", acceptance, "the records do not isolate it"}}
	}
	slightly := "acceptance was slightly better at the 24K point"
	return []archived{
		{"long-input-65k", []archivedFigure{rate("111.22"), {"total_token_rate", "14,346.87 input + output tokens/s", allTokens, noTime},
			wait("ttft_mean", "3.719 s"), wait("tpot_mean", "1.73 ms")},
			[]string{"65,536 asked", "512 at most", "requests planned: 4", "outstanding requests: 1", "no complete model revision", "no elapsed duration", "Only the mean is stated"}},
		cold("b0-cold-8k", "646.35", "2.383 s", "“roughly 16 ms”", slightly),
		cold("b0-cold-16k", "546.29", "5.486 s", "“roughly 16 ms”", slightly),
		cold("b0-cold-24k", "312.16", "10.202 s", "30.12 ms", "improved slightly against the two shorter points; no figure is given"),
		{"b0-short-c16", []archivedFigure{rate("1,018.93")}, append([]string{"roughly 2.04×", "KV format"}, noMatch...)},
		{"e16-short-c16-run1", []archivedFigure{rate("500.34")}, append([]string{"500.65, a simple mean", "DeepSeek V4.1"}, noMatch...)},
		{"e16-short-c16-run2", []archivedFigure{rate("500.96")}, append([]string{"500.65, a simple mean", "DeepSeek V4.1"}, noMatch...)},
		ladder("p1-c16", "1,856.96", "16", "128"), ladder("p1-c32", "2,478.55", "32", "128"),
		ladder("p1-c64", "3,321.96", "64", "128"), ladder("p1-c128", "5,191.72", "128", "512"),
		{"raw-c128", []archivedFigure{rate("1,756.34")}, []string{"evidence: raw archive", "requests planned: 512", "outstanding requests: 128",
			"the surviving records establish none", "the elapsed time of the archived run is not given"}},
		{"soak-131k", []archivedFigure{{"output_token_rate", "1,267.90 output tokens/s", someTokens, "29,100.679 s"}, {"ttft_p50", "550.876 s", noTimes, "2,252 requests"}},
			[]string{"131,072 asked", "16,384 at most", "outstanding requests: 62", "up to 62", "eight hours", "2,252 completed", "0 failed", "38 unresolved", "about 9.2 minutes",
				"incomplete: 38 requests were running or waiting at the last monitor sample", "whether tokens of unfinished requests are in it is not stated",
				"2,252 completed requests × the output target of 16,384 are 36,896,768 tokens", "38 of an unstated number of sent requests", "The figure of the 2,252 completed requests alone"}},
	}
}

// buildArchive makes a site that asks for the archive, and builds it.
func buildArchive(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	carryOut(t, "init", dir)
	config := filepath.Join(dir, "site.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeFile(config, regexp.MustCompile(`(?m)^archive .*$`).ReplaceAllString(string(text), "archive = true")); err != nil {
		t.Fatal(err)
	}
	carryOut(t, "build", dir)
	return dir
}

// carryOut runs one command line and returns its output.
func carryOut(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	e := env{args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }, now: time.Now}
	if code := run(t.Context(), e); code != 0 {
		t.Fatalf("benchline %s: exit %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
	}
	return out.String()
}

// words is what a reader sees of a piece of HTML.
func words(piece string) string {
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(piece, ""))
	return strings.Join(strings.Fields(text), " ")
}

// TestArchiveIsOnItsPages holds that every figure of the archive stands on the
// page of its record, named by its numerator, with its gaps.
func TestArchiveIsOnItsPages(t *testing.T) {
	dir := buildArchive(t)
	for _, a := range archive() {
		src, err := os.ReadFile(filepath.Join(dir, "public", "records", a.record+".html"))
		if err != nil {
			t.Error(err)
			continue
		}
		page := words(string(src))
		for _, f := range a.figures {
			f.check(t, a.record, string(src))
		}
		for _, want := range a.page {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page does not say %q", a.record, want)
			}
		}
	}
	out := carryOut(t, "verify", filepath.Join(dir, "public"))
	if !strings.Contains(out, "13 records quoted, not recomputable (13 of them read again") {
		t.Errorf("verify says:\n%s", out)
	}
}

func (f archivedFigure) check(t *testing.T, record, src string) {
	t.Helper()
	_, block, ok := strings.Cut(src, `id="fig-`+strings.ReplaceAll(f.metric, "_", "-")+`"`)
	block, _, _ = strings.Cut(block, "</figure>")
	if !ok {
		t.Errorf("%s has no block for %s", record, f.metric)
		return
	}
	for part, want := range map[string]string{"value": f.value, "numerator": f.numerator, "denominator": f.denominator} {
		_, rest, _ := strings.Cut(block, `data-part="`+part+`"`)
		_, rest, _ = strings.Cut(rest, ">")
		if !strings.HasPrefix(words(rest), want) {
			t.Errorf("%s, %s: its %s reads %.60q, want %q", record, f.metric, part, words(rest), want)
		}
	}
	if !strings.Contains(words(block), "as the source has it: “") {
		t.Errorf("%s, %s: the block does not have the source's own word", record, f.metric)
	}
}

// TestArchivePages holds that the pages about the families show figures of
// their records, and that a site which does not ask for them has none.
func TestArchivePages(t *testing.T) {
	dir := buildArchive(t)
	for page, want := range map[string]string{"overview": "Nothing was filled in", "long-input": "14,346.87", "b0-cold": "10.202", "two-systems": "1,018.93",
		"p1-ladder": "5,191.72", "raw-archive": "1,756.34", "soak": "29,100.679"} {
		src, err := os.ReadFile(filepath.Join(dir, "public", "archive", page+".html"))
		if err != nil || !strings.Contains(words(string(src)), want) {
			t.Errorf("archive/%s.html does not show %s (%v)", page, want, err)
		}
	}
	plain := filepath.Join(t.TempDir(), "plain")
	carryOut(t, "init", plain)
	carryOut(t, "build", plain)
	if _, err := os.Stat(filepath.Join(plain, "public", "archive")); err == nil {
		t.Error("a site has the archive without asking for it")
	}
}
