package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Quote is a figure ready to be quoted elsewhere: one sentence that leaves out
// nothing of its headline block, and its footnotes as text.
type Quote struct {
	Sentence string
	Notes    []string // "Unresolved tail: 3 of 80 sent requests had …"
	// Place is the block's address from the site's root, with the fragment.
	Place string
}

// quote makes a figure's quotation: what it is, the number with its unit, numerator,
// denominator, window and population, cache, outcomes, evidence class, and the
// record with its content ID.
func (s *Set) quote(r *evidence.Record, v evidence.Value, h *Headline) Quote {
	scale := scalerOf(v)
	parts := []string{lowerFirst(clause(made(v, s.metric(v.Metric))))}
	for _, add := range []func(*Spans, evidence.Value, measure.Scaler){bounds, estimate, interval} {
		var more Spans
		add(&more, v, scale)
		parts = append(parts, lowerFirst(clause(more)))
	}
	if h.Original != "" {
		parts = append(parts, "in the source: "+h.Original)
	}
	var counts []string
	for _, c := range h.Outcomes.Line() {
		if c.Known {
			counts = append(counts, c.Text+" "+c.Label)
		} else {
			counts = append(counts, c.Label+" "+c.Text)
		}
	}
	parts = append(parts, h.Cache.Text, "requests: "+strings.Join(counts, ", "), "evidence: "+classWords(r),
		"benchline record "+r.Slug+", content ID "+r.ID.String())
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return Quote{Sentence: fmt.Sprintf("%s of “%s”: %s; %s.", h.Label, r.Title, h.withUnder(), strings.Join(said, "; ")),
		Place: "records/" + r.Slug + ".html#" + h.ID, Notes: s.quotedNotes(r, v)}
}

// withUnder is the number with its unit and what stands below it.
func (h *Headline) withUnder() string {
	if len(h.Under) == 0 {
		return h.Words()
	}
	return h.Words() + " (" + strings.Join(h.Under, "; ") + ")"
}

// classWords is the evidence class; of a simulated endpoint with what that means.
func classWords(r *evidence.Record) string {
	if isSimulated(r) {
		return string(r.Class) + ", which describes no real system"
	}
	return string(r.Class)
}

// quotedNotes are the limitations of a figure in words: its own, and those of the
// whole record that void it or change what it means.
func (s *Set) quotedNotes(r *evidence.Record, v evidence.Value) []string {
	var notes []string
	add := func(l evidence.Limit) {
		info, ok := evidence.Info(l.Code)
		said, err := l.Sentence()
		note := info.Title + ": " + said
		if ok && err == nil && !slices.Contains(notes, note) { // of the figure and of the record alike
			notes = append(notes, note)
		}
	}
	for _, l := range v.Limits {
		add(l)
	}
	for _, l := range append(append([]evidence.Limit{}, r.Limits...), s.seen[r.Slug]...) {
		if info, ok := evidence.Info(l.Code); ok && info.Severity <= evidence.ChangesMeaning && (l.Where == "record" || l.Where == "") {
			add(l)
		}
	}
	return notes
}

// clause is a piece of a sentence as plain text, without the point at its end.
func clause(s Spans) string {
	var b strings.Builder
	for _, x := range s {
		if x.Fig != nil {
			b.WriteString(x.Fig.Words())
		} else {
			b.WriteString(x.Text)
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(b.String()), ".")
}
