package foreign_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// read returns the values of a text.
func read(t *testing.T, text string) ([]foreign.Node, []adapter.Diagnostic, error) {
	t.Helper()
	var nodes []foreign.Node
	ds, err := foreign.ReadJSON(t.Context(), "f.json", strings.NewReader(text), foreign.Values{
		Each: func(n foreign.Node) error { nodes = append(nodes, n); return nil }})
	return nodes, ds, err
}

func TestFormsOfJSON(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		values int
		notes  []string
	}{
		"plain":               {`{"a":1}`, 1, nil},
		"BOM":                 {"\xef\xbb\xbf{\"a\":1}", 1, nil},
		"CRLF":                {"{\r\n\"a\":1\r\n}\r\n", 1, nil},
		"log lines":           {"INFO starting\n[2026-01-01 00:00] ready\n{\"a\":1}", 1, []string{"f.json:1: 2 lines that are no JSON are left out, from this one on"}},
		"log lines after":     {"{\"a\":1}\ndone.\n", 1, []string{"f.json:2: 1 lines"}},
		"appended":            {`{"a":1}{"a":1}` + "\n" + `{"a":1}`, 3, nil},
		"list of objects":     {"[\n {\"a\":1} ]", 1, nil},
		"bare NaN":            {"{\"a\":1,\n\"b\":NaN}", 1, []string{"f.json:2: b is NaN"}},
		"bare infinity":       {`{"a":1,"b":{"c":-Infinity}}`, 1, []string{"f.json:1: b.c is -Infinity"}},
		"too large":           {`{"a":1,"b":[1e999]}`, 1, []string{"f.json:1: b.* is 1e999"}},
		"key twice":           {`{"a":1,"b":2,"b":2}`, 1, []string{"b stands twice, with the same value"}},
		"key twice, differ":   {`{"a":1,"b":2,"b":3}`, 1, []string{"b stands twice, with different values: neither is taken"}},
		"comma too many":      {`{"a":1,"b":[1,],}`, 1, nil},
		"escapes":             {`{"a":1,"b":"\u00e9\ud83d\ude00\ud83d\n\/"}`, 1, nil},
		"broken line":         {"{\"a\":1}\n{\"a\":\n1,,}\n{\"a\":1}\n", 2, []string{"line 3", "what begins on line 2 is left out"}},
		"broken in a string":  {"{\"a\":1}\n{\"b\n{\"a\":1}\n", 2, []string{"a string does not end on its line"}},
		"broken in an escape": {"{\"a\":1}\n{\"b\\u12\n{\"a\":1}\r\n", 2, []string{"four hexadecimal"}},
		"cut short at last":   {"{\"a\":1}\n{\"a\":1", 1, []string{"cut short"}},
	} {
		t.Run(name, func(t *testing.T) {
			nodes, ds, err := read(t, c.text)
			if err != nil || len(nodes) != c.values {
				t.Fatalf("got %d values, %v; want %d", len(nodes), err, c.values)
			}
			for _, n := range nodes {
				if n.Kind == foreign.List {
					n = n.Items[0]
				}
				if x, ok := n.Get("a").Int(); !ok || x != 1 {
					t.Errorf("a is %+v, want 1", n.Get("a"))
				}
			}
			var all []string
			for _, d := range ds {
				all = append(all, d.String())
			}
			for _, want := range c.notes {
				if !strings.Contains(strings.Join(all, "\n"), want) {
					t.Errorf("got notes %q, want one with %q", all, want)
				}
			}
			if len(c.notes) == 0 && len(ds) > 0 {
				t.Errorf("got notes %q, want none", all)
			}
		})
	}
}

func TestFaultyJSONIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "no JSON object",
		"plain text":                  "no JSON object",
		`{"a":`:                       "cut short",
		`{"a" 1}`:                     "colon",
		`{"a":1 "b":2}`:               "comma",
		`{"a":01}`:                    `"01" is no value`,
		`{"a":"x` + "\n" + `"}`:       "does not end on its line",
		strings.Repeat("[", 1000):     "64 deep",
		strings.Repeat(`{"a":`, 1000): "64 deep",
		"{\"a\":" + strings.Repeat("9", 5000) + "}": "longer than",
	} {
		if _, _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v, want %q", text, err, want)
		}
	}
}

// endless is a file of one character that never ends.
type endless struct{ n int64 }

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '['
	}
	e.n += int64(len(b))
	return len(b), nil
}

func TestBracketsAreRefusedEarly(t *testing.T) {
	src := &endless{}
	_, err := foreign.ReadJSON(t.Context(), "f", src, foreign.Values{Each: func(foreign.Node) error { return nil }})
	var refused *adapter.RefusedError
	if !errors.As(err, &refused) || src.n > 1<<20 {
		t.Errorf("got %v after %d bytes, want it refused at once", err, src.n)
	}
}

