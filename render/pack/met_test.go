package pack_test

import (
	"slices"
	"strings"
	"testing"

	"benchline/render/pack"
)

// A p95 within its limit says nothing of the requests that failed: an option with
// many of them passes its target and meets not all criteria, has no place in the
// order by cost, and is named as being outside of it.
func TestTargetIsNotAllCriteria(t *testing.T) {
	a := base()
	a.ttft, a.failed = steady(140, 80), 60
	b := base()
	b.profile = "Q"
	d := built(t, parsed(t), nil, a.record(t, "a"), b.record(t, "b"))
	bad, good := d.Options[0], d.Options[1]
	if bad.Target != pack.Pass || bad.Overall != pack.Fail || bad.Met() {
		t.Errorf("with 60 of 200 failed: target %s, all criteria %s, met %v", bad.Target, bad.Overall, bad.Met())
	}
	if !good.Met() {
		t.Errorf("without a failure: all criteria %s", good.Overall)
	}
	if !slices.Equal(d.Order.Outside, []string{bad.Name}) {
		t.Errorf("outside of the order: %q", d.Order.Outside)
	}
}

// More requests cannot complete than were sent.
func TestNoMoreCompleteThanWereSent(t *testing.T) {
	a, b := base(), base()
	b.profile, b.age = "Q", 20
	d := built(t, parsed(t), nil, a.record(t, "a"), b.record(t, "b"))
	seen := 0
	for _, f := range d.Order.Flips {
		if strings.HasSuffix(f.Term.Key, "-completed") && f.To > 200 {
			if seen++; f.Impossible != "no more can complete than the 200 that were sent" {
				t.Errorf("%s: %q to %v", f.Option, f.Impossible, f.To)
			}
		}
	}
	if seen == 0 {
		t.Error("no number of completed requests would have to rise")
	}
}
