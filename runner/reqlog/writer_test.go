package reqlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scanFolder reads the journal of a run that goes on.
func scanFolder(t *testing.T, dir string) *journalScan {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scanFrames(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFlushEvery: a frame is with the operating system after the flush
// interval, and not before, without any further call.
func TestFlushEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "run")
		const every = time.Second / 5 // the default
		start := time.Now()
		w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{Elapsed: func() time.Duration { return time.Since(start) }})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Ended(fullRow(0)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(every - time.Nanosecond)
		synctest.Wait()
		if got := len(scanFolder(t, dir).ended); got != 0 {
			t.Errorf("before the interval: got %d requests, want 0", got)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		s := scanFolder(t, dir)
		if len(s.ended) != 1 {
			t.Errorf("after the interval: got %d requests, want 1", len(s.ended))
		}
		if s.lastNS != int64(every) {
			t.Errorf("last time: got %d, want the moment at which it was flushed", s.lastNS)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestManyCallers records from many goroutines at once.
func TestManyCallers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{FlushEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	const callers, each = 16, 200
	var wg sync.WaitGroup
	for c := range int64(callers) {
		wg.Go(func() {
			for i := range int64(each) {
				seq := i*callers + c
				err := w.Sent(seq, MeasurePhase, 1000*seq, 1000*seq+3, 8, 4, "id", "hash")
				if err == nil {
					err = w.Ended(fullRow(seq))
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	m, err := w.Finish(finalManifest())
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Ledger.Completed; got != callers*each {
		t.Errorf("completed: got %d, want %d", got, callers*each)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	for i, r := range collect(t, l.Rows()) {
		if d := cmp.Diff(r, fullRow(int64(i))); d != "" {
			t.Fatalf("row %d (-got +want):\n%s", i, d)
		}
	}
}

// TestManyBytes records more than is ever kept in memory.
func TestManyBytes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{FlushEvery: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r := fullRow(0)
	r.AnswerText = strings.Repeat("long ", 1<<20)
	for i := range int64(14) {
		r.Seq = i
		if err := w.Ended(r); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		n := len(w.pending)
		w.mu.Unlock()
		if n > maxPending+6<<20 {
			t.Fatalf("pending: got %d bytes, want about %d at most", n, maxPending)
		}
	}
	if _, err := w.Finish(finalManifest()); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	if l.Groups() < 2 {
		t.Errorf("row groups: got %d, want more: they are bounded by text too", l.Groups())
	}
	n := 0
	for _, got := range collect(t, l.Rows()) {
		if got.AnswerText == r.AnswerText {
			n++
		}
	}
	if n != 14 {
		t.Errorf("answers that came back: got %d, want 14", n)
	}
}

func TestFrameTooLong(t *testing.T) {
	w, err := Create(filepath.Join(t.TempDir(), "run"), testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, w)
	r := fullRow(0)
	r.AnswerText = strings.Repeat("x", maxPayload+1)
	if err := w.Ended(r); err == nil {
		t.Error("got no error")
	}
	if err := w.Ended(fullRow(1)); err != nil {
		t.Errorf("the next row: got %v, want none", err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	header := func(change func(*Header)) Header {
		h := testHeader()
		change(&h)
		return h
	}
	for name, h := range map[string]Header{
		"other schema":    header(func(h *Header) { h.Schema = firstSchema }),
		"other plan hash": header(func(h *Header) { h.PlanHash = planHash([]byte("other")) }),
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if _, err := Create(dir, h, []byte(testPlan), WriterOptions{}); err == nil {
				t.Error("got no error")
			}
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("folder: got %v, want none", err)
			}
		})
	}
	w, err := Create(filepath.Join(t.TempDir(), "run"), testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]Row{
		"outcome": {Phase: MeasurePhase, Outcome: "fine"},
		"phase":   {Phase: "drain", Outcome: Completed},
		"seq":     {Phase: MeasurePhase, Outcome: Completed, Seq: -1},
	}
	for name, r := range rows {
		if err := w.Ended(r); err == nil {
			t.Errorf("row with a wrong %s: got no error", name)
		}
	}
	if err := w.Sent(-1, MeasurePhase, 0, 0, 0, 0, "", ""); err == nil {
		t.Error("sent with a negative number: got no error")
	}
	if _, err := w.Finish(Manifest{}); err == nil {
		t.Error("finish without a state: got no error")
	}
	if err := w.Ended(fullRow(1)); !errors.Is(err, ErrClosed) {
		t.Errorf("after finish: got %v, want %v", err, ErrClosed)
	}
}

// TestText: what an endpoint sends need not be UTF-8, and error texts are cut
// between characters.
func TestText(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r := fullRow(0)
	r.FinishReason = "a\xffb"
	r.ErrorText = strings.Repeat("é", 400)
	r.RequestID = "nul \x00 and \u202e"
	if err := w.Ended(r); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Finish(finalManifest()); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	got := collect(t, l.Rows())[0]
	if got.FinishReason != "a\uFFFDb" || got.RequestID != r.RequestID {
		t.Errorf("texts: got %q and %q", got.FinishReason, got.RequestID)
	}
	if len(got.ErrorText) != 500 || !utf8.ValidString(got.ErrorText) {
		t.Errorf("error text: got %d bytes, valid %v, want 500, true", len(got.ErrorText), utf8.ValidString(got.ErrorText))
	}
	if got := cut("ééé", 3); got != "é" {
		t.Errorf("cut: got %q, want é", got)
	}
}

// TestLedgerOfTheRunner: a ledger that the rows contradict voids the run, and
// one that they bear out is kept.
func TestLedgerOfTheRunner(t *testing.T) {
	for _, planned := range []int64{1, 2} {
		t.Run(fmt.Sprint(planned), func(t *testing.T) {
			w, err := Create(filepath.Join(t.TempDir(), "run"), testHeader(), []byte(testPlan), WriterOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Ended(fullRow(0)); err != nil {
				t.Fatal(err)
			}
			m := finalManifest()
			m.Ledger = Ledger{Planned: planned, Sent: 1, Completed: 1}
			if m, err = w.Finish(m); err != nil {
				t.Fatal(err)
			}
			want := Sound
			if planned == 2 {
				want = Void
			}
			if m.Health.Verdict != want || m.Ledger.Planned != planned {
				t.Errorf("got %s and %+v, want %s and planned %d", m.Health.Verdict, m.Ledger, want, planned)
			}
		})
	}
}

func BenchmarkEnded(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "run"), testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	r := fullRow(0)
	for i := range int64(130) {
		r.ChunkGapsNS = append(r.ChunkGapsNS, 20_000_000+(i*7919)%1_000_000)
	}
	b.ReportAllocs()
	for b.Loop() {
		r.Seq++
		if err := w.Sent(r.Seq, MeasurePhase, r.DueNS, *r.SentNS, 8, 4, r.RequestID, r.PromptHash); err != nil {
			b.Fatal(err)
		}
		if err := w.Ended(r); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFinish is the cost of a row from the journal to the log.
func BenchmarkFinish(b *testing.B) {
	w, err := Create(filepath.Join(b.TempDir(), "run"), testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	r := fullRow(0)
	for i := range int64(130) {
		r.ChunkGapsNS = append(r.ChunkGapsNS, 20_000_000+(i*7919)%1_000_000)
	}
	for i := range b.N {
		r.Seq = int64(i)
		if err := w.Ended(r); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	if _, err := w.Finish(finalManifest()); err != nil {
		b.Fatal(err)
	}
}
