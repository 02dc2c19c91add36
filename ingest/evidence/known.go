package evidence

// Known is a value together with how it is known. There are four states and no
// others: stated by a source, derived by a named rule, not stated (with the
// reason), not applicable (with the reason). The zero Known is invalid.
//
// HTML, Markdown, CSV and JSON keep the four apart.
type Known[T any] struct {
	state KnownState
	value T
	note  string
}

// KnownState is one of the four ways in which a value is or is not known.
type KnownState uint8

// The four states, from 1 so that the zero value is invalid.
const (
	StateStated KnownState = iota + 1
	StateDerived
	StateNotStated
	StateNotApplicable
)

// Stated is a value that a source states; where names the place.
func Stated[T any](v T, where string) Known[T] {
	return Known[T]{state: StateStated, value: v, note: where}
}

// Derived is a value that follows from stated ones by the named rule.
func Derived[T any](v T, rule string) Known[T] {
	return Known[T]{state: StateDerived, value: v, note: rule}
}

// NotStated is a gap: the source does not say. It is never filled by inference.
func NotStated[T any](reason string) Known[T] {
	return Known[T]{state: StateNotStated, note: reason}
}

// NotApplicable says that the question does not arise.
func NotApplicable[T any](reason string) Known[T] {
	return Known[T]{state: StateNotApplicable, note: reason}
}

// State returns how the value is known; 0 for the invalid zero Known.
func (k Known[T]) State() KnownState { return k.state }

// Get returns the value and whether there is one.
func (k Known[T]) Get() (T, bool) {
	return k.value, k.state == StateStated || k.state == StateDerived
}

// Note returns where the value was stated, the rule that derived it, or the
// reason why there is none.
func (k Known[T]) Note() string { return k.note }
