package measure

import (
	"fmt"
	"strings"
)

// Reason says why a request is outside a population. The zero Reason is invalid.
type Reason uint8

// The reasons, in the order in which they are listed.
const (
	WasFailed Reason = iota + 1
	WasRejected
	WasTimedOut
	WasCancelled
	WasUnresolved
	WasNeverSent
	NoTokenCount
	NoToken
	NoAnswerToken
	FewerThanTwoTokens
	OneTokenTime
	GapsNotKept
	OutsideWindow
	MissedObjective
	TimesOutOfOrder
	reasonEnd
)

// Reasons lists every reason in its order.
func Reasons() []Reason {
	all := make([]Reason, 0, reasonEnd-1)
	for r := WasFailed; r < reasonEnd; r++ {
		all = append(all, r)
	}
	return all
}

// String is the reason in words.
func (r Reason) String() string {
	words := [reasonEnd]string{
		WasFailed:          "failed",
		WasRejected:        "rejected",
		WasTimedOut:        "timed out",
		WasCancelled:       "cancelled",
		WasUnresolved:      "unresolved",
		WasNeverSent:       "never sent",
		NoTokenCount:       "completed without a token count by the figure's source",
		NoToken:            "completed without a token",
		NoAnswerToken:      "completed without an answer token",
		FewerThanTwoTokens: "completed with fewer than two output tokens",
		OneTokenTime:       "completed with all tokens at one time",
		GapsNotKept:        "completed, chunk gaps not kept",
		OutsideWindow:      "completed outside the window",
		MissedObjective:    "completed outside an objective",
		TimesOutOfOrder:    "with times out of order in the log",
	}
	if r == 0 || r >= reasonEnd {
		return "invalid reason"
	}
	return words[r]
}

// Exclusion is a number of requests that are left out for one reason.
type Exclusion struct {
	Reason Reason
	N      int64
}

// Population is which requests a figure is about: a rule in words, how many
// they are, and how many are left out, by reason. It is comparable. The zero
// Population is invalid.
type Population struct {
	rule string
	n    int64
	out  [reasonEnd]int64
}

// NewPopulation is the n requests that the rule chooses. Exclusions of the
// same reason add up; those of zero requests are dropped.
func NewPopulation(rule string, n int64, out ...Exclusion) (Population, error) {
	if rule == "" {
		return Population{}, fmt.Errorf("naming a population of %d: the rule is empty", n)
	}
	if n < 0 {
		return Population{}, fmt.Errorf("naming the population %q: %d is negative", rule, n)
	}
	p := Population{rule: rule, n: n}
	for _, x := range out {
		if x.Reason == 0 || x.Reason >= reasonEnd {
			return Population{}, fmt.Errorf("naming the population %q: invalid reason %d", rule, x.Reason)
		}
		if x.N < 0 {
			return Population{}, fmt.Errorf("naming the population %q: %d %s is negative", rule, x.N, x.Reason)
		}
		p.out[x.Reason] += x.N
	}
	return p, nil
}

// IsValid reports whether the population came from [NewPopulation].
func (p Population) IsValid() bool { return p.rule != "" }

// Rule says which requests they are.
func (p Population) Rule() string { return p.rule }

// N is how many they are.
func (p Population) N() int64 { return p.n }

// Excluded lists what is left out, in the order of the reasons, without zeros.
func (p Population) Excluded() []Exclusion {
	var out []Exclusion
	for r, n := range p.out {
		if n > 0 {
			out = append(out, Exclusion{Reason: Reason(r), N: n})
		}
	}
	return out
}

// Merge joins two populations of the same rule: all counts add up.
func (p Population) Merge(q Population) (Population, error) {
	if p.rule != q.rule {
		return Population{}, fmt.Errorf("merging populations: %q is not %q", p.rule, q.rule)
	}
	p.n += q.n
	for r := range p.out {
		p.out[r] += q.out[r]
	}
	return p, nil
}

// String is the population in words: "198 completed requests (2 unresolved left out)".
func (p Population) String() string {
	if !p.IsValid() {
		return "invalid population"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", FormatCount(p.n), p.rule)
	for i, x := range p.Excluded() {
		if i == 0 {
			b.WriteString("; left out: ")
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", FormatCount(x.N), x.Reason)
	}
	return b.String()
}
