package verify

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"benchline/ingest/measure"
)

// factor is by how much a number in a unit is larger than in the base unit.
type factor struct {
	unit string
	by   float64
}

// timeUnits are the units in which durations are shown.
func timeUnits() []factor {
	return []factor{{"ms", 1e3}, {"µs", 1e6}, {"μs", 1e6}, {"ns", 1e9}, {"min", 1.0 / 60}, {"h", 1.0 / 3600}, {"s", 1}}
}

// agrees holds a shown number against the record's, to within half of its last
// digit. Behind is the text behind the number, where a unit is looked for first.
// A number without one, as in a table whose column head has it, may be in any
// unit of its metric that fits.
func agrees(shown, behind string, x float64, id measure.MetricID) error {
	number, half, err := parseShown(shown)
	if err != nil {
		return err
	}
	m, ok := measure.Lookup(id)
	if !ok {
		return fmt.Errorf("metric %q is not in the registry", id)
	}
	units, err := unitsOf(m, behind)
	if err != nil {
		return err
	}
	for _, u := range units {
		if isShown(x*u.by, number, half) {
			return nil
		}
	}
	return fmt.Errorf("shows %q %s, the record has %v %s", strings.TrimSpace(shown), behind, x, m.Unit())
}

// isShown reports whether x, rounded, is the number.
func isShown(x, number, half float64) bool {
	return math.Abs(x-number) <= half*(1+1e-9)+math.Abs(x)*1e-12
}

// unitsOf are the units that the number may be in.
func unitsOf(m measure.Metric, behind string) ([]factor, error) {
	word, _, _ := strings.Cut(behind, " ")
	word = strings.Trim(word, ".,;:()")
	if m.Quantity != measure.Time {
		for _, u := range timeUnits() {
			if word == u.unit {
				return nil, fmt.Errorf("a rate is shown in %q", word)
			}
		}
		return []factor{{m.Unit(), 1}}, nil
	}
	for _, u := range timeUnits() {
		if word == u.unit {
			return []factor{u}, nil
		}
	}
	if strings.Contains(word, "/s") {
		return nil, fmt.Errorf("a time is shown in %q", word)
	}
	return timeUnits(), nil
}

// parseShown reads a number as it is shown, and gives half of its last digit.
func parseShown(s string) (number, half float64, err error) {
	clean := strings.NewReplacer(",", "", "≥", "", "−", "-", " ", "", "\u00a0", "", "\u202f", "", "\u2009", "").Replace(s)
	number, err = strconv.ParseFloat(clean, 64)
	if err != nil || strings.ContainsAny(clean, "xXpPnN_") {
		return 0, 0, fmt.Errorf("shows %q, which is no number", strings.TrimSpace(s))
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(clean), "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	power := -len(fraction)
	if exponent != "" {
		e, err := strconv.Atoi(exponent)
		if err != nil {
			return 0, 0, fmt.Errorf("shows %q: %w", s, err)
		}
		power += e
	}
	return number, 0.5 * math.Pow10(power), nil
}
