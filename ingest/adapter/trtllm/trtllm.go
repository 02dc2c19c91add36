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
	"math"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// New is the adapter of reports of trtllm-bench: a text with the report's heading,
// or the log of the command that prints it.
func New() foreign.Format {
	return foreign.Format{Name: "trtllm", Version: 4, Words: words(), Parts: read,
		Want: `"= PERFORMANCE OVERVIEW" of trtllm-bench, or its log "[TRT-LLM] … throughput benchmark"`,
		Claims: func(prefix []byte) bool {
			return foreign.Mentions(prefix, "= "+overview, "TensorRT-LLM") || foreign.Mentions(prefix, "[TensorRT-LLM]", "[TRT-LLM]", "hroughput benchmark")
		}}
}

// read makes a part of each report in the text.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	blocks, err := readBlocks(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	var parts []foreign.Part
	for _, b := range blocks {
		if b.heads[overview] {
			parts = append(parts, part(f, b, len(parts)))
		}
	}
	if len(parts) == 0 {
		return nil, nil, &adapter.RefusedError{Why: "the log has no " + overview + ": the benchmark did not end", Hint: "trtllm-bench prints it when it ends"}
	}
	return parts, nil, nil
}

// atOnce is the issue rate, in requests per second, from which requests were
// given all at once: the tool prints their number ÷ some nanoseconds.
const atOnce = 1e9

func part(f *foreign.File, b *block, before int) foreign.Part {
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
	if s, ok := foreign.Convert(b.get(took).Text, "ms", "e2e_max"); ok && s > 0 {
		r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: s}, "“"+took+"”: "+whole)
	}
	rates(d, b)
	times(d, b)
	if before == 0 {
		return foreign.Part{Draft: d, Title: d.FileTitle(f)}
	}
	report := fmt.Sprintf("report %d", before+1)
	return foreign.Part{Draft: d, Part: report, Title: d.FileTitle(f, report)}
}

// The line that has the window, and what it spans.
const (
	took  = "Total Latency (ms)"
	whole = "from the first request to the end of the last"
)

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
	default:
		d.OpenLoop("Issue Rate (req/sec)", rate)
	}
}

func rates(d *foreign.Draft, b *block) {
	for _, w := range []struct{ word, unit string }{{"Total Output Throughput (tokens/sec)", "tokens/s"}, {"Token Throughput (tokens/sec)", "tokens/s"},
		{"Total Token Throughput (tokens/sec)", "tokens/s"}, {"Request Throughput (req/sec)", "requests/s"}} {
		f := d.OverWindow(d.Word(w.word), took, whole)
		f.Number, f.Unit = b.get(w.word), w.unit
		if n, ok := b.get("Number of requests").Int(); ok && n >= 0 {
			f.Population = evidence.Stated(evidence.Population{Rule: "requests of the data set; whether any failed is not stated", N: n}, "“Number of requests” in the file")
			f.Numerator = counted(b, n, d.Define(w.word))
		}
		d.Claim(f)
	}
}

// counted is what a rate counts of n requests: they themselves, or their tokens
// where their number by the mean length is whole.
func counted(b *block, n int64, def adapter.Definition) evidence.Known[evidence.Term] {
	each, unit := 1.0, "requests"
	in, hasIn := b.get("Average Input Length (tokens)").Float()
	out, hasOut := b.get("Average Output Length (tokens)").Float()
	known := true
	switch quantity, _, _ := measure.Kind(def.Metric); quantity {
	case measure.OutputTokenRate:
		each, unit, known = out, "output tokens", hasOut
	case measure.TotalTokenRate:
		each, unit, known = in+out, "input + output tokens", hasIn && hasOut
	case measure.RequestRate, measure.GoodRate, measure.Time:
	}
	sum := math.Round(each * float64(n))
	if !known || math.Abs(each*float64(n)-sum) > 1e-3 {
		return evidence.NotStated[evidence.Term]("the mean length in the file is rounded, and gives no whole number of tokens")
	}
	return evidence.Derived(evidence.Term{Amount: sum, Unit: unit, What: def.Population}, "“Number of requests” in the file, times the mean length for tokens")
}

func stats() []foreign.Statistic {
	return []foreign.Statistic{{Stat: measure.Mean, Key: "AVERAGE"}, {Stat: measure.P50, Key: "P50"}, {Stat: measure.P90, Key: "P90"}, {Stat: measure.P95, Key: "P95"},
		{Stat: measure.P99, Key: "P99"}, {Stat: measure.StatMax, Key: "MAXIMUM"}}
}

// times claims the breakdowns that later versions print.
func times(d *foreign.Draft, b *block) {
	for _, w := range []struct{ word, average string }{{"Latency", "Average request latency (ms)"}, {"TTFT", "Average time-to-first-token [TTFT] (ms)"},
		{"TPOT", "Average time-per-output-token [TPOT] (ms)"}} {
		f := d.Word(w.word)
		f.Unit = "ms"
		d.Statistics(f, stats(), func(stat string) (foreign.Node, string) {
			key := "[" + w.word + "] " + stat
			if stat == "AVERAGE" && !b.get(key).Has() {
				key = w.average
			}
			return b.get(key), key
		})
	}
}
