package summarize

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
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

	cache     measure.CacheState
	cached    evidence.CacheMeasure
	noCount   int64 // completed without a token count
	askedIn   int64
	askedOut  int64
	inputs    evidence.Spread
	outputs   evidence.Spread
	underTwo  int64 // completed with fewer than two output tokens
	tokens    int64 // of completed requests with a count
	chunks    int64 // of the same
	notStated []string
	noQuality bool
	wallStep  int64
	noDone    int64 // completed without the end mark
}

// lateNS is how late a request may be sent and still be on time. Ten times the
// lag of a busy but sound client, and too short to change a rate.
const lateNS = 50_000_000

func (r *run) look() seen {
	s := seen{
		simulated: r.m.Simulated, interrupted: r.m.State != reqlog.Complete, note: r.m.Note,
		stated: r.m.Ledger, ledger: r.ledger, oddRows: r.unknownPhase, verdict: r.m.Health.Verdict, reasons: r.m.Health.Reasons,
		open: r.open(), concurrency: int64(r.m.Point.Concurrency),
		cache: r.cache, cached: r.cached, noCount: r.noCount,
		askedIn: int64(r.m.Point.InputTokens), askedOut: int64(r.m.Point.OutputTokens), inputs: r.inputs, outputs: r.outputs,
		noQuality: r.spec.Quality.Check == "" || r.spec.Quality.Check == noQuality, wallStep: r.m.Health.WallStepNS,
	}
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
	if r.spec.Profile.Precision == "" {
		if known, _ := r.fact("precision"); known.State() != evidence.StateStated {
			s.notStated = append(s.notStated, "precision")
		}
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

// unbalanced says how the ledger does not balance; empty if it does.
func (s seen) unbalanced() string {
	n := measure.FormatCount
	l := s.ledger
	switch {
	case s.oddRows > 0:
		return fmt.Sprintf("%s rows of the log belong to no phase", n(s.oddRows))
	case l.Planned != l.Sent+l.NeverSent:
		return fmt.Sprintf("%s planned, but %s sent and %s never sent", n(l.Planned), n(l.Sent), n(l.NeverSent))
	case !l.Balances():
		return fmt.Sprintf("%s sent, but the outcomes add up to %s", n(l.Sent), n(l.Completed+l.Failed+l.Rejected+l.TimedOut+l.Cancelled+l.Unresolved))
	case l != s.stated:
		return "the manifest's ledger counts other outcomes than the rows of the log (" + difference(s.stated, l) + ")"
	default:
		return ""
	}
}

// difference names the first count in which two ledgers differ.
func difference(manifest, rows reqlog.Ledger) string {
	for _, x := range []struct {
		name string
		a, b int64
	}{
		{"sent", manifest.Sent, rows.Sent}, {"completed", manifest.Completed, rows.Completed}, {"failed", manifest.Failed, rows.Failed},
		{"rejected", manifest.Rejected, rows.Rejected}, {"timed out", manifest.TimedOut, rows.TimedOut},
		{"cancelled", manifest.Cancelled, rows.Cancelled}, {"unresolved", manifest.Unresolved, rows.Unresolved},
		{"never sent", manifest.NeverSent, rows.NeverSent},
	} {
		if x.a != x.b {
			return fmt.Sprintf("%s %s against %s", measure.FormatCount(x.a), x.name, measure.FormatCount(x.b))
		}
	}
	return "planned differs"
}

// void reports whether the record must not be read as a measurement, and why.
func (s seen) void() (bool, string) {
	var why []string
	if u := s.unbalanced(); u != "" {
		why = append(why, "the ledger does not balance: "+u)
	}
	if s.verdict == reqlog.Void {
		why = append(why, "the load generator was the bottleneck: "+reasonWords(s.reasons))
	}
	return len(why) > 0, strings.Join(why, "; ")
}

func reasonWords(reasons []string) string {
	if len(reasons) == 0 {
		return "no reason recorded"
	}
	words := make([]string, len(reasons))
	for i, r := range reasons {
		words[i] = strings.TrimSuffix(r, ".")
	}
	return strings.Join(words, "; ")
}
