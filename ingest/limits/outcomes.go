package limits

import (
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// UnresolvedTail applies where sent requests had no outcome when observation
// ended. Sent may be not stated.
func UnresolvedTail(unresolved, sent evidence.Known[int64]) Finding {
	open, _ := unresolved.Get()
	of := "an unstated number of"
	if n, ok := sent.Get(); ok {
		of = measure.FormatCount(n)
	}
	return when(open > 0, evidence.UnresolvedTail, measure.FormatCount(open), of)
}

// FailuresExcluded applies where requests failed, were rejected or timed out
// and a figure of completed requests leaves them out.
func FailuresExcluded(failed, rejected, timedOut int64) Finding {
	n := failed + rejected + timedOut
	return when(n > 0, evidence.FailuresExcluded, measure.Counted(n, "request"))
}

// FailuresInside applies where a source counts requests as completed that may
// have failed. Rule is what it counts, empty where it counts as benchline does.
func FailuresInside(rule string) Finding {
	return when(rule != "", evidence.FailuresInside, rule)
}

// OutcomesNotStated applies where a source that gives figures does not say how
// many requests were sent, how many failed or how many were unresolved when it
// stopped looking.
func OutcomesNotStated(o evidence.Outcomes) Finding {
	known := func(k evidence.Known[int64]) bool { return k.State() != evidence.StateNotStated }
	var missing []string
	if !known(o.Sent) && !known(o.Planned) {
		missing = append(missing, "were sent")
	}
	if !known(o.Failed) {
		missing = append(missing, "failed")
	}
	if !known(o.Unresolved) && !accounted(o) {
		missing = append(missing, "were still open")
	}
	return when(len(missing) > 0, evidence.OutcomesNotStated, list(missing))
}

// accounted reports whether the outcomes that are stated leave no request over:
// then none was open, whether the source says so or not.
func accounted(o evidence.Outcomes) bool {
	all, ok := o.Sent.Get()
	if !ok {
		all, ok = o.Planned.Get()
	}
	ended := int64(0)
	for _, k := range []evidence.Known[int64]{o.Completed, o.Failed, o.Rejected, o.TimedOut, o.Cancelled} {
		n, _ := k.Get()
		ended += n
	}
	return ok && ended >= all
}

// SentAgain applies where requests were sent again on a fresh connection,
// because a reused one had died before any byte of an answer.
func SentAgain(again, sent int64) Finding {
	return when(again > 0, evidence.SentAgain, measure.FormatCount(again), measure.Counted(sent, "sent request"))
}

// StreamWithoutDone applies where completed streams ended with a finish reason
// but without the end mark.
func StreamWithoutDone(streams int64) Finding {
	return when(streams > 0, evidence.StreamWithoutDone, measure.Counted(streams, "completed stream"))
}
