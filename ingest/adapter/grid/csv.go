package grid

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// MaxRow is the largest row that is read, in bytes of the file.
const MaxRow = 8 << 20

// ErrRowTooLarge says that a row goes on for more than [MaxRow] bytes: mostly a
// quote that is never closed.
var ErrRowTooLarge = errors.New("a row is larger than is read: is a quote never closed?")

// CSV reads rows of cells that a comma, a tab or another character separates.
// Blank rows are passed over. The error comes last.
func CSV(ctx context.Context, r io.Reader, comma rune) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in := bufio.NewReader(r)
		if bom, err := in.Peek(3); err == nil && string(bom) == "\ufeff" {
			in.Discard(3) //nolint:errcheck // the three bytes were just seen
		}
		budget := &budgetReader{in: in, left: MaxRow}
		c := csv.NewReader(budget)
		c.Comma, c.FieldsPerRecord, c.LazyQuotes = comma, -1, true
		for n := 1; ; n++ {
			if n%256 == 1 && ctx.Err() != nil {
				yield(Row{}, ctx.Err())
				return
			}
			cells, err := c.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(Row{}, fmt.Errorf("reading a row: %w", err))
				return
			}
			budget.left = MaxRow
			line, _ := c.FieldPos(0)
			if row := rowOf(cells, line); !row.IsBlank() && !yield(row, nil) {
				return
			}
		}
	}
}

func rowOf(cells []string, line int) Row {
	row := Row{Line: int64(line), Cells: make([]string, len(cells))}
	for i, cell := range cells {
		row.Cells[i] = strings.TrimSpace(strings.ToValidUTF8(cell, "\ufffd"))
	}
	return row
}

// budgetReader fails when more is read from it than one row may have.
type budgetReader struct {
	in   io.Reader
	left int
}

func (b *budgetReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrRowTooLarge
	}
	n, err := b.in.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
