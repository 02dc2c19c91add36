package pack

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"benchline/ingest/measure"
)

// Order is the options by the cost of a successful request at the load at which
// each meets its targets, the cheapest first, and what would change that order.
type Order struct {
	Ranks []Rank
	Flips []Flip // the smallest move first
	// Outside are the options that are not screened out and have no cost to be
	// ordered by.
	Outside []string
	// None is why there is no order: fewer than two options have a cost.
	None string
}

// Rank is one option's place.
type Rank struct {
	Option string
	Cost   Computation
	sent   int64 // requests of the run; 0: not stated
}

// Flip is how far one number has to move, all others as they are, until the
// order of two options changes. The cost of an option is a product, so with the
// costs a of the option and b of the other:
//
//	number above the line:  new = now × b ÷ a
//	number below the line:  new = now × a ÷ b
type Flip struct {
	Option, Other string // whose number moves; whom it meets
	Term          Term
	To            float64 // where the two cost the same
	// Factor is To ÷ now.
	Factor float64
	// Impossible is why the number cannot go there; empty: it can.
	Impossible string
}

// Move is the move in percent of the number: "+12.5 %".
func (f Flip) Move() string {
	sign := "+"
	if f.Factor < 1 {
		sign = "−"
	}
	return sign + measure.FormatShare(math.Abs(f.Factor-1))
}

// Then is where the two cost the same, for people.
func (f Flip) Then() string { return digits(f.To, 6) }

// order ranks the costs. An option that is screened out is not among them, and options
// in different currencies have no order.
func order(options []OptionSays) Order {
	var o Order
	for _, x := range options {
		if x.Screen == "" && x.Passing != nil && x.Passing.Cost.PerRequest != nil {
			o.Ranks = append(o.Ranks, Rank{Option: x.Name, Cost: *x.Passing.Cost.PerRequest, sent: x.Passing.sent})
		} else if x.Screen == "" {
			o.Outside = append(o.Outside, x.Name)
		}
	}
	if len(o.Ranks) < 2 {
		return Order{Ranks: o.Ranks, Outside: o.Outside, None: fmt.Sprintf("%d of %d options are not screened out and have a cost at a load at which they meet their targets: there is no order to change.", len(o.Ranks), len(options))}
	}
	for _, r := range o.Ranks {
		if r.Cost.Unit != o.Ranks[0].Cost.Unit {
			return Order{Outside: o.Outside, None: "The prices are in different currencies: the options have no order by cost."}
		}
	}
	slices.SortStableFunc(o.Ranks, func(a, b Rank) int { return cmp.Compare(a.Cost.Value, b.Cost.Value) })
	for _, a := range o.Ranks {
		for _, t := range moving(a.Cost) {
			if f, ok := nearest(a, t, o.Ranks); ok {
				o.Flips = append(o.Flips, f)
			}
		}
	}
	slices.SortStableFunc(o.Flips, func(a, b Flip) int {
		return cmp.Or(cmp.Compare(len(a.Impossible), len(b.Impossible)), cmp.Compare(math.Abs(math.Log(a.Factor)), math.Abs(math.Log(b.Factor))))
	})
	return o
}

// moving are the terms of a cost that may turn out otherwise.
func moving(c Computation) []Term {
	var out []Term
	for _, t := range c.Sum[0] {
		if !t.Fixed {
			out = append(out, t)
		}
	}
	return out
}

// nearest is the smallest move of a term that makes its option meet another.
func nearest(a Rank, t Term, all []Rank) (Flip, bool) {
	var best Flip
	found := false
	for _, b := range all {
		if b.Option == a.Option {
			continue
		}
		f := flip(a, b, t)
		if !found || better(f, best) {
			best, found = f, true
		}
	}
	return best, found
}

func better(f, than Flip) bool {
	if (f.Impossible == "") != (than.Impossible == "") {
		return f.Impossible == ""
	}
	return math.Abs(math.Log(f.Factor)) < math.Abs(math.Log(than.Factor))
}

func flip(a, b Rank, t Term) Flip {
	f := Flip{Option: a.Option, Other: b.Option, Term: t, Factor: b.Cost.Value / a.Cost.Value}
	if t.Below {
		f.Factor = a.Cost.Value / b.Cost.Value
	}
	f.To = t.Value * f.Factor
	if strings.HasSuffix(t.Key, "-utilisation") && f.To > 1 {
		f.Impossible = "it cannot be more than 1"
	}
	if strings.HasSuffix(t.Key, "-completed") && a.sent > 0 && f.To > float64(a.sent) {
		f.Impossible = "no more can complete than the " + measure.FormatCount(a.sent) + " that were sent"
	}
	return f
}
