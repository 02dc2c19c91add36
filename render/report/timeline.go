package report

import (
	"fmt"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Timeline is what went on during a run: drawings and table. Requests in flight
// and requests a bin are two quantities, so they have two drawings.
type Timeline struct {
	InFlight, Flow Chart
	Rows           []TimelineRow
}

// Charts are the drawings.
func (t *Timeline) Charts() []Chart { return []Chart{t.InFlight, t.Flow} }

// TimelineRow is one bin, or several joined ones, of the table.
type TimelineRow struct{ From, To, Due, Ended, InFlight string }

// mostTimelineRows bounds the table: more bins are joined in equal numbers.
const mostTimelineRows = 60

func timelineOf(r *evidence.Record) *Timeline {
	t := r.Timeline
	if t == nil || len(t.InFlight) == 0 {
		return nil
	}
	bin := measure.FormatSeconds(t.BinSeconds)
	inFlight := counts("in flight", 0, InFlight, t.InFlight, t.BinSeconds)
	due, ended := counts("due", 1, EachBin, t.Due, t.BinSeconds), counts("ended", 2, EachBin, t.Ended, t.BinSeconds)
	at := timelineChart("timeline", "In flight over the measured part of the run", InFlight, inFlight)
	at.Desc = fmt.Sprintf("%d bins of %s. At most %s requests in flight at the end of a bin; %s at the end of the last.",
		len(t.InFlight), bin, measure.FormatCount(slices.Max(t.InFlight)), measure.FormatCount(t.InFlight[len(t.InFlight)-1]))
	flow := timelineChart("timeline-flow", "Due and ended", EachBin, due, ended)
	flow.Desc = fmt.Sprintf("Requests due and ended in each bin of %s.", bin)
	flow.Notes = []string{"Where more is due than ends, the number in flight grows and waits depend on how long the run lasted."}
	return &Timeline{InFlight: at, Flow: flow, Rows: timelineRows(t)}
}

func timelineChart(id, title string, of Quantity, series ...Series) Chart {
	zero := 0.0
	n := len(series[0].Points)
	return Chart{ID: id, Title: title, Series: series, Shown: Shown{What: "bins", Drawn: n, Of: n},
		X: Axis{Of: SinceStart, Label: string(SinceStart), Unit: "s", Min: &zero},
		Y: Axis{Of: of, Label: string(of), Min: &zero}}
}

func counts(name string, style int, of Quantity, ns []int64, bin float64) Series {
	s := Series{Name: name, Style: style, Of: of, Step: true, Points: make([]Point, len(ns))}
	ys := make([]float64, len(ns))
	for i, n := range ns {
		ys[i] = float64(n)
		s.Points[i] = Point{X: float64(i) * bin, Y: &ys[i], State: PointOK}
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
