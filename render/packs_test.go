package render_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"

	"benchline/render"
	"benchline/render/pack"
)

const packDir = "../testdata/packs"

// fixturePack is the pack over the fixtures. Its first criterion was frozen with
// another limit, so that it has an amendment.
func fixturePack(t testing.TB) render.PackSource {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(packDir, "ladder.toml"))
	if err != nil {
		t.Fatal(err)
	}
	stricter, err := pack.Parse("packs/ladder.toml", bytes.Replace(src, []byte(`"100ms"`), []byte(`"80ms"`), 1))
	if err != nil {
		t.Fatal(err)
	}
	frozen, _ := pack.Freeze(stricter, nil, time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC))
	return render.PackSource{File: "packs/ladder.toml", Source: src, Frozen: frozen.TOML()}
}

// isOneFile reports whether a page of the site is a pack as one file.
func isOneFile(name string) bool {
	return strings.HasPrefix(name, "packs/") && strings.Count(name, "/") == 2
}

// The site has the page of a pack, the page as one file, the spreadsheet, and the
// files that were read.
func TestPackFiles(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	for _, name := range []string{"packs/index.html", "packs/index.md", "packs/ladder.html", "packs/ladder.md", "packs/ladder/ladder.html", "packs/ladder/ladder.xlsx",
		"packs/ladder/ladder.toml", "packs/ladder/ladder.freeze.toml", "packs/ladder/print.css"} {
		if files[name] == "" {
			t.Errorf("the site has no %s", name)
		}
	}
	if !strings.Contains(files["index.html"], `href="packs/index.html"`) {
		t.Error("the front page does not lead to the packs")
	}
	if bare := input(t, few(t)); len(bare.Packs) > 0 {
		t.Error("a site of a few records has packs")
	}
}

// What a committee has to read stands on the page, in its Markdown twin and in the
// one file.
func TestPackPageSays(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	text := textOf(parsePage(t, files["packs/ladder.html"]))
	single := textOf(parsePage(t, files["packs/ladder/ladder.html"]))
	for _, want := range []string{
		"Which <b>option</b> shall it be?", "pack sha256 ", "interactive chat", "Time to first token",
		"at most 100ms", "5.0 %: passes up to 105.0 ms", "Amended since: 1 line of what was frozen is not as it was.", `criterion "first token" at_most`, "0.08 s", "0.1 s", "not frozen",
		"✓ pass", "– not compared", "not comparable: void:", "not compared: quantised, and no quality gate is declared", "not measured",
		"screened out: [click](javascript:alert(4))", "Cost of a successful request", "vendor-stated", "=1+2 <b>quote</b>",
		"Accuracy, apart", "61.2 %", "Ten minutes are no day.", "Holds shares.", "A. Member", "signature",
		"c = 8", "Appendix: claims", "Beyond capacity",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
		if !strings.Contains(single, want) {
			t.Errorf("the one file does not say %q", want)
		}
	}
	md := files["packs/ladder.md"]
	for _, want := range []string{"## Verdicts", "✓ pass", "Amended since", "## The arithmetic", "## Signatures", "not measured"} {
		if !strings.Contains(md, want) {
			t.Errorf("the Markdown twin does not say %q", want)
		}
	}
}

// Every figure of the page is in its table as the record has it, and every number
// that is computed leads to its terms.
func TestPackPageLeadsToItsTerms(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	for _, name := range []string{"packs/ladder.html", "packs/ladder/ladder.html"} {
		doc := parsePage(t, files[name])
		blocks, uses, figures := map[string]bool{}, map[string]bool{}, 0
		walkNodes(doc, func(n *html.Node) {
			switch {
			case hasClass(n, "computation"):
				blocks[attrText(n, "data-computation")] = true
			case hasClass(n, "computed"):
				uses[attrText(n, "data-computation")] = true
			case n.Data == "data" && hasClass(n, "figure"):
				figures++
			}
		})
		if len(blocks) < 8 || figures < 20 {
			t.Errorf("%s: got %d computations and %d figures", name, len(blocks), figures)
		}
		for id := range uses {
			if !blocks[id] {
				t.Errorf("%s: %s is shown and not computed", name, id)
			}
		}
	}
}

