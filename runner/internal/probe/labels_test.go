package probe

import (
	"testing"

	"benchline/ingest/evidence"
)

// TestEvidenceLabelsEveryFact holds the copy of the labels in ingest, which
// may not import this package, equal to the keys here.
func TestEvidenceLabelsEveryFact(t *testing.T) {
	labelled := evidence.FactKeys()
	keys := Keys()
	if len(labelled) != len(keys) {
		t.Errorf("evidence labels %d facts, the probe states %d", len(labelled), len(keys))
	}
	for i, key := range keys {
		if i < len(labelled) && labelled[i] != key.ID {
			t.Errorf("fact %d: evidence has %q, the probe %q", i, labelled[i], key.ID)
		}
		if got := evidence.FactLabel(key.ID); got != key.Label {
			t.Errorf("%s: evidence labels it %q, the probe %q", key.ID, got, key.Label)
		}
	}
}
