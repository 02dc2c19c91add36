package foreign

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// ImportName is the file in which a person says what the foreign files beside
// it do not.
const ImportName = "import.toml"

// mostImport is the largest import.toml that is read, in bytes.
const mostImport = 1 << 20

// Import is what import.toml says. What a file states itself stands: import.toml
// only fills gaps, and a contradiction is noted.
type Import struct {
	// Who ran it.
	Who string `toml:"who"`
	// Class is the evidence class; without it the records are of class
	// [evidence.Imported].
	Class  string `toml:"class"`
	Family string `toml:"family"`
	// Name and Title are the record's page name and title, for a single file.
	Name  string `toml:"name"`
	Title string `toml:"title"`
	// Publish: the file itself is offered as a download beside the page. It is
	// not by default: result files may hold prompts, answers and addresses, and
	// may not be ours to publish.
	Publish  bool           `toml:"publish"`
	Source   ImportSource   `toml:"source"`
	Subject  ImportSubject  `toml:"subject"`
	Workload ImportWorkload `toml:"workload"`
	Load     ImportLoad     `toml:"load"`
	State    ImportState    `toml:"state"`
	Fact     []ImportFact   `toml:"fact"`
	// Units state units that a file leaves out, by its key: "ttft" = "ms".
	Units map[string]string `toml:"units"`
	// Table and JSON are the mappings of a plain table and of JSON that no tool
	// wrote, read by the adapter of mapped files.
	Table map[string]any `toml:"table"`
	JSON  map[string]any `toml:"json"`
	// Files holds the same keys for single files, by name.
	Files map[string]Import `toml:"files"`
}

// ImportSource is where the files come from.
type ImportSource struct {
	Name      string `toml:"name"`
	URL       string `toml:"url"`
	Published string `toml:"published"`
	Reviewed  string `toml:"reviewed"`
	Licence   string `toml:"licence"`
}

// ImportSubject is what was measured.
type ImportSubject struct {
	Profile       string `toml:"profile"`
	ProfileNote   string `toml:"profile_note"`
	Model         string `toml:"model"`
	ModelRevision string `toml:"model_revision"`
	Tokenizer     string `toml:"tokenizer"`
	Engine        string `toml:"engine"`
	EngineVersion string `toml:"engine_version"`
	Precision     string `toml:"precision"`
	Parallelism   string `toml:"parallelism"`
	Hardware      string `toml:"hardware"`
	Accelerators  int64  `toml:"accelerators"`
	Quality       string `toml:"quality"`
	Started       string `toml:"started"`
	Tool          string `toml:"tool"` // client and version
}

// ImportWorkload is what was asked.
type ImportWorkload struct {
	InputTokensAsked  int64  `toml:"input_tokens_asked"`
	OutputTokensAsked int64  `toml:"output_tokens_asked"`
	Prompts           string `toml:"prompts"`
}

// ImportLoad is the offered load, where the file does not say.
type ImportLoad struct {
	Concurrency int64  `toml:"concurrency"`
	Arrivals    string `toml:"arrivals"`
}

// ImportState is the state of the endpoint.
type ImportState struct {
	Cache      string  `toml:"cache"`
	CacheShare float64 `toml:"cache_share"`
	Warmup     string  `toml:"warmup"`
	Drain      string  `toml:"drain"`
}

// ImportFact is anything else, in words.
type ImportFact struct {
	Label string `toml:"label"`
	Value string `toml:"value"`
}

// ReadImport reads the import.toml beside a source. Where there is none, nothing
// is said. One that can't be read refuses the files beside it: they would stand
// under the wrong name.
func ReadImport(s adapter.Source) (Import, error) {
	f, err := OpenBeside(s, ImportName)
	if errors.Is(err, fs.ErrNotExist) {
		return Import{}, nil
	}
	if err != nil {
		return Import{}, fmt.Errorf("opening %s: %w", ImportName, err)
	}
	defer f.Close() //nolint:errcheck // only read from
	src, err := io.ReadAll(io.LimitReader(f, mostImport+1))
	if err != nil {
		return Import{}, fmt.Errorf("reading %s: %w", ImportName, err)
	}
	sum := sha256.Sum256(src)
	imp, err := adapter.Remember(s.Memory, ImportName+string(sum[:]), func() (Import, error) { return parseImport(src) })
	if err != nil {
		return Import{}, &adapter.RefusedError{Why: fmt.Sprintf("the %s beside it can't be used: %v", ImportName, err), Err: err,
			Hint: "mend it and ingest again; nothing beside it is taken until then"}
	}
	return imp, nil
}

