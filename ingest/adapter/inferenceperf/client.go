package inferenceperf

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// offered reads what was asked for and what was started.
func offered(d *foreign.Draft, load foreign.Node) {
	r := &d.Record
	asked, achieved := load.Get("requested_rate"), load.Get("achieved_rate")
	switch {
	case load.Get("concurrency").Has():
		d.ClosedLoop("load_summary.concurrency", load.Get("concurrency"))
		d.Fact("load_summary.requested_rate", asked)
	case d.OpenLoop("load_summary.requested_rate", asked):
	default:
		const many = "the file is of all stages together, and their rates are not in it"
		r.Load.Mode, r.Load.Rate, r.Load.RatePerSec = evidence.NotStated[string](many), evidence.NotStated[string](many), evidence.NotStated[float64](many)
	}
	sent(d, load)
	late(d, load)
	x, ok1 := asked.Float()
	y, ok2 := achieved.Float()
	if ok1 && ok2 {
		r.Limits = append(r.Limits, limits.SentRateBelowAsked(asked.Text+" requests/s", x, y).Record()...)
	}
}

// sent is the rate at which requests were started.
func sent(d *foreign.Draft, load foreign.Node) {
	f := d.Word("achieved_rate")
	f.Number, f.Key, f.Unit = load.Get("achieved_rate"), "load_summary.achieved_rate", "requests/s"
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
func late(d *foreign.Draft, load foreign.Node) {
	delay := load.Get("schedule_delay")
	people := evidence.NotStated[evidence.Population](d.Missing())
	if n, ok := load.Get("count").Int(); ok && n >= 0 {
		people = evidence.Stated(evidence.Population{Rule: "requests that were started", N: n}, "“load_summary.count” in the file")
	}
	distribution(d, "load_summary.schedule_delay", delay, d.Word("schedule_delay"), people)
	if x, ok := delay.Get("mean").Float(); ok && x > muchLate {
		late := fmt.Sprintf("requests were started %.3g s after they were due, in the mean, and no latency of the file has that wait in it", x)
		d.Record.Limits = append(d.Record.Limits, limits.ClientSuspect(reqlog.Suspect, []string{late}).Record()...)
	}
}

// latencies claims the four words that come near to a metric, and keeps the
// fifth.
func latencies(d *foreign.Draft, n foreign.Node) {
	lat := n.Get("successes", "latency")
	of := d.Completed("successes", "successes.count")
	distribution(d, "successes.latency.request_latency", lat.Get("request_latency"), d.Word("request_latency"), of)
	severalTokens := evidence.NotStated[evidence.Population]("answers of one token are left out, and the file does not say how many")
	if s, ok := d.Record.Workload.OutputTokens.Get(); ok && s.Min > 1 {
		severalTokens = of
	}
	for _, word := range []string{"time_to_first_token", "time_per_output_token"} {
		distribution(d, "successes.latency."+word, lat.Get(word), d.Word(word), severalTokens)
	}
	gaps := evidence.NotStated[evidence.Population]("gaps between tokens, how many is not in the file")
	distribution(d, "successes.latency.inter_token_latency", lat.Get("inter_token_latency"), d.Word("inter_token_latency"), gaps)
	const norm = "normalized_time_per_output_token"
	for _, s := range stats() {
		d.Fact("successes.latency."+norm+"."+s.Key, lat.Get(norm, s.Key))
	}
	if x, ok := lat.Get(norm, "min").Float(); ok && x == 0 {
		d.Gap("successes.latency."+norm+".min", "the file has 0 here, which the tool writes for an answer without tokens; such zeros are in the other figures of this word too")
	}
}

// rates claims the rates. The time that they are over is not in the file.
func rates(d *foreign.Draft, n foreign.Node) {
	people := d.Completed("successes", "successes.count")
	thr := n.Get("successes", "throughput")
	for _, w := range []struct{ word, unit string }{{"requests_per_sec", "requests/s"}, {"output_tokens_per_sec", "tokens/s"}, {"total_tokens_per_sec", "tokens/s"}} {
		f := d.Word(w.word)
		f.Number, f.Key, f.Unit, f.Population = thr.Get(w.word), "successes.throughput."+w.word, w.unit, people
		if p, ok := people.Get(); ok && w.unit == "requests/s" {
			f.Numerator = evidence.Stated(evidence.Term{Amount: float64(p.N), Unit: "requests", What: p.Rule}, people.Note())
		}
		if sum, unit, ok := tokens(d, w.word); ok {
			f.Numerator = evidence.Derived(evidence.Term{Amount: sum, Unit: unit, What: d.Define(w.word).Population}, "mean length × number of successes in the file, which is whole")
		}
		d.Claim(f)
	}
	d.Fact("successes.throughput.input_tokens_per_sec", thr.Get("input_tokens_per_sec"))
}

// tokens is how many tokens a rate of tokens is of, where the file's lengths give
// a sum.
func tokens(d *foreign.Draft, word string) (float64, string, bool) {
	w := d.Record.Workload
	in, hasIn := w.InputTokens.Get()
	out, hasOut := w.OutputTokens.Get()
	switch {
	case word == "output_tokens_per_sec" && hasOut:
		return float64(out.Sum), "output tokens", true
	case word == "total_tokens_per_sec" && hasIn && hasOut:
		return float64(in.Sum + out.Sum), "input + output tokens", true
	}
	return 0, "", false
}

// summary says what was asked for, what was started and how late, and what came
// of it.
func summary(d *foreign.Draft, load foreign.Node) string {
	o := d.Record.Outcomes
	var parts []string
	for _, c := range []struct {
		n    evidence.Known[int64]
		word string
	}{{o.Sent, "requests started"}, {o.Completed, "succeeded"}, {o.Failed, "failed"}} {
		if n, ok := c.n.Get(); ok {
			parts = append(parts, measure.FormatCount(n)+" "+c.word)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, ", ") + "."
	asked := load.Get("requested_rate")
	if achieved, ok := load.Get("achieved_rate").Float(); ok && asked.IsNumber() {
		text += fmt.Sprintf(" Asked for %s/s, %.4g/s were started.", asked.Text, achieved)
	}
	if late, ok := load.Get("schedule_delay", "mean").Float(); ok {
		text += fmt.Sprintf(" They were started %.3g s after they were due, in the mean; no latency has that wait in it.", late)
	}
	return text
}

// apart is the factor from which the tool's time per token and the one by its
// other means are not of the same tokens.
const apart = 1.5

// stamped holds the tool's time per token against the one that its other means
// give: early versions stamped lines of the stream that hold no token.
func stamped(d *foreign.Draft, n foreign.Node) {
	lat := n.Get("successes", "latency")
	each, ok1 := lat.Get("time_per_output_token", "mean").Float()
	whole, ok2 := lat.Get("request_latency", "mean").Float()
	first, ok3 := lat.Get("time_to_first_token", "mean").Float()
	out, ok4 := d.Record.Workload.OutputTokens.Get()
	if !ok1 || !ok2 || !ok3 || !ok4 || each <= 0 || out.Sum <= out.N {
		return
	}
	mean := float64(out.Sum) / float64(out.N)
	if by := (whole - first) / (mean - 1); by > apart*each {
		d.FactText("time per token by the means", fmt.Sprintf("%.3g s, and the tool has %.3g s: as where more lines of the stream are stamped than there are tokens", by, each),
			"(request_latency.mean − time_to_first_token.mean) ÷ (mean output length − 1)")
	}
}
