// Package foreigntest is what the tests of adapters of foreign formats have in
// common: finding samples, reading them, and comparing what came out with a
// golden text that a person can read.
package foreigntest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// root is testdata/foreign as seen from an adapter's folder.
const root = "../../../testdata/foreign"

// Sample is one of the repository's own samples: "TOOL/VERSION/file".
func Sample(name string) adapter.Source {
	return adapter.Source{Unit: "imports/" + name, Dir: filepath.Join(root, filepath.Dir(name)), Name: filepath.Base(name)}
}

// Shared is a file of the shared folder, such as "samples/TOOL/file". Where it
// is not there, the test is skipped and says so.
func Shared(t *testing.T, name string) adapter.Source {
	t.Helper()
	file := filepath.Join("../../../../shared", name)
	if _, err := os.Stat(file); err != nil {
		t.Skipf("shared/%s is not here", name)
	}
	return adapter.Source{Unit: "imports/" + name, Dir: filepath.Dir(file), Name: filepath.Base(file)}
}

// Text is a file that a test makes up.
func Text(t testing.TB, name, text string) adapter.Source {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return adapter.Source{Unit: "imports/" + name, Dir: dir, Name: name}
}

// Read reads a source that must be readable.
func Read(t *testing.T, a adapter.Adapter, s adapter.Source) ([]evidence.Record, []adapter.Diagnostic) {
	t.Helper()
	records, found, err := Try(t, a, s)
	if err != nil || len(records) == 0 {
		t.Fatalf("%s: %d records, %v", s.Unit, len(records), err)
	}
	return records, found
}

// Try reads a source.
func Try(t *testing.T, a adapter.Adapter, s adapter.Source) ([]evidence.Record, []adapter.Diagnostic, error) {
	t.Helper()
	var records []evidence.Record
	found, err := a.Read(t.Context(), s, func(s evidence.Sealed) error {
		records = append(records, s.Record())
		return nil
	})
	return records, found, err
}

// Golden compares what a sample gives with testdata/NAME.golden. With
// UPDATE_GOLDEN set it writes the file: read it before committing it.
func Golden(t *testing.T, a adapter.Adapter, s adapter.Source, name string) {
	t.Helper()
	records, found := Read(t, a, s)
	got := Describe(t, records, found)
	file := filepath.Join("testdata", name+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" { //nolint:forbidigo // a helper of tests
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not as in %s (− want, + got; UPDATE_GOLDEN=1 writes it anew):\n%s", s.Unit, file, diff)
	}
}

// Describe is records as a text: a line for each thing that is known, and the
// gaps together by their reasons.
func Describe(t *testing.T, records []evidence.Record, found []adapter.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	for _, r := range records {
		line, err := evidence.Line(r)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var tree map[string]any
		if err := d.Decode(&tree); err != nil {
			t.Fatal(err)
		}
		delete(tree, "id")
		f := flat{gaps: map[string][]string{}}
		f.walk("", tree)
		fmt.Fprintf(&b, "== %s\n%s", r.Slug, strings.Join(f.lines, ""))
		var reasons []string
		for why := range f.gaps {
			reasons = append(reasons, why)
		}
		slices.Sort(reasons)
		for _, why := range reasons {
			fmt.Fprintf(&b, "not stated, %s: %s\n", why, strings.Join(f.gaps[why], ", "))
		}
	}
	for _, d := range found {
		fmt.Fprintf(&b, "! %s\n", d)
	}
	return b.String()
}

type flat struct {
	lines []string
	rule  string
	gaps  map[string][]string
}

func (f *flat) walk(at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if state, ok := v["state"].(string); ok {
			f.known(at, state, v)
			return
		}
		if isValue(v) {
			f.figure(v)
			return
		}
		var keys []string
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			f.walk(strings.TrimPrefix(at+"."+k, "."), v[k])
		}
	case []any:
		for i, x := range v {
			f.item(fmt.Sprintf("%s[%d]", at, i), x)
		}
	case nil:
	default:
		if text := fmt.Sprint(v); text != "" && text != "false" {
			f.lines = append(f.lines, at+": "+text+"\n")
		}
	}
}

// item shortens a fact to one line.
func (f *flat) item(at string, x any) {
	if m, ok := x.(map[string]any); ok && m["label"] != nil && m["key"] != nil {
		f.walk("fact "+fmt.Sprint(m["key"]), m["value"])
		return
	}
	f.walk(at, x)
}

func (f *flat) known(at, state string, v map[string]any) {
	note := noteOf(v)
	if state != evidence.StateStated.String() && state != evidence.StateDerived.String() {
		f.gaps[note] = append(f.gaps[note], at)
		return
	}
	f.lines = append(f.lines, fmt.Sprintf("%s: %s [%s: %s]\n", at, plain(v["value"]), state, note))
}

// noteOf is where a value stands, its rule, or why there is none.
func noteOf(v map[string]any) string {
	for _, key := range []string{"where", "rule", "reason"} {
		if s, ok := v[key].(string); ok {
			return s
		}
	}
	return ""
}

func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func isValue(v map[string]any) bool { return v["metric"] != nil && v["amount"] != nil }

// figure is a value: its amount, its original, and then what is known of it.
func (f *flat) figure(v map[string]any) {
	f.lines = append(f.lines, fmt.Sprintf("%s = %s from %s\n", v["metric"], plain(v["amount"]), plain(v["original"])))
	if rule := fmt.Sprint(v["rule"]); rule != f.rule { // once for all statistics of a word
		f.lines = append(f.lines, "    rule: "+rule+"\n")
		f.rule = rule
	}
	for _, key := range []string{"numerator", "denominator", "window", "population", "interval"} {
		m, _ := v[key].(map[string]any)
		if m["value"] != nil {
			f.lines = append(f.lines, fmt.Sprintf("    %s: %s [%s: %s]\n", key, plain(m["value"]), m["state"], noteOf(m)))
		}
	}
	if v["claim"] != nil {
		f.lines = append(f.lines, "    claim: "+plain(v["claim"])+"\n")
	}
	if ls, ok := v["limits"].([]any); ok && len(ls) > 0 {
		f.lines = append(f.lines, "    limits: "+plain(ls)+"\n")
	}
}

// Value finds a figure of a record; the test fails where there is none.
func Value(t *testing.T, r evidence.Record, id string) evidence.Value {
	t.Helper()
	for _, v := range r.Values {
		if string(v.Metric) == id {
			return v
		}
	}
	t.Fatalf("record %s has no %s", r.Slug, id)
	return evidence.Value{}
}

// Hidden holds that none of the marks stands anywhere in the records or the
// diagnostics: keys, addresses, prompts and answers that a file carries.
func Hidden(t *testing.T, records []evidence.Record, found []adapter.Diagnostic, mark string) {
	t.Helper()
	text := Describe(t, records, found)
	for _, r := range records {
		line, err := evidence.Line(r)
		if err != nil {
			t.Fatal(err)
		}
		text += string(line)
	}
	if i := strings.Index(text, mark); i >= 0 {
		t.Errorf("%s came out of the file: …%s…", mark, text[max(0, i-60):min(len(text), i+60)])
	}
}
