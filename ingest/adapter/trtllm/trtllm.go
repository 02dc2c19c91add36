// Package trtllm reads the console reports of trtllm-bench: the tables that its
// throughput command prints at the end of a long log.
//
// In reports of early versions "Token Throughput" is output tokens only; later
// ones say which. An issue rate such as 2.9766E+13 requests/s is no rate: all
// requests were given at once.
package trtllm

import (
	"context"
	"fmt"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads reports of trtllm-bench. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Definer = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "trtllm" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "trtllm", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims a text with the report's heading, or the log of the command that
// prints it.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Want: `"= PERFORMANCE OVERVIEW" of trtllm-bench, or its log "[TRT-LLM] … throughput benchmark"`,
		Is: foreign.Mentions(prefix, "= "+overview, "TensorRT-LLM") || foreign.Mentions(prefix, "[TensorRT-LLM]", "[TRT-LLM]", "hroughput benchmark")}
}

// Read yields a record for each report in the text.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		blocks, err := readBlocks(ctx, f)
		if err != nil {
			return nil, nil, err
		}
		var parts []foreign.Part
		for _, b := range blocks {
			if b.heads[overview] {
				parts = append(parts, a.part(f, b, len(parts)))
			}
		}
		if len(parts) == 0 {
			return nil, nil, &adapter.RefusedError{Why: "the log has no " + overview + ": the benchmark did not end", Hint: "trtllm-bench prints it when it ends"}
		}
		return parts, nil, nil
	})
}

// atOnce is the issue rate, in requests per second, from which requests were
// given all at once: the tool prints their number ÷ some nanoseconds.
const atOnce = 1e9

func (a Adapter) part(f *foreign.File, b *block, before int) foreign.Part {
	d := foreign.NewDraft(f, tool)
	r := &d.Record
	r.Subject.Tool = evidence.Derived(tool, "the report's headings")
	r.Subject.Model = d.Text("Model", b.get("Model"))
	r.Subject.Engine = evidence.Derived("TensorRT-LLM", "trtllm-bench runs it")
	r.Subject.EngineVersion = d.Text("TensorRT-LLM Version", b.get("TensorRT-LLM Version"))
	if b.get("TensorRT-LLM Version").Kind == foreign.Number { // 0.16 would read as a number
		r.Subject.EngineVersion = evidence.Stated(b.get("TensorRT-LLM Version").Text, "“TensorRT-LLM Version” in the file")
	}
	precision(d, b)
	if tp, pp := b.get("TP Size"), b.get("PP Size"); tp.Has() && pp.Has() {
		r.Subject.Parallelism = evidence.Stated("tensor parallel "+tp.Text+", pipeline parallel "+pp.Text, "“TP Size” and “PP Size” in the file")
	}
	r.Workload.TokenSource = evidence.Derived("the engine", "trtllm-bench calls it in the same process")
	r.Workload.Requests = d.Count("Number of requests", b.get("Number of requests"))
	r.Outcomes.Planned = d.Count("Number of requests", b.get("Number of requests"))
	for _, key := range []string{"Dtype", "KV Cache Dtype", "Quantization", "Max Sequence Length", "Max Runtime Batch Size", "Max Runtime Tokens", "Scheduling Policy", "KV Memory Percentage",
		"Average Input Length (tokens)", "Average Output Length (tokens)", "Number of concurrent requests", "Per User Output Throughput [w/ ctx] (tps/user)", "Per User Output Speed (tps/user)", "EP Size"} {
		d.Fact(key, b.get(key))
	}
	if b.get("Per GPU Output Throughput (tps/gpu)").Has() {
		d.Gap("Per GPU Output Throughput (tps/gpu)", "left out: a rate of the whole divided by its parts is no measurement of one")
	}
	issued(d, b)
	window := evidence.Known[evidence.Window]{}
	if s, ok := foreign.Convert(b.get("Total Latency (ms)").Text, "ms", "e2e_max"); ok && s > 0 {
		window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: s}, "“Total Latency (ms)”: from the first request to the end of the last")
		r.State.Window = window
	}
	a.rates(d, b, window)
	a.times(d, b)
	part := ""
	title := "trtllm-bench: " + strings.TrimSuffix(f.Source.Name, ".txt")
	if before > 0 {
		part = fmt.Sprintf("report %d", before+1)
		title += ", " + part
	}
	return foreign.Part{Draft: d, Part: part, Title: title}
}

