package compare

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// State is how a dimension compares.
type State string

// The states of a dimension.
const (
	Same      State = "same"
	Differs   State = "differs"
	NotStated State = "not stated" // on at least one side
)

// Group says which part of the tuple a dimension belongs to.
type Group string

// The groups, in the order of the table.
const (
	Measurement Group = "measurement" // what was counted, over what, by whom
	Subject     Group = "subject"
	Workload    Group = "workload"
	Load        Group = "load"
	CacheState  Group = "state"
	Client      Group = "client"      // who measured, and from where
	Environment Group = "environment" // host, driver and settings of what was measured
)

// Groups are all groups in the order of the table.
func Groups() []Group {
	return []Group{Measurement, Subject, Workload, Load, CacheState, Client, Environment}
}

// Dimension is one line of the table: both sides in words.
type Dimension struct {
	// Key names the line for machines and never changes: "request_count". That
	// of a fact is "fact:" and the fact's own key.
	Key   string `json:"key"`
	Group Group  `json:"group"`
	Name  string `json:"name"`
	A     string `json:"a"`
	B     string `json:"b"`
	State State  `json:"state"`
	// Counts is false where the line takes no part in the verdict; Note says why.
	Counts bool `json:"counts"`
	// Note says what the words of both sides do not.
	Note string `json:"note,omitempty"`

	// GapA and GapB report that the side does not state it.
	GapA bool `json:"-"`
	GapB bool `json:"-"`
}

// table builds the dimensions of two records.
type table struct {
	a, b           evidence.Record
	factsA, factsB map[string]fact
	// shared: what neither side states is the same on both, see [oneInvocation].
	shared bool
	rows   []Dimension
}

// dimensions is the full tuple, side by side.
func dimensions(a, b evidence.Record) []Dimension {
	t := &table{a: a, b: b, factsA: facts(a), factsB: facts(b), shared: oneInvocation(a, b), rows: make([]Dimension, 0, 48)}
	t.measurement()
	t.subject()
	t.workload()
	t.load()
	t.state()
	t.client()
	t.environment()
	return t.rows
}

// add appends a line that counts.
func (t *table) add(d Dimension) *Dimension {
	d.Counts = true
	t.rows = append(t.rows, d)
	return &t.rows[len(t.rows)-1]
}

// plain is a dimension of the measurement that is always stated.
func (t *table) plain(key, name, a, b string) *Dimension {
	d := Dimension{Group: Measurement, Key: key, Name: name, A: a, B: b, State: Same}
	if a != b {
		d.State = Differs
	}
	return t.add(d)
}

// known is a dimension that may not be stated.
func known[T comparable](t *table, g Group, key, name string, of func(evidence.Record) evidence.Known[T]) *Dimension {
	return put(t, g, key, name, of(t.a), of(t.b))
}

// put is [known] for two values that are at hand.
func put[T comparable](t *table, g Group, key, name string, a, b evidence.Known[T]) *Dimension {
	x, okA := a.Get()
	y, okB := b.Get()
	d := Dimension{Group: g, Key: key, Name: name, A: words(a), B: words(b)}
	switch {
	case okA && okB && x == y:
		d.State = Same
	case okA && okB:
		d.State = Differs
	default:
		t.unstated(&d, a.State(), b.State())
	}
	return t.add(d)
}

// sharedGap is the note of what neither side states and which is the same all
// the same.
const sharedGap = "neither states it; both are of one invocation of one plan"

// unstated sets the state of a dimension that has no value on a side.
func (t *table) unstated(d *Dimension, a, b evidence.KnownState) {
	d.GapA, d.GapB = isGap(a), isGap(b)
	switch {
	case d.GapA && d.GapB && t.shared:
		d.State, d.Note = Same, sharedGap
	case d.GapA || d.GapB:
		d.State = NotStated
	case a == b: // not applicable to either
		d.State = Same
	default:
		d.State = Differs
	}
}

// isGap reports whether nothing is known: not stated, or never set.
func isGap(s evidence.KnownState) bool {
	return s != evidence.StateStated && s != evidence.StateDerived && s != evidence.StateNotApplicable
}

func words[T any](k evidence.Known[T]) string {
	v, ok := k.Get()
	if !ok {
		return gap(k.State(), k.Note())
	}
	switch x := any(v).(type) {
	case int64:
		return measure.FormatCount(x)
	case string:
		return x
	}
	return fmt.Sprint(v)
}

func gap(s evidence.KnownState, note string) string {
	word := evidence.StateNotStated.String()
	if !isGap(s) {
		word = s.String()
	}
	if note == "" {
		return word
	}
	return word + ": " + note
}
