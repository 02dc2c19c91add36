package evidence_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/evidence"
)

func seal(t *testing.T, r evidence.Record) evidence.Record {
	t.Helper()
	got, err := evidence.Seal(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func line(t *testing.T, r evidence.Record) string {
	t.Helper()
	var b bytes.Buffer
	if err := evidence.Encode(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func decode(s string) ([]evidence.Record, error) {
	var out []evidence.Record
	for r, err := range evidence.Decode("x.jsonl", strings.NewReader(s)) {
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

func TestRoundTrip(t *testing.T) {
	want := seal(t, sample())
	second := sample()
	second.Slug = "demo-r2"
	text := line(t, want) + line(t, seal(t, second))
	got, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("decoded records differ from those encoded:\n%+v\n%+v", got, want)
	}
	if again := line(t, got[0]) + line(t, got[1]); again != text {
		t.Error("encoding what was decoded gives other bytes")
	}
}

// The address of a record must not change between versions of the program:
// inspect what made it change before updating the file.
func TestGoldenEncoding(t *testing.T) {
	got := line(t, seal(t, sample()))
	name := filepath.Join("testdata", "sample.jsonl")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestCanonicalForm(t *testing.T) {
	r := sample()
	r.Errors, r.Limits, r.Client.Reasons = nil, nil, nil
	text := line(t, seal(t, r))
	for _, want := range []string{`"title":"Demo <b> & more"`, `"errors":[]`, `"limits":[]`, `"reasons":[]`, `"kind":"shared prefix"`,
		`"accelerators":{"state":"not applicable","reason":"simulated"}`, `"failed":{"state":"stated","value":0,"where":"log"}`,
		`"ttft_limit_s":{"state":"stated","value":0.5,"where":"plan"}`, `"output_tokens":{"state":"not stated","reason":"no usage"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "null") || strings.Count(text, "\n") != 1 {
		t.Errorf("the line has a null or a line feed inside:\n%s", text)
	}
}

func TestEmptyAndMissingListsAreEqual(t *testing.T) {
	a, b := sample(), sample()
	a.Errors, b.Errors = nil, []evidence.ErrorClass{}
	a.Members, b.Members = nil, []evidence.Member{}
	a.Limits = []evidence.Limit{{Code: evidence.SimulatedEndpoint, Where: "record"}}
	b.Limits = []evidence.Limit{{Code: evidence.SimulatedEndpoint, Args: []string{}, Where: "record"}}
	if line(t, seal(t, a)) != line(t, seal(t, b)) {
		t.Error("equal records have other bytes")
	}
}

func TestSealLeavesItsArgument(t *testing.T) {
	r := sample()
	r.Values[0].Limits = nil
	seal(t, r)
	if r.Values[0].Limits != nil || r.Schema != 0 || !r.ID.IsZero() || r.Client.Reasons != nil {
		t.Error("Seal changed the record that was passed in")
	}
}

func TestEncodeRefusesUnsealed(t *testing.T) {
	r := seal(t, sample())
	r.Title = "changed"
	if err := evidence.Encode(&bytes.Buffer{}, r); err == nil || !strings.Contains(err.Error(), "changed afterwards") {
		t.Errorf("got %v, want an error that says the record changed", err)
	}
	if err := evidence.Encode(&bytes.Buffer{}, sample()); err == nil {
		t.Error("a record without ID was encoded")
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := line(t, seal(t, sample()))
	for name, c := range map[string]struct{ text, want string }{
		"unknown key":           {strings.Replace(good, `"slug":`, `"colour":"red","slug":`, 1), "unknown field"},
		"unknown key in known":  {strings.Replace(good, `"state":"stated",`, `"state":"stated","x":1,`, 1), "unknown field"},
		"unknown key in amount": {strings.Replace(good, `"x":144`, `"x":144,"y":1`, 1), "unknown field"},
		"key twice":             {strings.Replace(good, `"title":`, `"title":"a","title":`, 1), "canonical"},
		"key in capitals":       {strings.Replace(good, `"title":`, `"Title":`, 1), "canonical"},
		"white space":           {strings.Replace(good, `"title":`, `"title": `, 1), "canonical"},
		"missing list":          {strings.Replace(good, `"errors":[`, `"errorz":[`, 1), "unknown field"},
		"null list":             {strings.Replace(good, `"reasons":[]`, `"reasons":null`, 1), "canonical"},
		"number spelling":       {strings.Replace(good, `"x":144`, `"x":144.0`, 1), "canonical"},
		"changed number":        {strings.Replace(good, `"x":144`, `"x":145`, 1), "was changed"},
		"other schema":          {strings.Replace(good, `"schema":1`, `"schema":2`, 1), "schema 2"},
		"no state":              {strings.Replace(good, `{"state":"stated","value":9,"where":"log"}`, `{}`, 1), "state is stated"},
		"null known":            {strings.Replace(good, `{"state":"stated","value":9,"where":"log"}`, `null`, 1), "state is stated"},
		"value of a gap":        {strings.Replace(good, `"state":"not stated",`, `"state":"not stated","value":"x",`, 1), "value present"},
		"note of another state": {strings.Replace(good, `"where":"log"`, `"rule":"log"`, 1), "exactly one"},
		"two notes":             {strings.Replace(good, `"where":"log"`, `"where":"log","rule":"log"`, 1), "exactly one"},
		"cut":                   {good[:len(good)/2], "cut short"},
		"no line feed":          {strings.TrimSuffix(good, "\n"), "cut short"},
		"two on a line":         {strings.TrimSuffix(good, "\n") + good, "more data"},
		"empty line":            {"\n", "EOF"},
		"not JSON":              {"hello\n", "invalid character"},
		"ID in capitals":        {strings.ToUpper(good[:72]) + good[72:], ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decode(good + c.text)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got error %v, want one with %q", err, c.want)
			}
			if !strings.HasPrefix(err.Error(), "x.jsonl:2: ") {
				t.Errorf("%v does not name the line", err)
			}
			if len(got) != 1 {
				t.Errorf("got %d records before the fault, want 1", len(got))
			}
		})
	}
}

func TestIDText(t *testing.T) {
	id := seal(t, sample()).ID
	got, err := evidence.ParseID(id.String())
	if err != nil || got != id {
		t.Errorf("ParseID(%s) = %s, %v", id, got, err)
	}
	for _, s := range []string{"", "ab", strings.Repeat("z", 64), strings.Repeat("A", 64), id.String() + "0"} {
		if _, err := evidence.ParseID(s); err == nil {
			t.Errorf("ParseID(%q) gave no error", s)
		}
	}
}

func TestKnownRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		note, x := rapid.String().Draw(t, "note"), rapid.Float64().Draw(t, "x")
		want := []evidence.Known[float64]{evidence.Stated(x, note), evidence.Derived(x, note),
			evidence.NotStated[float64](note), evidence.NotApplicable[float64](note)}[rapid.IntRange(0, 3).Draw(t, "state")]
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got evidence.Known[float64]
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got != want {
			t.Fatalf("%s read back as %+v, want %+v", text, got, want)
		}
	})
	if _, err := json.Marshal(evidence.Known[int64]{}); err == nil {
		t.Error("the zero Known was encoded")
	}
	if _, err := json.Marshal(evidence.Stated(math.NaN(), "x")); err == nil {
		t.Error("NaN was encoded")
	}
}

func TestAddressDependsOnEveryPart(t *testing.T) {
	a := seal(t, sample()).ID
	for name, change := range map[string]func(*evidence.Record){
		"note":   func(r *evidence.Record) { r.Subject.Model = evidence.Stated("m", "elsewhere") },
		"state":  func(r *evidence.Record) { r.Subject.Model = evidence.Derived("m", "plan") },
		"amount": func(r *evidence.Record) { r.Values[0].Amount.X = math.Nextafter(144, 145) },
		"plan":   func(r *evidence.Record) { r.PlanTOML += "\n" },
	} {
		r := sample()
		change(&r)
		if seal(t, r).ID == a {
			t.Errorf("%s: the ID did not change", name)
		}
	}
}

func TestDecodeStopsWhenTold(t *testing.T) {
	text := line(t, seal(t, sample())) + "broken\n"
	for _, err := range evidence.Decode("x", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
}

func TestDecodeNamesReadErrors(t *testing.T) {
	want := errors.New("the disk is gone")
	for _, err := range evidence.Decode("x", errReader{want}) {
		if !errors.Is(err, want) {
			t.Errorf("got %v, want it to wrap %v", err, want)
		}
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func FuzzParse(f *testing.F) {
	r, err := evidence.Seal(sample())
	if err != nil {
		f.Fatal(err)
	}
	good, err := evidence.Line(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"id":"`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := evidence.Parse(line)
		if err != nil {
			return
		}
		again, err := evidence.Line(r)
		if err != nil || !bytes.Equal(again, line) {
			t.Errorf("accepted %q but writes %q (%v)", line, again, err)
		}
	})
}

// TestCanonicalIsJSON: the canonical encoding is what encoding/json makes of
// the record, whatever texts and numbers are in it.
func TestCanonicalIsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := sample()
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\"\\\b\f\n\r\t\x00\x1f\x7f<>&\u2028\u2029\u202a\u20ac…é😀"))))
		x := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1e21, 1e20, 1e-6, 9.99e-7, 1e-9, 1e-100, math.MaxFloat64, math.SmallestNonzeroFloat64}))
		r.Title, r.PlanTOML, r.VoidWhy = "t"+text.Draw(t, "title"), text.Draw(t, "plan"), text.Draw(t, "why")
		r.Void = r.VoidWhy != ""
		r.Values[0].Amount.X = x.Draw(t, "x")
		r.State.TTFTLimit = evidence.Derived(x.Draw(t, "limit"), "r"+text.Draw(t, "rule"))
		r.Subject.Model = evidence.NotStated[string]("n" + text.Draw(t, "reason"))
		sealed, err := evidence.SealLine(r)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(sealed.Record()); err != nil {
			t.Fatal(err)
		}
		if got := string(sealed.Line()) + "\n"; got != want.String() {
			t.Errorf("got\n%s\nwant\n%s", got, want.String())
		}
		if again, err := evidence.Line(sealed.Record()); err != nil || !bytes.Equal(again, sealed.Line()) {
			t.Errorf("Line: %v, or other bytes", err)
		}
	})
}