// The one file asks for nothing: no script, no style sheet, no picture, no frame;
// its own styles are allowed by their hash and by nothing else.
func TestOneFileAsksForNothing(t *testing.T) {
	page := buildFixtures(t, fixtures(t))["packs/ladder/ladder.html"]
	styles := 0
	walkNodes(parsePage(t, page), func(n *html.Node) {
		switch n.Data {
		case "script", "img", "iframe", "object", "link":
			if attrText(n, "href") != "data:," && attrText(n, "rel") != "canonical" {
				t.Errorf("there is an element %s", n.Data)
			}
		case "style":
			styles++
			if strings.Contains(textOfStyle(n), "@import") || strings.Contains(textOfStyle(n), "url(http") {
				t.Error("the styles ask for something")
			}
		case "meta":
			if attrText(n, "http-equiv") == "Content-Security-Policy" && !regexp.MustCompile(`^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data:;`).MatchString(attrText(n, "content")) {
				t.Errorf("got the policy %q", attrText(n, "content"))
			}
		case "a":
			if h := attrText(n, "href"); !strings.HasPrefix(h, "#") && !strings.HasPrefix(h, "https://bench.example/") {
				t.Errorf("a link leads to %q", h)
			}
		}
	})
	if styles != 1 {
		t.Errorf("got %d style elements, want 1", styles)
	}
	for _, want := range []string{"@bottom-left", "table-header-group", "counter(pages)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the one file lacks %q for paper", want)
		}
	}
}

func textOfStyle(n *html.Node) string {
	if n.FirstChild == nil {
		return ""
	}
	return n.FirstChild.Data
}

// Without an address, links of the one file lead to the files beside it.
func TestOneFileWithoutAddress(t *testing.T) {
	in := input(t, fixtures(t))
	in.Config.Base = ""
	out := t.TempDir()
	site(t, in, out)
	page := tree(t, out)["packs/ladder/ladder.html"]
	if !strings.Contains(page, `href="../../records/ladder-20261129t172300z-i128-o32-c8-r1.html`) {
		t.Error("no link leads to the record beside it")
	}
}

// The spreadsheet computes what the page shows, another price gives another cost,
// and no text of a record or pack is a formula.
func TestPackSpreadsheet(t *testing.T) {
	files := buildFixtures(t, fixtures(t))
	book, err := excelize.OpenReader(strings.NewReader(files["packs/ladder/ladder.xlsx"]))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close() //nolint:errcheck // only read from
	formulas := 0
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for r, row := range rows {
			for c := range row {
				cell, _ := excelize.CoordinatesToCellName(c+1, r+1)
				f, err := book.GetCellFormula(sheet, cell)
				if err != nil {
					t.Fatal(err)
				}
				if f == "" {
					continue
				}
				formulas++
				if !regexp.MustCompile(`^[A-Za-z0-9*/+!]+$`).MatchString(f) {
					t.Errorf("%s!%s has the formula %q", sheet, cell, f)
				}
			}
		}
	}
	if formulas < 8 {
		t.Errorf("got %d formulas", formulas)
	}
	all := strings.Join(slices.Concat(mustRows(t, book)...), "\n")
	for _, want := range []string{`=HYPERLINK("http://x.invalid")`, "@SUM(A1)", "=1+2 <b>quote</b>", "-2+3 requests double"} {
		if !strings.Contains(all, want) {
			t.Errorf("the spreadsheet does not say %q as text", want)
		}
	}
}

