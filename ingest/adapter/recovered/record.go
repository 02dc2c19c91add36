package recovered

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"benchline/ingest/consistency"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// noReason is the reason of a gap for which the file gives none.
const noReason = "not among what was recovered"

// mostRecords bounds the records of one file.
const mostRecords = 1000

// parse reads a file whole. The records are not sealed; at are their lines. The
// error is [Faults].
func parse(file string, src []byte) (records []evidence.Record, at []int, err error) {
	var doc map[string]any
	if _, err := toml.Decode(string(src), &doc); err != nil {
		return nil, nil, Faults{syntaxFault(file, err)}
	}
	r := &reader{file: file, lines: locate(string(src))}
	top := &node{r: r, m: doc, seen: map[string]bool{}}
	nodes := []*node{top}
	if top.has("record") {
		nodes = top.tables("record")
		if len(nodes) == 0 || len(nodes) > mostRecords {
			top.fault("record", fmt.Sprintf("has %d records; from 1 to %d are read", len(nodes), mostRecords), "")
			nodes = nil
		}
		top.done()
	}
	names := map[string]bool{}
	for _, n := range nodes {
		rec := n.record()
		if names[rec.Slug] {
			n.fault("name", fmt.Sprintf("%q is named twice in this file", rec.Slug), "")
		}
		names[rec.Slug] = true
		records, at = append(records, rec), append(at, r.lines.at(append(slices.Clone(n.path), "name")))
	}
	if len(r.faults) > 0 {
		return nil, nil, r.faults.sorted()
	}
	return records, at, nil
}

func syntaxFault(file string, err error) Fault {
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return Fault{File: file, Line: max(1, parse.Position.Line), Msg: printable(parse.Message)}
	}
	return Fault{File: file, Line: 1, Msg: printable(strings.TrimPrefix(err.Error(), "toml: "))}
}

// record reads one record.
func (n *node) record() evidence.Record {
	n.missing = noReason
	if n.has("missing") {
		n.missing = n.text("missing")
	}
	n.get("missing")
	sources := n.sources()
	n.where = n.text("where")
	if n.where == "" && len(sources) > 0 {
		n.where = sources[0].Name
	}
	r := evidence.Unstated(n.missing)
	r.Kind, r.Sources = evidence.RunRecord, sources
	r.Slug = n.slug()
	r.Title = n.needText("title", "")
	r.Summary = n.text("summary")
	r.Class = n.class()
	r.Family = n.needText("family", "the run family: the records which one recipe produced")
	r.Subject = n.subject()
	r.Workload = n.workload()
	r.Load = n.load()
	r.State = n.state()
	r.Outcomes = n.outcomes()
	r.Facts = n.facts()
	r.Values = n.values(r)
	if r.Class == evidence.Simulated {
		r.Limits = []evidence.Limit{{Code: evidence.SimulatedEndpoint, Where: "record"}}
	}
	n.done()
	return consistency.Apply(r)
}

