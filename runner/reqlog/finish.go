package reqlog

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Finish ends recording and makes the log: the final manifest goes into the
// journal, the journal becomes requests.parquet, then manifest.json is
// written, and the journal is removed last. Every file is written under a
// temporary name, forced to the medium and renamed. A process that dies in
// between leaves a folder which [Recover] brings to the same end.
//
// The header is the one given to Create. Files is filled in. A ledger that is
// all zero is filled in from the rows; one that says otherwise than the rows
// makes the run void, with the reason. Requests that were sent and have no
// row become unresolved at Windows.ObservedToNS.
//
// After an error the journal is still there.
func (w *Writer) Finish(m Manifest) (Manifest, error) {
	if !w.end() {
		return Manifest{}, fmt.Errorf("finish %s: %w", w.dir, ErrClosed)
	}
	m, err := w.finish(m)
	if err != nil {
		return Manifest{}, fmt.Errorf("finish %s: %w", w.dir, err)
	}
	return m, nil
}

func (w *Writer) finish(m Manifest) (Manifest, error) {
	defer w.journal.Close() //nolint:errcheck // synced before it is read; gone at the end
	if err := w.flush(); err != nil {
		return Manifest{}, err
	}
	m.Header = w.header
	m.Files = nil
	// Asked now, so that a manifest which cannot be written is refused before
	// the journal calls it final.
	if _, err := encodeManifest(m); err != nil {
		return Manifest{}, err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return Manifest{}, fmt.Errorf("encode manifest: %w", err)
	}
	buf, err := closeFrame(append(openFrame(nil, manifestFrame), text...), 0)
	if err != nil {
		return Manifest{}, err
	}
	if _, err := w.journal.Write(buf); err != nil {
		return Manifest{}, fmt.Errorf("journal: %w", err)
	}
	if err := w.journal.Sync(); err != nil {
		return Manifest{}, fmt.Errorf("journal: sync: %w", err)
	}
	s, err := scanJournal(w.journal.File)
	if err != nil {
		return Manifest{}, err
	}
	if s.fault != nil {
		return Manifest{}, fmt.Errorf("journal: what was written reads back wrong: %w", s.fault)
	}
	return w.d.publish(w.dir, w.journal.File, s, m)
}

// publish makes the files of a finished run from its journal and removes the
// journal. It may be repeated after any interruption.
func (d disk) publish(dir string, journal *os.File, s *journalScan, m Manifest) (Manifest, error) {
	endNS := s.lastNS
	if m.Windows.ObservedToNS > 0 {
		endNS = m.Windows.ObservedToNS
	}
	var t tally
	err := d.replace(dir, RequestsName, func(out io.Writer) error {
		w, err := newRowWriter(out, s.header)
		if err != nil {
			return err
		}
		err = s.rows(journal, endNS, func(r Row) error {
			t.add(r)
			return w.add(r)
		})
		if err != nil {
			return err
		}
		return w.close()
	})
	if err != nil {
		return Manifest{}, err
	}
	m = settleLedgers(withLists(m), t)
	if s.twice > 0 {
		m.Note = sentence(m.Note, fmt.Sprintf("%d rows were recorded twice; the first of each is kept.", s.twice))
	}
	if m.Files, err = listFiles(dir); err != nil {
		return Manifest{}, err
	}
	if err := d.writeManifest(dir, m); err != nil {
		return Manifest{}, err
	}
	return m, d.dropJournal(dir)
}

// dropJournal is the last step: from here on the folder is a finished run.
func (d disk) dropJournal(dir string) error {
	if err := d.remove(filepath.Join(dir, JournalName)); err != nil {
		return fmt.Errorf("remove journal: %w", err)
	}
	if err := d.syncDir(dir); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}

// settleLedgers fills in the ledgers that were not given, and voids a run
// whose ledgers are not those of its rows.
func settleLedgers(m Manifest, t tally) Manifest {
	for _, l := range []struct {
		name        string
		given, rows *Ledger
	}{{"measured phase", &m.Ledger, &t.measure}, {"warm-up", &m.Warmup, &t.warmup}} {
		if *l.given == (Ledger{}) {
			*l.given = *l.rows
		}
		if *l.given == *l.rows {
			continue
		}
		m.Health.Verdict = Void
		m.Health.Reasons = append(m.Health.Reasons, fmt.Sprintf(
			"The ledger of the %s (%s) is not that of its rows (%s).", l.name, l.given.text(), l.rows.text()))
	}
	return m
}

func (l Ledger) text() string {
	return fmt.Sprintf("planned %d, sent %d, completed %d, failed %d, rejected %d, timed out %d, cancelled %d, unresolved %d, never sent %d",
		l.Planned, l.Sent, l.Completed, l.Failed, l.Rejected, l.TimedOut, l.Cancelled, l.Unresolved, l.NeverSent)
}

// sentence appends one to a note.
func sentence(note, s string) string {
	return strings.TrimSpace(note + " " + s)
}

// listFiles measures every file of the folder that the manifest vouches for.
func listFiles(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	var out []File
	for _, e := range entries {
		name := e.Name()
		if e.Type()&fs.ModeType != 0 || name == JournalName || name == ManifestName || strings.HasSuffix(name, tmpSuffix) {
			continue
		}
		f, err := sumFile(dir, name)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
