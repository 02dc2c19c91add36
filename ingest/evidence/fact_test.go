package evidence_test

import (
	"testing"

	"benchline/ingest/evidence"
)

func TestFactLabels(t *testing.T) {
	seen := map[string]bool{}
	for _, key := range evidence.FactKeys() {
		label := evidence.FactLabel(key)
		if label == "" || label == key || seen[key] || seen[label] {
			t.Errorf("%s: label %q stands twice or is none", key, label)
		}
		seen[key], seen[label] = true, true
	}
	if got := evidence.FactLabel("some_new_fact"); got != "some new fact" {
		t.Errorf("a key that is not in the table is shown as %q", got)
	}
}
