package reqlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// finished makes a finished run of some rows.
func finished(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := record(disk{}, dir, someRows(35))
	if err == nil {
		_, err = w.Finish(finalManifest())
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// journalBytes is the journal of a run that was not finished.
func journalBytes(t testing.TB) []byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	w, err := record(disk{}, dir, someRows(35))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, JournalName))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestFlippedBytes changes bytes all over every file of a run, one at a time:
// Open refuses the run and names the file.
func TestFlippedBytes(t *testing.T) {
	dir := finished(t)
	for _, name := range []string{ManifestName, PlanName, RequestsName} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(text); at += 1 + len(text)/700 {
				damaged := bytes.Clone(text)
				damaged[at] ^= 1 << (at % 8)
				expectRefused(t, dir, name, damaged, fmt.Sprintf("byte %d flipped", at))
			}
			for _, n := range []int{0, 1, len(text) / 2, len(text) - 1} {
				expectRefused(t, dir, name, text[:n], fmt.Sprintf("cut to %d", n))
			}
			expectRefused(t, dir, name, append(bytes.Clone(text), '\n'), "a byte more")
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func expectRefused(t *testing.T, dir, name string, text []byte, what string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Open(dir)
	if err == nil {
		t.Errorf("%s: got no error", what)
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	if !strings.Contains(err.Error(), name) {
		t.Errorf("%s: got %q, want it to name %s", what, err, name)
	}
}

// TestFlippedParquet changes bytes of a requests file that no manifest
// vouches for. It may be refused or read, but nothing panics.
func TestFlippedParquet(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(finished(t), RequestsName))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for at := 0; at < len(text); at += 3 {
		damaged := bytes.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		if readParquet(damaged) != nil {
			refused++
		}
	}
	if refused < len(text)/3/4 {
		t.Errorf("refused: got %d of %d, want a good part: pages have checksums", refused, len(text)/3)
	}
}

// readParquet reads every row and asks for one aggregate.
func readParquet(text []byte) error {
	l, err := openParquet(bytes.NewReader(text), int64(len(text)), "damaged")
	if err != nil {
		return err
	}
	for _, err := range l.Rows() {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestFlippedJournal changes bytes all over a journal: what is read of it is a
// prefix of what was recorded, never a changed row.
func TestFlippedJournal(t *testing.T) {
	text := journalBytes(t)
	want := map[int64]Row{}
	for _, r := range someRows(35) {
		want[r.Seq] = r
	}
	whole, err := scanFrames(bytes.NewReader(text), int64(len(text)))
	if err != nil || whole.fault != nil {
		t.Fatal(err, whole.fault)
	}
	for at := 0; at < len(text); at += 3 {
		damaged := bytes.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		s, err := scanFrames(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue // magic or header
		}
		if s.fault == nil || s.good > int64(at) || s.frames >= whole.frames {
			t.Fatalf("byte %d: got %d good bytes, fault %v; want it to stop before", at, s.good, s.fault)
		}
		err = s.rows(bytes.NewReader(damaged), 1, func(r Row) error {
			if d := cmp.Diff(r, want[r.Seq]); d != "" && r.Outcome != Unresolved {
				return fmt.Errorf("row %d:\n%s", r.Seq, d)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
}

// TestCutJournal cuts a journal at each byte: every frame that is whole is read.
func TestCutJournal(t *testing.T) {
	text := journalBytes(t)
	ends := frameEnds(t, text)
	for n := range text {
		s, err := scanFrames(bytes.NewReader(text[:n]), int64(n))
		if n < ends[0] {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("cut to %d: got %v, want %v: no header", n, err, ErrCorrupt)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut to %d: %v", n, err)
		}
		i, whole := slices.BinarySearch(ends, n)
		if whole {
			i++
		}
		if s.frames != int64(i) || (s.fault == nil) != whole {
			t.Fatalf("cut to %d: got %d frames, fault %v; want %d, whole %v", n, s.frames, s.fault, i, whole)
		}
	}
}

// frameEnds gives the offset behind each frame.
func frameEnds(t testing.TB, text []byte) []int {
	t.Helper()
	fr, err := newFrameReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var ends []int
	for {
		if _, err := fr.next(); err != nil {
			return ends
		}
		ends = append(ends, int(fr.at))
	}
}

// TestWrongFrames holds what a journal may not hold although every checksum
// is right.
func TestWrongFrames(t *testing.T) {
	frameOf := func(k frameType, payload string) []byte {
		buf, err := closeFrame(append(openFrame(nil, k), payload...), 0)
		if err != nil {
			t.Fatal(err)
		}
		return buf
	}
	text := journalBytes(t)
	head := text[:frameEnds(t, text)[0]]
	for name, tail := range map[string][]byte{
		"second header":      head[len(magic):],
		"unknown type":       frameOf('x', ""),
		"empty row":          frameOf(endedFrame, ""),
		"row with a rest":    append(frameOf(endedFrame, "\x00"), 0),
		"mark with a rest":   frameOf(markFrame, "\x02\x02"),
		"manifest not JSON":  frameOf(manifestFrame, "{"),
		"negative number":    frameOf(sentFrame, "\x01\x01\x00\x00\x00\x00\x00\x00"),
		"phase of the moon":  frameOf(sentFrame, "\x02\x09\x00\x00\x00\x00\x00\x00"),
		"frame after final":  append(frameOf(manifestFrame, "{}"), frameOf(markFrame, "\x02")...),
		"length beyond file": {255, 255, 255, 0, 'E', 0, 0, 0, 0},
		"length beyond max":  {255, 255, 255, 255, 'E', 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			all := append(bytes.Clone(head), tail...)
			s, err := scanFrames(bytes.NewReader(all), int64(len(all)))
			if err != nil {
				t.Fatal(err)
			}
			if !errors.Is(s.fault, errBadFrame) {
				t.Errorf("got %v, want a bad frame", s.fault)
			}
		})
	}
}

// TestStrangeFolders holds what Open says of folders that are no finished run.
func TestStrangeFolders(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, ErrNotRun) {
		t.Errorf("no folder: got %v, want %v", err, ErrNotRun)
	}
	if _, _, err := Recover(t.TempDir()); !errors.Is(err, ErrNotRun) {
		t.Errorf("recover an empty folder: got %v, want %v", err, ErrNotRun)
	}
	dir := finished(t)
	if err := os.Remove(filepath.Join(dir, RequestsName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), RequestsName) {
		t.Errorf("no requests: got %v, want it named as not there", err)
	}
}

// TestForeignManifest: a manifest that is whole and lists other files than it
// may is refused before any of them is opened.
func TestForeignManifest(t *testing.T) {
	for name, change := range map[string]func(*Manifest){
		"climbs out":  func(m *Manifest) { m.Files[0].Name = "../plan.toml" },
		"no requests": func(m *Manifest) { m.Files = m.Files[:1] },
		"other run":   func(m *Manifest) { m.RunID = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := finished(t)
			m, err := ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			change(&m)
			if err := WriteManifest(dir, m); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrChanged) {
				t.Errorf("got %v, want it refused", err)
			}
		})
	}
}

// FuzzJournal reads any bytes as a journal, and as frames whose checksums are
// right: type, length, payload.
func FuzzJournal(f *testing.F) {
	text := journalBytes(f)
	head := text[:frameEnds(f, text)[0]]
	f.Add(text)
	f.Add(text[:len(text)/2])
	var loose []byte
	for _, r := range someRows(7) {
		w := wire{}
		w.row(&r)
		loose = append(append(loose, 'E', byte(len(w.buf))), w.buf...)
	}
	f.Add(loose)
	f.Add([]byte("S\x08\x02\x01\x00\x00\x00\x00\x00\x00T\x01\x02D\x02{}M\x02{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		readJournal(t, text)
		all := bytes.Clone(head)
		for len(text) >= 2 {
			n := min(int(text[1]), len(text)-2)
			from := len(all)
			var err error
			if all, err = closeFrame(append(openFrame(all, frameType(text[0])), text[2:2+n]...), from); err != nil {
				t.Fatal(err)
			}
			text = text[2+n:]
		}
		readJournal(t, all)
	})
}

func readJournal(t *testing.T, text []byte) {
	s, err := scanFrames(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return
	}
	if s.good > s.size || (s.fault == nil) != (s.good == s.size) {
		t.Fatalf("good %d of %d, fault %v", s.good, s.size, s.fault)
	}
	last, n := key(0), 0
	err = s.rows(bytes.NewReader(text), 1, func(r Row) error {
		k := makeKey(r.Phase, r.Seq)
		if n++; n > 1 && k <= last || r.Seq < 0 || !slices.Contains(outcomes(), r.Outcome) {
			t.Fatalf("row %+v", r)
		}
		last = k
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// FuzzRow: what decodes encodes to a row that decodes to the same.
func FuzzRow(f *testing.F) {
	for _, r := range someRows(7) {
		w := wire{}
		w.row(&r)
		f.Add(w.buf)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := decodeRow(payload, nil)
		if err != nil {
			return
		}
		w := wire{}
		w.row(&r)
		again, err := decodeRow(w.buf, map[string]string{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, again); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzOpen(f *testing.F) {
	text, err := os.ReadFile(filepath.Join(finished(f), RequestsName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[len(text)/2:])
	f.Fuzz(func(_ *testing.T, text []byte) {
		_ = readParquet(text) // an error or not: it must come back
	})
}

// FuzzManifest seals any text as a manifest: what is accepted is what would
// be written.
func FuzzManifest(f *testing.F) {
	text, err := encodeManifest(fullManifest())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text[:bytes.LastIndex(text, []byte(sealLead))])
	f.Fuzz(func(t *testing.T, body []byte) {
		text := append(bytes.Clone(body), sealLead+sealOf(body)+sealTail...)
		m, err := decodeManifest(text)
		if err != nil {
			return
		}
		again, err := encodeManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		same, err := decodeManifest(again)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(m, same); d != "" {
			t.Fatal(d)
		}
	})
}
