package measure

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Rate is a count of U per second, with all that it was made of. It can only
// be made by [NewRate], it is comparable, and it has no arithmetic: to join
// two rates, join their counts and their intervals. The zero Rate is invalid
// and is never written.
type Rate[U Unit] struct {
	num   Count[U]
	over  Interval
	of    Population
	cache CacheState
}

// NewRate is num per second of the interval, counted over a population in a
// cache state. It is an error if one of the last three is the invalid zero.
func NewRate[U Unit](num Count[U], over Interval, of Population, cache CacheState) (Rate[U], error) {
	switch {
	case !over.IsValid():
		return Rate[U]{}, fmt.Errorf("rate of %s: the interval is invalid", num.Unit())
	case !of.IsValid():
		return Rate[U]{}, fmt.Errorf("rate of %s: the population is invalid", num.Unit())
	case !cache.IsValid():
		return Rate[U]{}, fmt.Errorf("rate of %s: the cache state is invalid", num.Unit())
	}
	return Rate[U]{num: num, over: over, of: of, cache: cache}, nil
}

// IsValid reports whether the rate came from [NewRate].
func (r Rate[U]) IsValid() bool { return r.over.IsValid() && r.of.IsValid() && r.cache.IsValid() }

// PerSecond is count ÷ seconds. For the invalid zero Rate it is NaN.
func (r Rate[U]) PerSecond() float64 { return float64(r.num.n) / r.over.Seconds() }

// Count is the numerator.
func (r Rate[U]) Count() Count[U] { return r.num }

// Over is the denominator.
func (r Rate[U]) Over() Interval { return r.over }

// Of is the population that was counted.
func (r Rate[U]) Of() Population { return r.of }

// Cache is the cache state in which it was counted.
func (r Rate[U]) Cache() CacheState { return r.cache }

// String is the rate with all its parts.
func (r Rate[U]) String() string {
	if !r.IsValid() {
		return "invalid rate"
	}
	return fmt.Sprintf("%s %s/s = %s ÷ %s of %s, cache %s",
		scaleRate([]float64{r.PerSecond()}).Text(r.PerSecond()), r.num.Unit(), r.num, r.over, r.of, r.cache)
}

// MarshalJSON writes the rate with its parts. The zero Rate is an error.
func (r Rate[U]) MarshalJSON() ([]byte, error) {
	if !r.IsValid() {
		return nil, errors.New("writing a rate: it is the invalid zero value")
	}
	type excluded struct {
		Reason string `json:"reason"`
		N      int64  `json:"n"`
	}
	out := make([]excluded, 0, len(r.of.out))
	for _, x := range r.of.Excluded() {
		out = append(out, excluded{x.Reason.String(), x.N})
	}
	b, err := json.Marshal(struct {
		PerSecond float64    `json:"per_second"`
		Count     int64      `json:"count"`
		Unit      string     `json:"unit"`
		FromNS    int64      `json:"from_ns"`
		ToNS      int64      `json:"to_ns"`
		Window    WindowRule `json:"window"`
		Rule      string     `json:"population"`
		N         int64      `json:"n"`
		Excluded  []excluded `json:"excluded"`
		Cache     string     `json:"cache"`
	}{r.PerSecond(), r.num.n, r.num.Unit(), r.over.from, r.over.to, r.over.rule, r.of.rule, r.of.n, out, r.cache.String()})
	if err != nil {
		return nil, fmt.Errorf("writing a rate: %w", err)
	}
	return b, nil
}
