package mlperf

import (
	"regexp"
	"slices"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// place is where in a submission a log lies.
type place struct {
	version, division, submitter, system, benchmark, run string
}

// placeOf reads the folders of a submission out of a path: DIVISION/SUBMITTER/
// results/SYSTEM/BENCHMARK/SCENARIO/performance/run_N.
func placeOf(path string) place {
	m := regexp.MustCompile(`(?:^|/)(closed|open|network)/([^/]+)/results/([^/]+)/([^/]+)/[^/]+/performance/(run_[0-9]+)/[^/]+$`).FindStringSubmatch(path)
	if m == nil {
		return place{}
	}
	p := place{division: m[1], submitter: m[2], system: m[3], benchmark: m[4], run: m[5]}
	if v := regexp.MustCompile(`inference_results_v([0-9]+\.[0-9]+)`).FindStringSubmatch(path); v != nil {
		p.version = "v" + v[1]
	}
	return p
}

const folders = "the folders that the log lies in, which are those of a submission"

// fill states what must be said of external evidence, and what is not stated.
// What a person says in import.toml, as facts of the same labels, comes first.
func (p place) fill(d *foreign.Draft, imp foreign.Import, scenario foreign.Node) {
	said := func(label string) bool {
		return slices.ContainsFunc(imp.Fact, func(f foreign.ImportFact) bool { return strings.EqualFold(f.Label, label) })
	}
	s := &d.Record.Subject
	if p.system != "" {
		s.Hardware = evidence.Derived(p.system, folders)
		s.Model = evidence.Derived(p.benchmark, "the benchmark's name in "+folders)
		s.SourceRunID = evidence.Derived(p.run, folders)
	}
	s.Accelerators = evidence.NotStated[int64]("no log of LoadGen says; the submission's description of the system does")
	for _, f := range []struct{ key, text string }{{"MLPerf version", p.version}, {"division", p.division}, {"submitter", p.submitter}, {"system", p.system}, {"benchmark", p.benchmark}} {
		switch {
		case said(f.key):
		case f.text == "":
			d.Gap(f.key, "neither the log nor its folders say")
		default:
			d.FactText(f.key, f.text, folders)
		}
	}
	if !said("category") {
		d.Gap("category", "available, preview or research: neither the log nor its folders say; the submission's description of the system does")
	}
	d.Fact("Scenario", scenario)
}

// title names submitter, benchmark with version, system and scenario, as far as
// they are known.
func (p place) title(scenario string) string {
	if p.system == "" {
		return "LoadGen log, " + scenario
	}
	parts := []string{"MLPerf", p.version, "Inference", strings.ToUpper(p.division[:1]) + p.division[1:] + ",", p.benchmark, scenario + ",", p.submitter + ",", p.system}
	var words []string
	for _, w := range parts {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
