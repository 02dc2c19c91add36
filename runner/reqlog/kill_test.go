package reqlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errKilled = errors.New("killed")

// killer lets a number of steps on the disk happen, then refuses all: as if
// the process had been killed there. Of a write that it refuses, the part
// torn (0 to 1) still reaches the file.
type killer struct {
	left int
	torn float64
	dead bool
	log  []string
}

func (k *killer) disk() disk {
	return disk{before: func(step, name string, n int) (int, error) {
		if k.dead {
			return 0, errKilled
		}
		k.log = append(k.log, step+" "+name)
		if k.left > 0 {
			k.left--
			return n, nil
		}
		k.dead = true
		return int(float64(n) * k.torn), errKilled
	}}
}

// someRows are rows of every outcome, in an order in which they may end.
func someRows(n int64) []Row {
	var rows []Row
	for seq := range n {
		r := fullRow(seq)
		r.Outcome = outcomes()[seq%7]
		if r.Outcome == NeverSent {
			r = Row{Seq: seq, Phase: MeasurePhase, DueNS: 1000 * seq, Outcome: NeverSent}
		}
		rows = append(rows, r)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// record makes a run of the rows and leaves it to the caller to finish it.
// The last request is sent and does not end.
func record(d disk, dir string, rows []Row) (*Writer, error) {
	w, err := create(d, dir, testHeader(), []byte(testPlan), WriterOptions{})
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		if r.Outcome != NeverSent {
			err = w.Sent(r.Seq, r.Phase, r.DueNS, *r.SentNS, r.AskedInputTokens, r.AskedOutputTokens, r.RequestID, r.PromptHash)
			if err != nil {
				return w, err
			}
		}
		if err := w.Ended(r); err != nil {
			return w, err
		}
		if i%10 == 9 {
			if err := w.Flush(); err != nil {
				return w, err
			}
		}
	}
	return w, w.Sent(int64(len(rows)), MeasurePhase, 7, 8, 9, 10, "open", "hash")
}

func finalManifest() Manifest {
	return Manifest{
		State: Complete, Windows: Windows{SendEndNS: 1, ObservedToNS: 77_000},
		Health: Health{Verdict: Sound}, Facts: []Fact{{Key: "engine_version", By: "plan"}},
	}
}

// die lets go of what the operating system would let go of.
func die(t *testing.T, w *Writer) {
	t.Helper()
	if w == nil {
		return
	}
	if err := w.Close(); err != nil && !errors.Is(err, errKilled) && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
	if err := w.journal.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
}

// TestFinishKilledAtEveryStep kills a run at each step of Create, of
// recording and of Finish, and recovers it with a recovery that is killed at
// each of its steps before one goes through. What was flushed is in the log.
func TestFinishKilledAtEveryStep(t *testing.T) {
	rows := someRows(35)
	count := &killer{left: 1 << 30}
	w, err := record(count.disk(), filepath.Join(t.TempDir(), "run"), rows)
	if err != nil {
		t.Fatal(err)
	}
	flushed := len(count.log)
	if _, err := w.Finish(finalManifest()); err != nil {
		t.Fatal(err)
	}
	for step := range count.log {
		for _, torn := range []float64{0, 0.4, 1} {
			if torn > 0 && !strings.HasPrefix(count.log[step], "write") {
				continue
			}
			t.Run(fmt.Sprintf("%d %s %v", step, count.log[step], torn), func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "run")
				k := &killer{left: step, torn: torn}
				w, err := record(k.disk(), dir, rows)
				if err == nil {
					_, err = w.Finish(finalManifest())
				}
				if !errors.Is(err, errKilled) {
					t.Fatalf("got %v, want %v", err, errKilled)
				}
				die(t, w)
				whole := step >= flushed
				recoverKilled(t, dir, rows, whole)
			})
		}
	}
}

// recoverKilled recovers dir, killed at one step after the other.
func recoverKilled(t *testing.T, dir string, rows []Row, whole bool) {
	t.Helper()
	for step := 0; ; step++ {
		k := &killer{left: step, torn: 0.5}
		_, _, err := recoverRun(k.disk(), dir)
		if err == nil {
			break
		}
		if errors.Is(err, errKilled) {
			continue
		}
		// A run that was killed before its journal had a header has nothing.
		if !whole && (errors.Is(err, ErrNotRun) || errors.Is(err, ErrCorrupt)) {
			return
		}
		t.Fatal(err)
	}
	m, rep, err := Recover(dir)
	if err != nil || !rep.AlreadyComplete {
		t.Fatalf("recovered again: got %+v, %v, want already complete", rep, err)
	}
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, l)
	got := collect(t, l.Rows())
	if whole {
		if m.State == Complete {
			checkWhole(t, m, got, rows)
		} else if len(got) < 30 {
			t.Errorf("rows: got %d, want at least the 30 that were flushed", len(got))
		}
	}
	checkPart(t, got, rows)
	if !m.Ledger.Balances() {
		t.Errorf("ledger does not balance: %+v", m.Ledger)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 3 {
		t.Errorf("files: got %v, %v, want manifest, plan and requests", names, err)
	}
}

