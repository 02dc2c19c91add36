package ingest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"benchline/ingest"
	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// fake is an adapter of folders with a file head.txt, "fake ID\n", and a file
// data.txt, "family group rate\n". It counts how often it read.
type fake struct {
	version int
	reads   *atomic.Int64
}

func (f fake) ID() adapter.ID { return adapter.ID{Name: "fake", Version: f.version} }

func (fake) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Is: bytes.HasPrefix(prefix, []byte("fake ")), Want: `"fake" at the start`}
}

func (fake) Heads() []string { return []string{"head.txt"} }

func (fake) Identify(s adapter.Source) (string, error) {
	b, err := os.ReadFile(s.FilePath())
	return strings.TrimSuffix(strings.TrimPrefix(string(b), "fake "), "\n"), err
}

func (fake) Files(adapter.Source) ([]string, error) { return []string{"data.txt", "head.txt"}, nil }

func (f fake) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	id, err := f.Identify(s)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(s.Dir, "data.txt"))
	if err != nil {
		return nil, err
	}
	f.reads.Add(1)
	var family, group string
	var rate float64
	if n, err := fmt.Sscanf(string(data), "%s %s %f\n", &family, &group, &rate); n != 3 {
		return nil, &adapter.RefusedError{Why: "the data is not whole", Hint: "mend it", Err: err}
	}
	r := evidence.Unstated("file")
	r.Slug, r.Title, r.Class, r.Kind, r.Family, r.Summary = id, id, evidence.RawArchive, evidence.RunRecord, family, group
	if slug, ok := strings.CutPrefix(group, "slug="); ok {
		r.Slug = slug
	}
	r.Values = []evidence.Value{evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact, X: rate}, "as found", "file")}
	r.Sources = f.sources(s.Path("data.txt"), data)
	sealed, err := evidence.SealLine(r)
	if err != nil {
		return nil, err
	}
	return []adapter.Diagnostic{{File: s.Path("data.txt"), Row: 1, Msg: "a warning"}}, sink(sealed)
}

func (f fake) sources(file string, data []byte) []evidence.Source {
	sum, none := sha256.Sum256(data), evidence.NotStated[string]("file")
	return []evidence.Source{{Name: "fake", Supports: "the rate", File: file, SHA256: hex.EncodeToString(sum[:]), Adapter: f.ID().String(), Published: none, Reviewed: none, Licence: none}}
}

func (fake) Group(r evidence.Record) (string, error) {
	if strings.HasPrefix(r.Summary, "g") {
		return r.Summary, nil
	}
	return "", nil
}

func (f fake) Combine(group []evidence.Record) (evidence.Sealed, error) {
	if group[0].Summary == "gbad" {
		return evidence.Sealed{}, errors.New("they do not go together")
	}
	r := evidence.Unstated("file")
	r.Slug, r.Title, r.Class, r.Kind, r.Family = "all-"+group[0].Summary, "All", evidence.RawArchive, evidence.RepeatsRecord, group[0].Family
	for _, m := range group {
		r.Members = append(r.Members, evidence.Member{ID: m.ID, Slug: m.Slug})
	}
	r.Sources = f.sources("members", nil)
	return evidence.SealLine(r)
}

// place is a site under test.
type place struct {
	t     *testing.T
	dir   string
	reads atomic.Int64
	opts  ingest.Options
}

func newPlace(t *testing.T) *place {
	p := &place{t: t, dir: t.TempDir()}
	p.version(1)
	return p
}

func (p *place) version(v int) {
	p.t.Helper()
	r, err := adapter.NewRegistry(fake{v, &p.reads})
	if err != nil {
		p.t.Fatal(err)
	}
	p.opts.Registry = r
}

func (p *place) write(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// run writes a run folder.
func (p *place) run(folder, id, data string) {
	p.t.Helper()
	p.write(folder+"/head.txt", "fake "+id+"\n")
	p.write(folder+"/data.txt", data+"\n")
}

func (p *place) ingest(paths ...string) ingest.Report {
	p.t.Helper()
	p.reads.Store(0)
	r, err := ingest.Site(p.t.Context(), p.dir, paths, p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// evidence is the content of all files of the evidence folder, by name.
func (p *place) evidence() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(filepath.Join(p.dir, "evidence"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(p.dir, "evidence", e.Name()))
		if err != nil {
			p.t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}

func (p *place) slugs() string {
	p.t.Helper()
	records, err := ingest.Records(p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	var out []string
	for _, r := range records {
		out = append(out, r.Slug)
	}
	return strings.Join(out, " ")
}

// refused holds that the refusals are these, each "path: part of why".
func (p *place) refused(r ingest.Report, want ...string) {
	p.t.Helper()
	if len(r.Refused) != len(want) {
		p.t.Errorf("refused %v, want %d", r.Refused, len(want))
		return
	}
	for i, w := range want {
		path, why, _ := strings.Cut(w, ": ")
		if r.Refused[i].Path != path || !strings.Contains(r.Refused[i].String(), why) {
			p.t.Errorf("refused %q, want %q", r.Refused[i], w)
		}
	}
}
