package pack_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/render/pack"
)

// The worked example of the literature: TTFT 180 ms, 250 output tokens of 22 ms,
// 3,600 output tokens/s and a GPU-hour that costs C. It takes about 5.7 s, makes
// about 14 completions a second, and a completion costs C ÷ (14 × 3,600).
func TestWorkedExample(t *testing.T) {
	a := base()
	a.input, a.output, a.tpot, a.ttft = 2000, 250, 22, steady(100, 180)
	records := two(t, a)
	for i, v := range records[0].Values {
		if v.Metric == "output_token_rate" {
			records[0].Values[i].Amount.X = 3600
		}
	}
	records[0] = seal(t, records[0])
	p := parsed(t, "input_tokens     = 512", "input_tokens = 2000", "output_tokens    = 16", "output_tokens = 250")
	e := built(t, p, nil, records...).Options[0].Estimate
	if len(e) != 2 {
		t.Fatalf("got %d estimates", len(e))
	}
	if got := e[0].Value; math.Abs(got-5.68) > 1e-9 {
		t.Errorf("got a latency of %v s, want 5.68", got)
	}
	if got, want := e[0].Formula(), "0.18 s + 250 tokens × 0.022 s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := e[1].Value; got != 14.4 || math.Floor(got) != 14 {
		t.Errorf("got %v completions/s, want 14.4, which is about 14", got)
	}
	for _, x := range e {
		if !strings.Contains(x.Label, "estimated") || !strings.Contains(x.Rule, "estimate") {
			t.Errorf("%q does not say that it is an estimate", x.Label)
		}
		if strings.Contains(x.Label, "p95") {
			t.Errorf("%q is a percentile from a mean", x.Label)
		}
	}
	// With the rounded 14 a second of the example: C ÷ 50,400; with 14.4: 2.8 % less.
	const c = 2.52
	if got, want := c/(math.Floor(e[1].Value)*3600), c/50_400; got != want {
		t.Errorf("got %v for a completion, want %v", got, want)
	}
}

// The cost of an interval is price × GPUs ÷ utilisation for the observation
// window; failed requests stay in it and are not counted.
func TestCost(t *testing.T) {
	clean, dirty := base(), base()
	dirty.ttft, dirty.failed = steady(198, 80), 2
	for name, a := range map[string]run{"clean": clean, "two failed": dirty} {
		records := two(t, a)
		o := built(t, parsed(t), nil, records...).Options[0]
		cost := o.Row.Cost
		if cost.Interval == nil || cost.PerRequest == nil || cost.PerMillion == nil {
			t.Fatalf("%s: got no cost: %q", name, cost.None)
		}
		window := windowOf(t, records[0])
		want := 3.2 * 1 / 0.6 * window / 3600
		near(t, name+": interval", cost.Interval.Value, want)
		near(t, name+": request", cost.PerRequest.Value, want/float64(len(a.ttft)))
		near(t, name+": million", cost.PerMillion.Value, want/float64(len(a.ttft)*16)*1e6)
		if cost.PerRequest.Unit != "EUR" {
			t.Errorf("%s: got unit %q", name, cost.PerRequest.Unit)
		}
	}
}

