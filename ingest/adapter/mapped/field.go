package mapped

import (
	"fmt"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// fieldNames are the parts of a record that a cell may fill.
func fieldNames() []string {
	return []string{"model", "model_revision", "tokenizer", "engine", "engine_version", "precision", "parallelism", "hardware", "quality", "started", "tool", "run_id", "prompts", "warmup",
		"accelerators", "input_tokens_asked", "output_tokens_asked", "requests", "concurrency", "planned", "sent", "completed", "failed", "rejected", "timed_out", "cancelled",
		"unresolved", "never_sent", "rate_per_s", "window_s"}
}

func texts(r *evidence.Record) map[string]*evidence.Known[string] {
	s := &r.Subject
	return map[string]*evidence.Known[string]{"model": &s.Model, "model_revision": &s.ModelRevision, "tokenizer": &s.Tokenizer, "engine": &s.Engine, "engine_version": &s.EngineVersion,
		"precision": &s.Precision, "parallelism": &s.Parallelism, "hardware": &s.Hardware, "quality": &s.Quality, "tool": &s.Tool, "run_id": &s.SourceRunID,
		"prompts": &r.Workload.Prompts, "warmup": &r.State.Warmup}
}

func counts(r *evidence.Record) map[string]*evidence.Known[int64] {
	o := &r.Outcomes
	return map[string]*evidence.Known[int64]{"accelerators": &r.Subject.Accelerators, "input_tokens_asked": &r.Workload.InputTokensAsked, "output_tokens_asked": &r.Workload.OutputTokensAsked,
		"requests": &r.Workload.Requests, "concurrency": &r.Load.Concurrency, "planned": &o.Planned, "sent": &o.Sent, "completed": &o.Completed, "failed": &o.Failed, "rejected": &o.Rejected,
		"timed_out": &o.TimedOut, "cancelled": &o.Cancelled, "unresolved": &o.Unresolved, "never_sent": &o.NeverSent}
}

// setField fills a part of the record.
func (e entry) setField(d *foreign.Draft, c cell) {
	r := &d.Record
	n := foreign.Node{Kind: foreign.Text, Text: c.text, Line: c.line}
	if to, ok := texts(r)[e.field]; ok {
		*to = evidence.Stated(foreign.Clean(c.text), c.where)
		return
	}
	if e.field == "started" {
		r.Subject.Started = d.Stamp(e.at.name, n)
		return
	}
	plain, _, ok := number(c.text)
	if ok {
		n = foreign.Node{Kind: foreign.Number, Text: plain, Line: c.line}
	}
	if to, isCount := counts(r)[e.field]; isCount {
		*to = d.Count(e.at.name, n)
		return
	}
	x, ok := n.Float()
	switch {
	case !ok || x <= 0:
		d.Note(c.line, fmt.Sprintf("“%s”: %q is no number above 0", e.at.name, c.text))
	case e.field == "rate_per_s":
		r.Load.Mode = evidence.Derived("open loop", "a rate is stated")
		r.Load.Rate, r.Load.RatePerSec = evidence.Stated(foreign.Clean(c.text)+" requests per 1s", c.where), evidence.Stated(x, c.where)
	default:
		r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: x}, c.where+"; what it spans is not stated")
	}
}
