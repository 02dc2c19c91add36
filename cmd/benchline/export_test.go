package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func exported(t *testing.T, args ...string) (exitCode, string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), env{args: args, stdin: strings.NewReader(""), stdout: &out, stderr: &errs,
		getenv: func(string) string { return "" }, now: func() time.Time { return time.Unix(0, 0) }})
	return code, out.String() + errs.String()
}

// Each format is written whole, twice the same, and never over an earlier one;
// the manifest of a bag names every file of its payload with its checksum.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	if err := initSite(dir, "T"); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "site.toml")
	if err := os.WriteFile(config, []byte("title = \"A \\u2028 title\"\narchive = true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"csv", "json", "datapackage", "bagit"} {
		one, two := filepath.Join(t.TempDir(), "x"), filepath.Join(t.TempDir(), "x")
		for _, to := range []string{one, two} {
			if code, said := exported(t, "export", dir, "--format", format, "--out", to); code != exitDone {
				t.Fatalf("%s: exit code %d: %s", format, code, said)
			}
		}
		if a, b := filesOf(t, one), filesOf(t, two); len(a) == 0 || len(a) != len(b) {
			t.Errorf("%s: %d and %d files", format, len(a), len(b))
		} else {
			for name := range a {
				if a[name] != b[name] {
					t.Errorf("%s: %s differs between two exports", format, name)
				}
			}
		}
		if code, said := exported(t, "export", dir, "--format", format, "--out", one); code != exitUsage || !strings.Contains(said, "there already") {
			t.Errorf("%s: a second export to one folder: exit code %d, %s", format, code, said)
		}
		if format == "bagit" {
			checkBag(t, filesOf(t, one))
		}
	}
	if code, _ := exported(t, "export", dir, "--format", "zip"); code != exitUsage {
		t.Errorf("unknown format: exit code %d", code)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "content", "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	out := filepath.Join(t.TempDir(), "x")
	if code, _ := exported(t, "export", dir, "--format", "bagit", "--out", out); code == exitDone {
		t.Error("a bag took in a symbolic link")
	}
	if _, err := os.Stat(out + ".part"); err == nil {
		t.Error("a failed export left its folder")
	}
}

func checkBag(t *testing.T, files map[string]string) {
	t.Helper()
	listed := map[string]bool{}
	for line := range strings.Lines(files["manifest-sha256.txt"]) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		got := sha256.Sum256([]byte(files[name]))
		if hex.EncodeToString(got[:]) != sum {
			t.Errorf("%s has not the checksum that the bag says", name)
		}
		listed[name] = true
	}
	for name := range files {
		if strings.HasPrefix(name, "data/") && !listed[name] {
			t.Errorf("%s is not in the bag's manifest", name)
		}
	}
	if !strings.Contains(files["bag-info.txt"], "Payload-Oxum: ") {
		t.Error("the bag does not say how large its payload is")
	}
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
