//go:build unix

package ingest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"benchline/ingest"
	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

// hostile is a folder that somebody made in order to harm who reads it.
type hostile struct {
	*place // the folder, not the site
}

// sparse makes a file of so many bytes that takes hardly any room.
func (h hostile) sparse(name, begins string, size int64) {
	h.t.Helper()
	h.write(name, begins)
	if err := os.Truncate(filepath.Join(h.dir, name), size); err != nil {
		h.t.Fatal(err)
	}
}

func (h hostile) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// sealed writes the manifest of a run folder for the files that are in it now, as
// somebody would who wants his file to be believed.
func (h hostile) sealed(folder string, change func(*reqlog.Manifest), files map[string][]byte) {
	h.t.Helper()
	m, err := reqlog.ReadManifest(folder)
	h.must(err)
	for name, b := range files {
		h.must(os.WriteFile(filepath.Join(folder, name), b, 0o644))
		sum := sha256.Sum256(b)
		i := slices.IndexFunc(m.Files, func(f reqlog.File) bool { return f.Name == name })
		m.Files[i].Bytes, m.Files[i].SHA256 = int64(len(b)), hex.EncodeToString(sum[:])
	}
	change(&m)
	h.must(reqlog.WriteManifest(folder, m))
}

// lyingPage is a requests file whose first page says that it unpacks to more than
// its column does.
func (h hostile) lyingPage(text []byte) []byte {
	h.t.Helper()
	if len(text) < 10 || text[4] != 0x15 || text[6] != 0x15 || text[7] < 0x80 || text[8] >= 0x80 {
		h.t.Fatalf("the first page does not begin as expected: % x", text[:10])
	}
	out := slices.Clone(text)
	out[7], out[8] = 0xfe, 0x7f
	return out
}

// fill makes everything that is refused, and returns by what.
func (h hostile) fill() map[string]string {
	h.t.Helper()
	same := func(*reqlog.Manifest) {}
	runs := filepath.Join(h.dir, "runs")
	h.sparse("brackets.json", strings.Repeat("[", 1<<17), 4<<30)
	h.sparse("holes.json", result(91)[:150], 1<<20)
	h.write("nested.json", strings.Repeat("[", 8<<20))
	h.write("deep.json", strings.TrimSuffix(result(92), "}")+`, "x": `+strings.Repeat("[", 4<<20))
	h.write("words.json", strings.TrimSuffix(result(93), "}")+`, "x": `+strings.Repeat("1", 4<<20)+"}")
	h.write("lone.parquet", "PAR1"+strings.Repeat("\x00", 100)+"\xff\xff\xff\x7fPAR1")
	h.write("cut.parquet", "PAR1"+strings.Repeat("\x00", 100))
	liar := owntest.Write(h.t, runs, owntest.Run{ID: "liar"})
	text, err := os.ReadFile(filepath.Join(liar, reqlog.RequestsName))
	h.must(err)
	h.sealed(liar, same, map[string][]byte{reqlog.RequestsName: h.lyingPage(text)})
	climbs := owntest.Write(h.t, runs, owntest.Run{ID: "climbs"})
	h.sealed(climbs, func(m *reqlog.Manifest) { m.Files[0].Name = "../../../outside.toml" }, nil)
	elsewhere := owntest.Write(h.t, runs, owntest.Run{ID: "elsewhere"})
	h.sealed(elsewhere, func(m *reqlog.Manifest) { m.RunID = "../elsewhere" }, nil)
	owntest.Write(h.t, filepath.Join(runs, "a"), owntest.Run{ID: "twice"})
	owntest.Write(h.t, filepath.Join(runs, "b"), owntest.Run{ID: "twice", SlowMS: 5})
	h.must(syscall.Mkfifo(filepath.Join(h.dir, "pipe.json"), 0o644))
	h.write("piped/result.json", result(94))
	h.must(syscall.Mkfifo(filepath.Join(h.dir, "piped/import.toml"), 0o644))
	h.write("mapped/table.csv", "a,b,c\n1,2,3\n")
	h.write("mapped/import.toml", "[files.\"../../outside.csv\".table]\n[[files.\"table.csv\".table.column]]\ncolumn = \"../a\"\nfield = \"model\"\n")
	h.write("secret.json", result(95))
	h.must(os.Chmod(filepath.Join(h.dir, "secret.json"), 0))
	h.write("closed/result.json", result(96))
	h.must(os.Chmod(filepath.Join(h.dir, "closed"), 0))
	h.t.Cleanup(func() { h.must(os.Chmod(filepath.Join(h.dir, "closed"), 0o755)) })
	deep := strings.Repeat("d/", 17)
	h.write(deep+"result.json", result(97))
	for i, name := range []string{"new\nline.json", "red\x1b[31m.json"} {
		h.write(name, result(30+i))
	}
	return map[string]string{
		"new\nline.json": "has a control character", "red\x1b[31m.json": "has a control character",
		"brackets.json": "unknown format", "holes.json": "unknown format", "nested.json": "unknown format",
		"deep.json": "lists and objects stand more than 64 deep", "words.json": "a number or word is longer than",
		"lone.parquet": "its footer says that it has 2147483647 bytes", "cut.parquet": "the Parquet file is not complete",
		"runs/liar":   "column [seq]: page 0: it says that it unpacks to 8191 bytes, which its column does not",
		"runs/climbs": `it names a file "../../../outside.toml" outside of its folder`, "runs/elsewhere": `its ID "../elsewhere" can't be the name of a folder`,
		"runs/a/twice": "run ID twice stands twice with other content", "runs/b/twice": "run ID twice stands twice with other content",
		"pipe.json": "it is a pipe", "piped/import.toml": "it is a pipe", "piped/result.json": "import.toml", "mapped/table.csv": `"../a"`,
		"secret.json": "open: permission denied", "closed": "permission denied", strings.TrimSuffix(deep, "/"): "more than 16 folders deep",
	}
}

