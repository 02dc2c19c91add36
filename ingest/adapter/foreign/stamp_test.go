package foreign_test

import (
	"encoding/json"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// draft is a record in the making of a file that is not there.
func draft(t *testing.T) *foreign.Draft {
	t.Helper()
	return foreign.NewDraft(&foreign.File{Source: adapter.Source{Unit: "imports/f.json", Name: "f.json"}}, "tool")
}

// The six writings of C40, and what is none.
func TestStamps(t *testing.T) {
	for text, want := range map[string]string{
		`"2026-03-29T01:30:00"`:       "2026-03-29T01:30:00 (zone not stated)",
		`"2026-03-29T03:30:00+02:00"`: "2026-03-29T01:30:00Z",
		`1774747800`:                  "2026-03-29T01:30:00Z",
		`1774747800000`:               "2026-03-29T01:30:00Z",
		`1.7747478e+18`:               "2026-03-29T01:30:00Z",
		`"20260329-013000"`:           "20260329-013000 (zone not stated)",
		`12.5`:                        "",
		`null`:                        "",
		`NaN`:                         "",
	} {
		nodes, _, err := read(t, `{"at":`+text+`}`)
		if err != nil {
			t.Fatal(err)
		}
		k := draft(t).Stamp("at", nodes[0].Get("at"))
		if got, ok := k.Get(); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %t; want %q", text, got, ok, want)
		}
		if _, err := json.Marshal(k); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// C32: the same time in three units, and without one.
func TestUnitsAreConvertedOnce(t *testing.T) {
	for number, unit := range map[string]string{"265.0": "ms", "0.265": "s", "265000": "us", "2.65e8": "ns"} {
		if x, ok := foreign.Convert(number, unit, "ttft_mean"); !ok || x != 0.265 {
			t.Errorf("%s %s: got %v, %t; want 0.265 s", number, unit, x, ok)
		}
	}
	for number, unit := range map[string]string{"265": "", "266": "furlongs", "nan": "ms", "267": "tokens/s", "1e999": "s", "0x10": "s"} {
		if x, ok := foreign.Convert(number, unit, "ttft_mean"); ok {
			t.Errorf("%s %q: got %v, want none", number, unit, x)
		}
	}
	d := draft(t)
	number := foreign.Node{Kind: foreign.Number, Text: "265"}
	if !d.Claim(foreign.Figure{Metric: "ttft_mean", Number: number, Key: "ttft", Rule: "x"}) {
		t.Fatal("the number was not taken")
	}
	v := d.Record.Values[0]
	if v.Amount != (evidence.Amount{Kind: evidence.Quoted, Text: "265, unit not stated"}) {
		t.Errorf("got %+v", v.Amount)
	}
}

func TestAZeroThatIsNoMeasurement(t *testing.T) {
	d := draft(t)
	zero := foreign.Node{Kind: foreign.Number, Text: "0.0"}
	d.Claim(foreign.Figure{Metric: "ttft_mean", Number: zero, Key: "mean", Unit: "ms", Rule: "x", ZeroMeans: "the tool writes 0 for an empty list"})
	d.Claim(foreign.Figure{Metric: "request_rate", Number: zero, Key: "rate", Unit: "requests/s", Rule: "x"})
	if got := d.Record.Values[0].Amount; got.Kind != evidence.Undefined || got.Reason == "" {
		t.Errorf("got %+v, want not stated with its reason", got)
	}
	if got := d.Record.Values[1].Amount; got.Text != "0.0 requests/s" {
		t.Errorf("got %+v, want the zero as it is", got)
	}
}

func TestARecomputedFigureKeepsTheClaim(t *testing.T) {
	d := draft(t)
	d.Claim(foreign.Figure{Metric: "ttft_mean", Number: foreign.Node{Kind: foreign.Number, Text: "310"}, Key: "mean_ttft_ms", Unit: "ms", Rule: "as the tool has it"})
	d.Recomputed(evidence.UnstatedValue("ttft_mean", evidence.Amount{Kind: evidence.Exact, X: 0.3}, "ours", "x"))
	if len(d.Record.Values) != 1 {
		t.Fatalf("got %d values", len(d.Record.Values))
	}
	v := d.Record.Values[0]
	if v.Amount.X != 0.3 || v.Claim == nil || v.Claim.Amount.Text != "310 ms" || v.Claim.Rule != "as the tool has it" || v.Original != nil {
		t.Errorf("got %+v with claim %+v", v, v.Claim)
	}
}
