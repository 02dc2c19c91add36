package verify_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/verify"
)

func TestAGoodSite(t *testing.T) {
	site := build(t)
	r := check(t, site.write(t))
	if !r.Verified() {
		for _, m := range r.Mismatches {
			t.Error(m)
		}
	}
	if r.Records != 5 || r.Recomputed != 5 || r.Quoted != 0 || r.Pages != 7 || r.Figures != 5 || r.Files != len(site) || r.Numbers < 50 || r.Headlines < r.Numbers {
		t.Errorf("%+v", r)
	}
}

func TestEachViolationIsFound(t *testing.T) {
	good := build(t)
	const a, b, c, data, index = "records/a-r1.html", "records/b-r1.html", "records/c-r1.html", "data/records.jsonl", "index.html"
	page := func(name, from, to string) func(*testing.T, built) {
		return func(t *testing.T, s built) { t.Helper(); s.replace(t, name, from, to) }
	}
	for name, v := range map[string]struct {
		change     func(*testing.T, built)
		path, what string
	}{
		"no records":           {func(_ *testing.T, s built) { delete(s, data) }, data, "is missing"},
		"record changed":       {page(data, `"title":"`, `"title":"x`), data, "1: the ID is"},
		"record not canonical": {page(data, `"slug":`, `"slug": `), data, "1: not in canonical form"},
		"record twice":         {func(_ *testing.T, s built) { s[data] += s[data][:strings.Index(s[data], "\n")+1] }, data, "two records are named a-r1"},
		"number not of the log": {func(t *testing.T, s built) {
			s.resealed(t, "b-r1", func(r *evidence.Record) { r.Values[0].Amount.X++ })
		},
			data, "record b-r1: values[0].amount.x: stored"},
		"limit left out": {func(t *testing.T, s built) { s.resealed(t, "b-r1", func(r *evidence.Record) { r.Limits = nil }) }, data, "record b-r1: limits: stored []"},
		"summary not of its members": {func(t *testing.T, s built) {
			s.resealed(t, summary(t, s), func(r *evidence.Record) { r.Values[0].Amount.X++ })
		},
			data, "values[0].amount.x: stored"},
		"member replaced": {func(t *testing.T, s built) { s.resealed(t, "a-r2", func(r *evidence.Record) { r.Title = "other" }) }, data, "its member a-r2"},
		"log gone":        {func(_ *testing.T, s built) { delete(s, "data/runs/b-r1/requests.parquet") }, data, "record b-r1 can't be recomputed"},
		"log of another run": {func(_ *testing.T, s built) {
			s["data/runs/b-r1/requests.parquet"] = s["data/runs/c-r1/requests.parquet"]
		},
			data, "record b-r1 can't be recomputed: data/runs/b-r1/requests.parquet is not the file"},
		"plan changed": {page("data/runs/b-r1/plan.toml", "128", "129"), data, "record b-r1 can't be recomputed"},
		"other reader": {func(t *testing.T, s built) {
			s.resealed(t, "b-r1", func(r *evidence.Record) { r.Sources[0].Adapter = "own 999" })
		},
			data, `made by reader "own 999"`},
		"download gone":  {func(_ *testing.T, s built) { delete(s, "data/records/b-r1.json") }, "data/records/b-r1.json", "is missing"},
		"download other": {func(_ *testing.T, s built) { s["data/records/b-r1.json"] = s["data/records/c-r1.json"] }, "data/records/b-r1.json", "is not the record"},

		"no page":             {func(_ *testing.T, s built) { delete(s, b) }, b, "record b-r1 has no page"},
		"no numerator":        {page(a, `data-part="numerator"`, `data-part="x"`), a, "has no numerator"},
		"empty denominator":   {page(a, `<p data-part="denominator">denominator</p>`, `<p data-part="denominator"> &nbsp;</p>`), a, "its denominator is empty"},
		"no window":           {page(a, `data-part="window"`, ""), a, "has no window"},
		"no population":       {page(a, `data-part="population"`, ""), a, "has no population"},
		"no cache":            {page(a, `data-part="cache"`, ""), a, "has no cache"},
		"no source":           {page(a, `data-part="source"`, ""), a, "has no source"},
		"no limits":           {page(a, `data-part="limits"`, ""), a, "has no limits"},
		"no outcomes":         {page(a, `data-part="outcomes"`, ""), a, "has no outcomes"},
		"no value":            {page(a, `data-part="value"`, ""), a, "has no value"},
		"unknown record":      {page(a, `data-record="a-r1"`, `data-record="zz"`), a, `names record "zz"`},
		"unknown metric":      {page(a, `data-metric="output_token_rate"`, `data-metric="speed"`), a, `names metric "speed"`},
		"another metric":      {page(a, `data-metric="output_token_rate"`, `data-metric="request_rate"`), a, "the record has"},
		"value attribute":     {page(a, `<data value="`, `<data value="1`), a, "has the value"},
		"value not a number":  {page(a, `<data value="`, `<data value="x`), a, "has the value"},
		"value cut":           {func(t *testing.T, s built) { s[a] = cutLastDigit(t, s[a]) }, a, "has the value"},
		"text":                {func(t *testing.T, s built) { s[a] = turnShown(t, s[a]) }, a, "shows"},
		"text not a number":   {page(a, `</data>`, `ish</data>`), a, "is no number"},
		"no unit":             {page(a, "</data> output tokens/s", "</data>"), a, "no unit behind"},
		"time unit at a rate": {page(a, "</data> output tokens/s", "</data> ms"), a, `a rate is shown in "ms"`},
		"wrong time unit":     {page(a, "</data> ms", "</data> s"), a, "shows"},
		"rate unit at a time": {page(a, "</data> ms", "</data> tokens/s"), a, `a time is shown in "tokens/s"`},
		"completed":           {page(b, `data-completed="60"`, `data-completed="150"`), b, `data-completed="150", the record has 60`},
		"unresolved":          {page(b, `data-unresolved="30"`, `data-unresolved="0"`), b, `data-unresolved="0", the record has 30`},
		"rejected left out":   {page(b, `data-rejected="0" `, ""), b, `data-rejected=""`},
		"unresolved unseen":   {page(b, `30 unresolved`, ""), b, "does not show 30 unresolved"},
		"not simulated":       {page(b, `<p>simulated endpoint</p>`, ""), b, "does not say that it is from a simulated endpoint"},
		"at least as exact":   {page(b, "≥ ", ""), b, "the record's amount is \"at least\""},
		"at least as kind":    {page(b, `data-kind="at least"`, `data-kind="exact"`), b, `is shown as "exact"`},
		"exact as at least":   {page(c, `</data>`, ` at least</data>`), c, "is no number"},
		"number for too few":  {page(a, `too few</p>`, `<data value="5">5</data> ms</p>`), a, "the record has none"},
		"block left out":      {page(a, `id="fig-ttft_p50"`, ""), a, "has no headline block for ttft_p50"},
		"data by itself":      {page(a, "<h1>", `<data value="5">5</data><h1>`), a, "neither a figure nor the value"},

		"window in words":    {page(a, "window of ", "window of 1"), a, "is no number that its record has for it"},
		"interval, low end":  {page(a, ", interval: ", ", interval: 9"), a, "is no number that its record has for it"},
		"interval, high end": {page(a, " to ", " to 9"), a, "is no number that its record has for it"},
		"bound":              {page(a, ", at or above ", ", at or above 9"), a, "is no number that its record has for it"},
		"a rate too many":    {page(a, "<p data-part=\"cache\">", "<p>or 7.00 output tokens/s</p><p data-part=\"cache\">"), a, "is no number that its record has for it"},

		"figure value":             {page(index, `value="`, `value="9`), index, "has the value"},
		"figure text":              {page(index, `</a></data>`, `9</a></data>`), index, "shows"},
		"figure of nothing":        {page(index, `data-record="a-r1"`, `data-record="zz"`), index, `names record "zz"`},
		"figure without link":      {page(index, `<a href=`, `<a title=`), index, "links to"},
		"figure linked elsewhere":  {page(index, `records/a-r1.html#fig-`, `records/a-r2.html#fig-`), index, "is not its headline block"},
		"figure linked to no page": {page(index, `records/a-r1.html#fig-`, `records/none.html#fig-`), index, "is no page"},
		"figure not simulated":     {func(_ *testing.T, s built) { s[index] = strings.ReplaceAll(s[index], "simulated endpoint", "endpoint") }, index, "does not say that it is from a simulated endpoint"},
		"stray rate":               {page(index, "<p>", "<p>It made 1,267.90 output tokens/s in all. "), index, `1,267.90 output tokens/s" looks like`},
		"stray time":               {page(a, "<h1>", "<p>We saw <b>120</b> ms TTFT.</p><h1>"), a, "looks like a performance figure"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := maps.Clone(good)
			v.change(t, site)
			r := check(t, site.write(t))
			for _, m := range r.Mismatches {
				if m.Path == v.path && strings.Contains(m.What, v.what) {
					return
				}
			}
			t.Errorf("got %v\nwant one at %s with %q", r.Mismatches, v.path, v.what)
		})
	}
}

