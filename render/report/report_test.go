package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

func stated(n int64) evidence.Known[int64] { return evidence.Stated(n, "test") }

func unstated() evidence.Known[int64] { return evidence.NotStated[int64]("test") }

// The strip is as wide as its frame, no segment of a request is invisible, and
// the order is the ledger's.
func TestStripFillsItsFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string) int64 { return rapid.Int64Range(0, 100_000).Draw(t, name) }
		var r evidence.Record
		o := &r.Outcomes
		c, f, rej, to, can, unr, never := n("completed"), n("failed"), n("rejected"), n("timed out"), n("cancelled"), n("unresolved"), n("never sent")
		sent := c + f + rej + to + can + unr
		o.Planned, o.Sent, o.NeverSent = stated(sent+never), stated(sent), stated(never)
		o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved = stated(c), stated(f), stated(rej), stated(to), stated(can), stated(unr)
		o.WarmupSent = unstated()
		out := outcomesOf(&r)
		if !out.Balanced {
			t.Fatalf("does not balance: %s", out.Balance)
		}
		if sent+never == 0 {
			if len(out.Strip) != 0 {
				t.Fatal("a strip of nothing")
			}
			return
		}
		end := 0.0
		for _, s := range out.Strip {
			x, w := percent(t, s.X), percent(t, s.Width)
			if math.Abs(x-end) > 0.02 {
				t.Fatalf("segment %s starts at %v, want %v", s.Class, x, end)
			}
			if w < leastWidth-0.01 {
				t.Fatalf("segment %s is %v wide", s.Class, w)
			}
			end = x + w
		}
		if math.Abs(end-100) > 0.05 {
			t.Fatalf("the strip ends at %v", end)
		}
	})
}

