package summarize

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

const (
	byPlan     = "plan"
	byManifest = "run manifest"
	byLog      = "request log"
)

// title names the run by its plan, its point and its repeat.
func (r *run) title() string {
	name := cmp.Or(r.spec.Title, r.spec.Name, r.m.Plan, r.m.RunID)
	t := name + ": " + pointWords(r.m.Point)
	if r.m.Repeats > 1 {
		t += fmt.Sprintf(" (run %d of %d)", r.m.Repeat, r.m.Repeats)
	}
	return t
}

// pointWords is the point of a plan in a few words.
func pointWords(p plan.Point) string {
	words := fmt.Sprintf("%s in, %s out", measure.FormatCount(int64(p.InputTokens)), measure.FormatCount(int64(p.OutputTokens)))
	if p.Rate != nil {
		return fmt.Sprintf("%s, open loop at %s %s", words, p.Rate, p.Arrivals)
	}
	return fmt.Sprintf("%s, closed loop of %d", words, p.Concurrency)
}

// summary is the ledger in one sentence. It holds no performance figure.
func (r *run) summary() string {
	l := r.ledger
	s := fmt.Sprintf("%s of %s planned requests completed", measure.FormatCount(l.Completed), measure.FormatCount(l.Planned))
	for _, x := range r.ledgerOut() {
		if x.N > 0 {
			s += fmt.Sprintf(", %s %s", measure.FormatCount(x.N), x.Reason)
		}
	}
	if r.windows.observed.IsValid() {
		s += fmt.Sprintf("; observed for %s", measure.FormatSeconds(r.windows.observed.Seconds()))
	}
	return s + "."
}

// subject is the serving profile as the plan states it and as the endpoint and
// host say of themselves. The plan comes first, except for engine and version,
// which the endpoint knows better than its operator.
func (r *run) subject() evidence.Subject {
	p := r.spec.Profile
	return evidence.Subject{
		Profile:       cmp.Or(p.Name, r.spec.Name, r.m.Plan),
		ProfileNote:   p.Description,
		Model:         r.stated(cmp.Or(p.Model, r.spec.Endpoint.Model), "model"),
		ModelRevision: r.stated(p.ModelRevision, "model_revision"),
		Tokenizer:     r.stated(strings.TrimSpace(p.Tokenizer+" "+p.TokenizerRevision), "tokenizer"),
		Engine:        r.asked(p.Engine, "engine"),
		EngineVersion: r.asked(p.EngineVersion, "engine_version"),
		Precision:     r.stated(p.Precision, "precision"),
		Parallelism:   r.stated(p.Parallelism, "parallelism"),
		Hardware:      r.stated(p.Hardware, "hardware"),
		Accelerators:  r.accelerators(),
		Quality:       r.quality(),
		Started:       r.started(),
		Tool:          statedOr(r.m.Tool, byManifest, "the manifest does not name the client"),
		SourceRunID:   statedOr(r.m.RunID, byManifest, "the manifest has no run ID"),
	}
}

func statedOr(v, where, reason string) evidence.Known[string] {
	if v == "" {
		return evidence.NotStated[string](reason)
	}
	return evidence.Stated(v, where)
}

// fact is the first stated fact with the key; not stated, with its note, if
// there is one without a value; or nothing.
func (r *run) fact(key string) (known evidence.Known[string], found bool) {
	for _, f := range r.m.Facts {
		if f.Key != key {
			continue
		}
		if f.Value != nil && *f.Value != "" {
			return evidence.Stated(*f.Value, cmp.Or(f.By, byManifest)), true
		}
		if !found {
			known, found = evidence.NotStated[string](whyNot(f)), true
		}
	}
	return known, found
}

func whyNot(f reqlog.Fact) string {
	switch {
	case f.Note != "" && f.By != "" && !strings.Contains(f.By, ",") && !strings.Contains(f.Note, f.By):
		return f.By + ": " + f.Note
	case f.Note != "": // it says who was asked
		return f.Note
	case f.By != "":
		return f.By + " does not say"
	default:
		return "nobody was asked"
	}
}

// stated takes the plan's word, else a fact of the manifest.
func (r *run) stated(inPlan, key string) evidence.Known[string] {
	if inPlan != "" {
		return evidence.Stated(inPlan, byPlan)
	}
	if known, found := r.fact(key); found {
		return known
	}
	return evidence.NotStated[string]("neither the plan nor the endpoint says")
}

// asked takes a fact of the manifest, else the plan's word.
func (r *run) asked(inPlan, key string) evidence.Known[string] {
	known, found := r.fact(key)
	if _, ok := known.Get(); found && ok {
		return known
	}
	return r.stated(inPlan, key)
}

func (r *run) accelerators() evidence.Known[int64] {
	if n := r.spec.Profile.Accelerators; n > 0 {
		return evidence.Stated(int64(n), byPlan)
	}
	known := r.stated("", "accelerators")
	text, ok := known.Get()
	if !ok {
		return evidence.NotStated[int64](known.Note())
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return evidence.NotStated[int64](fmt.Sprintf("%s says %q, which is no number", known.Note(), text))
	}
	return evidence.Stated(n, known.Note())
}

func (r *run) quality() evidence.Known[string] {
	q := r.spec.Quality
	switch {
	case q.Check == "" || q.Check == noQuality:
		return evidence.NotStated[string]("the plan declares no quality check")
	case q.Result == "":
		return evidence.Stated(q.Check+": result not stated", byPlan)
	default:
		return evidence.Stated(q.Check+": "+q.Result, byPlan)
	}
}

// noQuality is how a plan says that it has no quality gate.
const noQuality = "none declared"

func (r *run) started() evidence.Known[string] {
	if r.m.WallStart.IsZero() {
		return evidence.NotStated[string]("the manifest has no wall-clock start")
	}
	const milli = "2006-01-02T15:04:05.000Z"
	return evidence.Stated(r.m.WallStart.UTC().Add(ns(r.m.Windows.MeasureFromNS)).Format(milli), byManifest)
}
