package tomlfile_test

import (
	"errors"
	"strings"
	"testing"

	"benchline/ingest/tomlfile"
)

const sample = `name = "a"
[part]
count = 3
text = """
# not a comment
x = 1
"""
[[list]]
name = "one"
[list.below]
x = 1.5
[[list]]
name = "two"
[list.below]
x = "no"
`

// Every key has the line on which it stands, also in lists of tables and behind
// a text of several lines.
func TestLines(t *testing.T) {
	top, err := tomlfile.Parse("f.toml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	lists := top.Tables("list")
	if len(lists) != 2 {
		t.Fatalf("got %d tables, want 2", len(lists))
	}
	for _, c := range []struct {
		table *tomlfile.Table
		key   string
		want  int
	}{
		{top, "name", 1}, {top.Table("part"), "", 2}, {top.Table("part"), "count", 3}, {top.Table("part"), "text", 4},
		{lists[0], "", 8}, {lists[0], "name", 9}, {lists[1], "name", 13}, {lists[1].Table("below"), "x", 15},
		{lists[1], "absent", 12}, {top, "absent", 1}, {top.Table("nowhere"), "key", 1},
	} {
		if got := c.table.Line(c.key); got != c.want {
			t.Errorf("key %q: got line %d, want %d", c.key, got, c.want)
		}
	}
}

// All faults of a file come at once, in the order of its lines.
func TestFaults(t *testing.T) {
	top, err := tomlfile.Parse("f.toml", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	top.NeedText("title", "write one")
	top.Text("name")
	part := top.Table("part")
	if n, msg := tomlfile.ReadCount(mustGet(t, part, "count")); n != 3 || msg != "" {
		t.Errorf("got count %d, %q", n, msg)
	}
	part.Done()
	for _, l := range top.Tables("list") {
		l.Text("name")
		b := l.Table("below")
		if _, msg := tomlfile.ReadNumber(mustGet(t, b, "x")); msg != "" {
			b.Fault("x", msg, "")
		}
		b.Done()
		l.Done()
	}
	top.Table("name")
	top.Tables("part")
	top.Done()
	fs, ok := errors.AsType[tomlfile.Faults](top.Err())
	if !ok {
		t.Fatalf("got %v, want faults", top.Err())
	}
	want := []string{
		`f.toml:1: name: must be a table, is a string (write [name])`,
		`f.toml:1: title: is required (write one)`,
		`f.toml:2: part: must be a list of tables, is a table (write [[part]])`,
		`f.toml:4: part.text: unknown key (known here: count)`,
		`f.toml:15: list 2.below.x: must be a number, is a string`,
	}
	if got := fs.Error(); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func mustGet(t *testing.T, table *tomlfile.Table, key string) any {
	t.Helper()
	v, ok := table.Get(key)
	if !ok {
		t.Fatalf("key %q is absent", key)
	}
	return v
}

func TestSyntax(t *testing.T) {
	_, err := tomlfile.Parse("f.toml", []byte("a = 1\nb = \n"))
	fs, ok := errors.AsType[tomlfile.Faults](err)
	if !ok || len(fs) != 1 || fs[0].Line != 2 {
		t.Errorf("got %v, want one fault in line 2", err)
	}
}

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		in    any
		want  string
		fault string
	}{
		{"a\n b", "a b", ""}, {"  ", "", "is empty"}, {int64(1), "", "must be a string"}, {"a\x00", "", "can't be printed"},
		{strings.Repeat("a", tomlfile.MostText+1), "", "bytes long"}, {"\xff", "", "is not UTF-8"},
	} {
		got, fault := tomlfile.ReadText(c.in)
		if got != c.want || !strings.Contains(fault, c.fault) || (fault == "") != (c.fault == "") {
			t.Errorf("%q: got %q, %q, want %q, %q", c.in, got, fault, c.want, c.fault)
		}
	}
}

// A table that is something else reads as empty, with one fault.
func TestManyFaultsAreBounded(t *testing.T) {
	var b strings.Builder
	for range 300 {
		b.WriteString("[[list]]\nkey = 1\n")
	}
	top, err := tomlfile.Parse("f.toml", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range top.Tables("list") {
		l.Done()
	}
	fs, _ := errors.AsType[tomlfile.Faults](top.Err())
	if len(fs) != 101 || !strings.Contains(fs[100].Msg, "200 more faults") {
		t.Errorf("got %d faults, the last %v", len(fs), fs[len(fs)-1])
	}
}

// FuzzParse holds that no file makes the reader panic, and that each fault has
// a line of the file.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("a = '''\n[b]\n'''\n[[c.d]]\n\"x.y\" = 1\n"))
	f.Add([]byte("[a\n= 1"))
	f.Fuzz(func(t *testing.T, src []byte) {
		top, err := tomlfile.Parse("f.toml", src)
		if err == nil {
			top.Done()
			err = top.Err()
		}
		if err == nil {
			return
		}
		fs, ok := errors.AsType[tomlfile.Faults](err)
		if !ok {
			t.Fatalf("got %v, want faults", err)
		}
		lines := strings.Count(string(src), "\n") + 1
		for _, x := range fs {
			if x.Line < 1 || x.Line > lines+1 {
				t.Errorf("fault %q has line %d of %d", x, x.Line, lines)
			}
		}
	})
}
