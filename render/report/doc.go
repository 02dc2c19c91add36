// Package report turns evidence into the data of pages: which figures stand on
// a page, in what words, with which parts beside them, what may stand side by
// side and what may not. It writes neither HTML nor Markdown; two template sets
// make both from the same data, so that neither can say more than the other.
//
// # Why so
//
// A headline number is an unfinished sentence. The sentence that finishes it is
// made here, from the parts of the value, so that no template can leave a part
// out: [Headline] has no field for a number without fields for its numerator,
// denominator, window, population, cache state and outcomes, and [Set.Record]
// is the only place that makes one.
//
// Labels, units and definitions come from the metric registry of package
// measure. A value that is not known keeps its state to the page: a gap is
// shown as a gap.
//
// # Limits
//
// Two records stand side by side only within a family. What else differs between
// the members of a family is named as its residue; nothing is averaged.
package report
