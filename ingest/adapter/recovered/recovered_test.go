package recovered_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/adapter/recovered"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func source(file string) adapter.Source {
	return adapter.Source{Unit: "records/" + filepath.Base(file), Dir: filepath.Dir(file), Name: filepath.Base(file)}
}

func TestConformance(t *testing.T) {
	adaptertest.Run(t, adaptertest.Suite{
		Adapter: recovered.Adapter{},
		Samples: []adaptertest.Sample{
			{Source: source("testdata/full.toml"), Gaps: []string{"subject.model_revision", "subject.engine", "outcomes.unresolved", "workload.output_tokens"}},
			{Source: source("../../../content/archive/soak-131k.toml"), Gaps: []string{"outcomes.sent", "outcomes.planned", "outcomes.rejected", "workload.requests", "subject.precision"}},
		},
		Others: []adapter.Source{
			{Unit: "plan.toml", Dir: "../../../runner/plan", Name: "example.toml"},
			{Unit: "go.mod", Dir: "../../..", Name: "go.mod"},
		},
	})
}

// read reads a text as a record file.
func read(t testing.TB, text string) ([]evidence.Record, []adapter.Diagnostic, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return readFile(t, file)
}

func readFile(t testing.TB, file string) ([]evidence.Record, []adapter.Diagnostic, error) {
	t.Helper()
	var out []evidence.Record
	found, err := recovered.Adapter{}.Read(t.Context(), source(file), func(s evidence.Sealed) error {
		out = append(out, s.Record())
		return nil
	})
	return out, found, err
}

func valueOf(t *testing.T, r evidence.Record, id measure.MetricID) evidence.Value {
	t.Helper()
	for _, v := range r.Values {
		if v.Metric == id {
			return v
		}
	}
	t.Fatalf("record %s has no %s", r.Slug, id)
	return evidence.Value{}
}

// is checks a value, how it is known and its note.
func is[T comparable](t *testing.T, name string, k evidence.Known[T], state evidence.KnownState, want T, note string) {
	t.Helper()
	got, _ := k.Get()
	if k.State() != state || got != want || k.Note() != note {
		t.Errorf("%s: got %v, %s, %q; want %v, %s, %q", name, got, k.State(), k.Note(), want, state, note)
	}
}

func TestFullRecord(t *testing.T) {
	records, _, err := readFile(t, "testdata/full.toml")
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 2 || records[0].Slug != "full-a" || records[1].Slug != "full-b" {
		t.Fatalf("got %d records", len(records))
	}
	r := records[0]
	const torn = "the report is torn there"
	is(t, "model", r.Subject.Model, evidence.StateStated, "Example 7B", "page 1")
	is(t, "precision", r.Subject.Precision, evidence.StateDerived, "fp8", "from the name of the weights")
	is(t, "model revision", r.Subject.ModelRevision, evidence.StateNotStated, "", "the page with it is lost")
	is(t, "engine", r.Subject.Engine, evidence.StateNotStated, "", torn)
	is(t, "quality", r.Subject.Quality, evidence.StateNotApplicable, "", "nothing was quantised")
	is(t, "started", r.Subject.Started, evidence.StateStated, "2026-01-02", "page 2")
	is(t, "accelerators", r.Subject.Accelerators, evidence.StateStated, 2, "page 2")
	is(t, "input tokens", r.Workload.InputTokens, evidence.StateStated, evidence.Spread{Min: 990, Median: 1000, Max: 1010, N: 8, Sum: 8000}, "page 2")
	is(t, "requests", r.Workload.Requests, evidence.StateNotStated, 0, torn)
	is(t, "failed", r.Outcomes.Failed, evidence.StateStated, 0, "page 2")
	is(t, "unresolved", r.Outcomes.Unresolved, evidence.StateNotStated, 0, torn)
	if c := r.State.Cache; c.Kind != measure.CacheShared || c.Share != 0.25 || !c.Declared {
		t.Errorf("cache %+v", c)
	}
	if len(r.Facts) != 2 || r.Facts[1].Value.State() != evidence.StateNotStated || r.Facts[1].Value.Note() != "smeared" {
		t.Errorf("facts %+v", r.Facts)
	}
	is(t, "published", r.Sources[0].Published, evidence.StateStated, "2026-01-05", "the record file")
	is(t, "reviewed", r.Sources[0].Reviewed, evidence.StateNotStated, "", "the record file does not say")
}