func percent(t *rapid.T, s string) float64 {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A count that is not stated is no zero, and a ledger with one is not added up.
func TestOutcomesNotStated(t *testing.T) {
	var r evidence.Record
	o := &r.Outcomes
	for _, k := range []*evidence.Known[int64]{&o.Planned, &o.Sent, &o.Completed, &o.Rejected, &o.TimedOut, &o.Cancelled, &o.NeverSent, &o.WarmupSent} {
		*k = unstated()
	}
	o.Failed, o.Unresolved = stated(0), stated(38)
	out := outcomesOf(&r)
	if out.Balanced || len(out.Strip) > 0 {
		t.Errorf("got balanced %t and %d segments", out.Balanced, len(out.Strip))
	}
	if got, want := out.Completed.Attr, "not-stated"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := out.Failed.Attr, "0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !out.Unresolved.Hot || out.Unresolved.Text != "38" {
		t.Errorf("got %+v", out.Unresolved)
	}
	keys := ""
	for _, c := range out.Line() {
		keys += c.Key + " "
	}
	if got, want := keys, "completed failed rejected timed-out cancelled unresolved never-sent "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A ledger that cannot be added up says why: nothing was there to count, a count
// is missing, or the counts that are there contradict each other already.
func TestWhyNotAddedUp(t *testing.T) {
	const (
		none    = "There are no requests to count."
		missing = "The source does not state every count, so the ledger cannot be added up."
		exceed  = "The stated counts exceed the total: see the limit on counts that do not add up."
	)
	all := func(k evidence.Known[int64]) evidence.Outcomes {
		return evidence.Outcomes{Planned: k, Sent: k, Completed: k, Failed: k, Rejected: k, TimedOut: k, Cancelled: k, Unresolved: k, NeverSent: k, WarmupSent: k}
	}
	never := evidence.NotApplicable[int64]("test")
	for name, c := range map[string]struct {
		of   evidence.Known[int64]
		set  func(*evidence.Outcomes)
		want string
	}{
		"nothing applies":          {never, func(*evidence.Outcomes) {}, none},
		"one does not say":         {never, func(o *evidence.Outcomes) { o.NeverSent = unstated() }, missing},
		"one is zero":              {never, func(o *evidence.Outcomes) { o.Failed = stated(0) }, missing},
		"nothing is stated":        {unstated(), func(*evidence.Outcomes) {}, missing},
		"parts below sent":         {unstated(), func(o *evidence.Outcomes) { o.Sent, o.Completed = stated(100), stated(99) }, missing},
		"parts are sent":           {unstated(), func(o *evidence.Outcomes) { o.Sent, o.Completed, o.Failed = stated(100), stated(97), stated(3) }, missing},
		"parts above sent":         {unstated(), func(o *evidence.Outcomes) { o.Sent, o.Completed, o.Failed = stated(100), stated(97), stated(5) }, exceed},
		"sent above planned":       {unstated(), func(o *evidence.Outcomes) { o.Planned, o.Sent = stated(99), stated(100) }, exceed},
		"never sent above planned": {unstated(), func(o *evidence.Outcomes) { o.Planned, o.Sent, o.NeverSent = stated(100), stated(90), stated(11) }, exceed},
		"parts above planned":      {unstated(), func(o *evidence.Outcomes) { o.Planned, o.Completed, o.NeverSent = stated(100), stated(90), stated(11) }, exceed},
		"parts without a total":    {unstated(), func(o *evidence.Outcomes) { o.Completed, o.Failed = stated(97), stated(5) }, missing},
	} {
		r := evidence.Record{Outcomes: all(c.of)}
		c.set(&r.Outcomes)
		out := outcomesOf(&r)
		if out.Balance != c.want || out.Balanced || len(out.Strip) > 0 {
			t.Errorf("%s: got %q, %t and %d segments, want %q", name, out.Balance, out.Balanced, len(out.Strip), c.want)
		}
		if f := limits.CountsDoNotAddUp(r.Outcomes); len(f.At("record")) > 0 != (c.want == exceed) {
			t.Errorf("%s: the limit on counts is %v beside %q", name, f, out.Balance)
		}
	}
}

// The example of the first seed: 100 submitted, 80 completed, 5 failed, 15 open.
func TestLedgerOfTheSeed(t *testing.T) {
	var r evidence.Record
	r.Outcomes = evidence.Outcomes{Planned: stated(100), Sent: stated(100), Completed: stated(80), Failed: stated(5), Rejected: stated(0), TimedOut: stated(0),
		Cancelled: stated(0), Unresolved: stated(15), NeverSent: stated(0), WarmupSent: stated(0)}
	out := outcomesOf(&r)
	if got, want := out.Balance, "100 = 100 + 0, and 100 = 80 + 5 + 0 + 0 + 0 + 15: the ledger balances."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Outcomes.Planned = stated(101)
	out = outcomesOf(&r)
	if got, want := out.Balance, "101 ≠ 100 + 0, and 100 = 80 + 5 + 0 + 0 + 0 + 15: the ledger does not balance."; got != want || out.Balanced || len(out.Strip) > 0 {
		t.Errorf("got %q, %t and %d segments", got, out.Balanced, len(out.Strip))
	}
}

func TestOrdinal(t *testing.T) {
	for n, want := range map[int64]string{1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 11: "11th", 12: "12th", 13: "13th", 21: "21st", 101: "101st", 111: "111th", 1022: "1,022nd"} {
		if got := ordinal(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTermWords(t *testing.T) {
	for _, c := range []struct {
		term evidence.Term
		want string
	}{
		{evidence.Term{Amount: 25600, Unit: "output tokens", What: "output tokens of 200 completed requests, by usage"}, "25,600 output tokens of 200 completed requests, by usage"},
		{evidence.Term{Amount: 29100.679, Unit: "s", What: "observation window"}, "29,100.679 s"},
		{evidence.Term{Amount: 1, Unit: "requests", What: "requests completed"}, "1 request completed"},
		{evidence.Term{Amount: 12.5, Unit: "s", What: "sum over the requests"}, "12.500 s (sum over the requests)"},
		{evidence.Term{Amount: 7, Unit: "good requests", What: ""}, "7 good requests"},
		{evidence.Term{Amount: 0.035397979, Unit: "s", What: "s, sum of the two middle runs of 6"}, "0.035398 s, sum of the two middle runs of 6"},
		{evidence.Term{Amount: 938.7115281551421, Unit: "output tokens/s", What: "output tokens/s, sum of the two middle runs of 6"}, "938.711528 output tokens/s, sum of the two middle runs of 6"},
	} {
		if got := termWords(c.term); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A reader who divides by the words gets the figure's digits.
func TestSecondsCanBeDividedBy(t *testing.T) {
	for x, want := range map[float64]string{
		5: "5.000", 0.113113: "0.113113", 0.0353979812345: "0.035398", 3.8995536: "3.89955", 24.1184: "24.1184",
		1234.5678: "1,234.568", 0: "0.000", 0.08: "0.080", -0.25: "-0.250", 3e-9: "0.000000003",
	} {
		if got := seconds(x); got != want {
			t.Errorf("%v: got %q, want %q", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(1e-3, 1e5).Draw(t, "seconds")
		back, err := strconv.ParseFloat(strings.ReplaceAll(seconds(x), ",", ""), 64)
		if err != nil || math.Abs(back-x) > max(5e-4, 5e-6*x) || math.Abs(back-x) > 1e-5*x {
			t.Fatalf("%v is written as %q", x, seconds(x))
		}
	})
}

// What a reader must know before the first number stands among the tags.
func TestTagsWarn(t *testing.T) {
	var r evidence.Record
	r.State.Complete = evidence.Stated("interrupted: by hand", "test")
	r.Outcomes.Unresolved, r.Outcomes.NeverSent = stated(3), stated(1248)
	var hot []string
	for _, tag := range tags(&r) {
		if tag.Hot && !strings.Contains(tag.Text, "not stated") {
			hot = append(hot, tag.Text)
		}
	}
	if want := []string{"interrupted", "3 unresolved", "1,248 never sent"}; !slices.Equal(hot, want) {
		t.Errorf("got %q, want %q", hot, want)
	}
	r.State.Complete, r.Outcomes.NeverSent, r.Outcomes.Unresolved = evidence.Stated("complete", "test"), stated(0), stated(0)
	for _, tag := range tags(&r) {
		if tag.Text == "interrupted" || strings.HasSuffix(tag.Text, "never sent") || strings.HasSuffix(tag.Text, "unresolved") {
			t.Errorf("a whole record says %q", tag.Text)
		}
	}
}

// Every step that is drawn is a step of the evidence, the first and the last
// are among them, and none goes back.
func TestThinned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3000).Draw(t, "n")
		places := thinned(n)
		if len(places) > mostDrawn+1 || n <= mostDrawn && len(places) != n {
			t.Fatalf("got %d of %d", len(places), n)
		}
		for i, p := range places {
			if p < 0 || p >= n || i > 0 && p <= places[i-1] {
				t.Fatalf("got %v", places)
			}
		}
		if n > 0 && (places[0] != 0 || places[len(places)-1] != n-1) {
			t.Fatalf("got %v of %d", places, n)
		}
	})
}

// The band holds the curve, and its upper edge ends at all but the ended ones.
func TestOpenBand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finished, open, ended := rapid.IntRange(0, 50).Draw(t, "finished"), rapid.IntRange(1, 50).Draw(t, "open"), rapid.IntRange(0, 5).Draw(t, "ended")
		d := evidence.Distribution{Metric: "ttft", N: int64(finished + open + ended), Finished: int64(finished), Open: int64(open), Ended: int64(ended)}
		x := 0.0
		for i := range finished {
			x += rapid.Float64Range(0.001, 1).Draw(t, "gap")
			d.Steps = append(d.Steps, evidence.Step{X: x, Share: float64(i+1) / float64(d.N)})
		}
		age := 0.0
		for range open {
			age += rapid.Float64Range(0, 1).Draw(t, "age")
			d.OpenAges = append(d.OpenAges, age)
		}
		band := openBand(d, max(x, age))
		if len(band) == 0 {
			t.Fatal("no band although requests are open")
		}
		for i, b := range band {
			if b.Low > b.High || i > 0 && (b.X <= band[i-1].X || b.Low < band[i-1].Low || b.High < band[i-1].High) {
				t.Fatalf("band %d: %+v after %+v", i, b, band[max(0, i-1)])
			}
		}
		last := band[len(band)-1]
		if want := 1 - float64(ended)/float64(d.N); math.Abs(last.High-want) > 1e-9 {
			t.Fatalf("the upper edge ends at %v, want %v", last.High, want)
		}
	})
}

