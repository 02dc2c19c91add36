package foreign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"strconv"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/consistency"
	"benchline/ingest/evidence"
	"benchline/ingest/limits"
)

// ImportsDir is the folder of a site in which foreign files lie.
const ImportsDir = "imports"

// File is a foreign file while it is read: its bytes are hashed on their way.
type File struct {
	Source adapter.Source
	Import Import
	f      io.ReadCloser
	sum    hash.Hash
	n      int64
	words  []adapter.Definition
}

// Open opens a source's file and the import.toml beside it, if there is one.
func Open(s adapter.Source) (*File, error) {
	imp, err := ReadImport(s)
	if err != nil {
		return nil, err
	}
	f, err := s.Open()
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", s.Path(s.Name), err)
	}
	return &File{Source: s, Import: imp.of(s.Name), f: f, sum: sha256.New()}, nil
}

// Read reads and hashes.
func (f *File) Read(b []byte) (int, error) {
	n, err := f.f.Read(b)
	f.sum.Write(b[:n])
	f.n += int64(n)
	return n, err
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Finish reads what was not read, so that the hash is of the whole file.
func (f *File) Finish() error {
	if _, err := io.Copy(io.Discard, f); err != nil {
		return fmt.Errorf("reading %s: %w", f.Source.Path(f.Source.Name), err)
	}
	return nil
}

// Name is the file's path as records and diagnostics name it.
func (f *File) Name() string { return f.Source.Path(f.Source.Name) }

// Draft is a record in the making. Only what the file states goes into it.
type Draft struct {
	Record      evidence.Record
	Diagnostics []adapter.Diagnostic
	tool        string
	file        string
	missing     string
	words       []adapter.Definition
}

// usualValues is how many figures most files have.
const usualValues = 16

// NewDraft is a record of which nothing is stated. Tool is the tool's name for
// people; the gaps' reason says that its file does not say.
func NewDraft(f *File, tool string) *Draft {
	missing := "the " + tool + " file does not say"
	r := evidence.Unstated(missing)
	r.Kind = evidence.RunRecord
	r.Values = make([]evidence.Value, 0, usualValues)
	return &Draft{Record: r, tool: tool, file: f.Name(), missing: missing, words: f.words}
}

// Missing is the reason of gaps that have no other.
func (d *Draft) Missing() string { return d.missing }

// Note adds a diagnostic about a line; 0: about the file.
func (d *Draft) Note(line int64, msg string) {
	if len(d.Diagnostics) < mostDiagnostics {
		d.Diagnostics = append(d.Diagnostics, adapter.Diagnostic{File: d.file, Line: line, Msg: printable(msg)})
	}
}

// where says where in the file a value stands.
func where(key string) string { return "“" + key + "” in the file" }

// Text is a text of the file.
func (d *Draft) Text(key string, n Node) evidence.Known[string] {
	if s, ok := n.String(); ok {
		return evidence.Stated(Clean(s), where(key))
	}
	if n.Kind == Number || n.Kind == Bool {
		return evidence.Stated(n.Text, where(key))
	}
	return evidence.NotStated[string](d.gap(key, n))
}

// Count is a whole number of the file that is not negative.
func (d *Draft) Count(key string, n Node) evidence.Known[int64] {
	i, ok := n.Int()
	switch {
	case ok && i >= 0:
		return evidence.Stated(i, where(key))
	case n.Has() && n.Kind != NotFinite:
		d.Note(n.Line, fmt.Sprintf("%s is %q, which is no count", key, n.Text))
	}
	return evidence.NotStated[int64](d.gap(key, n))
}

// Float is a number of the file.
func (d *Draft) Float(key string, n Node) evidence.Known[float64] {
	if x, ok := n.Float(); ok {
		return evidence.Stated(x, where(key))
	}
	d.numeric(key, n)
	return evidence.NotStated[float64](d.gap(key, n))
}

// gap is why there is no value.
func (d *Draft) gap(key string, n Node) string {
	switch n.Kind {
	case Absent:
		return fmt.Sprintf("the %s file has no “%s”", d.tool, key)
	case Null:
		return fmt.Sprintf("“%s” is null in the file", key)
	case Bool, Number, NotFinite, Text, List, Object:
		return fmt.Sprintf("“%s” is %s in the file, which is no value", key, strconv.Quote(printable(short(n.Text))))
	}
	return ""
}

// Fact keeps a value of the file that has no place in a record, word for word.
// Lists and objects are left out.
func (d *Draft) Fact(key string, n Node) {
	if !n.Has() || n.Kind == List || n.Kind == Object || n.Kind == NotFinite || strings.TrimSpace(n.Text) == "" {
		return
	}
	d.FactText(key, Clean(n.Text), where(key))
}

// FactText keeps a text as a fact.
func (d *Draft) FactText(key, text, place string) {
	d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: key, Label: d.tool + ": " + key, Value: evidence.Stated(text, place)})
}

// mostFact is the longest text of a file that a record keeps, in bytes.
const mostFact = 500

func short(s string) string {
	if len(s) > mostFact {
		return strings.ToValidUTF8(s[:mostFact], "") + "…"
	}
	return s
}

// Clean is a text of a file as it may stand in a record: on one line, not long,
// without characters that can't be shown.
func Clean(s string) string { return short(strings.Join(strings.Fields(printable(s)), " ")) }

// Seal finishes the record: names, class, what import.toml adds, consistency
// notes, provenance. Part tells several records of one file apart; empty: there
// is but one. The file must have been read whole ([File.Finish]).
func (d *Draft) Seal(f *File, id adapter.ID, part, title string) (evidence.Sealed, error) {
	r := d.Record
	if err := d.name(&r, f, part, title); err != nil {
		return evidence.Sealed{}, err
	}
	for _, note := range f.Import.fill(&r) {
		d.Note(0, note)
	}
	evidence.SortValues(r.Values)
	for i := range r.Values {
		r.Values[i].Cache = r.State.Cache
	}
	sum := hex.EncodeToString(f.sum.Sum(nil))
	// A draft may have sources of its own: files that were read beside this one.
	r.Sources = append([]evidence.Source{f.Import.source(f, sum, id)}, r.Sources...)
	if f.Import.Publish {
		r.Files = []evidence.File{{Name: path.Base(f.Name()), Path: f.Name(), Bytes: f.n, SHA256: sum, What: "the file as " + d.tool + " wrote it"}}
	}
	sealed, err := evidence.SealLine(consistency.Apply(r))
	if err != nil {
		return evidence.Sealed{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return sealed, nil
}

// name gives the record its page name, title, class and family. The page name
// is made of the file's path, which is what tells two files apart whatever they
// say of themselves.
func (d *Draft) name(r *evidence.Record, f *File, part, title string) error {
	at := strings.TrimPrefix(f.Name(), ImportsDir+"/")
	name := at
	if f.Import.Name != "" {
		name = f.Import.Name
	}
	if part != "" {
		name += "#" + part
	}
	var err error
	if r.Slug, err = evidence.Slug(name); err != nil {
		return &adapter.RefusedError{Why: "its name can't be that of a page: " + err.Error()}
	}
	r.Title = Clean(title)
	if f.Import.Title != "" {
		r.Title = f.Import.Title
	}
	r.Class, r.Family = evidence.Imported, f.Import.Family
	if f.Import.Class != "" {
		r.Class = evidence.Class(f.Import.Class)
	}
	if r.Family == "" {
		r.Family = path.Dir(at)
		if r.Family == "." {
			r.Family = d.tool
		}
	}
	r.Limits = append(r.Limits, limits.SimulatedEndpoint(r.Class == evidence.Simulated).Record()...)
	return nil
}
