package render_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/ingest/evidence"
	"benchline/render"
)

// showing adds a page with every kind of reference and mark, in three depths,
// to the content of a site of the fixtures.
func showing(t testing.TB, in render.Input) render.Input {
	t.Helper()
	const page = `+++
title = "All that a page can show"
description = "References, marks, tables and charts."

[[sources]]
key = "blog"
name = "A blog <with> a [name]"
address = "https://example.com/blog?a=1&b=2"
supports = "its own claim"
verified = 2026-11-29
+++

One client gets {{ev ladder-20261129t172300z-i128-o32-c1-r1 output_token_rate}}, the overloaded one waits {{ev overload-20261129t172300z-i128-o64-r40-r1 ttft_p95}}.

Say it makes {{illustration 100 tokens/s}}, aim at {{target a TTFT below 500 ms}}, and hear {{claim blog up to 9,000 tokens/s}}.

> [!CLAIM blog]
> | system | tokens/s |
> |---|--:|
> | theirs | 9,000 |

| load | TTFT |
|---|--:|
| one | {{ev ladder-20261129t172300z-i128-o32-c1-r1 ttft_p50}} |

{{headline overload-20261129t172300z-i128-o64-r40-r1 ttft_p95}}

{{table refused}}

{{table ladder-20261129t172300z-i128-o32-c1-r1 ladder-20261129t172300z-i128-o32-c8-r1 overload-20261129t172300z-i128-o64-r10-r1 : output_token_rate ttft_p50}}

{{chart ladder ttft}}

{{chart overload}}

{{compare ladder-20261129t172300z-i128-o32-c1-r1 ladder-20261129t172300z-i128-o32-c8-r1}}

{{compare overload-20261129t172300z-i128-o64-r10-r1 ladder-20261129t172300z-i128-o32-c8-r1}}
`
	pages := fstest.MapFS{}
	for name, f := range limitPages() {
		pages[name] = f
	}
	for _, name := range []string{"shown.md", "notes/shown.md", "notes/deep/shown.md"} {
		pages[name] = &fstest.MapFile{Data: []byte(page)}
	}
	in.Content = pages
	// A pair with numbers, besides those of the page.
	in.Records = append(slices.Clone(in.Records), otherSystem(t, in.Records, "ladder-20261129t172300z-i128-o32-c1-r1"))
	in.Config.Compare = []render.Pair{{A: "ladder-20261129t172300z-i128-o32-c1-r1", B: "other-system", Line: 1}}
	return in
}

