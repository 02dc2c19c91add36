// Package mlperf reads the logs of MLPerf's LoadGen: mlperf_log_summary.txt and
// mlperf_log_detail.txt.
//
// A summary is one record; what the detail log in the same folder knows beyond
// it (when, how many queries, which LoadGen) is taken from there, if the two are
// of one run. A detail log without its summary is a record too.
//
// # What may be said of an MLPerf result
//
// A log proves nothing about a submission: until a person says in import.toml
// under which result ID it was published, each figure is marked unverified, with
// the words that MLCommons asks for. Version, division, submitter, system,
// benchmark and scenario are those of the folders of a submission, where the file
// lies in such folders. The number of chips is in no log. Nothing is divided by
// it: a figure is the system's.
//
// A run that LoadGen calls INVALID is void.
package mlperf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
)

const (
	summaryName = "mlperf_log_summary.txt"
	detailName  = "mlperf_log_detail.txt"
)

// Adapter reads logs of LoadGen.
type Adapter struct{ foreign.Format }

// New is the adapter of logs of LoadGen: a summary is known by its heading and a
// detail log by its marks. Its records also depend on the other log of the run.
func New() Adapter {
	return Adapter{foreign.Format{Name: "mlperf", Version: 3, Words: words(), Beside: []string{summaryName, detailName}, Parts: read,
		Want: `"MLPerf Results Summary" with "SUT name" and "Scenario", or ":::MLLOG" lines of LoadGen`,
		Claims: func(prefix []byte) bool {
			return foreign.Mentions(prefix, headResults, "SUT name", "Scenario") || isDetail(prefix)
		}}}
}

func isDetail(prefix []byte) bool {
	return foreign.Mentions(prefix, strings.TrimSpace(mllog), `"loadgen_version"`, "mlperf::logging")
}

// Read yields the record of a run. A detail log whose summary lies beside it
// yields none: it is read with the summary.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	if s.Name == detailName && s.FS == nil {
		if _, err := os.Stat(filepath.Join(s.Dir, summaryName)); err == nil && ctx.Err() == nil {
			return []adapter.Diagnostic{{File: s.Path(s.Name), Msg: "is read together with " + summaryName + " beside it"}}, nil
		}
	}
	return a.Format.Read(ctx, s, sink)
}

func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	prefix, err := f.Source.Prefix()
	if err != nil {
		return nil, nil, err
	}
	if isDetail(prefix) {
		return readDetailPart(ctx, f)
	}
	return readSummaryPart(ctx, f)
}

func readDetailPart(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	d, err := readDetail(ctx, f.Name(), f)
	if err != nil {
		return nil, nil, err
	}
	r := run{draft: foreign.NewDraft(f, tool), scenario: d.get("effective_scenario"), verdict: d.get("result_validity"), place: placeOf(f.Name())}
	if !r.verdict.Has() {
		return nil, d.diagnostics, &adapter.RefusedError{Why: "the detail log has no result: the run did not end", Hint: "LoadGen writes it when the run ends"}
	}
	r.detail(d)
	r.detailFigures(d)
	return []foreign.Part{r.part(f)}, d.diagnostics, nil
}

