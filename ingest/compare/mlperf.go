package compare

import (
	"strings"

	"benchline/ingest/evidence"
)

// mlperfKeys are the facts that say which MLPerf result a record is of. Results
// are compared within one version, division, category, benchmark and scenario
// only.
func mlperfKeys() []string {
	return []string{"mlperf_version", "division", "category", "benchmark", "scenario"}
}

// formalBenchmark keeps results of a formal benchmark apart from all others, and
// from each other where the benchmark's own rules do (MLPerf Results Messaging
// Guidelines: same benchmark and scenario, and never with other figures).
func (t *table) formalBenchmark() {
	of := func(facts map[string]fact, r evidence.Record) string {
		if isMLPerf(facts, r) {
			return "MLPerf Inference"
		}
		return "none"
	}
	d := t.plain(keyBenchmark, "formal benchmark", of(t.factsA, t.a), of(t.factsB, t.b))
	if d.State == Differs || d.A == "none" {
		return
	}
	for _, key := range mlperfKeys() {
		name := "MLPerf " + key
		if key == "mlperf_version" {
			name = "MLPerf version"
		}
		t.fact(Measurement, key, name)
	}
}

// isMLPerf reports whether a record is of an MLPerf result: by its reader, by
// its client, by the limit of an unverified one, or because it names a version
// of MLPerf.
func isMLPerf(facts map[string]fact, r evidence.Record) bool {
	for _, s := range r.Sources {
		if name, _, _ := strings.Cut(s.Adapter, " "); name == "mlperf" {
			return true
		}
	}
	for _, l := range r.Limits {
		if l.Code == evidence.UnverifiedMLPerf {
			return true
		}
	}
	for _, v := range r.Values {
		for _, l := range v.Limits {
			if l.Code == evidence.UnverifiedMLPerf {
				return true
			}
		}
	}
	tool, _ := r.Subject.Tool.Get()
	return strings.HasPrefix(tool, "MLPerf") || facts["mlperf_version"].value != ""
}
