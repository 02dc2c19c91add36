package pack

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// Verdict is what came of one criterion for one option.
type Verdict struct {
	Criterion string
	Metric    measure.MetricID
	Bound     float64  // the limit with its tolerance, in the base unit
	AtLeast   bool     // the metric must not be below it; else not above
	Records   []string // slugs of the runs that were judged
	Outcome   Outcome
	Fig       *report.Figure // what was judged; nil for the errors and where there is none
	Says      string         // why, in a sentence
	N, Open   int64          // requests ranked, and how many of them were unfinished
	// Beside is the interval, which is not what was judged: "95 % interval 0.2 to 0.4 s".
	Beside string
	// Caution is set where the interval reaches over the limit.
	Caution bool
	Settle  string // of an undetermined one: what would settle it
	// Runs are the verdicts of single runs where there are several.
	Runs []RunVerdict
}

// Limit is the bound as machines read it.
func (v Verdict) Limit() string { return number(v.Bound) }

// Ranked is how many requests were judged, for people.
func (v Verdict) Ranked() string {
	if v.N == 0 {
		return "–"
	}
	return measure.FormatCount(v.N)
}

// Unfinished is how many of them were open, with their share.
func (v Verdict) Unfinished() string {
	if v.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%s (%s)", measure.FormatCount(v.Open), measure.FormatShare(float64(v.Open)/float64(v.N)))
}

// RunVerdict is the verdict on one of several runs.
type RunVerdict struct {
	Record  report.Link
	Outcome Outcome
	Says    string
}

// finding is the verdict on one run.
type finding struct {
	outcome Outcome
	says    string
	n, open int64
	beside  string
	caution bool
	settle  string
}

// judge holds one run against a criterion.
func judge(c Criterion, r *evidence.Record) finding {
	if c.Metric == ErrorShare {
		return judgeErrors(c, r)
	}
	v, ok := r.Value(c.Metric)
	if !ok {
		return finding{outcome: Undetermined, says: "The record does not state it.", settle: "A run that measures it."}
	}
	if c.latency() {
		return judgeLatency(c, r, v)
	}
	return judgeRate(c, v)
}

// judgeLatency judges by the bounds of the percentile over all requests that
// completed or were still open. Requests that failed have no latency: they are
// counted by a criterion of their own.
func judgeLatency(c Criterion, r *evidence.Record, v evidence.Value) finding {
	limit := c.Bound()
	scale := measure.Scale(c.Metric, limit, v.Amount.X)
	b := v.Bounds
	if b == nil {
		why := v.Amount.Reason
		if why == "" {
			why = "no bounds over all sent requests are stated"
		}
		return finding{outcome: Undetermined, says: "There is no percentile to judge: " + why + ".", settle: "A run with requests that complete."}
	}
	f := finding{n: b.N, open: openOf(v)}
	m, _ := measure.Lookup(c.Metric)
	q, _ := m.Stat.Q()
	if need := measure.MinN(q); b.N < need && q > measure.Q50 && q < measure.Max {
		f.outcome = Undetermined
		f.says = fmt.Sprintf("Too few requests: %s of the %s that an interval of this percentile needs.", measure.FormatCount(b.N), measure.FormatCount(need))
		f.settle = fmt.Sprintf("%s requests or more in one run: %s more than now.", measure.FormatCount(need), measure.FormatCount(need-b.N))
		return f
	}
	f.interval(v, limit, scale)
	upper, lower := b.Upper, b.Lower
	switch {
	case upper.Kind == evidence.Exact && upper.X <= limit:
		f.outcome = Pass
		f.says = fmt.Sprintf("The upper bound, %s, is not above %s.", scale.TextUnit(upper.X), scale.TextUnit(limit))
	case (lower.Kind == evidence.Exact || lower.Kind == evidence.AtLeast) && lower.X > limit:
		f.outcome = Fail
		f.says = fmt.Sprintf("The lower bound, %s, is above %s.", scale.TextUnit(lower.X), scale.TextUnit(limit))
	default:
		f.outcome = Undetermined
		end := "has no upper bound"
		if upper.Kind == evidence.Exact {
			end = "can be up to " + scale.TextUnit(upper.X)
		}
		f.says = fmt.Sprintf("The percentile is at least %s and %s, so %s may lie on either side: %s of %s requests were unfinished.",
			scale.TextUnit(lower.X), end, scale.TextUnit(limit), measure.FormatCount(f.open), measure.FormatCount(f.n))
		f.settle = settle(q, tally(c, r, *b, f.open))
	}
	return f
}

// openOf is how many of the ranked requests were unfinished.
func openOf(v evidence.Value) int64 {
	if v.Completed == nil || v.Bounds == nil {
		return 0
	}
	return v.Bounds.N - v.Completed.N
}

// interval puts the sampling interval beside a verdict.
func (f *finding) interval(v evidence.Value, limit float64, scale measure.Scaler) {
	iv, ok := v.Interval.Get()
	if !ok {
		f.beside = "no interval: " + v.Interval.Note()
		return
	}
	f.beside = fmt.Sprintf("%s: %s to %s", iv.Kind, scale.Text(iv.Low), scale.TextUnit(iv.High))
	f.caution = iv.Low <= limit && limit < iv.High
}

