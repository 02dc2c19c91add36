package verify

import (
	"testing"

	"benchline/ingest/evidence"
)

// Each number that a record has of a figure may stand in its block, and no other.
func TestNumbersThatMayStandInABlock(t *testing.T) {
	exact := func(x float64) evidence.Amount { return evidence.Amount{Kind: evidence.Exact, X: x} }
	val := evidence.Value{
		Metric:    "ttft_p50",
		Amount:    evidence.Amount{Kind: evidence.AtLeast, X: 0.0446},
		Bounds:    &evidence.Bounds{Lower: exact(0.0446), Upper: exact(0.0498)},
		Completed: &evidence.Conditioned{Amount: exact(0.0439)},
		Estimate:  &evidence.Estimate{X: 0.04641},
		Interval:  evidence.Stated(evidence.Interval{Low: 0.0401, High: 0.0511}, "order statistics"),
		Window:    evidence.Stated(evidence.Window{Seconds: 3.18}, "the log"),
	}
	var r evidence.Record
	times, rates := said(&r, val, true)
	for shown, ok := range map[string]bool{"44.6": true, "49.8": true, "43.9": true, "46.41": true, "40.1": true, "51.1": true, "46.42": false, "3,180": true, "47": false} {
		if got := isAny(shown, "ms", true, times, rates); got != ok {
			t.Errorf("%s ms: got %v", shown, got)
		}
	}
}
