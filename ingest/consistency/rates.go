package consistency

import (
	"math"
	"strconv"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// durationNotStated marks each rate whose denominator is not known.
func durationNotStated(r evidence.Record) []evidence.Limit {
	var out []evidence.Limit
	for _, v := range r.Values {
		if _, ok := v.Denominator.Get(); !ok && isRate(v) {
			out = append(out, note(evidence.DurationNotStated, string(v.Metric)))
		}
	}
	return out
}

// derivedValues marks each figure of a record that holds values worked out from
// others.
func derivedValues(r evidence.Record) []evidence.Limit {
	if r.Class != evidence.DerivedClass {
		return nil
	}
	var out []evidence.Limit
	for _, v := range r.Values {
		out = append(out, note(evidence.DerivedValue, string(v.Metric)))
	}
	return out
}

// rateAgainstCount compares a rate with the numerator and denominator that are
// stated beside it.
func rateAgainstCount(r evidence.Record) []evidence.Limit {
	var out []evidence.Limit
	for _, v := range r.Values {
		x, isExact := exact(v)
		n, hasN := v.Numerator.Get()
		d, hasD := v.Denominator.Get()
		if !isExact || !isRate(v) || !hasN || !hasD || d.Unit != "s" || d.Amount <= 0 {
			continue
		}
		_, half := written(v)
		half += n.Amount / d.Amount * halfSecond(d.Amount) / d.Amount
		if math.Abs(n.Amount/d.Amount-x) > half*(1+1e-9)+1e-12*x {
			out = append(out, note(evidence.RateContradictsCount, string(v.Metric),
				shown(n.Amount, 3), shown(d.Amount, 3), shown(n.Amount/d.Amount, 2), shown(x, 2)))
		}
	}
	return out
}

// halfSecond is by how much a stated time may be rounded: half of its last
// digit. A whole number of seconds may be one with two digits behind the point,
// as tools print times.
func halfSecond(seconds float64) float64 {
	d := decimals(strconv.FormatFloat(seconds, 'f', -1, 64))
	if d == 0 {
		d = 2
	}
	return 0.5 * math.Pow10(-d)
}

// numeratorIsTarget looks for an output-token rate, as a source writes it, that equals completed
// requests × output target ÷ seconds to the last digit that is written.
func numeratorIsTarget(r evidence.Record) []evidence.Limit {
	completed, hasCompleted := r.Outcomes.Completed.Get()
	target, hasTarget := r.Workload.OutputTokensAsked.Get()
	if !hasCompleted || !hasTarget || completed < 1 || target < 1 {
		return nil
	}
	var out []evidence.Limit
	for _, v := range r.Values {
		quantity, _, _ := measure.Kind(v.Metric)
		d, hasD := v.Denominator.Get()
		if _, isExact := exact(v); !isExact || v.Original == nil || quantity != measure.OutputTokenRate || !hasD || d.Unit != "s" || d.Amount <= 0 {
			continue
		}
		text, _ := written(v)
		tokens := float64(completed) * float64(target)
		if sameDigits(tokens/d.Amount, text) {
			out = append(out, note(evidence.NumeratorIsTarget, string(v.Metric), measure.FormatCount(completed), measure.FormatCount(target),
				shown(tokens, 0), shown(d.Amount, 3), shown(v.Amount.X, decimals(text))))
		}
	}
	return out
}

// leastDigits is how many digits a written rate must have before agreeing in
// all of them says anything.
const leastDigits = 4

// sameDigits reports whether a number, rounded to the decimals of a text,
// reads as that text.
func sameDigits(x float64, text string) bool {
	n := 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n >= leastDigits && strconv.FormatFloat(x, 'f', decimals(text), 64) == text
}

func decimals(text string) int {
	for i := range len(text) {
		if text[i] == '.' {
			return len(text) - i - 1
		}
	}
	return 0
}

// lengthTolerance is how far total ÷ output may lie from the ratio of the
// lengths before it is noted: a chat template adds a few input tokens.
const lengthTolerance = 0.02

// ratesAgainstLengths compares the ratio of the input-plus-output rate to the
// output rate with that of the lengths. Outputs shorter than the target raise
// the ratio, so only the actual lengths can contradict it upwards; the asked
// ones bound it from below.
func ratesAgainstLengths(r evidence.Record) []evidence.Limit {
	total, hasTotal := number(r, "total_token_rate")
	output, hasOutput := number(r, "output_token_rate")
	if !hasTotal || !hasOutput || output <= 0 {
		return nil
	}
	ratio := total / output
	where := "total_token_rate"
	if in, out, ok := actualTokens(r); ok {
		want := (in + out) / out
		if math.Abs(ratio/want-1) > lengthTolerance {
			return []evidence.Limit{note(evidence.RatesContradictLengths, where, shown(ratio, 2), shown(want, 2), "the counted tokens")}
		}
		return nil
	}
	in, hasIn := r.Workload.InputTokensAsked.Get()
	out, hasOut := r.Workload.OutputTokensAsked.Get()
	if !hasIn || !hasOut || out < 1 {
		return nil
	}
	if want := float64(in+out) / float64(out); ratio < want*(1-lengthTolerance) {
		return []evidence.Limit{note(evidence.RatesContradictLengths, where, shown(ratio, 2), "at least "+shown(want, 2), "the lengths that were asked for")}
	}
	return nil
}

func actualTokens(r evidence.Record) (in, out float64, ok bool) {
	i, hasIn := r.Workload.InputTokens.Get()
	o, hasOut := r.Workload.OutputTokens.Get()
	if !hasIn || !hasOut || o.Sum < 1 {
		return 0, 0, false
	}
	return float64(i.Sum), float64(o.Sum), true
}
