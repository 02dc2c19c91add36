// Package genaibench reads the result files of genai-bench: the aggregated
// metrics of one scenario at one concurrency, and the rows of its requests.
//
// Where the file has a row for every request, the latencies are computed anew
// from the rows and stand beside what the tool printed. Its error_rate is always
// 0: it is computed before the errors are counted; the counts are right.
package genaibench

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

const (
	aggregated = "aggregated_metrics"
	individual = "individual_request_metrics"
)

// New is the adapter of files of genai-bench.
func New() foreign.Format {
	return foreign.Format{Name: "genaibench", Version: 4, Words: words(), Parts: read,
		Want: `genai-bench JSON with "aggregated_metrics" that has "num_concurrency" and "stats"`,
		Claims: func(prefix []byte) bool {
			if !foreign.Mentions(prefix, `"aggregated_metrics"`, `"num_concurrency"`) {
				return false
			}
			n, ok := foreign.Head(prefix)
			return ok && n.Get(aggregated).IsObject() && n.Get(aggregated, "num_concurrency").Has()
		}}
}

// read makes the file's one part.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	var r *rows
	shape := func() foreign.Shape {
		r = &rows{}
		return foreign.Shape{Rows: map[string]func(foreign.Node) error{individual: r.add}}
	}
	isResult := func(n foreign.Node) bool { return n.Get(aggregated).IsObject() }
	return f.OneJSON(ctx, shape, isResult, func(n foreign.Node) ([]foreign.Part, error) { return []foreign.Part{part(f, n, r)}, nil })
}

func part(f *foreign.File, n foreign.Node, rows *rows) foreign.Part {
	d := foreign.NewDraft(f, tool)
	r := &d.Record
	m := n.Get(aggregated)
	unit, scale := timeUnit(n)
	r.Subject.Tool = evidence.Derived(tool, "the keys of the file are those of its results")
	r.Workload.TokenSource = evidence.NotStated[string](counted)
	asked(d, m.Get("scenario"))
	d.ClosedLoop("num_concurrency", m.Get("num_concurrency"))
	r.Outcomes.Completed = d.Count("num_completed_requests", m.Get("num_completed_requests"))
	r.Outcomes.Failed = d.Count("num_error_requests", m.Get("num_error_requests"))
	r.Outcomes.Sent = evidence.NotStated[int64]("“num_requests” counts the requests that ended; what was open when the run ended is not in the file")
	for _, key := range []string{"num_requests", "mean_input_throughput_tokens_per_s", "mean_total_chars_per_hour"} {
		d.Fact(key, m.Get(key))
	}
	errors(d, m)
	of := func(word string) foreign.Spread {
		s := m.Get("stats", word)
		return foreign.Spread{Min: s.Get("min"), Median: s.Get("p50"), Max: s.Get("max"), Mean: s.Get("mean"), Sum: s.Get("sum")}
	}
	r.Workload.InputTokens = d.Spread("stats.num_input_tokens", of("num_input_tokens"), r.Outcomes.Completed)
	r.Workload.OutputTokens = d.Spread("stats.num_output_tokens", of("num_output_tokens"), r.Outcomes.Completed)
	r.Summary = d.Ended("with an error")
	figures(d, m, unit)
	recompute(d, rows, scale)
	return foreign.Part{Draft: d, Title: d.FileTitle(f)}
}

// timeUnit is the unit of the file's times, with what one is in seconds. Files
// of before there was a choice are in seconds.
func timeUnit(n foreign.Node) (string, float64) {
	switch u, ok := n.Get("_time_unit").String(); {
	case !ok || u == "s":
		return "s", 1
	case u == "ms":
		return "ms", 1e-3
	}
	return "", 0
}

// asked reads a scenario: D(100,200) asks for exactly so many tokens; other
// kinds draw lengths from a distribution.
func asked(d *foreign.Draft, n foreign.Node) {
	w := &d.Record.Workload
	w.Prompts = evidence.NotStated[string](d.Missing())
	text, ok := n.String()
	if !ok {
		return
	}
	w.Prompts = evidence.Stated("scenario "+text, "“scenario” in the file")
	m := regexp.MustCompile(`^D\(([0-9]{1,9}), ?([0-9]{1,9})\)$`).FindStringSubmatch(text)
	if m == nil {
		return
	}
	const rule = "scenario D(input, output) asks for exactly these"
	in, err1 := strconv.ParseInt(m[1], 10, 64)
	out, err2 := strconv.ParseInt(m[2], 10, 64)
	if err1 == nil && err2 == nil {
		w.InputTokensAsked, w.OutputTokensAsked = evidence.Derived(in, rule), evidence.Derived(out, rule)
	}
}

