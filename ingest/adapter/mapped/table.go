package mapped

import (
	"context"
	"fmt"
	"path"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/grid"
)

// tableReader reads CSV, TSV and Markdown.
type tableReader struct {
	rows
	m      tableMapping
	header []string
	heads  [][]string
	at     map[string]int
	short  int64 // rows without their last cells
	firstS int64
}

func (t *tableReader) read(ctx context.Context, k kind) error {
	read := t.csv
	if k == markdown {
		read = t.markdown
	}
	if err := read(ctx); err != nil {
		return err
	}
	if t.short > 0 {
		t.found = append(t.found, adapter.Diagnostic{File: t.file.Name(), Line: t.firstS, Msg: fmt.Sprintf("%d rows lack their last cells, from this one on: what would stand there is not stated", t.short)})
	}
	return nil
}

func (t *tableReader) csv(ctx context.Context) error {
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

func (t *tableReader) markdown(ctx context.Context) error {
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
	return nil
}

// columns finds the mapping's columns in the header.
func (t *tableReader) columns(header []string) error {
	t.header, t.at = header, map[string]int{}
	twice := map[string]bool{}
	for i, h := range header {
		if _, ok := t.at[h]; ok {
			twice[h] = true
		}
		t.at[h] = i
	}
	var missing []string
	for _, p := range places(t.m.rowName, t.m.entries) {
		if _, ok := t.at[p.name]; !ok {
			missing = append(missing, p.name)
		}
		if twice[p.name] {
			return &adapter.RefusedError{Why: fmt.Sprintf("the column %q stands twice in the header", p.name)}
		}
	}
	return missingHere("the header has no column", missing, header)
}

// row makes a row's record.
func (t *tableReader) row(r grid.Row) error {
	if r.IsBlank() {
		return nil
	}
	if len(r.Cells) < len(t.header) {
		if t.short++; t.short == 1 {
			t.firstS = r.Line
		}
	}
	cellOf := func(p place) cell {
		c := cell{line: r.Line, where: fmt.Sprintf("column “%s”, line %d", p.name, r.Line)}
		text, there := r.Cell(t.at[p.name])
		if c.text = text; !there {
			c.gap = "the row ends before this column"
		} else {
			c.gap = emptyWord(text)
		}
		return c
	}
	line := fmt.Sprintf("line %d", r.Line)
	return t.rows.row(t.m.entries, cellOf, line, title(t.m.rowName, cellOf, t.file.Source.Name+", "+line))
}
