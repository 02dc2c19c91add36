package mapped

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"benchline/ingest/adapter/foreign"
)

// jsonReader reads JSON, of one value or of several.
type jsonReader struct {
	rows
	m    jsonMapping
	seen map[string]bool // places that some row has
	has  []string        // what the first row has, for the refusal
}

// top is where a path begins that does not begin at the row.
const top = "$"

func (t *jsonReader) read(ctx context.Context) error {
	t.seen = map[string]bool{}
	var values []foreign.Node
	found, err := foreign.ReadJSON(ctx, t.file.Name(), t.file, foreign.Values{Each: func(n foreign.Node) error {
		if len(values) >= mostRows {
			return tooMany()
		}
		values = append(values, n)
		return nil
	}})
	t.found = append(t.found, found...)
	if err != nil {
		return err
	}
	for i, n := range values {
		var at []string
		if len(values) > 1 {
			at = []string{strconv.Itoa(i + 1)}
		}
		if err := t.walk(n, n, t.m.rows, at, ""); err != nil {
			return err
		}
	}
	if len(t.parts) == 0 {
		return missingHere("nothing stands at rows", []string{strings.Join(t.m.rows, ".")}, namesIn(values[0]))
	}
	var missing []string
	for _, p := range places(t.m.rowName, t.m.entries) {
		if !t.seen[p.name] && !slices.Contains(missing, p.name) {
			missing = append(missing, p.name)
		}
	}
	return missingHere("no row has the key", missing, t.has)
}

// walk follows the path of the rows. At is what tells the row from others, own
// its own key.
func (t *jsonReader) walk(root, n foreign.Node, path, at []string, own string) error {
	if len(path) == 0 {
		return t.jsonRow(root, n, at, own)
	}
	if path[0] != self {
		return t.walk(root, step(n, path[0]), path[1:], at, own)
	}
	for i, item := range n.Items {
		name := strconv.Itoa(i + 1)
		if err := t.walk(root, item, path[1:], append(slices.Clone(at), name), name); err != nil {
			return err
		}
	}
	for _, f := range n.Fields {
		if err := t.walk(root, f.Value, path[1:], append(slices.Clone(at), f.Key), f.Key); err != nil {
			return err
		}
	}
	return nil
}

// step goes one part of a path down.
func step(n foreign.Node, part string) foreign.Node {
	if n.Kind != foreign.List {
		return n.Get(part)
	}
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 || i >= len(n.Items) {
		return foreign.Node{Line: n.Line}
	}
	return n.Items[i]
}

func (t *jsonReader) jsonRow(root, n foreign.Node, at []string, own string) error {
	if n.Kind == foreign.Absent || n.Kind == foreign.Null {
		return nil
	}
	if t.has == nil {
		t.has = namesIn(n)
	}
	cellOf := func(p place) cell {
		if p.isSelf() {
			t.seen[p.name] = true
			return cell{text: own, gap: emptyWord(own), line: n.Line, where: "the row's own key in the file"}
		}
		from, path := n, p.path
		if path[0] == top {
			from, path = root, path[1:]
		}
		for _, part := range path {
			from = step(from, part)
		}
		t.seen[p.name] = t.seen[p.name] || from.Kind != foreign.Absent
		return nodeCell(p.name, from)
	}
	part := strings.Join(at, ".")
	otherwise := t.file.Source.Name
	if part != "" {
		otherwise += ", " + part
	}
	return t.row(t.m.entries, cellOf, part, title(t.m.rowName, cellOf, otherwise))
}

// nodeCell is a JSON value as a cell.
func nodeCell(name string, n foreign.Node) cell {
	c := cell{text: strings.TrimSpace(n.Text), line: n.Line, where: "“" + name + "” in the file"}
	switch n.Kind {
	case foreign.Absent:
		c.gap = "the row has no such key"
	case foreign.Null:
		c.gap = "it is null"
	case foreign.NotFinite:
		c.gap = "it says " + foreign.Clean(n.Text) + ", which is no value"
	case foreign.List, foreign.Object:
		c.gap = "it is a list or an object and no value"
	case foreign.Text:
		c.gap = emptyWord(c.text)
	case foreign.Bool, foreign.Number:
	}
	return c
}

// namesIn are the keys of an object, or how many items a list has.
func namesIn(n foreign.Node) []string {
	if n.Kind == foreign.List {
		return []string{fmt.Sprintf("a list of %d", len(n.Items))}
	}
	const most = 40
	names := []string{}
	for _, f := range n.Fields {
		if len(names) == most {
			return append(names, "…")
		}
		names = append(names, f.Key)
	}
	return names
}
