package reqlog

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](v T) *T { return &v }

// testHeader is a header as the runner would give it.
func testHeader() Header {
	return Header{
		RunID: "demo-20261129t172300z-i8-o4-c2-r1", Plan: "demo", Family: "demo", Repeat: 1, Repeats: 1,
		Tool: "benchline test", WallStart: time.Date(2026, 11, 29, 17, 23, 0, 5, time.UTC),
	}
}

const testPlan = "name = \"demo\"\n"

// fullRow has a value in every column.
func fullRow(seq int64) Row {
	return Row{
		Seq: seq, Phase: MeasurePhase, DueNS: 1000 * seq, SentNS: ptr(1000*seq + 3), FirstSentNS: ptr(1000*seq + 1),
		Attempts: 2, ConnReused: ptr(false), ConnectNS: ptr(int64(17)),
		HeadersNS: ptr(1000*seq + 5), FirstByteNS: ptr(1000*seq + 6), FirstTokenNS: ptr(1000*seq + 7),
		FirstAnswerNS: ptr(1000*seq + 9), LastTokenNS: ptr(1000*seq + 900), EndNS: ptr(1000*seq + 950),
		Outcome: Completed, ErrorClass: "class", ErrorText: "text", HTTPStatus: ptr(int32(200)), RetryAfter: ptr(int64(4)),
		AskedInputTokens: 8, AskedOutputTokens: 4, InputTokens: ptr(int64(8)), OutputTokens: ptr(int64(4)),
		ReasoningTokens: ptr(int64(1)), CachedTokens: ptr(int64(2)), TokenSource: "usage", FinishReason: "stop", SawDone: true,
		Chunks: 4, ChunkGapsNS: []int64{20, 21, 19}, GapsRecorded: true,
		ServerPrefillNS: ptr(int64(3)), ServerDecodeNS: ptr(int64(30)),
		RequestID: "id", PromptHash: "hash", PromptText: "prompt", AnswerText: "answer", InFlightNow: 2,
	}
}

// collect reads all rows or fails the test.
func collect(t *testing.T, rows iter.Seq2[Row, error]) []Row {
	t.Helper()
	var out []Row
	for r, err := range rows {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

// closeAfter closes c when the test ends.
func closeAfter(t *testing.T, c io.Closer) {
	t.Helper()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestRunBecomesLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs", "run")
	w, err := Create(dir, testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, w)
	for _, seq := range []int64{2, 0} {
		if err := w.Sent(seq, MeasurePhase, 1000*seq, 1000*seq+3, 8, 4, "id", "hash"); err != nil {
			t.Fatal(err)
		}
		if err := w.Ended(fullRow(seq)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Sent(1, MeasurePhase, 1000, 1003, 8, 4, "open", "hash"); err != nil {
		t.Fatal(err)
	}
	warm := Row{Seq: 0, Phase: WarmupPhase, Outcome: NeverSent}
	if err := w.Ended(warm); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrNotComplete) {
		t.Errorf("open before the end: got %v, want %v", err, ErrNotComplete)
	}
	m, err := w.Finish(Manifest{State: Complete, Windows: Windows{SendEndNS: 2003, ObservedToNS: 5000}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	open := Row{
		Seq: 1, Phase: MeasurePhase, DueNS: 1000, SentNS: ptr(int64(1003)), Attempts: 1, EndNS: ptr(int64(5000)),
		Outcome: Unresolved, AskedInputTokens: 8, AskedOutputTokens: 4, RequestID: "open", PromptHash: "hash",
	}
	want := []Row{warm, fullRow(0), open, fullRow(2)}
	if d := cmp.Diff(collect(t, l.Rows()), want); d != "" {
		t.Errorf("rows (-got +want):\n%s", d)
	}
	if d := cmp.Diff(l.Manifest(), m); d != "" {
		t.Errorf("manifest (-got +want):\n%s", d)
	}
	if got, want := m.Ledger, (Ledger{Planned: 3, Sent: 3, Completed: 2, Unresolved: 1}); got != want {
		t.Errorf("ledger: got %+v, want %+v", got, want)
	}
	if got, want := m.Warmup, (Ledger{Planned: 1, NeverSent: 1}); got != want {
		t.Errorf("warm-up: got %+v, want %+v", got, want)
	}
	if _, err := os.Stat(filepath.Join(dir, JournalName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("journal after finish: got %v, want none", err)
	}
	if got, want := string(l.Plan()), testPlan; got != want {
		t.Errorf("plan: got %q, want %q", got, want)
	}
	if _, err := Create(dir, testHeader(), nil, WriterOptions{}); !errors.Is(err, ErrExists) {
		t.Errorf("create again: got %v, want %v", err, ErrExists)
	}
}
