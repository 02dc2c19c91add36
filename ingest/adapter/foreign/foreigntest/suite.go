package foreigntest

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/adaptertest"
)

// Suite is what the tests of every format have in common: that it conforms, that
// it gives what was read and found right (the goldens), and that it claims no
// sample of another tool.
type Suite struct {
	Format  adapter.Adapter
	Samples []Case
	// Gaps are what no sample states: see [adaptertest.Sample].
	Gaps []string
	// Others are files that are not of the format, besides all samples of other
	// tools.
	Others []adapter.Source
}

// Case is one sample of a format.
type Case struct {
	File   string // "TOOL/VERSION/file", below testdata/foreign
	Golden string // the name of testdata/NAME.golden
	Gaps   []string
}

// Sources are the samples.
func (s Suite) Sources() []adapter.Source {
	var out []adapter.Source
	for _, c := range s.Samples {
		out = append(out, Sample(c.File))
	}
	return out
}

// Run runs the conformance suite and compares the goldens.
func (s Suite) Run(t *testing.T) {
	t.Helper()
	suite := adaptertest.Suite{Adapter: s.Format, Others: append(s.strangers(t), s.Others...)}
	for _, c := range s.Samples {
		suite.Samples = append(suite.Samples, adaptertest.Sample{Source: Sample(c.File), Gaps: append(c.Gaps, s.Gaps...)})
	}
	t.Run("conformance", func(t *testing.T) { adaptertest.Run(t, suite) })
	for _, c := range s.Samples {
		if c.Golden != "" {
			t.Run(c.Golden, func(t *testing.T) { Golden(t, s.Format, Sample(c.File), c.Golden) })
		}
	}
}

// Fuzz feeds the format whatever the fuzzer thinks of, beginning with the samples.
func (s Suite) Fuzz(f *testing.F, name string) {
	f.Helper()
	Fuzz(f, s.Format, name, s.Sources()...)
}

// strangers are the samples of all other tools.
func (s Suite) strangers(t *testing.T) []adapter.Source {
	t.Helper()
	own := map[string]bool{}
	for _, c := range s.Samples {
		tool, _, _ := strings.Cut(c.File, "/")
		own[tool] = true
	}
	var out []adapter.Source
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README.md" || d.Name() == "import.toml" {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if tool, _, _ := strings.Cut(name, "/"); !own[tool] {
			out = append(out, Sample(name))
		}
		return nil
	})
	if err != nil || len(out) < 10 {
		t.Fatalf("looking for samples of other tools: %d, %v", len(out), err)
	}
	return out
}