func TestFullValues(t *testing.T) {
	records, _, err := readFile(t, "testdata/full.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := records[0]
	v := valueOf(t, r, "ttft_mean")
	if v.Amount.X != 1.2505 || v.Amount.Kind != evidence.Exact || *v.Original != (evidence.Original{Number: "1,250.50", Unit: "ms", Key: "avg TTFT"}) {
		t.Errorf("ttft_mean: %+v, original %+v", v.Amount, v.Original)
	}
	if v.Rule != "Mean of the time from sending until the first byte." {
		t.Errorf("rule %q", v.Rule)
	}
	if p, ok := v.Population.Get(); !ok || p.N != 8 {
		t.Errorf("population %+v", v.Population)
	}
	rate := valueOf(t, r, "output_token_rate")
	if d, ok := rate.Denominator.Get(); !ok || d.Amount != 1234.5 || d.Unit != "s" || rate.Denominator.Note() != "page 3; drain inside" {
		t.Errorf("a rate with a stated window has the denominator %+v", rate.Denominator)
	}
	if n, ok := rate.Numerator.Get(); !ok || n.Amount != 800 {
		t.Errorf("numerator %+v", rate.Numerator)
	}
	said := valueOf(t, r, "tpot_p50")
	if said.Amount != (evidence.Amount{Kind: evidence.Quoted, Text: "about 20 ms"}) {
		t.Errorf("what was said became %+v", said.Amount)
	}
	if got := records[1].Limits[0].Code; got != evidence.SimulatedEndpoint {
		t.Errorf("a simulated record has the limit %s first", got)
	}
}

// TestGapsStay holds that a rate without a duration keeps its gap and its reason.
func TestGapsStay(t *testing.T) {
	records, found, err := read(t, head+"\n[[value]]\nmetric = \"output_token_rate\"\nnumber = \"10.5\"\nunit = \"tokens/s\"\n")
	if err != nil {
		t.Fatal(err)
	}
	v := records[0].Values[0]
	for name, k := range map[string]evidence.KnownState{"numerator": v.Numerator.State(), "denominator": v.Denominator.State(),
		"window": v.Window.State(), "population": v.Population.State(), "completed": records[0].Outcomes.Completed.State()} {
		if k != evidence.StateNotStated {
			t.Errorf("%s is %s", name, k)
		}
	}
	var codes []string
	for _, l := range v.Limits {
		codes = append(codes, string(l.Code))
	}
	if got := strings.Join(codes, " "); got != "definition-not-stated duration-not-stated" {
		t.Errorf("limits %s", got)
	}
	if len(found) != 1 || found[0].Line != 1 || !strings.Contains(found[0].Msg, "record r: 5 of 5 groups incomplete") ||
		!strings.Contains(found[0].Msg, "rate (count of the numerator of Output tokens/s, elapsed time of Output tokens/s)") {
		t.Errorf("diagnostics %v", found)
	}
}

// head is a record without a figure.
const head = `name = "r"
title = "R"
class = "report-backed"
family = "f"
source = [{ name = "S", supports = "it" }]
`

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":     {head + "colour = 1\n", "records/r.toml:6: colour: unknown key"},
		"unknown in list": {head + "[[value]]\nmetric = \"goodput\"\nsaid = \"x\"\n[[value]]\nmetric = \"ttft_p50\"\nsaid = \"x\"\nmean = 4\n", "r.toml:12: value 2.mean: unknown key"},
		"no statistic":    {head + "[[value]]\nmetric = \"ttft\"\nnumber = \"1\"\nunit = \"s\"\n", "r.toml:7: value 1.metric: ttft needs its statistic"},
		"no unit":         {head + "[[value]]\nmetric = \"ttft_p50\"\nnumber = \"1\"\n", "r.toml:8: value 1.number: has no unit"},
		"wrong unit":      {head + "[[value]]\nmetric = \"ttft_p50\"\nnumber = \"1\"\nunit = \"tokens/s\"\n", `the unit "tokens/s" is none of ttft_p50`},
		"bare number":     {head + "[[value]]\nmetric = \"ttft_p50\"\nnumber = 1.10\nunit = \"s\"\n", "must stand in quotes"},
		"comma decimal":   {head + "[[value]]\nmetric = \"ttft_p50\"\nnumber = \"1.267,90\"\nunit = \"s\"\n", `"1.267,90" is no number`},
		"number and said": {head + "[[value]]\nmetric = \"ttft_p50\"\nnumber = \"1\"\nsaid = \"1\"\nunit = \"s\"\n", "needs either number or said"},
		"metric twice":    {head + "[[value]]\nmetric = \"ttft_p50\"\nsaid = \"1\"\n[[value]]\nmetric = \"ttft\"\nstatistic = \"median\"\nsaid = \"2\"\n", "ttft_p50 stands twice"},
		"unknown metric":  {head + "[[value]]\nmetric = \"speed\"\nsaid = \"1\"\n", `"speed" is not in the metric registry`},
		"no source":       {strings.Replace(head, "source", "#", 1), "source: is required"},
		"own run":         {strings.Replace(head, "report-backed", "own run", 1), `:3: class: "own run" is no class of a recovered record`},
		"bad name":        {strings.Replace(head, `"r"`, `"A/b"`, 1), `:1: name: "A/b" can't be the name of a page`},
		"empty text":      {strings.Replace(head, `"R"`, `" "`, 1), ":2: title: is empty"},
		"negative":        {head + "[outcomes]\nfailed = -1\n", ":7: outcomes.failed: -1 is less than zero"},
		"a float count":   {head + "[outcomes]\nfailed = 1.0\n", "must be a whole number"},
		"both states":     {head + "[subject]\nmodel = { value = \"m\", missing = \"x\" }\n", ":7: subject.model: has more than one of"},
		"where of a gap":  {head + "[subject]\nmodel = { missing = \"x\", where = \"y\" }\n", "where and rule go with a value"},
		"part of spread":  {head + "[workload]\ninput_tokens = { min = 1, max = 2 }\n", "workload.input_tokens.median: is required"},
		"both loads":      {head + "[load]\nconcurrency = 1\nrate = \"2 requests per 1s\"\n", "not both"},
		"cache word":      {head + "[state]\ncache = \"lukewarm\"\n", "must be cold, warm, shared or disabled"},
		"share alone":     {head + "[state]\ncache_share = 0.5\n", "cache_share"},
		"zero window":     {head + "[state]\nwindow = 0\n", "must be longer than zero"},
		"no table":        {head + "subject = 1\n", "subject: must be a table, is a whole number"},
		"no list":         {head + "value = 1\n", "value: must be a list of tables"},
		"syntax":          {head + "x = = 1\n", "records/r.toml:6: "},
		"twice a record":  {"[[record]]\n" + head + "[[record]]\n" + head, "is named twice in this file"},
		"no records":      {"record = []\n" + head, "has 0 records"},
	} {
		_, _, err := read(t, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
		if fs, ok := recovered.IsFaults(err); !ok || len(fs) == 0 || fs[0].Line < 1 {
			t.Errorf("%s: no faults with a line: %v", name, err)
		}
	}
}

