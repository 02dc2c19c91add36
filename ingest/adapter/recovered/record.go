package recovered

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/consistency"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
)

// noReason is the reason of a gap for which the file gives none.
const noReason = "not among what was recovered"

// mostRecords bounds the records of one file.
const mostRecords = 1000

// parse reads a file whole. The records are not sealed; at are their lines. The
// error is [tomlfile.Faults].
func parse(file string, src []byte) (records []evidence.Record, at []int, err error) {
	doc, err := tomlfile.Parse(file, src)
	if err != nil {
		return nil, nil, err
	}
	top := &node{Table: doc}
	nodes := []*node{top}
	if top.Has("record") {
		nodes = top.tables("record")
		if len(nodes) == 0 || len(nodes) > mostRecords {
			top.Fault("record", fmt.Sprintf("has %d records; from 1 to %d are read", len(nodes), mostRecords), "")
			nodes = nil
		}
		top.Done()
	}
	names := map[string]bool{}
	for _, n := range nodes {
		rec := n.record()
		if names[rec.Slug] {
			n.Fault("name", fmt.Sprintf("%q is named twice in this file", rec.Slug), "")
		}
		names[rec.Slug] = true
		records, at = append(records, rec), append(at, n.Line("name"))
	}
	if err := doc.Err(); err != nil {
		return nil, nil, err
	}
	return records, at, nil
}

// record reads one record.
func (n *node) record() evidence.Record {
	n.missing = noReason
	if n.Has("missing") {
		n.missing = n.Text("missing")
	}
	n.Get("missing")
	sources := n.sources()
	n.where = n.Text("where")
	if n.where == "" && len(sources) > 0 {
		n.where = sources[0].Name
	}
	r := evidence.Unstated(n.missing)
	r.Kind, r.Sources = evidence.RunRecord, sources
	r.Slug = n.slug()
	r.Title = n.NeedText("title", "")
	r.Summary = n.Text("summary")
	r.Class = n.class()
	r.Family = n.NeedText("family", "the run family: the records which one recipe produced")
	r.Subject = n.subject()
	r.Workload = n.workload()
	r.Load = n.load()
	r.State = n.state()
	r.Outcomes = n.outcomes()
	r.Facts = n.facts()
	r.Values = n.values(r)
	r.Limits = limits.SimulatedEndpoint(r.Class == evidence.Simulated).Record()
	n.Done()
	return consistency.Apply(r)
}

func (n *node) slug() string {
	name := n.NeedText("name", "the name of the record's page: lower-case letters, digits, '-' and '.'")
	if name == "" {
		return ""
	}
	if slug, err := evidence.Slug(name); err != nil || slug != name {
		n.Fault("name", fmt.Sprintf("%q can't be the name of a page", tomlfile.Printable(name)), "lower-case ASCII letters, digits, '-' and '.'")
	}
	return name
}

// classes are the evidence classes that a recovered record may have. A run of
// one's own is made from its log, not typed.
func classes() []string {
	return []string{string(evidence.ReportBacked), string(evidence.DerivedClass), string(evidence.RawArchive), string(evidence.Rerun),
		string(evidence.VendorStated), string(evidence.Independent), string(evidence.Simulated)}
}

func (n *node) class() evidence.Class {
	hint := "one of " + strings.Join(classes(), ", ")
	c := n.NeedText("class", hint)
	if c != "" && !slices.Contains(classes(), c) {
		n.Fault("class", fmt.Sprintf("%q is no class of a recovered record", tomlfile.Printable(c)), hint)
	}
	return evidence.Class(c)
}

func (n *node) sources() []evidence.Source {
	var out []evidence.Source
	for _, s := range n.tables("source") {
		s.where, s.missing = "the record file", "the record file does not say"
		x := evidence.Source{Name: s.NeedText("name", "title, author, or what it is"), Supports: s.NeedText("supports", "what of this record rests on it"),
			Published: known(s, "published", tomlfile.ReadText), Reviewed: known(s, "reviewed", tomlfile.ReadText), Licence: known(s, "licence", tomlfile.ReadText),
			File: s.Text("file"), SHA256: s.Text("sha256")}
		if _, err := evidence.ParseID(x.SHA256); x.SHA256 != "" && err != nil {
			s.Fault("sha256", "is not 64 lower-case hexadecimal digits", "")
		}
		s.Done()
		out = append(out, x)
	}
	if len(out) == 0 {
		n.Fault("source", "is required", "a record without a source is no evidence: write [[source]]")
	}
	return out
}

