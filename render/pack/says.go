package pack

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

func shapeSays(s Shape) ShapeSays {
	out := ShapeSays{Kind: s.Kind, Why: s.Why}
	for _, id := range s.Governing {
		m, _ := measure.Lookup(id)
		out.Governing = append(out.Governing, m.Label)
	}
	return out
}

func conditionsSay(c Conditions) []Line {
	var out []Line
	add := func(label, text string) {
		if text != "" {
			out = append(out, Line{label, text})
		}
	}
	tokens := func(n int64) string {
		if n == 0 {
			return ""
		}
		return measure.FormatCount(n) + " tokens"
	}
	add("Input", tokens(c.InputTokens))
	add("Output", tokens(c.OutputTokens))
	if c.InputTokens+c.OutputTokens > 0 {
		add("Tolerance of lengths", "the middle actual length within "+measure.FormatShare(c.LengthTolerance))
	}
	if c.Mix != "" {
		add("Mix of lengths", c.Mix+"; workload hash "+c.WorkloadHash)
	}
	if c.Open() {
		add("Load", fmt.Sprintf("open loop, %s requests a second, %s arrivals, on one replica", number(c.RatePerSec), c.Arrivals))
	} else {
		add("Load", "closed loop, "+measure.FormatCount(c.Concurrency)+" requests outstanding on one replica")
	}
	cache := c.Cache.String()
	if c.Cache == measure.CacheShared {
		cache += " of " + measure.FormatShare(c.CacheShare)
	}
	add("Cache", cache)
	precision := strings.Join(c.Precision, " or ")
	if precision == "" {
		precision = "any; each option states its own"
	}
	add("Precision", precision)
	add("Region", cmp.Or(c.Region, "not asked for"))
	switch {
	case c.From != "" && c.To != "":
		add("Measured", "from "+c.From+" to "+c.To)
	case c.From != "":
		add("Measured", "from "+c.From+" on")
	case c.To != "":
		add("Measured", "until "+c.To)
	}
	if c.TTFTObjective > 0 {
		add("Objective of goodput, first token", measure.FormatSeconds(c.TTFTObjective))
	}
	if c.E2EObjective > 0 {
		add("Objective of goodput, whole request", measure.FormatSeconds(c.E2EObjective))
	}
	return out
}

func criterionSays(c Criterion) CriterionSays {
	side := "at most "
	if c.AtLeast {
		side = "at least "
	}
	s := CriterionSays{Name: c.Name, Metric: c.Metric, Limit: side + c.Written, Tolerance: "none", Date: c.Date, Why: c.Why,
		Label: "Share of requests that ended without an answer",
		Definition: "Requests that failed, were rejected, timed out or were cancelled, divided by all that were sent in the measured phase. " +
			"Unresolved ones count in the upper bound."}
	bound := measure.FormatShare(c.Bound())
	if m, ok := measure.Lookup(c.Metric); ok {
		s.Label, s.Definition = m.Label, m.Definition
		bound = measure.Scale(c.Metric, c.Bound()).TextUnit(c.Bound())
	}
	if c.Tolerance > 0 {
		s.Tolerance = fmt.Sprintf("%s: passes up to %s", measure.FormatShare(c.Tolerance), bound)
		if c.AtLeast {
			s.Tolerance = fmt.Sprintf("%s: passes down to %s", measure.FormatShare(c.Tolerance), bound)
		}
	}
	return s
}

// freezeSays puts what was frozen beside what there is now, and beside the times
// of the runs.
func freezeSays(p Pack, f Frozen, parts []optionParts) FreezeSays {
	now := p.Lines()
	s := FreezeSays{Now: hashLines(now)}
	if len(f) == 0 {
		s.Hot = true
		s.Says = []string{"The criteria were never frozen: nothing shows that they came before the results."}
		return s
	}
	first := f[0]
	s.At, s.Hash, s.Amendments = first.At.Format("2006-01-02 15:04:05 UTC"), first.Hash, amendments(f, now)
	for _, x := range f[1:] {
		s.Later = append(s.Later, x.At.Format("2006-01-02 15:04:05 UTC"))
	}
	s.Says = []string{fmt.Sprintf("Shape, conditions and criteria were frozen on %s.", s.At)}
	if n := len(s.Amendments); n > 0 {
		s.Hot = true
		s.Says = append(s.Says, fmt.Sprintf("Amended since: %s of what was frozen %s not as it was.", measure.Counted(n, "line"), isAre(n)))
	} else {
		s.Says = append(s.Says, "They are as they were.")
	}
	before, known, of := startedBefore(parts, first.At)
	switch {
	case before > 0:
		s.Hot = true
		s.Says = append(s.Says, fmt.Sprintf("%d of %d runs began before the criteria were frozen.", before, of))
	case known > 0:
		s.Says = append(s.Says, fmt.Sprintf("Every run of which the time is known (%d of %d) began after that.", known, of))
	}
	if first.Records > 0 {
		s.Hot = true
		s.Says = append(s.Says, fmt.Sprintf("The options named %s when they were frozen.", measure.Counted(first.Records, "record or family", "records or families")))
	}
	return s
}

// startedBefore counts the runs of all points, those of which the time is known, and
// those that began before a moment.
func startedBefore(parts []optionParts, at time.Time) (before, known, of int) {
	for _, x := range parts {
		for _, pt := range x.points {
			for _, r := range pt.runs {
				of++
				text, _ := r.Subject.Started.Get()
				started, err := time.Parse(time.RFC3339, text)
				if err != nil {
					continue
				}
				known++
				if started.Before(at) {
					before++
				}
			}
		}
	}
	return before, known, of
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// priceAssumptions are the lines of the register that prices make.
func priceAssumptions(p Pack) []Assumption {
	var out []Assumption
	priced := false
	for _, o := range p.Options {
		if o.Price == nil {
			continue
		}
		priced = true
		x := o.Price
		out = append(out,
			Assumption{Text: fmt.Sprintf("%s: a GPU-hour costs %s %s", o.Name, digits(x.PerGPUHour, 6), x.Currency), Said: x.Said, Source: x.Source, Date: x.Date},
			Assumption{Text: fmt.Sprintf("%s: a replica occupies %s and serves this load in %s of the time that is paid for", o.Name, measure.Counted(int(x.GPUs), "GPU"), measure.FormatShare(x.Utilisation)),
				Said: x.UtilisationSaid, Source: x.UtilisationSource})
	}
	if priced {
		out = append(out, Assumption{Text: "Requests that end without an answer are paid for and are not sent again", Said: Assumed, Source: "benchline's rule for costs"})
	}
	return out
}

// notes are what a reader must know before anything else.
func notes(d *Document) []string {
	var out []string
	if n := len(d.Records); d.Simulated > 0 && d.Simulated == n {
		out = append(out, "Every record here is from a "+string(evidence.Simulated)+": the figures describe no real system.")
	} else if d.Simulated > 0 {
		out = append(out, fmt.Sprintf("%d of %d records here are from a %s: their figures describe no real system.", d.Simulated, n, evidence.Simulated))
	}
	if d.Freeze.Hot {
		out = append(out, d.Freeze.Says...)
	}
	if d.NoConflicts == "" && len(d.Conflicts) == 0 {
		out = append(out, "Nobody has stated whether there are conflicts of interest.")
	}
	return out
}
