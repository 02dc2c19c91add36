package report

import (
	"slices"
	"strings"
	"testing"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// taken is a figure that was taken over from a source.
func taken(id measure.MetricID, x float64, number, unit string) evidence.Value {
	v := evidence.UnstatedValue(id, evidence.Amount{Kind: evidence.Exact, X: x}, "rule", "nobody said")
	v.Original = &evidence.Original{Number: number, Unit: unit, Key: "their word"}
	return v
}

func TestDigitsAsWritten(t *testing.T) {
	for _, c := range []struct {
		v    evidence.Value
		want string // empty: the number is written by us
	}{
		{taken("ttft_p50", 550.876, "550.876", "s"), "550.876"},
		{taken("tpot_mean", 0.00173, "1.73", "ms"), "1.73"},
		{taken("output_token_rate", 1267.9, "1,267.90", "tokens/s"), "1,267.90"},
		{taken("output_token_rate", 1267.9, "1267.90", "tokens/s"), "1,267.90"},
		{taken("ttft_p50", 550.876, "550876", "ms"), ""},         // shown in s
		{taken("output_token_rate", 2, "120", "tokens/min"), ""}, // converted at the door
		{taken("output_token_rate", 2, "2e0", "tokens/s"), ""},   // as a machine writes it
		{taken("output_token_rate", 2, "two", "tokens/s"), ""},   // no number
		{evidence.UnstatedValue("ttft_p50", evidence.Amount{Kind: evidence.Exact, X: 1}, "rule", "x"), ""},
	} {
		got, _ := asWritten(c.v, scalerOf(c.v))
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.v.Original, got, c.want)
		}
	}
}

func TestInTheSource(t *testing.T) {
	for _, c := range []struct {
		o    evidence.Original
		want string
	}{
		{evidence.Original{Number: "1,024.5", Unit: "tokens/s", Key: "output_throughput"}, "1,024.5 tokens/s (output_throughput)"},
		{evidence.Original{Number: "1,024.5", Unit: "tokens/s"}, "1,024.5 tokens/s"},
		{evidence.Original{Number: "0.97", Key: "share"}, "0.97 (share)"},
		{evidence.Original{Number: "0.97"}, "0.97"},
	} {
		if got := inTheSource(c.o); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.o, got, c.want)
		}
	}
}

func TestImportedSentences(t *testing.T) {
	rate := taken("total_token_rate", 1, "1", "tokens/s")
	said := plain(sentence(rate, metricOf("total_token_rate"), scalerOf(rate)))
	for _, want := range []string{"input and output tokens, how many is not stated", "divided by an elapsed time that is not stated", "population: not stated"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
	wait := taken("ttft_p50", 1, "1", "s")
	wait.Population = evidence.Stated(evidence.Population{Rule: "completed requests", N: 2252}, "report")
	said = plain(sentence(wait, metricOf("ttft_p50"), scalerOf(wait)))
	if !strings.HasPrefix(said, "The median of single times that are not stated, of 2,252 requests; window: not stated; population: 2,252 completed requests.") {
		t.Errorf("got %q", said)
	}
	for _, part := range []string{"numerator", "denominator", "window", "population"} {
		if !slices.ContainsFunc(sentence(rate, metricOf(rate.Metric), scalerOf(rate)), func(s Span) bool { return s.Part == part && s.Text != "" }) {
			t.Errorf("the sentence has no part %s", part)
		}
	}
}

// A numerator that the source does not state is said to be derived, and by which
// rule; one that it states is not, nor one of a figure that was computed here.
func TestDerivedNumeratorOfOthers(t *testing.T) {
	rule := "mean length × number of successes"
	term := evidence.Term{Amount: 392092, Unit: "output tokens", What: "output tokens of successes"}
	stated, derived := taken("output_token_rate", 1, "1", "tokens/s"), taken("output_token_rate", 1, "1", "tokens/s")
	stated.Numerator, derived.Numerator = evidence.Stated(term, "the file"), evidence.Derived(term, rule)
	own := derived
	own.Original = nil
	const count = "392,092 output tokens of successes"
	for _, c := range []struct {
		name string
		v    evidence.Value
		want string
	}{
		{"stated", stated, count + ", divided by"},
		{"derived", derived, count + " (derived: " + rule + "), divided by"},
		{"computed here", own, count + ", divided by"},
	} {
		if said := plain(sentence(c.v, metricOf(c.v.Metric), scalerOf(c.v))); !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: got %q, want %q first", c.name, said, c.want)
		}
	}
}

func plain(spans Spans) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

func metricOf(id measure.MetricID) measure.Metric {
	m, _ := measure.Lookup(id)
	return m
}

