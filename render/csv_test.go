package render_test

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"benchline/render/report"
)

func checkCSV(t *testing.T, name, text string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for i, row := range rows {
		for _, cell := range row {
			if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				continue
			}
			if _, err := strconv.ParseFloat(cell, 64); err != nil {
				t.Errorf("%s:%d: %q would run as a formula", name, i+1, cell)
			}
		}
	}
}

// A safe cell gives back the text that it was made of.
func TestCSVTextReadsBack(t *testing.T) {
	for _, r := range fixtures(t) {
		if !strings.HasPrefix(r.Slug, "hostile") {
			continue
		}
		set, err := report.NewSet(fixtures(t))
		if err != nil {
			t.Fatal(err)
		}
		b, err := set.CSV(r.Slug)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		last := len(rows[0]) - 1
		for i, v := range r.Values {
			if got, want := report.CSVText(rows[i+1][last]), v.Rule; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}
