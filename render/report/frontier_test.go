package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
)

func at(x float64) Range { return Range{x, x} }

func all(int, int) bool { return true }

func TestFrontierByHand(t *testing.T) {
	open := math.Inf(1)
	for name, c := range map[string]struct {
		points []Contender
		may    func(i, j int) bool
		want   []Standing
	}{
		"one alone is compared with nothing": {[]Contender{{"a", at(1), at(1)}}, all, []Standing{{NotCompared, -1}}},
		"rising load, both on it":            {[]Contender{{"a", at(100), at(1)}, {"b", at(200), at(2)}}, all, []Standing{{OnFrontier, -1}, {OnFrontier, -1}}},
		"beyond capacity: less for longer":   {[]Contender{{"a", at(200), at(2)}, {"b", at(150), at(9)}}, all, []Standing{{OnFrontier, -1}, {Dominated, 0}}},
		"same rate, longer":                  {[]Contender{{"a", at(200), at(2)}, {"b", at(200), at(3)}}, all, []Standing{{OnFrontier, -1}, {Dominated, 0}}},
		"equal points are no better than each other": {[]Contender{{"a", at(200), at(2)}, {"b", at(200), at(2)}}, all,
			[]Standing{{OnFrontier, -1}, {OnFrontier, -1}}},
		"better, but not comparable": {[]Contender{{"a", at(200), at(1)}, {"b", at(150), at(9)}}, func(int, int) bool { return false },
			[]Standing{{NotCompared, -1}, {NotCompared, -1}}},
		"dominated by a lower bound already": {[]Contender{{"a", at(200), at(2)}, {"b", at(150), Range{9, open}}}, all,
			[]Standing{{OnFrontier, -1}, {Dominated, 0}}},
		"at least so long: not known": {[]Contender{{"a", at(150), at(9)}, {"b", at(200), Range{3, open}}}, all,
			[]Standing{{Undecided, 1}, {OnFrontier, -1}}},
		"intervals overlap": {[]Contender{{"a", Range{180, 220}, Range{1, 3}}, {"b", Range{170, 190}, Range{2, 4}}}, all,
			[]Standing{{Undecided, 1}, {Undecided, 0}}},
		"the strongest is named": {[]Contender{{"c", at(10), at(9)}, {"b", at(20), at(5)}, {"a", at(20), at(5)}}, all,
			[]Standing{{Dominated, 2}, {OnFrontier, -1}, {OnFrontier, -1}}},
	} {
		if got := Frontier(c.points, c.may); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// drawContenders draws points on a small grid, so that ties are frequent, some
// with ranges; and which pairs may be compared.
func drawContenders(t *rapid.T) ([]Contender, func(i, j int) bool) {
	n := rapid.IntRange(0, 9).Draw(t, "n")
	cs := make([]Contender, n)
	draw := func(what string) Range {
		low := float64(rapid.IntRange(1, 6).Draw(t, what))
		switch rapid.IntRange(0, 3).Draw(t, what+" kind") {
		case 0:
			return Range{low, low + float64(rapid.IntRange(0, 3).Draw(t, what+" width"))}
		case 1:
			return Range{low, math.Inf(1)}
		}
		return at(low)
	}
	for i := range cs {
		cs[i] = Contender{Name: fmt.Sprint(i), Rate: draw("rate"), Latency: draw("latency")}
	}
	pairs := map[[2]string]bool{}
	for i := range cs {
		for j := range i {
			ok := rapid.Bool().Draw(t, "comparable")
			pairs[[2]string{cs[i].Name, cs[j].Name}], pairs[[2]string{cs[j].Name, cs[i].Name}] = ok, ok
		}
	}
	return cs, func(i, j int) bool { return pairs[[2]string{cs[i].Name, cs[j].Name}] }
}

// No frontier point is or may be dominated; each dominated point has a dominator
// among those with which it may be compared; an undecided one has one that may
// be and none that is; and one that is not compared has no partner.
func TestFrontierProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs, may := drawContenders(t)
		for i, s := range Frontier(cs, may) {
			partner, sure, perhaps := false, false, false
			for j := range cs {
				if j == i || !may(i, j) {
					continue
				}
				surely, maybe := dominates(cs[j], cs[i])
				if surely && !maybe {
					t.Fatalf("%v dominates %v surely but never", cs[j], cs[i])
				}
				partner, sure, perhaps = true, sure || surely, perhaps || maybe
			}
			want := map[bool]Place{true: OnFrontier, false: NotCompared}[partner]
			switch {
			case sure:
				want = Dominated
			case perhaps:
				want = Undecided
			}
			if s.Place != want {
				t.Fatalf("point %d of %v: got %q, want %q", i, cs, s.Place, want)
			}
			if (s.By >= 0) != (s.Place == Dominated || s.Place == Undecided) || s.By >= 0 && !may(i, s.By) {
				t.Fatalf("point %d of %v: got %+v", i, cs, s)
			}
		}
	})
}

// Contenders in another order have the same places and the same dominators.
func TestFrontierDoesNotHangOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs, may := drawContenders(t)
		order := rapid.Permutation(indices(len(cs))).Draw(t, "order")
		shuffled := make([]Contender, len(cs))
		for to, from := range order {
			shuffled[to] = cs[from]
		}
		a := Frontier(cs, may)
		b := Frontier(shuffled, func(i, j int) bool { return may(order[i], order[j]) })
		for to, from := range order {
			x, y := a[from], b[to]
			if x.Place != y.Place || (x.By < 0) != (y.By < 0) || x.By >= 0 && x.By != order[y.By] {
				t.Fatalf("%v: got %+v in one order and %+v in another", cs[from], x, y)
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestRangeOf(t *testing.T) {
	iv := evidence.Stated(evidence.Interval{Low: 3, High: 7, Kind: "order statistics", N: 6}, "test")
	none := evidence.NotStated[evidence.Interval]("one run")
	for name, c := range map[string]struct {
		v    evidence.Value
		want Range
		ok   bool
	}{
		"one run":          {evidence.Value{Amount: evidence.Amount{Kind: evidence.Exact, X: 5}, Interval: none}, at(5), true},
		"repeats":          {evidence.Value{Amount: evidence.Amount{Kind: evidence.Exact, X: 5}, Interval: iv}, Range{3, 7}, true},
		"at least":         {evidence.Value{Amount: evidence.Amount{Kind: evidence.AtLeast, X: 5}, Interval: none}, Range{5, math.Inf(1)}, true},
		"between":          {evidence.Value{Amount: evidence.Amount{Kind: evidence.AtLeast, X: 5}, Interval: none, Bounds: &evidence.Bounds{Upper: evidence.Amount{Kind: evidence.Exact, X: 6}}}, Range{5, 6}, true},
		"a claim":          {evidence.Value{Amount: evidence.Amount{Kind: evidence.Quoted, X: 5, Text: "5 s"}, Interval: none}, Range{}, false},
		"too few requests": {evidence.Value{Amount: evidence.Amount{Kind: evidence.TooFew, N: 5, Need: 72}, Interval: none}, Range{}, false},
	} {
		if got, ok := RangeOf(c.v); got != c.want || ok != c.ok {
			t.Errorf("%s: got %v, %t, want %v, %t", name, got, ok, c.want, c.ok)
		}
	}
}
