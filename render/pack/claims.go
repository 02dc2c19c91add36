package pack

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// claims is the appendix: what vendors, reports and others say. It is quoted with
// what its source states beside it; nothing is computed from it, and nothing of it
// is divided by a number of accelerators.
func (b *builder) claims(d *Document, members []gathered) error {
	for i, g := range members {
		for _, r := range g.claims {
			c := Claim{Record: b.link(r), Option: b.p.Options[i].Name, Class: r.Class, Missing: strings.Join(unstated(r), ", ")}
			for _, v := range r.Values {
				f, err := b.in.Set.FigureOn(r.Slug, v.Metric, b.in.Root)
				if err != nil {
					return fmt.Errorf("quoting record %s: %w", r.Slug, err)
				}
				m, _ := measure.Lookup(v.Metric)
				c.Figures = append(c.Figures, Beside{Label: m.Label, Fig: f})
			}
			for _, f := range r.Facts {
				c.Facts = append(c.Facts, report.Fact{Label: f.Label, Value: text(f.Value)})
			}
			var sources []string
			for _, s := range r.Sources {
				if !slices.Contains(sources, s.Name) {
					sources = append(sources, s.Name)
				}
			}
			c.Source = strings.Join(sources, ", ")
			d.Claims = append(d.Claims, c)
		}
	}
	return nil
}

// unstated names what of the tuple a record does not state: batch or concurrency,
// lengths, precision. With any of it missing, a figure is an upper bound on a
// favourable configuration.
func unstated(r *evidence.Record) []string {
	var out []string
	need := func(ok bool, name string) {
		if !ok {
			out = append(out, name)
		}
	}
	_, closed := r.Load.Concurrency.Get()
	_, open := r.Load.Rate.Get()
	need(closed || open, "batch, concurrency or arrival rate")
	need(statedLength(r.Workload.InputTokensAsked, r.Workload.InputTokens), "input length")
	need(statedLength(r.Workload.OutputTokensAsked, r.Workload.OutputTokens), "output length")
	_, ok := r.Subject.Precision.Get()
	need(ok, "precision")
	return out
}

func statedLength(asked evidence.Known[int64], actual evidence.Known[evidence.Spread]) bool {
	_, a := asked.Get()
	_, b := actual.Get()
	return a || b
}
