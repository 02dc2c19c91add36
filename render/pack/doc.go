// Package pack makes the committee document: options side by side at the
// committee's own conditions, a verdict on each criterion that is pass, fail or
// undetermined, the cost of a successful request, and every assumption.
//
// # How it goes
//
// A pack is a TOML file that people write. [Parse] reads it, strictly. Its
// conditions and criteria are frozen before there are results ([Freeze]): their
// canonical lines, the hash of these and the time go into a file beside the
// pack. [Build] puts pack and evidence together into a [Document], which two
// template sets, a spreadsheet and the verifier show and hold each other against.
//
//	pack.toml + pack.freeze.toml + evidence -> Document -> page, Markdown, spreadsheet, PDF
//
// # What may stand in the table
//
// Only what was measured, at the conditions. A record of one's own run, of a
// run done again and of the simulated endpoint is measured. A record of somebody
// else's (independent, raw archive) is, if its figures were computed from
// per-request rows. A vendor's, a report's, a derived or an imported record of
// which nobody says who ran it is a claim: it goes to the appendix, in quotation
// marks, and nothing is computed from it.
//
// A record that was measured at other conditions has no number in the table but
// the names of what differs.
//
// # Verdicts
//
// A latency criterion is judged by the bounds of its percentile over all requests
// that completed or were still open: pass if the upper bound is not above the
// limit, fail if the lower bound is above it, else undetermined. See [Criterion]
// and, for what would settle an undetermined one, [settle].
//
// # Costs
//
// Every number that a pack computes is a [Computation]: a sum of products of
// terms, each with where it is from. The page shows it, the spreadsheet has it as
// a formula, the verifier computes it again, and what would change the order of
// the options follows from the powers of its terms.
package pack
