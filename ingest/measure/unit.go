package measure

import (
	"errors"
	"fmt"
	"math"
)

// OutputTokens marks counts of tokens that an endpoint generated.
type OutputTokens struct{}

// InputTokens marks counts of prompt tokens.
type InputTokens struct{}

// AllTokens marks counts of prompt and generated tokens together.
type AllTokens struct{}

// Requests marks counts of requests.
type Requests struct{}

// GoodRequests marks counts of requests that met every objective.
type GoodRequests struct{}

func (OutputTokens) unit() string { return "output tokens" }
func (InputTokens) unit() string  { return "input tokens" }
func (AllTokens) unit() string    { return "input + output tokens" }
func (Requests) unit() string     { return "requests" }
func (GoodRequests) unit() string { return "good requests" }

// Unit is what a [Count] counts. Its method is unexported: the units are the
// five of this package.
type Unit interface {
	comparable
	unit() string
}

// Count is a whole, non-negative number of U. The zero Count is the count 0.
type Count[U Unit] struct {
	_ [0]U // two counts of different units have no common underlying type
	n int64
}

// NewCount is n of U. A negative n is an error.
func NewCount[U Unit](n int64) (Count[U], error) {
	if n < 0 {
		var u U
		return Count[U]{}, fmt.Errorf("counting %s: %d is negative", u.unit(), n)
	}
	return Count[U]{n: n}, nil
}

// Sum adds counts of one unit. It is an error if the sum does not fit an int64.
func Sum[U Unit](counts ...Count[U]) (Count[U], error) {
	var sum int64
	for _, c := range counts {
		if c.n > math.MaxInt64-sum {
			return Count[U]{}, errors.New("adding counts: the sum does not fit 64 bits")
		}
		sum += c.n
	}
	return Count[U]{n: sum}, nil
}

// N is the number counted.
func (c Count[U]) N() int64 { return c.n }

// Unit names what is counted, in words.
func (c Count[U]) Unit() string {
	var u U
	return u.unit()
}

// String is the number with its unit: "2,096 output tokens".
func (c Count[U]) String() string { return FormatCount(c.n) + " " + c.Unit() }
