package verify

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sumsFile lists the checksums of all other files, as sha256sum writes them.
const sumsFile = "SHA256SUMS"

// sums lists the site's files and holds each against SHA256SUMS.
func (v *verifier) sums(ctx context.Context) error {
	if err := v.list(); err != nil {
		return err
	}
	want, err := v.readSums()
	if err != nil {
		return err
	}
	if want == nil {
		return nil
	}
	for _, name := range v.files {
		if _, ok := want[name]; !ok && name != sumsFile {
			v.mismatch(name, "is not in %s", sumsFile)
		}
	}
	return each(ctx, sortedKeys(want), func(name string) error {
		got, err := v.hash(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			v.mismatch(name, "is in %s, but is not there", sumsFile)
		case err != nil:
			return err
		case got != want[name]:
			v.mismatch(name, "its SHA-256 is %s, in %s it is %s", got, sumsFile, want[name])
		default:
			v.count(&v.report.Files, 1)
		}
		return nil
	})
}

// list finds all files. WalkDir goes in the order of names.
func (v *verifier) list() error {
	return filepath.WalkDir(v.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(v.dir, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if !d.Type().IsRegular() {
			v.mismatch(name, "is not a regular file")
			return nil
		}
		v.files = append(v.files, name)
		return nil
	})
}

// readSums reads SHA256SUMS; nil if there is none to be read.
func (v *verifier) readSums() (map[string]string, error) {
	f, err := os.Open(v.path(sumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		v.mismatch(sumsFile, "is missing")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	want := map[string]string{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		switch _, twice := want[name]; {
		case !ok || len(sum) != 64 || !filepath.IsLocal(filepath.FromSlash(name)):
			v.mismatch(sumsFile, "line %d is no checksum of a file of this site", n)
		case twice:
			v.mismatch(sumsFile, "line %d: %s stands twice", n, name)
		default:
			want[name] = sum
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", sumsFile, err)
	}
	return want, nil
}

func (v *verifier) hash(name string) (string, error) {
	f, err := os.Open(v.path(name))
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read from
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
