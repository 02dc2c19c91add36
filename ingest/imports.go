package ingest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// placeOf is where in the site a file from outside is to lie: records that were
// written down in records, others in imports. Below a folder that was given the
// file keeps its path from there, so that what lies together stays together.
func (f *finder) placeOf(shown string) (string, error) {
	dir := importsDir
	if strings.HasSuffix(shown, ".toml") {
		dir = recordsDir
	}
	below := path.Base(shown)
	if f.root != "" {
		abs, err := filepath.Abs(filepath.FromSlash(f.root))
		if err != nil {
			return "", err
		}
		below = path.Join(filepath.Base(abs), strings.TrimPrefix(strings.TrimPrefix(shown, f.root), "/"))
	}
	out := []string{dir}
	for element := range strings.SplitSeq(below, "/") {
		name, err := safeElement(element)
		if err != nil {
			return "", &adapter.RefusedError{Why: err.Error(), Hint: "rename it"}
		}
		out = append(out, name)
	}
	return path.Join(out...), nil
}

// mostElement is the longest path element that is kept as it is, in bytes.
const mostElement = 200

// safeElement is a path element as it can stand on any system: as it is, if
// it has letters, digits and few signs only; made safe otherwise.
func safeElement(name string) (string, error) {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._-=+@", c)
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	odd := strings.ContainsFunc(name, func(c rune) bool { return !plain(c) })
	if !odd && name != "" && len(name) <= mostElement && name[0] != '.' && name[len(name)-1] != '.' && !isDevice(stem) {
		return name, nil
	}
	ext := path.Ext(name)
	slug, err := evidence.Slug(name)
	if err == nil && len(ext) > 1 && len(ext) < 10 && evidence.IsFolder("x"+strings.ToLower(ext)) {
		slug += strings.ToLower(ext)
	}
	return slug, err
}

// isDevice reports whether a name is a device on Windows.
func isDevice(stem string) bool {
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, stem) ||
		len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")) && stem[3] >= '0' && stem[3] <= '9'
}

// companions are the files beside a single file that its records depend on, as
// far as they are there.
func companions(j job) []string {
	b, ok := j.adapter.(adapter.Beside)
	if !ok || j.source.IsDir {
		return nil
	}
	var out []string
	for _, name := range b.Companions() {
		if info, err := os.Lstat(filepath.Join(j.source.Dir, name)); err == nil && info.Mode().IsRegular() {
			out = append(out, name)
		}
	}
	return out
}

// settleFiles chooses among files that are to have one place in the site. What
// is there already stays; another one with the same bytes is noted, one with
// others refused.
func (s *site) settleFiles(jobs []job) []job {
	byUnit := map[string][]job{}
	for _, j := range jobs {
		byUnit[j.source.Unit] = append(byUnit[j.source.Unit], j)
	}
	var out []job
	for _, unit := range sortedKeys(byUnit) {
		same := byUnit[unit]
		slices.SortStableFunc(same, func(a, b job) int { return rank(a) - rank(b) })
		out = append(out, same[0])
		for _, j := range same[1:] {
			if slices.Equal(same[0].inputs, j.inputs) && j.source.FS == nil {
				s.note(j.shown, "already present as "+unit)
				continue
			}
			s.refuse(j.shown, &adapter.RefusedError{Why: fmt.Sprintf("it would lie in %s, where another file is: %s", unit, same[0].shown), Hint: "rename it, or its folder"})
		}
	}
	return out
}

// copyFiles copies a single file and its companions into the site. They are not
// synced: they can be given again.
func (s *site) copyFiles(j job, inputs []evidence.Input) error {
	dir := filepath.Join(s.dir, filepath.FromSlash(path.Dir(j.source.Unit)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &fatalError{err}
	}
	for _, in := range inputs {
		from := in.Name
		if from == j.source.As {
			from = j.source.Name
		}
		write := func(dst io.Writer) error { return copyInto(dst, filepath.Join(j.source.Dir, from), in) }
		if from == j.source.Name && j.source.Content != nil {
			write = func(dst io.Writer) error { _, err := dst.Write(j.source.Content); return err }
		}
		if err := s.copyOne(filepath.Join(dir, in.Name), in, write); err != nil {
			return fmt.Errorf("copying it into the site: %w", err)
		}
	}
	return nil
}

// copyOne writes a file under a temporary name and renames it. What is there
// already must be the same.
func (s *site) copyOne(to string, want evidence.Input, write func(io.Writer) error) error {
	if there, err := s.hashes.file(to); err == nil {
		if there.SHA256 == want.SHA256 {
			return nil
		}
		return &adapter.RefusedError{Why: fmt.Sprintf("the site has another %s in that place", filepath.Base(to)), Hint: "make the two one, or give the files in a folder of another name"}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(to), ".copy-*")
	if err != nil {
		return &fatalError{err}
	}
	err = errors.Join(write(tmp), tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), to)
	}
	if err != nil {
		os.Remove(tmp.Name()) //nolint:errcheck // the first error is the one to tell
	}
	return err
}