func (n *node) subject() evidence.Subject {
	t := n.table("subject")
	defer t.Done()
	return evidence.Subject{Profile: t.Text("profile"), ProfileNote: t.Text("profile_note"),
		Model: known(t, "model", tomlfile.ReadText), ModelRevision: known(t, "model_revision", tomlfile.ReadText), Tokenizer: known(t, "tokenizer", tomlfile.ReadText),
		Engine: known(t, "engine", tomlfile.ReadText), EngineVersion: known(t, "engine_version", tomlfile.ReadText), Precision: known(t, "precision", tomlfile.ReadText),
		Parallelism: known(t, "parallelism", tomlfile.ReadText), Hardware: known(t, "hardware", tomlfile.ReadText), Accelerators: known(t, "accelerators", tomlfile.ReadCount),
		Quality: known(t, "quality", tomlfile.ReadText), Started: known(t, "started", tomlfile.ReadText), Tool: known(t, "tool", tomlfile.ReadText),
		SourceRunID: known(t, "source_run_id", tomlfile.ReadText)}
}

func (n *node) workload() evidence.Workload {
	t := n.table("workload")
	defer t.Done()
	return evidence.Workload{InputTokensAsked: known(t, "input_tokens_asked", tomlfile.ReadCount), InputTokens: known(t, "input_tokens", t.spread("input_tokens")),
		OutputTokensAsked: known(t, "output_tokens_asked", tomlfile.ReadCount), OutputTokens: known(t, "output_tokens", t.spread("output_tokens")),
		TokenSource: known(t, "token_source", tomlfile.ReadText), Prompts: known(t, "prompts", tomlfile.ReadText), Requests: known(t, "requests", tomlfile.ReadCount)}
}

// spread reads { min, median, max, n, sum }, all of them or none: a part of a
// spread is no spread.
func (n *node) spread(key string) func(any) (evidence.Spread, string) {
	return func(v any) (evidence.Spread, string) {
		m, ok := v.(map[string]any)
		if !ok {
			return evidence.Spread{}, "must be a table { min, median, max, n, sum }, is " + tomlfile.KindOf(v)
		}
		c := n.child(m, key)
		part := func(name string) int64 {
			v, ok := c.Get(name)
			if !ok {
				c.Fault(name, "is required", "min, median, max, n and sum; where one is not known, the whole is missing")
				return 0
			}
			x, msg := tomlfile.ReadCount(v)
			if msg != "" {
				c.Fault(name, msg, "")
			}
			return x
		}
		s := evidence.Spread{Min: part("min"), Median: part("median"), Max: part("max"), N: part("n"), Sum: part("sum")}
		c.Done()
		if s.Min > s.Median || s.Median > s.Max {
			return s, "is not in order: min, median, max"
		}
		return s, ""
	}
}

func (n *node) load() evidence.Load {
	t := n.table("load")
	defer t.Done()
	l := evidence.Load{Mode: known(t, "mode", readMode), Concurrency: known(t, "concurrency", tomlfile.ReadCount), Rate: known(t, "rate", tomlfile.ReadText),
		RatePerSec: known(t, "rate_per_sec", readNumber), Arrivals: known(t, "arrivals", tomlfile.ReadText), PeakOpen: known(t, "peak_open", tomlfile.ReadCount)}
	_, closed := l.Concurrency.Get()
	_, open := l.Rate.Get()
	if closed && open {
		t.Fault("rate", "a load has a number of outstanding requests or an arrival rate, not both", "")
	}
	return l
}

func readMode(v any) (string, string) {
	s, msg := tomlfile.ReadText(v)
	if msg == "" && s != "closed loop" && s != "open loop" {
		return s, fmt.Sprintf("%q is neither \"closed loop\" nor \"open loop\"", tomlfile.Printable(s))
	}
	return s, msg
}

