package foreign_test

import (
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/evidence"
)

func openText(t *testing.T, text string) *foreign.File {
	t.Helper()
	f, err := foreign.Open(foreigntest.Text(t, "x.json", text))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// Rows come one by one; who stops gets no more, and a fault comes last.
func TestStream(t *testing.T) {
	lines := func(each func(foreign.Node) error) foreign.Values { return foreign.Values{Each: each} }
	row := func(n foreign.Node) (int64, bool) { return n.Get("n").Int() }
	read := func(text string, most int) (got []int64, notes int, last error) {
		rows, found := foreign.Stream(t.Context(), openText(t, text), lines, row)
		for n, err := range rows {
			if err != nil {
				return got, len(*found), err
			}
			if got = append(got, n); len(got) == most {
				break
			}
		}
		return got, len(*found), nil
	}
	if got, notes, err := read("log\n{\"n\": 1}\n{\"m\": 2}\n{\"n\": 3}\n", 9); len(got) != 2 || got[1] != 3 || notes != 1 || err != nil {
		t.Errorf("got %v, %d notes, %v", got, notes, err)
	}
	if got, _, err := read("{\"n\": 1}\n{\"n\": 2}\n", 1); len(got) != 1 || err != nil {
		t.Errorf("stopped after one: got %v, %v", got, err)
	}
	if got, _, err := read("no rows", 9); len(got) != 0 || err == nil {
		t.Errorf("a file without rows: got %v, %v", got, err)
	}
}

// Of a sum no shortest, middle or longest is made, and no mean: what is known is
// said, and is among the facts.
func TestOnlyTheSum(t *testing.T) {
	d := foreign.NewDraft(openText(t, "{}"), "Tool")
	d.Record.Outcomes.Completed = evidence.Stated(int64(1500), "file")
	k := d.OnlySum("total", foreign.Scalar("340981", 1))
	if s, ok := k.Get(); ok || s != (evidence.Spread{}) || k.Note() != "the file has only the sum, “total”: 340981, over 1,500 completed requests" {
		t.Errorf("got %+v, %q", s, k.Note())
	}
	if len(d.Record.Facts) != 1 || d.Record.Facts[0].Key != "total" {
		t.Errorf("facts %+v", d.Record.Facts)
	}
	mean := d.Spread("length", foreign.Spread{Mean: foreign.Scalar("227", 1), Sum: foreign.Scalar("340500", 1)}, d.Record.Outcomes.Completed)
	if _, ok := mean.Get(); ok || !strings.Contains(mean.Note(), "among the facts") {
		t.Errorf("a mean and a sum made a spread: %q", mean.Note())
	}
}
