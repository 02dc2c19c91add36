package grid

import (
	"context"
	"errors"
	"io"
	"strings"

	"benchline/ingest/adapter"
)

// MaxMarkdown is how many rows the tables of one page may have.
const MaxMarkdown = 100_000

// ErrTooManyRows says that a page has more than [MaxMarkdown] rows.
var ErrTooManyRows = errors.New("the page has more rows of tables than are read")

// Table is one table of a Markdown page.
type Table struct {
	Heading string // the last heading above it, without its marks; may be empty
	Line    int64  // of its header
	Header  []string
	Rows    []Row
}

// Markdown returns the pipe tables of a page in their order. Tables in fenced
// code are tables too: there people paste what a program printed. Emphasis,
// code marks and links are taken off cells; nothing else of Markdown is read.
func Markdown(ctx context.Context, r io.Reader) ([]Table, error) {
	var (
		out     []Table
		heading string
		before  Row // the row above, which may be a header
		inTable bool
		rows    int
	)
	for l, err := range adapter.TextLines(ctx, r) {
		if err != nil {
			return out, err
		}
		text := strings.TrimSpace(l.Text)
		cells, ok := split(text)
		switch {
		case !ok:
			inTable, before = false, Row{}
			if mark := strings.TrimLeft(text, "#"); mark != text && strings.HasPrefix(mark, " ") {
				heading = plain(mark)
			}
		case !inTable && isRule(cells) && len(before.Cells) == len(cells):
			out = append(out, Table{Heading: heading, Line: before.Line, Header: before.Cells})
			inTable = true
		case inTable:
			if rows++; rows > MaxMarkdown {
				return out, ErrTooManyRows
			}
			t := &out[len(out)-1]
			t.Rows = append(t.Rows, Row{Line: l.N, Cells: clean(cells)})
		default:
			before = Row{Line: l.N, Cells: clean(cells)}
		}
	}
	return out, nil
}

// split cuts a line at its pipes; false if it has none. A pipe behind a
// backslash belongs to the cell.
func split(text string) ([]string, bool) {
	if !strings.Contains(text, "|") {
		return nil, false
	}
	text = strings.TrimPrefix(text, "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '|':
			cell.WriteByte('|')
			i++
		case text[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(text[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" || !strings.HasSuffix(text, "|") {
		cells = append(cells, rest)
	}
	return cells, true
}

// isRule reports whether the cells are the line below a header: dashes, with
// colons at their ends.
func isRule(cells []string) bool {
	for _, c := range cells {
		dashes := strings.TrimSuffix(strings.TrimPrefix(c, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return false
		}
	}
	return len(cells) > 0
}

func clean(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = plain(c)
	}
	return out
}

// plain takes the marks of Markdown off a text: **bold**, `code`, [text](link).
func plain(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(rest, ")") {
		if label, _, ok := strings.Cut(rest, "]("); ok {
			text = label
		}
	}
	for _, mark := range []string{"**", "__", "`"} {
		if inner, ok := strings.CutPrefix(text, mark); ok && strings.HasSuffix(inner, mark) && len(inner) > len(mark) {
			text = strings.TrimSuffix(inner, mark)
		}
	}
	return strings.TrimSpace(text)
}
