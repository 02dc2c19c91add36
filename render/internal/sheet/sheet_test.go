package sheet_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"benchline/ingest/evidence"
	"benchline/render/internal/sheet"
	"benchline/render/pack"
	"benchline/render/report"
)

// document is the pack of the fixtures: every kind of row and of computation.
func document(t testing.TB) *pack.Document {
	t.Helper()
	names, err := filepath.Glob("../../../testdata/evidence/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatalf("no evidence: %v", err)
	}
	var records []evidence.Record
	for _, name := range names {
		for r, err := range evidence.Decode(name, bytes.NewReader(read(t, name))) {
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
	}
	set, err := report.NewSet(records)
	if err != nil {
		t.Fatal(err)
	}
	p, err := pack.Parse("packs/ladder.toml", read(t, "../../../testdata/packs/ladder.toml"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := pack.Build(pack.Input{Pack: p, Set: set, Root: "../"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// written is the workbook of a document, opened again.
func written(t testing.TB, d *pack.Document) *excelize.File {
	t.Helper()
	b, err := sheet.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() }) //nolint:errcheck // only read from
	return f
}

func TestTheSameDocumentGivesTheSameBytes(t *testing.T) {
	d := document(t)
	a, err := sheet.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sheet.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("two workbooks of one document differ")
	}
}

// costRow is a computation as a sheet of the arithmetic has it, and the row of it.
type costRow struct {
	label, of string
	value     float64
	row       int
}

// computedRows are the rows below the head "computed"; value reads a cell.
func computedRows(t testing.TB, rows [][]string) []costRow {
	t.Helper()
	var out []costRow
	below := false
	for i, r := range rows {
		switch {
		case len(r) > 0 && r[0] == "computed":
			below = true
		case below && len(r) > 2 && r[0] != "":
			x, err := strconv.ParseFloat(r[2], 64)
			if err != nil {
				t.Fatalf("row %d: %q is no number", i+1, r[2])
			}
			out = append(out, costRow{r[0], r[1], x, i + 1})
		}
	}
	return out
}

// priceRow is the row of the first price.
func priceRow(t testing.TB, rows [][]string) (row int, price float64, of string) {
	t.Helper()
	for i, r := range rows {
		if len(r) > 2 && r[0] == "price of a GPU-hour" {
			x, err := strconv.ParseFloat(r[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			return i + 1, x, r[1]
		}
	}
	t.Fatal("the sheet has no price")
	return 0, 0, ""
}

// near reports whether two numbers are the same to within the fifteen digits that a
// spreadsheet shows.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-14*math.Max(math.Abs(a), math.Abs(b)) }

// Each computation of the document is a formula, and a program that computes it comes
// to the value of the page.
func TestFormulasComeToTheValues(t *testing.T) {
	d := document(t)
	f := written(t, d)
	rows, err := f.GetRows(sheet.Arithmetic, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	got := computedRows(t, rows)
	want := d.Computations()
	if len(got) != len(want) || len(want) < 8 {
		t.Fatalf("got %d rows for %d computations", len(got), len(want))
	}
	for i, c := range want {
		if got[i].label != c.Label || got[i].of != c.Of || !near(got[i].value, c.Value) {
			t.Errorf("row %d: got %+v, want %s of %s, %v", got[i].row, got[i], c.Label, c.Of, c.Value)
		}
		if x := calculated(t, f, sheet.Arithmetic, "C"+strconv.Itoa(got[i].row)); !near(x, c.Value) {
			t.Errorf("%s of %s computes to %v, the document has %v", c.Label, c.Of, x, c.Value)
		}
	}
}

func calculated(t testing.TB, f *excelize.File, name, cell string) float64 {
	t.Helper()
	if formula, err := f.GetCellFormula(name, cell); err != nil || formula == "" {
		t.Fatalf("%s!%s has no formula: %v", name, cell, err)
	}
	s, err := f.CalcCellValue(name, cell, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatalf("%s!%s: %v", name, cell, err)
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("%s!%s computes to %q", name, cell, s)
	}
	return x
}

// withPrice reports which computations have a term of the price of an option.
func withPrice(c pack.Computation, of string) bool {
	for _, t := range c.Sum[0] {
		if strings.HasSuffix(t.Key, "-price") && (c.Of == of || strings.HasPrefix(c.Of, of+", ")) {
			return true
		}
	}
	return false
}

// Another price in the cell of the price gives each cost of that option another value,
// by the same factor, and no other number.
func TestAnotherPriceGivesAnotherCost(t *testing.T) {
	d := document(t)
	f := written(t, d)
	rows, err := f.GetRows(sheet.Arithmetic, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	row, price, of := priceRow(t, rows)
	of, _, _ = strings.Cut(of, ", ")
	if err := f.SetCellFloat(sheet.Arithmetic, "C"+strconv.Itoa(row), price*2.5, -1, 64); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for i, c := range d.Computations() {
		want := c.Value
		if withPrice(c, of) {
			want *= 2.5
			moved++
		}
		if x := calculated(t, f, sheet.Arithmetic, "C"+strconv.Itoa(computedRows(t, rows)[i].row)); !near(x, want) {
			t.Errorf("%s of %s computes to %v, want %v", c.Label, c.Of, x, want)
		}
	}
	if moved < 4 {
		t.Errorf("only %d computations have the price", moved)
	}
}

// hostileTexts begin as formulas, commands or numbers of a spreadsheet do.
func hostileTexts() []string {
	return []string{`=HYPERLINK("http://x.invalid","click")`, "+cmd|' /C calc'!A0", "@SUM(A1:A9)", "-1", "-1+2", "=1+1", "\t=1+1", "\r=1+1", "\n=1+1", "'=1+1", "{=1+1}",
		"_x003D_1+1", "1e9", "2026-11-29", "TRUE", "#REF!", "=cmd|'/C calc'!A0"}
}

// hostileDocument has a hostile text wherever a document has one of people or records.
func hostileDocument(t testing.TB, text string) *pack.Document {
	t.Helper()
	d := document(t)
	d.Title, d.Decision, d.Date = text, text, text
	d.Notes = append(d.Notes, text)
	for i := range d.Options {
		o := &d.Options[i]
		o.Name, o.Title, o.Screen, o.Precision.Text = text, text, text, text
		if o.Gap != "" {
			o.Gap = text
		}
	}
	for i := range d.Criteria {
		c := &d.Criteria[i]
		c.Name, c.Label, c.Limit, c.Tolerance = text, text, text, text
	}
	for i := range d.Assumptions {
		d.Assumptions[i] = pack.Assumption{Text: text, Said: pack.Assumed, Source: text, Date: text}
	}
	for i := range d.Records {
		r := &d.Records[i]
		r.Record.Text, r.Option, r.Started.Text, r.As = text, text, text, text
	}
	return d
}

// Text of a pack or record is text in the workbook, whatever it begins with: no
// formula, and no number either.
func TestTextIsNoFormula(t *testing.T) {
	formulas := regexp.MustCompile(`^(Arithmetic!)?[A-Z]+[0-9]+([*/+][A-Z]+[0-9]+)*$`)
	for _, text := range hostileTexts() {
		f := written(t, hostileDocument(t, text))
		seen := 0
		for _, name := range f.GetSheetList() {
			rows, err := f.GetRows(name, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for r, row := range rows {
				for c, value := range row {
					cell, err := excelize.CoordinatesToCellName(c+1, r+1)
					if err != nil {
						t.Fatal(err)
					}
					formula, err := f.GetCellFormula(name, cell)
					if err != nil {
						t.Fatal(err)
					}
					if formula != "" && !formulas.MatchString(formula) {
						t.Errorf("%q: %s!%s has the formula %q", text, name, cell, formula)
					}
					if value != text {
						continue
					}
					seen++
					if kind, err := f.GetCellType(name, cell); err != nil || kind != excelize.CellTypeSharedString && kind != excelize.CellTypeInlineString {
						t.Errorf("%q: %s!%s is no text: %v %v", text, name, cell, kind, err)
					}
				}
			}
		}
		if seen < 20 {
			t.Errorf("%q stands in %d cells", text, seen)
		}
	}
}
