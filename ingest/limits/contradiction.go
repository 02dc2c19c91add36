package limits

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// division is a rate with the parts that it is said to be made of.
func division(v evidence.Value) (rate, numerator, seconds float64, ok bool) {
	q, _, known := measure.Kind(v.Metric)
	rate, isNumber := v.Amount.Number()
	n, hasN := v.Numerator.Get()
	d, hasD := v.Denominator.Get()
	return rate, n.Amount, d.Amount, known && q != measure.Time && isNumber && hasN && hasD && d.Unit == "s" && d.Amount > 0
}

// RateContradictsCount applies to a rate that is not the quotient of the
// numerator and the seconds that are stated beside it, by more than rounding of
// its last written digit and of that of the seconds explains.
func RateContradictsCount(v evidence.Value) Finding {
	rate, n, seconds, ok := division(v)
	if !ok {
		return when(false, evidence.RateContradictsCount)
	}
	_, half := written(v)
	half += n / seconds * halfSecond(seconds) / seconds
	off := math.Abs(n/seconds-rate) > half*(1+1e-9)+1e-12*rate
	return when(off, evidence.RateContradictsCount, shown(n, 3), shown(seconds, 3), shown(n/seconds, 2), shown(rate, 2))
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

// NumeratorIsTarget applies to an output-token rate that, as its source writes
// it, equals completed requests × output target ÷ seconds to its last digit, of
// which it has at least four: fewer agree by chance.
func NumeratorIsTarget(v evidence.Value, completed, target int64) Finding {
	none := when(false, evidence.NumeratorIsTarget)
	quantity, _, _ := measure.Kind(v.Metric)
	d, hasD := v.Denominator.Get()
	if _, isNumber := v.Amount.Number(); !isNumber || v.Original == nil || quantity != measure.OutputTokenRate || !hasD || d.Unit != "s" || d.Amount <= 0 {
		return none
	}
	if completed < 1 || target < 1 {
		return none
	}
	text, _ := written(v)
	tokens := float64(completed) * float64(target)
	return when(sameDigits(tokens/d.Amount, text), evidence.NumeratorIsTarget, measure.FormatCount(completed), measure.FormatCount(target),
		shown(tokens, 0), shown(d.Amount, 3), shown(v.Amount.X, decimals(text)))
}

// lengthTolerance is how far total ÷ output may lie from the ratio of the
// lengths before it is noted: a chat template adds a few input tokens.
const lengthTolerance = 0.02

// RatesContradictLengths applies where the ratio of the input-plus-output rate to
// the output rate is more than 2 % off that of the lengths. Counted are the
// tokens of the completed requests. Lengths that were only asked for bound the
// ratio from below: outputs shorter than their target raise it.
func RatesContradictLengths(total, output, in, out float64, counted bool) Finding {
	none := when(false, evidence.RatesContradictLengths)
	if output <= 0 || out < 1 {
		return none
	}
	ratio, want := total/output, (in+out)/out
	switch {
	case counted && math.Abs(ratio/want-1) > lengthTolerance:
		return when(true, evidence.RatesContradictLengths, shown(ratio, 2), shown(want, 2), "the counted tokens")
	case !counted && ratio < want*(1-lengthTolerance):
		return when(true, evidence.RatesContradictLengths, shown(ratio, 2), "at least "+shown(want, 2), "the lengths that were asked for")
	}
	return none
}

// Estimate is a quantity with how it was come by.
type Estimate struct {
	X     float64
	Words string
	// Whole: the whole stay of a request, not only the wait for its first token.
	Whole bool
}

// How far throughput × latency may lie from the requests outstanding. Above
// it there would be more in flight than clients; far below it the clients were
// not kept busy, or the two figures are of different things.
const (
	mostInFlight  = 1.10
	leastInFlight = 0.50
)

// InFlightImplausible is Little's law as plausibility: requests per second × time
// in the system is the number in flight, which the clients bound. It applies
// above 1.1 times the clients, and below half of them where the whole stay is
// known.
func InFlightImplausible(pace, stay Estimate, clients int64) Finding {
	n := pace.X * stay.X
	over := n > mostInFlight*float64(clients)
	under := stay.Whole && n < leastInFlight*float64(clients)
	return when(clients > 0 && (over || under), evidence.InFlightImplausible, fmt.Sprintf("%.4g", pace.X), pace.Words,
		fmt.Sprintf("%.4g", stay.X), stay.Words, fmt.Sprintf("%.1f", n), measure.FormatCount(clients))
}

// CountsDoNotAddUp applies where a ledger's stated counts contradict each other.
// Parts that are not stated may be anything from zero up.
func CountsDoNotAddUp(o evidence.Outcomes) Finding {
	var faults []string
	check := func(name string, total evidence.Known[int64], parts ...evidence.Known[int64]) {
		if fault := misfit(name, total, parts); fault != "" {
			faults = append(faults, fault)
		}
	}
	check("planned", o.Planned, o.Sent, o.NeverSent)
	check("sent", o.Sent, o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved)
	if _, ok := o.Sent.Get(); !ok {
		check("planned", o.Planned, o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved, o.NeverSent)
	}
	return when(len(faults) > 0, evidence.CountsDoNotAddUp, strings.Join(faults, "; "))
}

// misfit says how parts contradict their total; empty if they do not.
func misfit(name string, total evidence.Known[int64], parts []evidence.Known[int64]) string {
	t, ok := total.Get()
	if !ok {
		return ""
	}
	sum, all := int64(0), true
	for _, p := range parts {
		n, known := p.Get()
		sum += n
		all = all && known
	}
	switch {
	case sum > t:
		return fmt.Sprintf("the parts of %s requests add up to %s, the total is %s", name, measure.FormatCount(sum), measure.FormatCount(t))
	case all && sum != t:
		return fmt.Sprintf("%s requests are %s, their parts add up to %s", name, measure.FormatCount(t), measure.FormatCount(sum))
	}
	return ""
}
