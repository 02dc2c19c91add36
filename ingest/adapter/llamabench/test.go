package llamabench

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
	"benchline/ingest/evidence"
)

// kinds of tests, by what is timed.
const (
	prompt     = "pp"
	generation = "tg"
	both       = "pp+tg"
)

// part makes a test's record.
func (t *tests) part(n foreign.Node) foreign.Part {
	d := foreign.NewDraft(t.file, tool)
	p, _ := n.Get("n_prompt").Int()
	g, _ := n.Get("n_gen").Int()
	name, kind := testName(p, g, n.Get("n_depth"))
	subject(d, n)
	r := &d.Record
	if p > 0 {
		r.Workload.InputTokensAsked = d.Count("n_prompt", n.Get("n_prompt"))
	} else {
		r.Workload.InputTokensAsked = evidence.NotApplicable[int64]("a test of generation has no prompt; n_depth tokens stand before it")
	}
	if g > 0 {
		r.Workload.OutputTokensAsked = d.Count("n_gen", n.Get("n_gen"))
	} else {
		r.Workload.OutputTokensAsked = evidence.NotApplicable[int64]("a test of the prompt generates nothing")
	}
	if at, ok := n.Get("test_time").String(); ok && strings.HasSuffix(at, "Z") {
		r.Subject.Started = evidence.Stated(at, "“test_time” in the file")
	}
	figure(d, n, kind)
	spread(d, n)
	title := fmt.Sprintf("llama-bench %s: %s", name, cmp.Or(n.Get("model_type").Text, n.Get("model_filename").Text))
	return t.finish(d, title)
}

// finish closes a record: what is true of every test of this tool.
func (t *tests) finish(d *foreign.Draft, title string) foreign.Part {
	r := &d.Record
	const none = "there are no requests: the tool calls the library in a loop"
	r.Subject.Tool = evidence.Derived(tool, "the file's keys")
	r.Subject.Engine = evidence.Derived("llama.cpp", "llama-bench is a part of it")
	r.Workload.TokenSource = evidence.Derived("the number that was asked for", "llama-bench makes exactly so many")
	r.Load.Mode, r.Load.Rate = evidence.NotApplicable[string](none), evidence.NotApplicable[string](none)
	r.Load.RatePerSec, r.Load.Arrivals = evidence.NotApplicable[float64](none), evidence.NotApplicable[string](none)
	o := &r.Outcomes
	for _, k := range []*evidence.Known[int64]{&o.Planned, &o.Sent, &o.Completed, &o.Failed, &o.Rejected, &o.TimedOut, &o.Cancelled, &o.Unresolved, &o.NeverSent, &o.WarmupSent, &r.Workload.Requests, &r.Load.PeakOpen} {
		*k = evidence.NotApplicable[int64](none)
	}
	return foreign.Part{Draft: d, Part: fmt.Sprintf("test %d", len(t.parts)+1), Title: title}
}

// testName is the test's name as the tool prints it.
func testName(p, g int64, depth foreign.Node) (name, kind string) {
	switch {
	case p > 0 && g > 0:
		name, kind = fmt.Sprintf("pp%d+tg%d", p, g), both
	case p > 0:
		name, kind = fmt.Sprintf("pp%d", p), prompt
	default:
		name, kind = fmt.Sprintf("tg%d", g), generation
	}
	if x, ok := depth.Int(); ok && x > 0 {
		name += fmt.Sprintf(" @ d%d", x)
	}
	return name, kind
}

func subject(d *foreign.Draft, n foreign.Node) {
	s := &d.Record.Subject
	s.Model = d.Text("model_type", n.Get("model_type"))
	s.Hardware = d.Text("gpu_info", n.Get("gpu_info"))
	if _, ok := s.Hardware.Get(); !ok {
		s.Hardware = d.Text("cpu_info", n.Get("cpu_info"))
	}
	build, number := n.Get("build_commit"), n.Get("build_number")
	if build.Has() {
		s.EngineVersion = evidence.Stated(strings.TrimSpace("build "+number.Text+" ("+build.Text+")"), "“build_number” and “build_commit” in the file")
	}
	if _, q, ok := strings.Cut(n.Get("model_type").Text, "B "); ok && q != "" {
		s.Precision = evidence.Derived(q, "the end of “model_type”")
	}
	for _, key := range []string{"cpu_info", "gpu_info", "backends", "model_filename", "model_size", "model_n_params", "n_batch", "n_ubatch", "n_threads", "type_k", "type_v",
		"n_gpu_layers", "split_mode", "flash_attn", "n_depth"} {
		d.Fact(key, n.Get(key))
	}
}

// figure claims the rate of a tg test; the others' are facts.
func figure(d *foreign.Draft, n foreign.Node, kind string) {
	switch kind {
	case generation:
		f := d.Word("avg_ts")
		f.Number, f.Unit = n.Get("avg_ts"), "tokens/s"
		f.Numerator, f.Denominator = division(d, n)
		d.Claim(f)
	case prompt:
		d.Fact("avg_ts, input tokens/s", n.Get("avg_ts"))
	default:
		d.Fact("avg_ts, input and output tokens/s", n.Get("avg_ts"))
	}
	d.Fact("avg_ns", n.Get("avg_ns"))
}

