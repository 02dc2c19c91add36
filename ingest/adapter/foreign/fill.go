package foreign

import (
	"cmp"
	"fmt"
	"maps"
	"path"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// saidBy is the place of what a person said.
const saidBy = "import.toml beside the file"

// merge is the folder's word with the file's own before it.
func merge(all, one Import) Import {
	out := Import{
		Who: cmp.Or(one.Who, all.Who), Class: cmp.Or(one.Class, all.Class), Family: cmp.Or(one.Family, all.Family),
		Name: one.Name, Title: one.Title, Publish: one.Publish || all.Publish,
		Source: ImportSource{Name: cmp.Or(one.Source.Name, all.Source.Name), URL: cmp.Or(one.Source.URL, all.Source.URL),
			Published: cmp.Or(one.Source.Published, all.Source.Published), Reviewed: cmp.Or(one.Source.Reviewed, all.Source.Reviewed),
			Licence: cmp.Or(one.Source.Licence, all.Source.Licence)},
		Workload: ImportWorkload{InputTokensAsked: cmp.Or(one.Workload.InputTokensAsked, all.Workload.InputTokensAsked),
			OutputTokensAsked: cmp.Or(one.Workload.OutputTokensAsked, all.Workload.OutputTokensAsked), Prompts: cmp.Or(one.Workload.Prompts, all.Workload.Prompts)},
		Load: ImportLoad{Concurrency: cmp.Or(one.Load.Concurrency, all.Load.Concurrency), Arrivals: cmp.Or(one.Load.Arrivals, all.Load.Arrivals)},
		State: ImportState{Cache: all.State.Cache, CacheShare: all.State.CacheShare,
			Warmup: cmp.Or(one.State.Warmup, all.State.Warmup), Drain: cmp.Or(one.State.Drain, all.State.Drain)},
		Fact: append(append([]ImportFact{}, all.Fact...), one.Fact...), Table: all.Table, JSON: all.JSON, Units: maps.Clone(all.Units),
	}
	if one.State.Cache != "" {
		out.State.Cache, out.State.CacheShare = one.State.Cache, one.State.CacheShare
	}
	if one.Table != nil {
		out.Table = one.Table
	}
	if one.JSON != nil {
		out.JSON = one.JSON
	}
	if out.Units == nil {
		out.Units = map[string]string{}
	}
	maps.Copy(out.Units, one.Units)
	out.Subject = mergeSubject(all.Subject, one.Subject)
	return out
}

func mergeSubject(all, one ImportSubject) ImportSubject {
	return ImportSubject{Profile: cmp.Or(one.Profile, all.Profile), ProfileNote: cmp.Or(one.ProfileNote, all.ProfileNote),
		Model: cmp.Or(one.Model, all.Model), ModelRevision: cmp.Or(one.ModelRevision, all.ModelRevision), Tokenizer: cmp.Or(one.Tokenizer, all.Tokenizer),
		Engine: cmp.Or(one.Engine, all.Engine), EngineVersion: cmp.Or(one.EngineVersion, all.EngineVersion), Precision: cmp.Or(one.Precision, all.Precision),
		Parallelism: cmp.Or(one.Parallelism, all.Parallelism), Hardware: cmp.Or(one.Hardware, all.Hardware), Accelerators: cmp.Or(one.Accelerators, all.Accelerators),
		Quality: cmp.Or(one.Quality, all.Quality), Started: cmp.Or(one.Started, all.Started), Tool: cmp.Or(one.Tool, all.Tool)}
}

// filler fills gaps of a record and gathers contradictions.
type filler struct{ notes []string }

// gap fills one value with what a person said, unless the file states it.
func gap[T comparable](f *filler, name string, k *evidence.Known[T], said T) {
	var none T
	if said == none {
		return
	}
	x, ok := k.Get()
	switch {
	case !ok:
		*k = evidence.Stated(said, saidBy)
	case x != said:
		f.notes = append(f.notes, fmt.Sprintf("%s: the file has %v, %s says %v; the file's stands", name, x, ImportName, said))
	}
}

// fill puts what import.toml says into the gaps of a record, and returns where
// it contradicts the file.
func (i Import) fill(r *evidence.Record) []string {
	var f filler
	s := i.Subject
	if s.Profile != "" {
		r.Subject.Profile, r.Subject.ProfileNote = s.Profile, s.ProfileNote
	}
	for _, g := range []struct {
		name string
		k    *evidence.Known[string]
		said string
	}{
		{"model", &r.Subject.Model, s.Model}, {"model revision", &r.Subject.ModelRevision, s.ModelRevision}, {"tokenizer", &r.Subject.Tokenizer, s.Tokenizer},
		{"engine", &r.Subject.Engine, s.Engine}, {"engine version", &r.Subject.EngineVersion, s.EngineVersion}, {"precision", &r.Subject.Precision, s.Precision},
		{"parallelism", &r.Subject.Parallelism, s.Parallelism}, {"hardware", &r.Subject.Hardware, s.Hardware}, {"quality", &r.Subject.Quality, s.Quality},
		{"start", &r.Subject.Started, s.Started}, {"prompts", &r.Workload.Prompts, i.Workload.Prompts}, {"arrivals", &r.Load.Arrivals, i.Load.Arrivals},
		{"warm-up", &r.State.Warmup, i.State.Warmup}, {"drain", &r.State.Drain, i.State.Drain},
	} {
		gap(&f, g.name, g.k, g.said)
	}
	if s.Tool != "" {
		r.Subject.Tool = evidence.Stated(s.Tool, saidBy)
	}
	gap(&f, "accelerators", &r.Subject.Accelerators, s.Accelerators)
	gap(&f, "asked input tokens", &r.Workload.InputTokensAsked, i.Workload.InputTokensAsked)
	gap(&f, "asked output tokens", &r.Workload.OutputTokensAsked, i.Workload.OutputTokensAsked)
	if _, open := r.Load.Rate.Get(); !open {
		gap(&f, "concurrency", &r.Load.Concurrency, i.Load.Concurrency)
	}
	i.fillCache(&f, r)
	for _, fact := range i.Fact {
		if fact.Label != "" && fact.Value != "" {
			r.Facts = append(r.Facts, evidence.Fact{Key: "import." + fact.Label, Label: fact.Label, Value: evidence.Stated(fact.Value, saidBy)})
		}
	}
	return f.notes
}

func (i Import) fillCache(f *filler, r *evidence.Record) {
	c, ok, err := i.State.cache()
	if !ok || err != nil {
		return
	}
	if r.State.Cache.Declared && r.State.Cache.Kind != c.Kind {
		f.notes = append(f.notes, fmt.Sprintf("cache: the file has %s, %s says %s; the file's stands", r.State.Cache.Kind, ImportName, c.Kind))
		return
	}
	if r.State.Cache.Kind == measure.CacheUnstated {
		c.Measured = r.State.Cache.Measured
		r.State.Cache = c
	}
}

// source is the file's line of the source register.
func (i Import) source(f *File, sum string, id adapter.ID) evidence.Source {
	say := func(text, what string) evidence.Known[string] {
		if text == "" {
			return evidence.NotStated[string]("no " + ImportName + " says " + what)
		}
		return evidence.Stated(text, saidBy)
	}
	file := path.Base(f.Name())
	name := cmp.Or(i.Source.Name, "file "+file)
	if i.Who != "" {
		name += ", run by " + i.Who
	}
	if i.Source.URL != "" {
		name += ", " + i.Source.URL
	}
	return evidence.Source{Name: name, Supports: "every figure, count and time of this record, as the file has them",
		Published: say(i.Source.Published, "when it was published"), Reviewed: say(i.Source.Reviewed, "when it was reviewed"),
		Licence: say(i.Source.Licence, "under which licence it stands"), File: file, SHA256: sum, Adapter: id.String()}
}
