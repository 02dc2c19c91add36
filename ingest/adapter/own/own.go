// Package own reads benchline's own logs: a run folder as reqlog wrote it
// becomes one record.
//
// A run folder is known by its manifest.json. Everything is checked before
// anything is read: the manifest's seal, the length and SHA-256 of each file, the
// Parquet columns, the hash of the plan. A folder that is not whole is refused as
// a whole, with what to do about it; there is no reading of half a run.
//
// What is computed lies in package summarize; here is only where it comes from.
package own

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/summarize"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// Version is the version of what this adapter makes of a log. It goes up with
// every change in package summarize that gives the same log another record.
const Version = 4

// Adapter reads run folders. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Folder  = Adapter{}
	_ adapter.Grouper = Adapter{}
)

// ID is "own" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "own", Version: Version} }

// The marks by which the files of a run folder are known.
const (
	journalMark = "BLNJRNL"
	parquetMark = "PAR1"
)

// Sniff claims the manifest of a run, its journal, and any Parquet file, so
// that one which was cut short is refused as what it is.
func (Adapter) Sniff(prefix []byte, name string) adapter.Match {
	m := adapter.Match{Want: `a run's manifest.json with "schema", "run_id" and "plan_hash"`}
	switch {
	case bytes.HasPrefix(prefix, []byte(journalMark)):
		m.Is = true
	case bytes.HasPrefix(prefix, []byte(parquetMark)):
		m.Is = strings.HasSuffix(name, ".parquet")
	default:
		m.Is = isManifest(prefix)
	}
	return m
}

// isManifest reads the top-level keys of what may be the beginning of a JSON
// object, as far as it goes.
func isManifest(prefix []byte) bool {
	if !bytes.Contains(prefix, []byte(`"plan_hash"`)) { // most files, without long reading
		return false
	}
	d := json.NewDecoder(bytes.NewReader(prefix))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	var schema, run, planned bool
	for d.More() {
		key, err := d.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		switch key {
		case "schema":
			schema = len(value) > 0 && value[0] >= '0' && value[0] <= '9'
		case "run_id":
			run = len(value) > 0 && value[0] == '"'
		case "plan_hash":
			planned = bytes.HasPrefix(value, []byte(`"sha256:`))
		}
	}
	return schema && run && planned
}

// Heads are the files by which a run folder is known.
func (Adapter) Heads() []string {
	return []string{reqlog.ManifestName, reqlog.JournalName, reqlog.RequestsName}
}

// Identify returns the run ID. The manifest is checked, the other files are not.
func (Adapter) Identify(s adapter.Source) (string, error) {
	m, err := reqlog.ReadManifest(s.Dir)
	if err != nil {
		return "", refusal(s, err)
	}
	return m.RunID, nil
}

// Files lists the manifest and what it vouches for.
func (Adapter) Files(s adapter.Source) ([]string, error) {
	m, err := reqlog.ReadManifest(s.Dir)
	if err != nil {
		return nil, refusal(s, err)
	}
	names := []string{reqlog.ManifestName}
	for _, f := range m.Files {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	return names, nil
}

// Read yields the record of one run folder.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	log, err := a.open(s)
	if err != nil {
		return nil, err
	}
	defer log.Close() //nolint:errcheck // only read from
	m := log.Manifest()
	p, err := plan.Parse(s.Path(reqlog.PlanName), log.Plan())
	if err != nil {
		return nil, &adapter.RefusedError{Why: "its plan can't be read: " + err.Error(), Err: err}
	}
	if p.Hash() != m.PlanHash {
		return nil, &adapter.RefusedError{Why: fmt.Sprintf("plan.toml hashes to %s, the run was made with %s", p.Hash(), m.PlanHash)}
	}
	r, err := summarize.Run(rows(ctx, log), m, p)
	if err != nil {
		return nil, refusal(s, err)
	}
	if r.Sources, r.Files, err = a.provenance(s, m); err != nil {
		return nil, refusal(s, err)
	}
	sealed, err := evidence.SealLine(r)
	if err != nil {
		return nil, err
	}
	return strangers(s, m), sink(sealed)
}

