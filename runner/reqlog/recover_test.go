package reqlog

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const childFolder = "BENCHLINE_TEST_CHILD_FOLDER"

// TestChild is no test but the process that TestKilledProcess kills: it
// records without end and says what it has flushed.
func TestChild(t *testing.T) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		t.Skip("runs only as a child process")
	}
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{FlushEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for seq := int64(0); ; seq++ {
		if err := w.Sent(seq, MeasurePhase, 1000*seq, 1000*seq+3, 8, 4, "id", "hash"); err != nil {
			t.Fatal(err)
		}
		if seq >= 3 { // three are always in flight
			if err := w.Ended(fullRow(seq - 3)); err != nil {
				t.Fatal(err)
			}
		}
		if seq%50 == 49 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			fmt.Println("flushed", seq-3)
		}
	}
}

// TestKilledProcess kills a real process that records, and recovers its run.
func TestKilledProcess(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range []int{1, 2, 7, 40} {
		t.Run(fmt.Sprint(lines), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			flushed := killAfter(t, exe, dir, lines)
			m, rep, err := Recover(dir)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Ended <= flushed || rep.InFlight < 3 || rep.InFlight > 4 {
				t.Errorf("got %+v, want more than %d ended, 3 or 4 in flight", rep, flushed)
			}
			if m.State != Interrupted || m.Ledger.Completed != rep.Ended || m.Ledger.Unresolved != rep.InFlight || !m.Ledger.Balances() {
				t.Errorf("manifest: got %s, %+v, want interrupted and the counts of %+v", m.State, m.Ledger, rep)
			}
			l, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			closeAfter(t, l)
			for _, r := range collect(t, l.Rows())[:flushed+1] {
				if d := cmp.Diff(r, fullRow(r.Seq)); d != "" {
					t.Fatalf("row %d (-got +want):\n%s", r.Seq, d)
				}
			}
		})
	}
}

