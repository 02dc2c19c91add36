package mapped_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/adapter/mapped"
	"benchline/ingest/evidence"
)

const (
	oneValue = "[[json.value]]\nkey = \"a\"\nfact = \"x\"\n"
	theRows  = "[json]\nrows = \"rows.*\"\n"
)

// keyed is [oneValue] with another key.
func keyed(key string) string { return strings.Replace(oneValue, `"a"`, strconv.Quote(key), 1) }

func TestJSONMappingsThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ mapping, why string }{
		"no value":             {"[json]\n", "from 1 to"},
		"values that are none": {"[json]\nvalue = [1]\n", "must be a list of tables"},
		"unknown key":          {"[json]\nheader_rows = 1\n" + oneValue, "unknown keys: header_rows"},
		"rows without star":    {"[json]\nrows = \"rows\"\n" + oneValue, "rows has no *"},
		"nothing there":        {"[json]\nrows = \"row.*\"\n" + oneValue, `nothing stands at rows ["row.*"] (what it has is ["rows" "top"])`},
		"no such key":          {theRows + keyed("z"), `no row has the key ["z"] (what it has is ["a" "b"])`},
		"no such name":         {strings.Replace(theRows, "[json]", "[json]\nname = [\"y\"]", 1) + oneValue, `no row has the key ["y"]`},
		"own key without rows": {"[json]\n" + keyed("*"), "without rows there is none"},
		"star in a key":        {theRows + keyed("a.*"), "* stands alone"},
		"empty part":           {theRows + keyed("a..b"), "has an empty part"},
		"field twice":          {theRows + "[[json.value]]\nkey = \"a\"\nfield = \"model\"\n[[json.value]]\nkey = \"b\"\nfield = \"model\"\n", "both fill model"},
		"unit of a fact":       {theRows + oneValue + "unit = \"s\"\n", "go with a metric"},
		"a latency divided":    {theRows + "[[json.value]]\nkey = \"a\"\nmetric = \"ttft_p50\"\nnumerator = \"b\"\n", "go with a rate"},
		"two faults at once":   {"[json]\nrows = \"rows\"\n" + strings.Replace(oneValue, "fact", "fct", 1), "unknown keys: fct"},
	} {
		_, _, err := foreigntest.Try(t, mapped.Adapter{}, beside(t, "a.json", `{"rows": [{"a": 1, "b": 2}], "top": 3}`, c.mapping))
		if err == nil || !strings.Contains(withHint(err), c.why) {
			t.Errorf("%s: got %v, want %q", name, withHint(err), c.why)
		}
	}
	if _, _, err := foreigntest.Try(t, mapped.Adapter{}, foreigntest.Text(t, "a.json", "{}")); err == nil || !strings.Contains(err.Error(), "no mapping") {
		t.Errorf("without a mapping: %v", err)
	}
}

// TestNothingButWhatIsMapped: texts beside what is mapped stay in the file.
func TestNothingButWhatIsMapped(t *testing.T) {
	records, found := foreigntest.Read(t, mapped.Adapter{}, beside(t, "a.json", `{"a": 1, "prompt": "CANARY", "rows": ["CANARY"]}`, oneValue))
	foreigntest.Hidden(t, records, found, "CANARY")
}

// TestAnyTool: a person's word goes before what the content looks like.
func TestAnyTool(t *testing.T) {
	const vllm = `{"model_id":"m","num_prompts":10,"completed":9,"duration":1.5,"mean_ttft_ms":12.5,"a":7}`
	yes, err := mapped.Adapter{}.Chosen(beside(t, "a.json", vllm, oneValue))
	if err != nil || !yes {
		t.Errorf("chosen %t, %v", yes, err)
	}
	if yes, err = (mapped.Adapter{}).Chosen(beside(t, "a.json", vllm, "[table]\n[[table.column]]\ncolumn = \"a\"\nfact = \"x\"\n")); yes || err != nil {
		t.Errorf("a mapping of tables chooses JSON: %t, %v", yes, err)
	}
}

// TestCompletedCounts: what is counted and timed in a row gives a rate; what is
// missing gives none.
func TestCompletedCounts(t *testing.T) {
	records, _ := foreigntest.Read(t, mapped.Adapter{}, sample("lines.jsonl"))
	r := records[0]
	if v := foreigntest.Value(t, r, "sent_rate"); v.Amount.X != 20 {
		t.Errorf("sent rate %+v", v.Amount)
	}
	if n, _ := r.Outcomes.NeverSent.Get(); n != 1800 || r.Outcomes.NeverSent.State() != evidence.StateDerived {
		t.Errorf("never sent %d, %v", n, r.Outcomes.NeverSent.State())
	}
	if !slices.ContainsFunc(r.Limits, func(l evidence.Limit) bool { return l.Code == evidence.OfferedRateNotReached }) {
		t.Errorf("limits %v", r.Limits)
	}
	records, _ = foreigntest.Read(t, mapped.Adapter{}, sample("results.json"))
	for _, v := range records[2].Values {
		if v.Metric == "request_rate" {
			t.Errorf("a rate over a window of 0: %+v", v)
		}
	}
}

// withHint is an error as the command shows it.
func withHint(err error) string {
	if err == nil {
		return ""
	}
	var refused *adapter.RefusedError
	if errors.As(err, &refused) && refused.Hint != "" {
		return err.Error() + " (" + refused.Hint + ")"
	}
	return err.Error()
}

func FuzzJSON(f *testing.F) { fuzz(f, "results.json") }

func FuzzKeyed(f *testing.F) { fuzz(f, "keyed.json") }
