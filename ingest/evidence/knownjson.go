package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// String returns the state in words, as it stands in JSON, CSV and on pages.
func (s KnownState) String() string {
	switch s {
	case StateStated:
		return "stated"
	case StateDerived:
		return "derived"
	case StateNotStated:
		return "not stated"
	case StateNotApplicable:
		return "not applicable"
	}
	return "invalid"
}

// knownJSON is the encoded form of a Known. Which of the note's three keys is
// used follows from the state.
type knownJSON[T any] struct {
	State  string  `json:"state"`
	Value  *T      `json:"value,omitempty"`
	Where  *string `json:"where,omitempty"`
	Rule   *string `json:"rule,omitempty"`
	Reason *string `json:"reason,omitempty"`
}

// MarshalJSON writes {"state":"stated","value":…,"where":…},
// {"state":"derived","value":…,"rule":…}, {"state":"not stated","reason":…} or
// {"state":"not applicable","reason":…}. The zero Known is an error.
func (k Known[T]) MarshalJSON() ([]byte, error) {
	j := knownJSON[T]{State: k.state.String()}
	switch k.state {
	case StateStated:
		j.Value, j.Where = &k.value, &k.note
	case StateDerived:
		j.Value, j.Rule = &k.value, &k.note
	case StateNotStated, StateNotApplicable:
		j.Reason = &k.note
	default:
		return nil, errZeroKnown()
	}
	return marshal(j)
}

// UnmarshalJSON reads what [Known.MarshalJSON] writes. Keys that do not go with
// the state, and keys that are unknown, are refused.
func (k *Known[T]) UnmarshalJSON(data []byte) error {
	var j knownJSON[T]
	if err := unmarshal(data, &j); err != nil {
		return err
	}
	var got Known[T]
	var note *string
	switch j.State {
	case "stated":
		got.state, note = StateStated, j.Where
	case "derived":
		got.state, note = StateDerived, j.Rule
	case "not stated":
		got.state, note = StateNotStated, j.Reason
	case "not applicable":
		got.state, note = StateNotApplicable, j.Reason
	default:
		return fmt.Errorf("a value's state is stated, derived, not stated or not applicable, got %q", j.State)
	}
	hasValue := got.state == StateStated || got.state == StateDerived
	if hasValue != (j.Value != nil) {
		return fmt.Errorf("a value that is %s: wrong to have value present = %t", j.State, j.Value != nil)
	}
	if note == nil || countNotes(j.Where, j.Rule, j.Reason) != 1 {
		return fmt.Errorf("a value that is %s needs exactly one of where, rule and reason, the one that goes with it", j.State)
	}
	got.note = *note
	if hasValue {
		got.value = *j.Value
	}
	*k = got
	return nil
}

func countNotes(notes ...*string) int {
	n := 0
	for _, s := range notes {
		if s != nil {
			n++
		}
	}
	return n
}

func errZeroKnown() error {
	return errors.New("value is neither stated, derived, not stated nor not applicable: the field was never set")
}

// marshal is json.Marshal without the escaping of '<', '>' and '&'.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// unmarshal is json.Unmarshal that refuses unknown keys and trailing data.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if len(bytes.TrimSpace(data[d.InputOffset():])) > 0 {
		return errors.New("more data after the end of the JSON value")
	}
	return nil
}
