package plan

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNeeds(t *testing.T) {
	closed := "mode = \"closed\"\nconcurrency = [1]"
	open := func(rates, more string) string {
		return edit(closed, "mode = \"open\"\nrates = "+rates+"\nmax_in_flight = 50\n"+more)
	}
	for _, tt := range []struct {
		name                   string
		src                    string
		runs                   int
		requests, warmup       int64
		sockets                int
		seconds, known, drains float64
		expected               bool
	}{
		{"closed by count", edit(closed, "mode = \"closed\"\nconcurrency = [1, 8]"), 2, 20, 0, 8, Unknown, 0, 60, false},
		{
			"closed by duration", strings.Replace(minimalWith("repeats = 3"), "requests = 10", `duration = "20s"`, 1),
			3, Unknown, 0, 1, 60, 60, 90, false,
		},
		{
			"closed with counted warm-up", edit("requests = 10", `duration = "20s"`) + "[warmup]\nrequests = 4\n",
			1, Unknown, 4, 1, Unknown, 0, 30, false,
		},
		{"open by count", open(`["2/s", "5/s"]`, ""), 2, 20, 0, 50, 7, 7, 60, false},
		{
			"open by duration", strings.Replace(open(`["90/min"]`, ""), "requests = 10", `duration = "1s"`, 1) + "[warmup]\nduration = \"10s\"\n",
			1, 2, 15, 50, 11, 11, 30, false,
		},
		{"poisson", strings.Replace(open(`["2/s"]`, `arrivals = "poisson"`), "[load]", "seed = 1\n[load]", 1), 1, 10, 0, 50, 5, 5, 30, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := mustParse(t, tt.src).Needs()
			if n.Runs != tt.runs || n.Requests != tt.requests || n.Warmup != tt.warmup || n.Sockets != tt.sockets ||
				n.Seconds != tt.seconds || n.KnownSeconds != tt.known || n.DrainSeconds != tt.drains {
				t.Errorf("got %+v\nwant %+v", n, tt)
			}
			for _, p := range n.Points {
				if p.Expected != tt.expected {
					t.Errorf("%s: expected value is %v", p.Point.Slug, p.Expected)
				}
				if (p.Seconds == Unknown || p.Requests == Unknown || p.Expected) != (len(p.Notes) > 0) {
					t.Errorf("%s: notes %q", p.Point.Slug, p.Notes)
				}
			}
		})
	}
}

// k requests are due before d iff request k−1 is and request k is not.
func TestDueBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ArrivalRate{rapid.IntRange(1, 1000).Draw(t, "n"), time.Duration(rapid.Int64Range(1, 1e10).Draw(t, "per"))}
		d := rapid.Int64Range(1, 1e12).Draw(t, "d")
		k := dueBefore(r, time.Duration(d))
		before := func(i int64) bool { // i × Per ÷ Requests < d
			due := new(big.Int).Mul(big.NewInt(i), big.NewInt(int64(r.Per)))
			return due.Cmp(new(big.Int).Mul(big.NewInt(d), big.NewInt(int64(r.Requests)))) < 0
		}
		if k < 1 || !before(k-1) || before(k) {
			t.Fatalf("%v: %d due before %d ns", r, k, d)
		}
	})
	if got := dueBefore(ArrivalRate{100_000, time.Second}, maxStop); got != 60_480_000_000 {
		t.Errorf("the longest run at the highest rate sends %d", got)
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]ArrivalRate{
		"20/s": {20, time.Second}, "20 / s": {20, time.Second}, "90/min": {90, time.Minute}, "7/h": {7, time.Hour},
		"2.5/s": {5, 2 * time.Second}, "2.50/s": {5, 2 * time.Second}, "1/100ms": {1, 100 * time.Millisecond},
		"5/2s": {5, 2 * time.Second}, "0.000001/s": {1, 1_000_000 * time.Second / 1}, "10.0/s": {10, time.Second},
	} {
		got, err := parseRate(text)
		if text == "0.000001/s" {
			if err == nil {
				t.Errorf("%s is slower than one a day but was accepted", text)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, want)
		}
	}
}

// A rate's text reads back as the same rate, and its slug is a safe part of a
// file name that tells different rates apart.
func TestRateTextRoundTrips(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) ArrivalRate {
		unit := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, time.Minute, time.Hour}).Draw(t, "unit")
		r := ArrivalRate{rapid.IntRange(1, 50_000).Draw(t, "n"), time.Duration(rapid.IntRange(1, 20).Draw(t, "k")) * unit}
		if r.PerSecond() > maxRatePerSecond {
			r.Per = time.Second
		}
		return r
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		back, err := parseRate(a.String())
		if err != nil || back != a {
			t.Fatalf("%+v is written %s and reads back as %+v, %v", a, a, back, err)
		}
		if math.IsInf(a.PerSecond(), 0) || a.PerSecond() <= 0 {
			t.Fatalf("%v is %v per second", a, a.PerSecond())
		}
		if a.sameAs(b) != (a.slug() == b.slug()) && a.slug()[1:] == b.slug()[1:] {
			t.Fatalf("%v and %v have the slugs %s and %s", a, b, a.slug(), b.slug())
		}
		if strings.Trim(a.slug(), "abcdefghijklmnopqrstuvwxyz0123456789.") != "" {
			t.Fatalf("slug %q", a.slug())
		}
	})
}
