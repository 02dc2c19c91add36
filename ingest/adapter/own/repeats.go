package own

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/summarize"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// recipe is what runs must have in common to be repeats of one thing: the plan,
// the point of it, and everything that is known of the subject. Runs whose
// recipes differ are never averaged. Where a thing was learnt is no part of it.
func recipe(planHash string, r evidence.Record) []string {
	s, l := r.Subject, r.Load
	return []string{
		planHash, string(r.Class), r.Family, s.Profile,
		word(r.Workload.InputTokensAsked), word(r.Workload.OutputTokensAsked),
		word(l.Mode), word(l.Concurrency), word(l.Rate), word(l.Arrivals),
		word(s.Model), word(s.ModelRevision), word(s.Tokenizer), word(s.Engine), word(s.EngineVersion),
		word(s.Precision), word(s.Parallelism), word(s.Hardware), word(s.Accelerators), word(s.Quality), word(s.Tool),
	}
}

// word is a value and how it is known, without where.
func word[T any](k evidence.Known[T]) string {
	if v, ok := k.Get(); ok {
		return fmt.Sprint("= ", v)
	}
	return k.State().String()
}

// Group returns the hash of the record's recipe, or "" for runs whose plan
// asks for one run of each point.
func (Adapter) Group(r evidence.Record) (string, error) {
	if r.Kind != evidence.RunRecord || r.PlanTOML == "" {
		return "", nil
	}
	p, err := plan.Parse("plan.toml", []byte(r.PlanTOML))
	if err != nil {
		return "", fmt.Errorf("reading the plan of record %s: %w", r.Slug, err)
	}
	if p.Spec().Repeats < 2 {
		return "", nil
	}
	text, err := json.Marshal(recipe(p.Hash(), r))
	if err != nil {
		return "", fmt.Errorf("hashing the recipe of record %s: %w", r.Slug, err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Combine makes the summary of repeats of one point. Its sources are the logs of
// its members.
func (a Adapter) Combine(group []evidence.Record) (evidence.Sealed, error) {
	r, err := summarize.Repeats(group)
	if err != nil {
		return evidence.Sealed{}, err
	}
	r.Sources, r.Files = nil, nil
	for _, m := range group {
		for _, s := range m.Sources {
			if s.File == reqlog.RequestsName {
				s.Supports = "one of the runs that this record sums up"
				r.Sources = append(r.Sources, s)
			}
		}
	}
	return evidence.SealLine(r)
}