// summary is the slug of the summary over a-r1 and a-r2.
func summary(t *testing.T, s built) string {
	t.Helper()
	for r, err := range evidence.Decode("records", strings.NewReader(s["data/records.jsonl"])) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind == evidence.RepeatsRecord {
			return r.Slug
		}
	}
	t.Fatal("there is no summary")
	return ""
}

// cutLastDigit takes the last digit off the first long value attribute.
func cutLastDigit(t *testing.T, page string) string {
	t.Helper()
	at := regexp.MustCompile(`<data value="[0-9.]{8,}"`).FindStringIndex(page)
	if at == nil {
		t.Fatal("no value has many digits")
	}
	return page[:at[1]-2] + page[at[1]-1:]
}

// turnShown changes the last digit of the first number that is shown by one.
func turnShown(t *testing.T, page string) string {
	t.Helper()
	to := strings.Index(page, "</data>")
	digit := page[to-1]
	if digit < '0' || digit > '9' {
		t.Fatalf("%q is no digit", digit)
	}
	return page[:to-1] + string('0'+(digit-'0'+1)%10) + page[to:]
}

func TestChecksums(t *testing.T) {
	dir := build(t).write(t)
	overwrite := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want ...string) {
		t.Helper()
		got := fmt.Sprint(check(t, dir).Mismatches)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("got %s, want %q", got, w)
			}
		}
	}
	overwrite("methodology/rates.html", "changed")
	overwrite("added.txt", "x")
	expect("methodology/rates.html: its SHA-256 is", "added.txt: is not in SHA256SUMS")
	if err := os.Remove(filepath.Join(dir, "methodology/rates.html")); err != nil {
		t.Fatal(err)
	}
	expect("methodology/rates.html: is in SHA256SUMS, but is not there")
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	overwrite("SHA256SUMS", string(sums)+strings.Repeat("a", 64)+"  ../outside\n"+"nonsense\n"+string(sums))
	expect("is no checksum of a file of this site", "stands twice")
	if err := os.Remove(filepath.Join(dir, "SHA256SUMS")); err != nil {
		t.Fatal(err)
	}
	expect("SHA256SUMS: is missing")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err == nil {
		expect("link: is not a regular file")
	}
}

