package reqlog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// memoryLog is a log of rows with a row group for each so many.
func memoryLog(tb testing.TB, rows []Row, perGroup int) *Log {
	tb.Helper()
	var buf bytes.Buffer
	h := testHeader()
	h.Schema = SchemaVersion
	w, err := newRowWriter(&buf, h)
	if err != nil {
		tb.Fatal(err)
	}
	for i, r := range rows {
		if i > 0 && i%perGroup == 0 {
			if err := w.write(); err != nil {
				tb.Fatal(err)
			}
			if err := w.w.Flush(); err != nil {
				tb.Fatal(err)
			}
		}
		if err := w.add(r); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.close(); err != nil {
		tb.Fatal(err)
	}
	l, err := openParquet(bytes.NewReader(buf.Bytes()), int64(buf.Len()), "memory")
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// slowTTFT answers the query row by row.
func slowTTFT(rows []Row, by func(Row) string, perMille []int) []Group {
	values, missing := map[string][]int64{}, map[string]int64{}
	for _, r := range rows {
		if r.Phase != MeasurePhase || r.Outcome != Completed {
			continue
		}
		k := by(r)
		if r.SentNS == nil || r.FirstTokenNS == nil {
			missing[k]++
			values[k] = append(values[k], []int64{}...)
			continue
		}
		values[k] = append(values[k], *r.FirstTokenNS-*r.SentNS)
	}
	var out []Group
	for k, v := range values {
		g := Group{Key: k, N: int64(len(v)), Missing: missing[k]}
		slices.Sort(v)
		for _, x := range v {
			g.Sum += x
		}
		for _, q := range perMille {
			if len(v) > 0 {
				g.Quantiles = append(g.Quantiles, v[(len(v)*q+999)/1000-1])
			}
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Group) int { return bytes.Compare([]byte(a.Key), []byte(b.Key)) })
	return out
}

// TestAggregate holds the fast answer against one made row by row.
func TestAggregate(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(rt, "rows")
		small := rapid.Ptr(rapid.Int64Range(-5, 1000), true)
		var rows []Row
		for i := range int64(n) {
			rows = append(rows, Row{
				Seq: i, Phase: rapid.SampledFrom(phases()).Draw(rt, "phase"), Outcome: rapid.SampledFrom(outcomes()[:2]).Draw(rt, "outcome"),
				PromptHash: rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(rt, "hash"),
				SentNS:     small.Draw(rt, "sent"), FirstTokenNS: small.Draw(rt, "first"),
			})
		}
		l := memoryLog(t, rows, rapid.IntRange(1, 100).Draw(rt, "per group"))
		q := TTFT("prompt_hash", 990, 500, 1, 1000)
		q.Workers = rapid.IntRange(0, 4).Draw(rt, "workers")
		got, err := l.Aggregate(t.Context(), q)
		if err != nil {
			rt.Fatal(err)
		}
		want := slowTTFT(rows, func(r Row) string { return r.PromptHash }, q.PerMille)
		if len(got)+len(want) > 0 {
			if d := cmp.Diff(got, want); d != "" {
				rt.Fatalf("by prompt (-got +want):\n%s", d)
			}
		}
		q.By = ""
		if got, err = l.Aggregate(t.Context(), q); err != nil {
			rt.Fatal(err)
		}
		want = slowTTFT(rows, func(Row) string { return "" }, q.PerMille)
		if len(got)+len(want) > 0 {
			if d := cmp.Diff(got, want); d != "" {
				rt.Fatalf("all (-got +want):\n%s", d)
			}
		}
	})
}

// TestAggregateManyWords groups by a column whose words are too many for a
// dictionary, so that later pages hold the texts themselves.
func TestAggregateManyWords(t *testing.T) {
	var rows []Row
	for i := range int64(40_000) {
		r := Row{Seq: i, Phase: MeasurePhase, Outcome: Completed, SentNS: ptr(i), FirstTokenNS: ptr(3 * i)}
		r.PromptHash = fmt.Sprintf("%064d", i%30_000)
		rows = append(rows, r)
	}
	l := memoryLog(t, rows, 1<<20)
	got, err := l.Aggregate(t.Context(), TTFT("prompt_hash", 500))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(got, slowTTFT(rows, func(r Row) string { return r.PromptHash }, []int{500})); d != "" {
		t.Errorf("groups (-got +want):\n%s", d)
	}
	if d := cmp.Diff(collect(t, l.Rows()), rows); d != "" {
		t.Errorf("rows (-got +want):\n%s", d)
	}
}

