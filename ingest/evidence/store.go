package evidence

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// headSize is how much is read at once of a file's first line.
const headSize = 4 << 10

// The endings of the store's files.
const (
	unitExt  = ".jsonl"
	asideExt = ".jsonl.refused"
)

// Store is a folder of evidence. Each file holds one [Unit] and is named by the
// SHA-256 of its bytes, so that a file that was touched shows.
//
// Files are written to a temporary name and renamed. They are not synced to the
// disk one by one: what a crash leaves half done does not match its name, and
// everything here can be made again.
type Store struct{ dir string }

// NewStore is the store in a folder, which need not be there yet.
func NewStore(dir string) Store { return Store{dir: dir} }

// Stored is a unit and the file that holds it.
type Stored struct {
	Unit
	File string // its name in the store's folder
	// Aside is set when the unit's source was refused after it had been read.
	// Its records are not evidence then, but what was read is remembered.
	Aside bool
}

// AsideFile is the name of the unit's file when it is set aside.
func (u Stored) AsideFile() string {
	return strings.TrimSuffix(strings.TrimSuffix(u.File, asideExt), unitExt) + asideExt
}

// Damage is a file of the store that is not what was written.
type Damage struct {
	File string
	Err  error
}

// Units reads the first line of every file, sorted by unit name. A file that
// can't be read so is damage; it is left to the caller to remove it.
func (s Store) Units() ([]Stored, []Damage, error) {
	names, err := s.names(unitExt, asideExt)
	if err != nil {
		return nil, nil, err
	}
	var units []Stored
	var damage []Damage
	for _, name := range names {
		u, err := s.head(name)
		if err != nil {
			damage = append(damage, Damage{File: name, Err: err})
			continue
		}
		units = append(units, Stored{Unit: u, File: name, Aside: strings.HasSuffix(name, asideExt)})
	}
	slices.SortFunc(units, func(a, b Stored) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File))
	})
	return units, damage, nil
}

func (s Store) names(exts ...string) ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the evidence: %w", err)
	}
	var names []string
	for _, e := range entries {
		hasExt := func(ext string) bool { return strings.HasSuffix(e.Name(), ext) }
		if !strings.HasPrefix(e.Name(), ".") && slices.ContainsFunc(exts, hasExt) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func (s Store) head(name string) (Unit, error) {
	f, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		return Unit{}, err
	}
	defer f.Close() //nolint:errcheck // only read from
	for line, err := range lines(f, headSize) {
		if err != nil {
			return Unit{}, err
		}
		return parseUnit(line)
	}
	return Unit{}, errors.New("the file is empty")
}

// Put writes a unit and its sealed records and returns the file's name. Writing
// what is there already changes nothing.
func (s Store) Put(u Unit, records []Sealed) (string, error) {
	lines, err := encodeUnit(u, records)
	if err != nil {
		return "", err
	}
	name := contentName(lines...)
	if err := s.write(name, lines); err != nil {
		return "", fmt.Errorf("writing the evidence of %s: %w", u.Name, err)
	}
	return name, nil
}

func contentName(parts ...[]byte) string {
	h := sha256.New()
	for _, b := range parts {
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil)) + unitExt
}

func (s Store) write(name string, parts [][]byte) error {
	// Who writes to the same temporary name writes the same bytes.
	tmp := filepath.Join(s.dir, ".tmp-"+name)
	err := writeFile(tmp, parts)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(s.dir, 0o755); err != nil {
			return err
		}
		err = writeFile(tmp, parts)
	}
	if err == nil {
		err = os.Rename(tmp, filepath.Join(s.dir, name))
	}
	if err != nil {
		os.Remove(tmp) //nolint:errcheck // it may not be there
	}
	return err
}

func writeFile(name string, parts [][]byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	for _, b := range parts {
		if _, err := f.Write(b); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

// Remove takes a file out of the store.
func (s Store) Remove(file string) error {
	if err := os.Remove(filepath.Join(s.dir, filepath.Base(file))); err != nil {
		return fmt.Errorf("removing evidence: %w", err)
	}
	return nil
}

// SetAside renames a unit's file so that its records are no evidence any more
// but what it was read from is remembered. It returns the new name.
func (s Store) SetAside(u Stored) (string, error) {
	return s.rename(u, u.AsideFile())
}

// Restore undoes [Store.SetAside].
func (s Store) Restore(u Stored) (string, error) {
	return s.rename(u, strings.TrimSuffix(u.File, asideExt)+unitExt)
}

func (s Store) rename(u Stored, to string) (string, error) {
	if err := os.Rename(filepath.Join(s.dir, u.File), filepath.Join(s.dir, to)); err != nil {
		return "", fmt.Errorf("renaming the evidence of %s: %w", u.Name, err)
	}
	return to, nil
}

// Records reads the records of one unit.
func (s Store) Records(file string) ([]Record, error) {
	b, err := os.ReadFile(filepath.Join(s.dir, file))
	if err != nil {
		return nil, fmt.Errorf("reading evidence: %w", err)
	}
	if contentName(b) != file {
		return nil, fmt.Errorf("evidence file %s was changed after it was written: delete it and ingest again", file)
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	var out []Record
	for line := range bytes.Lines(rest) {
		// The bytes are those that Put wrote, which checked them: no second check.
		var r Record
		if err := unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("reading evidence file %s: %w", file, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// Load reads all records, sorted by family, then slug. It is an error if a file
// was changed, or if two records have the same slug.
func (s Store) Load() ([]Record, error) {
	names, err := s.names(unitExt)
	if err != nil {
		return nil, err
	}
	parts := make([][]Record, len(names))
	errs := make([]error, len(names))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		wg.Go(func() {
			for i := range jobs {
				parts[i], errs[i] = s.Records(names[i])
			}
		})
	}
	for i := range names {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	all := slices.Concat(parts...)
	Sort(all)
	return all, checkSlugs(all)
}

// Sort puts records in the order in which they are listed: by family, then slug.
func Sort(records []Record) {
	slices.SortFunc(records, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Slug, b.Slug))
	})
}

func checkSlugs(records []Record) error {
	seen := make(map[string]ID, len(records))
	for _, r := range records {
		if other, ok := seen[r.Slug]; ok {
			return fmt.Errorf("two records are named %s: %s and %s", r.Slug, other, r.ID)
		}
		seen[r.Slug] = r.ID
	}
	return nil
}
