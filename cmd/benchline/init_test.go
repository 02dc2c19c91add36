package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"benchline/render"
)

// The site file of a new site can be read, names every setting there is, and
// what it shows as an example can be read as well.
func TestSiteFileOfANewSite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if err := initSite(dir, `A "quoted" title`); err != nil {
		t.Fatal(err)
	}
	c, err := render.LoadConfig(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != `A "quoted" title` || c.Archive || c.Base != "" {
		t.Errorf("got %+v", c)
	}
	file := filepath.Join(dir, render.ConfigFile)
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?m)^# (published .*|\[\[set_aside\]\]|(?:rule|page|figure|reason) +=.*)$`).ReplaceAll(src, []byte("$1"))
	if err := os.WriteFile(file, append(shown, "nosuchkey = 1\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = render.LoadConfig(os.DirFS(dir))
	if err == nil {
		t.Fatal("a key that there is not was taken")
	}
	_, known, ok := strings.Cut(err.Error(), "(known: ")
	if !ok || !strings.Contains(err.Error(), "nosuchkey") {
		t.Fatalf("got %v", err)
	}
	for _, key := range strings.Split(strings.TrimSuffix(known, ")"), ", ") {
		if !regexp.MustCompile(`(?m)^(?:` + key + ` +=|\[\[` + key + `\]\])`).Match(shown) {
			t.Errorf("the site file does not show the key %s", key)
		}
	}
	for _, folder := range []string{"plans", "logs", "records", "imports", "content", "packs"} {
		if _, err := os.Stat(filepath.Join(dir, folder)); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(src), folder+"/") {
			t.Errorf("the site file does not name the folder %s", folder)
		}
	}
}