// division is what the rate of a tg test was divided from: the tokens and the time
// of a repetition. With more than one, avg_ts is the mean of their rates, a little
// above n_gen ÷ avg_ns, and the time is not in plain seconds: it is not to be held
// against a quotient that it is no part of.
func division(d *foreign.Draft, n foreign.Node) (numerator, denominator evidence.Known[evidence.Term]) {
	tokens, hasTokens := n.Get("n_gen").Int()
	ns, hasTime := n.Get("avg_ns").Int()
	if !hasTokens || tokens < 1 || !hasTime || ns < 1 {
		return numerator, denominator
	}
	const exactly = "“n_gen” in the file: llama-bench makes exactly so many"
	times := repetitions(n)
	made := evidence.Term{Amount: float64(tokens), Unit: "output tokens", What: "output tokens of each repetition"}
	took := evidence.Term{Amount: float64(ns) / 1e9, Unit: "s a repetition", What: "avg_ns: the mean time; the rate is the mean of the repetitions' rates"}
	if times == 1 {
		made.What, took.Unit, took.What = "output tokens of the only repetition", "s", "avg_ns: the time of the only repetition"
	}
	if times > 0 && tokens <= math.MaxInt64/times {
		d.Record.Workload.OutputTokens = evidence.Derived(evidence.Spread{Min: tokens, Median: tokens, Max: tokens, N: times, Sum: times * tokens}, exactly+" in each repetition")
	}
	return evidence.Derived(made, exactly), evidence.Stated(took, "“avg_ns” in the file")
}

// repetitions is how often a test was run; 0: the file does not say.
func repetitions(n foreign.Node) int64 {
	ns, ts := n.Get("samples_ns"), n.Get("samples_ts")
	if ns.Kind == foreign.List && ts.Kind == foreign.List && len(ns.Items) != len(ts.Items) {
		return 0
	}
	return int64(max(len(ns.Items), len(ts.Items)))
}

// spread is what is known of the repetitions. The tool writes a deviation of 0
// for a single one.
func spread(d *foreign.Draft, n foreign.Node) {
	samples := n.Get("samples_ts")
	if samples.Kind == foreign.List {
		d.FactText("repetitions", fmt.Sprint(len(samples.Items)), "“samples_ts” in the file")
		var texts []string
		for i, s := range samples.Items {
			if i < 20 && s.IsNumber() {
				texts = append(texts, s.Text)
			}
		}
		d.FactText("samples_ts, tokens/s", strings.Join(texts, ", "), "“samples_ts” in the file, the first 20")
	}
	dev := n.Get("stddev_ts")
	if x, ok := dev.Float(); ok && x == 0 && (samples.Kind != foreign.List || len(samples.Items) < 2) {
		d.Gap("stddev_ts", "not stated: the file has 0 here, which the tool writes for a single repetition")
		return
	}
	d.Fact("stddev_ts", dev)
}

// markdown reads the tool's own table.
func (t *tests) markdown(ctx context.Context) error {
	tables, err := grid.Markdown(ctx, t.file)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if !isMarkdown(table.Header) {
			continue
		}
		for _, row := range table.Rows {
			n := foreign.Node{Kind: foreign.Object, Line: row.Line}
			for i, key := range table.Header {
				if cell, ok := row.Cell(i); ok && cell != "" {
					n.Fields = append(n.Fields, foreign.Field{Key: key, Value: foreign.Scalar(cell, row.Line)})
				}
			}
			if len(t.parts) >= mostTests {
				return fmt.Errorf("%s: more than %d tests", t.file.Name(), mostTests)
			}
			if p, ok := t.printed(n); ok {
				t.parts = append(t.parts, p)
			}
		}
	}
	return nil
}

// printed makes the record of a row of the Markdown table.
func (t *tests) printed(n foreign.Node) (foreign.Part, bool) {
	m := regexp.MustCompile(`^(?:pp([0-9]{1,9}))?\+?(?:tg([0-9]{1,9}))?(?: @ d([0-9]{1,9}))?$`).FindStringSubmatch(n.Get("test").Text)
	speed, dev, _ := strings.Cut(n.Get("t/s").Text, "±")
	v := foreign.Scalar(strings.TrimSpace(speed), n.Line)
	if m == nil || m[1]+m[2] == "" || !v.IsNumber() {
		return foreign.Part{}, false
	}
	d := foreign.NewDraft(t.file, tool)
	d.Record.Subject.Model = d.Text("model", n.Get("model"))
	for _, key := range []string{"size", "params", "backend", "ngl", "threads", "n_batch", "n_ubatch", "type_k", "type_v", "fa"} {
		d.Fact(key, n.Get(key))
	}
	object := foreign.Node{Kind: foreign.Object, Line: n.Line, Fields: []foreign.Field{{Key: "avg_ts", Value: v}}}
	kind := both
	switch {
	case m[2] == "":
		kind = prompt
	case m[1] == "":
		kind = generation
	}
	for i, to := range []*evidence.Known[int64]{&d.Record.Workload.InputTokensAsked, &d.Record.Workload.OutputTokensAsked} {
		if m[i+1] != "" {
			*to = d.Count("test", foreign.Scalar(m[i+1], n.Line))
		}
	}
	if m[3] != "" {
		d.FactText("n_depth", m[3], "“test” in the file")
	}
	figure(d, object, kind)
	if dev = strings.TrimSpace(dev); dev != "" {
		if x, ok := foreign.Scalar(dev, n.Line).Float(); ok && x == 0 {
			d.Gap("deviation, tokens/s", "not stated: the table has 0.00, which is a single repetition or one too small to show")
		} else {
			d.FactText("deviation, tokens/s", dev, "behind ± in the file")
		}
	}
	p := t.finish(d, "llama-bench "+n.Get("test").Text+": "+n.Get("model").Text)
	return p, true
}
