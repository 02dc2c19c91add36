package grid_test

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/adapter/grid"
)

func rows(t *testing.T, text string, comma rune) ([]grid.Row, error) {
	t.Helper()
	var out []grid.Row
	for r, err := range grid.CSV(t.Context(), strings.NewReader(text), comma) {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

func TestCSV(t *testing.T) {
	got, err := rows(t, "\ufeffa,b,c\r\n\r\n1, two ,\"x\r\ny\"\r\n,,\r\n4\r\n\"=SUM(A1)\",5\" disk\xff,6,7\r\n", ',')
	if err != nil {
		t.Fatal(err)
	}
	want := []grid.Row{{1, []string{"a", "b", "c"}}, {3, []string{"1", "two", "x\ny"}}, {6, []string{"4"}}, {7, []string{"=SUM(A1)", "5\" disk\ufffd", "6", "7"}}}
	if len(got) != len(want) {
		t.Fatalf("got %d rows: %+v", len(got), got)
	}
	for i, r := range got {
		if r.Line != want[i].Line || strings.Join(r.Cells, "|") != strings.Join(want[i].Cells, "|") {
			t.Errorf("row %d: got %d %q, want %d %q", i, r.Line, r.Cells, want[i].Line, want[i].Cells)
		}
	}
	if c, ok := got[2].Cell(1); ok {
		t.Errorf("a cell that is missing is %q", c)
	}
	if tabs, err := rows(t, "a\tb,c\n", '\t'); err != nil || len(tabs) != 1 || tabs[0].Cells[1] != "b,c" {
		t.Errorf("tabs: got %+v, %v", tabs, err)
	}
}

// endless is a quote that is never closed.
type endless struct{ begun bool }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	if !e.begun {
		p[0], e.begun = '"', true
	}
	return len(p), nil
}

func TestCSVIsBounded(t *testing.T) {
	for _, err := range grid.CSV(t.Context(), &endless{}, ',') {
		if !errors.Is(err, grid.ErrRowTooLarge) {
			t.Errorf("got %v", err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range grid.CSV(ctx, strings.NewReader("a\n"), ',') {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func TestCSVIsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`[a-z=+@,"'\n-]{1,6}`)
		want := rapid.SliceOfN(rapid.SliceOfN(cell, 1, 5), 1, 8).Draw(t, "rows")
		var b strings.Builder
		w := csv.NewWriter(&b)
		if err := w.WriteAll(want); err != nil {
			t.Fatal(err)
		}
		i := 0
		for r, err := range grid.CSV(context.Background(), strings.NewReader(b.String()), ',') {
			if err != nil {
				t.Fatal(err)
			}
			for i < len(want) && blank(want[i]) {
				i++
			}
			for j, c := range r.Cells {
				if c != strings.TrimSpace(want[i][j]) {
					t.Fatalf("row %d, cell %d: got %q, want %q", i, j, c, want[i][j])
				}
			}
			i++
		}
	})
}

func blank(cells []string) bool {
	return strings.TrimSpace(strings.Join(cells, "")) == ""
}

const page = "# Results **now**\n\ntext | with a pipe\n\n| a | `b` | c |\n|:--|:-:|--:|\n| [x](http://y) | **1.5 ± 0.1** | - |\n| p\\|q | | \n\n## Second\n```\nd | e\n--|--\n1 | 2\n3\n4 | 5\n```\n| no | rule |\n| 1 | 2 |\n"

func TestMarkdown(t *testing.T) {
	got, err := grid.Markdown(t.Context(), strings.NewReader(page))
	if err != nil || len(got) != 2 {
		t.Fatalf("got %d tables, %v: %+v", len(got), err, got)
	}
	first, second := got[0], got[1]
	if first.Heading != "Results **now**" || first.Line != 5 || strings.Join(first.Header, ",") != "a,b,c" || len(first.Rows) != 2 {
		t.Errorf("first: %+v", first)
	}
	if strings.Join(first.Rows[0].Cells, ",") != "x,1.5 ± 0.1,-" || first.Rows[0].Line != 7 || first.Rows[1].Cells[0] != "p|q" {
		t.Errorf("rows: %+v", first.Rows)
	}
	if second.Heading != "Second" || strings.Join(second.Header, ",") != "d,e" || len(second.Rows) != 1 || second.Rows[0].Cells[1] != "2" {
		t.Errorf("second: %+v", second)
	}
}

func TestMarkdownIsBounded(t *testing.T) {
	row := strings.NewReader(strings.Repeat("|1|\n", grid.MaxMarkdown+1))
	_, err := grid.Markdown(t.Context(), io.MultiReader(strings.NewReader("|a|\n|-|\n"), row))
	if !errors.Is(err, grid.ErrTooManyRows) {
		t.Errorf("got %v", err)
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(page)
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := grid.Markdown(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			if len(table.Header) == 0 || table.Line < 1 {
				t.Errorf("a table without a header: %+v", table)
			}
		}
	})
}
