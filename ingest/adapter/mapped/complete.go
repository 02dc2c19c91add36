package mapped

import (
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
)

// complete computes what follows from the counts of a row and nothing else.
func complete(d *foreign.Draft) {
	neverSent(d)
	quotient(d, "request_rate", d.Record.Outcomes.Completed, "completed requests")
	quotient(d, "sent_rate", d.Record.Outcomes.Sent, "sent requests")
}

// neverSent is the rest of the planned requests.
func neverSent(d *foreign.Draft) {
	o := &d.Record.Outcomes
	planned, hasPlanned := o.Planned.Get()
	sent, hasSent := o.Sent.Get()
	if _, stated := o.NeverSent.Get(); stated || !hasPlanned || !hasSent || sent > planned {
		return
	}
	o.NeverSent = evidence.Derived(planned-sent, "planned requests less those that were sent")
}

// quotient is a count by the row's window.
func quotient(d *foreign.Draft, id measure.MetricID, count evidence.Known[int64], what string) {
	n, counted := count.Get()
	w, hasWindow := d.Record.State.Window.Get()
	if !counted || !hasWindow || w.Seconds <= 0 {
		return
	}
	if _, ok := d.Record.Value(id); ok {
		return
	}
	v := evidence.UnstatedValue(id, evidence.Amount{Kind: evidence.Exact, X: float64(n) / w.Seconds},
		"Computed here: "+what+" ÷ the window, both as the file states them. Which moments bound the window is not stated.", d.Missing())
	v.Numerator = evidence.Stated(evidence.Term{Amount: float64(n), Unit: "requests", What: what}, count.Note())
	v.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: "the window that the file states"}, d.Record.State.Window.Note())
	v.Window = d.Record.State.Window
	v.Population = evidence.Stated(evidence.Population{Rule: what, N: n}, count.Note())
	v.Interval = evidence.NotApplicable[evidence.Interval]("a quotient of one run has none")
	v.Limits = limits.DefinitionNotStated("which moments bound the window").At(string(id))
	d.Recomputed(v)
}
