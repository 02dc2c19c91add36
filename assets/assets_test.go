package assets_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"strings"
	"testing"

	"benchline/assets"
)

// The library must be the published file, byte for byte.
func TestVendoredSums(t *testing.T) {
	sums, err := fs.ReadFile(assets.FS(), "echarts.sha256")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(sums)), "\n")
	if got, want := len(lines), 3; got != want {
		t.Fatalf("got %d sums, want %d", got, want)
	}
	for _, line := range lines {
		want, name, ok := strings.Cut(line, "  ")
		if !ok {
			t.Fatalf("line %q is not a sum and a name", line)
		}
		b, err := fs.ReadFile(assets.FS(), name)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(b)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

// A version before 6.1.0 would bring back a fault.
func TestVendoredVersion(t *testing.T) {
	b, err := fs.ReadFile(assets.FS(), "echarts.min.js")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), `version="6.1.0"`) {
		t.Error("echarts.min.js does not say that it is version 6.1.0")
	}
}

// The stylesheet and the script fetch nothing.
func TestNothingFetched(t *testing.T) {
	for _, name := range []string{"style.css", "pack.css", "site.js"} {
		b, err := fs.ReadFile(assets.FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"@import", "http:", "https:", "//cdn", "url(\"http", "fetch(", "XMLHttpRequest", "eval(", "innerHTML"} {
			if strings.Contains(string(b), bad) {
				t.Errorf("%s contains %q", name, bad)
			}
		}
	}
}
