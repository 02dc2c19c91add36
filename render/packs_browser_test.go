package render_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The one file of a pack, far from everything else, asks for nothing but itself, no
// policy is broken, and it does not scroll sideways.
func TestOneFileInBrowser(t *testing.T) {
	ctx := browser(t)
	name := oneFile(t)
	w := &watch{}
	do(t, ctx, call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}))
	if err := chromedp.Listen(ctx, w.see); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{360, 500, 1440} {
		do(t, ctx, chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+name))
		checkWidth(t, ctx, "the one file", width)
		problems, requests := w.take()
		if len(problems) > 0 || len(requests) != 1 {
			t.Errorf("at %d px: problems %q, requests %q", width, problems, requests)
		}
	}
}

// oneFile is the one file of the pack of the fixtures, alone in a folder.
func oneFile(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "ladder.html")
	if err := os.WriteFile(name, []byte(buildFixtures(t, fixtures(t))["packs/ladder/ladder.html"]), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// On paper each page has the pack's hash and its number, the document is tagged, and no
// head of a table stands at the foot of a page without a row.
func TestPackOnPaper(t *testing.T) {
	ctx := browser(t)
	for _, tool := range []string{"pdfinfo", "pdftotext"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s needs %s, which is not installed", t.Name(), tool)
		}
	}
	do(t, ctx, chromedp.Navigate("file://"+oneFile(t)))
	for size, inches := range map[string][2]float64{"A4": {8.27, 11.69}, "Letter": {8.5, 11}} {
		t.Run(size, func(t *testing.T) {
			name := packOnPaper(t, ctx, inches)
			info := tool(t, "pdfinfo", name)
			if !regexp.MustCompile(`Tagged: +yes`).MatchString(info) {
				t.Errorf("the PDF is not tagged:\n%s", info)
			}
			for _, w := range regexp.MustCompile(`xMax="([0-9.]+)" yMax="[0-9.]+">([^<]*)<`).FindAllStringSubmatch(tool(t, "pdftotext", "-bbox", name, "-"), -1) {
				if right, err := strconv.ParseFloat(w[1], 64); err != nil || right > inches[0]*72 {
					t.Errorf("%q reaches to %s points, the paper has %.0f", w[2], w[1], inches[0]*72)
				}
			}
			m := regexp.MustCompile(`Pages: +(\d+)`).FindStringSubmatch(info)
			pages := strings.Split(strings.TrimSuffix(tool(t, "pdftotext", "-layout", name, "-"), "\f"), "\f")
			if m == nil || strconv.Itoa(len(pages)) != m[1] || len(pages) < 5 {
				t.Fatalf("got the text of %d pages:\n%s", len(pages), info)
			}
			for i, text := range pages {
				lines := strings.Split(strings.TrimSpace(text), "\n")
				foot := regexp.MustCompile(`^\s*pack sha256 [0-9a-f]{64}\s+` + strconv.Itoa(i+1) + ` ?/ ?` + m[1] + `\s*$`)
				if !foot.MatchString(lines[len(lines)-1]) {
					t.Errorf("page %d ends with %q", i+1, lines[len(lines)-1])
				}
				for k := len(lines) - 2; k >= 0; k-- {
					if last := strings.Fields(lines[k]); len(last) > 0 {
						if strings.Join(last, " ") == "criterion verdict figure why requests of them open" {
							t.Errorf("page %d ends with the head of a table", i+1)
						}
						break
					}
				}
			}
		})
	}
}

// packOnPaper is the page as a PDF on paper of a size.
func packOnPaper(t *testing.T, ctx context.Context, inches [2]float64) string {
	t.Helper()
	yes, name := true, filepath.Join(t.TempDir(), "pack.pdf")
	do(t, ctx, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		got, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: inches[0], PaperHeight: inches[1], GenerateTaggedPDF: &yes})
		if err != nil {
			return chromedp.Void{}, err
		}
		return chromedp.Void{}, os.WriteFile(name, got.Data, 0o600)
	})
	return name
}

func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	var errs bytes.Buffer
	c := exec.CommandContext(t.Context(), name, args...)
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, errs.String())
	}
	return string(out)
}