// checkWhole holds a finished run against what was recorded.
func checkWhole(t *testing.T, m Manifest, got, rows []Row) {
	t.Helper()
	if len(got) != len(rows)+1 {
		t.Fatalf("rows: got %d, want %d", len(got), len(rows)+1)
	}
	if len(m.Facts) != 1 || m.Health.Verdict != Sound || m.Windows.ObservedToNS != 77_000 {
		t.Errorf("manifest: got %+v, want the final one", m)
	}
	if last := got[len(got)-1]; last.Outcome != Unresolved || *last.EndNS != 77_000 {
		t.Errorf("open request: got %+v, want unresolved at 77000", last)
	}
}

// checkPart holds each row of a log against the one that was recorded. Those
// whose end was lost are unresolved.
func checkPart(t *testing.T, got, rows []Row) {
	t.Helper()
	want := map[int64]Row{}
	for _, r := range rows {
		want[r.Seq] = r
	}
	last := int64(-1)
	for _, g := range got {
		if g.Seq <= last {
			t.Fatalf("row %d after row %d", g.Seq, last)
		}
		last = g.Seq
		w, ok := want[g.Seq]
		if !ok || g.RequestID == "open" || g.Outcome == Unresolved && w.Outcome != Unresolved {
			if g.Outcome != Unresolved || g.SentNS == nil || g.EndNS == nil {
				t.Errorf("row %d: got %+v, want unresolved with its age", g.Seq, g)
			}
			continue
		}
		if d := cmp.Diff(g, w); d != "" && g.Outcome != Unresolved {
			t.Errorf("row %d (-got +want):\n%s", g.Seq, d)
		}
	}
}

// TestDiskFull gives the disk no more room at each write. The first error
// stays, and what was written before is recovered.
func TestDiskFull(t *testing.T) {
	full := errors.New("no space left on device")
	rows := someRows(35)
	for room := range 12 {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			dir, writes := filepath.Join(t.TempDir(), "run"), 0
			d := disk{before: func(step, name string, n int) (int, error) {
				if step != "write" || name != JournalName {
					return n, nil
				}
				if writes++; writes > room+1 {
					return n / 2, full
				}
				return n, nil
			}}
			w, err := record(d, dir, rows)
			if err == nil {
				_, err = w.Finish(finalManifest())
				if err == nil {
					return // room enough
				}
			}
			if !errors.Is(err, full) {
				t.Fatalf("got %v, want %v", err, full)
			}
			if err := w.Ended(fullRow(99)); room < 3 && !errors.Is(err, full) {
				t.Errorf("the next call: got %v, want %v", err, full)
			}
			if _, err := w.Finish(finalManifest()); err == nil {
				t.Error("finish: got no error")
			}
			die(t, w)
			m, rep, err := Recover(dir)
			if err != nil {
				t.Fatal(err)
			}
			if want := int64(10 * room); rep.Ended < min(want, 30) {
				t.Errorf("ended: got %d, want at least %d", rep.Ended, want)
			}
			if rep.LostBytes == 0 || !strings.Contains(m.Note, "not readable") {
				t.Errorf("torn end: got %+v and note %q, want both to tell", rep, m.Note)
			}
		})
	}
}

// TestDiskFullAtTheEnd gives the disk no room for a file of the finished run.
// Nothing half is left, the journal is, and with room it becomes the log.
func TestDiskFullAtTheEnd(t *testing.T) {
	full := errors.New("no space left on device")
	for _, name := range []string{RequestsName, ManifestName} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			d := disk{before: func(step, file string, n int) (int, error) {
				if step == "write" && file == name+tmpSuffix {
					return n / 2, full
				}
				return n, nil
			}}
			w, err := record(d, dir, someRows(35))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Finish(finalManifest()); !errors.Is(err, full) {
				t.Fatalf("got %v, want %v", err, full)
			}
			if _, err := os.Stat(filepath.Join(dir, name+tmpSuffix)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("temporary file: got %v, want none", err)
			}
			if _, err := Open(dir); !errors.Is(err, ErrNotComplete) {
				t.Errorf("open: got %v, want %v", err, ErrNotComplete)
			}
			m, rep, err := Recover(dir)
			if err != nil || m.State != Complete || !rep.OnlyFinishing || m.Ledger.Planned != 36 {
				t.Errorf("recover: got %s, %+v, %v, want the complete run", m.State, rep, err)
			}
		})
	}
}
