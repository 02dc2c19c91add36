package report

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Count is one number of requests of the ledger.
type Count struct {
	Key   string // planned, sent, completed, failed, rejected, timed-out, cancelled, unresolved, never-sent
	Label string
	Text  string // with thousands separators, or "not stated"
	Attr  string // digits, or "not-stated": the data attribute of the HTML contract
	Note  string // why it is missing
	N     int64
	Known bool
	Never bool // not applicable: there is nothing to count
	Hot   bool // an unresolved request, or a count that is not stated
}

// Segment is a stretch of the outcome strip, in percent of its width.
type Segment struct {
	Class    string // done, ended, open, never
	X, Width string
}

// Outcomes is the ledger of a record as its headline blocks show it.
type Outcomes struct {
	Planned, Sent, Completed, Failed, Rejected, TimedOut, Cancelled, Unresolved, NeverSent Count
	WarmupSent                                                                             Count
	// Strip is empty where a count is not known: a share of an unknown whole
	// cannot be drawn.
	Strip []Segment
	// Aria says the strip in words.
	Aria string
	// Balance is the ledger as two sums, or says that it cannot be added up.
	Balance  string
	Balanced bool
}

// Line is the counts that stand in every headline block: the four that the
// contract asks for always, the others where they are not zero.
func (o Outcomes) Line() []Count {
	line := []Count{o.Completed, o.Failed}
	for _, c := range []Count{o.Rejected, o.TimedOut, o.Cancelled} {
		if !c.Known || c.N > 0 {
			line = append(line, c)
		}
	}
	return append(line, o.Unresolved, o.NeverSent)
}

// Ended are the outcomes into which the sent requests fall.
func (o Outcomes) Ended() []Count {
	return []Count{o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled, o.Unresolved}
}

func count(key, label string, k evidence.Known[int64]) Count {
	n, ok := k.Get()
	c := Count{Key: key, Label: label, N: n, Known: ok, Never: k.State() == evidence.StateNotApplicable, Note: k.Note()}
	if ok {
		c.Text, c.Attr = measure.FormatCount(n), fmt.Sprint(n)
	} else {
		c.Text, c.Attr, c.Hot = k.State().String(), "not-stated", true
	}
	return c
}

func outcomesOf(r *evidence.Record) Outcomes {
	o := r.Outcomes
	out := Outcomes{
		Planned: count("planned", "planned", o.Planned), Sent: count("sent", "sent", o.Sent),
		Completed: count("completed", "completed", o.Completed), Failed: count("failed", "failed", o.Failed),
		Rejected: count("rejected", "rejected", o.Rejected), TimedOut: count("timed-out", "timed out", o.TimedOut),
		Cancelled: count("cancelled", "cancelled", o.Cancelled), Unresolved: count("unresolved", "unresolved", o.Unresolved),
		NeverSent: count("never-sent", "never sent", o.NeverSent), WarmupSent: count("warmup-sent", "sent for warm-up", o.WarmupSent),
	}
	out.Unresolved.Hot = out.Unresolved.Hot || out.Unresolved.N > 0
	out.Balance, out.Balanced = out.sums()
	out.Aria = out.aria()
	if out.Balanced && out.Planned.N > 0 {
		out.Strip = out.strip()
	}
	return out
}

// sums adds the ledger up in words.
func (o Outcomes) sums() (words string, balanced bool) {
	sum, all := int64(0), o.Planned.Known && o.Sent.Known && o.NeverSent.Known
	none := o.Planned.Never && o.Sent.Never && o.NeverSent.Never
	var terms []string
	for _, c := range o.Ended() {
		sum += c.N
		all, none = all && c.Known, none && c.Never
		terms = append(terms, c.Text)
	}
	switch {
	case none:
		return "There are no requests to count.", false
	case !all && o.exceed(sum):
		return "The stated counts exceed the total: see the limit on counts that do not add up.", false
	case !all:
		return "The source does not state every count, so the ledger cannot be added up.", false
	}
	first := o.Planned.N == o.Sent.N+o.NeverSent.N
	second := o.Sent.N == sum
	words = fmt.Sprintf("%s %s %s + %s, and %s %s %s: ", o.Planned.Text, equals(first), o.Sent.Text, o.NeverSent.Text,
		o.Sent.Text, equals(second), strings.Join(terms, " + "))
	if first && second {
		return words + "the ledger balances.", true
	}
	return words + "the ledger does not balance.", false
}

// exceed reports whether the parts that are stated are more than their stated
// total, which no count that is missing can mend. Ended is the sum of the
// outcomes. The cases are among those of the limit, so that the one
// that the sentence points to is there.
func (o Outcomes) exceed(ended int64) bool {
	if o.Sent.Known {
		return ended > o.Sent.N || o.Planned.Known && o.Sent.N+o.NeverSent.N > o.Planned.N
	}
	return o.Planned.Known && ended+o.NeverSent.N > o.Planned.N
}

func equals(ok bool) string {
	if ok {
		return "="
	}
	return "≠"
}

// leastWidth is the narrowest that a segment is drawn, in percent, so that one
// request in a thousand is still seen.
const leastWidth = 0.8

// aria says the strip in words.
func (o Outcomes) aria() string {
	words := make([]string, 0, 8)
	for _, c := range append(o.Ended(), o.NeverSent) {
		if c.Known {
			words = append(words, c.Text+" "+c.Label)
		} else {
			words = append(words, c.Label+" "+c.Text)
		}
	}
	return "Outcomes: " + list(words)
}

// strip lays the outcomes out over the planned requests.
func (o Outcomes) strip() []Segment {
	ended := o.Failed.N + o.Rejected.N + o.TimedOut.N + o.Cancelled.N
	parts := []struct {
		class string
		n     int64
	}{{"done", o.Completed.N}, {"ended", ended}, {"open", o.Unresolved.N}, {"never", o.NeverSent.N}}
	// Narrow segments get their least width; the others share what is left.
	total, taken := 0.0, 0.0
	for _, p := range parts {
		w := 100 * float64(p.n) / float64(o.Planned.N)
		if p.n > 0 && w < leastWidth {
			taken += leastWidth
		} else {
			total += w
		}
	}
	x := 0.0
	var segments []Segment
	for _, p := range parts {
		if p.n == 0 {
			continue
		}
		w := 100 * float64(p.n) / float64(o.Planned.N)
		if w < leastWidth {
			w = leastWidth
		} else {
			w *= (100 - taken) / total
		}
		segments = append(segments, Segment{Class: p.class, X: fmt.Sprintf("%.2f%%", x), Width: fmt.Sprintf("%.2f%%", w)})
		x += w
	}
	return segments
}
