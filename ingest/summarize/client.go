package summarize

import (
	"cmp"
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// client is the load generator's observation of itself.
func (r *run) client() *evidence.Client {
	h := r.m.Health
	c := &evidence.Client{Verdict: string(h.Verdict), Reasons: append([]string{}, h.Reasons...)}
	add := func(key, label, value string) {
		c.Facts = append(c.Facts, evidence.Fact{Key: key, Label: label, Value: evidence.Stated(value, byManifest)})
	}
	observations := func(key, label string, n *int64) {
		known := evidence.NotStated[string]("the manifest does not count them")
		if n != nil {
			known = evidence.Stated(measure.FormatCount(*n), byManifest)
		}
		c.Facts = append(c.Facts, evidence.Fact{Key: key, Label: label, Value: known})
	}
	secs := func(ns int64) string { return measure.FormatSeconds(measure.Seconds(ns)) }
	add("send_lag_p50", "Send lag, median", secs(h.SendLagP50NS))
	add("send_lag_p99", "Send lag, 99th percentile", secs(h.SendLagP99NS))
	add("send_lag_max", "Send lag, maximum", secs(h.SendLagMaxNS))
	observations("sends", "Requests whose send lag was seen", h.Sends)
	add("sched_lag_p99", "Lateness of a 10 ms ticker, 99th percentile", secs(h.SchedLagP99NS))
	add("sched_lag_max", "Lateness of a 10 ms ticker, maximum", secs(h.SchedLagMaxNS))
	observations("ticks", "Ticks that were seen", h.Ticks)
	add("cpu_seconds", "Processor time", measure.FormatSeconds(h.CPUSeconds))
	add("cpu_share", fmt.Sprintf("Processor share of %d cores", h.Cores), measure.FormatShare(h.CPUShare))
	add("gc_pauses", "Garbage collection pauses", measure.FormatCount(h.GCPauses))
	add("gc_pause_max", "Longest of them", secs(h.GCPauseMaxNS))
	add("max_in_flight", "Most requests in flight", measure.FormatCount(h.MaxInFlight))
	add("open_file_limit", "Open-file limit", measure.FormatCount(h.OpenFileLimit))
	add("wall_step", "Wall clock moved against the monotonic clock by", secs(h.WallStepNS))
	gap := evidence.NotApplicable[string]("no gaps between chunks")
	if h.SubMSGapShare != nil {
		gap = evidence.Stated(measure.FormatShare(*h.SubMSGapShare), byManifest)
	}
	observations("gaps", "Gaps between chunks", h.Gaps)
	c.Facts = append(c.Facts,
		evidence.Fact{Key: "sub_ms_gap_share", Label: "Chunk gaps under 1 ms", Value: gap},
		evidence.Fact{Key: "sent_again", Label: "Requests sent again on a fresh connection", Value: evidence.Derived(measure.FormatCount(r.seen.resent), countedNote)})
	return c
}

// facts are the manifest's facts, stated and not stated, in its order.
func (r *run) facts() []evidence.Fact {
	facts := make([]evidence.Fact, 0, len(r.m.Facts))
	for _, f := range r.m.Facts {
		known := evidence.NotStated[string](whyNot(f))
		if f.Value != nil {
			known = evidence.Stated(*f.Value, cmp.Or(f.By, byManifest))
		}
		facts = append(facts, evidence.Fact{Key: f.Key, Label: evidence.FactLabel(f.Key), Value: known})
	}
	return facts
}
