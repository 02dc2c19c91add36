package pack

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Part is which number of a figure a term takes.
type Part string

// The parts.
const (
	TheValue       Part = "value"
	TheNumerator   Part = "numerator"
	TheDenominator Part = "denominator"
)

// Ref is where in the evidence a term's number stands.
type Ref struct {
	Record string
	Metric measure.MetricID
	Part   Part
}

// Term is one number of a computation, with where it is from.
type Term struct {
	// Key names the number in a spreadsheet: terms of one option with one key are
	// one cell.
	Key   string
	Label string
	Value float64
	Unit  string
	// Below: the product is divided by it.
	Below bool
	Said  Said
	// Fixed: the number is what it is, whatever else turns out otherwise.
	Fixed  bool
	Source string // of a number that is not measured
	// From are the parts of records that add up to a measured number.
	From []Ref
}

// Text is the term's number for people.
func (t Term) Text() string { return digits(t.Value, 6) }

// Computation is a number that the pack computes: a sum of products of terms.
type Computation struct {
	ID    string // unique in the document
	Of    string // the option, and the load where it is a cost
	Label string
	Unit  string
	Value float64
	// AtMost: tokens of some completed requests were not counted, so the number
	// is an upper bound.
	AtMost bool
	Sum    [][]Term
	Rule   string // what it is, in a sentence
}

// Text is the computed number for people, four significant digits.
func (c Computation) Text() string {
	if c.AtMost {
		return "≤ " + digits(c.Value, 4)
	}
	return digits(c.Value, 4)
}

// Number is the value as machines read it.
func (c Computation) Number() string { return strconv.FormatFloat(c.Value, 'g', -1, 64) }

// Formula is the computation with its numbers: "0.18 s + 250 tokens × 0.022 s".
func (c Computation) Formula() string {
	products := make([]string, len(c.Sum))
	for i, p := range c.Sum {
		var b strings.Builder
		for k, t := range p {
			switch {
			case t.Below:
				b.WriteString(" ÷ ")
			case k > 0:
				b.WriteString(" × ")
			}
			b.WriteString(t.Text())
			if t.Unit != "" {
				b.WriteString(" " + t.Unit)
			}
		}
		products[i] = b.String()
	}
	return strings.Join(products, " + ")
}

// evaluate computes the value from the terms.
func evaluate(sum [][]Term) float64 {
	total := 0.0
	for _, p := range sum {
		total += product(p)
	}
	return total
}

func product(terms []Term) float64 {
	x := 1.0
	for _, t := range terms {
		if t.Below {
			x /= t.Value
		} else {
			x *= t.Value
		}
	}
	return x
}

func computation(id, of, label, unit, rule string, sum ...[]Term) *Computation {
	return &Computation{ID: id, Of: of, Label: label, Unit: unit, Value: evaluate(sum), Sum: sum, Rule: rule}
}

// digits writes a number with so many significant digits, with separators, and
// without a decimal part that would be longer than its digits need.
func digits(x float64, n int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return number(x)
	}
	after := n - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	text := strconv.FormatFloat(x, 'f', max(0, after), 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, rest, point := strings.Cut(text, ".")
	if v, err := strconv.ParseInt(whole, 10, 64); err == nil && !strings.HasPrefix(whole, "-") {
		whole = measure.FormatCount(v)
	}
	if point {
		return whole + "." + rest
	}
	return whole
}

const (
	secondsPerHour = 3600
	million        = 1e6
)

func constant(key, label string, x float64, unit string, below bool) Term {
	return Term{Key: key, Label: label, Value: x, Unit: unit, Below: below, Said: Constant, Fixed: true}
}

// below is the term as a divisor.
func below(t Term) Term {
	t.Below = true
	return t
}