// judgeRate judges a rate. One that is a lower bound can pass; it cannot fail.
func judgeRate(c Criterion, v evidence.Value) finding {
	limit := c.Bound()
	scale := measure.Scale(c.Metric, limit, v.Amount.X)
	f := finding{}
	if p, ok := v.Population.Get(); ok {
		f.n = p.N
	}
	f.interval(v, limit, scale)
	got, want := scale.Text(v.Amount.X), scale.TextUnit(limit)
	switch {
	case v.Amount.Kind == evidence.Exact && v.Amount.X >= limit:
		f.outcome, f.says = Pass, fmt.Sprintf("%s is not below %s.", got, want)
	case v.Amount.Kind == evidence.Exact:
		f.outcome, f.says = Fail, fmt.Sprintf("%s is below %s.", got, want)
	case v.Amount.Kind == evidence.AtLeast && v.Amount.X >= limit:
		f.outcome, f.says = Pass, fmt.Sprintf("At least %s, which is not below %s.", got, want)
	default:
		f.outcome, f.says = Undetermined, fmt.Sprintf("It is not known to %s.", want)
		f.settle = "A run in which every completed request comes with its token count."
	}
	return f
}

// judgeErrors judges the share of the sent requests that ended without an answer.
// What was still open may yet have failed: it counts in the upper bound.
func judgeErrors(c Criterion, r *evidence.Record) finding {
	o := r.Outcomes
	sent, known := o.Sent.Get()
	bad := int64(0)
	for _, k := range []evidence.Known[int64]{o.Failed, o.Rejected, o.TimedOut, o.Cancelled} {
		n, ok := k.Get()
		known = known && ok
		bad += n
	}
	open, ok := o.Unresolved.Get()
	if !known || !ok || sent == 0 {
		return finding{outcome: Undetermined, says: "Not every count of outcomes is stated, or nothing was sent.", settle: "A record with its whole ledger."}
	}
	f := finding{n: sent, open: open}
	limit := c.Bound()
	lower, upper := float64(bad)/float64(sent), float64(bad+open)/float64(sent)
	low, _ := measure.ShareInterval(bad, sent)
	_, high := measure.ShareInterval(bad+open, sent)
	f.beside = fmt.Sprintf("95 %% interval of a share, requests taken as independent: %s to %s", measure.FormatShare(low), measure.FormatShare(high))
	if open > 0 {
		f.beside += ", from none of the unresolved ones having failed to all"
	}
	f.caution = low <= limit && limit < high
	counts := fmt.Sprintf("%s of %s sent requests failed, were rejected, timed out or were cancelled", measure.FormatCount(bad), measure.FormatCount(sent))
	if open > 0 {
		counts += fmt.Sprintf(" and %s were unresolved", measure.FormatCount(open))
	}
	switch {
	case upper <= limit:
		f.outcome, f.says = Pass, fmt.Sprintf("%s: %s%s.", counts, bound("at most ", open), measure.FormatShare(upper))
	case lower > limit:
		f.outcome, f.says = Fail, fmt.Sprintf("%s: %s%s.", counts, bound("at least ", open), measure.FormatShare(lower))
	default:
		f.outcome = Undetermined
		f.says = fmt.Sprintf("%s: from %s to %s.", counts, measure.FormatShare(lower), measure.FormatShare(upper))
		f.settle = settleErrors(limit, bad, open, sent)
	}
	return f
}

// bound is the side of a share while requests are open; none is, where all ended.
func bound(side string, open int64) string {
	if open == 0 {
		return ""
	}
	return side
}

// joinRuns is the verdict over several runs of one point: they all pass or they
// all fail, or it is undetermined.
func joinRuns(c Criterion, runs []*evidence.Record, link func(*evidence.Record) report.Link) Verdict {
	v := Verdict{Criterion: c.Name, Metric: c.Metric, Bound: c.Bound(), AtLeast: c.AtLeast, Outcome: Undetermined}
	counts := map[Outcome]int{}
	var last finding
	for _, r := range runs {
		f := judge(c, r)
		v.Records = append(v.Records, r.Slug)
		counts[f.outcome]++
		v.N, v.Open, v.Caution = v.N+f.n, v.Open+f.open, v.Caution || f.caution
		v.Runs = append(v.Runs, RunVerdict{Record: link(r), Outcome: f.outcome, Says: f.says})
		last = f
	}
	if len(runs) == 1 {
		v.Outcome, v.Says, v.Beside, v.Settle, v.Runs = last.outcome, last.says, last.beside, last.settle, nil
		return v
	}
	var said []string
	for _, o := range []Outcome{Pass, Fail, Undetermined} {
		if counts[o] == len(runs) {
			v.Outcome = o
		}
		if counts[o] > 0 {
			said = append(said, fmt.Sprintf("%d of %d runs: %s", counts[o], len(runs), o))
		}
	}
	v.Says = strings.Join(said, "; ") + "."
	if v.Outcome == Undetermined {
		v.Settle = "Runs that agree: a criterion passes if every run of the point passes, and fails if every one fails."
	}
	return v
}

// combine is the verdict over several criteria: one that fails decides, then one
// that is undetermined.
func combine(outcomes []Outcome) Outcome {
	for _, o := range []Outcome{Fail, Undetermined, NotCompared} {
		if slices.Contains(outcomes, o) {
			return o
		}
	}
	if len(outcomes) == 0 {
		return NotCompared
	}
	return Pass
}