func (n *node) slug() string {
	name := n.needText("name", "the name of the record's page: lower-case letters, digits, '-' and '.'")
	if name == "" {
		return ""
	}
	if slug, err := evidence.Slug(name); err != nil || slug != name {
		n.fault("name", fmt.Sprintf("%q can't be the name of a page", printable(name)), "lower-case ASCII letters, digits, '-' and '.'")
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
	c := n.needText("class", hint)
	if c != "" && !slices.Contains(classes(), c) {
		n.fault("class", fmt.Sprintf("%q is no class of a recovered record", printable(c)), hint)
	}
	return evidence.Class(c)
}

func (n *node) sources() []evidence.Source {
	var out []evidence.Source
	for _, s := range n.tables("source") {
		s.where, s.missing = "the record file", "the record file does not say"
		x := evidence.Source{Name: s.needText("name", "title, author, or what it is"), Supports: s.needText("supports", "what of this record rests on it"),
			Published: known(s, "published", readText), Reviewed: known(s, "reviewed", readText), Licence: known(s, "licence", readText),
			File: s.text("file"), SHA256: s.text("sha256")}
		if _, err := evidence.ParseID(x.SHA256); x.SHA256 != "" && err != nil {
			s.fault("sha256", "is not 64 lower-case hexadecimal digits", "")
		}
		s.done()
		out = append(out, x)
	}
	if len(out) == 0 {
		n.fault("source", "is required", "a record without a source is no evidence: write [[source]]")
	}
	return out
}

func (n *node) subject() evidence.Subject {
	t := n.table("subject")
	defer t.done()
	return evidence.Subject{Profile: t.text("profile"), ProfileNote: t.text("profile_note"),
		Model: known(t, "model", readText), ModelRevision: known(t, "model_revision", readText), Tokenizer: known(t, "tokenizer", readText),
		Engine: known(t, "engine", readText), EngineVersion: known(t, "engine_version", readText), Precision: known(t, "precision", readText),
		Parallelism: known(t, "parallelism", readText), Hardware: known(t, "hardware", readText), Accelerators: known(t, "accelerators", readCount),
		Quality: known(t, "quality", readText), Started: known(t, "started", readText), Tool: known(t, "tool", readText),
		SourceRunID: known(t, "source_run_id", readText)}
}

func (n *node) workload() evidence.Workload {
	t := n.table("workload")
	defer t.done()
	return evidence.Workload{InputTokensAsked: known(t, "input_tokens_asked", readCount), InputTokens: known(t, "input_tokens", t.spread("input_tokens")),
		OutputTokensAsked: known(t, "output_tokens_asked", readCount), OutputTokens: known(t, "output_tokens", t.spread("output_tokens")),
		TokenSource: known(t, "token_source", readText), Prompts: known(t, "prompts", readText), Requests: known(t, "requests", readCount)}
}

// spread reads { min, median, max, n, sum }, all of them or none: a part of a
// spread is no spread.
func (n *node) spread(key string) func(any) (evidence.Spread, string) {
	return func(v any) (evidence.Spread, string) {
		m, ok := v.(map[string]any)
		if !ok {
			return evidence.Spread{}, "must be a table { min, median, max, n, sum }, is " + kindOf(v)
		}
		c := n.child(m, key)
		part := func(name string) int64 {
			v, ok := c.get(name)
			if !ok {
				c.fault(name, "is required", "min, median, max, n and sum; where one is not known, the whole is missing")
				return 0
			}
			x, msg := readCount(v)
			if msg != "" {
				c.fault(name, msg, "")
			}
			return x
		}
		s := evidence.Spread{Min: part("min"), Median: part("median"), Max: part("max"), N: part("n"), Sum: part("sum")}
		c.done()
		if s.Min > s.Median || s.Median > s.Max {
			return s, "is not in order: min, median, max"
		}
		return s, ""
	}
}

func (n *node) load() evidence.Load {
	t := n.table("load")
	defer t.done()
	l := evidence.Load{Mode: known(t, "mode", readMode), Concurrency: known(t, "concurrency", readCount), Rate: known(t, "rate", readText),
		RatePerSec: known(t, "rate_per_sec", readNumber), Arrivals: known(t, "arrivals", readText), PeakOpen: known(t, "peak_open", readCount)}
	_, closed := l.Concurrency.Get()
	_, open := l.Rate.Get()
	if closed && open {
		t.fault("rate", "a load has a number of outstanding requests or an arrival rate, not both", "")
	}
	return l
}

func readMode(v any) (string, string) {
	s, msg := readText(v)
	if msg == "" && s != "closed loop" && s != "open loop" {
		return s, fmt.Sprintf("%q is neither \"closed loop\" nor \"open loop\"", printable(s))
	}
	return s, msg
}

func (n *node) state() evidence.State {
	t := n.table("state")
	defer t.done()
	return evidence.State{Cache: t.cache(), Warmup: known(t, "warmup", readText), Window: t.window(), Drain: known(t, "drain", readText),
		Objectives: known(t, "objectives", readText), TTFTLimit: known(t, "ttft_limit_s", readNumber), E2ELimit: known(t, "e2e_limit_s", readNumber),
		Complete: known(t, "complete", readText)}
}

// cache reads the declared cache state: cold, warm, shared (with cache_share)
// or disabled; absent is not stated.
func (n *node) cache() evidence.Cache {
	c := evidence.UnstatedCache(n.missing)
	share, hasShare := n.get("cache_share")
	v, ok := n.get("cache")
	if m, isTable := v.(map[string]any); ok && isTable {
		t := n.child(m, "cache")
		c = evidence.UnstatedCache(t.needText("missing", `cache = "cold", or { missing = "why" }`))
		t.done()
		return c
	}
	if !ok {
		if hasShare {
			n.fault("cache_share", `goes with cache = "shared"`, "")
		}
		return c
	}
	word, msg := readText(v)
	kinds := map[string]measure.CacheKind{"cold": measure.CacheCold, "warm": measure.CacheWarm, "shared": measure.CacheShared, "disabled": measure.CacheDisabled}
	kind, isKind := kinds[word]
	if msg != "" || !isKind {
		n.fault("cache", "must be cold, warm, shared or disabled", "leave it out where the source does not say")
		return c
	}
	c.Kind, c.Declared = kind, true
	if hasShare != (kind == measure.CacheShared) {
		n.fault("cache_share", `goes with cache = "shared", and is needed there`, "")
	}
	if hasShare {
		if c.Share, msg = readNumber(share); msg != "" || !(c.Share > 0 && c.Share < 1) {
			n.fault("cache_share", "must be more than 0 and less than 1", "")
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
	defer t.done()
	return evidence.Outcomes{Planned: known(t, "planned", readCount), Sent: known(t, "sent", readCount), Completed: known(t, "completed", readCount),
		Failed: known(t, "failed", readCount), Rejected: known(t, "rejected", readCount), TimedOut: known(t, "timed_out", readCount),
		Cancelled: known(t, "cancelled", readCount), Unresolved: known(t, "unresolved", readCount), NeverSent: known(t, "never_sent", readCount),
		WarmupSent: known(t, "warmup_sent", readCount)}
}

// facts are whatever else survives, in words.
func (n *node) facts() []evidence.Fact {
	var out []evidence.Fact
	for _, f := range n.tables("fact") {
		label := f.needText("label", "")
		f.get("value")
		if !f.has("value") && !f.has("missing") {
			f.fault("value", "is required", `or missing = "why"`)
		}
		out = append(out, evidence.Fact{Key: strings.ReplaceAll(strings.ToLower(label), " ", "_"), Label: label, Value: f.factValue()})
		f.done()
	}
	return out
}

func (n *node) factValue() evidence.Known[string] {
	if n.has("missing") {
		return evidence.NotStated[string](n.text("missing"))
	}
	return known(n, "value", readText)
}