func TestRowsAreHandedOver(t *testing.T) {
	var rows []string
	var kept foreign.Node
	shape := foreign.Shape{Skip: []string{"b.*.text"}, Rows: map[string]func(foreign.Node) error{
		"b.*.rows": func(n foreign.Node) error { rows = append(rows, n.Get("x").Text); return nil }}}
	_, err := foreign.ReadJSON(t.Context(), "f", strings.NewReader(`{"b":[{"rows":[{"x":1},{"x":2}],"text":["long"],"n":7}]}`),
		foreign.Values{Begin: func() foreign.Shape { return shape }, Each: func(n foreign.Node) error { kept = n; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	item := kept.Get("b").Items[0]
	if strings.Join(rows, " ") != "1 2" || item.Get("rows").Items != nil || item.Get("text").Kind != foreign.Absent || item.Get("n").Text != "7" {
		t.Errorf("rows %q, kept %+v", rows, kept)
	}
}

func TestErrorsOfOthersEndTheReading(t *testing.T) {
	full := errors.New("full")
	_, err := foreign.ReadJSON(t.Context(), "f", strings.NewReader(`{"r":[1]} {"r":[2]}`), foreign.Values{
		Begin: func() foreign.Shape {
			return foreign.Shape{Rows: map[string]func(foreign.Node) error{"r": func(foreign.Node) error { return full }}}
		}, Each: func(foreign.Node) error { return nil }})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want the row's error", err)
	}
	_, err = foreign.ReadJSON(t.Context(), "f", strings.NewReader(`{}`), foreign.Values{Each: func(foreign.Node) error { return full }})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want the value's error", err)
	}
	_, err = foreign.ReadJSON(t.Context(), "f", io.MultiReader(strings.NewReader(`{"a":`), failing{full}), foreign.Values{Each: func(foreign.Node) error { return nil }})
	if !errors.Is(err, full) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestHeadOfAFileThatGoesOn(t *testing.T) {
	whole := `{"a":1,"b":{"c":"text","d":[1,2,{"e":true}]},"f":123}`
	for i := range len(whole) {
		n, _ := foreign.Head([]byte(whole[:i]))
		if x := n.Get("f"); x.Kind == foreign.Number {
			t.Errorf("%q: a number that may go on is taken: %s", whole[:i], x.Text)
		}
		if i > 20 && n.Get("b", "c").Text != "text" && i >= len(`{"a":1,"b":{"c":"text"`) {
			t.Errorf("%q: b.c is %+v", whole[:i], n.Get("b", "c"))
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]struct {
		x         float64
		ok        bool
		i         int64
		whole     bool
		unlimited bool
	}{
		`1`: {1, true, 1, true, false}, `1.5`: {1.5, true, 0, false, false}, `"29.25"`: {29.25, true, 0, false, false}, `300.0`: {300, true, 300, true, false},
		`1e3`: {1000, true, 1000, true, false}, `"nan"`: {}, `NaN`: {}, `Infinity`: {unlimited: true}, `"inf"`: {unlimited: true}, `-Infinity`: {},
		`1e999`: {}, `null`: {}, `true`: {}, `"1,000"`: {}, `"0x10"`: {}, `"1_0"`: {}, `""`: {}, `9223372036854775807`: {9223372036854775807, true, 9223372036854775807, true, false},
	} {
		nodes, _, err := read(t, `{"v":`+text+`}`)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		v := nodes[0].Get("v")
		x, ok := v.Float()
		i, whole := v.Int()
		if x != want.x || ok != want.ok || i != want.i || whole != want.whole || v.IsInfinite() != want.unlimited {
			t.Errorf("%s: got %v %t, %d %t, infinite %t", text, x, ok, i, whole, v.IsInfinite())
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, s := range []string{`{"a":1}`, "x\n{\"a\":[NaN,{\"b\":\"\\u00e9\"}]}\n{", "[{}]", "{\"a\":1,\"a\":2}"} {
		f.Add([]byte(s))
	}
	if b, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "shared", "cases", "c13-not-finite.json")); err == nil {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		foreign.Head(b)
		count := 0
		_, err := foreign.ReadJSON(t.Context(), "f", strings.NewReader(string(b)), foreign.Values{
			Begin: func() foreign.Shape {
				return foreign.Shape{Skip: []string{"b"}, Rows: map[string]func(foreign.Node) error{"a": func(foreign.Node) error { return nil }}}
			},
			Each: func(foreign.Node) error { count++; return nil }})
		if err == nil && count == 0 {
			t.Error("no error and no value")
		}
	})
}