// errors keeps the error codes with their counts.
func errors(d *foreign.Draft, m foreign.Node) {
	for _, code := range m.Get("error_codes_frequency").Fields {
		if n, ok := code.Value.Int(); ok && n >= 0 {
			d.Record.Errors = append(d.Record.Errors, evidence.ErrorClass{Outcome: "failed", Class: "error code " + code.Key, N: n})
		}
	}
	slices.SortStableFunc(d.Record.Errors, func(a, b evidence.ErrorClass) int { return cmp.Compare(b.N, a.N) })
	if x, ok := m.Get("error_rate").Float(); ok && x == 0 {
		d.Gap("error_rate", "not stated: the file has 0 here whatever happened, because the tool computes it before it counts the errors")
	} else {
		d.Fact("error_rate", m.Get("error_rate"))
	}
}

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "mean"}, {Stat: measure.P50, Key: "p50"}, {Stat: measure.P90, Key: "p90"}, {Stat: measure.P95, Key: "p95"},
		{Stat: measure.P99, Key: "p99"}, {Stat: measure.StatMax, Key: "max"}}
}

// figures claims what the tool aggregated.
func figures(d *foreign.Draft, m foreign.Node, unit string) {
	people := d.Completed("requests without an error code", "num_completed_requests")
	for _, def := range words() {
		f := foreign.FigureOf(def)
		f.Number, f.Population = m.Get(def.Word), people
		switch quantity, _, _ := measure.Kind(def.Metric); quantity {
		case measure.Time:
			f.Unit = unit
			d.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
				return m.Get("stats", def.Word, stat), "stats." + def.Word + "." + stat
			})
		case measure.RequestRate:
			f.Unit = "requests/min"
			d.Claim(f)
		case measure.OutputTokenRate, measure.TotalTokenRate, measure.GoodRate:
			f.Unit = "tokens/s"
			f.CountedOver, f.TimedOver = "the requests that a warm-up or cool-down ratio leaves (whether one was set is not in the file)", "the whole run"
			d.Claim(f)
		}
	}
}

// mostRows bounds the rows of one file.
const mostRows = 20_000_000

// rows gathers the rows of single requests, in the file's unit of time.
type rows struct {
	n, failed, without int64
	ttft, e2e, tpot    []float64
}

func (r *rows) add(n foreign.Node) error {
	if r.n++; r.n > mostRows {
		return fmt.Errorf("there are more than %d rows", mostRows)
	}
	if n.Get("error_code").Has() {
		r.failed++
		return nil
	}
	first, ok1 := n.Get("ttft").Float()
	end, ok2 := n.Get("e2e_latency").Float()
	if !ok1 || !ok2 || first < 0 || end < first {
		r.without++
		return nil
	}
	r.ttft, r.e2e = append(r.ttft, first), append(r.e2e, end)
	if c, ok := n.Get("num_output_tokens").Int(); ok && c > 1 {
		r.tpot = append(r.tpot, (end-first)/float64(c-1))
	}
	return nil
}

// recompute puts the rows' figures beside the tool's, if every request that
// ended has a row.
func recompute(d *foreign.Draft, r *rows, scale float64) {
	done, ok1 := d.Record.Outcomes.Completed.Get()
	failed, ok2 := d.Record.Outcomes.Failed.Get()
	switch {
	case r.n == 0 || scale == 0:
		return
	case !ok1 || !ok2 || r.n != done+failed || r.failed != failed:
		d.Note(0, fmt.Sprintf("the file has rows of %d requests, %d of them failed, and counts %d completed and %d failed: nothing is computed from the rows", r.n, r.failed, done, failed))
		return
	}
	for _, xs := range [][]float64{r.ttft, r.e2e, r.tpot} {
		for i := range xs {
			xs[i] *= scale
		}
	}
	const who = "requests without an error code"
	out := []evidence.Excluded{{Reason: "failed", N: r.failed}, {Reason: "without usable durations", N: r.without}}
	d.FromRows(foreign.Sample{Metric: "ttft", Values: r.ttft, Who: who, Excluded: out, Rule: foreign.SpanOf(d.Define("ttft"))})
	d.FromRows(foreign.Sample{Metric: "e2e", Values: r.e2e, Who: who, Excluded: out, Rule: foreign.SpanOf(d.Define("e2e_latency"))})
	few := append(slices.Clone(out), evidence.Excluded{Reason: "completed with fewer than two output tokens, or without their count", N: int64(len(r.e2e) - len(r.tpot))})
	d.FromRows(foreign.Sample{Metric: "tpot", Values: r.tpot, Who: who + " with at least two output tokens", Excluded: few,
		Rule: "(e2e_latency − ttft) ÷ (num_output_tokens − 1), one value a request, as genai-bench has its times."})
}