// TestAllFaultsAtOnce holds that one reading names every fault, in order.
func TestAllFaultsAtOnce(t *testing.T) {
	_, _, err := read(t, `name = "r"
title = 4
class = "rumour"
[subject]
modell = "m"
[outcomes]
completed = "many"
[[value]]
metric = "tpot"
number = "5"
`)
	fs, ok := recovered.IsFaults(err)
	if !ok {
		t.Fatal(err)
	}
	var lines []int
	for _, f := range fs {
		lines = append(lines, f.Line)
	}
	want := []int{1, 1, 2, 3, 5, 7, 9}
	if len(lines) != len(want) {
		t.Fatalf("got faults at %v, want at %v:\n%v", lines, want, err)
	}
	for i := range want {
		if lines[i] != want[i] {
			t.Errorf("got faults at %v, want at %v:\n%v", lines, want, err)
			break
		}
	}
}

// TestNothingIsTakenFromAFaultyFile holds that one bad record keeps its file out.
func TestNothingIsTakenFromAFaultyFile(t *testing.T) {
	records, _, err := read(t, "[[record]]\n"+head+"[[record]]\nname = \"other\"\n")
	if err == nil || len(records) > 0 {
		t.Errorf("got %d records and %v", len(records), err)
	}
}

func TestReadStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := recovered.Adapter{}.Read(ctx, source("testdata/full.toml"), func(evidence.Sealed) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLargeFileIsRefused(t *testing.T) {
	_, _, err := read(t, head+"# "+strings.Repeat("x", 5<<20))
	if err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v", err)
	}
}