// costs computes what runs cost over their whole observation windows: the time of
// failed requests is paid for, and only completed ones are counted. Runs of one
// point add up. Key begins the keys of the option's terms, id the IDs of the
// computations; of says whose they are.
func costs(o Option, key, id, of string, runs []*evidence.Record) Costs {
	if o.Price == nil {
		return Costs{None: "no price is stated"}
	}
	for _, r := range runs {
		if n, ok := r.Subject.Accelerators.Get(); ok && n != o.Price.GPUs {
			return Costs{None: fmt.Sprintf("record %s has %s accelerators, the price is for %s", r.Slug, measure.FormatCount(n), measure.FormatCount(o.Price.GPUs))}
		}
	}
	window, err := summed(runs, "request_rate", TheDenominator)
	done, err2 := summed(runs, "request_rate", TheNumerator)
	tokens, err3 := summed(runs, "output_token_rate", TheNumerator)
	for _, e := range []error{err, err2, err3} {
		if e != nil {
			return Costs{None: e.Error()}
		}
	}
	window.Key, window.Label, window.Fixed = id+"-window", "observation window", true
	done.Key, done.Label, done.Unit = id+"-completed", "completed requests", "requests"
	tokens.Key, tokens.Label, tokens.Unit = id+"-tokens", "completed output tokens", "output tokens"
	money := priceTerms(o, key, runs)
	money = append(money, window, constant("hour", "seconds of an hour", secondsPerHour, "s", true))
	unit := o.Price.Currency
	c := Costs{Interval: computation(id+"-interval", of, "Cost of the interval", unit,
		"Price of a GPU-hour × GPUs of a replica ÷ utilisation, for the observation window. Failed requests are paid for.", money)}
	if done.Value > 0 {
		each := append(money[:len(money):len(money)], below(done))
		c.PerRequest = computation(id+"-request", of, "Cost of a successful request", unit, "Cost of the interval ÷ requests that completed in it.", each)
		c.PerThousand = computation(id+"-thousand", of, "Cost of a thousand successful requests", unit, "Cost of a successful request, times a thousand.",
			append(each[:len(each):len(each)], constant("thousand", "a thousand", 1000, "", false)))
	}
	if tokens.Value > 0 {
		c.PerMillion = computation(id+"-million", of, "Cost of a million output tokens", unit,
			"Cost of the interval ÷ output tokens of requests that completed in it, times a million.",
			append(money[:len(money):len(money)], below(tokens), constant("million", "a million", million, "", false)))
		c.PerMillion.AtMost = someUncounted(runs)
	}
	return c
}

// priceTerms are the price of a replica for an hour in which it serves.
func priceTerms(o Option, key string, runs []*evidence.Record) []Term {
	p := o.Price
	gpus := Term{Key: key + "-gpus", Label: "GPUs of a replica", Value: float64(p.GPUs), Unit: "GPU", Said: Assumed, Fixed: true, Source: "pack; no record states it"}
	for _, r := range runs {
		if _, ok := r.Subject.Accelerators.Get(); ok {
			gpus.Said, gpus.Source = Measured, "pack and record "+r.Slug
		}
	}
	return []Term{
		{Key: key + "-price", Label: "price of a GPU-hour", Value: p.PerGPUHour, Unit: p.Currency, Said: p.Said, Source: p.Source + ", " + p.Date}, gpus,
		below(Term{Key: key + "-utilisation", Label: "utilisation", Value: p.Utilisation, Said: p.UtilisationSaid, Source: p.UtilisationSource}),
	}
}

// summed is a part of a metric, added up over runs.
func summed(runs []*evidence.Record, id measure.MetricID, part Part) (Term, error) {
	m, _ := measure.Lookup(id)
	t := Term{Said: Measured, Unit: "s"}
	for _, r := range runs {
		v, ok := r.Value(id)
		if !ok {
			return Term{}, fmt.Errorf("record %s states no %s", r.Slug, m.Label)
		}
		x, ok := partOf(v, part)
		if !ok {
			return Term{}, fmt.Errorf("record %s does not state the %s of its %s", r.Slug, part, m.Label)
		}
		t.Value += x
		t.From = append(t.From, Ref{Record: r.Slug, Metric: id, Part: part})
	}
	return t, nil
}