func TestAggregateRefuses(t *testing.T) {
	l := memoryLog(t, []Row{fullRow(0), fullRow(1)}, 1)
	for name, q := range map[string]Query{
		"no such column":   {To: "ttft"},
		"no such group":    {To: "end_ns", By: "colour"},
		"text as time":     {To: "outcome"},
		"number as group":  {To: "end_ns", By: "seq"},
		"quantile of zero": {To: "end_ns", PerMille: []int{0}},
		"quantile of 1001": {To: "end_ns", PerMille: []int{1001}},
	} {
		if got, err := l.Aggregate(t.Context(), q); err == nil {
			t.Errorf("%s: got %v, want an error", name, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Aggregate(ctx, TTFT("")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v, want %v", err, context.Canceled)
	}
	r := fullRow(0)
	r.FirstTokenNS, r.SentNS = ptr(int64(math.MaxInt64)), ptr(int64(0))
	for _, perGroup := range []int{1, 2} {
		if _, err := memoryLog(t, []Row{r, r}, perGroup).Aggregate(t.Context(), TTFT("")); !errors.Is(err, errSum) {
			t.Errorf("sum beyond the range: got %v, want %v", err, errSum)
		}
	}
}

// TestBreak leaves the loop over the rows early, and panics in it: both are
// the caller's business.
func TestBreak(t *testing.T) {
	l := memoryLog(t, []Row{fullRow(0), fullRow(1), fullRow(2)}, 2)
	n := 0
	for _, err := range l.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			break
		}
	}
	defer func() {
		if got := recover(); got != "mine" {
			t.Errorf("got %v, want the caller's own panic", got)
		}
	}()
	for _, err := range l.Rows() {
		if err != nil {
			t.Error(err)
		}
		panic("mine")
	}
}

func TestTally(t *testing.T) {
	rows := someRows(14)
	rows[0].Phase = WarmupPhase
	each := func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
	got, err := Tally(each)
	want := Ledger{Planned: 14, Sent: 12, Completed: 2, Failed: 2, Rejected: 2, TimedOut: 2, Cancelled: 2, Unresolved: 2, NeverSent: 2}
	if err != nil || got != want || !got.Balances() {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	warm, measured, err := TallyPhases(each)
	if err != nil || warm.Planned != 1 || measured.Planned != 13 || !warm.Balances() || !measured.Balances() {
		t.Errorf("phases: got %+v and %+v, %v", warm, measured, err)
	}
	failed := errors.New("failed")
	bad := iter.Seq2[Row, error](func(yield func(Row, error) bool) { yield(Row{}, failed) })
	if _, err := Tally(bad); !errors.Is(err, failed) {
		t.Errorf("got %v, want %v", err, failed)
	}
	if _, _, err := TallyPhases(bad); !errors.Is(err, failed) {
		t.Errorf("phases: got %v, want %v", err, failed)
	}
	strange := Ledger{}
	count(&strange, "fine")
	if strange.Balances() {
		t.Errorf("an unknown outcome: got %+v, which balances", strange)
	}
}

// TestHeaderInTheFile: the requests file alone says which run it is of.
func TestHeaderInTheFile(t *testing.T) {
	l := memoryLog(t, []Row{fullRow(0)}, 1)
	text, err := json.Marshal(l.Manifest().Header)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(text), headerText(t, SchemaVersion); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if l.Len() != 1 || l.Groups() != 1 {
		t.Errorf("got %d rows in %d groups, want 1 in 1", l.Len(), l.Groups())
	}
}

func BenchmarkRows(b *testing.B) {
	r := fullRow(0)
	for i := range int64(127) {
		r.ChunkGapsNS = append(r.ChunkGapsNS, 20_000_000+(i*7919)%1_000_000)
	}
	rows := make([]Row, 20_000)
	for i := range rows {
		r.Seq = int64(i)
		r.RequestID = fmt.Sprintf("run-%08d", i)
		rows[i] = r
	}
	l := memoryLog(b, rows, 1<<20)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range l.Rows() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
}
