package page

import (
	"fmt"

	"benchline/render/pack"
	"benchline/render/report"
)

// Block is prose that was rendered.
type Block struct {
	HTML     []byte
	Markdown string
}

// PackPage is what the page of a pack is made of.
type PackPage struct {
	Doc     *pack.Document
	Summary Block
	// Prose is the narrative of each option, in the order of the document.
	Prose     []PackProse
	Downloads []PackFile
	// Explained: the site has [PacksGuide].
	Explained bool
}

// PacksGuide is the authored page that explains packs.
const PacksGuide = "methodology/committee-packs"

// PackProse is the narrative of one option; what is empty is left out.
type PackProse struct{ Strengths, Weaknesses, Risks Block }

// PackFile is a file that a pack offers.
type PackFile struct{ Href, Text, What string }

// packView is what the template of a pack is given.
type packView struct {
	Doc         *pack.Document
	Summary     *int // slot; nil: none
	SummaryText string
	Options     []packOption
	Downloads   []PackFile
	Guide       string // the path of the page that explains packs; empty: there is none
}

type packOption struct {
	Option    pack.OptionSays
	Headlines []int // slots
	Texts     []string
	Prose     []packProse
}

type packProse struct {
	Head string
	Slot int
	Text string
}

// PackStem is the path of a pack's page, without its ending.
func PackStem(name string) string { return "packs/" + name }

// Pack makes the page of a pack.
func (r *Renderer) Pack(p PackPage) (Output, error) {
	d := p.Doc
	m := r.meta(PackStem(d.Name)+".html", PacksSection, d.Title, d.Decision)
	m.Crumbs = []report.Link{{Text: PacksSection, Href: "index.html"}, {Text: d.Title}}
	m.TOC = packContents(p)
	m.Styles = []string{"../assets/pack.css", d.Name + "/print.css"}
	v := packView{Doc: d, Downloads: p.Downloads}
	if p.Explained {
		v.Guide = m.Root + PacksGuide
	}
	var s slots
	if p.Summary.HTML != nil {
		i := s.add(p.Summary.HTML)
		v.Summary, v.SummaryText = &i, p.Summary.Markdown
	}
	for i, o := range d.Options {
		x, err := r.packOption(o, p.Prose[i], &s)
		if err != nil {
			return Output{}, fmt.Errorf("pack %s, option %s: %w", d.Name, o.Name, err)
		}
		v.Options = append(v.Options, x)
	}
	var charts []report.Chart
	if d.Curve != nil {
		charts = append(charts, d.Curve.Chart)
	}
	rules, err := r.judge(m, PackStem(d.Name), charts, d.Sheets()...)
	if err != nil {
		return Output{}, fmt.Errorf("pack %s: %w", d.Name, err)
	}
	views, err := draw(&s, charts, rules)
	if err != nil {
		return Output{}, fmt.Errorf("pack %s: %w", d.Name, err)
	}
	return r.render("pack", view{Meta: m, Data: v, Charts: views, Rules: rules}, &s)
}

func (r *Renderer) packOption(o pack.OptionSays, p PackProse, s *slots) (packOption, error) {
	x := packOption{Option: o}
	if o.Row != nil {
		for _, h := range o.Row.Headlines {
			html, md, err := r.headlineBlock(h)
			if err != nil {
				return x, err
			}
			x.Headlines, x.Texts = append(x.Headlines, s.add(html)), append(x.Texts, string(md))
		}
	}
	for _, b := range []struct {
		head  string
		block Block
	}{{"Strengths", p.Strengths}, {"Weaknesses", p.Weaknesses}, {"Risks", p.Risks}} {
		if b.block.HTML != nil {
			x.Prose = append(x.Prose, packProse{Head: b.head, Slot: s.add(b.block.HTML), Text: b.block.Markdown})
		}
	}
	return x, nil
}

func packContents(p PackPage) []report.Link {
	toc := []report.Link{{Text: "The options", Href: "#table"}, {Text: "What decides", Href: "#criteria"}, {Text: "Verdicts", Href: "#verdicts"},
		{Text: "Throughput against latency", Href: "#curve-of-options"}, {Text: "Cost", Href: "#cost"}}
	for _, o := range p.Doc.Options {
		toc = append(toc, report.Link{Text: "Option " + o.Name, Href: "#" + o.Key})
	}
	toc = append(toc, report.Link{Text: "Accuracy, apart", Href: "#accuracy"}, report.Link{Text: "Assumptions", Href: "#assumptions"}, report.Link{Text: "The arithmetic", Href: "#arithmetic"})
	if len(p.Doc.Claims) > 0 {
		toc = append(toc, report.Link{Text: "Claims", Href: "#claims"})
	}
	toc = append(toc, report.Link{Text: "Reservations", Href: "#said"}, report.Link{Text: "Records", Href: "#records"})
	return append(toc, report.Link{Text: "Signatures", Href: "#signatures"})
}

// PacksSection is the name of the site's section of packs.
const PacksSection = "Packs"

// PackEntry is a pack in the list.
type PackEntry struct{ Title, Date, Decision, Href string }

// Packs makes the list of packs.
func (r *Renderer) Packs(entries []PackEntry) (Output, error) {
	m := r.meta("packs/index.html", PacksSection, PacksSection, "Committee documents: options side by side at one set of conditions, with a verdict on each criterion.")
	return r.render("packs", view{Meta: m, Data: entries}, &slots{})
}
