package all_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/evidence"
)

// TestOracle holds the records of the shared files against the files
// themselves. What each figure must be stands in testdata/oracle, in tables that
// were typed from the raw files; no adapter is asked where a figure stands.
//
// A table has forms and files. Below "form NAME" stand lines that several files
// share; below "file NAME" those of one. A line without an indent begins what the
// indented ones below it belong to:
//
//	record N PATH   the N-th record is what stands at PATH in the file (. is all of it)
//	each PATH       the records are the items of the list at PATH, one by one
//	uses NAME       the lines of that form too
//
// An indented line has a place in the record, and what must be there:
//
//	ttft_p50  median_ttft_ms ms    the number at that path of the file, in that unit
//	outcomes.sent  a + b           sums and products of numbers at paths
//	subject.tool  = vLLM           this text or number, typed
//	outcomes.failed  -             not stated, or no such figure; n/a: not applicable
//
// A place is a path in the record's own JSON, or a metric: its amount, or with
// .num, .den, .window, .n, .kind, .unit or .claim behind it one of its parts; or
// fact KEY, with spaces in KEY as "_".
func TestOracle(t *testing.T) {
	compared := 0
	for _, f := range oracleFiles(t) {
		t.Run(f.name, func(t *testing.T) {
			source := foreigntest.Shared(t, f.name)
			records := readBySniffing(t, source)
			raw := rawOf(t, source)
			items := 0
			for _, p := range f.parts {
				if !p.each {
					compared += p.compare(t, records, p.number-1, at(raw, p.path))
					items++
					continue
				}
				list, ok := at(raw, p.path).([]any)
				if !ok || len(list) != len(records) {
					t.Fatalf("%d records of %d items at %s", len(records), len(list), p.path)
				}
				for i, item := range list {
					compared += p.compare(t, records, i, item)
				}
				items += len(list)
			}
			if items == 0 || items < len(records) && !f.some {
				t.Errorf("%d records, and the table has %d", len(records), items)
			}
		})
	}
	t.Logf("%d figures compared", compared)
}

