package llmd

import (
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseYAML(t *testing.T) {
	n, err := parseYAML("a: 1\nb:\n- x: 'it''s'\n  y: \"two: words\" # said\n-   z:\n    - 5\n    -\nc: {}\n\"d e\": .inf\nf:\n    g: h#i # comment\n'k': ~\n# end\n")
	if err != nil {
		t.Fatal(err)
	}
	for keys, want := range map[string]string{"a": "1", "d e": ".inf", "f/g": "h#i"} {
		if got, ok := n.at(strings.Split(keys, "/")...).value(); !ok || got != want {
			t.Errorf("%s is %q, %t, want %q", keys, got, ok, want)
		}
	}
	items := n.at("b").items()
	if len(items) != 2 {
		t.Fatalf("b has %d entries, want 2", len(items))
	}
	if x, _ := items[0].at("x").value(); x != "it's" {
		t.Errorf("x is %q", x)
	}
	if y, _ := items[0].at("y").value(); y != "two: words" {
		t.Errorf("y is %q", y)
	}
	if z := items[1].at("z").items(); len(z) != 2 || z[0].text != "5" {
		t.Errorf("z is %+v", z)
	}
	if v, ok := n.at("k").value(); ok {
		t.Errorf("null has the value %q", v)
	}
	if n.at("c").shape != mapping || n.at("nowhere", "below") != nil {
		t.Error("an empty mapping or a missing key is wrong")
	}
}

func TestParseYAMLRefuses(t *testing.T) {
	for name, src := range map[string]string{
		"empty": "# nothing\n", "anchor": "a: &x 1\n", "alias": "a: *x\n", "tag": "a: !!int 1\n", "folded": "a: >\n  b\n", "literal": "a: |\n  b\n",
		"flow": "a: [1, 2]\n", "flow map": "a: {b: 1}\n", "twice": "a: 1\na: 2\n", "no key": "a: 1\nword\n", "tab": "a:\n\tb: 1\n", "outdent": "a:\n    b: 1\n  c: 2\n",
		"two documents": "a: 1\n---\nb: 2\n", "open quote": "a: 'x\n", "after a quote": "a: 'x' y\n", "escape": "a: \"\\n\"\n", "deep": deep(80),
	} {
		if n, err := parseYAML(src); !errors.Is(err, errYAML) {
			t.Errorf("%s: got %+v, %v", name, n, err)
		}
	}
}

func deep(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestYAMLReadsWhatIsWritten holds that a tree, written in the plain way, is
// read as it was.
func TestYAMLReadsWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawNode(t, 0)
		if want.shape != mapping && want.shape != list {
			return
		}
		var b strings.Builder
		write(&b, want, 0)
		got, err := parseYAML(b.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		var again strings.Builder
		write(&again, got, 0)
		if again.String() != b.String() {
			t.Fatalf("got\n%s\nwant\n%s", again.String(), b.String())
		}
	})
}

func drawNode(t *rapid.T, depth int) *node {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	if depth > 3 {
		kind = 0
	}
	switch kind {
	case 1, 2:
		n := &node{shape: mapping}
		for _, key := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_\-][a-z0-9_\-]{0,6}`), 1, 4, func(s string) string { return s }).Draw(t, "keys") {
			n.keys = append(n.keys, strings.TrimLeft(key, "-")+"k")
		}
		seen := map[string]bool{}
		keys := n.keys[:0]
		for _, k := range n.keys {
			if !seen[k] {
				keys = append(keys, k)
			}
			seen[k] = true
		}
		n.keys = keys
		for range n.keys {
			n.kids = append(n.kids, drawNode(t, depth+1))
		}
		return n
	case 3:
		n := &node{shape: list}
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			n.kids = append(n.kids, drawNode(t, depth+1))
		}
		return n
	}
	return &node{shape: quoted, text: rapid.StringMatching(`[a-z:#'\-\[{ 0-9]{0,8}`).Draw(t, "text")}
}

func write(b *strings.Builder, n *node, indent int) {
	pad := strings.Repeat(" ", indent)
	for i, kid := range n.kids {
		b.WriteString(pad)
		if n.shape == list {
			b.WriteString("-")
		} else {
			b.WriteString(n.keys[i] + ":")
		}
		if kid.shape == quoted {
			b.WriteString(" '" + strings.ReplaceAll(kid.text, "'", "''") + "'\n")
			continue
		}
		b.WriteString("\n")
		write(b, kid, indent+2)
	}
}

func TestRealReportIsYAML(t *testing.T) {
	b, err := os.ReadFile("../../../../shared/samples/llm-d/br_v0_2_1_example.yaml")
	if err != nil {
		t.Skip("shared/samples/llm-d is not here")
	}
	n, err := parseYAML(string(b))
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := n.at("scenario", "load", "standardized", "concurrency").value(); v != ".inf" {
		t.Errorf("concurrency is %q", v)
	}
	if got := len(n.at("scenario", "stack").items()); got != 2 {
		t.Errorf("the stack has %d parts, want 2", got)
	}
}