func mustRows(t *testing.T, book *excelize.File) [][]string {
	t.Helper()
	var all [][]string
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// The table of options and the curve are held against the rules for figures: what
// differs between rows and is not said stands below the table. Points of the curve are
// named by their option.
func TestPackFiguresAreHeldAgainstTheRules(t *testing.T) {
	in := input(t, fixtures(t))
	page := buildFixtures(t, fixtures(t))["packs/ladder.html"]
	if strings.Contains(page, "Profile differs within one column") {
		t.Error("a rule finds what the page says")
	}
	for _, want := range []string{">A, c = 8<", "; A, c = 8; "} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	in.Packs[0].Source = bytes.Replace(in.Packs[0].Source, []byte("quantised = true\nrecords   = [\"overload"), []byte("quantised = false\nrecords   = [\"overload"), 1)
	in.Packs[0].Source = bytes.Replace(in.Packs[0].Source, []byte("concurrency      = 8"), []byte("concurrency      = 4"), 1)
	out := t.TempDir()
	site(t, in, out)
	if page := tree(t, out)["packs/ladder.html"]; !strings.Contains(page, "Rule L7") || !strings.Contains(page, "differs within one column or series") {
		t.Error("no rule speaks of rows that differ in what nothing names")
	}
}

// A pack that is at fault stops the build, with the file and the line.
func TestPackFaultsStopTheBuild(t *testing.T) {
	in := input(t, fixtures(t))
	for _, c := range []struct{ old, new, want string }{
		{`concurrency      = 8`, `concurrent = 8`, "packs/ladder.toml:22: conditions.concurrent: unknown key"},
		{`families  = ["ladder"]`, `families = ["gone"]`, `packs/ladder.toml:54: option "A": there is no family "gone"`},
		{`strengths = "It has`, `strengths = "It makes 900 tokens/s and has`, "packs/ladder.toml:55: "},
		{`strengths = "It has`, `strengths = "<b>raw</b> It has`, "raw HTML is not allowed"},
		{"strengths = \"It has", "strengths = \"# Head\\n\\nIt has", `heading "Head" in a narrative`},
		{"strengths = \"It has", "strengths = \"A note[^1].\\n\\n[^1]: here. It has", "a footnote in a narrative"},
	} {
		src := fixturePack(t)
		src.Source = bytes.Replace(src.Source, []byte(c.old), []byte(c.new), 1)
		_, _, err := render.BuildPack(in, src)
		if _, ok := errors.AsType[render.Faults](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got\n%v\nwant %q", c.new, err, c.want)
		}
	}
}

// A reference of a narrative that finds nothing is a fault of the pack.
func TestPackReferences(t *testing.T) {
	in := input(t, fixtures(t))
	in.Packs[0].Source = bytes.Replace(in.Packs[0].Source, []byte("{{ev ladder-20261129t172300z-i128-o32-c8-r1"), []byte("{{ev gone"), 1)
	ds, err := render.Check(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if len(ds) != 1 || ds[0].File != "packs/ladder.toml" || ds[0].Line != 8 || !strings.Contains(ds[0].Msg, `there is no record "gone"`) {
		t.Errorf("got %v", ds)
	}
}

// A file of what was frozen that was edited stops the build.
func TestEditedFreezeStopsTheBuild(t *testing.T) {
	in := input(t, fixtures(t))
	in.Packs[0].Frozen = bytes.ReplaceAll(in.Packs[0].Frozen, []byte("0.08 s"), []byte("0.1 s"))
	if _, _, err := render.BuildPack(in, in.Packs[0]); err == nil || !strings.Contains(err.Error(), "packs/ladder.freeze.toml:7: frozen 1.sha256: is not that of the lines") {
		t.Errorf("got %v", err)
	}
}

// A pack's own site has the records on which it rests and no others; the document
// is the same, and so is its hash.
func TestPackAlone(t *testing.T) {
	in := input(t, fixtures(t))
	whole := buildFixtures(t, fixtures(t))
	doc, slugs, err := render.BuildPack(in, in.Packs[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(slugs) != 25+1+1+1+1+1 {
		t.Errorf("got %d records: %v", len(slugs), slugs)
	}
	in.Only = slugs
	in.Attachments = []render.Attachment{{Path: render.PackFile(doc.Name, "pdf"), Body: []byte("%PDF-1.7 invented")}}
	files := siteFiles(t, fixtures(t))
	files["errata.toml"] = &fstest.MapFile{Data: []byte("[[erratum]]\nslug = \"" + slugs[0] + "\"\ndate = 2026-12-01\ntext = \"A word.\"\n" +
		"[[erratum]]\nslug = \"void-20261129t172300z-i128-o32-c4-r1\"\ndate = 2026-12-01\ntext = \"Another.\"\n")}
	in.Files = files
	out := t.TempDir()
	site(t, in, out)
	built := tree(t, out)
	if got := built["packs/ladder/ladder.pdf"]; got != "%PDF-1.7 invented" {
		t.Errorf("got the PDF %q", got)
	}
	if !strings.Contains(built["SHA256SUMS"], "packs/ladder/ladder.pdf") || !strings.Contains(built["packs/ladder.html"], `href="ladder/ladder.pdf"`) {
		t.Error("the PDF has no checksum or no link")
	}
	if strings.Contains(whole["packs/ladder.html"], "ladder.pdf") {
		t.Error("the page of a site without a PDF leads to one")
	}
	for name := range built {
		slug, ok := strings.CutSuffix(strings.TrimPrefix(name, "records/"), ".html")
		if strings.HasPrefix(name, "records/") && ok && slug != "index" && !slices.Contains(slugs, slug) {
			t.Errorf("there is a page of %s", slug)
		}
	}
	if !strings.Contains(built["packs/ladder/ladder.html"], doc.Hash) || !strings.Contains(whole["packs/ladder/ladder.html"], doc.Hash) {
		t.Error("the hash of the pack alone is another")
	}
}
