package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/recovered"
	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

// recordsFile holds all evidence of a site.
const recordsFile = "data/records.jsonl"

// readRecords reads and checks the evidence.
func (v *verifier) readRecords(context.Context) error {
	f, err := os.Open(v.path(recordsFile))
	if errors.Is(err, fs.ErrNotExist) {
		v.mismatch(recordsFile, "is missing: there is nothing to hold the pages against")
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read from
	for r, err := range evidence.Decode(recordsFile, f) {
		if err != nil {
			v.mismatch(recordsFile, "%s", strings.TrimPrefix(err.Error(), recordsFile+":"))
			break
		}
		if _, twice := v.records[r.Slug]; twice {
			v.mismatch(recordsFile, "two records are named %s", r.Slug)
			continue
		}
		v.records[r.Slug] = &r
		v.slugs = append(v.slugs, r.Slug)
		v.report.Records++
	}
	return nil
}

// recompute makes every record again that can be.
func (v *verifier) recompute(ctx context.Context) error {
	return each(ctx, v.slugs, func(slug string) error {
		r := v.records[slug]
		v.beside(r)
		again, err := v.again(ctx, r)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errQuoted):
			if again, ok := v.anew[slug]; ok {
				v.reread(r, again)
				return nil
			}
			v.count(&v.report.Quoted, 1)
			return nil
		case err == nil && isWrittenDown(r):
			v.reread(r, again)
			return nil
		case err != nil:
			v.mismatch(recordsFile, "record %s can't be recomputed: %v", slug, err)
			return nil
		}
		v.compare(r, again)
		return nil
	})
}

// errQuoted says that a record has no log that it could be made from.
var errQuoted = errors.New("quoted, not recomputable")

// again makes a record from what lies beside it.
func (v *verifier) again(ctx context.Context, r *evidence.Record) (evidence.Record, error) {
	if r.Kind == evidence.RepeatsRecord {
		return v.fromMembers(r)
	}
	if isWrittenDown(r) {
		return v.fromRecordFile(ctx, r)
	}
	unit, ok := runOf(r)
	if !ok {
		return evidence.Record{}, errQuoted
	}
	if by := r.Sources[0].Adapter; by != (own.Adapter{}).ID().String() {
		return evidence.Record{}, fmt.Errorf("it was made by reader %q; this program has %q", by, own.Adapter{}.ID())
	}
	for _, f := range r.Files {
		if got, err := v.hash(dataPath(f.Path)); err != nil || got != f.SHA256 {
			return evidence.Record{}, fmt.Errorf("%s is not the file that the record names (%w)", dataPath(f.Path), cmp.Or(err, errors.New("its SHA-256 is "+got)))
		}
	}
	var out []evidence.Record
	src := adapter.Source{Unit: unit, Dir: v.path(dataPath(unit)), Name: reqlog.ManifestName, IsDir: true}
	_, err := own.Adapter{}.Read(ctx, src, func(s evidence.Sealed) error {
		out = append(out, s.Record())
		return nil
	})
	if err != nil {
		return evidence.Record{}, err
	}
	if len(out) != 1 {
		return evidence.Record{}, fmt.Errorf("its log gives %d records", len(out))
	}
	return out[0], nil
}

// isWrittenDown reports whether a person wrote the record down, in a file that
// lies beside it.
func isWrittenDown(r *evidence.Record) bool {
	id := recovered.Adapter{}.ID().Name
	for _, s := range r.Sources {
		if name, _, _ := strings.Cut(s.Adapter, " "); name == id && len(r.Files) == 1 {
			return true
		}
	}
	return false
}

