// Package limits decides on limitation notes. For every code of
// [evidence.Codes] it has one function of the same name as the code's constant:
// the trigger. A trigger is pure: it is given plain facts, and says whether the
// limit applies and with which arguments of the code's sentence. All thresholds
// stand here, each with its reason.
//
// Gathering the facts is for others: package summarize has them from a request
// log, consistency from what a record states, compare from a family of records,
// an adapter from the file of a tool. Nobody else makes an evidence.Limit; a
// test holds that, and that every code has its page, a case that triggers it and
// a case that does not.
//
// The triggers by what they are about: validity.go (is it a measurement at all),
// outcomes.go (what became of the requests), percentiles.go, load.go, window.go,
// cache.go, tokens.go, stated.go (what a source leaves out) and contradiction.go
// (what a source says against itself).
package limits

import "benchline/ingest/evidence"

// Finding is what a trigger decided.
type Finding struct {
	code    evidence.Code
	args    []string
	applies bool
}

// when is a finding that applies under a condition.
func when(applies bool, code evidence.Code, args ...string) Finding {
	return Finding{code: code, args: args, applies: applies}
}

// Code is the code that was decided on.
func (f Finding) Code() evidence.Code { return f.code }

// Applies reports whether the limit applies.
func (f Finding) Applies() bool { return f.applies }

// At is the limit at a figure, whose metric ID where is: one or none.
func (f Finding) At(where string) []evidence.Limit {
	if !f.applies {
		return nil
	}
	return []evidence.Limit{{Code: f.code, Args: f.args, Where: where}}
}

// Record is the limit of a whole record: one or none.
func (f Finding) Record() []evidence.Limit { return f.At("record") }
