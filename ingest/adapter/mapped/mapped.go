package mapped

import (
	"context"
	"fmt"
	"path"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
)

// Version is the version of what this adapter makes of a file.
const Version = 2

// Adapter reads tables and JSON by a mapping. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Chosen  = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "mapped" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "mapped", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims nothing: see [Adapter.Chosen].
func (Adapter) Sniff([]byte, string) adapter.Match {
	return adapter.Match{Want: "a CSV, TSV or Markdown table, or JSON, that the import.toml beside it maps ([table] or [json], or [files.\"NAME\".table] or [files.\"NAME\".json])"}
}

// kind is how a file is read.
type kind uint8

const (
	other kind = iota
	delimited
	markdown
	jsonFile
)

// kindOf tells a file by the ending of its name.
func kindOf(name string) kind {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv":
		return delimited
	case ".md", ".markdown":
		return markdown
	case ".json", ".jsonl", ".ndjson":
		return jsonFile
	}
	return other
}

// said is the part of import.toml that is about files of a kind; nil: none.
func (k kind) said(i foreign.Import) map[string]any {
	switch k {
	case delimited, markdown:
		return i.Table
	case jsonFile:
		return i.JSON
	case other:
	}
	return nil
}

// Chosen reports whether import.toml has a mapping for the file.
func (Adapter) Chosen(s adapter.Source) (bool, error) {
	k := kindOf(s.Name)
	if s.IsDir || k == other {
		return false, nil
	}
	imp, err := foreign.ReadImport(s)
	if err != nil {
		return false, err
	}
	return k.said(imp) != nil || k.said(imp.Files[s.Name]) != nil, nil
}

// mostRows bounds the rows of one file: each is a page.
const mostRows = 10_000

// Read yields a record a row.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		k := kindOf(s.Name)
		raw := k.said(f.Import)
		if raw == nil {
			return nil, nil, &adapter.RefusedError{Why: "no mapping says what stands in it", Hint: "write [table] or [json] into the " + foreign.ImportName + " beside it"}
		}
		if k == jsonFile {
			m, err := parseJSON(raw)
			if err != nil {
				return nil, nil, faulty(err)
			}
			t := &jsonReader{rows: rows{file: f, tool: "JSON"}, m: m}
			err = t.read(ctx)
			return t.parts, t.found, err
		}
		m, err := parseTable(raw)
		if err != nil {
			return nil, nil, faulty(err)
		}
		t := &tableReader{rows: rows{file: f, tool: "table"}, m: m}
		err = t.read(ctx, k)
		return t.parts, t.found, err
	})
}

func faulty(err error) error {
	why := strings.ReplaceAll(err.Error(), "\n", "; ")
	return &adapter.RefusedError{Why: "the mapping in " + foreign.ImportName + ": " + why, Err: err}
}

// rows are the records of a file while it is read.
type rows struct {
	file  *foreign.File
	tool  string // "table" or "JSON"
	parts []foreign.Part
	found []adapter.Diagnostic
}

// row makes a row's record. Cell gives what stands at an entry, names are the
// words that tell the row from others.
func (r *rows) row(entries []entry, cellOf func(place) cell, part, title string) error {
	if len(r.parts) >= mostRows {
		return tooMany()
	}
	d := foreign.NewDraft(r.file, r.tool)
	for _, e := range entries {
		e.put(d, cellOf)
	}
	complete(d)
	r.parts = append(r.parts, foreign.Part{Draft: d, Part: part, Title: title})
	return nil
}

// title names a row by the places that the mapping names it by.
func title(by []place, cellOf func(place) cell, otherwise string) string {
	var words []string
	for _, at := range by {
		c := cellOf(at)
		switch {
		case c.gap != "":
		case at.isSelf():
			words = append(words, c.text)
		default:
			words = append(words, at.name+" "+c.text)
		}
	}
	if len(words) == 0 {
		return otherwise
	}
	return strings.Join(words, ", ")
}

func tooMany() error {
	return &adapter.RefusedError{Why: fmt.Sprintf("it has more than %d rows, each of which would be a page", mostRows), Hint: "split the file"}
}

// missingHere is the error of a mapping that speaks of what the file does not have.
func missingHere(what string, missing, has []string) error {
	if len(missing) == 0 {
		return nil
	}
	return &adapter.RefusedError{Why: fmt.Sprintf("%s %q", what, missing), Hint: fmt.Sprintf("what it has is %q", has)}
}
