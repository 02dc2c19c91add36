package evidence

import "strings"

// RuleParts are the parts of a figure's definition, as they stand in
// [Value.Rule]. A part that a definition does not have is empty.
type RuleParts struct {
	// Start and End are the events that start and stop the clock of a latency.
	Start, End string
	// Requests are those that the figure is about; Counted is what a rate counts.
	Requests, Counted string
	// Window is the time that the figure is of, or that a rate divides by.
	Window string
	// Tokens says who counted the tokens of a rate.
	Tokens string
	// Percentiles is how a quantile is taken.
	Percentiles string
}

// The words that stand before each part of a definition by [RuleParts.Says].
const (
	ruleStart       = "starts when "
	ruleEnd         = "; ends when "
	ruleRequests    = "; which requests: "
	ruleWindow      = "; window: "
	rulePercentiles = "; percentiles: "
	ruleCounted     = "what is counted: "
	ruleOver        = "; over which time: "
	ruleTokens      = "; who counted the tokens: "
)

// Says writes the definition of a latency (one that has a start) or of a rate as
// part of a sentence, from which [PartsOfRule] takes it apart again.
func (p RuleParts) Says() string {
	var b strings.Builder
	add := func(lead, text string) {
		if text != "" {
			b.WriteString(lead + text)
		}
	}
	if p.Start != "" {
		add(ruleStart, p.Start)
		add(ruleEnd, p.End)
		add(ruleRequests, p.Requests)
		add(ruleWindow, p.Window)
		add(rulePercentiles, p.Percentiles)
		return b.String()
	}
	add(ruleCounted, p.Counted)
	add(ruleOver, p.Window)
	add(ruleTokens, p.Tokens)
	return b.String()
}

// PartsOfRule takes a definition apart: one that [RuleParts.Says] wrote, or one
// of the metric registry. It reports false for any other, of which nothing can
// be told apart.
func PartsOfRule(rule string) (RuleParts, bool) {
	var p RuleParts
	if rest, ok := after(rule, ruleStart); ok {
		cutAt(rest, []string{"", ruleEnd, ruleRequests, ruleWindow, rulePercentiles}, []*string{&p.Start, &p.End, &p.Requests, &p.Window, &p.Percentiles})
		if end, taken, ok := strings.Cut(p.End, ". Of the rows, "); ok { // computed from rows, see ingest/adapter/foreign
			p.End, p.Percentiles = end, taken
		}
		return p, true
	}
	if rest, ok := after(rule, ruleCounted); ok {
		cutAt(rest, []string{"", ruleOver, ruleTokens}, []*string{&p.Counted, &p.Window, &p.Tokens})
		return p, true
	}
	if rest, ok := after(rule, " time from when "); ok {
		cutAt(rest, []string{"", " until ", ", of ", "; "}, []*string{&p.Start, &p.End, &p.Requests, &p.Percentiles})
		p.Percentiles, _, _ = strings.Cut(p.Percentiles, ",")
		if p.End == "" {
			return RuleParts{}, false
		}
		return p, true
	}
	if rest, ok := after(rule, ": "); ok && strings.Contains(rest, " divided by ") {
		cutAt(rest, []string{"", " divided by "}, []*string{&p.Counted, &p.Window})
		p.Window, _, _ = strings.Cut(p.Window, ":")
		p.Counted = strings.TrimSuffix(p.Counted, ",")
		return p, true
	}
	return RuleParts{}, false
}

// after is what stands behind the first mark.
func after(s, mark string) (string, bool) {
	_, rest, ok := strings.Cut(s, mark)
	return rest, ok
}

// cutAt fills the parts that stand behind each lead, in their order. A lead that
// is not there leaves its part empty. The last part ends with the sentence.
func cutAt(s string, leads []string, parts []*string) {
	rest, at := s, 0
	for i := 1; i < len(leads); i++ {
		before, behind, ok := strings.Cut(rest, leads[i])
		if !ok {
			continue
		}
		*parts[at], rest, at = before, behind, i
	}
	*parts[at] = strings.TrimSuffix(strings.TrimSpace(rest), ".")
}
