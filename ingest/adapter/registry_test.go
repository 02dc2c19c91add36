package adapter_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/adapter"
)

// fake claims files that begin with a mark.
type fake struct {
	name string
	mark string
}

func (f fake) ID() adapter.ID { return adapter.ID{Name: f.name, Version: 1} }

func (f fake) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Is: bytes.HasPrefix(prefix, []byte(f.mark)), Want: "the mark " + f.mark}
}

func (f fake) Read(context.Context, adapter.Source, adapter.Sink) ([]adapter.Diagnostic, error) {
	return nil, nil
}

func TestRegistryRefuses(t *testing.T) {
	for name, as := range map[string][]adapter.Adapter{
		"two of a name": {fake{"a", "x"}, fake{"b", "x"}, fake{"a", "y"}},
		"no name":       {fake{"", "x"}},
		"no slug":       {fake{"My Tool", "x"}},
	} {
		if _, err := adapter.NewRegistry(as...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRegistryIsSorted(t *testing.T) {
	r, err := adapter.NewRegistry(fake{"c", "1"}, fake{"a", "2"}, fake{"b", "3"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.All() {
		got = append(got, a.ID().String())
	}
	if s := strings.Join(got, ","); s != "a 1,b 1,c 1" {
		t.Errorf("got %s, want a, b, c", s)
	}
	if a, ok := r.Lookup("b"); !ok || a.ID().Name != "b" {
		t.Errorf("Lookup(b) = %v, %t", a, ok)
	}
	if _, ok := r.Lookup("d"); ok {
		t.Error("an adapter that is not there was found")
	}
}

func TestPick(t *testing.T) {
	r, err := adapter.NewRegistry(fake{"vegeta", "xy"}, fake{"own", "x"}, fake{"other", "z"})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := r.Pick([]byte("z…"), "f"); err != nil || a.ID().Name != "other" {
		t.Errorf("Pick(z) = %v, %v", a, err)
	}
	_, err = r.Pick([]byte("xyz"), "f")
	var ambiguous *adapter.AmbiguousError
	if !errors.As(err, &ambiguous) || !strings.Contains(err.Error(), "own and vegeta") {
		t.Errorf("Pick(xyz): got %v, want an error naming both", err)
	}
	_, err = r.Pick([]byte("?"), "f")
	if !adapter.IsUnknown(err) {
		t.Errorf("Pick(?): got %v, want an unknown format", err)
	}
	unknown, _ := errors.AsType[*adapter.UnknownError](err)
	want := []adapter.Looked{{Adapter: "other", For: "the mark z"}, {Adapter: "own", For: "the mark x"}, {Adapter: "vegeta", For: "the mark xy"}}
	if !slices.Equal(unknown.Looked, want) {
		t.Errorf("looked for %v, want %v", unknown.Looked, want)
	}
	if got := err.Error(); got != `unknown format: text that begins with "?"` {
		t.Errorf("got %q", got)
	}
}

func TestSourcePaths(t *testing.T) {
	dir := adapter.Source{Unit: "logs/r1", Dir: "/somewhere", Name: "manifest.json", IsDir: true}
	if got := dir.Path("requests.parquet"); got != "logs/r1/requests.parquet" {
		t.Errorf("got %s", got)
	}
	file := adapter.Source{Unit: "imports/x/result.json", Dir: "/somewhere", Name: "result.json"}
	if got := file.Path(file.Name); got != "imports/x/result.json" {
		t.Errorf("got %s", got)
	}
}

func TestRefused(t *testing.T) {
	beneath := errors.New("beneath")
	err := error(&adapter.RefusedError{Why: "the run is not complete", Hint: "do this", Err: beneath})
	if err.Error() != "the run is not complete" || !errors.Is(err, beneath) {
		t.Errorf("got %q", err)
	}
	if got := (&adapter.RefusedError{Err: beneath}).Error(); got != "beneath" {
		t.Errorf("got %q", got)
	}
}
