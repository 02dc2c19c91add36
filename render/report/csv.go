package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"benchline/ingest/evidence"
)

// csvHeader is the columns of a record's CSV file, one line a figure.
func csvHeader() []string {
	return []string{
		"record", "class", "void", "metric", "label", "kind", "value", "unit", "at_least", "n", "needed", "said",
		"numerator", "numerator_unit", "numerator_of", "denominator", "denominator_unit", "denominator_of",
		"window", "window_s", "population", "population_n", "cache", "cached_tokens", "prompt_tokens",
		"planned", "sent", "completed", "failed", "rejected", "timed_out", "cancelled", "unresolved", "never_sent",
		"bound_low", "bound_high", "bound_n", "interval_low", "interval_high", "interval_kind", "interval_n", "limits", "definition",
	}
}

// CSV is a record's figures for people and spreadsheets. A text that a
// spreadsheet would run as a formula gets an apostrophe before it, as does one
// that begins with an apostrophe, so that [CSVText] gives every text back.
// Numbers are untouched; what is not known says so in words.
func (s *Set) CSV(slug string) ([]byte, error) {
	r, err := s.find(slug)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{csvHeader()}
	for _, v := range r.Values {
		rows = append(rows, s.csvRow(r, v))
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("writing the CSV of %s: %w", slug, err)
	}
	return b.Bytes(), nil
}

// CSVText is a text cell as it was before it was made safe.
func CSVText(cell string) string { return strings.TrimPrefix(cell, "'") }

// csvText makes a text cell safe.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@'\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}

func (s *Set) csvRow(r *evidence.Record, v evidence.Value) []string {
	m := s.metric(v.Metric)
	a := v.Amount
	row := []string{csvText(r.Slug), string(r.Class), yesNo(r.Void), string(v.Metric), csvText(m.Label), string(a.Kind)}
	cells := csvAmount(a, m.Unit())
	if a.Kind == evidence.AtLeast {
		cells[len(cells)-1] = "at least; " + upperEnd(v, scalerOf(v))
	}
	row = append(row, cells...)
	row = append(row, csvTerm(v.Numerator)...)
	row = append(row, csvTerm(v.Denominator)...)
	w := show(v.Window, func(w evidence.Window) string { return string(w.Rule) })
	ws := show(v.Window, func(w evidence.Window) string { return shortest(w.Seconds) })
	p := show(v.Population, func(p evidence.Population) string { return p.Rule })
	pn := show(v.Population, func(p evidence.Population) string { return fmt.Sprint(p.N) })
	cached := show(v.Cache.Measured, func(c evidence.CacheMeasure) string { return fmt.Sprint(c.CachedTokens) })
	prompt := show(v.Cache.Measured, func(c evidence.CacheMeasure) string { return fmt.Sprint(c.PromptTokens) })
	row = append(row, csvText(w.Text), ws.Text, csvText(p.Text), pn.Text, v.Cache.Kind.String(), cached.Text, prompt.Text)
	o := r.Outcomes
	for _, k := range []evidence.Known[int64]{o.Planned, o.Sent, o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved, o.NeverSent} {
		row = append(row, show(k, func(n int64) string { return fmt.Sprint(n) }).Text)
	}
	row = append(row, csvBounds(v.Bounds)...)
	row = append(row, csvInterval(v.Interval)...)
	var codes []string
	for _, l := range v.Limits {
		codes = append(codes, string(l.Code))
	}
	return append(row, strings.Join(codes, " "), csvText(v.Rule))
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// csvAmount is value, unit, at_least, n, needed and said.
func csvAmount(a evidence.Amount, unit string) []string {
	switch a.Kind {
	case evidence.Exact:
		return []string{shortest(a.X), unit, "", "", "", ""}
	case evidence.AtLeast:
		return []string{"", unit, shortest(a.X), "", "", "at least"}
	case evidence.Unbounded:
		return []string{"", unit, "", "", "", "unbounded"}
	case evidence.TooFew:
		return []string{"", unit, "", fmt.Sprint(a.N), fmt.Sprint(a.Need), "too few requests"}
	case evidence.Undefined:
		return []string{"", unit, "", "", "", csvText(a.Reason)}
	case evidence.Quoted:
		return []string{"", unit, "", "", "", csvText(a.Text)}
	}
	return []string{"", unit, "", "", "", "not stated"}
}

func csvTerm(k evidence.Known[evidence.Term]) []string {
	t, ok := k.Get()
	if !ok {
		return []string{k.State().String(), "", ""}
	}
	return []string{shortest(t.Amount), csvText(t.Unit), csvText(t.What)}
}

func csvBounds(b *evidence.Bounds) []string {
	if b == nil {
		return []string{"", "", ""}
	}
	bound := func(a evidence.Amount) string {
		switch a.Kind {
		case evidence.Exact, evidence.AtLeast:
			return shortest(a.X)
		case evidence.Unbounded, evidence.TooFew, evidence.Undefined, evidence.Quoted:
		}
		return string(a.Kind)
	}
	return []string{bound(b.Lower), bound(b.Upper), fmt.Sprint(b.N)}
}

func csvInterval(k evidence.Known[evidence.Interval]) []string {
	iv, ok := k.Get()
	if !ok {
		return []string{k.State().String(), "", "", ""}
	}
	return []string{shortest(iv.Low), shortest(iv.High), csvText(iv.Kind), fmt.Sprint(iv.N)}
}
