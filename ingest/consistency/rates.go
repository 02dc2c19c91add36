package consistency

import (
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// durations marks each rate whose denominator is not known.
func durations(r evidence.Record) []evidence.Limit {
	var out []evidence.Limit
	for _, v := range r.Values {
		if isRate(v) {
			out = append(out, limits.DurationNotStated(v.Denominator).At(string(v.Metric))...)
		}
	}
	return out
}

// derivedValues marks each figure of a record that holds values worked out from
// others.
func derivedValues(r evidence.Record) []evidence.Limit {
	var out []evidence.Limit
	for _, v := range r.Values {
		out = append(out, limits.DerivedValue(r.Class).At(string(v.Metric))...)
	}
	return out
}

// rates holds each rate against the parts that are stated beside it.
func rates(r evidence.Record) []evidence.Limit {
	completed, _ := r.Outcomes.Completed.Get()
	target, _ := r.Workload.OutputTokensAsked.Get()
	var out []evidence.Limit
	for _, v := range r.Values {
		at := string(v.Metric)
		out = append(out, limits.RateContradictsCount(v).At(at)...)
		out = append(out, limits.NumeratorIsTarget(v, completed, target).At(at)...)
		w, hasWindow := v.Window.Get()
		d, hasSeconds := v.Denominator.Get()
		if isRate(v) && hasWindow && hasSeconds && d.Unit == "s" {
			out = append(out, limits.WindowNotDenominator(w.Seconds, d.Amount).At(at)...)
		}
	}
	return out
}

// ratesAgainstLengths compares the ratio of the input-plus-output rate to the
// output rate with that of the lengths: the actual ones where they are stated,
// else those that were asked for.
func ratesAgainstLengths(r evidence.Record) []evidence.Limit {
	const at = measure.MetricID("total_token_rate")
	total, hasTotal := number(r, at)
	output, hasOutput := number(r, "output_token_rate")
	if !hasTotal || !hasOutput {
		return nil
	}
	if in, out, ok := actualTokens(r); ok {
		return limits.RatesContradictLengths(total, output, in, out, true).At(string(at))
	}
	in, hasIn := r.Workload.InputTokensAsked.Get()
	out, hasOut := r.Workload.OutputTokensAsked.Get()
	if !hasIn || !hasOut {
		return nil
	}
	return limits.RatesContradictLengths(total, output, float64(in), float64(out), false).At(string(at))
}

func actualTokens(r evidence.Record) (in, out float64, ok bool) {
	i, hasIn := r.Workload.InputTokens.Get()
	o, hasOut := r.Workload.OutputTokens.Get()
	if !hasIn || !hasOut || o.Sum < 1 {
		return 0, 0, false
	}
	return float64(i.Sum), float64(o.Sum), true
}
