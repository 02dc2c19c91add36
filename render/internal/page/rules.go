package page

import (
	"benchline/render/internal/figurelint"
	"benchline/render/report"
)

// RulesPage is the authored page that explains the rules for charts and tables.
const RulesPage = "methodology/chart-rules"

// ruleNote is what a rule says beside a chart or table.
type ruleNote struct {
	Rule, Words string
	Href        string // the rule's explanation; empty where the site has none
}

// judge holds the charts and tables of a page against the rules. What stops a
// build is the error; the notes are by the IDs of charts and tables.
func (r *Renderer) judge(m Meta, page string, charts []report.Chart, sheets ...report.Sheet) (map[string][]ruleNote, error) {
	views := make([]figurelint.View, 0, len(charts)+len(sheets))
	for _, c := range charts {
		views = append(views, figurelint.OfChart(c))
	}
	for _, s := range sheets {
		views = append(views, figurelint.OfSheet(s))
	}
	out := map[string][]ruleNote{}
	var faults figurelint.Faults
	for _, v := range views {
		notes, found := figurelint.Check(page, v, r.site.Aside)
		faults = append(faults, found...)
		for _, n := range notes {
			note := ruleNote{Rule: n.Rule, Words: n.Words}
			if r.site.Rules {
				note.Href = m.Root + RulesPage + ".html#" + n.Anchor
			}
			out[v.ID] = append(out[v.ID], note)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return out, nil
}
