package llmd

import (
	"fmt"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// isFirst reports whether a value is a report of version 0.1.
func isFirst(n foreign.Node) bool {
	m := n.Get("metrics")
	return n.Get("scenario").IsObject() && m.Get("latency", "time_to_first_token").IsObject() && m.Get("requests").IsObject()
}

// first makes the part of a report of version 0.1.
func first(f *foreign.File, n foreign.Node) foreign.Part {
	d := foreign.NewDraft(f, tool)
	scenario, m := n.Get("scenario"), n.Get("metrics")
	hosts(d, scenario)
	firstLoad(d, scenario.Get("load"))
	outcomes(d, m.Get("requests"))
	firstTime(d, m.Get("time"))
	latencies(d, m.Get("latency"))
	for _, w := range []struct{ word, unit string }{{"output_tokens_per_sec", "tokens/s"}, {"total_tokens_per_sec", "tokens/s"}, {"requests_per_sec", "requests/s"}} {
		fig := d.Word(w.word)
		fig.Number, fig.Key, fig.Unit = m.Get("throughput", w.word), "throughput."+w.word, w.unit
		d.Claim(fig)
	}
	d.Fact("throughput.input_tokens_per_sec", m.Get("throughput", "input_tokens_per_sec"))
	d.Fact("version", n.Get("version"))
	return foreign.Part{Draft: d, Title: titleOf(d, f, scenario.Get("description"))}
}

// hosts reads what served: a list of accelerators, and the engines on them.
func hosts(d *foreign.Draft, scenario foreign.Node) {
	s := &d.Record.Subject
	s.Model = d.Text("scenario.model.name", scenario.Get("model", "name"))
	s.Precision = d.Text("scenario.model.quantization", scenario.Get("model", "quantization"))
	kinds := scenario.Get("host", "type").Items
	total, counted := int64(0), true
	for i, a := range scenario.Get("host", "accelerator").Items {
		n, ok := a.Get("count").Int()
		total, counted = total+n, counted && ok && n > 0
		if i > 0 {
			continue
		}
		s.Hardware = d.Text("scenario.host.accelerator.model", a.Get("model"))
		s.Parallelism = parallelism(d, "scenario.host.accelerator.parallelism", a.Get("parallelism"))
	}
	if counted && total > 0 {
		s.Accelerators = evidence.Derived(total, "“count”, summed over “scenario.host.accelerator”")
	}
	engines := scenario.Get("platform", "engine").Items
	if len(engines) > 0 {
		s.Engine, s.EngineVersion = d.Text("scenario.platform.engine.name", engines[0].Get("name")), d.Text("scenario.platform.engine.version", engines[0].Get("version"))
		if v := engines[0].Get("version"); v.Kind == foreign.Number { // 0.9 would read as a number
			s.EngineVersion = evidence.Stated(v.Text, "“scenario.platform.engine.version” in the file")
		}
	}
	if len(kinds) > 1 {
		d.Note(scenario.Get("host").Line, fmt.Sprintf("the report has %d hosts; the record states the first's hardware, parallelism and engine, and the others are in the file", len(kinds)))
	}
}

// firstLoad reads what was asked for, in the words of the tool that asked.
func firstLoad(d *foreign.Draft, n foreign.Node) {
	if name, ok := n.Get("name").String(); ok {
		d.Record.Subject.Tool = evidence.Stated(name, "“scenario.load.name” in the file")
	}
	args := n.Get("args")
	if args.Get("request_rate").Has() {
		d.RateAndCap("scenario.load.args.request_rate", args.Get("request_rate"), "scenario.load.args.max_concurrency", args.Get("max_concurrency"),
			evidence.NotStated[string](d.Missing()))
	}
	d.Record.Workload.Requests = d.Count("scenario.load.args.num_prompts", args.Get("num_prompts"))
	d.Fact("scenario.load.type", n.Get("type"))
	d.Rest(args, func(key string) bool {
		return key == "request_rate" || key == "max_concurrency" || key == "num_prompts"
	})
}

// firstTime reads when it was, in seconds since 1970.
func firstTime(d *foreign.Draft, n foreign.Node) {
	r := &d.Record
	timed := d.Window("metrics.time.duration", n.Get("duration"), "what it spans is not stated")
	if n.Get("start").Has() {
		r.Subject.Started = d.Stamp("metrics.time.start", n.Get("start"))
	}
	start, ok1 := n.Get("start").Float()
	stop, ok2 := n.Get("stop").Float()
	w, _ := r.State.Window.Get()
	if whole := stop - start; ok1 && ok2 && timed && (whole > w.Seconds*1.05+1 || whole < w.Seconds*0.95-1) {
		d.Note(n.Line, fmt.Sprintf("metrics.time.duration is %g s, and from start to stop are %g s", w.Seconds, whole))
	}
}
