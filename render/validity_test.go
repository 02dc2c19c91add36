package render_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// pagesKit is the folder with the checkers that make test-pages installs.
func pagesKit(t *testing.T) string {
	t.Helper()
	kit := os.Getenv("BENCHLINE_PAGES_KIT")
	if kit == "" {
		t.Skipf("%s needs the page checkers: make test-pages installs them", t.Name())
	}
	return kit
}

// Every page is valid HTML, by the validator of those who keep the standard.
func TestPagesAreValidHTML(t *testing.T) {
	jar := filepath.Join(pagesKit(t), "node_modules", "vnu-jar", "build", "dist", "vnu.jar")
	dir := t.TempDir()
	site(t, showing(t, input(t, fixtures(t))), filepath.Join(dir, "records"))
	site(t, alone(t), filepath.Join(dir, "alone"))
	// The checker's list of CSS properties lacks paint-order, which SVG 2 defines
	// and which the one-file pack has in its style element.
	args := []string{"-Xss8m", "-jar", jar, "--errors-only", "--format", "gnu", "--filterpattern", `.*“paint-order”: Property .* doesn't exist.*`}
	pages := 0
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".html") {
			args = append(args, path)
			pages++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 90 {
		t.Fatalf("only %d pages", pages)
	}
	if out, err := exec.CommandContext(t.Context(), "java", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%d pages are valid", pages)
}

// axe finds nothing on a page of each kind and on each page of the methodology,
// in the light and in the dark.
func TestPagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile(filepath.Join(pagesKit(t), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	dir := t.TempDir()
	site(t, showing(t, input(t, fixtures(t))), filepath.Join(dir, "records"))
	site(t, alone(t), filepath.Join(dir, "alone"))
	const run = `axe.run().then(r => r.passes.length < 10 ? "axe checked next to nothing" : r.violations.map(v => v.id + ": " + v.help + " at " + v.nodes.slice(0, 3).map(n => n.target.join(" ")).join(", ")).join("\n"))`
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		do(t, ctx, call(emulation.SetEmulatedMedia, media))
		for _, name := range accessible(t, dir) {
			do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, filepath.FromSlash(name))))
			do(t, ctx, chromedp.Evaluate[chromedp.Void](string(axe)))
			found, err := chromedp.Run(ctx, chromedp.Evaluate[string](run, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if found != "" {
				t.Errorf("%s, %s:\n%s", name, scheme, found)
			}
		}
	}
}

// accessible are the pages of both sites at which axe looks.
func accessible(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{"alone/index.html"}
	for _, name := range lookedAt() {
		names = append(names, "records/"+name)
	}
	for _, name := range methodologyPages(tree(t, filepath.Join(dir, "alone"))) {
		names = append(names, "alone/"+name)
	}
	return names
}
