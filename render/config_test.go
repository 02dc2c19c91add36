package render_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/render"
)

func TestLoadConfig(t *testing.T) {
	cases := []struct{ name, toml, want string }{
		{"whole", "title = \"T\"\nbase = \"https://a.example/x\"\nauthor = \"A\"\nlicence = \"L\"\n", ""},
		{"empty", "", ""},
		{"published as a date", "published = 2026-11-30\n", ""},
		{"published as text", "published = \"2026-11-30\"\n", ""},
		{"published is no day", "title = \"T\"\npublished = \"soon\"\n", "site.toml:2: published: soon is not a day"},
		{"unknown key", "title = \"T\"\ntitel = \"T\"\n", `site.toml:2: unknown key "titel"`},
		{"rule set aside", "[[set_aside]]\nrule = \"L7\"\npage = \"families/a\"\nreason = \"the engine was upgraded half way\"\n", ""},
		{"without a reason", "title = \"T\"\n[[set_aside]]\nrule = \"L7\"\npage = \"families/a\"\nreason = \"ok\"\n", "site.toml:2: set_aside: rule L7 on families/a needs a reason"},
		{"no such rule", "[[set_aside]]\nrule = \"L7\"\npage = \"families/a\"\nreason = \"the engine was upgraded half way\"\n[[set_aside]]\nrule = \"L16\"\n", "site.toml:5: set_aside: rule \"L16\" is not in the list (L1 to L15)"},
		{"no page", "[[set_aside]]\nrule = \"L7\"\n", "site.toml:1: set_aside: rule L7 needs a page"},
		{"page with its ending", "[[set_aside]]\nrule = \"L7\"\npage = \"families/a.html\"\n", "without its ending"},
		{"unknown key of an entry", "[[set_aside]]\nrule = \"L7\"\nwhy = \"x\"\n", "site.toml:3: unknown key \"set_aside.why\""},
		{"not TOML", "title = \n", "site.toml:1: "},
		{"base without scheme", "base = \"a.example\"\n", "site.toml:1: base: "},
		{"base with a password", "title = \"T\"\nbase = \"https://u:p@a.example/\"\n", "site.toml:2: base: "},
		{"base that is a script", "base = \"javascript:alert(1)\"\n", "site.toml:1: base: "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := render.LoadConfig(fstest.MapFS{"site.toml": {Data: []byte(c.toml)}})
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(c.toml, "published") && got.Published != "2026-11-30" {
					t.Errorf("published is %q", got.Published)
				}
				if got.Title == "" || got.Base != "" && !strings.HasSuffix(got.Base, "/") {
					t.Errorf("got %+v", got)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if _, err := render.LoadConfig(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v for a folder without settings", err)
	}
}
