package sheet_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"benchline/render/internal/sheet"
	"benchline/render/pack"
)

// allSheets has LibreOffice write every sheet as CSV: comma, quotes, UTF-8, from the
// first line on, the values and not how they are shown.
const allSheets = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1"

// inOffice opens a workbook in LibreOffice, which computes it, and gives its sheets.
func inOffice(t *testing.T, book []byte) map[string][][]string {
	t.Helper()
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice (soffice) is not installed: nothing but excelize has opened the workbook")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "book.xlsx"), book, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, office, "-env:UserInstallation=file://"+filepath.ToSlash(filepath.Join(dir, "profile")),
		"--headless", "--convert-to", allSheets, "--outdir", dir, filepath.Join(dir, "book.xlsx"))
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, said)
	}
	sheets := map[string][][]string{}
	for _, name := range []string{sheet.Options, sheet.Verdicts, sheet.Arithmetic, sheet.Assumptions, sheet.Records} {
		r := csv.NewReader(bytes.NewReader(read(t, filepath.Join(dir, "book-"+name+".csv"))))
		r.FieldsPerRecord = -1
		if sheets[name], err = r.ReadAll(); err != nil {
			t.Fatalf("sheet %s: %v", name, err)
		}
	}
	return sheets
}

// Another program, which takes nothing of the workbook's values for granted, comes to
// the costs of the document; and with another price to costs that are as many times
// as much.
func TestOfficeComputesTheCosts(t *testing.T) {
	d := document(t)
	book, err := sheet.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	sheets := inOffice(t, book)
	row, price, of := priceRow(t, sheets[sheet.Arithmetic])
	of, _, _ = strings.Cut(of, ", ")
	for _, factor := range []float64{1, 1.75} {
		if factor != 1 {
			sheets = inOffice(t, repriced(t, book, "C"+strconv.Itoa(row), price*factor))
		}
		got := computedRows(t, sheets[sheet.Arithmetic])
		want := d.Computations()
		if len(got) != len(want) {
			t.Fatalf("got %d rows for %d computations", len(got), len(want))
		}
		for i, c := range want {
			x := c.Value
			if withPrice(c, of) {
				x *= factor
			}
			if !near(got[i].value, x) {
				t.Errorf("price × %v: %s of %s is %v, want %v", factor, c.Label, c.Of, got[i].value, x)
			}
		}
		costsOfOptions(t, sheets[sheet.Options], d, of, factor)
	}
}

// costsOfOptions are those of the first sheet, which refers to the arithmetic.
func costsOfOptions(t *testing.T, rows [][]string, d *pack.Document, of string, factor float64) {
	t.Helper()
	seen := 0
	for _, o := range d.Options {
		if o.Row == nil || o.Row.Cost.PerRequest == nil {
			continue
		}
		for _, r := range rows {
			if len(r) < 20 || r[0] != o.Name || r[1] != o.Title {
				continue
			}
			for i, c := range []*pack.Computation{o.Row.Cost.Interval, o.Row.Cost.PerRequest, o.Row.Cost.PerMillion} {
				want := c.Value
				if o.Name == of {
					want *= factor
				}
				x, err := strconv.ParseFloat(r[16+i], 64)
				if err != nil || !near(x, want) {
					t.Errorf("price × %v: %s of %s is %q, want %v", factor, c.Label, o.Name, r[16+i], want)
				}
				seen++
			}
		}
	}
	if seen < 3 {
		t.Errorf("got %d costs on the sheet of the options", seen)
	}
}

func repriced(t *testing.T, book []byte, cell string, price float64) []byte {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // nothing of it is on disk
	if err := f.SetCellFloat(sheet.Arithmetic, cell, price, -1, 64); err != nil {
		t.Fatal(err)
	}
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What looks like a formula is a text in another program too. All hostile texts go
// into one workbook, as assumptions.
func TestOfficeLeavesTextAlone(t *testing.T) {
	d := document(t)
	d.Assumptions = nil
	for _, text := range hostileTexts() {
		if strings.HasPrefix(text, "_x") {
			continue // this program shows the escape of it, which others take back
		}
		d.Assumptions = append(d.Assumptions, pack.Assumption{Text: text, Said: pack.Assumed, Source: "a" + text})
	}
	book, err := sheet.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	rows := inOffice(t, book)[sheet.Assumptions]
	if len(rows) != len(d.Assumptions)+1 {
		t.Fatalf("got %d rows, want a head and %d", len(rows), len(d.Assumptions))
	}
	for i, a := range d.Assumptions {
		// A cell of this program ends its lines with a line feed.
		got, want := strings.TrimLeft(rows[i+1][0], "\r\n"), strings.TrimLeft(a.Text, "\r\n")
		if got != want {
			t.Errorf("%q became %q", a.Text, rows[i+1][0])
		}
		if got, want := strings.NewReplacer("\r", "", "\n", "").Replace(rows[i+1][2]), strings.NewReplacer("\r", "", "\n", "").Replace(a.Source); got != want {
			t.Errorf("%q became %q", a.Source, rows[i+1][2])
		}
	}
}
