package plan

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Bounds of an offered load: what one machine can send, and an integer in
// which index × Per fits 128 bits.
const (
	maxRatePerSecond = 100_000
	maxRatePer       = 24 * time.Hour
)

// PerSecond is the offered load in requests per second.
func (r ArrivalRate) PerSecond() float64 {
	return float64(r.Requests) / r.Per.Seconds()
}

// String writes the load as a plan may state it: "20/s", "90/min", "5/2s".
func (r ArrivalRate) String() string {
	units := map[time.Duration]string{time.Second: "s", time.Minute: "min", time.Hour: "h"}
	if unit, ok := units[r.Per]; ok {
		return fmt.Sprintf("%d/%s", r.Requests, unit)
	}
	return fmt.Sprintf("%d/%s", r.Requests, shortDuration(r.Per))
}

// sameAs reports whether two ratios are equal as numbers: 60/min and 1/s are.
func (r ArrivalRate) sameAs(o ArrivalRate) bool { return r.rat().Cmp(o.rat()) == 0 }

// rat is the load in requests per second, exactly.
func (r ArrivalRate) rat() *big.Rat {
	perNS := big.NewRat(int64(r.Requests), int64(r.Per))
	return perNS.Mul(perNS, big.NewRat(int64(time.Second), 1))
}

// slug writes the load for a folder name: the decimal requests per second if
// they have one of at most six places, else the ratio.
func (r ArrivalRate) slug() string {
	const places = 6
	text := r.rat().FloatString(places)
	if back, ok := new(big.Rat).SetString(text); ok && back.Cmp(r.rat()) == 0 {
		return "r" + strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return fmt.Sprintf("r%dper%s", r.Requests, shortDuration(r.Per))
}

// shortDuration is Duration.String without its zero parts: 1m rather than 1m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// parseRate reads "20/s", "2.5/s", "90/min", "5/2s".
func parseRate(s string) (ArrivalRate, error) {
	var none ArrivalRate
	m := regexp.MustCompile(`^(\d{1,9})(?:\.(\d{1,6}))?\s*/\s*([0-9a-zµ.]{1,20})$`).FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return none, fmt.Errorf("is no rate")
	}
	per, err := parsePer(m[3])
	if err != nil {
		return none, err
	}
	requests, err := strconv.ParseInt(m[1]+m[2], 10, 64)
	if err != nil {
		return none, fmt.Errorf("is no rate")
	}
	// requests carry len(m[2]) decimal places: widen the period until both are
	// whole, then take out what they have in common.
	ratio := big.NewRat(requests, pow10(len(m[2])))
	num, den := ratio.Num().Int64(), ratio.Denom().Int64()
	switch {
	case num == 0:
		return none, fmt.Errorf("must be more than 0")
	case per > maxRatePer/time.Duration(den):
		return none, fmt.Errorf("must be over at most %s", shortDuration(maxRatePer))
	}
	r := ArrivalRate{Requests: int(num), Per: per * time.Duration(den)}
	if r.PerSecond() > maxRatePerSecond {
		return none, fmt.Errorf("must be at most %d/s", maxRatePerSecond)
	}
	return r, nil
}

// parsePer reads the period of a rate: a unit, or a duration.
func parsePer(s string) (time.Duration, error) {
	switch s {
	case "s", "sec", "second":
		return time.Second, nil
	case "m", "min", "minute":
		return time.Minute, nil
	case "h", "hour":
		return time.Hour, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("has no period that can be read")
	}
	if d > maxRatePer {
		return 0, fmt.Errorf("must be over at most %s", shortDuration(maxRatePer))
	}
	return d, nil
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}