func readSummaryPart(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	l, err := readSummary(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	r := run{draft: foreign.NewDraft(f, tool), scenario: l.get("Scenario"), verdict: l.get("Result is"), place: placeOf(f.Name())}
	if !r.verdict.Has() {
		return nil, nil, &adapter.RefusedError{Why: "the summary has no verdict (“Result is”): it is not whole"}
	}
	r.summary(l)
	found, err := r.besideSummary(ctx, f, l)
	if err != nil {
		return nil, found, err
	}
	r.summaryFigures(l)
	return []foreign.Part{r.part(f)}, found, nil
}

// besideSummary reads the detail log beside a summary, if it is of the same run.
func (r *run) besideSummary(ctx context.Context, f *foreign.File, l *log) (_ []adapter.Diagnostic, err error) {
	if f.Source.FS != nil || f.Source.Name != summaryName {
		return nil, nil
	}
	in, err := foreign.OpenBeside(f.Source, detailName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", f.Source.Path(detailName), err)
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	sum := sha256.New()
	d, err := readDetail(ctx, f.Source.Path(detailName), io.TeeReader(in, sum))
	if err != nil {
		return nil, err
	}
	if longest := d.get("result_max_latency_ns"); longest.Text != l.get("Max latency (ns)").Text {
		r.draft.Note(0, detailName+" beside it is of another run (its longest latency differs) and is not used")
		return d.diagnostics, nil
	}
	r.detail(d)
	const noImport = "see the summary's"
	r.draft.Record.Sources = append(r.draft.Record.Sources, evidence.Source{Name: "file " + detailName, Supports: "when the run was, how many queries it had, and LoadGen's version",
		Published: evidence.NotStated[string](noImport), Reviewed: evidence.NotStated[string](noImport), Licence: evidence.NotStated[string](noImport),
		File: detailName, SHA256: hex.EncodeToString(sum.Sum(nil)), Adapter: New().ID().String()})
	return d.diagnostics, nil
}

// run is a record in the making.
type run struct {
	draft             *foreign.Draft
	scenario, verdict foreign.Node
	place             place

	word   string // of the figure that was claimed last
	figure foreign.Figure
}

// part finishes the record.
func (r *run) part(f *foreign.File) foreign.Part {
	rec := &r.draft.Record
	rec.Subject.Tool = evidence.Derived(tool, "the file's form")
	rec.Workload.TokenSource = evidence.Derived("the system under test reports its own tokens", "how LoadGen counts")
	if rec.Outcomes.Failed.State() == evidence.StateNotStated {
		rec.Outcomes.Failed = evidence.NotStated[int64]("LoadGen counts no failures: it expects every query to be resolved")
	}
	r.judge()
	r.load()
	r.place.fill(r.draft, f.Import, r.scenario)
	var id string
	for _, fact := range f.Import.Fact {
		if strings.EqualFold(fact.Label, "MLPerf result ID") {
			id = fact.Value
		}
	}
	title := r.place.title(r.scenario.Text)
	if id == "" {
		r.unverified()
		title = "Unverified MLPerf result: " + title
	} else {
		r.draft.FactText("verification", "verified, result ID "+id, "import.toml beside the file")
		title = "MLPerf result " + id + ": " + title
	}
	return foreign.Part{Draft: r.draft, Title: title}
}

// unverified marks the record and each of its figures with the words that
// MLCommons asks for.
func (r *run) unverified() {
	rec := &r.draft.Record
	r.draft.FactText("verification", "unverified. Result not verified by MLCommons Association.", "no import.toml beside the file gives an MLPerf result ID")
	r.draft.FactText("trademark", "The MLPerf name and logo are trademarks of MLCommons Association; see www.mlcommons.org.", "MLPerf Results Messaging Guidelines")
	for i := range rec.Values {
		v := &rec.Values[i]
		if v.Amount.Kind == evidence.Quoted { // in brackets, as what an editor puts into a quotation; the original stays as it is
			v.Amount.Text += " [unverified]"
		}
		v.Limits = append(v.Limits, limits.UnverifiedMLPerf(false).At(string(v.Metric))...)
	}
	rec.Limits = append(rec.Limits, limits.UnverifiedMLPerf(false).Record()...)
}

// judge takes over LoadGen's verdict.
func (r *run) judge() {
	rec := &r.draft.Record
	if r.verdict.Text == "VALID" {
		const all = "LoadGen calls the result VALID, which it does when all queries were resolved"
		rec.State.Complete = evidence.Derived("complete", all)
		rec.Outcomes.Unresolved = evidence.Derived(int64(0), all)
		return
	}
	rec.Void = true
	rec.VoidWhy = "LoadGen calls the result " + r.verdict.Text
	var why []string
	for _, f := range rec.Facts {
		if v, _ := f.Value.Get(); strings.HasSuffix(f.Key, " satisfied") && !strings.EqualFold(v, "yes") {
			why = append(why, f.Key+": "+v)
		}
	}
	if len(why) > 0 {
		rec.VoidWhy += " (" + strings.Join(why, "; ") + ")"
	}
}

// load is what the scenario says of the load.
func (r *run) load() {
	l := &r.draft.Record.Load
	switch r.scenario.Text {
	case "Server", "Interactive":
		l.Mode = evidence.Derived("open loop", "scenario "+r.scenario.Text)
		l.Arrivals = evidence.Derived("poisson", "scenario "+r.scenario.Text)
	case "SingleStream":
		l.Mode = evidence.Derived("closed loop", "scenario SingleStream: one query after the other")
		l.Concurrency = evidence.Derived[int64](1, "scenario SingleStream: one query after the other")
		l.Rate, l.RatePerSec = evidence.NotApplicable[string]("closed loop"), evidence.NotApplicable[float64]("closed loop")
	default:
		why := "scenario " + r.scenario.Text + ": all samples are given at once, or in fixed batches"
		l.Mode, l.Rate = evidence.NotApplicable[string](why), evidence.NotApplicable[string](why)
		l.RatePerSec, l.Concurrency = evidence.NotApplicable[float64](why), evidence.NotApplicable[int64](why)
	}
}