func precision(d *foreign.Draft, b *block) {
	q, has := b.get("Quantization").String()
	dtype, ok := b.get("Dtype").String()
	switch {
	case has && q != "None":
		d.Record.Subject.Precision = evidence.Stated(q+" (quantization)", "“Quantization” in the file")
	case ok:
		d.Record.Subject.Precision = evidence.Stated(dtype, "“Dtype” in the file")
	}
}

// issued reads how requests were given to the engine.
func issued(d *foreign.Draft, b *block) {
	rate := b.get("Issue Rate (req/sec)")
	d.Fact("Issue Rate (req/sec)", rate)
	x, ok := rate.Float()
	l := &d.Record.Load
	switch {
	case ok && x >= atOnce:
		const why = "an issue rate of this size means that all requests were given at once"
		l.Mode = evidence.Derived("open loop", why)
		l.Arrivals = evidence.Derived("all at once", why)
		l.Rate, l.RatePerSec = evidence.NotApplicable[string](why), evidence.NotApplicable[float64](why)
	case ok && x > 0:
		l.Mode = evidence.Derived("open loop", "an issue rate is there")
		l.Rate = evidence.Stated(rate.Text+" requests per 1s", "“Issue Rate (req/sec)” in the file")
		l.RatePerSec = evidence.Stated(x, "“Issue Rate (req/sec)” in the file")
	}
}

// define is the definition of a word.
func (a Adapter) define(word string) adapter.Definition {
	for _, d := range a.Definitions() {
		if d.Word == word {
			return d
		}
	}
	return adapter.Definition{Tool: tool, Word: word}
}

func (a Adapter) rates(d *foreign.Draft, b *block, window evidence.Known[evidence.Window]) {
	for _, w := range []struct{ word, unit string }{{"Total Output Throughput (tokens/sec)", "tokens/s"}, {"Token Throughput (tokens/sec)", "tokens/s"},
		{"Total Token Throughput (tokens/sec)", "tokens/s"}, {"Request Throughput (req/sec)", "requests/s"}} {
		def := a.define(w.word)
		f := foreign.Figure{Metric: def.Metric, Number: b.get(w.word), Key: w.word, Unit: w.unit, Rule: foreign.RuleOf(def), Undefined: foreign.Undefined(def), Window: window}
		if w, ok := window.Get(); ok {
			f.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "Total Latency"}, "“Total Latency (ms)” in the file")
		}
		if n, ok := b.get("Number of requests").Int(); ok && n >= 0 {
			f.Population = evidence.Stated(evidence.Population{Rule: "requests of the data set; whether any failed is not stated", N: n}, "“Number of requests” in the file")
		}
		d.Claim(f)
	}
}

// times claims the breakdowns that later versions print.
func (a Adapter) times(d *foreign.Draft, b *block) {
	for _, word := range []string{"Latency", "TTFT", "TPOT"} {
		def := a.define(word)
		rule := foreign.RuleOf(def)
		for _, s := range []struct {
			stat measure.Stat
			key  string
		}{{measure.Mean, "AVERAGE"}, {measure.P50, "P50"}, {measure.P90, "P90"}, {measure.P95, "P95"}, {measure.P99, "P99"}, {measure.StatMax, "MAXIMUM"}} {
			key := "[" + word + "] " + s.key
			d.Claim(foreign.Figure{Metric: measure.ID(def.Metric, s.stat), Number: b.get(key), Key: key, Unit: "ms", Rule: rule, Undefined: foreign.Undefined(def)})
		}
		average := map[string]string{"Latency": "Average request latency (ms)", "TTFT": "Average time-to-first-token [TTFT] (ms)", "TPOT": "Average time-per-output-token [TPOT] (ms)"}[word]
		if !b.get("[" + word + "] AVERAGE").Has() {
			d.Claim(foreign.Figure{Metric: measure.ID(def.Metric, measure.Mean), Number: b.get(average), Key: average, Unit: "ms", Rule: rule, Undefined: foreign.Undefined(def)})
		}
	}
}
