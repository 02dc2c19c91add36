package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
)

// SumsFile is the list of checksums of a built site, in the format of sha256sum.
const SumsFile = "SHA256SUMS"

// output writes the files of a site below one folder and cannot leave it. What
// it writes lies beside its place until all of it is published at once: a build
// that fails leaves the site as it was.
type output struct {
	root    *os.Root // nil: nothing is written, as for a check
	dirs    sync.Map // folders that are there
	written sync.Map // paths whose new file is not in its place yet
}

// partSuffix is what a file is called that is not in its place yet.
const partSuffix = ".part"

// at is where the bytes of a path are now.
func (o *output) at(name string) string {
	if _, ok := o.written.Load(name); ok {
		return name + partSuffix
	}
	return name
}

// publish puts all that was written in its place.
func (o *output) publish() error {
	var err error
	o.written.Range(func(name, _ any) bool {
		n, _ := name.(string)
		if err = o.root.Rename(n+partSuffix, n); err != nil {
			err = fmt.Errorf("writing %s: %w", n, err)
			return false
		}
		o.written.Delete(n)
		return true
	})
	return err
}

// discard takes away what was written and not published, and folders that this
// leaves empty.
func (o *output) discard() error {
	if o.root == nil {
		return nil
	}
	var names []string
	o.written.Range(func(name, _ any) bool {
		n, _ := name.(string)
		names = append(names, n+partSuffix)
		return true
	})
	_, err := o.remove(names)
	return err
}

// openOutput makes the folder where it is missing.
func openOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the site's folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the site's folder: %w", err)
	}
	return &output{root: root}, nil
}

func (o *output) close() error {
	if o.root == nil {
		return nil
	}
	if err := o.root.Close(); err != nil {
		return fmt.Errorf("closing the site's folder: %w", err)
	}
	return nil
}

// put writes a file, if it is not there with the same bytes already, and says
// whether it wrote.
func (o *output) put(f file) (made, bool, error) {
	if !goodPath(f.path) {
		return made{}, false, fmt.Errorf("writing %q: the path would leave the site", f.path)
	}
	if f.copy != nil {
		return o.putCopy(f)
	}
	if f.join != nil {
		return o.putJoined(f)
	}
	sum := sha256.Sum256(f.body)
	m := made{Path: f.path, SHA256: hex.EncodeToString(sum[:]), Size: int64(len(f.body))}
	if o.root == nil {
		return m, false, nil
	}
	if old, err := o.root.ReadFile(o.at(f.path)); err == nil && bytes.Equal(old, f.body) {
		return o.stamp(m, false)
	}
	if err := o.write(f.path, bytes.NewReader(f.body)); err != nil {
		return made{}, false, err
	}
	return o.stamp(m, true)
}

// putJoined writes files of the site one after the other.
func (o *output) putJoined(f file) (made, bool, error) {
	m := made{Path: f.path}
	if o.root == nil {
		return m, false, nil
	}
	h := sha256.New()
	readers := make([]io.Reader, len(f.join))
	for i, name := range f.join {
		readers[i] = &lazyFile{root: o.root, name: o.at(name)}
	}
	if err := o.write(f.path, io.TeeReader(io.MultiReader(readers...), h)); err != nil {
		return made{}, false, err
	}
	m.SHA256 = hex.EncodeToString(h.Sum(nil))
	return o.stamp(m, true)
}

// lazyFile opens its file at the first read and closes it at the end, so that a
// thousand files need one descriptor.
type lazyFile struct {
	root *os.Root
	name string
	file *os.File
}

// Read implements [io.Reader].
func (l *lazyFile) Read(p []byte) (int, error) {
	if l.file == nil {
		f, err := l.root.Open(l.name)
		if err != nil {
			return 0, fmt.Errorf("joining %s: %w", l.name, err)
		}
		l.file = f
	}
	n, err := l.file.Read(p)
	if err != nil {
		_ = l.file.Close() // only read
	}
	return n, err //nolint:wrapcheck // io.EOF must stay as it is
}

// putCopy copies a file and checks that it is the one that the evidence names.
func (o *output) putCopy(f file) (made, bool, error) {
	m := made{Path: f.path, SHA256: f.copy.sha256, Size: f.copy.size}
	src, err := f.copy.from.Open(f.copy.path)
	if err != nil {
		return made{}, false, fmt.Errorf("copying %s: %w", f.copy.path, err)
	}
	defer func() { _ = src.Close() }() // only read
	h := sha256.New()
	from := io.TeeReader(src, h)
	if o.root == nil {
		m.Size, err = io.Copy(io.Discard, from)
	} else {
		err = o.write(f.path, from)
	}
	if err != nil {
		return made{}, false, fmt.Errorf("copying %s: %w", f.copy.path, err)
	}
	got := hex.EncodeToString(h.Sum(nil))
	if f.copy.sha256 != "" && got != f.copy.sha256 {
		return made{}, false, fmt.Errorf("copying %s: it has changed since it became evidence: sha256 is %s, the evidence says %s", f.copy.path, got, f.copy.sha256)
	}
	m.SHA256 = got
	if o.root == nil {
		return m, false, nil
	}
	return o.stamp(m, true)
}

// write puts a file beside its place, whole: a reader never sees half of it.
func (o *output) write(name string, from io.Reader) error {
	if dir := path.Dir(name); !o.isMade(dir) {
		if err := o.root.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
		o.dirs.Store(dir, true)
	}
	temp := name + partSuffix
	w, err := o.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	_, err = io.Copy(w, from)
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", name, errors.Join(err, o.root.Remove(temp)))
	}
	o.written.Store(name, true)
	return nil
}

func (o *output) isMade(dir string) bool {
	_, made := o.dirs.Load(dir)
	return made
}

// stamp adds size and time as they are on disk.
func (o *output) stamp(m made, written bool) (made, bool, error) {
	info, err := o.root.Stat(o.at(m.Path))
	if err != nil {
		return made{}, false, fmt.Errorf("looking at %s: %w", m.Path, err)
	}
	m.Size, m.Time = info.Size(), info.ModTime().UnixNano()
	return m, written, nil
}

// holds reports whether a file lies there as it was made.
func (o *output) holds(m made) bool {
	if o.root == nil {
		return false
	}
	info, err := o.root.Stat(m.Path)
	return err == nil && info.Mode().IsRegular() && info.Size() == m.Size && info.ModTime().UnixNano() == m.Time
}

// sums is the text of SHA256SUMS.
func sums(files []made) []byte {
	sorted := slices.SortedFunc(slices.Values(files), func(a, b made) int { return strings.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	for _, f := range sorted {
		fmt.Fprintf(&b, "%s  %s\n", f.SHA256, f.Path)
	}
	return b.Bytes()
}

// listed are the paths that an earlier build's SHA256SUMS names. Only those may
// be removed: a file that no build wrote is somebody's.
func (o *output) listed() []string {
	b, err := o.root.ReadFile(SumsFile)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(b)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if ok && len(sum) == 64 && goodPath(name) {
			out = append(out, name)
		}
	}
	return out
}

// remove takes away files of an earlier build, and folders that this leaves empty.
func (o *output) remove(names []string) (int, error) {
	n := 0
	for _, name := range names {
		err := o.root.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, fmt.Errorf("removing %s, which the site no longer has: %w", name, err)
		}
		n++
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if o.root.Remove(dir) != nil {
				break // not empty
			}
		}
	}
	return n, nil
}
