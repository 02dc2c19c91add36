package adapter

import "benchline/ingest/measure"

// NotDefined stands in a [Definition] where the tool does not say, or where
// nothing could be found out.
const NotDefined = "definition not stated by source"

// Definition is what one tool means by one word, as data: the page "same word,
// different definition" is made of these, and each imported value's rule says
// it in a sentence. No field is empty; [NotDefined] is what is not known.
type Definition struct {
	Tool     string // "vLLM bench serve"
	Versions string // which versions or dialect it is about
	Word     string // the tool's own word or key
	// Metric is the metric, or the latency without its statistic, that the word
	// comes nearest to.
	Metric measure.MetricID
	// Start and End are the events of a latency, or what bounds a rate's window.
	Start, End string
	Population string // over which requests
	Window     string // over which stretch of time
	// TokenSource says who counted tokens, where tokens are in it.
	TokenSource    string
	PercentileRule string
	// Missing is what the tool writes where it has no value.
	Missing string
	// Source is where this was found out: documentation, or code with its place.
	Source string
}

// Latency is the definition of a latency, with all else as in d: what the words
// of a tool have in common.
func (d Definition) Latency(word string, m measure.MetricID, start, end string) Definition {
	d.Word, d.Metric, d.Start, d.End = word, m, start, end
	return d
}

// Quotient is the definition of a rate of what is counted: it has no percentiles.
func (d Definition) Quotient(word string, m measure.MetricID, start, end, counted string) Definition {
	d = d.Latency(word, m, start, end)
	d.Population, d.PercentileRule = counted, "none: a quotient"
	return d
}

// Of is d for another population.
func (d Definition) Of(population string) Definition {
	d.Population = population
	return d
}

// Definer is an adapter that knows what its tool means by its words.
type Definer interface {
	Definitions() []Definition
}

// Beside is an adapter of single files whose records also depend on other files
// in the same folder, where they are there.
type Beside interface {
	// Companions lists names that may lie in the source's folder.
	Companions() []string
}
