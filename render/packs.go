package render

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/tomlfile"
	"benchline/render/internal/page"
	"benchline/render/internal/prose"
	"benchline/render/internal/sheet"
	"benchline/render/pack"
	"benchline/render/report"
)

// PacksFolder is the folder of a site in which packs stand.
const PacksFolder = "packs"

// PackSource is a pack file with what was frozen of it, as they were read.
type PackSource struct {
	File   string // for people: "packs/chat.toml"
	Source []byte
	Frozen []byte // the file of what was frozen; nil: there is none
}

// LoadPacks reads the pack files of a site folder, in the order of their names.
func LoadPacks(files fs.FS) ([]PackSource, error) {
	names, err := fs.Glob(files, PacksFolder+"/*"+pack.Ext)
	if err != nil {
		return nil, fmt.Errorf("listing the packs: %w", err)
	}
	var out []PackSource
	for _, name := range names {
		if strings.HasSuffix(name, pack.FreezeExt) {
			continue
		}
		s, err := LoadPack(files, name)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// LoadPack reads one pack file and the file of what was frozen beside it.
func LoadPack(files fs.FS, name string) (PackSource, error) {
	s := PackSource{File: name}
	var err error
	if s.Source, err = fs.ReadFile(files, name); err != nil {
		return s, fmt.Errorf("reading the pack: %w", err)
	}
	s.Frozen, err = fs.ReadFile(files, pack.FreezeFile(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("reading what was frozen of the pack: %w", err)
	}
	return s, nil
}

// PackFile is a file of a pack's folder in the built site: "html", "xlsx" or
// "pdf".
func PackFile(name, ext string) string { return page.PackStem(name) + "/" + name + "." + ext }

// readPack is a pack that was read.
type readPack struct {
	src    PackSource
	pack   pack.Pack
	frozen pack.Frozen
}

// readPacks reads the packs of the input. What is wrong with one is noted, and it
// is left out.
func (p *planner) readPacks() []readPack {
	var out []readPack
	for _, src := range p.in.Packs {
		x, err := pack.Parse(src.File, src.Source)
		if err != nil {
			p.notes = append(p.notes, packFaults(src.File, err)...)
			continue
		}
		r := readPack{src: src, pack: x}
		if src.Frozen != nil {
			name := pack.FreezeFile(src.File)
			if r.frozen, err = pack.ParseFrozen(name, src.Frozen); err != nil {
				p.notes = append(p.notes, packFaults(name, err)...)
				continue
			}
		}
		p.notes = append(p.notes, p.lintPack(x)...)
		out = append(out, r)
	}
	return out
}

// packFaults are the faults of a file as diagnostics.
func packFaults(file string, err error) []Diagnostic {
	fs, ok := errors.AsType[tomlfile.Faults](err)
	if !ok {
		return []Diagnostic{{File: file, Msg: err.Error()}}
	}
	var out []Diagnostic
	for _, f := range fs {
		msg := f.Msg
		if f.Key != "" {
			msg = f.Key + ": " + msg
		}
		out = append(out, Diagnostic{File: f.File, Line: f.Line, Msg: msg, Hint: f.Hint})
	}
	return out
}

// lintPack looks at the narrative as at an authored page. Headings and footnotes
// would clash with those of the page that it stands on.
func (p *planner) lintPack(x pack.Pack) []Diagnostic {
	var out []Diagnostic
	for _, text := range narratives(x) {
		doc, found := packProse(x, text)
		found = append(found, doc.Lint(p.set)...)
		for _, h := range doc.Headings() {
			found = append(found, prose.Diagnostic{File: x.File, Line: text.Line, Msg: fmt.Sprintf("heading %q in a narrative", h.Text), Hint: "the page has its own headings; write a paragraph"})
		}
		if strings.Contains(text.Markdown, "[^") {
			found = append(found, prose.Diagnostic{File: x.File, Line: text.Line, Msg: "a footnote in a narrative", Hint: "write it as a sentence"})
		}
		out = append(out, packDiagnostics(found)...)
	}
	return out
}

// packDiagnostics are those of a narrative. A column of it is none of the file.
func packDiagnostics(found []prose.Diagnostic) []Diagnostic {
	out := diagnostics(found)
	for i := range out {
		out[i].Col = 0
	}
	return out
}

func narratives(x pack.Pack) []pack.Prose {
	texts := []pack.Prose{x.Summary}
	for _, o := range x.Options {
		texts = append(texts, o.Strengths, o.Weaknesses, o.Risks)
	}
	return slices.DeleteFunc(texts, func(t pack.Prose) bool { return t.Markdown == "" })
}

// packProse parses a narrative. Empty lines before it give its lines the numbers
// that they have in the pack file.
func packProse(x pack.Pack, text pack.Prose) (prose.Doc, []prose.Diagnostic) {
	lines := strings.Split(string(x.Source), "\n")
	before := text.Line - 1
	if before < len(lines) {
		if opened := strings.TrimSpace(lines[before]); strings.HasSuffix(opened, `"""`) || strings.HasSuffix(opened, `'''`) {
			before++
		}
	}
	return prose.Parse(x.File, []byte(strings.Repeat("\n", before)+text.Markdown))
}

// packs adds the pages of packs, and the files that go with each.
func (p *planner) packs(read []readPack) {
	if len(p.in.Packs) == 0 {
		return
	}
	var entries []page.PackEntry
	parts := []string{"packs", p.common}
	for _, r := range read {
		e := page.PackEntry{Title: r.pack.Title, Date: r.pack.Date, Decision: r.pack.Decision, Href: r.pack.Name + ".html"}
		entries = append(entries, e)
		parts = append(parts, e.Title, e.Date, e.Decision, e.Href)
		k := key("pack", p.common, p.all, r.src.File, string(r.src.Source), string(r.src.Frozen), p.styles(), string(p.in.Paper), attachmentKey(p.in.Attachments, r.pack.Name), fmt.Sprint(p.explains(page.PacksGuide)))
		p.add(page.PackStem(r.pack.Name), k, func() ([]file, error) { return p.pack(r) })
	}
	p.page("packs/index", key(parts...), func() (page.Output, error) { return p.pages.Packs(entries) })
	for _, a := range p.in.Attachments {
		p.add(a.Path, key("attachment", a.Path, string(a.Body)), func() ([]file, error) { return []file{{path: a.Path, body: a.Body}}, nil })
	}
}

// Attachment is a file that is not made here but belongs to the site: the PDF of
// a pack.
type Attachment struct {
	Path string // in the site, with slashes
	Body []byte
}

func attachmentKey(all []Attachment, name string) string {
	return fmt.Sprint(slices.ContainsFunc(all, func(a Attachment) bool { return a.Path == PackFile(name, "pdf") }))
}

// styles are the style sheets that a page which is one file has in it.
func (p *planner) styles() string {
	if p.in.Assets == nil {
		return ""
	}
	var all strings.Builder
	for _, name := range []string{"style.css", "pack.css"} {
		b, err := fs.ReadFile(p.in.Assets, name)
		if err == nil {
			all.Write(b)
		}
	}
	return all.String()
}

// pack makes the page of a pack with its Markdown twin, the page as one file, the
// spreadsheet, and the files that were read.
func (p *planner) pack(r readPack) ([]file, error) {
	d, err := pack.Build(pack.Input{Pack: r.pack, Frozen: r.frozen, Set: p.set, Root: "../"})
	if err != nil {
		return nil, Faults(packFaults(r.src.File, err))
	}
	x, err := p.packPage(r, d)
	if err != nil {
		return nil, err
	}
	o, err := p.pages.Pack(x)
	if err != nil {
		return nil, err
	}
	paper := packPrint(d.Hash, d.Simulated > 0, p.in.Paper)
	single, err := singleFile(o.HTML, singleOptions{Styles: p.styles() + paper, Base: p.in.Config.Base, At: page.PackStem(d.Name) + ".html", Below: 1})
	if err != nil {
		return nil, fmt.Errorf("making the pack one file: %w", err)
	}
	book, err := sheet.Write(d)
	if err != nil {
		return nil, fmt.Errorf("making the spreadsheet: %w", err)
	}
	folder := page.PackStem(d.Name) + "/"
	files := append(pageFiles(page.PackStem(d.Name), o),
		file{path: PackFile(d.Name, "html"), body: single}, file{path: PackFile(d.Name, "xlsx"), body: book},
		file{path: folder + "print.css", body: []byte(paper)}, file{path: folder + path.Base(r.src.File), body: r.src.Source})
	if r.src.Frozen != nil {
		files = append(files, file{path: folder + path.Base(pack.FreezeFile(r.src.File)), body: r.src.Frozen})
	}
	return files, nil
}

// packPage gathers what the page shows besides the document.
func (p *planner) packPage(r readPack, d *pack.Document) (page.PackPage, error) {
	x := page.PackPage{Doc: d, Explained: p.explains(page.PacksGuide)}
	var faults Faults
	block := func(text pack.Prose) page.Block {
		if text.Markdown == "" {
			return page.Block{}
		}
		doc, _ := packProse(r.pack, text)
		figures := once(p.pages.Plain(p.set, page.PackStem(d.Name)))
		html, found := doc.HTML(figures)
		faults = append(faults, packDiagnostics(found)...)
		md, _ := doc.Markdown(figures)
		return page.Block{HTML: html, Markdown: strings.TrimSpace(string(md))}
	}
	x.Summary = block(d.Summary)
	for _, o := range d.Options {
		x.Prose = append(x.Prose, page.PackProse{Strengths: block(o.Strengths), Weaknesses: block(o.Weaknesses), Risks: block(o.Risks)})
	}
	if len(faults) > 0 {
		return x, faults
	}
	folder := d.Name + "/"
	x.Downloads = []page.PackFile{
		{Href: folder + d.Name + ".html", Text: "one file", What: "the whole page in one file, to mail and to print"},
		{Href: folder + d.Name + ".xlsx", Text: "spreadsheet", What: "the numbers, with formulas that compute the costs from the prices"},
		{Href: folder + path.Base(r.src.File), Text: "pack file", What: "what this page was made from"},
	}
	if r.src.Frozen != nil {
		x.Downloads = append(x.Downloads, page.PackFile{Href: folder + path.Base(pack.FreezeFile(r.src.File)), Text: "what was frozen", What: "shape, conditions and criteria with their hash and time"})
	}
	if attachmentKey(p.in.Attachments, d.Name) == "true" {
		x.Downloads = append(x.Downloads, page.PackFile{Href: folder + d.Name + ".pdf", Text: "PDF", What: "to sign"})
	}
	return x, nil
}

// packPrint is the style of a pack's pages on paper: its hash at the foot of each,
// where some of its figures come from at the head of each, and the size where one
// is asked for. The hash is hexadecimal digits.
func packPrint(hash string, simulated bool, paper Paper) string {
	more := ""
	if paper != AnyPaper {
		more = "size: " + string(paper) + "; "
	}
	if simulated {
		more += "@top-right { content: \"simulated endpoint: figures of no real system\"; font: 600 7pt sans-serif; } "
	}
	return fmt.Sprintf("@media print { @page { %s@bottom-left { content: \"pack sha256 %s\"; font: 7pt monospace; } } }\n", more, hash)
}

// Paper is the size of the pages on which packs are printed.
type Paper string

// The sizes. On any paper, a page is as large as the one that prints it says.
const (
	AnyPaper Paper = ""
	A4       Paper = "A4"
	Letter   Paper = "letter"
)

// only leaves the records of the input that it asks for, and what is said of them.
func (p *planner) only(in *Input) []evidence.Record {
	asked := func(slug string) bool { return slices.Contains(in.Only, slug) }
	in.Records = slices.DeleteFunc(slices.Clone(in.Records), func(r evidence.Record) bool { return !asked(r.Slug) })
	p.notices.withdrawn = nil
	p.notices.errata = slices.DeleteFunc(p.notices.errata, func(e erratum) bool { return !asked(e.Slug) })
	return in.Records
}

// BuildPack holds one pack against the records of a site, as the site's page of it
// does. Records are the slugs of all that its document rests on: those that it
// names, and the runs of those that are summaries. The error is [Faults] where the
// pack or the site is at fault.
func BuildPack(in Input, src PackSource) (doc *pack.Document, records []string, err error) {
	p := &planner{in: in}
	p.notices, p.notes = loadNotices(in.Files)
	left, found := p.notices.against(in.Records)
	p.notes = append(p.notes, found...)
	if p.set, err = report.NewSet(left, p.notices.gone()...); err != nil {
		return nil, nil, Faults{{File: "evidence", Msg: err.Error()}}
	}
	p.in.Packs = []PackSource{src}
	read := p.readPacks()
	if faults := stopping(p.notes); len(faults) > 0 {
		return nil, nil, faults
	}
	doc, err = pack.Build(pack.Input{Pack: read[0].pack, Frozen: read[0].frozen, Set: p.set, Root: "../"})
	if err != nil {
		return nil, nil, Faults(packFaults(src.File, err))
	}
	ids := map[string]bool{}
	for _, u := range doc.Records {
		ids[u.ID] = true
	}
	slugs := map[string]bool{}
	for _, r := range left {
		if !ids[r.ID.String()] {
			continue
		}
		slugs[r.Slug] = true
		for _, m := range r.Members {
			slugs[m.Slug] = true
		}
	}
	return doc, sortedKeys(slugs), nil
}
