// Package recovered reads records that a person wrote down from what survives
// of a measurement: a report on paper, a slide, a summary whose raw files are
// gone. The format is TOML, one record a file, or several as [[record]].
//
// What is left out of the file is not stated; there are no defaults. Where the
// reason for a gap is known, it is written in the place of the value:
//
//	name   = "soak"
//	title  = "Eight-hour soak"
//	class  = "report-backed"   # or derived, raw archive, re-run, vendor-stated, independent, simulated endpoint
//	family = "soak"
//	missing = "the report does not say"       # the reason of gaps without one of their own
//
//	[subject]
//	model = "Example 7B"
//	model_revision = { missing = "the page with it is lost" }
//
//	[workload]
//	output_tokens_asked = 512
//
//	[[value]]
//	metric = "ttft"
//	statistic = "mean"                        # a latency without its statistic is refused
//	number = "3.719"                          # word for word, in quotes
//	unit = "s"
//	key = "mean TTFT"                         # the source's own word
//	population = { rule = "completed requests", n = 4 }
//
//	[[value]]
//	metric = "tpot_p50"
//	said = "roughly 16 ms"                    # a claim: kept as it is, computed with nowhere
//
//	[[source]]
//	name = "Report of the soak"
//	supports = "every figure of this record"
//
// A value may also be { value = …, where = "page 3" }, { value = …, rule = "how
// it was derived" } or { not_applicable = "why" }.
//
// Every fault of a file is reported at once, with its line; a file with a fault
// gives no record. [Incomplete] says what a record lacks of the benchmark line.
//
// # Limits
//
// The lines of faults are found by reading the file line by line: a key inside
// of an inline table has the table's line. One figure of each metric fits into a
// record; two runs are two records.
package recovered

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/tomlfile"
)

// Version is the version of what this adapter makes of a file.
const Version = 3

// mostBytes is the largest file that is read. A person types less.
const mostBytes = 4 << 20

// Adapter reads recovered records. The zero Adapter is ready to use.
type Adapter struct{}

var (
	_ adapter.Adapter = Adapter{}
	_ adapter.Chosen  = Adapter{}
)

// ID is "recovered" and [Version].
func (Adapter) ID() adapter.ID { return adapter.ID{Name: "recovered", Version: Version} }

// Sniff claims a TOML file that has [[record]], or a class and a family before
// its first table. That the rest is right is not its question: a file that was
// meant as a record is to be refused with its faults, not as unknown.
func (Adapter) Sniff(prefix []byte, _ string) adapter.Match {
	m := adapter.Match{Want: `TOML with [[record]], or with "class" and "family" at its top`}
	var class, family, inTable bool
	if !bytes.Contains(prefix, []byte("[[record]]")) && !bytes.Contains(prefix, []byte("class")) { // most files, without long reading
		return m
	}
	for line := range strings.Lines(string(prefix)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "[[record]]"):
			m.Is = true
			return m
		case strings.HasPrefix(line, "["):
			inTable = true
		case inTable:
		default:
			key, _, ok := strings.Cut(line, "=")
			class = class || ok && strings.TrimSpace(key) == "class"
			family = family || ok && strings.TrimSpace(key) == "family"
		}
	}
	m.Is = class && family
	return m
}

// Chosen reports whether a file was put among the records, as *.toml, and is not
// TOML: then it is refused with the line of its fault, however little of a record
// [Adapter.Sniff] finds in it.
func (Adapter) Chosen(s adapter.Source) (bool, error) {
	name := s.Path(s.Name)
	if s.IsDir || !strings.HasPrefix(name, "records/") || path.Ext(name) != ".toml" {
		return false, nil
	}
	src, err := readAll(s)
	if err != nil {
		return false, err
	}
	_, err = tomlfile.Parse(name, src)
	return err != nil, nil
}

// Read yields the records of one file. The error is [tomlfile.Faults] when something in
// it is not right.
func (a Adapter) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	src, err := readAll(s)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(src)
	name := s.Path(s.Name)
	records, at, err := parse(name, src)
	if err != nil {
		return nil, &adapter.RefusedError{Why: err.Error(), Hint: "nothing of the file was taken; mend it and ingest again", Err: err}
	}
	file := evidence.File{Name: path.Base(name), Path: name, Bytes: int64(len(src)), SHA256: hex.EncodeToString(sum[:]), What: "the record as it was written down, TOML"}
	var found []adapter.Diagnostic
	for i, r := range records {
		a.provenance(&r, file)
		sealed, err := evidence.SealLine(r)
		if err != nil {
			return nil, &adapter.RefusedError{Why: fmt.Sprintf("%s:%d: record %s: %s", name, at[i], r.Slug, strings.ReplaceAll(err.Error(), "\n", "; ")), Err: err}
		}
		found = append(found, diagnostics(sealed.Record(), name, at[i])...)
		if err := sink(sealed); err != nil {
			return found, err
		}
	}
	return found, nil
}

func readAll(s adapter.Source) ([]byte, error) {
	f, err := s.Open()
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", s.Path(s.Name), err)
	}
	defer f.Close() //nolint:errcheck // only read from
	src, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.Path(s.Name), err)
	}
	if len(src) > mostBytes {
		return nil, &adapter.RefusedError{Why: fmt.Sprintf("the file is larger than %d bytes", mostBytes), Hint: "a record that was written down by hand is smaller; is it one?"}
	}
	return src, nil
}

// provenance adds the file itself to the register and to the downloads.
func (a Adapter) provenance(r *evidence.Record, f evidence.File) {
	for i := range r.Sources {
		r.Sources[i].Adapter = a.ID().String()
	}
	r.Sources = append(r.Sources, evidence.Source{
		Name: "record file " + f.Name, Supports: "the wording of this record: figures and gaps as they were written down from the sources above",
		Published: evidence.NotApplicable[string]("it is part of this site"), Reviewed: evidence.NotApplicable[string]("see the sources that it was written from"),
		Licence: evidence.NotApplicable[string]("it is part of this site"), File: f.Name, SHA256: f.SHA256, Adapter: a.ID().String(),
	})
	r.Files = []evidence.File{f}
}

// diagnostics say, in one line, which groups of the benchmark line a record has
// gaps in.
func diagnostics(r evidence.Record, file string, line int) []adapter.Diagnostic {
	groups := Incomplete(r)
	if len(groups) == 0 {
		return nil
	}
	var parts []string
	for _, g := range groups {
		parts = append(parts, g.Name+" ("+strings.Join(g.Missing, ", ")+")")
	}
	return []adapter.Diagnostic{{File: file, Line: int64(line),
		Msg: fmt.Sprintf("record %s: %d of 5 groups incomplete; not stated: %s", r.Slug, len(groups), strings.Join(parts, "; "))}}
}

// IsFaults reports whether an error is about what a record file says, and
// returns its faults.
func IsFaults(err error) (tomlfile.Faults, bool) {
	var fs tomlfile.Faults
	return fs, errors.As(err, &fs)
}
