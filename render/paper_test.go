package render_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

const (
	paperRows    = 60
	paperColumns = 14
)

// wideTable is a page with a table of the size of case C37: each cell says where it
// stands.
func wideTable() *fstest.MapFile {
	var b strings.Builder
	b.WriteString("+++\ntitle = \"Paper\"\ndescription = \"A wide table.\"\n+++\n\n")
	line := func(cell func(i int) string) {
		for i := range paperColumns {
			b.WriteString("|" + cell(i))
		}
		b.WriteString("|\n")
	}
	line(func(i int) string { return fmt.Sprintf("head%02d of a column", i) })
	line(func(int) string { return "---" })
	for r := range paperRows {
		line(func(i int) string {
			if i == 1 {
				return fmt.Sprintf("org/model-with-a-long-name-%02d", r)
			}
			return fmt.Sprintf("r%02dc%02d", r, i)
		})
	}
	return &fstest.MapFile{Data: []byte(b.String())}
}

// printedWord is a word of a PDF page, in points from the left and the top.
type printedWord struct {
	text                string
	left, top, right, y float64
	page                int
	width               float64 // of the page
}

// printed prints the page that is open and reads the words back.
func printed(t *testing.T, toPDF func(p page.PrintToPDFParams) []byte, landscape bool) []printedWord {
	t.Helper()
	css, background := true, true
	p := page.PrintToPDFParams{Landscape: &landscape, PreferCSSPageSize: &css, PrintBackground: &background, PaperWidth: 210 / 25.4, PaperHeight: 297 / 25.4}
	file := filepath.Join(t.TempDir(), "page.pdf")
	if err := os.WriteFile(file, toPDF(p), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-bbox", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	var words []printedWord
	n, width := 0, 0.0
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	parts := regexp.MustCompile(`<page width="([0-9.]+)"|<word xMin="([0-9.-]+)" yMin="([0-9.-]+)" xMax="([0-9.-]+)" yMax="([0-9.-]+)">([^<]*)<`)
	for _, m := range parts.FindAllStringSubmatch(string(out), -1) {
		if m[1] != "" {
			n, width = n+1, number(m[1])
			continue
		}
		words = append(words, printedWord{m[6], number(m[2]), number(m[3]), number(m[4]), number(m[5]), n, width})
	}
	return words
}

// Case C37 on paper: of a wide table no column and no row is lost or cut off, the head
// stands on each page that has rows, and no row is on two.
func TestWideTableOnPaper(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skipf("%s needs pdftotext, which is not installed", t.Name())
	}
	ctx := browser(t)
	in := input(t, few(t))
	in.Content.(fstest.MapFS)["methodology/paper.md"] = wideTable()
	dir := t.TempDir()
	site(t, in, dir)
	do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, "methodology/paper.html")))
	toPDF := func(p page.PrintToPDFParams) []byte {
		x, err := chromedp.Run(ctx, chromedp.Action[page.PrintToPDFResult](func(ctx context.Context, target *chromedp.Target) (page.PrintToPDFResult, error) {
			return cdp.Call(ctx, target, page.PrintToPDF, p)
		}))
		if err != nil {
			t.Fatal(err)
		}
		return x.Data
	}
	for _, landscape := range []bool{false, true} {
		t.Run(fmt.Sprintf("landscape %t", landscape), func(t *testing.T) { checkPaper(t, printed(t, toPDF, landscape)) })
	}
}

func checkPaper(t *testing.T, words []printedWord) {
	t.Helper()
	rows, heads := map[string]map[int]int{}, map[int]int{}
	withRows := map[int]bool{}
	for _, w := range words {
		if w.left < 0 || w.right > w.width {
			t.Errorf("page %d: %q lies from %.0f to %.0f of %.0f", w.page, w.text, w.left, w.right, w.width)
		}
		switch {
		case strings.HasPrefix(w.text, "head"):
			heads[w.page]++
		case regexp.MustCompile(`^r[0-9]{2}c[0-9]{2}$`).MatchString(w.text):
			withRows[w.page] = true
			if rows[w.text[:3]] == nil {
				rows[w.text[:3]] = map[int]int{}
			}
			rows[w.text[:3]][w.page]++
		}
	}
	if len(rows) != paperRows {
		t.Errorf("%d rows are printed, want %d", len(rows), paperRows)
	}
	for row, on := range rows {
		if len(on) != 1 {
			t.Errorf("row %s is on %d pages", row, len(on))
		}
		for p, n := range on {
			if n != paperColumns-1 {
				t.Errorf("page %d: row %s has %d cells, want %d", p, row, n, paperColumns-1)
			}
		}
	}
	if len(withRows) < 2 {
		t.Errorf("the table is on %d pages", len(withRows))
	}
	for p := range withRows {
		if heads[p] != paperColumns {
			t.Errorf("page %d has %d heads, want %d", p, heads[p], paperColumns)
		}
	}
}