// fromRecordFile reads a record again from the file in which it was written down.
func (v *verifier) fromRecordFile(ctx context.Context, r *evidence.Record) (evidence.Record, error) {
	if by := r.Sources[0].Adapter; by != (recovered.Adapter{}).ID().String() {
		return evidence.Record{}, fmt.Errorf("it was made by reader %q; this program has %q", by, recovered.Adapter{}.ID())
	}
	f := r.Files[0]
	at := v.path(dataPath(f.Path))
	src := adapter.Source{Unit: f.Path, Dir: filepath.Dir(at), Name: filepath.Base(at)}
	var out []evidence.Record
	_, err := recovered.Adapter{}.Read(ctx, src, func(s evidence.Sealed) error {
		if x := s.Record(); x.Slug == r.Slug {
			out = append(out, x)
		}
		return nil
	})
	if err != nil {
		return evidence.Record{}, err
	}
	if len(out) != 1 {
		return evidence.Record{}, fmt.Errorf("%s does not hold it", dataPath(f.Path))
	}
	return out[0], nil
}

// reread holds a record against its file. Its figures stay quoted: what they
// were computed from is not here.
func (v *verifier) reread(r *evidence.Record, again evidence.Record) {
	v.count(&v.report.Quoted, 1)
	if r.ID == again.ID {
		v.count(&v.report.Reread, 1)
		return
	}
	v.differ(r, again)
}

// runOf is the folder of the run that a record was made from, below the site
// folder, if it has one.
func runOf(r *evidence.Record) (string, bool) {
	for _, f := range r.Files {
		if f.Name == reqlog.RequestsName {
			return path.Dir(f.Path), true
		}
	}
	return "", false
}

// dataPath is where a path below the site folder lies in the built site.
func dataPath(name string) string {
	if rest, ok := strings.CutPrefix(name, "logs/"); ok {
		return "data/runs/" + rest
	}
	return "data/files/" + name
}

// fromMembers makes a summary again.
func (v *verifier) fromMembers(r *evidence.Record) (evidence.Record, error) {
	var members []evidence.Record
	for _, m := range r.Members {
		member, ok := v.records[m.Slug]
		if !ok || member.ID != m.ID {
			return evidence.Record{}, fmt.Errorf("its member %s (%s) is not among the records", m.Slug, m.ID)
		}
		members = append(members, *member)
	}
	slices.SortFunc(members, func(a, b evidence.Record) int { return cmp.Compare(a.Slug, b.Slug) })
	sealed, err := own.Adapter{}.Combine(members)
	return sealed.Record(), err
}

// compare holds a record against the one that was made again.
func (v *verifier) compare(r *evidence.Record, again evidence.Record) {
	if v.differ(r, again) {
		return
	}
	v.count(&v.report.Recomputed, 1)
	v.count(&v.report.Numbers, numbers(r))
}

// differ reports whether two records differ, with everything that does.
func (v *verifier) differ(r *evidence.Record, again evidence.Record) bool {
	stored, err := evidence.Line(*r)
	if err != nil {
		v.mismatch(recordsFile, "record %s: %v", r.Slug, err)
		return true
	}
	made, err := evidence.Line(again)
	if err != nil {
		v.mismatch(recordsFile, "record %s, made again: %v", r.Slug, err)
		return true
	}
	if bytes.Equal(stored, made) {
		return false
	}
	for _, d := range differences(stored, made) {
		v.mismatch(recordsFile, "record %s: %s", r.Slug, d)
	}
	return true
}

// numbers counts the figures of a record.
func numbers(r *evidence.Record) int {
	n := 0
	for _, val := range r.Values {
		if val.Amount.Kind == evidence.Exact || val.Amount.Kind == evidence.AtLeast {
			n++
		}
	}
	return n
}

// beside holds the record's own download against the record.
func (v *verifier) beside(r *evidence.Record) {
	name := "data/records/" + r.Slug + ".json"
	b, err := os.ReadFile(v.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		v.mismatch(name, "is missing")
		return
	}
	if err != nil {
		v.mismatch(name, "%v", err)
		return
	}
	line, err := evidence.Line(*r)
	switch {
	case err != nil:
		v.mismatch(name, "%v", err)
	case !bytes.Equal(bytes.TrimSuffix(b, []byte("\n")), line):
		v.mismatch(name, "is not the record that %s has", recordsFile)
	}
}
