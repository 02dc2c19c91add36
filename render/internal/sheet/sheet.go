// Package sheet writes a committee document as a spreadsheet (Office Open XML): the
// table, the verdicts, and the arithmetic with formulas, so that another price in
// the price's cell gives another cost. It is the only importer of excelize.
//
// Text is written as text, whatever it begins with: a record that is named
// "=HYPERLINK(…)" stays a name. Formulas are made here alone, from cell addresses
// and operators, never from a text.
package sheet

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"benchline/ingest/evidence"
	"benchline/render/pack"
	"benchline/render/report"
)

// The sheets in their order.
const (
	Options     = "Options"
	Verdicts    = "Verdicts"
	Arithmetic  = "Arithmetic"
	Assumptions = "Assumptions"
	Records     = "Records"
)

// Write makes the workbook. The same document gives the same bytes.
func Write(d *pack.Document) ([]byte, error) {
	b := &book{f: excelize.NewFile(), d: d, computed: map[string]string{}}
	defer b.f.Close() //nolint:errcheck // nothing of it is on disk
	for _, name := range []string{Options, Verdicts, Arithmetic, Assumptions, Records} {
		b.create(name)
	}
	// The arithmetic comes first: the options refer to its cells.
	for _, part := range []struct {
		name string
		fill func()
	}{{Arithmetic, b.arithmetic}, {Options, b.options}, {Verdicts, b.verdicts}, {Assumptions, b.assumptions}, {Records, b.records}} {
		b.name, b.row = part.name, 0
		part.fill()
	}
	b.try(b.f.DeleteSheet("Sheet1"))
	b.f.SetActiveSheet(0)
	// A program that opens it computes at once, also where another has changed a price
	// and left the costs as they were.
	always := true
	b.try(b.f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &always}))
	b.try(b.f.SetDocProps(&excelize.DocProperties{Title: d.Title, Description: d.Decision, Identifier: d.Hash}))
	if b.err != nil {
		return nil, b.err
	}
	buf, err := b.f.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("writing the workbook: %w", err)
	}
	return buf.Bytes(), nil
}

// book is a workbook while it is written: one sheet after the other, from the top
// row down. It keeps the first error.
type book struct {
	f    *excelize.File
	d    *pack.Document
	name string
	row  int
	err  error
	// computed are the cells of the computations, by their IDs.
	computed map[string]string
}

func (b *book) try(err error) {
	if b.err == nil && err != nil {
		b.err = fmt.Errorf("sheet %s, row %d: %w", b.name, b.row, err)
	}
}

func (b *book) create(name string) {
	b.name = name
	_, err := b.f.NewSheet(name)
	b.try(err)
	b.try(b.f.SetColWidth(name, "A", "B", 28))
	b.try(b.f.SetColWidth(name, "C", "S", 18))
}

// line writes a row: texts as text, numbers as numbers.
func (b *book) line(cells ...any) {
	b.row++
	for i, c := range cells {
		at := address(i+1, b.row)
		switch c := c.(type) {
		case nil:
		case string:
			b.text(at, c)
		case float64:
			b.try(b.f.SetCellFloat(b.name, at, c, -1, 64))
		case int64:
			b.try(b.f.SetCellInt(b.name, at, c))
		}
	}
}

// text writes a text. What stands for a character in this format, "_x003D_", would be
// read as one: its first underscore is written as what stands for an underscore.
func (b *book) text(at, s string) {
	b.try(b.f.SetCellStr(b.name, at, escaped(s)))
}

