package reqlog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// RecoverReport says what [Recover] found and did.
type RecoverReport struct {
	// AlreadyComplete: the run was finished; nothing was changed.
	AlreadyComplete bool
	// OnlyFinishing: the run had ended in order and died while its log was
	// being made; the log is the one it would have had.
	OnlyFinishing bool
	Ended         int64  // requests with an outcome
	InFlight      int64  // sent, no outcome: unresolved
	LastNS        int64  // the last time that the journal tells
	JournalBytes  int64  // length of the journal
	LostBytes     int64  // bytes from the first bad frame on: not read
	Fault         string // what is wrong with that frame; empty: nothing
}

// Recover turns the journal of a killed run into a log. It reads the journal
// up to the first bad frame, counts what was sent and has no outcome as
// unresolved at the last time the journal tells, and marks the run
// interrupted. How many requests were still planned is not known: the ledger's
// planned is the number of rows, and the note says so.
//
// It may be repeated, also after it was killed itself, and says so when the
// run is complete. A run that another process is still writing is refused
// with [ErrRunning].
func Recover(dir string) (Manifest, RecoverReport, error) {
	return recoverRun(disk{}, dir)
}

func recoverRun(d disk, dir string) (Manifest, RecoverReport, error) {
	j, err := os.Open(filepath.Join(dir, JournalName))
	if errors.Is(err, fs.ErrNotExist) {
		return alreadyComplete(dir)
	}
	if err != nil {
		return Manifest{}, RecoverReport{}, fmt.Errorf("recover: %w", err)
	}
	defer j.Close() //nolint:errcheck // opened for reading
	if err := lock(j); err != nil {
		return Manifest{}, RecoverReport{}, fmt.Errorf("recover %s: %w", dir, err)
	}
	s, err := scanJournal(j)
	if err != nil {
		return Manifest{}, RecoverReport{}, fmt.Errorf("recover %s: %w", dir, err)
	}
	rep := RecoverReport{
		OnlyFinishing: s.final != nil,
		Ended:         int64(len(s.ended)), InFlight: int64(len(s.open)), LastNS: s.lastNS,
		JournalBytes: s.size, LostBytes: s.size - s.good,
	}
	if s.fault != nil {
		rep.Fault = s.fault.Error()
	}
	// A manifest that vouches for the files as they are needs no new ones.
	if m, err := ReadManifest(dir); err == nil && m.RunID == s.header.RunID && checkFiles(dir, m) == nil {
		return m, rep, d.dropJournal(dir)
	}
	if err := checkPlan(dir, s.header); err != nil {
		return Manifest{}, rep, fmt.Errorf("recover %s: %w", dir, err)
	}
	m, err := s.manifest(j, rep)
	if err == nil {
		m, err = d.publish(dir, j, s, m)
	}
	if err != nil {
		return Manifest{}, rep, fmt.Errorf("recover %s: %w", dir, err)
	}
	return m, rep, nil
}

func alreadyComplete(dir string) (Manifest, RecoverReport, error) {
	m, err := ReadManifest(dir)
	if err == nil {
		err = checkFiles(dir, m)
	}
	if err != nil {
		return Manifest{}, RecoverReport{}, fmt.Errorf("recover: %w", err)
	}
	return m, RecoverReport{AlreadyComplete: true}, nil
}

// checkPlan holds the stored plan against the journal's header.
func checkPlan(dir string, h Header) error {
	text, err := os.ReadFile(filepath.Join(dir, PlanName))
	if err != nil {
		return fmt.Errorf("read plan: %w", err)
	}
	if planHash(text) != h.PlanHash {
		return fmt.Errorf("%s: %w", filepath.Join(dir, PlanName), ErrChanged)
	}
	return nil
}

// manifest is the final one where the run had come so far; else it is made
// from the last draft and from what the rows tell.
func (s *journalScan) manifest(j *os.File, rep RecoverReport) (Manifest, error) {
	if s.final != nil {
		m := *s.final
		m.Header = s.header
		return m, nil
	}
	var m Manifest
	if s.draft != nil {
		m = *s.draft
	}
	m.Header = s.header
	m.State = Interrupted
	m.Ledger, m.Warmup = Ledger{}, Ledger{}
	var err error
	if m.Windows, err = s.windows(j); err != nil {
		return Manifest{}, err
	}
	m.Note = sentence(m.Note, "Recovered from the journal of a run that was killed. "+
		"How many requests were still planned is not known: planned counts those with a row.")
	if rep.Fault != "" {
		m.Note = sentence(m.Note, fmt.Sprintf("The last %d bytes of the journal were not readable (%s).", rep.LostBytes, rep.Fault))
	}
	if m.Health.Verdict != Void {
		m.Health.Verdict = Suspect
	}
	m.Health.Reasons = append(m.Health.Reasons,
		"The client was killed, and what it had observed of itself since it last said so is lost.")
	return m, nil
}

// windows are what the rows tell of a run that did not state its windows.
func (s *journalScan) windows(j *os.File) (Windows, error) {
	const none = math.MaxInt64
	warm, from, sendEnd := int64(none), int64(none), int64(0)
	err := s.rows(j, s.lastNS, func(r Row) error {
		switch r.Phase {
		case WarmupPhase:
			warm = min(warm, r.DueNS)
		case MeasurePhase:
			from = min(from, r.DueNS)
		}
		if r.SentNS != nil {
			sendEnd = max(sendEnd, *r.SentNS)
		}
		return nil
	})
	if err != nil {
		return Windows{}, err
	}
	w := Windows{MeasureFromNS: from, SendEndNS: sendEnd, ObservedToNS: s.lastNS}
	if s.draft != nil && s.draft.Windows.MeasureFromNS > 0 {
		w.MeasureFromNS = min(from, s.draft.Windows.MeasureFromNS) // with random arrivals the first is due later
	}
	if warm != none {
		w.WarmupFromNS = &warm
	}
	if w.MeasureFromNS == none {
		w.MeasureFromNS = s.lastNS // killed before a measured request
	}
	return w, nil
}

// checkFiles holds every file of the folder that the manifest lists against
// its length and SHA-256.
func checkFiles(dir string, m Manifest) error {
	listed := map[string]bool{}
	for _, want := range m.Files {
		if want.Name != filepath.Base(want.Name) || strings.ContainsAny(want.Name, `/\`) || want.Name == ".." || want.Name == "." {
			return fmt.Errorf("%s: %w: file name %q is not a plain name", filepath.Join(dir, ManifestName), ErrCorrupt, want.Name)
		}
		got, err := sumFile(dir, want.Name)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s: %w: it has %d bytes and SHA-256 %s, the manifest says %d and %s",
				filepath.Join(dir, want.Name), ErrChanged, got.Bytes, got.SHA256, want.Bytes, want.SHA256)
		}
		listed[want.Name] = true
	}
	for _, name := range []string{PlanName, RequestsName} {
		if !listed[name] {
			return fmt.Errorf("%s: %w: it does not list %s", filepath.Join(dir, ManifestName), ErrCorrupt, name)
		}
	}
	return checkPlan(dir, m.Header)
}
