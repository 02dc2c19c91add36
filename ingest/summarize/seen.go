package summarize

import (
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// seen is what the limits of a run are decided on: plain data, so that each
// trigger is a function of it alone.
type seen struct {
	simulated   bool
	interrupted bool
	note        string
	stated      reqlog.Ledger // as the manifest has it
	ledger      reqlog.Ledger // as the rows have it, planned by the manifest
	oddRows     int64         // rows of no known phase
	verdict     reqlog.Verdict
	reasons     []string

	open        bool
	concurrency int64 // closed loop
	peak        int64
	rate        string // open loop, as asked
	onTime      int64
	resent      int64
	early, late float64 // mean requests in flight, second and last quarter of sending
	quarters    bool    // early and late are known
	drainShare  float64 // of the observation window; 0 without one

	cache        evidence.Cache
	prompts      int64 // measured, with a hash
	promptsAgain int64 // of them sent before, in warm-up or among the measured
	noCount      int64 // completed without a token count
	askedIn      int64
	askedOut     int64
	inputs       evidence.Spread
	outputs      evidence.Spread
	underTwo     int64 // completed with fewer than two output tokens
	tokens       int64 // of completed requests with a count
	chunks       int64 // of the same
	nearGaps     int64 // between chunks, under 1 ms
	gaps         int64
	notAnswer    int64 // completed, with a first token that was not the answer's
	notStated    []string
	quantized    *bool
	precision    evidence.Known[string]
	quality      evidence.Known[string]
	planned      bool // the run has a plan, which says what comes before measuring
	warmup       limits.Warmup
	wallStep     int64
	noDone       int64 // completed without the end mark
}

// lateNS is how late a request may be sent and still be on time. Ten times the
// lag of a busy but sound client, and too short to change a rate.
const lateNS = 50_000_000

// nearNS is a gap between two chunks that a client reads as none: they were in
// one buffer.
const nearNS = 1_000_000

func (r *run) look() seen {
	s := seen{
		simulated: r.m.Simulated, interrupted: r.m.State != reqlog.Complete, note: r.m.Note,
		stated: r.m.Ledger, ledger: r.ledger, oddRows: r.unknownPhase, verdict: r.m.Health.Verdict, reasons: r.m.Health.Reasons,
		open: r.open(), concurrency: int64(r.m.Point.Concurrency),
		cache: r.evidenceCache(), noCount: r.noCount, prompts: int64(len(r.prompts)),
		askedIn: int64(r.m.Point.InputTokens), askedOut: int64(r.m.Point.OutputTokens), inputs: r.inputs, outputs: r.outputs,
		quantized: r.spec.Profile.Quantized, precision: r.stated(r.spec.Profile.Precision, "precision"), quality: r.quality(),
		gaps: r.gaps.N, nearGaps: r.nearGaps, wallStep: r.m.Health.WallStepNS,
		planned: r.m.Plan != "", warmup: limits.Warmup{Planned: r.warmup.Planned, Open: r.warmup.Unresolved},
	}
	s.promptsAgain = again(r.prompts, r.warmPrompts)
	if s.open {
		s.rate = measure.Scale("sent_rate", r.m.Point.Rate.PerSecond()).TextUnit(r.m.Point.Rate.PerSecond())
	}
	for i := range r.entries {
		r.lookAt(&s, &r.entries[i])
	}
	if w := r.m.Windows; r.windows.observed.IsValid() && w.ObservedToNS > w.SendEndNS {
		s.drainShare = measure.Seconds(w.ObservedToNS-max(w.SendEndNS, w.MeasureFromNS)) / r.windows.observed.Seconds()
	}
	s.early, s.late, s.quarters = r.quarters()
	if s.precision.State() != evidence.StateStated {
		s.notStated = append(s.notStated, "precision")
	}
	if s.askedIn <= 0 {
		s.notStated = append(s.notStated, "input length")
	}
	if s.askedOut <= 0 {
		s.notStated = append(s.notStated, "output length")
	}
	if !s.open && s.concurrency <= 0 {
		s.notStated = append(s.notStated, "concurrency")
	}
	return s
}

func (r *run) lookAt(s *seen, e *entry) {
	s.peak = max(s.peak, int64(e.inFlight))
	if e.resent {
		s.resent++
	}
	if e.outcome != reqlog.NeverSent && e.sent != none && e.sent-e.due <= lateNS {
		s.onTime++
	}
	if e.outcome != reqlog.Completed {
		return
	}
	if !e.sawDone && e.finished {
		s.noDone++
	}
	if s.planned && e.first != none && e.answer != e.first {
		s.notAnswer++
	}
	if !r.counted(e) {
		return
	}
	if e.out < 2 {
		s.underTwo++
	}
	s.tokens += e.out
	s.chunks += int64(e.chunks)
}

// quarters is the mean number of requests in flight in the second and in the
// last quarter of the sending window; not known for fewer than 8 bins of it.
func (r *run) quarters() (early, late float64, ok bool) {
	t := r.timeline()
	if t == nil || !r.windows.sending.IsValid() {
		return 0, 0, false
	}
	n := min(len(t.InFlight), int(r.windows.sending.Seconds()/t.BinSeconds))
	if n < 8 {
		return 0, 0, false
	}
	mean := func(bins []int64) float64 {
		var sum int64
		for _, b := range bins {
			sum += b
		}
		return float64(sum) / float64(len(bins))
	}
	return mean(t.InFlight[n/4 : n/2]), mean(t.InFlight[n*3/4 : n]), true
}

// void reports whether the record must not be read as a measurement, and why.
func (f found) void() (bool, string) {
	var why []string
	for _, x := range f {
		info, _ := evidence.Info(x.Code())
		if info.Severity != evidence.Invalidates {
			continue
		}
		for _, l := range x.Record() {
			why = append(why, lowerFirst(info.Title)+": "+strings.Join(l.Args, ", "))
		}
	}
	return len(why) > 0, strings.Join(why, "; ")
}

// lowerFirst makes the first ASCII letter a small one.
func lowerFirst(s string) string {
	if s != "" && s[0] >= 'A' && s[0] <= 'Z' {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}
