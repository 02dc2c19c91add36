package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// cacheFile is the name of the memory of a build in the cache folder.
const cacheFile = "render.json"

// cacheFormat is raised when the memory, or what a key stands for, changes.
const cacheFormat = 1

// made is what is remembered of one file that was built.
type made struct {
	Path   string     `json:"path"`
	SHA256 string     `json:"sha256"`
	Size   int64      `json:"size"`
	Time   int64      `json:"time"` // modification time on disk, ns: a changed file is made again
	Page   *pageFacts `json:"page,omitempty"`
}

// memory is what is remembered of a build: for each job its key and its files.
type memory struct {
	Format int                   `json:"format"`
	Out    string                `json:"out"`
	Jobs   map[string]remembered `json:"jobs"`
}

type remembered struct {
	Key   string `json:"key"`
	Files []made `json:"files"`
}

// loadMemory reads what an earlier build into the same folder remembered. A
// memory that is damaged or of another format is none: it only costs time.
func loadMemory(dir, out string) memory {
	empty := memory{Format: cacheFormat, Out: out, Jobs: map[string]remembered{}}
	if dir == "" {
		return empty
	}
	b, err := os.ReadFile(filepath.Join(dir, cacheFile))
	if err != nil {
		return empty
	}
	var m memory
	if json.Unmarshal(b, &m) != nil || m.Format != cacheFormat || m.Out != out || m.Jobs == nil {
		return empty
	}
	return m
}

func (m memory) save(dir string) error {
	if dir == "" {
		return nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("remembering the build: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("remembering the build: %w", err)
	}
	temp := filepath.Join(dir, cacheFile+".tmp")
	if err := os.WriteFile(temp, b, 0o644); err != nil {
		return fmt.Errorf("remembering the build: %w", err)
	}
	if err := os.Rename(temp, filepath.Join(dir, cacheFile)); err != nil {
		return fmt.Errorf("remembering the build: %w", err)
	}
	return nil
}

// key hashes the parts that an output depends on. Parts are kept apart, so that
// ("ab", "c") and ("a", "bc") differ.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// hashFS hashes the names and contents of all files of a file system.
func hashFS(fsys fs.FS) (string, error) {
	if fsys == nil {
		return "", errors.New("there are no templates")
	}
	var names []string
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, p)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reading the files that a site is made with: %w", err)
	}
	slices.Sort(names)
	var parts []string
	for _, n := range names {
		b, err := fs.ReadFile(fsys, n)
		if err != nil {
			return "", fmt.Errorf("reading the files that a site is made with: %w", err)
		}
		parts = append(parts, n, string(b))
	}
	return key(parts...), nil
}