// open opens the log, or says what the folder is instead of one.
func (Adapter) open(s adapter.Source) (*reqlog.Log, error) {
	if !s.IsDir {
		return nil, loneFile(s)
	}
	log, err := reqlog.Open(s.Dir)
	if err != nil {
		return nil, refusal(s, err)
	}
	return log, nil
}

// rows are the log's rows until the context ends.
func rows(ctx context.Context, log *reqlog.Log) iter.Seq2[reqlog.Row, error] {
	return func(yield func(reqlog.Row, error) bool) {
		if ctx.Err() != nil {
			yield(reqlog.Row{}, ctx.Err())
			return
		}
		n := 0
		for row, err := range log.Rows() {
			if n++; n%4096 == 0 && ctx.Err() != nil {
				yield(reqlog.Row{}, ctx.Err())
				return
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// refusal adds to an error of reqlog what can be done about it. Other errors
// stay as they are.
func refusal(s adapter.Source, err error) error {
	var hint string
	switch {
	case errors.Is(err, reqlog.ErrNotComplete):
		hint = fmt.Sprintf("run `benchline recover %s`", s.Dir)
		return &adapter.RefusedError{Why: "the run is not complete: it has a journal and no manifest", Hint: hint, Err: err}
	case errors.Is(err, reqlog.ErrNotRun):
		hint = "a run folder needs its manifest.json; bring all of its files"
	case errors.Is(err, reqlog.ErrRunning):
		hint = "wait until the run has ended"
	case errors.Is(err, reqlog.ErrChanged), errors.Is(err, reqlog.ErrCorrupt), errors.Is(err, reqlog.ErrSchema):
		hint = "a run folder never changes after the run: bring it back from a copy, or take it out of the site"
	case errors.Is(err, reqlog.ErrVersion):
		hint = "read it with the version of benchline that wrote it, or a newer one"
	default:
		return err
	}
	return &adapter.RefusedError{Why: err.Error(), Hint: hint, Err: err}
}

// loneFile refuses a file of a run that was given without its folder.
func loneFile(s adapter.Source) error {
	if strings.HasSuffix(s.Name, ".parquet") {
		log, err := reqlog.OpenParquet(s.FilePath())
		if errors.Is(err, reqlog.ErrCut) {
			return &adapter.RefusedError{Why: "the Parquet file is not complete", Hint: "give the run's folder; if it holds a journal, run `benchline recover` on it", Err: err}
		}
		if errors.Is(err, reqlog.ErrCorrupt) {
			return &adapter.RefusedError{Why: err.Error(), Err: err}
		}
		if err != nil {
			return &adapter.RefusedError{Why: "the Parquet file is no log of a run", Hint: "other tables can be given as CSV", Err: err}
		}
		defer log.Close() //nolint:errcheck // only read from
	}
	return &adapter.RefusedError{Why: "this is one file of a run", Hint: "give the run's folder: the record needs the manifest, the plan and the requests"}
}

// strangers are warnings about files that the manifest does not know.
func strangers(s adapter.Source, m reqlog.Manifest) []adapter.Diagnostic {
	entries, err := s.ReadDir()
	if err != nil {
		return []adapter.Diagnostic{{File: s.Unit, Msg: err.Error()}}
	}
	var out []adapter.Diagnostic
	for _, e := range entries {
		known := e.Name() == reqlog.ManifestName ||
			slices.ContainsFunc(m.Files, func(f reqlog.File) bool { return f.Name == e.Name() })
		if !known {
			out = append(out, adapter.Diagnostic{File: s.Path(e.Name()), Msg: "is not in the run's manifest and is left aside"})
		}
	}
	return out
}
