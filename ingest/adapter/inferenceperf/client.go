package inferenceperf

import (
	"fmt"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// offered reads what was asked for and what was started.
func (a Adapter) offered(d *foreign.Draft, load foreign.Node) {
	r := &d.Record
	asked, achieved := load.Get("requested_rate"), load.Get("achieved_rate")
	if c := load.Get("concurrency"); c.Has() {
		r.Load.Mode = evidence.Derived("closed loop", "“load_summary.concurrency” is there: so many requests were kept open")
		r.Load.Concurrency = d.Count("load_summary.concurrency", c)
		d.Fact("load_summary.requested_rate", asked)
	} else if x, ok := asked.Float(); ok {
		r.Load.Mode = evidence.Derived("open loop", "“load_summary.requested_rate” is there: requests were due at a rate")
		r.Load.Rate = evidence.Stated(asked.Text+" requests per 1s", "“load_summary.requested_rate” in the file")
		r.Load.RatePerSec = evidence.Stated(x, "“load_summary.requested_rate” in the file")
	} else {
		const many = "the file is of all stages together, and their rates are not in it"
		r.Load.Mode, r.Load.Rate, r.Load.RatePerSec = evidence.NotStated[string](many), evidence.NotStated[string](many), evidence.NotStated[float64](many)
	}
	a.sent(d, load)
	a.late(d, load)
	x, ok1 := asked.Float()
	y, ok2 := achieved.Float()
	if ok1 && ok2 {
		r.Limits = append(r.Limits, limits.SentRateBelowAsked(asked.Text+" requests/s", x, y).Record()...)
	}
}

// sent is the rate at which requests were started.
func (a Adapter) sent(d *foreign.Draft, load foreign.Node) {
	f := foreign.Figure{Metric: "sent_rate", Number: load.Get("achieved_rate"), Key: "load_summary.achieved_rate", Unit: "requests/s", Rule: foreign.RuleOf(a.define("achieved_rate"))}
	if n, ok := load.Get("count").Int(); ok {
		f.Numerator = evidence.Stated(evidence.Term{Amount: float64(n), Unit: "requests", What: "requests that were started"}, "“load_summary.count” in the file")
		f.Population = evidence.Stated(evidence.Population{Rule: "requests that were started", N: n}, "“load_summary.count” in the file")
	}
	if s, ok := load.Get("send_duration").Float(); ok && s > 0 {
		f.Denominator = evidence.Stated(evidence.Term{Amount: s, Unit: "s", What: "from the first start to the last"}, "“load_summary.send_duration” in the file")
		f.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: s}, "“load_summary.send_duration”: from the first start to the last")
	}
	d.Claim(f)
}

// muchLate is the mean delay, in seconds, from which a client is suspect.
const muchLate = 0.1

// late reads how long after they were due requests were started.
func (a Adapter) late(d *foreign.Draft, load foreign.Node) {
	delay := load.Get("schedule_delay")
	people := evidence.NotStated[evidence.Population](d.Missing())
	if n, ok := load.Get("count").Int(); ok && n >= 0 {
		people = evidence.Stated(evidence.Population{Rule: "requests that were started", N: n}, "“load_summary.count” in the file")
	}
	distribution(d, "load_summary.schedule_delay", delay, a.define("schedule_delay"), people)
	if x, ok := delay.Get("mean").Float(); ok && x > muchLate {
		late := fmt.Sprintf("requests were started %.3g s after they were due, in the mean, and no latency of the file has that wait in it", x)
		d.Record.Limits = append(d.Record.Limits, limits.ClientSuspect(reqlog.Suspect, []string{late}).Record()...)
	}
}

// latencies claims the four words that come near to a metric, and keeps the
// fifth.
func (a Adapter) latencies(d *foreign.Draft, n foreign.Node) {
	lat := n.Get("successes", "latency")
	done := d.Record.Outcomes.Completed
	people := func(rule string) evidence.Known[evidence.Population] {
		if c, ok := done.Get(); ok {
			return evidence.Stated(evidence.Population{Rule: rule, N: c}, "“successes.count” in the file")
		}
		return evidence.NotStated[evidence.Population](d.Missing())
	}
	of := people("successes")
	distribution(d, "successes.latency.request_latency", lat.Get("request_latency"), a.define("request_latency"), of)
	severalTokens := evidence.NotStated[evidence.Population]("answers of one token are left out, and the file does not say how many")
	if s, ok := d.Record.Workload.OutputTokens.Get(); ok && s.Min > 1 {
		severalTokens = of
	}
	for _, word := range []string{"time_to_first_token", "time_per_output_token"} {
		distribution(d, "successes.latency."+word, lat.Get(word), a.define(word), severalTokens)
	}
	gaps := evidence.NotStated[evidence.Population]("gaps between tokens, how many is not in the file")
	distribution(d, "successes.latency.inter_token_latency", lat.Get("inter_token_latency"), a.define("inter_token_latency"), gaps)
	const norm = "normalized_time_per_output_token"
	for _, s := range stats() {
		d.Fact("successes.latency."+norm+"."+s.key, lat.Get(norm, s.key))
	}
	if x, ok := lat.Get(norm, "min").Float(); ok && x == 0 {
		d.Gap("successes.latency."+norm+".min", "the file has 0 here, which the tool writes for an answer without tokens; such zeros are in the other figures of this word too")
	}
}

// rates claims the rates. The time that they are over is not in the file.
func (a Adapter) rates(d *foreign.Draft, n foreign.Node) {
	people := evidence.NotStated[evidence.Population](d.Missing())
	requests := evidence.NotStated[evidence.Term](d.Missing())
	if c, ok := d.Record.Outcomes.Completed.Get(); ok {
		people = evidence.Stated(evidence.Population{Rule: "successes", N: c}, "“successes.count” in the file")
		requests = evidence.Stated(evidence.Term{Amount: float64(c), Unit: "requests", What: "successes"}, "“successes.count” in the file")
	}
	thr := n.Get("successes", "throughput")
	for _, w := range []struct{ word, unit string }{{"requests_per_sec", "requests/s"}, {"output_tokens_per_sec", "tokens/s"}, {"total_tokens_per_sec", "tokens/s"}} {
		def := a.define(w.word)
		f := foreign.Figure{Metric: def.Metric, Number: thr.Get(w.word), Key: "successes.throughput." + w.word, Unit: w.unit, Rule: foreign.RuleOf(def), Undefined: foreign.Undefined(def), Population: people}
		if w.unit == "requests/s" {
			f.Numerator = requests
		}
		d.Claim(f)
	}
	d.Fact("successes.throughput.input_tokens_per_sec", thr.Get("input_tokens_per_sec"))
}