func (n *node) state() evidence.State {
	t := n.table("state")
	defer t.Done()
	return evidence.State{Cache: t.cache(), Warmup: known(t, "warmup", tomlfile.ReadText), Window: t.window(), Drain: known(t, "drain", tomlfile.ReadText),
		Objectives: known(t, "objectives", tomlfile.ReadText), TTFTLimit: known(t, "ttft_limit_s", readNumber), E2ELimit: known(t, "e2e_limit_s", readNumber),
		Complete: known(t, "complete", tomlfile.ReadText)}
}

// cache reads the declared cache state: cold, warm, shared (with cache_share)
// or disabled; absent is not stated.
func (n *node) cache() evidence.Cache {
	c := evidence.UnstatedCache(n.missing)
	share, hasShare := n.Get("cache_share")
	v, ok := n.Get("cache")
	if m, isTable := v.(map[string]any); ok && isTable {
		t := n.child(m, "cache")
		c = evidence.UnstatedCache(t.NeedText("missing", `cache = "cold", or { missing = "why" }`))
		t.Done()
		return c
	}
	if !ok {
		if hasShare {
			n.Fault("cache_share", `goes with cache = "shared"`, "")
		}
		return c
	}
	word, msg := tomlfile.ReadText(v)
	kinds := map[string]measure.CacheKind{"cold": measure.CacheCold, "warm": measure.CacheWarm, "shared": measure.CacheShared, "disabled": measure.CacheDisabled}
	kind, isKind := kinds[word]
	if msg != "" || !isKind {
		n.Fault("cache", "must be cold, warm, shared or disabled", "leave it out where the source does not say")
		return c
	}
	c.Kind, c.Declared = kind, true
	if hasShare != (kind == measure.CacheShared) {
		n.Fault("cache_share", `goes with cache = "shared", and is needed there`, "")
	}
	if hasShare {
		if c.Share, msg = readNumber(share); msg != "" || !(c.Share > 0 && c.Share < 1) {
			n.Fault("cache_share", "must be more than 0 and less than 1", "")
		}
	}
	return c
}

// window reads the seconds of the stated window, as a number or as the source
// writes it: "29,100.679". What its timer includes belongs into the where.
func (n *node) window() evidence.Known[evidence.Window] {
	return known(n, "window", func(v any) (evidence.Window, string) {
		w := evidence.Window{Rule: measure.StatedWindow}
		x, msg := readNumber(v)
		if msg == "" && x <= 0 {
			msg = "must be longer than zero"
		}
		w.Seconds = x
		return w, msg
	})
}

func (n *node) outcomes() evidence.Outcomes {
	t := n.table("outcomes")
	defer t.Done()
	return evidence.Outcomes{Planned: known(t, "planned", tomlfile.ReadCount), Sent: known(t, "sent", tomlfile.ReadCount), Completed: known(t, "completed", tomlfile.ReadCount),
		Failed: known(t, "failed", tomlfile.ReadCount), Rejected: known(t, "rejected", tomlfile.ReadCount), TimedOut: known(t, "timed_out", tomlfile.ReadCount),
		Cancelled: known(t, "cancelled", tomlfile.ReadCount), Unresolved: known(t, "unresolved", tomlfile.ReadCount), NeverSent: known(t, "never_sent", tomlfile.ReadCount),
		WarmupSent: known(t, "warmup_sent", tomlfile.ReadCount)}
}

// facts are whatever else survives, in words.
func (n *node) facts() []evidence.Fact {
	var out []evidence.Fact
	for _, f := range n.tables("fact") {
		label := f.NeedText("label", "")
		f.Get("value")
		if !f.Has("value") && !f.Has("missing") {
			f.Fault("value", "is required", `or missing = "why"`)
		}
		out = append(out, evidence.Fact{Key: strings.ReplaceAll(strings.ToLower(label), " ", "_"), Label: label, Value: f.factValue()})
		f.Done()
	}
	return out
}

func (n *node) factValue() evidence.Known[string] {
	if n.Has("missing") {
		return evidence.NotStated[string](n.Text("missing"))
	}
	return known(n, "value", tomlfile.ReadText)
}
