// Package table reads plain tables, CSV, TSV and Markdown, by a mapping that a
// person writes into the import.toml beside them:
//
//	[table]                        # for every table of the folder, or
//	[files."curve.csv".table]      # for one file
//	header_rows = 1                # rows that make up the header, at most 3
//	separator = ","                # or ";" or "tab"; a tab where the name ends in .tsv
//	number = 1                     # Markdown: which table of the page
//	name = ["gpu", "batch"]        # the columns that name a row
//
//	[[table.column]]
//	column = "ttft"                # the header's text; of several rows joined by " / "
//	metric = "ttft"
//	statistic = "median"
//	unit = "ms"                    # left out: the number is quoted and computed with nowhere
//	population = "requests that completed"
//	definition = "from when the request is sent until the first token"
//	zero = "not measured"          # a 0 in this column is no measurement, and why
//
//	[[table.column]]
//	column = "gpu"
//	field = "hardware"             # a part of the record
//
//	[[table.column]]
//	column = "usd_per_hr"
//	fact = "price, USD an hour"    # anything else, word for word
//
// Each row is a record. Without a mapping a table is not read: a header is not a
// definition, and which number is which would be a guess. Cells that are empty,
// or a dash, or "n/a", are gaps. "35.2 ± 0.6" is 35.2, with the rest as a fact.
// Text stays as it is, also where a spreadsheet would take it for a formula.
package table

import (
	"context"
	"fmt"
	"path"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/grid"
)

// Version is the version of what this adapter makes of a file.
const Version = 1

// Adapter reads tables by a mapping. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Chosen  = Adapter{}
	_ adapter.Beside  = Adapter{}
)

// ID is "table" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "table", Version: Version} }

// Companions is import.toml.
func (Adapter) Companions() []string { return []string{foreign.ImportName} }

// Sniff claims nothing: see [Adapter.Chosen].
func (Adapter) Sniff([]byte, string) adapter.Match {
	return adapter.Match{Want: "a CSV, TSV or Markdown table that the import.toml beside it maps ([table], or [files.\"NAME\".table])"}
}

// isTable reports whether a name is that of a table.
func isTable(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".md", ".markdown":
		return true
	}
	return false
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

// Chosen reports whether the file is a table by its name and import.toml has a
// mapping for it.
func (Adapter) Chosen(s adapter.Source) (bool, error) {
	if s.IsDir || !isTable(s.Name) {
		return false, nil
	}
	imp, err := foreign.ReadImport(s)
	if err != nil {
		return false, err
	}
	return imp.Table != nil || imp.Files[s.Name].Table != nil, nil
}

// mostRows bounds the rows of one file: each is a page.
const mostRows = 10_000

// Read yields a record a row.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return foreign.ReadParts(ctx, s, a.ID(), sink, func(f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
		if f.Import.Table == nil {
			return nil, nil, &adapter.RefusedError{Why: "no mapping says what its columns are", Hint: "write [table] into the " + foreign.ImportName + " beside it"}
		}
		m, err := parseMapping(f.Import.Table)
		if err != nil {
			return nil, nil, &adapter.RefusedError{Why: fmt.Sprintf("the mapping in %s: %v", foreign.ImportName, err), Err: err}
		}
		t := &reader{file: f, m: m}
		if isMarkdown(s.Name) {
			err = t.markdown(ctx)
		} else {
			err = t.csv(ctx)
		}
		return t.parts, t.found, err
	})
}

type reader struct {
	file   *foreign.File
	m      mapping
	header []string
	heads  [][]string
	at     map[string]int
	parts  []foreign.Part
	found  []adapter.Diagnostic
	short  int64 // rows without their last cells
	firstS int64
}

func (t *reader) csv(ctx context.Context) error {
	comma := t.m.separator
	if comma == 0 {
		comma = ','
		if strings.EqualFold(path.Ext(t.file.Source.Name), ".tsv") {
			comma = '\t'
		}
	}
	for row, err := range grid.CSV(ctx, t.file, comma) {
		if err != nil {
			return err
		}
		if len(t.heads) < t.m.headerRows {
			t.heads = append(t.heads, row.Cells)
			if len(t.heads) == t.m.headerRows {
				if err := t.columns(joined(t.heads)); err != nil {
					return err
				}
			}
			continue
		}
		if err := t.row(row); err != nil {
			return err
		}
	}
	t.shortNote()
	return nil
}

// joined makes one header of several rows: what stands above a column, joined.
func joined(heads [][]string) []string {
	wide := 0
	for _, h := range heads {
		wide = max(wide, len(h))
	}
	out := make([]string, wide)
	for i := range out {
		var parts []string
		for _, h := range heads {
			if i < len(h) && h[i] != "" {
				parts = append(parts, h[i])
			}
		}
		out[i] = strings.Join(parts, " / ")
	}
	return out
}

func (t *reader) markdown(ctx context.Context) error {
	tables, err := grid.Markdown(ctx, t.file)
	if err != nil {
		return err
	}
	if t.m.number > len(tables) {
		return &adapter.RefusedError{Why: fmt.Sprintf("the mapping wants table %d, and the page has %d", t.m.number, len(tables))}
	}
	chosen := tables[t.m.number-1]
	if err := t.columns(chosen.Header); err != nil {
		return err
	}
	for _, row := range chosen.Rows {
		if err := t.row(row); err != nil {
			return err
		}
	}
	t.shortNote()
	return nil
}

// columns finds the mapping's columns in the header.
func (t *reader) columns(header []string) error {
	t.header, t.at = header, map[string]int{}
	twice := map[string]bool{}
	for i, h := range header {
		if _, ok := t.at[h]; ok {
			twice[h] = true
		}
		t.at[h] = i
	}
	var missing []string
	for _, name := range t.m.names() {
		if _, ok := t.at[name]; !ok {
			missing = append(missing, name)
		}
		if twice[name] {
			return &adapter.RefusedError{Why: fmt.Sprintf("the column %q stands twice in the header", name)}
		}
	}
	if len(missing) > 0 {
		return &adapter.RefusedError{Why: fmt.Sprintf("the header has no column %q", missing), Hint: fmt.Sprintf("its columns are %q", header)}
	}
	return nil
}

// row makes a row's record.
func (t *reader) row(r grid.Row) error {
	if len(t.parts) >= mostRows {
		return &adapter.RefusedError{Why: fmt.Sprintf("it has more than %d rows, each of which would be a page", mostRows), Hint: "split the table"}
	}
	if r.IsBlank() {
		return nil
	}
	if len(r.Cells) < len(t.header) {
		if t.short++; t.short == 1 {
			t.firstS = r.Line
		}
	}
	d := foreign.NewDraft(t.file, "table")
	for _, c := range t.m.columns {
		cell, ok := r.Cell(t.at[c.name])
		c.put(d, cell, ok, r.Line)
	}
	var words []string
	for _, name := range t.m.rowName {
		if cell, _ := r.Cell(t.at[name]); cell != "" {
			words = append(words, name+" "+cell)
		}
	}
	title := strings.Join(words, ", ")
	if title == "" {
		title = fmt.Sprintf("%s, line %d", t.file.Source.Name, r.Line)
	}
	t.parts = append(t.parts, foreign.Part{Draft: d, Part: fmt.Sprintf("line %d", r.Line), Title: title})
	return nil
}

func (t *reader) shortNote() {
	if t.short > 0 {
		t.found = append(t.found, adapter.Diagnostic{File: t.file.Name(), Line: t.firstS, Msg: fmt.Sprintf("%d rows lack their last cells, from this one on: what would stand there is not stated", t.short)})
	}
}
