package pack

import (
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

// Document is a pack held against evidence: every word and number of it, decided.
// What shows it decides nothing more.
type Document struct {
	Name, Title, Decision, Date string
	Summary                     Prose
	File                        string
	// Hash is the SHA-256 over the pack file, what was frozen of it and the IDs of
	// the records that it rests on: what a signature is on.
	Hash string

	Shape      ShapeSays
	Conditions []Line
	Criteria   []CriterionSays
	Freeze     FreezeSays
	Notes      []string // what a reader must know before anything else

	Columns Columns
	Options []OptionSays
	Order   Order
	Curve   *report.Curve // nil: no option has a point
	NoCurve string        // why there is none

	Assumptions  []Assumption
	Accuracy     []Accuracy
	Reservations []Remark
	Conflicts    []Remark
	NoConflicts  string
	Signatories  []Signatory

	Claims  []Claim
	Records []Used
	// Simulated is how many of the records are from a simulated endpoint.
	Simulated int
}

// Computations are all that the document computes, each once, in the order of the
// options.
func (d *Document) Computations() []Computation {
	var out []Computation
	add := func(c Costs) {
		for _, x := range []*Computation{c.Interval, c.PerRequest, c.PerThousand, c.PerMillion} {
			if x != nil {
				out = append(out, *x)
			}
		}
	}
	for _, o := range d.Options {
		if o.Row != nil {
			add(o.Row.Cost)
		}
		if o.Passing != nil && !o.Passing.AtConditions {
			add(o.Passing.Cost)
		}
		out = append(out, o.Estimate...)
	}
	return out
}

// NumberSays is a term of the arithmetic, and the option that it belongs to.
type NumberSays struct {
	Of string
	Term
}

// Numbers are the terms of all computations, each once, in the order of their use.
func (d *Document) Numbers() []NumberSays {
	var out []NumberSays
	seen := map[string]bool{}
	for _, c := range d.Computations() {
		for _, p := range c.Sum {
			for _, t := range p {
				if !seen[t.Key] {
					seen[t.Key] = true
					out = append(out, NumberSays{Of: c.Of, Term: t})
				}
			}
		}
	}
	return out
}

// Rules say of each kind of computation what it is, each once.
func (d *Document) Rules() []Line {
	var out []Line
	for _, c := range d.Computations() {
		if l := (Line{Label: c.Label, Text: c.Rule}); !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// Line is a labelled statement.
type Line struct{ Label, Text string }

// ShapeSays is the deployment and what governs it.
type ShapeSays struct {
	Kind      ShapeKind
	Governing []string // labels
	Why       string
}

// CriterionSays is a threshold in words.
type CriterionSays struct {
	Name       string
	Metric     measure.MetricID
	Label      string
	Limit      string // "at most 100 ms"
	Tolerance  string // "none", or "2 %: passes up to 102 ms"
	Date, Why  string
	Definition string
}

// FreezeSays is what is known of when the criteria were fixed.
type FreezeSays struct {
	At         string // when they were first frozen; empty: never
	Hash       string // of what was frozen first
	Now        string // of what the pack has now
	Amendments []Amendment
	Later      []string // times of later freezings
	// Says is the whole in a sentence or two.
	Says []string
	// Hot is set where something speaks against the order: criteria first, results
	// later.
	Hot bool
}

// Columns are the heads of the table.
type Columns struct {
	TTFT50, TTFT95, TPOT50, Rate, Goodput Column
	// Target is the head of the verdict's column: "meets p95 target".
	Target string
}

// Column is a metric's column, in one unit.
type Column struct {
	Metric             measure.MetricID
	Label, Title, Unit string
}

// Outcome is what came of a criterion.
type Outcome string

// The outcomes. NotCompared is where there is nothing to judge.
const (
	Pass         Outcome = "pass"
	Fail         Outcome = "fail"
	Undetermined Outcome = "undetermined"
	NotCompared  Outcome = "not compared"
)

// Sign is a mark that goes with the word, so that neither colour nor reading
// carries the outcome alone.
func (o Outcome) Sign() string {
	switch o {
	case Pass:
		return "✓"
	case Fail:
		return "✗"
	case Undetermined:
		return "?"
	case NotCompared:
	}
	return "–"
}

// Class is the outcome as one word of a style sheet.
func (o Outcome) Class() string { return strings.ReplaceAll(string(o), " ", "-") }

// OptionSays is one option: a row of the table and a section.
type OptionSays struct {
	Key                  string // "o1": begins the IDs of what is computed for it
	Name, Title, Profile string
	Precision            report.Text
	Simulated            bool
	// Gap is why the row has no figures: "not measured", "not comparable: input
	// length 512, asked 2,000". Empty where it has.
	Gap    string
	Screen string // why the option is out; empty: it is not
	Row    *Row   // nil with Gap

	Target   Outcome // over all criteria on a percentile
	Overall  Outcome // over all criteria
	Verdicts []Verdict

	Passing  *Passing // the load at which the targets are met; nil with NoPass
	NoPass   string
	Price    *Price
	Estimate []Computation // from means, of the row
	Means    []Beside      // what was measured of the same
	Points   []PointSays   // every measured point, comparable or not
	Quality  QualitySays

	Strengths, Weaknesses, Risks Prose
}

// Row is the figures of an option at the committee's conditions.
type Row struct {
	Slug    string // of the record
	Record  report.Link
	Load    string
	Repeats string // "median of 3 runs"; empty: one run
	TTFT50, TTFT95, TPOT50,
	Rate, Goodput report.Cell
	Outcomes report.Outcomes
	Tokens   Term  // completed output tokens
	Cost     Costs // over the same interval
	Notes    []string
	// Headlines are the figures that decide, with all their parts.
	Headlines []report.Headline
}

// Costs are computed over the observation window of one or more runs.
type Costs struct {
	Interval   *Computation // nil with None
	PerRequest *Computation // per successful request
	// PerThousand is that of a thousand of them.
	PerThousand *Computation
	PerMillion  *Computation // per million output tokens
	None        string       // why there is no cost
}

// Met reports whether every criterion is shown to be met at the conditions.
func (s *OptionSays) Met() bool { return s.Overall == Pass }

// Passing is the measured load at which an option meets every latency target
// and the bound on errors, with the highest output-token rate.
type Passing struct {
	Record report.Link
	Load   string
	Rate   report.Figure
	Cost   Costs
	// AtConditions: it is the load of the conditions themselves.
	AtConditions bool
	sent         int64 // requests of the run; 0: not stated
}

// Beside is a figure with its metric's label.
type Beside struct {
	Label string
	Fig   report.Figure
}

// PointSays is one measured point of an option.
type PointSays struct {
	Record  report.Link
	Load    string
	Rate    report.Cell
	Latency report.Cell // the percentile of the first target
	Target  Outcome
	// Differs is what is not as asked; empty: at the conditions.
	Differs []string
}

// QualitySays is the gate of an option.
type QualitySays struct {
	Quantised bool
	Gate      report.Text
	Declared  string
	Result    report.Text
	Passed    Outcome
	Source    string
	Note      string // what speaks against it: declared after the first run
}

// Claim is a record that is quoted and not compared.
type Claim struct {
	Record report.Link
	Option string
	Class  evidence.Class
	// Missing is what of the tuple is not stated; the figures are then an upper
	// bound on a favourable configuration.
	Missing string
	Figures []Beside
	Facts   []report.Fact
	Source  string
}

// Used is a record that the document rests on.
type Used struct {
	Record  report.Link
	ID      string
	Option  string
	Class   evidence.Class
	Started report.Text
	As      string // "row", "point", "claim", "not comparable"
}
