// Package grid reads tables of text: CSV and TSV, and the tables of a Markdown
// page. It knows cells and lines and nothing of what they mean, so that every
// adapter of something that is a table reads it alike.
//
// It is tolerant of what people's tables are like: a BOM, CR LF, blank lines
// between groups, rows that lack their last cells, quotes that stand where none
// should. Memory is bounded by one row of CSV, and by [MaxMarkdown] rows of a page.
package grid

// Row is one row of a table.
type Row struct {
	Line  int64 // where it begins, from 1
	Cells []string
}

// Cell is the i-th cell, from 0, without space around it; false where the row
// is too short to have one.
func (r Row) Cell(i int) (string, bool) {
	if i < 0 || i >= len(r.Cells) {
		return "", false
	}
	return r.Cells[i], true
}

// IsBlank reports whether every cell is empty.
func (r Row) IsBlank() bool {
	for _, c := range r.Cells {
		if c != "" {
			return false
		}
	}
	return true
}