// TestDigitsAreKept draws numbers as people write them: the record has the
// digits word for word, and the float that they stand for.
func TestDigitsAreKept(t *testing.T) {
	units := map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "min": 60}
	rapid.Check(t, func(r *rapid.T) {
		whole := rapid.Int64Range(0, 99_999_999).Draw(r, "whole")
		fraction := rapid.StringMatching(`(\.[0-9]{1,6})?`).Draw(r, "fraction")
		unit := rapid.SampledFrom([]string{"s", "ms", "µs", "min"}).Draw(r, "unit")
		number := measure.FormatCount(whole) + fraction
		records, _, err := read(t, head+"[[value]]\nmetric = \"ttft_p95\"\nnumber = \""+number+"\"\nunit = \""+unit+"\"\n")
		if err != nil {
			r.Fatal(err)
		}
		v := records[0].Values[0]
		if v.Original.Number != number || v.Original.Unit != unit {
			r.Fatalf("kept %+v of %s %s", v.Original, number, unit)
		}
		text := strings.ReplaceAll(number, ",", "")
		if want := parse(r, text) * units[unit]; v.Amount.X < want*(1-1e-12) || v.Amount.X > want*(1+1e-12) {
			r.Fatalf("%s %s became %v s", number, unit, v.Amount.X)
		}
	})
}

// FuzzRead holds that no bytes make the reader panic, that what it yields is
// valid, and that what it refuses it refuses with a line.
func FuzzRead(f *testing.F) {
	for _, file := range []string{"testdata/full.toml", "../../../content/archive/soak-131k.toml", "../../../content/archive/p1-c128.toml"} {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(head + "[[value]]\nmetric = \"ttft\"\n")
	f.Add("[[record]]\n[[record.value]]\n'''\n\"\"\" = 1")
	f.Fuzz(func(t *testing.T, text string) {
		recovered.Adapter{}.Sniff([]byte(text), "r.toml")
		src := adapter.Source{Unit: "records/r.toml", Name: "r.toml", FS: fstest.MapFS{"r.toml": {Data: []byte(text)}}}
		var records []evidence.Record
		_, err := recovered.Adapter{}.Read(t.Context(), src, func(s evidence.Sealed) error {
			records = append(records, s.Record())
			return nil
		})
		for _, r := range records {
			if err := evidence.Validate(r); err != nil {
				t.Errorf("yields a record that is not valid: %v", err)
			}
		}
		if err != nil && !strings.Contains(err.Error(), "r.toml:") && !strings.Contains(err.Error(), "larger than") {
			t.Errorf("refuses without a line: %v", err)
		}
	})
}

// TestDocumentedExample holds that the record in the methodology reads.
func TestDocumentedExample(t *testing.T) {
	page, err := os.ReadFile("../../../content/methodology/recovered-records.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```toml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	records, _, err := read(t, example)
	if err != nil || len(records) != 1 || len(records[0].Values) != 2 {
		t.Errorf("got %d records and %v", len(records), err)
	}
}

// TestDecimalComma holds that a comma is read between groups of three digits and
// nowhere else: 0,412 is not 412.
func TestDecimalComma(t *testing.T) {
	text := func(number, n string) string {
		return head + "[[value]]\nmetric = \"output_token_rate\"\nnumber = \"" + number + "\"\nunit = \"tokens/s\"\nnumerator = { amount = \"" + n + "\", unit = \"tokens\", what = \"made\" }\n"
	}
	for number, want := range map[string]float64{"412": 412, "0.412": 0.412, "1,412": 1412, "10,412.5": 10412.5, "100,412,000": 100412000, "0": 0} {
		records, _, err := read(t, text(number, number))
		if err != nil {
			t.Errorf("%s: %v", number, err)
			continue
		}
		v := valueOf(t, records[0], "output_token_rate")
		if n, _ := v.Numerator.Get(); v.Amount.X != want || n.Amount != want {
			t.Errorf("%s: got %v and %v, want %v", number, v.Amount.X, n.Amount, want)
		}
	}
	const why = "is no number: a comma is only read between groups of three digits"
	for _, number := range []string{"0,412", "00,120", "000,000", "012,345", "1,23", "1,2345", ",412", "1,412,5", "0.412,000"} {
		for _, text := range []string{text(number, "1"), text("1", number)} {
			if _, _, err := read(t, text); err == nil || !strings.Contains(err.Error(), `"`+number+`" `+why) {
				t.Errorf("%s: got %v, want %q in it", number, err, why)
			}
		}
	}
}