// OpenBeside opens a file that lies beside a source. What is no file is refused:
// opening a pipe would wait for ever.
func OpenBeside(s adapter.Source, name string) (fs.File, error) {
	if s.FS != nil {
		return s.FS.Open(name)
	}
	file := filepath.Join(s.Dir, name)
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, &adapter.RefusedError{Why: "what lies beside it as " + name + " is no file", Hint: "take it away"}
	}
	return os.Open(file)
}

func parseImport(src []byte) (Import, error) {
	if len(src) > mostImport {
		return Import{}, fmt.Errorf("it is larger than %d bytes", mostImport)
	}
	var imp Import
	meta, err := toml.Decode(string(src), &imp)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return Import{}, fmt.Errorf("line %d: %s", max(1, parse.Position.Line), printable(parse.Message))
	}
	if err != nil {
		return Import{}, errors.New(printable(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	if unknown := unknownKeys(meta.Undecoded()); len(unknown) > 0 {
		return Import{}, fmt.Errorf("unknown keys: %s", strings.Join(unknown, ", "))
	}
	if err := imp.check(); err != nil {
		return Import{}, err
	}
	for _, name := range sortedNames(imp.Files) {
		one := imp.Files[name]
		if err := one.check(); err != nil {
			return Import{}, fmt.Errorf("files.%q: %w", name, err)
		}
		if len(one.Files) > 0 {
			return Import{}, fmt.Errorf("files.%q: files do not stand within one another", name)
		}
	}
	return imp, nil
}

// unknownKeys are keys that import.toml has no meaning for, sorted. What stands
// in a mapping is checked by who reads the mapped file.
func unknownKeys(undecoded []toml.Key) []string {
	isMapping := func(key string) bool { return key == "table" || key == "json" }
	var keys []string
	for _, k := range undecoded {
		if inMapping := isMapping(k[0]) || len(k) > 2 && k[0] == "files" && isMapping(k[2]); !inMapping {
			keys = append(keys, printable(k.String()))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func sortedNames(m map[string]Import) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// importClasses are the classes that import.toml may give.
func importClasses() []string {
	return []string{string(evidence.ReportBacked), string(evidence.DerivedClass), string(evidence.RawArchive), string(evidence.Rerun),
		string(evidence.VendorStated), string(evidence.Independent), string(evidence.Simulated)}
}

func (i Import) check() error {
	if i.Class != "" && !slices.Contains(importClasses(), i.Class) {
		return fmt.Errorf("class %q is none of %s", printable(i.Class), strings.Join(importClasses(), ", "))
	}
	if i.Class != "" && i.Who == "" {
		return errors.New("a class needs who: a file is vendor-stated, independent or a re-run because of who ran it")
	}
	if _, _, err := i.State.cache(); err != nil {
		return err
	}
	for _, n := range []int64{i.Subject.Accelerators, i.Workload.InputTokensAsked, i.Workload.OutputTokensAsked, i.Load.Concurrency} {
		if n < 0 {
			return fmt.Errorf("%d is less than zero", n)
		}
	}
	return nil
}

// cache is the declared state; false: none.
func (s ImportState) cache() (evidence.Cache, bool, error) {
	kinds := map[string]measure.CacheKind{"cold": measure.CacheCold, "warm": measure.CacheWarm, "shared": measure.CacheShared, "disabled": measure.CacheDisabled}
	kind, ok := kinds[s.Cache]
	switch {
	case s.Cache == "" && s.CacheShare == 0:
		return evidence.Cache{}, false, nil
	case !ok:
		return evidence.Cache{}, false, fmt.Errorf("state.cache %q is none of cold, warm, shared, disabled", printable(s.Cache))
	case (kind == measure.CacheShared) != (s.CacheShare > 0 && s.CacheShare < 1):
		return evidence.Cache{}, false, errors.New(`state.cache_share goes with cache = "shared", and is more than 0 and less than 1`)
	}
	c := evidence.UnstatedCache("the file does not say")
	c.Kind, c.Share, c.Declared = kind, s.CacheShare, true
	return c, true, nil
}

// of is what is said of one file: its own keys before those of the whole folder.
func (i Import) of(name string) Import {
	one, ok := i.Files[name]
	i.Files = nil
	if !ok {
		return i
	}
	return merge(i, one)
}
