package adaptertest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
	"benchline/ingest/evidence"
)

// toy reads files of the form "toy\nrate=144\n". Its wrong field breaks it in one way.
type toy struct{ wrong string }

func (a toy) ID() adapter.ID {
	if a.wrong == "version" {
		return adapter.ID{Name: "toy"}
	}
	return adapter.ID{Name: "toy", Version: 1}
}

func (a toy) Sniff(prefix []byte, name string) adapter.Match {
	switch a.wrong {
	case "claims all":
		return adapter.Match{Is: true, Want: "anything"}
	case "claims none":
		return adapter.Match{Want: "nothing"}
	case "says nothing":
		return adapter.Match{Is: strings.HasPrefix(string(prefix), "toy\n")}
	case "sniff panics":
		return adapter.Match{Is: prefix[3] == '\n', Want: "a fourth byte"}
	case "writes":
		if len(prefix) > 0 {
			prefix[0] ^= 1
		}
	}
	return adapter.Match{Is: strings.HasPrefix(string(prefix), "toy\n"), Want: `"toy" on the first line`}
}

func (a toy) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	if ctx.Err() != nil && a.wrong != "goes on" {
		return nil, ctx.Err()
	}
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(text), "\n")
	if a.wrong == "panics" {
		_ = lines[1]
	}
	if lines[0] != "toy" || len(lines) != 3 || lines[2] != "" {
		return nil, errors.New("not whole")
	}
	number, ok := strings.CutPrefix(lines[1], "rate=")
	x, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil {
		return nil, errors.New("no rate")
	}
	r, err := evidence.SealLine(a.record(s, text, number, x))
	if err != nil {
		return nil, err
	}
	if a.wrong == "not sealed" {
		r.Record().Values[0].Rule += "!"
	}
	if a.wrong == "no record" {
		return nil, nil
	}
	if err := sink(r); err != nil && a.wrong != "eats errors" {
		return nil, err
	}
	return nil, nil
}

func (a toy) record(s adapter.Source, text []byte, number string, x float64) evidence.Record {
	sum := sha256.Sum256(text)
	r := blank()
	r.Sources = []evidence.Source{{Name: "toy file", Supports: "the rate", File: s.Name, SHA256: hex.EncodeToString(sum[:]), Adapter: a.ID().String(),
		Published: evidence.NotStated[string]("file"), Reviewed: evidence.NotStated[string]("file"), Licence: evidence.NotStated[string]("file")}}
	r.Values[0].Amount.X = x
	r.Values[0].Original = &evidence.Original{Number: number, Unit: "tokens/s", Key: "rate"}
	switch a.wrong {
	case "default":
		r.Outcomes.Failed = evidence.Stated[int64](0, "assumed")
	case "no source":
		r.Sources[0].Adapter = "somebody"
	case "no original":
		r.Values[0].Original = nil
	case "place":
		r.Summary = s.Dir
	case "clock":
		r.Summary = hex.EncodeToString([]byte(os.TempDir())) + strconv.Itoa(os.Getpid()) + counter()
	}
	return r
}

func TestAGoodAdapterPasses(t *testing.T) {
	adaptertest.Run(t, suite(t, ""))
}

func TestEachFaultIsFound(t *testing.T) {
	for wrong, want := range map[string]string{
		"version":      "version at least 1",
		"claims all":   "another format is claimed",
		"claims none":  "own sample is not claimed",
		"says nothing": "does not say what it looks for",
		"sniff panics": "panic",
		"writes":       "changed the bytes",
		"goes on":      "ended context did not stop",
		"panics":       "panic",
		"no record":    "no record came out",
		"eats errors":  "sink's error was not returned",
		"default":      "outcomes.failed is \"stated\"",
		"no source":    "names no source",
		"no original":  "neither a numerator nor the original",
		"place":        "another folder gives other records",
		"clock":        "reading it again gives other records",
		"not sealed":   "changed afterwards",
	} {
		t.Run(wrong, func(t *testing.T) {
			faults := strings.Join(adaptertest.Check(t.Context(), suite(t, wrong), t.TempDir()), "\n")
			if !strings.Contains(faults, want) {
				t.Errorf("got\n%s\nwant a fault with %q", faults, want)
			}
		})
	}
	if faults := adaptertest.Check(t.Context(), adaptertest.Suite{Adapter: toy{}}, t.TempDir()); len(faults) == 0 {
		t.Error("a suite without samples passes")
	}
}

func suite(t *testing.T, wrong string) adaptertest.Suite {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.toy": "toy\nrate=144\n", "other.json": `{"tool":"other"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return adaptertest.Suite{
		Adapter: toy{wrong},
		Samples: []adaptertest.Sample{{Source: adapter.Source{Unit: "imports/a.toy", Dir: dir, Name: "a.toy"}, Gaps: []string{"outcomes.failed", "subject.model"}}},
		Others:  []adapter.Source{{Unit: "imports/other.json", Dir: dir, Name: "other.json"}},
	}
}

var calls int

func counter() string { calls++; return strconv.Itoa(calls) }

// blank is a record of which nothing is stated but one rate.
func blank() evidence.Record {
	r := evidence.Unstated("file")
	r.Slug, r.Title, r.Class, r.Kind, r.Family = "toy", "Toy", evidence.RawArchive, evidence.RunRecord, "toys"
	r.Values = []evidence.Value{evidence.UnstatedValue("output_token_rate", evidence.Amount{Kind: evidence.Exact}, "as the file has it", "file")}
	return r
}
