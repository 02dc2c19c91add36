package ingest_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// foreignDir holds our own samples of other tools' files.
const foreignDir = "../testdata/foreign"

// many writes a folder of at least n mixed files of other tools: all of our
// samples again and again, each copy with other values. It returns how many
// files may be sources; an import.toml is none.
func many(tb testing.TB, dir string, n int) int {
	tb.Helper()
	samples := map[string][]byte{}
	err := filepath.WalkDir(foreignDir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" {
			return err
		}
		rel, err := filepath.Rel(foreignDir, file)
		if err != nil {
			return err
		}
		samples[rel], err = os.ReadFile(file)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	written := 0
	for i := 0; written < n; i++ {
		for rel, b := range samples {
			file := filepath.Join(dir, fmt.Sprintf("set-%d", i), rel)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				tb.Fatal(err)
			}
			if filepath.Base(rel) != "import.toml" {
				b = changed(b, i)
				written++
			}
			if err := os.WriteFile(file, b, 0o644); err != nil {
				tb.Fatal(err)
			}
		}
	}
	return written
}

var decimals = regexp.MustCompile(`\b[0-9]+(?:\.[0-9]+)+`)

// changed is the file with more digits at the end of its fractions, so that no
// two copies are alike. Whole numbers and versions stay as they are.
func changed(b []byte, copyNo int) []byte {
	digits := fmt.Sprintf("%07d", copyNo+1)
	return decimals.ReplaceAllFunc(b, func(number []byte) []byte {
		_, fraction, _ := bytes.Cut(number, []byte("."))
		if bytes.Contains(fraction, []byte(".")) || len(bytes.Trim(fraction, "0")) == 0 {
			return number
		}
		return append(append([]byte{}, number...), digits...)
	})
}
