package report

import (
	"fmt"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Timeline is what went on during a run: drawing and table.
type Timeline struct {
	Chart Chart
	Rows  []TimelineRow
}

// TimelineRow is one bin, or several joined ones, of the table.
type TimelineRow struct{ From, To, Due, Ended, InFlight string }

// mostTimelineRows bounds the table: more bins are joined in equal numbers.
const mostTimelineRows = 60

func timelineOf(r *evidence.Record) *Timeline {
	t := r.Timeline
	if t == nil || len(t.InFlight) == 0 {
		return nil
	}
	zero := 0.0
	c := Chart{
		ID: "timeline", Title: "Requests over the measured part of the run",
		X: Axis{Of: SinceDue, Label: string(SinceDue), Unit: "s", Min: &zero},
		Y: Axis{Of: Requests, Label: string(Requests), Min: &zero},
		Series: []Series{
			counts("in flight", 0, t.InFlight, t.BinSeconds),
			counts("due in a bin", 1, t.Due, t.BinSeconds),
			counts("ended in a bin", 2, t.Ended, t.BinSeconds),
		},
	}
	peak := int64(0)
	for _, n := range t.InFlight {
		peak = max(peak, n)
	}
	c.Desc = fmt.Sprintf("%d bins of %s. At most %s requests in flight at the end of a bin; %s at the end of the last.",
		len(t.InFlight), measure.FormatSeconds(t.BinSeconds), measure.FormatCount(peak), measure.FormatCount(t.InFlight[len(t.InFlight)-1]))
	c.Notes = []string{fmt.Sprintf("Bins of %s; in flight: at the end of each. Where more is due than ends, the number in flight grows and waits depend on how long the run lasted.", measure.FormatSeconds(t.BinSeconds))}
	return &Timeline{Chart: c, Rows: timelineRows(t)}
}

func counts(name string, style int, ns []int64, bin float64) Series {
	s := Series{Name: name, Style: style, Step: true}
	for i, n := range ns {
		y := float64(n)
		s.Points = append(s.Points, Point{X: float64(i) * bin, Y: &y, State: PointOK})
	}
	return s
}

func timelineRows(t *evidence.Timeline) []TimelineRow {
	n := min(len(t.InFlight), len(t.Due), len(t.Ended))
	join := (n + mostTimelineRows - 1) / mostTimelineRows
	var rows []TimelineRow
	for i := 0; i < n; i += max(1, join) {
		end := min(n, i+max(1, join))
		due, ended := int64(0), int64(0)
		for k := i; k < end; k++ {
			due += t.Due[k]
			ended += t.Ended[k]
		}
		rows = append(rows, TimelineRow{
			From: seconds(float64(i) * t.BinSeconds), To: seconds(float64(end) * t.BinSeconds),
			Due: measure.FormatCount(due), Ended: measure.FormatCount(ended), InFlight: measure.FormatCount(t.InFlight[end-1]),
		})
	}
	return rows
}