func windowOf(t *testing.T, r evidence.Record) float64 {
	t.Helper()
	w, ok := r.State.Window.Get()
	if !ok {
		t.Fatal("no window")
	}
	return w.Seconds
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Each term says who vouches for it, and a measured one where it stands.
func TestTermsSayWhereTheyAreFrom(t *testing.T) {
	records := two(t, base())
	d := built(t, parsed(t), nil, records...)
	o := d.Options[0]
	all := append([]pack.Computation{*o.Row.Cost.Interval, *o.Row.Cost.PerRequest, *o.Row.Cost.PerMillion}, o.Estimate...)
	measured := 0
	for _, c := range all {
		sum := 0.0
		for _, p := range c.Sum {
			x := 1.0
			for _, term := range p {
				if term.Said == "" || term.Key == "" || term.Label == "" {
					t.Errorf("%s: term %+v", c.Label, term)
				}
				if term.Said == pack.Measured && term.Key != "o1-gpus" {
					measured++
					near(t, c.Label+": "+term.Label, term.Value, lookup(t, records, term.From))
				}
				if term.Below {
					x /= term.Value
				} else {
					x *= term.Value
				}
			}
			sum += x
		}
		near(t, c.Label, c.Value, sum)
	}
	if measured < 8 {
		t.Errorf("got %d measured terms", measured)
	}
	var lines []string
	for _, a := range d.Assumptions {
		lines = append(lines, string(a.Said)+": "+a.Text)
	}
	if got := strings.Join(lines, "\n"); !strings.Contains(got, "vendor-stated: A: a GPU-hour costs 3.2 EUR") || !strings.Contains(got, "assumed: B: a replica occupies 1 GPU and serves this load in 60.0 % of the time") {
		t.Errorf("got\n%s", got)
	}
}

// lookup adds up the parts of records that a term names.
func lookup(t *testing.T, records []evidence.Record, refs []pack.Ref) float64 {
	t.Helper()
	sum := 0.0
	for _, ref := range refs {
		for _, r := range records {
			for _, v := range r.Values {
				if r.Slug != ref.Record || v.Metric != ref.Metric {
					continue
				}
				switch ref.Part {
				case pack.TheValue:
					sum += v.Amount.X
				case pack.TheNumerator:
					x, _ := v.Numerator.Get()
					sum += x.Amount
				case pack.TheDenominator:
					x, _ := v.Denominator.Get()
					sum += x.Amount
				}
			}
		}
	}
	return sum
}

// A price for another number of accelerators than the record has gives no cost.
func TestCostOfOtherHardware(t *testing.T) {
	a := base()
	a.accel = 8
	if got := built(t, parsed(t), nil, two(t, a)...).Options[0].Row.Cost; got.Interval != nil || got.None != "record a has 8 accelerators, the price is for 1" {
		t.Errorf("got %+v", got)
	}
	a.accel = 1
	if got := built(t, parsed(t), nil, two(t, a)...).Options[0].Row.Cost; got.Interval == nil {
		t.Errorf("got %q", got.None)
	}
	p := parsed(t, packText[strings.Index(packText, "[options.price]"):strings.Index(packText, "[[options]]\nname      = \"B\"")], "")
	if got := built(t, p, nil, two(t, a)...).Options[0].Row.Cost; got.None != "no price is stated" {
		t.Errorf("got %+v", got)
	}
}

// Tokens that were not counted make a cost per token an upper bound.
func TestUncountedTokens(t *testing.T) {
	records := two(t, base())
	for i, v := range records[0].Values {
		if v.Metric == "output_token_rate" {
			records[0].Values[i].Amount.Kind = evidence.AtLeast
		}
	}
	records[0] = seal(t, records[0])
	c := built(t, parsed(t), nil, records...).Options[0].Row.Cost
	if !c.PerMillion.AtMost || !strings.HasPrefix(c.PerMillion.Text(), "≤ ") || c.PerRequest.AtMost {
		t.Errorf("got %q and %q", c.PerMillion.Text(), c.PerRequest.Text())
	}
}

// Two options are ranked by the cost of a successful request where they pass.
func TestOrder(t *testing.T) {
	records := two(t, base())
	d := built(t, parsed(t), nil, records...)
	if d.Order.None != "" || len(d.Order.Ranks) != 2 || d.Order.Ranks[0].Option != "B" {
		t.Fatalf("got %+v", d.Order)
	}
	// Both have the same runs: the price of B may rise to that of A.
	f := d.Order.Flips[0]
	if f.Impossible != "" || math.Abs(f.Factor-3.2/2.5) > 1e-9 && math.Abs(f.Factor-2.5/3.2) > 1e-9 {
		t.Errorf("got %+v", f)
	}
	slow := base()
	slow.ttft = steady(200, 300)
	if d := built(t, parsed(t), nil, two(t, slow)...); d.Order.None == "" || len(d.Order.Flips) != 0 {
		t.Errorf("one option passes, and there is an order: %+v", d.Order)
	}
	if d := built(t, parsed(t, "source           = \"list price\"", "source = \"list price\"", "per_gpu_hour     = 2.5\ncurrency         = \"EUR\"", "per_gpu_hour = 2.5\ncurrency = \"USD\""), nil, records...); d.Order.None == "" {
		t.Errorf("two currencies, and there is an order: %+v", d.Order)
	}
}

// Moving the one number to where the order changes makes the two cost the same;
// a little less leaves the order, a little more turns it. A move that is said to
// be impossible is.
func TestFlipsTurnTheOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		price := func(name string) float64 { return rapid.Float64Range(0.1, 50).Draw(rt, name) }
		use := func(name string) float64 { return rapid.Float64Range(0.05, 1).Draw(rt, name) }
		costs := pack.MadeUpCosts(map[string][3]float64{
			"A": {price("price A"), use("use A"), float64(rapid.IntRange(1, 5000).Draw(rt, "done A"))},
			"B": {price("price B"), use("use B"), float64(rapid.IntRange(1, 5000).Draw(rt, "done B"))},
			"C": {price("price C"), use("use C"), float64(rapid.IntRange(1, 5000).Draw(rt, "done C"))},
		})
		o := pack.OrderOf(costs)
		for i, r := range o.Ranks {
			if i > 0 && o.Ranks[i-1].Cost.Value > r.Cost.Value {
				rt.Fatalf("the order is not one: %v", o.Ranks)
			}
		}
		for i, f := range o.Flips {
			if i > 0 && f.Impossible == "" && o.Flips[i-1].Impossible == "" && math.Abs(math.Log(o.Flips[i-1].Factor)) > math.Abs(math.Log(f.Factor))+1e-12 {
				rt.Fatalf("flip %d is smaller than the one before it", i)
			}
			if f.Impossible != "" {
				if f.To <= 1 || !strings.HasSuffix(f.Term.Key, "utilisation") {
					rt.Fatalf("%+v is not impossible", f)
				}
				continue
			}
			mine, theirs := costs[f.Option], costs[f.Other]
			was := mine.Value < theirs.Value
			toward := func(share float64) float64 { return f.Term.Value * math.Pow(f.Factor, share) }
			at := with(mine, f.Term.Key, toward(1))
			if math.Abs(at-theirs.Value) > 1e-9*theirs.Value {
				rt.Fatalf("%+v: moved all the way %v costs %v, the other %v", f, f.Term.Label, at, theirs.Value)
			}
			if math.Abs(math.Log(f.Factor)) < 1e-6 {
				continue // they cost the same already
			}
			if before := with(mine, f.Term.Key, toward(0.999)) < theirs.Value; before != was {
				rt.Fatalf("%+v: the order turned too early", f)
			}
			if after := with(mine, f.Term.Key, toward(1.001)) < theirs.Value; after == was {
				rt.Fatalf("%+v: the order did not turn", f)
			}
		}
	})
}

// with is a cost with one of its terms changed.
func with(c pack.Computation, key string, value float64) float64 {
	x := 1.0
	for _, t := range c.Sum[0] {
		v := t.Value
		if t.Key == key {
			v = value
		}
		if t.Below {
			x /= v
		} else {
			x *= v
		}
	}
	return x
}