// killAfter lets a child record until it has said so many lines, kills it,
// and returns the last number that it said was flushed.
func killAfter(t *testing.T, exe, dir string, lines int) int64 {
	t.Helper()
	c := exec.Command(exe, "-test.run=^TestChild$")
	c.Env = append(os.Environ(), childFolder+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	last := int64(-1)
	in := bufio.NewScanner(out)
	for lines > 0 && in.Scan() {
		if n, ok := strings.CutPrefix(in.Text(), "flushed "); ok {
			if last, err = strconv.ParseInt(n, 10, 64); err != nil {
				t.Fatal(err)
			}
			lines--
		}
	}
	if _, _, err := Recover(dir); !errors.Is(err, ErrRunning) {
		t.Errorf("recover while it runs: got %v, want %v", err, ErrRunning)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil {
		t.Error("the child ended by itself")
	}
	return last
}

// TestRecoverKnows holds what a recovered run says of itself.
func TestRecoverKnows(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	warm := fullRow(0)
	warm.Phase, warm.DueNS = WarmupPhase, 100
	steps := []func() error{
		func() error {
			return w.Draft(Manifest{Facts: []Fact{{Key: "driver"}}, Metrics: []Scrape{{Name: "m"}}, Windows: Windows{MeasureFromNS: 1500}})
		},
		func() error { return w.Ended(warm) },
		func() error { return w.Sent(7, MeasurePhase, 2000, 2001, 8, 4, "first", "h") },
		func() error { return w.Sent(7, MeasurePhase, 2000, 2500, 8, 4, "second", "h") },
		func() error { return w.Ended(fullRow(3)) },
		func() error { return w.Sent(3, MeasurePhase, 3000, 3003, 8, 4, "late", "h") }, // out of order
		func() error { return w.Ended(fullRow(3)) },                                    // twice
		w.Close,
	}
	for i, do := range steps {
		if err := do(); err != nil {
			t.Fatal(i, err)
		}
	}
	m, rep, err := Recover(dir)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Ended != 2 || rep.InFlight != 1 || rep.LostBytes != 0 || rep.LastNS != 3950 {
		t.Errorf("report: got %+v", rep)
	}
	want := Windows{WarmupFromNS: ptr(int64(100)), MeasureFromNS: 1500, SendEndNS: 3003, ObservedToNS: 3950}
	if d := cmp.Diff(m.Windows, want); d != "" {
		t.Errorf("windows (-got +want):\n%s", d)
	}
	if len(m.Facts) != 1 || len(m.Metrics) != 1 || m.Health.Verdict != Suspect {
		t.Errorf("manifest: got %+v, want the draft's facts and a suspect client", m)
	}
	for _, words := range []string{"planned counts those with a row", "recorded twice"} {
		if !strings.Contains(m.Note, words) {
			t.Errorf("note: got %q, want %q in it", m.Note, words)
		}
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	got := collect(t, l.Rows())
	open := Row{
		Seq: 7, Phase: MeasurePhase, DueNS: 2000, FirstSentNS: ptr(int64(2001)), SentNS: ptr(int64(2500)), Attempts: 2,
		EndNS: ptr(int64(3950)), Outcome: Unresolved, AskedInputTokens: 8, AskedOutputTokens: 4, RequestID: "second", PromptHash: "h",
	}
	if d := cmp.Diff(got, []Row{warm, fullRow(3), open}); d != "" {
		t.Errorf("rows (-got +want):\n%s", d)
	}
}

// TestRecoverNothing: a run that was killed before its first request is a run
// without requests.
func TestRecoverNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, _, err := Recover(dir)
	if err != nil || m.Ledger != (Ledger{}) || m.State != Interrupted {
		t.Fatalf("got %+v, %v", m, err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	if got := collect(t, l.Rows()); len(got) != 0 {
		t.Errorf("rows: got %d, want none", len(got))
	}
	if got, err := l.Aggregate(t.Context(), TTFT("outcome", 500)); err != nil || len(got) != 0 {
		t.Errorf("aggregate: got %v, %v, want none", got, err)
	}
}

// TestRecoverRefuses: a plan that is not the journal's is not recovered from.
func TestRecoverRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	w, err := record(disk{}, dir, someRows(7))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, PlanName), []byte("name = \"other\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Recover(dir); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v, want %v", err, ErrChanged)
	}
	if _, err := os.Stat(filepath.Join(dir, JournalName)); err != nil {
		t.Errorf("journal: got %v, want it kept", err)
	}
}

// anyRow draws a row with any values at all.
func anyRow(t *rapid.T, seq int64) Row {
	text := rapid.SampledFrom([]string{"", "a", "stop", "é\x00", strings.Repeat("long ", 50)})
	small := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1, 1))
	maybe := rapid.Ptr(small, true)
	count := rapid.Int32()
	return Row{
		Seq: seq, Phase: rapid.SampledFrom(phases()).Draw(t, "phase"), DueNS: small.Draw(t, "due"),
		SentNS: maybe.Draw(t, "sent"), FirstSentNS: maybe.Draw(t, "first sent"), Attempts: count.Draw(t, "attempts"),
		ConnReused: rapid.Ptr(rapid.Bool(), true).Draw(t, "reused"), ConnectNS: maybe.Draw(t, "connect"),
		HeadersNS: maybe.Draw(t, "headers"), FirstByteNS: maybe.Draw(t, "byte"), FirstTokenNS: maybe.Draw(t, "token"),
		FirstAnswerNS: maybe.Draw(t, "answer"), LastTokenNS: maybe.Draw(t, "last"), EndNS: maybe.Draw(t, "end"),
		Outcome: rapid.SampledFrom(outcomes()).Draw(t, "outcome"), ErrorClass: text.Draw(t, "class"), ErrorText: text.Draw(t, "text"),
		HTTPStatus: rapid.Ptr(count, true).Draw(t, "status"), RetryAfter: maybe.Draw(t, "retry"),
		AskedInputTokens: small.Draw(t, "asked in"), AskedOutputTokens: small.Draw(t, "asked out"),
		InputTokens: maybe.Draw(t, "in"), OutputTokens: maybe.Draw(t, "out"), ReasoningTokens: maybe.Draw(t, "reasoning"),
		CachedTokens: maybe.Draw(t, "cached"), TokenSource: text.Draw(t, "source"), FinishReason: text.Draw(t, "finish"),
		SawDone: rapid.Bool().Draw(t, "done"), Chunks: count.Draw(t, "chunks"),
		ChunkGapsNS:  rapid.SliceOfN(small, 1, 5).Draw(t, "gaps"),
		GapsRecorded: rapid.Bool().Draw(t, "recorded"), ServerPrefillNS: maybe.Draw(t, "prefill"), ServerDecodeNS: maybe.Draw(t, "decode"),
		RequestID: text.Draw(t, "id"), PromptHash: text.Draw(t, "hash"), PromptText: text.Draw(t, "prompt"),
		AnswerText: text.Draw(t, "answer text"), InFlightNow: count.Draw(t, "in flight"),
	}
}

// TestAnyRowComesBack takes rows of any values through the journal and the
// Parquet file: null, zero and the empty text are told apart.
func TestAnyRowComesBack(t *testing.T) {
	parent, runs := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		dir := filepath.Join(parent, strconv.Itoa(runs))
		w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{})
		if err != nil {
			rt.Fatal(err)
		}
		defer w.Close() //nolint:errcheck // after Finish it does nothing
		n := rapid.IntRange(0, 20).Draw(rt, "rows")
		want := map[key]Row{}
		for i := range int64(n) {
			r := anyRow(rt, i)
			want[makeKey(r.Phase, r.Seq)] = r
			if err := w.Ended(r); err != nil {
				rt.Fatal(err)
			}
		}
		if _, err := w.Finish(finalManifest()); err != nil {
			rt.Fatal(err)
		}
		l, err := Open(dir)
		if err != nil {
			rt.Fatal(err)
		}
		defer l.Close() //nolint:errcheck // reading
		last, got := key(0), 0
		for r, err := range l.Rows() {
			if err != nil {
				rt.Fatal(err)
			}
			k := makeKey(r.Phase, r.Seq)
			if got++; got > 1 && k <= last {
				rt.Fatalf("row %d %s is out of order", r.Seq, r.Phase)
			}
			last = k
			if d := cmp.Diff(r, want[k]); d != "" {
				rt.Fatalf("row (-got +want):\n%s", d)
			}
		}
		if got != n {
			rt.Fatalf("rows: got %d, want %d", got, n)
		}
	})
}