func escaped(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if s[i] == '_' && standsForOne(s[i:]) {
			out.WriteString("_x005F")
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// standsForOne reports whether a text begins with "_x", four hexadecimal digits, "_".
func standsForOne(s string) bool {
	if len(s) < len("_x0000_") || s[1] != 'x' || s[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(s[2:6], 16, 16)
	return err == nil
}

// heads writes a row of column heads in bold.
func (b *book) heads(words ...string) {
	cells := make([]any, len(words))
	for i, w := range words {
		cells[i] = w
	}
	b.line(cells...)
	bold, err := b.f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	b.try(err)
	b.try(b.f.SetCellStyle(b.name, address(1, b.row), address(len(words), b.row), bold))
}

// address is a cell's name; column and row count from 1.
func address(col, row int) string {
	name, err := excelize.CoordinatesToCellName(col, row)
	if err != nil {
		return "" // cannot be: both are positive, and a document has few
	}
	return name
}

// frontMatter is what stands above the first table: which document this is.
func (b *book) frontMatter() {
	b.line(b.d.Title)
	b.line(b.d.Decision)
	b.line("date", b.d.Date)
	b.line("pack sha256", b.d.Hash)
	for _, n := range b.d.Notes {
		b.line("note", n)
	}
	b.line()
}

// figure is a cell of the table: the number in its base unit, or what stands in
// its place.
func figure(c report.Cell) any {
	if c.Fig == nil {
		return c.Text
	}
	x, err := strconv.ParseFloat(c.Fig.Value, 64)
	if err != nil || c.Fig.Kind != evidence.Exact {
		return c.Fig.Words()
	}
	return x
}

func (b *book) options() {
	b.frontMatter()
	c := b.d.Columns
	unit := func(col pack.Column) string { return col.Title + ", " + baseUnit(col) }
	b.heads("option", "title", "precision", unit(c.TTFT50), unit(c.TTFT95), unit(c.TPOT50), unit(c.Rate)+", latency-qualified", unit(c.Goodput),
		"sent", "completed", "failed, rejected, timed out, cancelled", "unresolved", "output tokens completed", c.Target, "overall", "remark",
		"cost of the interval", "cost of a successful request", "cost of a million output tokens", "currency")
	for _, o := range b.d.Options {
		remark := o.Gap
		if o.Screen != "" {
			remark = "screened out: " + o.Screen
		}
		precision := o.Precision.Text
		if o.Row == nil {
			b.line(o.Name, o.Title, precision, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, string(o.Target), string(o.Overall), remark)
			continue
		}
		r := o.Row
		l := r.Outcomes
		bad := any(l.Failed.N + l.Rejected.N + l.TimedOut.N + l.Cancelled.N)
		if !l.Failed.Known || !l.Rejected.Known || !l.TimedOut.Known || !l.Cancelled.Known {
			bad = "not stated"
		}
		b.line(o.Name, o.Title, precision, figure(r.TTFT50), figure(r.TTFT95), figure(r.TPOT50), figure(r.Rate), figure(r.Goodput),
			count(l.Sent), count(l.Completed), bad, count(l.Unresolved), r.Tokens.Value, string(o.Target), string(o.Overall), remark)
		b.costs(r.Cost)
	}
}

// costColumn is the first column of costs on the sheet of the options.
const costColumn = 17

// costs puts the costs of a row behind it: each is the cell of its computation.
func (b *book) costs(c pack.Costs) {
	if c.Interval == nil {
		b.text(address(costColumn, b.row), c.None)
		return
	}
	for i, x := range []*pack.Computation{c.Interval, c.PerRequest, c.PerMillion} {
		if x == nil {
			continue
		}
		at := address(costColumn+i, b.row)
		b.try(b.f.SetCellFloat(b.name, at, x.Value, -1, 64))
		b.try(b.f.SetCellFormula(b.name, at, Arithmetic+"!"+b.computed[x.ID]))
	}
	b.text(address(costColumn+3, b.row), c.Interval.Unit)
}

func count(c report.Count) any {
	if !c.Known {
		return c.Text
	}
	return c.N
}

func (b *book) verdicts() {
	b.heads("option", "criterion", "of what", "limit", "tolerance", "verdict", "why", "requests", "of them open", "interval, beside", "what would settle it")
	for _, o := range b.d.Options {
		if len(o.Verdicts) == 0 {
			b.line(o.Name, nil, nil, nil, nil, string(pack.NotCompared), o.Gap)
		}
		for i, v := range o.Verdicts {
			c := b.d.Criteria[i]
			b.line(o.Name, c.Name, c.Label, c.Limit, c.Tolerance, string(v.Outcome), v.Says, v.N, v.Open, v.Beside, v.Settle)
		}
	}
}

func (b *book) assumptions() {
	b.heads("assumption", "vouched for", "source", "date")
	for _, a := range b.d.Assumptions {
		b.line(a.Text, string(a.Said), a.Source, a.Date)
	}
}

func (b *book) records() {
	b.heads("record", "evidence ID", "option", "evidence", "started", "how it is used")
	for _, r := range b.d.Records {
		b.line(r.Record.Text, r.ID, r.Option, string(r.Class), r.Started.Text, r.As)
	}
}