// otherSystem is a record of the list as if another system had given it.
func otherSystem(t testing.TB, records []evidence.Record, slug string) evidence.Record {
	t.Helper()
	i := slices.IndexFunc(records, func(r evidence.Record) bool { return r.Slug == slug })
	if i < 0 {
		t.Fatalf("there is no record %s", slug)
	}
	r := records[i]
	r.Slug, r.Title, r.Family, r.Subject.Profile = "other-system", "Another system", "other", "S2"
	r.Subject.SourceRunID = evidence.NotStated[string]("invented")
	sealed, err := evidence.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// TestAuthoredPages: what a page refers to stands on it in any depth, with
// footnotes of its own, and its links lead somewhere (the build checks them).
func TestAuthoredPages(t *testing.T) {
	out := t.TempDir()
	site(t, showing(t, input(t, few(t))), out)
	made := tree(t, out)
	for root, name := range map[string]string{"": "shown.html", "../": "notes/shown.html", "../../": "notes/deep/shown.html"} {
		page := made[name]
		for _, want := range []string{
			`<data class="figure" data-record="ladder-20261129t172300z-i128-o32-c1-r1" data-metric="output_token_rate" data-kind="exact"`,
			`href="` + root + `records/overload-20261129t172300z-i128-o64-r40-r1.html#fig-ttft-p95"`,
			`from a simulated endpoint`,
			`<span class="mark illustration">100 tokens/s <small>(illustration, not measured)</small></span>`,
			`<a href="#source.blog" aria-label="source: A blog &lt;with&gt; a [name]">source</a>`,
			`<tr id="source.blog">`,
			`A claim, not evidence. Source: <a href="#source.blog">A blog &lt;with&gt; a [name]</a>.`,
			`<figure class="headline" id="overload-20261129t172300z-i128-o64-r40-r1-fig-ttft-p95"`,
			`href="` + root + `families/refused.html"`,
			`not beside ladder-20261129t172300z-i128-o32-c1-r1: `,
			`id="chart-ladder-curve-ttft-1"`, `id="chart-overload-`,
			`href="` + root + `limits/unresolved-tail.html"`,
			`<h2 id="limits.of.figures">What limits these figures</h2>`,
			`<div class="comparison brief" data-a="ladder-20261129t172300z-i128-o32-c1-r1" data-b="ladder-20261129t172300z-i128-o32-c8-r1" data-kind="confounded">`,
			`href="` + root + `compare/ladder-20261129t172300z-i128-o32-c1-r1--ladder-20261129t172300z-i128-o32-c8-r1.html">The whole comparison</a>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		marks := regexp.MustCompile(`<a href="#(note\.\d+)"`).FindAllStringSubmatch(page, -1)
		if len(marks) < 3 {
			t.Errorf("%s has only %d footnote marks", name, len(marks))
		}
		for _, m := range marks {
			if strings.Count(page, `<li id="`+m[1]+`">`) != 1 {
				t.Errorf("%s: the mark %s leads to no note", name, m[1])
			}
		}
		twin := made[strings.TrimSuffix(name, ".html")+".md"]
		for _, want := range []string{
			"100 tokens/s (illustration, not measured)", "a TTFT below 500 ms (target, not measured)",
			`“up to 9,000 tokens/s” (a claim, not evidence; source: [A blog \<with\> a \[name\]](<https://example.com/blog?a=1&b=2>))`,
			"> **A claim, not evidence.** Source: [A blog", "](" + root + "records/ladder-20261129t172300z-i128-o32-c1-r1.md) (note", "## What limits these figures", "- note 1: ",
			"not beside ladder-20261129t172300z-i128-o32-c1-r1: ",
		} {
			if !strings.Contains(twin, want) {
				t.Errorf("the twin of %s lacks %q", name, want)
			}
		}
	}
}

// TestReferencesRefused: what cannot be shown stops the build at its place.
func TestReferencesRefused(t *testing.T) {
	const one, other = "ladder-20261129t172300z-i128-o32-c1-r1", "ladder-20261129t172300z-i128-o32-c8-r1"
	tests := []struct{ ref, want string }{
		{"{{table nobody}}", `there is no family "nobody"`},
		{"{{table " + one + " " + other + "}}", "write {{table FAMILY}} or {{table RECORD RECORD : METRIC METRIC}}"},
		{"{{table : ttft_p50}}", "write {{table FAMILY}} or"},
		{"{{table " + one + " : }}", "write {{table FAMILY}} or"},
		{"{{table " + one + " nobody : ttft_p50}}", `there is no record "nobody"`},
		{"{{table " + one + " : speed}}", `the metric registry has no "speed"`},
		{"{{table " + one + " : ttft}}", "none of the records states ttft"},
		{"{{chart nobody}}", `there is no family "nobody"`},
		{"{{chart ladder e2e}}", "family ladder has no chart of this"},
		{"{{chart refused}}", "family refused has no chart of this"},
		{"{{chart ladder ttft}}\n\n{{chart ladder ttft}}", "the charts of family ladder are on this page already"},
		{"{{chart ladder ttft tpot}}", "write {{chart FAMILY}} or {{chart FAMILY LATENCY}}"},
		{"{{ev " + one + " success_rate}}", `the metric registry has no "success_rate"`},
		{"{{ev " + one + "}}", "{{ev}} takes 2 words, got 1"},
		{"{{compare " + one + " " + other + "x}}", `there is no record "` + other + `x"; did you mean ` + other},
		{"{{compare " + one + " " + one + "}}", "is compared with itself, which says nothing"},
	}
	in := input(t, few(t))
	pages := limitPages()
	for i, tt := range tests {
		pages[fmt.Sprintf("notes/x%02d.md", i)] = &fstest.MapFile{Data: []byte("+++\ntitle = \"X\"\n+++\n\n" + tt.ref + "\n")}
	}
	in.Content = pages
	ds, err := render.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		file := fmt.Sprintf("content/notes/x%02d.md", i)
		found := slices.DeleteFunc(slices.Clone(ds), func(d render.Diagnostic) bool { return d.File != file })
		if len(found) != 1 || found[0].Line < 5 || found[0].Col != 1 || !strings.Contains(found[0].Msg, tt.want) {
			t.Errorf("%s: got %v, want one that says %q", tt.ref, found, tt.want)
		}
	}
}