// TestEverySharedFileHasAnOracle: a file that some adapter reads is in a table.
func TestEverySharedFileHasAnOracle(t *testing.T) {
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range oracleFiles(t) {
		known[f.name] = true
	}
	const shared = "../../../../shared"
	for _, root := range []string{"samples", "corpus"} {
		if _, err := os.Stat(filepath.Join(shared, root)); err != nil {
			t.Skipf("shared/%s is not here", root)
		}
		err := filepath.WalkDir(filepath.Join(shared, root), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(shared, file)
			if err != nil {
				return err
			}
			if _, err := r.PickSource(adapter.Source{Unit: file, Dir: filepath.Dir(file), Name: d.Name()}); err == nil && !known[filepath.ToSlash(name)] {
				t.Errorf("%s is read, and no table of testdata/oracle has it", name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// oracleFile is what a table says of one file.
type oracleFile struct {
	name  string
	some  bool // the table has some of its records
	parts []*oraclePart
}

// oraclePart is a record of a file, or one for each item of a list.
type oraclePart struct {
	number int
	each   bool
	path   string
	lines  [][2]string // place, wanted
}

func oracleFiles(t *testing.T) []*oracleFile {
	t.Helper()
	tables, err := filepath.Glob("testdata/oracle/*.txt")
	if err != nil || len(tables) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	var files []*oracleFile
	for _, name := range tables {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]*oraclePart{}
		var part *oraclePart
		for i, line := range strings.Split(string(text), "\n") {
			key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			rest = strings.TrimSpace(rest)
			switch indented := strings.HasPrefix(line, " "); {
			case key == "" || key == "#":
			case indented && part != nil:
				part.lines = append(part.lines, [2]string{key, rest})
			case key == "form":
				part = &oraclePart{}
				forms[rest] = part
			case key == "uses" && part != nil && forms[rest] != nil:
				part.lines = append(part.lines, forms[rest].lines...)
			case key == "file":
				part = nil
				path, some := strings.CutSuffix(rest, " some")
				files = append(files, &oracleFile{name: path, some: some})
			case key == "record", key == "each":
				part = &oraclePart{each: key == "each", path: rest}
				if !part.each {
					n, path, _ := strings.Cut(rest, " ")
					part.path = strings.TrimSpace(path)
					if part.number, err = strconv.Atoi(n); err != nil {
						t.Fatalf("%s:%d: %v", name, i+1, err)
					}
				}
				last := files[len(files)-1]
				last.parts = append(last.parts, part)
			default:
				t.Fatalf("%s:%d: %q is no line of a table", name, i+1, line)
			}
		}
	}
	return files
}

// readBySniffing reads a file with the one adapter that claims it.
func readBySniffing(t *testing.T, s adapter.Source) []evidence.Record {
	t.Helper()
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	a, err := r.PickSource(s)
	if err != nil {
		t.Fatal(err)
	}
	records, _ := foreigntest.Read(t, a, s)
	return records
}

// rawOf is a JSON file, or the list of the lines of JSON Lines, by encoding/json
// alone; nil for what is neither, of which everything is typed.
func rawOf(t *testing.T, s adapter.Source) any {
	t.Helper()
	b, err := os.ReadFile(s.FilePath())
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte(": Infinity"), []byte(": null"))
	switch filepath.Ext(s.Name) {
	case ".json":
		return decoded(t, b)
	case ".jsonl":
		list := []any{}
		for line := range bytes.Lines(b) {
			list = append(list, decoded(t, line))
		}
		return list
	}
	return nil
}

func decoded(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// at walks a path of keys and positions; nil where it leads nowhere.
func at(v any, path string) any {
	if path == "." {
		return v
	}
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// compare holds a record against its lines and says how many they are.
func (p *oraclePart) compare(t *testing.T, records []evidence.Record, i int, raw any) int {
	t.Helper()
	if i < 0 || i >= len(records) {
		t.Errorf("there is no record %d of %d", i+1, len(records))
		return 0
	}
	line, err := evidence.Line(records[i])
	if err != nil {
		t.Fatal(err)
	}
	record := decoded(t, line)
	for _, l := range p.lines {
		got, want := placeOf(record, l[0]), l[1]
		wanted, err := wantedOf(raw, want)
		if err != nil {
			t.Errorf("record %d, %s: %v", i+1, l[0], err)
			continue
		}
		if !agree(got, wanted) {
			t.Errorf("record %d, %s: got %v, want %v (%s)", i+1, l[0], got, wanted, want)
		}
	}
	return len(p.lines)
}

// agree compares numbers by what they are and everything else by its text.
func agree(got, want any) bool {
	x, err1 := strconv.ParseFloat(fmt.Sprint(got), 64)
	y, err2 := strconv.ParseFloat(fmt.Sprint(want), 64)
	if err1 == nil && err2 == nil {
		return math.Abs(x-y) <= 1e-12*math.Abs(y)
	}
	return fmt.Sprint(got) == fmt.Sprint(want)
}

// The words of a table for what has no value.
const (
	gapWord  = "-"
	noneWord = "n/a"
)

// placeOf is what stands at a place of a record: a value, or the word for none.
func placeOf(record any, place string) any {
	if key, ok := strings.CutPrefix(place, "fact:"); ok {
		facts, _ := at(record, "facts").([]any)
		for _, f := range facts {
			if strings.ReplaceAll(fmt.Sprint(at(f, "key")), " ", "_") == key {
				return known(at(f, "value"))
			}
		}
		return gapWord
	}
	metric, part, _ := strings.Cut(place, ".")
	values, _ := at(record, "values").([]any)
	for _, v := range values {
		if at(v, "metric") == metric {
			return partOf(v, part)
		}
	}
	steps := strings.Split(place, ".")
	for i := range steps {
		v := at(record, strings.Join(steps[:i+1], "."))
		if m, ok := v.(map[string]any); ok && m["state"] != nil {
			if word := known(v); word == gapWord || word == noneWord || i == len(steps)-1 {
				return word
			}
			return at(m["value"], strings.Join(steps[i+1:], "."))
		}
	}
	if v := at(record, place); v != nil {
		return v
	}
	return gapWord
}

// partOf is a part of a value.
func partOf(v any, part string) any {
	path := map[string]string{"num": "numerator", "den": "denominator", "window": "window", "n": "population"}[part]
	inner := map[string]string{"num": "amount", "den": "amount", "window": "seconds", "n": "n"}[part]
	switch part {
	case "":
		if at(v, "amount.kind") == string(evidence.Exact) || at(v, "amount.kind") == string(evidence.Quoted) {
			return at(v, "amount.x")
		}
		return gapWord
	case "kind":
		return at(v, "amount.kind")
	case "unit":
		return at(v, "original.unit")
	case "claim":
		return at(v, "claim.amount.x")
	}
	if word := known(at(v, path)); word == gapWord || word == noneWord {
		return word
	}
	return at(v, path+".value."+inner)
}

// known is a known value, or the word for why there is none.
func known(v any) any {
	switch at(v, "state") {
	case "stated", "derived":
		return at(v, "value")
	case "not applicable":
		return noneWord
	}
	return gapWord
}

// wantedOf is what a line wants: typed, or worked out from numbers of the file.
func wantedOf(raw any, want string) (any, error) {
	if want == gapWord || want == noneWord {
		return want, nil
	}
	if typed, ok := strings.CutPrefix(want, "= "); ok {
		return typed, nil
	}
	scale := 1.0
	for unit, factor := range map[string]float64{" ms": 1e-3, " ns": 1e-9, " /min": 1.0 / 60} {
		if path, ok := strings.CutSuffix(want, unit); ok {
			want, scale = strings.TrimSpace(path), factor
		}
	}
	sum := 0.0
	for _, term := range strings.Split(want, " + ") {
		product := 1.0
		for _, path := range strings.Split(term, " * ") {
			v := at(raw, strings.TrimSpace(path))
			if v == nil {
				return nil, fmt.Errorf("the file has nothing at %q", path)
			}
			x, err := strconv.ParseFloat(fmt.Sprint(v), 64)
			if err != nil && want == path && scale == 1 {
				return v, nil
			}
			if err != nil {
				return nil, fmt.Errorf("at %q: %w", path, err)
			}
			product *= x
		}
		sum += product
	}
	return sum * scale, nil
}
