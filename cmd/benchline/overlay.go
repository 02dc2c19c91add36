package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

// overlay lets a site's own files stand over the built-in ones: a file in top
// hides the file of the same name in base, and folders are merged.
type overlay struct{ top, base fs.FS }

// siteFS is the folder DIR/name of a site over the built-in files; just the
// built-in files when the site has no such folder.
func siteFS(dir, name string, base fs.FS) fs.FS {
	path := filepath.Join(dir, name)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return base
	}
	return overlay{top: os.DirFS(path), base: base}
}

// Open opens the file of the upper layer, else of the lower one.
func (o overlay) Open(name string) (fs.File, error) {
	file, err := o.top.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.base.Open(name)
	}
	return file, err
}

// ReadDir merges both layers, sorted by name.
func (o overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	upper, errTop := fs.ReadDir(o.top, name)
	lower, errBase := fs.ReadDir(o.base, name)
	if errTop != nil && errBase != nil {
		return nil, errTop
	}
	seen := map[string]bool{}
	merged := make([]fs.DirEntry, 0, len(upper)+len(lower))
	for _, entry := range append(upper, lower...) {
		if !seen[entry.Name()] {
			seen[entry.Name()] = true
			merged = append(merged, entry)
		}
	}
	sort.Slice(merged, func(i, j int) bool { return merged[i].Name() < merged[j].Name() })
	return merged, nil
}