func TestQuotedRecordsAreCounted(t *testing.T) {
	site := build(t)
	r := evidence.Unstated("the report does not say")
	none := evidence.NotStated[string]("the report does not say")
	r.Slug, r.Title, r.Family, r.Class, r.Kind = "old", "Old", "old", evidence.ReportBacked, evidence.RunRecord
	r.Sources = []evidence.Source{{Name: "report", Supports: "the rate", Adapter: "typed 1", Published: none, Reviewed: none, Licence: none}}
	r.Values = []evidence.Value{evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Quoted, Text: "5,191.72 tokens/s"}, "as the report has it", "the report does not say")}
	r.Values[0].Original = &evidence.Original{Number: "5,191.72", Unit: "tokens/s", Key: "table 3"}
	r, err := evidence.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	site.add(t, r)
	site.replace(t, "records/old.html", "quoted</p>", "“5,191.72 tokens/s”</p>")
	site.replace(t, "index.html", "old of the report-backed: quoted", `old: <span class="figure" data-record="old" data-metric="output_token_rate" data-kind="quoted"><a href="records/old.html#fig-output_token_rate">“5,191.72 tokens/s”</a></span>`)
	site["records/old.html"] = strings.ReplaceAll(site["records/old.html"], "not-stated completed, not-stated failed, not-stated unresolved, not-stated never sent", "completed, failed, unresolved, never sent: not stated")
	got := check(t, site.write(t))
	if !got.Verified() || got.Quoted != 1 || got.Recomputed != 5 {
		t.Errorf("%+v", got)
	}
	// Read anew by the caller it is equal, or what differs is named.
	dir := site.write(t)
	if got, err := verify.Site(t.Context(), dir, r); err != nil || !got.Verified() || got.Quoted != 1 || got.Reread != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	other := r
	other.Title = "Another"
	if other, err = evidence.Seal(other); err != nil {
		t.Fatal(err)
	}
	got, err = verify.Site(t.Context(), dir, other)
	if err != nil || got.Verified() || got.Reread != 0 || !strings.Contains(got.Mismatches[0].What, "title") {
		t.Errorf("a record that its source does not give any more is not found: %+v, %v", got, err)
	}
	site.replace(t, "records/old.html", "5,191.72", "5,191.73")
	if got := check(t, site.write(t)); got.Verified() {
		t.Error("a quotation that was changed is not found")
	}
}

func TestSiteErrors(t *testing.T) {
	if _, err := verify.Site(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a site that is not there gave no error")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Site(t.Context(), file); err == nil {
		t.Error("a file gave no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Site(ctx, build(t).write(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end", err)
	}
	if r := check(t, t.TempDir()); r.Verified() {
		t.Error("an empty folder is verified")
	}
}
