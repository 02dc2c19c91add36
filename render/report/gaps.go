package report

import (
	"cmp"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// gapsOf lists everything that a record does not state, in the order of the
// record, each with the reason (M12).
func (s *Set) gapsOf(r *evidence.Record) []Gap {
	g := &gapList{}
	if r.Subject.Profile == "" {
		gap(g, "profile", evidence.NotStated[string]("no serving profile is named"))
	}
	subjectGaps(g, r.Subject)
	if allImported(r) {
		gap(g, "record ID of the source", r.Subject.SourceRunID)
	}
	workloadGaps(g, r.Workload, r.Load)
	if r.State.Cache.Kind == measure.CacheUnstated {
		gap(g, "cache state", r.State.Cache.Measured) // its reason is that of the whole
	}
	stateGaps(g, r.State, r.Outcomes)
	s.valueGaps(g, r)
	for _, f := range r.Facts {
		label := cmp.Or(f.Label, f.Key)
		if same := subjectGap(f.Key); same != "" {
			label = same
		}
		gap(g, label, f.Value)
	}
	return g.gaps
}

func subjectGaps(g *gapList, x evidence.Subject) {
	gap(g, "model", x.Model)
	gap(g, "model revision", x.ModelRevision)
	gap(g, "tokenizer", x.Tokenizer)
	gap(g, "engine", x.Engine)
	gap(g, "engine version", x.EngineVersion)
	gap(g, "precision", x.Precision)
	gap(g, "parallelism", x.Parallelism)
	gap(g, "hardware", x.Hardware)
	gap(g, "number of accelerators", x.Accelerators)
	gap(g, "quality check", x.Quality)
	gap(g, "time of the run", x.Started)
	gap(g, "measuring client", x.Tool)
}

func workloadGaps(g *gapList, w evidence.Workload, l evidence.Load) {
	gap(g, "asked input tokens", w.InputTokensAsked)
	gap(g, "actual input tokens", w.InputTokens)
	gap(g, "asked output tokens", w.OutputTokensAsked)
	gap(g, "actual output tokens", w.OutputTokens)
	gap(g, "who counted the tokens", w.TokenSource)
	gap(g, "prompts", w.Prompts)
	gap(g, "planned requests", w.Requests)
	gap(g, "load control", l.Mode)
	gap(g, "concurrency", l.Concurrency)
	gap(g, "asked rate", l.Rate)
	gap(g, "arrivals", l.Arrivals)
	gap(g, "most requests in flight", l.PeakOpen)
}

func stateGaps(g *gapList, st evidence.State, o evidence.Outcomes) {
	gap(g, "measured cache use", st.Cache.Measured)
	gap(g, "warm-up", st.Warmup)
	gap(g, "window", st.Window)
	gap(g, "drain", st.Drain)
	gap(g, "objectives", st.Objectives)
	gap(g, "sent requests", o.Sent)
	gap(g, "completed requests", o.Completed)
	gap(g, "failed requests", o.Failed)
	gap(g, "rejected requests", o.Rejected)
	gap(g, "timed-out requests", o.TimedOut)
	gap(g, "cancelled requests", o.Cancelled)
	gap(g, "unresolved requests", o.Unresolved)
	gap(g, "never-sent requests", o.NeverSent)
}

// subjectGap is the label of the gap that a fact of the manifest shares with a
// field of the subject, by the fact's key: the fact is where the field is from.
func subjectGap(key string) string {
	switch key {
	case "model", "model_revision", "tokenizer", "engine", "engine_version", "precision", "parallelism", "hardware":
		return strings.ReplaceAll(key, "_", " ")
	case "accelerators":
		return "number of accelerators"
	}
	return ""
}

type gapList struct {
	gaps []Gap
	seen map[string]bool
}

// gap adds a line if the value is not stated. A label stands once, in whatever
// letters: the manifest repeats some fields of the subject.
func gap[T any](g *gapList, label string, k evidence.Known[T]) {
	if k.State() != evidence.StateNotStated || g.seen[strings.ToLower(label)] {
		return
	}
	if g.seen == nil {
		g.seen = map[string]bool{}
	}
	g.seen[strings.ToLower(label)] = true
	g.gaps = append(g.gaps, Gap{Label: label, Why: k.Note()})
}
