package pack_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/tomlfile"
	"benchline/render/pack"
)

// What was frozen reads back as it was, and its hash is that of its lines.
func TestFreezeRoundTrip(t *testing.T) {
	p := parsed(t)
	f, added := pack.Freeze(p, nil, moment(t, "2026-11-20T08:00:00Z"))
	if !added || len(f) != 1 {
		t.Fatalf("got %d freezings", len(f))
	}
	sum := sha256.Sum256([]byte(strings.Join(f[0].Lines, "\n") + "\n"))
	if got := hex.EncodeToString(sum[:]); got != f[0].Hash {
		t.Errorf("the hash is %s, that of the lines %s", f[0].Hash, got)
	}
	back, err := pack.ParseFrozen("packs/chat.freeze.toml", f.TOML())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back[0].Lines, f[0].Lines) || back[0].Hash != f[0].Hash || !back[0].At.Equal(f[0].At) || back[0].Records != f[0].Records {
		t.Errorf("got %+v, want %+v", back, f)
	}
	if again, added := pack.Freeze(p, back, moment(t, "2026-11-21T08:00:00Z")); added || len(again) != 1 {
		t.Error("the same was frozen twice")
	}
}

func TestFrozenLines(t *testing.T) {
	want := `shape kind = interactive chat
shape governing = ttft, tpot
conditions input_tokens = 512
conditions output_tokens = 16
conditions length_tolerance = 0.02
conditions concurrency = 8
conditions cache = cold
conditions from = 2026-11-01
conditions to = 2026-12-31
criterion "first token" metric = ttft_p95
criterion "first token" at_most = 0.1 s
criterion "first token" tolerance = 0
criterion "first token" date = 2026-11-20
criterion "errors" metric = error_share
criterion "errors" at_most = 0.01
criterion "errors" tolerance = 0
criterion "errors" date = 2026-11-20`
	if got := strings.Join(parsed(t).Lines(), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Options, prices and narrative may be written after the freeze.
func TestWhatIsNotFrozen(t *testing.T) {
	lines := parsed(t).Lines()
	for _, change := range [][]string{{"Which profile\"", "Another title\""}, {"quote of a vendor", "another"}, {"3.2", "9.9"}, {`records   = ["b"]`, "records = []"},
		{"Longer than this reads as a pause.", "For another reason."}, {"date     = 2026-11-29", "date = 2026-12-01"}} {
		if got := parsed(t, change...).Lines(); !slices.Equal(got, lines) {
			t.Errorf("%q changed what is frozen:\n%s", change, strings.Join(got, "\n"))
		}
	}
}

// A change after the freeze prints: what it was, what it is, and since when.
func TestAmendments(t *testing.T) {
	at := moment(t, "2026-11-20T08:00:00Z")
	f, _ := pack.Freeze(parsed(t), nil, at)
	records := two(t, base())
	d := built(t, parsed(t), f, records...)
	if d.Freeze.Hot && len(d.Freeze.Amendments) > 0 {
		t.Errorf("got amendments of what is as it was: %+v", d.Freeze)
	}
	looser := parsed(t, `at_most   = "100ms"`, `at_most = "250ms"`)
	d = built(t, looser, f, records...)
	want := pack.Amendment{What: `criterion "first token" at_most`, Was: "0.1 s", Is: "0.25 s"}
	if len(d.Freeze.Amendments) != 1 || d.Freeze.Amendments[0] != want {
		t.Fatalf("got %+v, want %+v", d.Freeze.Amendments, want)
	}
	if !d.Freeze.Hot || !slices.ContainsFunc(d.Notes, func(n string) bool {
		return strings.Contains(n, "Amended since: 1 line of what was frozen is not as it was.")
	}) {
		t.Errorf("the amendment is no note: %q", d.Notes)
	}
	if d.Freeze.Hash == d.Freeze.Now {
		t.Error("frozen and present hash are one")
	}
	// Frozen again, the amendment has its date, and the first freezing stays the reference.
	g, added := pack.Freeze(looser, f, moment(t, "2026-11-27T09:00:00Z"))
	if !added || len(g) != 2 {
		t.Fatalf("got %d freezings", len(g))
	}
	want.Since = "2026-11-27T09:00:00Z"
	if d = built(t, looser, g, records...); len(d.Freeze.Amendments) != 1 || d.Freeze.Amendments[0] != want {
		t.Errorf("got %+v, want %+v", d.Freeze.Amendments, want)
	}
	// Added and removed criteria are amendments too.
	more := parsed(t, "[[options]]\nname      = \"A\"", "[[criteria]]\nname = \"end\"\nmetric = \"e2e_p95\"\nat_most = \"1s\"\ntolerance = 0\ndate = 2026-11-28\n[[options]]\nname = \"A\"")
	if d = built(t, more, f, records...); len(d.Freeze.Amendments) != 4 || d.Freeze.Amendments[0].Was != "" {
		t.Errorf("got %+v", d.Freeze.Amendments)
	}
}

// The times of the runs are held against the freeze.
func TestRunsBeforeTheFreeze(t *testing.T) {
	p := parsed(t)
	p0 := parsed(t, `records   = ["a"]`, `records = []`, `records   = ["b"]`, `records = []`)
	for _, c := range []struct {
		at, want string
		hot      bool
	}{
		{"2026-11-20T08:00:00Z", "Every run of which the time is known (2 of 2) began after that.", false},
		{"2026-11-26T08:00:00Z", "2 of 2 runs began before the criteria were frozen.", true},
	} {
		f, _ := pack.Freeze(p0, nil, moment(t, c.at))
		d := built(t, p, f, two(t, base())...)
		if d.Freeze.Hot != c.hot || !slices.Contains(d.Freeze.Says, c.want) {
			t.Errorf("frozen %s: got %t, %q", c.at, d.Freeze.Hot, d.Freeze.Says)
		}
	}
	f, _ := pack.Freeze(p, nil, moment(t, "2026-11-20T08:00:00Z"))
	if d := built(t, p, f, two(t, base())...); !d.Freeze.Hot || !slices.Contains(d.Freeze.Says, "The options named 2 records or families when they were frozen.") {
		t.Errorf("got %q", d.Freeze.Says)
	}
	d := built(t, p, nil, two(t, base())...)
	if !d.Freeze.Hot || !strings.Contains(d.Freeze.Says[0], "never frozen") {
		t.Errorf("got %q", d.Freeze.Says)
	}
}

// A file of what was frozen that was edited is refused.
func TestEditedFreeze(t *testing.T) {
	f, _ := pack.Freeze(parsed(t), nil, moment(t, "2026-11-20T08:00:00Z"))
	f, _ = pack.Freeze(parsed(t, `at_most   = "100ms"`, `at_most = "250ms"`), f, moment(t, "2026-11-27T09:00:00Z"))
	text := string(f.TOML())
	for _, c := range []struct{ old, new, want string }{
		{"at_most = 0.1 s", "at_most = 0.3 s", "is not that of the lines"},
		{f[0].Hash, strings.Repeat("0", 64), "is not that of the lines"},
		{"at = 2026-11-27T09:00:00Z", "at = 2026-11-19T09:00:00Z", "lies before the freezing above it"},
		{"records_named = 2", "records_named = -1", "is less than zero"},
		{"[[frozen]]", "[[thawed]]", "unknown key"},
	} {
		_, err := pack.ParseFrozen("f.toml", []byte(strings.ReplaceAll(text, c.old, c.new)))
		if _, ok := errors.AsType[tomlfile.Faults](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

// Whatever a criterion is called, what is frozen of it reads back.
func TestFreezeAnyName(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringMatching(`[ -~äß“”'"\\=]{1,40}`).Draw(rt, "name")
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)
		p, err := pack.Parse("packs/chat.toml", []byte(changed(t, `"first token"`, `"`+quoted+`"`)))
		if err != nil {
			return // an empty name, or one that another criterion has
		}
		f, _ := pack.Freeze(p, nil, moment(t, "2026-11-20T08:00:00Z"))
		back, err := pack.ParseFrozen("f.toml", f.TOML())
		if err != nil || !slices.Equal(back[0].Lines, f[0].Lines) {
			rt.Errorf("name %q: got %v, %v", name, back, err)
		}
	})
}

func FuzzParseFrozen(f *testing.F) {
	p, err := pack.Parse("packs/chat.toml", []byte(packText))
	if err != nil {
		f.Fatal(err)
	}
	frozen, _ := pack.Freeze(p, nil, moment(f, "2026-11-20T08:00:00Z"))
	f.Add(frozen.TOML())
	f.Add([]byte("[[frozen]]\nat = 2026-11-20\nlines = [1]\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		x, err := pack.ParseFrozen("f.toml", src)
		if err != nil {
			return
		}
		if again, err := pack.ParseFrozen("f.toml", x.TOML()); err != nil || len(again) != len(x) {
			t.Errorf("what was read does not read back: %v", err)
		}
	})
}