// oddNames are names of good files.
func oddNames() []string {
	return []string{"<img src=x onerror=alert(1)>.json", "-rf.json", "a\\..\\b.json", "not\xffutf8.json",
		"con.json", "=1+1.json", strings.Repeat("long", 60) + ".json", "a..%2f..%2fetc.json", "\u202etxt.json"}
}

// A folder with everything that could hang, fill or fool the reader: each is refused
// by its name, what is good is read, and memory stays small.
func TestHostileFolder(t *testing.T) {
	site, h := recordsPlace(t), hostile{newPlace(t)}
	h.dir = filepath.Join(h.dir, "given")
	h.must(os.Mkdir(h.dir, 0o755))
	want := h.fill()
	for i, name := range oddNames() {
		h.write(name, result(10+i))
	}
	h.write("good/result.json", result(90))
	owntest.Write(t, filepath.Join(h.dir, "runs"), owntest.Run{ID: "good"})
	outside := filepath.Join(filepath.Dir(h.dir), "outside.json")
	h.must(os.WriteFile(outside, []byte(result(98)), 0o644))
	h.must(os.Symlink(outside, filepath.Join(h.dir, "link.json")))
	h.must(os.Symlink("..", filepath.Join(h.dir, "up")))
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(h.dir, "s"))
	h.must(err)
	defer listener.Close() //nolint:errcheck // a test's
	want["s"] = "it is a socket"

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var r ingest.Report
	asNobody(t, filepath.Dir(site.dir), func() { r = site.ingest(h.dir, "/dev/zero") })
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
		t.Errorf("%d MiB were allocated in all", took>>20)
	}
	refused := map[string]string{"/dev/zero": "it is a device"}
	for name, why := range want {
		refused[filepath.Join(h.dir, name)] = why
	}
	for _, x := range r.Refused {
		if why, ok := refused[x.Path]; !ok || !strings.Contains(x.Why, why) {
			t.Errorf("refused %q: %s; want %q", x.Path, x.Why, why)
		}
		delete(refused, x.Path)
		shown(t, x.String())
	}
	for name, why := range refused {
		t.Errorf("%q was not refused, want %q", name, why)
	}
	links := 0
	for _, n := range r.Notes {
		shown(t, n.String())
		if strings.Contains(n.Text, "is a link") {
			links++
		}
	}
	if links != 2 {
		t.Errorf("%d links are noted, want 2: %v", links, r.Notes)
	}
	for _, d := range r.Diagnostics {
		shown(t, d.String())
	}
	site.hasRead(len(oddNames()) + 2)
}

// hasRead checks that the site has so many records, and that nothing lies outside
// of it that was not there before.
func (p *place) hasRead(n int) {
	p.t.Helper()
	records, err := ingest.Records(p.dir)
	if err != nil || len(records) != n {
		p.t.Errorf("%d records, %v; want %d", len(records), err, n)
	}
	for _, r := range records {
		if !evidence.IsSlug(r.Slug) {
			p.t.Errorf("slug %q", r.Slug)
		}
	}
	err = filepath.WalkDir(p.dir, func(file string, d fs.DirEntry, err error) error {
		if name := strings.TrimPrefix(file, p.dir); err != nil || d.Type()&fs.ModeSymlink != 0 || strings.ContainsFunc(name, func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsPrint(c) }) {
			p.t.Errorf("%q lies in the site: %v", file, err)
		}
		return nil
	})
	if err != nil {
		p.t.Error(err)
	}
}

// shown is what a terminal gets.
func shown(t *testing.T, line string) {
	t.Helper()
	if strings.ContainsFunc(line, func(c rune) bool { return !unicode.IsPrint(c) }) {
		t.Errorf("%q would act on a terminal", line)
	}
}

// asNobody does something without the rights of the superuser, for whom no file is
// unreadable. The folder is then nobody's.
func asNobody(t *testing.T, dir string, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		do()
		return
	}
	const nobody = 65534
	err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(file, nobody, nobody)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setreuid(-1, nobody); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setreuid(-1, 0); err != nil {
			t.Fatal(err)
		}
	}()
	do()
}
