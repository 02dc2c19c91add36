package summarize

import (
	"testing"

	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

// Case C23, as a log of ours would have it: a row a request, with the number of its
// attempts and the time of the first. A was refused once and then served, B was
// served, C was refused three times. Times from the last attempt and from when the
// request was due stand under names of their own; nothing is counted twice.
func TestC23AttemptsAreNotRequests(t *testing.T) {
	attempts := caseRows(t, "c23-retries.rows.jsonl", 4150)
	if len(attempts) != 6 {
		t.Fatalf("the case has %d attempts, want 6", len(attempts))
	}
	again := func(seq int64, of ...reqlog.Row) reqlog.Row {
		last := of[len(of)-1]
		last.Seq, last.Attempts, last.FirstSentNS = seq, int32(len(of)), of[0].SentNS
		return last
	}
	rows := []reqlog.Row{again(0, attempts[0], attempts[1]), again(1, attempts[2]), again(2, attempts[3:]...)}
	rows[2].Outcome, rows[2].ErrorClass = reqlog.Rejected, "429"
	rec := summarized(t, rows, manifest(rows, openPoint(10), 0, 100, 4150), testSpec())
	exact(t, rec, "ttft_max", 0.2)
	exact(t, rec, "ttft_due_max", 2.25)
	exact(t, rec, "e2e_max", 1)
	exact(t, rec, "e2e_due_max", 3.05)
	for name, c := range map[string]struct {
		got  evidence.Known[int64]
		want int64
	}{"sent": {rec.Outcomes.Sent, 3}, "completed": {rec.Outcomes.Completed, 2}, "rejected": {rec.Outcomes.Rejected, 1}, "failed": {rec.Outcomes.Failed, 0}} {
		if n, ok := c.got.Get(); !ok || n != c.want {
			t.Errorf("%s: got %d, %t, want %d", name, n, ok, c.want)
		}
	}
	if sum, _ := value(t, rec, "output_token_rate").Numerator.Get(); sum.Amount != 100 {
		t.Errorf("%v output tokens, want 100", sum.Amount)
	}
}

// Case C33 from rows: 900 requests of 100 ms and 100 of 1000 ms have a 95th
// percentile of 1000 ms by nearest rank, which no mean of two percentiles gives.
func TestC33PercentileOfAllRows(t *testing.T) {
	var rows []reqlog.Row
	for i := range int64(1000) {
		took := int64(100)
		if i >= 900 {
			took = 1000
		}
		rows = append(rows, done(i, i, i, i+10, i+took, 100))
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(10), 0, 1000, 2000), testSpec())
	exact(t, rec, "e2e_p95", 1)
	if n, _ := value(t, rec, "e2e_p95").Population.Get(); n.N != 1000 {
		t.Errorf("of %d requests, want 1000", n.N)
	}
}