func TestNaturalOrder(t *testing.T) {
	got := []string{"b-24k", "b-8k", "b-16k", "a", "b-8k-r10", "b-8k-r2", "b-008k"}
	slices.SortFunc(got, naturally)
	if want := "a b-008k b-8k b-8k-r2 b-8k-r10 b-16k b-24k"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func recovered(slug string, clients int64, values ...evidence.Value) *evidence.Record {
	r := evidence.Unstated("nobody said")
	r.Slug, r.Values = slug, values
	r.Load.Concurrency = evidence.Stated(clients, "report")
	return &r
}

func TestCurvesOfImportedFigures(t *testing.T) {
	wait := taken("ttft_p50", 1, "1", "s")
	flat := []*evidence.Record{recovered("a", 16, wait), recovered("b", 16, wait)}
	rising := []*evidence.Record{recovered("a", 16, wait), recovered("b", 32, wait)}
	if drawable(flat, "ttft") {
		t.Error("points of one load make a load curve")
	}
	if !drawable(rising, "ttft") || drawable(rising, "tpot") {
		t.Error("points of rising load make a curve of the latency that they have, and of no other")
	}
	own := *rising[0]
	own.Values = slices.Clone(own.Values)
	own.Values[0].Original = nil
	if !drawable([]*evidence.Record{&own}, "ttft") {
		t.Error("a single point of one's own has its drawing")
	}
}

func TestMeansAreNotLost(t *testing.T) {
	mean := recovered("a", 1, taken("ttft_mean", 1, "1", "s"))
	both := recovered("b", 1, taken("ttft_mean", 1, "1", "s"), taken("ttft_p95", 1, "1", "s"))
	if got := orOthers(mean, "ttft", []measure.Stat{measure.P50}); !slices.Contains(got, measure.Mean) {
		t.Errorf("got %v", got)
	}
	if got := orOthers(both, "ttft", []measure.Stat{measure.P50}); slices.Contains(got, measure.Mean) {
		t.Errorf("a mean stands beside a percentile: %v", got)
	}
}

func TestInputInTheSourcesWords(t *testing.T) {
	r := recovered("a", 1)
	r.Workload.OutputTokensAsked = evidence.Stated(int64(512), "report")
	if got := workloadShort(r); got != "input length not stated, 512 tokens out" {
		t.Errorf("got %q", got)
	}
	r.Workload.Prompts = evidence.Stated("8K inputs (as the source writes it); a seed for each", "report")
	if got := workloadShort(r); got != "8K inputs (as the source writes it), 512 tokens out" {
		t.Errorf("got %q", got)
	}
}

// What figures from the rows of another tool's file mean is said with the
// latency: which of its events stand for ours. Our own runs need no such word.
func TestDefinitionOfFiguresFromRows(t *testing.T) {
	m := metricOf("ttft_mean")
	ours := metricOf("ttft").Definition
	for _, c := range []struct{ rule, want string }{
		{m.Definition, ours},
		{m.Definition + " Computed from the rows: the first chunk is the first token.", ours + " Computed from the rows: the first chunk is the first token."},
		{"“ttft_s” as a tool defines it: starts somewhere. Of the rows, their arithmetic mean.", "“ttft_s” as a tool defines it: starts somewhere. Computed here from the rows of the file."},
		{"of something else", ours},
	} {
		v := evidence.UnstatedValue("ttft_mean", evidence.Amount{Kind: evidence.Exact, X: 1}, c.rule, "nobody said")
		if got := ofRows(v, ours); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}

// A rate that was computed from a source's rows is over our window, and the
// benchmark line says so; the source's own window stays with the state. 3,750
// tokens in 63.527 s are 59.03 tokens/s; the source prints 282.40 and a duration of
// 114.5 s.
func TestRateLineNamesTheWindowOfItsRates(t *testing.T) {
	r := evidence.Unstated("the file does not say")
	r.Slug, r.Title, r.Family = "r", "r", "f"
	r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: 114.5}, "“duration” in the file")
	rate := evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact, X: 3750 / 63.527}, "rule", "nobody said")
	rate.Window = evidence.Derived(evidence.Window{Rule: measure.FirstSendToLastToken, Seconds: 63.527, ToNS: 63_527_000_000}, "counted from the rows")
	rate.Claim = &evidence.Claim{Amount: evidence.Amount{Kind: evidence.Quoted, Text: "282.40 tokens/s", X: 282.4}, Original: evidence.Original{Number: "282.40", Unit: "tokens/s", Key: "rate"},
		Population: evidence.NotStated[evidence.Population]("nobody said")}
	r.Values = []evidence.Value{rate}
	line := func() string { return plain(new(Set).rateGroup(&r)) }
	got := line()
	if !strings.HasSuffix(got, "; denominator: time from first send to last token (queueing inside, warm-up outside), 63.527 s.") {
		t.Errorf("got %q", got)
	}
	// One that is the source's own is over the source's window; both are named.
	r.Values = append(r.Values, taken("request_rate", 1, "1", "requests/s"))
	if got = line(); !strings.HasSuffix(got, "63.527 s and time as stated by the source, 114.500 s.") {
		t.Errorf("got %q", got)
	}
}
