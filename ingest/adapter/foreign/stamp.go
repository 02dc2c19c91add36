package foreign

import (
	"math"
	"strconv"
	"strings"
	"time"

	"benchline/ingest/evidence"
)

// Stamp is a moment as a file has it: with its zone it becomes RFC 3339 in UTC;
// without one it stays as it is written, and says so. Numbers are seconds,
// milliseconds, microseconds or nanoseconds since 1970, told apart by their size;
// they are kept to the second where they lost precision as floats.
func (d *Draft) Stamp(key string, n Node) evidence.Known[string] {
	if text, ok := n.String(); ok && !n.IsNumber() {
		if at, ok := zoned(text); ok {
			return evidence.Stated(at.UTC().Format(time.RFC3339), where(key))
		}
		return evidence.Stated(Clean(text)+" (zone not stated)", where(key))
	}
	x, ok := n.Float()
	if !ok {
		return evidence.NotStated[string](d.gap(key, n))
	}
	at, ok := epoch(x)
	if !ok {
		return evidence.NotStated[string]("“" + key + "” is " + strconv.Quote(n.Text) + ", which is no moment since 1970")
	}
	return evidence.Derived(at.Format(time.RFC3339), "“"+key+"” in the file: "+n.Text+" since 1970")
}

// zoned reads a time that has a zone.
func zoned(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 -0700"} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// epoch is a number of units since 1970, between 2001 and 2286.
func epoch(x float64) (time.Time, bool) {
	for _, perSecond := range []float64{1, 1e3, 1e6, 1e9} {
		if s := x / perSecond; s >= 1e9 && s < 1e10 {
			return time.Unix(int64(math.Floor(s+1e-6)), 0).UTC(), true
		}
	}
	return time.Time{}, false
}
