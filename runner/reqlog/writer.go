package reqlog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// WriterOptions are the knobs of a [Writer]. The zero value is usable.
type WriterOptions struct {
	// FlushEvery is the longest time that a frame stays in this process's
	// memory before it is handed to the operating system: what a kill can
	// lose. Zero: a fifth of a second, so that the one second that is promised
	// holds on a busy machine, whose timers are late, as well.
	FlushEvery time.Duration
	// Elapsed gives the time since the run's start. If set, each flush also
	// records it, so that after a kill the age of a request in flight is
	// known to within FlushEvery. Nil: the last time in a frame counts.
	Elapsed func() time.Duration
}

// maxPending is how many bytes may wait for the disk before callers wait too.
const maxPending = 32 << 20

// wakeAt is how many bytes may wait before the flusher is woken early.
const wakeAt = 1 << 20

// Writer records a run in its journal and, at the end, makes the log of it.
// Its methods may be called by many goroutines at once; each holds the lock
// only to append bytes that it encoded before.
//
// A frame is handed to the operating system after FlushEvery at the latest,
// and so survives the death of this process. The medium is forced (fsync) at
// Create and at Finish only: after a power failure in between, what the
// operating system had not yet written back is lost.
//
// The first write error ends recording: it is returned by every later call
// and by Finish. What was recorded before stays in the journal.
type Writer struct {
	dir     string
	d       disk
	journal *handle
	header  Header
	elapsed func() time.Duration
	scratch sync.Pool // of *[]byte

	mu      sync.Mutex // guards the four below
	pending []byte
	err     error
	closed  bool

	writing sync.Mutex // held while writing; taken before mu
	spare   []byte
	wake    chan struct{}
	stop    chan struct{}
	stopped chan struct{}
}

// Create makes the run folder dir, which must not exist ([ErrExists]), stores
// the plan and opens the journal. The header's Schema and PlanHash are filled
// in where they are empty and refused where they are wrong.
func Create(dir string, h Header, planTOML []byte, o WriterOptions) (*Writer, error) {
	return create(disk{}, dir, h, planTOML, o)
}

func create(d disk, dir string, h Header, planTOML []byte, o WriterOptions) (*Writer, error) {
	h, err := completeHeader(h, planTOML)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", dir, err)
	}
	if err := d.mkdir(dir); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("create %s: %w", dir, ErrExists)
		}
		return nil, fmt.Errorf("create run folder: %w", err)
	}
	err = d.replace(dir, PlanName, func(w io.Writer) error {
		_, err := w.Write(planTOML)
		return err
	})
	if err != nil {
		return nil, err
	}
	j, err := startJournal(d, dir, h)
	if err != nil {
		return nil, fmt.Errorf("create journal: %w", err)
	}
	w := &Writer{
		dir: dir, d: d, journal: j, header: h, elapsed: o.Elapsed,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{}),
	}
	w.scratch.New = func() any { return new([]byte) }
	every := o.FlushEvery
	if every <= 0 {
		every = time.Second / 5
	}
	go w.flusher(every)
	return w, nil
}

// completeHeader fills in what follows from the version and the plan.
func completeHeader(h Header, planTOML []byte) (Header, error) {
	if h.Schema == 0 {
		h.Schema = SchemaVersion
	}
	if h.Schema != SchemaVersion {
		return h, fmt.Errorf("%w: header says %d, this program writes %d", ErrVersion, h.Schema, SchemaVersion)
	}
	sum := planHash(planTOML)
	if h.PlanHash == "" {
		h.PlanHash = sum
	}
	if h.PlanHash != sum {
		return h, fmt.Errorf("plan hash %s in the header is not that of the plan's text (%s)", h.PlanHash, sum)
	}
	h.WallStart = h.WallStart.UTC()
	return h, nil
}

