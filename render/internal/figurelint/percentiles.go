package figurelint

import (
	"fmt"
	"math"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// quantile is the quantile that a figure shows as a number, and whether it does.
func quantile(d Datum) (measure.Q, bool) {
	if d.Basis == nil || d.Gap {
		return 0, false
	}
	_, st, ok := measure.Kind(d.Basis.Value.Metric)
	if !ok {
		return 0, false
	}
	kind := d.Basis.Value.Amount.Kind
	q, ok := st.Q()
	return q, ok && (kind == evidence.Exact || kind == evidence.Quoted)
}

// taken reports whether a value was taken over from its source.
func taken(b *evidence.Value) bool { return b.Original != nil }

// survivors is L4: a percentile of the completed requests, while so many did not
// complete that the percentile of all is another.
func survivors(v View) []Finding {
	var out []Finding
	v.each(func(_ Field, l Line, d Datum) {
		q, ok := quantile(d)
		if !ok || d.Basis.Value.Completed != nil || d.Basis.Record.Kind == evidence.RepeatsRecord {
			return // the figure is over the unfinished requests as well, or of runs
		}
		lost, known := lostShare(d.Basis.Record.Outcomes)
		above := 1 - q.Share()
		if !known || lost <= above/10 {
			return
		}
		about := fmt.Sprintf("%s (%s)", v.name(l, d), measure.FormatShare(lost))
		declared := taken(d.Basis.Value) || d.Basis.Has(evidence.CompletionConditioned, evidence.FailuresExcluded, evidence.UnresolvedTail, evidence.UnboundedPercentile)
		if lost > above && q != measure.Max && !declared {
			out = append(out, fault(about, "percentile of completed requests; more than lie above it did not complete (the share in brackets), and no note says so"))
			return
		}
		out = append(out, warn(about, "of completed requests; the share in brackets of those sent did not complete and is not in it"))
	})
	return out
}

// lostShare is the share of the sent requests that did not complete, where the
// counts are known.
func lostShare(o evidence.Outcomes) (float64, bool) {
	done, ok := o.Completed.Get()
	if !ok {
		return 0, false
	}
	if sent, ok := o.Sent.Get(); ok && sent > 0 {
		return float64(max(0, sent-done)) / float64(sent), true
	}
	lost, known := int64(0), false
	for _, k := range []evidence.Known[int64]{o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved} {
		if n, ok := k.Get(); ok {
			lost, known = lost+n, true
		}
	}
	if !known || lost+done == 0 {
		return 0, false
	}
	return float64(lost) / float64(lost+done), true
}

// mixture is L5: a percentile of a latency over more requests than completed:
// failures that are fast pull it down.
func mixture(v View) []Finding {
	var out []Finding
	v.each(func(_ Field, l Line, d Datum) {
		if _, ok := quantile(d); !ok || d.Basis.Value.Completed != nil || !ofRequests(d.Basis.Value.Metric) || d.Basis.Record.Kind == evidence.RepeatsRecord {
			return
		}
		pop, ok := d.Basis.Value.Population.Get()
		done, known := d.Basis.Record.Outcomes.Completed.Get()
		if !ok || !known || pop.N <= done {
			return
		}
		about := fmt.Sprintf("%s (%s of %s)", v.name(l, d), measure.FormatCount(pop.N), measure.FormatCount(done))
		const what = "over more requests than completed (in brackets): those that failed fast pull a percentile down"
		if taken(d.Basis.Value) {
			out = append(out, warn(about, what))
			return
		}
		out = append(out, fault(about, what))
	})
	return out
}

// ofRequests reports whether a latency has one value a completed request.
func ofRequests(id measure.MetricID) bool {
	m, ok := measure.Lookup(id)
	if !ok {
		return false
	}
	switch m.Base {
	case "ttft", "ttft_due", "ttfa", "tpot", "e2e", "e2e_due":
		return true
	}
	return false
}

// precision is L12: a percentile beyond what the number of requests supports, or
// more digits than an interval does.
func precision(v View) []Finding {
	var out []Finding
	v.each(func(f Field, l Line, d Datum) {
		if q, ok := quantile(d); ok && d.Basis.Record.Kind != evidence.RepeatsRecord {
			out = append(out, beyond(v.name(l, d), q, d)...)
		}
		if d.Basis == nil || v.Chart || taken(d.Basis.Value) {
			return
		}
		iv, ok := d.Basis.Value.Interval.Get()
		if n, half, isNumber := number(d.Text); ok && isNumber && digitsBeyond(n, 2*half, (iv.High-iv.Low)*factorOf(f.Unit)) {
			out = append(out, fault(v.name(l, d), "shown as %s, with more digits than its interval of %s supports", d.Text,
				measure.Scale(d.Basis.Value.Metric, iv.High-iv.Low).TextUnit(iv.High-iv.Low)))
		}
	})
	return out
}

// beyond holds a percentile against the number of values that it was taken of.
func beyond(name string, q measure.Q, d Datum) []Finding {
	n := int64(-1)
	if pop, ok := d.Basis.Value.Population.Get(); ok {
		n = pop.N
	}
	need := measure.MinN(q)
	if n < 0 || n >= need || q <= measure.Q50 || q == measure.Max {
		return nil
	}
	about := fmt.Sprintf("%s (%s of %s)", name, measure.FormatCount(n), measure.FormatCount(need))
	if !taken(d.Basis.Value) && !d.Basis.Has(evidence.TooFewRequests) {
		return []Finding{fault(about, "a number, where there are fewer requests than an interval of it needs (in brackets), and no note says so")}
	}
	return []Finding{warn(about, "fewer requests than an interval of it needs (in brackets)")}
}

func factorOf(unit string) float64 {
	switch unit {
	case "ms":
		return 1e3
	case "µs":
		return 1e6
	case "ns":
		return 1e9
	}
	return 1
}

// digitsBeyond reports whether a number, of which the last digit has this unit,
// has digits below the second one of an interval's width. Digits before the
// point are never too many, and a number near that place needs its digits not to
// be zero.
func digitsBeyond(n, unit, width float64) bool {
	if width <= 0 || math.IsInf(width, 1) || unit >= 1 {
		return false
	}
	least := math.Pow10(int(math.Floor(math.Log10(width))) - 1)
	return math.Abs(n) >= 10*least && unit < least*(1-1e-9)
}