// partOf is a part of a figure as a number.
func partOf(v evidence.Value, part Part) (float64, bool) {
	k := v.Numerator
	switch part {
	case TheValue:
		return v.Amount.X, v.Amount.Kind == evidence.Exact
	case TheDenominator:
		k = v.Denominator
	case TheNumerator:
	}
	t, ok := k.Get()
	return t.Amount, ok
}

// someUncounted reports whether a token rate of one of the runs is a lower bound.
func someUncounted(runs []*evidence.Record) bool {
	for _, r := range runs {
		if v, ok := r.Value("output_token_rate"); ok && v.Amount.Kind == evidence.AtLeast {
			return true
		}
	}
	return false
}

// estimates are the arithmetic from means: what a request would take, and how many
// would be done in a second. They are estimates and no percentiles: a tail is
// measured.
func estimates(c Conditions, key, of string, r *evidence.Record) []Computation {
	var out []Computation
	length, ok := outputLength(c, r)
	if !ok {
		return nil
	}
	first, ok1 := meanTerm(key, "ttft", r)
	each, ok2 := meanTerm(key, "tpot", r)
	if ok1 && ok2 {
		out = append(out, *computation(key+"-latency", of, "Latency of a request, estimated", "s",
			"Mean time to first token + output tokens × mean time per output token. An estimate from means: it says nothing about the slow end, and no percentile follows from it.",
			[]Term{first}, []Term{length, each}))
	}
	if v, ok := r.Value("output_token_rate"); ok && v.Amount.Kind == evidence.Exact {
		rate := Term{Key: key + "-rate", Label: "output-token rate", Value: v.Amount.X, Unit: "output tokens/s", Said: Measured, From: []Ref{{r.Slug, "output_token_rate", TheValue}}}
		out = append(out, *computation(key+"-completions", of, "Completions, estimated", "requests/s",
			"Output-token rate ÷ output tokens of a request. An estimate: the measured rate of completed requests stands below.",
			[]Term{rate, below(length)}))
	}
	return out
}

// outputLength is the output length of the conditions, or the mean of what was
// measured where the conditions name a mix.
func outputLength(c Conditions, r *evidence.Record) (Term, bool) {
	if c.OutputTokens > 0 {
		return Term{Key: "output-tokens", Label: "output tokens", Value: float64(c.OutputTokens), Unit: "tokens", Said: Condition, Source: "conditions"}, true
	}
	s, ok := r.Workload.OutputTokens.Get()
	if !ok || s.N == 0 {
		return Term{}, false
	}
	return Term{Key: r.Slug + "-mean-output", Label: "mean output tokens", Value: float64(s.Sum) / float64(s.N), Unit: "tokens", Said: Measured, Source: "record " + r.Slug}, true
}

func meanTerm(key string, base measure.MetricID, r *evidence.Record) (Term, bool) {
	id := measure.ID(base, measure.Mean)
	v, ok := r.Value(id)
	if !ok || v.Amount.Kind != evidence.Exact {
		return Term{}, false
	}
	m, _ := measure.Lookup(id)
	return Term{Key: key + "-" + string(base), Label: m.Label, Value: v.Amount.X, Unit: "s", Said: Measured, From: []Ref{{r.Slug, id, TheValue}}}, true
}

// Number is the term's value as machines read it.
func (t Term) Number() string { return number(t.Value) }

// FromText is where a measured number stands, as machines read it: record, metric
// and part of each figure that is added up, with "; " between them.
func (t Term) FromText() string {
	words := make([]string, len(t.From))
	for i, r := range t.From {
		words[i] = r.Record + " " + string(r.Metric) + " " + string(r.Part)
	}
	return strings.Join(words, "; ")
}