func planHash(planTOML []byte) string {
	sum := sha256.Sum256(planTOML)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// startJournal writes magic and header and forces both to the medium.
func startJournal(d disk, dir string, h Header) (*handle, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode header: %w", err)
	}
	buf := openFrame([]byte(magic), headerFrame)
	if buf, err = closeFrame(append(buf, text...), len(magic)); err != nil {
		return nil, err
	}
	j, err := d.create(filepath.Join(dir, JournalName), true)
	if err != nil {
		return nil, err
	}
	if err = lock(j.File); err == nil {
		_, err = j.Write(buf)
	}
	if err == nil {
		err = j.Sync()
	}
	if err == nil {
		err = d.syncDir(dir)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Sent records that an attempt of a request was handed to the socket layer,
// before its outcome is known. Call it again for the second attempt of the
// same request. Times are nanoseconds from the run's start.
func (w *Writer) Sent(seq int64, phase Phase, dueNS, sentNS int64, askedIn, askedOut int64, requestID, promptHash string) error {
	s := sent{
		seq: seq, phase: phase, dueNS: dueNS, sentNS: sentNS, askedIn: askedIn, askedOut: askedOut,
		requestID: clean(requestID), hash: clean(promptHash),
	}
	if seq < 0 {
		return fmt.Errorf("record request %d as sent: negative sequence number", seq)
	}
	return w.record(sentFrame, func(c *wire) { c.sent(&s) })
}

// Ended records a request whose outcome is known, or one that was never sent.
// Text that is not UTF-8 is repaired with U+FFFD, because Parquet strings
// must be UTF-8, and ErrorText is cut to 500 bytes.
func (w *Writer) Ended(r Row) error {
	if r.Seq < 0 {
		return fmt.Errorf("record request %d as ended: negative sequence number", r.Seq)
	}
	for _, s := range []*string{
		&r.ErrorClass, &r.ErrorText, &r.TokenSource, &r.FinishReason,
		&r.RequestID, &r.PromptHash, &r.PromptText, &r.AnswerText,
	} {
		*s = clean(*s)
	}
	r.ErrorText = cut(r.ErrorText, 500)
	return w.record(endedFrame, func(c *wire) { c.row(&r) })
}

// Draft records what is known of the manifest while the run goes on: facts,
// windows, the first metrics scrape. After a kill, [Recover] takes the last
// draft for what the rows cannot tell. Calling it is optional.
func (w *Writer) Draft(m Manifest) error {
	m.Header = w.header
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode manifest draft: %w", err)
	}
	return w.record(draftFrame, func(c *wire) { c.buf = append(c.buf, text...) })
}

// clean returns s as valid UTF-8.
func clean(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// record encodes a frame outside the lock and appends it inside.
func (w *Writer) record(t frameType, fill func(*wire)) error {
	p, _ := w.scratch.Get().(*[]byte)
	defer w.scratch.Put(p)
	c := wire{buf: openFrame((*p)[:0], t)}
	fill(&c)
	if c.err != nil {
		return fmt.Errorf("record: %w", c.err)
	}
	buf, err := closeFrame(c.buf, 0)
	*p = buf
	if err != nil {
		return err
	}
	return w.append(buf)
}

func (w *Writer) append(frame []byte) error {
	w.mu.Lock()
	err, closed := w.err, w.closed
	if err == nil && !closed {
		w.pending = append(w.pending, frame...)
	}
	n := len(w.pending)
	w.mu.Unlock()
	switch {
	case err != nil:
		return err
	case closed:
		return ErrClosed
	case n >= maxPending:
		// The disk does not keep up: better that this caller waits than
		// that memory runs out.
		return w.flush()
	case n >= wakeAt:
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}
	return nil
}

// flusher hands what is pending to the operating system at least every so
// often, until stop is closed.
func (w *Writer) flusher(every time.Duration) {
	defer close(w.stopped)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-w.wake:
			_ = w.flush() // kept in w.err, which every later call returns
		case <-tick.C:
			w.mark()
			_ = w.flush() // likewise
		}
	}
}

// mark records how far the run has come.
func (w *Writer) mark() {
	if w.elapsed == nil {
		return
	}
	ns := int64(w.elapsed())
	_ = w.record(markFrame, func(c *wire) { c.int64(&ns, 0) }) // kept in w.err
}

// flush writes what is pending.
func (w *Writer) flush() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.mu.Lock()
	out, err := w.pending, w.err
	w.pending = w.spare[:0]
	w.mu.Unlock()
	w.spare = out
	if err != nil || len(out) == 0 {
		return err
	}
	if _, err = w.journal.Write(out); err == nil {
		return nil
	}
	err = fmt.Errorf("journal: %w", err)
	w.mu.Lock()
	w.err = err
	w.mu.Unlock()
	return err
}

// Flush hands everything recorded so far to the operating system.
func (w *Writer) Flush() error { return w.flush() }

// Close stops recording without making a log: the journal stays, for
// [Recover]. After Finish it does nothing. It returns the first error of
// recording.
func (w *Writer) Close() error {
	if !w.end() {
		return nil
	}
	return errors.Join(w.flush(), w.journal.Close())
}

// end stops the flusher and further recording; false if that was done before.
func (w *Writer) end() bool {
	w.mu.Lock()
	was := w.closed
	w.closed = true
	w.mu.Unlock()
	if was {
		return false
	}
	close(w.stop)
	<-w.stopped
	return true
}
