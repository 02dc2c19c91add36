package foreign

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func draft() *Draft {
	return NewDraft(&File{Source: adapter.Source{Unit: "imports/x", Name: "x"}}, "tool")
}

// TestFromRows holds the figures of rows against their definition.
func TestFromRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 100), 1, 400).Draw(t, "values")
		before := slices.Clone(values)
		d := draft()
		d.Claim(Figure{Metric: "ttft_p90", Number: Node{Kind: Number, Text: "1.5"}, Key: "p90", Unit: "s", Rule: "theirs"})
		d.FromRows(Sample{Metric: "ttft", Values: values, Who: "all", Excluded: []evidence.Excluded{{Reason: "failed"}}, Rule: "ours."})
		if !slices.Equal(values, before) {
			t.Fatal("the values were moved")
		}
		if len(d.Record.Values) != len(measure.Stats()) {
			t.Fatalf("%d values", len(d.Record.Values))
		}
		for _, v := range d.Record.Values {
			m, _ := measure.Lookup(v.Metric)
			q, isQuantile := m.Stat.Q()
			p, _ := v.Population.Get()
			if p.N != int64(len(values)) || len(p.Excluded) != 0 {
				t.Fatalf("%s: population %+v", v.Metric, p)
			}
			if (v.Metric == "ttft_p90") != (v.Claim != nil) {
				t.Fatalf("%s: claim %+v", v.Metric, v.Claim)
			}
			switch {
			case !isQuantile:
				if v.Amount.Kind != evidence.Exact || v.Amount.X < slices.Min(values) || v.Amount.X > slices.Max(values) {
					t.Fatalf("mean %+v", v.Amount)
				}
			case v.Amount.Kind == evidence.TooFew:
				if p.N >= measure.MinN(q) {
					t.Fatalf("%s: %d are too few", v.Metric, p.N)
				}
			default:
				below := 0
				for _, x := range values {
					if x <= v.Amount.X {
						below++
					}
				}
				if float64(below) < q.Share()*float64(p.N)-1e-9 || !slices.Contains(values, v.Amount.X) {
					t.Fatalf("%s is %v with %d of %d at or below", v.Metric, v.Amount.X, below, p.N)
				}
			}
		}
	})
	d := draft()
	if d.FromRows(Sample{Metric: "ttft"}); len(d.Record.Values) > 0 {
		t.Error("no rows give figures")
	}
}

func node(text string) Node { return Node{Kind: Number, Text: text} }

func TestSpread(t *testing.T) {
	n := evidence.Stated[int64](4, "here")
	for name, c := range map[string]struct {
		s   Spread
		sum int64
		ok  bool
	}{
		"with a sum":     {Spread{Min: node("1"), Median: node("2.0"), Max: node("9"), Sum: node("20")}, 20, true},
		"by the mean":    {Spread{Min: node("1"), Median: node("2"), Max: node("9"), Mean: node("5.25")}, 21, true},
		"mean not":       {Spread{Min: node("1"), Median: node("2"), Max: node("9"), Mean: node("5.3")}, 0, false},
		"half a token":   {Spread{Min: node("1"), Median: node("2.5"), Max: node("9"), Sum: node("20")}, 0, false},
		"out of order":   {Spread{Min: node("3"), Median: node("2"), Max: node("9"), Sum: node("20")}, 0, false},
		"nothing at all": {},
	} {
		d := draft()
		got, ok := d.Spread("len", c.s, n).Get()
		if ok != c.ok || got.Sum != c.sum || ok && got.N != 4 {
			t.Errorf("%s: got %+v, %t", name, got, ok)
		}
		if !c.ok && c.s.Min.Has() && len(d.Record.Facts) < 3 {
			t.Errorf("%s: the figures were lost: %+v", name, d.Record.Facts)
		}
	}
}

func TestSpreadOf(t *testing.T) {
	if _, ok := SpreadOf(nil, "rule"); ok {
		t.Error("a spread of nothing")
	}
	k, _ := SpreadOf([]int64{5, 1, 3}, "rule")
	if s, _ := k.Get(); s != (evidence.Spread{Min: 1, Median: 3, Max: 5, N: 3, Sum: 9}) {
		t.Errorf("got %+v", s)
	}
}

func TestPerMinute(t *testing.T) {
	if x, ok := Convert("84.75", "requests/min", "request_rate"); !ok || math.Abs(x-1.4125) > 1e-12 {
		t.Errorf("got %v, %t", x, ok)
	}
}
