package reqlog

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// key orders the rows of a log: warm-up first, then by sequence number.
type key uint64

func makeKey(p Phase, seq int64) key {
	k := key(seq)
	if p != WarmupPhase {
		k |= 1 << 63
	}
	return k
}

// place is where the frame of an ended request stands in the journal.
type place struct {
	key key
	at  int64
}

// attempts is a request that was sent and, so far, has not ended.
type attempts struct {
	first, last sent
	n           int32
}

// journalScan is what one pass over a journal found. It keeps 16 bytes per
// ended request and a few hundred per request in flight, never the rows.
type journalScan struct {
	header Header
	ended  []place // by key, one each
	open   []attempts
	twice  int64 // further "ended" frames of a request that had ended
	lastNS int64 // the latest time that any frame tells
	draft  *Manifest
	final  *Manifest
	frames int64
	good   int64 // bytes up to the first bad frame
	size   int64
	fault  error // why the journal ends at good; nil: at its proper end
}

// scanJournal reads the journal from its start up to the first bad frame. The
// error tells of a journal without a usable header, or of a read that failed.
func scanJournal(f *os.File) (*journalScan, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return scanFrames(io.NewSectionReader(f, 0, info.Size()), info.Size())
}

func scanFrames(r io.Reader, size int64) (*journalScan, error) {
	fr, err := newFrameReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w: journal: %w", ErrCorrupt, err)
	}
	s := &journalScan{size: size}
	open := map[key]attempts{}
	for {
		f, err := fr.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = s.take(f, open)
		}
		if errors.Is(err, errBadFrame) {
			s.fault = err
			break
		}
		if err != nil {
			return nil, err
		}
		s.frames++
		s.good = fr.at
	}
	if s.frames == 0 {
		return nil, fmt.Errorf("%w: journal: no readable header", ErrCorrupt)
	}
	s.settle(open)
	return s, nil
}

// take adds one frame. What it cannot decode is a bad frame.
func (s *journalScan) take(f frame, open map[key]attempts) error {
	if (s.frames == 0) != (f.kind == headerFrame) {
		return fmt.Errorf("%w at byte %d: the header must be the first frame, once", errBadFrame, f.at)
	}
	if s.final != nil {
		return fmt.Errorf("%w at byte %d: a frame after the final manifest", errBadFrame, f.at)
	}
	var err error
	switch f.kind {
	case headerFrame:
		err = s.takeHeader(f.payload)
		if errors.Is(err, ErrVersion) {
			return err
		}
	case sentFrame:
		err = s.takeSent(f.payload, open)
	case endedFrame:
		err = s.takeEnded(f, open)
	case markFrame:
		var ns int64
		w := wire{buf: f.payload, reading: true}
		w.int64(&ns, 0)
		err = w.done()
		s.lastNS = max(s.lastNS, ns)
	case draftFrame:
		s.draft = new(Manifest)
		err = json.Unmarshal(f.payload, s.draft)
	case manifestFrame:
		s.final = new(Manifest)
		err = json.Unmarshal(f.payload, s.final)
	}
	if err != nil {
		return fmt.Errorf("%w at byte %d: %w", errBadFrame, f.at, err)
	}
	return nil
}

func (s *journalScan) takeHeader(payload []byte) error {
	if err := json.Unmarshal(payload, &s.header); err != nil {
		return err
	}
	if err := readable(s.header.Schema); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	return nil
}

func (s *journalScan) takeSent(payload []byte, open map[key]attempts) error {
	var one sent
	w := wire{buf: payload, reading: true}
	w.sent(&one)
	if err := w.done(); err != nil {
		return err
	}
	if one.seq < 0 {
		return errShort
	}
	k := makeKey(one.phase, one.seq)
	a := open[k]
	if a.n == 0 {
		a.first = one
	}
	a.last = one
	a.n++
	open[k] = a
	s.lastNS = max(s.lastNS, one.sentNS)
	return nil
}

func (s *journalScan) takeEnded(f frame, open map[key]attempts) error {
	r, err := decodeRow(f.payload, nil)
	if err != nil {
		return err
	}
	k := makeKey(r.Phase, r.Seq)
	delete(open, k)
	s.ended = append(s.ended, place{k, f.at})
	for _, t := range []*int64{r.SentNS, r.EndNS} {
		if t != nil {
			s.lastNS = max(s.lastNS, *t)
		}
	}
	return nil
}

// decodeRow reads the payload of an "ended" frame.
func decodeRow(payload []byte, intern map[string]string) (Row, error) {
	var r Row
	w := wire{buf: payload, reading: true, intern: intern}
	w.row(&r)
	if err := w.done(); err != nil {
		return Row{}, err
	}
	if r.Seq < 0 {
		return Row{}, errShort
	}
	return r, nil
}

// settle sorts what ended and what did not, and drops from the latter what a
// frame out of order had made to look open.
func (s *journalScan) settle(open map[key]attempts) {
	slices.SortFunc(s.ended, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
	n := len(s.ended)
	s.ended = slices.CompactFunc(s.ended, func(a, b place) bool { return a.key == b.key })
	s.twice = int64(n - len(s.ended))
	for k, a := range open {
		_, ended := slices.BinarySearchFunc(s.ended, k, func(p place, k key) int { return cmp.Compare(p.key, k) })
		if !ended {
			s.open = append(s.open, a)
		}
	}
	slices.SortFunc(s.open, func(a, b attempts) int {
		return cmp.Compare(makeKey(a.last.phase, a.last.seq), makeKey(b.last.phase, b.last.seq))
	})
}

// unresolved makes the row of a request in flight when observation ended.
func (a attempts) unresolved(endNS int64) Row {
	s := a.last
	r := Row{
		Seq: s.seq, Phase: s.phase, DueNS: s.dueNS, SentNS: &s.sentNS, Attempts: a.n,
		EndNS: &endNS, Outcome: Unresolved,
		AskedInputTokens: s.askedIn, AskedOutputTokens: s.askedOut,
		RequestID: s.requestID, PromptHash: s.hash,
	}
	if a.n > 1 {
		first := a.first.sentNS
		r.FirstSentNS = &first
	}
	return r
}

// rows gives every row of the journal in the log's order: ended ones from the
// journal, open ones as unresolved since they were sent until endNS.
func (s *journalScan) rows(j io.ReaderAt, endNS int64, yield func(Row) error) error {
	win := window{r: j, size: s.good}
	intern := map[string]string{}
	open := s.open
	for _, p := range s.ended {
		for len(open) > 0 && makeKey(open[0].last.phase, open[0].last.seq) < p.key {
			if err := yield(open[0].unresolved(endNS)); err != nil {
				return err
			}
			open = open[1:]
		}
		f, err := win.frame(p.at)
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		r, err := decodeRow(f.payload, intern)
		if err != nil {
			return fmt.Errorf("journal: frame at byte %d: %w", p.at, err)
		}
		if err := yield(r); err != nil {
			return err
		}
	}
	for _, a := range open {
		if err := yield(a.unresolved(endNS)); err != nil {
			return err
		}
	}
	return nil
}
