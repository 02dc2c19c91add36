package pack

import (
	"slices"

	"benchline/ingest/measure"
)

// ShapeKind is a kind of deployment.
type ShapeKind string

// The kinds of deployment.
const (
	InteractiveChat      ShapeKind = "interactive chat"
	BatchDocuments       ShapeKind = "batch documents"
	LongContextRetrieval ShapeKind = "long-context retrieval"
	ShortClassification  ShapeKind = "short classification"
)

// Shapes lists the kinds with what governs each and why.
func Shapes() []Shape {
	return []Shape{
		{InteractiveChat, []measure.MetricID{"ttft", "tpot"},
			"A person waits for the first token and then reads along. How soon the answer begins decides, how fast it goes on comes next; throughput sets the cost."},
		{BatchDocuments, []measure.MetricID{"output_token_rate"},
			"Nobody waits for a single answer. What counts is how many tokens are made in the hours that are paid for."},
		{LongContextRetrieval, []measure.MetricID{"ttft"},
			"A long prompt is read whole before the first token comes out, so that reading it is most of the wait."},
		{ShortClassification, []measure.MetricID{"ttft", "request_rate"},
			"An answer of a few tokens is over almost as soon as it begins: the time per token hardly matters, the first token and the number of requests do."},
	}
}

func shapeKinds() []string {
	var out []string
	for _, s := range Shapes() {
		out = append(out, string(s.Kind))
	}
	return out
}

func shapeOf(kind ShapeKind) (Shape, bool) {
	i := slices.IndexFunc(Shapes(), func(s Shape) bool { return s.Kind == kind })
	if i < 0 {
		return Shape{}, false
	}
	return Shapes()[i], true
}

// fromDue is the metric counted from when a request was due: what an open loop
// is judged by, because a late send would shorten the other.
func fromDue(base measure.MetricID) measure.MetricID {
	if base == "ttft" || base == "e2e" {
		return base + "_due"
	}
	return base
}

// governs reports whether a criterion is about a base, from due or from sent.
func governs(base measure.MetricID, c Criterion) bool {
	m, ok := measure.Lookup(c.Metric)
	return ok && (m.Base == base || m.Base == fromDue(base))
}
