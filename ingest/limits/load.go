package limits

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// onTimeShare: an offered rate is reached if 99 % of the planned requests were
// sent on time; 1 % is what is lost to rounding and to a busy moment.
const onTimeShare = 0.99

// OfferedRateNotReached applies to an open loop of which fewer than 99 % of the
// planned requests were sent on time. Asked is the rate in words.
func OfferedRateNotReached(asked string, onTime, planned int64) Finding {
	return when(float64(onTime) < onTimeShare*float64(planned), evidence.OfferedRateNotReached, asked,
		measure.FormatCount(onTime)+" of "+measure.Counted(planned, "planned request"))
}

// SentBelowPlanned is [OfferedRateNotReached] for a source that does not say which
// of the requests that were sent were on time.
func SentBelowPlanned(asked string, sent, planned int64) Finding {
	return when(float64(sent) < onTimeShare*float64(planned), evidence.OfferedRateNotReached, asked,
		"at most "+measure.FormatCount(sent)+" of "+measure.Counted(planned, "planned request"))
}

// SentRateBelowAsked is [OfferedRateNotReached] for a source that gives two
// rates, requests per second, in place of counts.
func SentRateBelowAsked(asked string, perSecond, sent float64) Finding {
	return when(sent < onTimeShare*perSecond, evidence.OfferedRateNotReached, asked, fmt.Sprintf("at most %.6g requests/s", sent))
}

// ConcurrencyNotReached applies to a closed loop that never had as many requests
// in flight as were asked for.
func ConcurrencyNotReached(asked, most int64) Finding {
	return when(most < asked, evidence.ConcurrencyNotReached, measure.Counted(asked, "request"), measure.FormatCount(most))
}

// A queue has grown if the rise is at least a quarter and more than three times
// what a Poisson number of requests would vary by.
const (
	leastRise   = 0.25
	leastSigmas = 3
)

// QueueGrows applies to an open loop with clearly more requests in flight late
// while sending than early: early and late are the mean numbers in flight of the
// second and of the last quarter.
func QueueGrows(early, late float64) Finding {
	rise := late - early
	grew := rise > leastRise*early && rise*rise > leastSigmas*leastSigmas*max(early, 1)
	return when(grew, evidence.QueueGrows, fmt.Sprintf("%.1f", early), fmt.Sprintf("%.1f", late))
}

// RequestsVaryInSeries applies to the points of a series that were taken with
// different numbers of requests.
func RequestsVaryInSeries(requests []int64) Finding {
	counts := slices.Compact(slices.Sorted(slices.Values(requests)))
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = measure.FormatCount(n)
	}
	return when(len(counts) > 1, evidence.RequestsVaryInSeries, list(words))
}
