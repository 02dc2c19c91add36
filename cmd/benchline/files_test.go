package main

import (
	"os"
	"path/filepath"
)

func writeFile(name, text string) error {
	return os.WriteFile(name, []byte(text), 0o644)
}

func glob(pattern string) ([]string, error) { return filepath.Glob(pattern) }