func TestWindowsSayWhatTheyInclude(t *testing.T) {
	for _, rule := range measure.WindowRules() {
		words := windowRule(rule)
		if rule == measure.StatedWindow {
			continue
		}
		if !strings.Contains(words, "warm-up") {
			t.Errorf("%s does not speak of warm-up: %q", rule, words)
		}
	}
}

// A slug's page order within a family does not hang on the order of the input.
func TestReadingOrder(t *testing.T) {
	var records []evidence.Record
	for i, c := range []int64{32, 1, 16, 2} {
		var r evidence.Record
		r.Slug, r.Family, r.Title = fmt.Sprintf("r%d", i), "f", fmt.Sprint(c)
		r.Workload.InputTokensAsked, r.Workload.OutputTokensAsked = stated(128), stated(32)
		r.Load.Mode, r.Load.Concurrency = evidence.Stated("closed loop", "t"), stated(c)
		r.Kind = evidence.RunRecord
		r.State.Cache.Kind = measure.CacheCold
		records = append(records, r)
	}
	s, err := NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for slug := "r1"; slug != ""; {
		got = append(got, slug)
		_, next := s.Neighbours(slug)
		if next == nil {
			break
		}
		slug = strings.TrimSuffix(next.Href, ".html")
	}
	if want := "r1 r3 r2 r0"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if prev, _ := s.Neighbours("r1"); prev != nil {
		t.Errorf("got %v before the first", prev)
	}
}

// Axes that stand side by side have the same ends, and room at them.
func TestShareAxes(t *testing.T) {
	y := func(x float64) *float64 { return &x }
	charts := []Chart{{Series: []Series{{Points: []Point{{X: 100, Y: y(0.02)}, {X: 500, Y: y(0.03)}}}}}, {Series: []Series{{Points: []Point{{X: 900, Y: y(5)}, {X: 950}}}}}}
	shareAxes(charts, "")
	if *charts[0].X.Max != *charts[1].X.Max || *charts[0].X.Max <= 950 || *charts[0].X.Min != 0 || charts[0].X.Log {
		t.Errorf("got x axes %+v and %+v", charts[0].X, charts[1].X)
	}
	if !charts[0].Y.Log || *charts[0].Y.Max <= 5 || *charts[0].Y.Min >= 0.02 || *charts[0].Y.Min <= 0 {
		t.Errorf("got y axis %+v", charts[0].Y)
	}
}
