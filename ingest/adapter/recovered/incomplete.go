package recovered

import (
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Group is one of the five groups of the benchmark line, with what of it a
// record does not state.
type Group struct {
	Name    string
	Missing []string
}

func (g *Group) need(ok bool, name string) {
	if !ok {
		g.Missing = append(g.Missing, name)
	}
}

// need asks for a value: one that does not apply is not missing.
func need[T any](g *Group, k evidence.Known[T], name string) {
	g.need(k.State() != evidence.StateNotStated, name)
}

// Incomplete lists those of the five groups (profile and evidence, workload,
// state, rate, latency and outcomes) of which a record does not state
// everything that is needed to read its figures.
func Incomplete(r evidence.Record) []Group {
	var out []Group
	for _, g := range []Group{profile(r), workload(r), state(r), rate(r), latency(r)} {
		if len(g.Missing) > 0 {
			out = append(out, g)
		}
	}
	return out
}

func profile(r evidence.Record) Group {
	g := Group{Name: "profile and evidence"}
	s := r.Subject
	g.need(s.Profile != "", "profile")
	need(&g, s.Model, "model")
	need(&g, s.ModelRevision, "model revision")
	need(&g, s.Tokenizer, "tokenizer")
	need(&g, s.Engine, "engine")
	need(&g, s.EngineVersion, "engine version")
	need(&g, s.Precision, "precision")
	need(&g, s.Hardware, "hardware")
	need(&g, s.SourceRunID, "record ID of the source")
	return g
}

func workload(r evidence.Record) Group {
	g := Group{Name: "workload"}
	w, l := r.Workload, r.Load
	need(&g, w.InputTokens, "actual input tokens")
	need(&g, w.OutputTokens, "actual output tokens")
	need(&g, w.InputTokensAsked, "asked input tokens")
	need(&g, w.OutputTokensAsked, "output target")
	need(&g, w.Requests, "request count")
	_, closed := l.Concurrency.Get()
	_, open := l.Rate.Get()
	g.need(closed || open, "outstanding requests or arrival rate")
	need(&g, l.Arrivals, "arrival pattern")
	return g
}

func state(r evidence.Record) Group {
	g := Group{Name: "state"}
	s := r.State
	g.need(s.Cache.Kind != measure.CacheUnstated, "cache state")
	need(&g, r.Workload.Prompts, "prompt and prefix reuse")
	need(&g, s.Window, "observation window")
	need(&g, s.Warmup, "warm-up")
	need(&g, s.Drain, "drain")
	return g
}

func rate(r evidence.Record) Group {
	g := Group{Name: "rate"}
	stated := false
	for _, v := range r.Values {
		m, _ := measure.Lookup(v.Metric)
		if m.Quantity == measure.Time {
			continue
		}
		stated = true
		need(&g, v.Numerator, "count of the numerator of "+m.Short)
		need(&g, v.Denominator, "elapsed time of "+m.Short)
	}
	g.need(stated, "any rate")
	return g
}

func latency(r evidence.Record) Group {
	g := Group{Name: "latency and outcomes"}
	have := map[measure.MetricID]bool{}
	for _, v := range r.Values {
		m, _ := measure.Lookup(v.Metric)
		have[m.Base] = true
		if m.Quantity == measure.Time {
			need(&g, v.Population, "population of "+m.Short)
		}
	}
	g.need(have["ttft"], "TTFT")
	g.need(have["tpot"], "TPOT")
	need(&g, r.Outcomes.Completed, "completed requests")
	need(&g, r.Outcomes.Failed, "failed requests")
	need(&g, r.Outcomes.Unresolved, "unresolved requests")
	return g
}
