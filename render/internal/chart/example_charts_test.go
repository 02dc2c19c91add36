package chart_test

import (
	"benchline/render/report"
)

func ptr(x float64) *float64 { return &x }

func ok(x, y float64, label string) report.Point {
	return report.Point{X: x, Y: &y, State: report.PointOK, Label: label}
}

func gap(x float64, reason string) report.Point {
	return report.Point{X: x, State: report.PointNoData, Reason: reason}
}

// kinds are the kinds of chart that a site has, with invented data.
func kinds() []report.Chart {
	return []report.Chart{loadCurve(), ladder(), ecdf(), logLog(), timeline(), gaps(), empty(), single(), places()}
}

// places has every mark that says where a point stands or what it is, a line
// with a break, and points without a place.
func places() report.Chart {
	at := func(x, y float64, label string, pl report.Place, by string) report.Point {
		p := ok(x, y, label)
		p.Place, p.By = pl, by
		return p
	}
	apart := at(700, 0.9, "c = 8", report.OnFrontier, "")
	apart.Apart = true
	bound := at(760, 1.9, "c = 32", report.Undecided, "c = 8")
	bound.YLeast, bound.Apart = true, true
	least := at(300, 1.2, "c = 5", report.Dominated, "c = 4")
	least.XLeast = true
	derived, claim, void, failed := ok(420, 1.6, "c = 6"), ok(560, 0.4, "claim"), ok(520, 1.9, "c = 7"), gap(0, "failed: 0 of 40 sent requests completed")
	derived.State, claim.State, void.State, failed.State = report.PointDerived, report.PointClaimed, report.PointVoid, report.PointFailed
	derived.Place = report.NotCompared
	return report.Chart{
		ID: "places", Title: "Where points stand", Desc: "Three on the frontier, two dominated, one undecided.",
		X: report.Axis{Metric: "output_token_rate", Label: "Output-token rate", Unit: "tokens/s", Better: "higher is better"},
		Y: report.Axis{Metric: "ttft", Label: "Time to first token", Unit: "s", Better: "lower is better"},
		Series: []report.Series{
			{Name: "closed loop, cache cold, p95", Style: 0, Line: true, Along: "concurrency", Points: []report.Point{
				at(100, 0.2, "c = 1", report.OnFrontier, ""), at(330, 0.5, "c = 4", report.OnFrontier, ""), apart,
				at(640, 1.4, "c = 16", report.Dominated, "c = 8"), bound, failed}},
			{Name: "closed loop, cache warm, p95", Style: 1, Points: []report.Point{least, derived, void}},
			{Name: "closed loop, claimed", Style: 2, Points: []report.Point{claim}},
		},
		Lines: []report.RefLine{{Y: ptr(1), Label: "target: p95 at most 1 s"}},
		Unplaced: []report.Unplaced{{State: report.PointNoData, Label: "c = 64", Reason: "output-token rate not stated"},
			{State: report.PointFailed, Label: "c = 128", Reason: "failed: 0 of 40 sent requests completed"}, {State: report.PointVoid, Label: "c = 256", Reason: "void: three rows are lost"}},
	}
}

// loadCurve has latency over throughput, each point labelled directly.
func loadCurve() report.Chart {
	link := func(p report.Point, st report.PointState, href string) report.Point {
		p.State, p.Href = st, href
		return p
	}
	bound := link(ok(930, 2.6, "c = 64"), report.PointOK, "../records/e.html")
	bound.YLeast = true
	return report.Chart{
		ID: "load-curve", Title: "p95 time to first token against output-token rate",
		Desc: "Two families; waits rise with load, steeply above 900 tokens per second.",
		X:    report.Axis{Metric: "output_token_rate", Label: "Output-token rate", Unit: "tokens/s", Better: "higher is better"},
		Y:    report.Axis{Metric: "ttft_p95", Label: "Time to first token from due, p95", Unit: "s", Better: "lower is better"},
		Series: []report.Series{
			{Name: "cold prompts, 512 in / 64 out", Style: 0, Line: true, Points: []report.Point{
				link(ok(60, 0.21, "c = 1"), report.PointOK, "../records/a.html"), link(ok(230, 0.24, "c = 4"), report.PointOK, "../records/b.html"),
				link(ok(610, 0.42, "c = 16"), report.PointSuspect, "../records/c.html"), link(ok(880, 0.95, "c = 32"), report.PointOK, "../records/d.html"),
				bound,
			}},
			{Name: "warm prompts, 512 in / 64 out", Style: 1, Line: true, Points: []report.Point{
				ok(75, 0.05, "c = 1"), ok(290, 0.07, "c = 4"), ok(890, 0.12, "c = 16"),
				link(ok(1010, 0.6, "c = 32"), report.PointVoid, "../records/f.html"), ok(1290, 1.1, "c = 64"),
			}},
		},
		Lines: []report.RefLine{{Y: ptr(1), Label: "objective: 1 s"}},
	}
}

// ladder has a metric over planned concurrency, on rungs of powers of two.
func ladder() report.Chart {
	return report.Chart{
		ID: "ladder", Title: "Output-token rate over concurrency", Desc: "The rate rises from 850 to 12,000 tokens per second.",
		X: report.Axis{Label: "Concurrency", Unit: "requests outstanding", Log: true},
		Y: report.Axis{Metric: "output_token_rate", Label: "Output-token rate", Unit: "tokens/s", Better: "higher is better"},
		Series: []report.Series{
			{Name: "128 in / 512 out", Style: 0, Line: true, Points: []report.Point{ok(1, 850, "c = 1"), ok(2, 1690, "c = 2"), ok(4, 3300, "c = 4"), ok(8, 6400, "c = 8"), ok(64, 12000, "c = 64")}},
			{Name: "1,024 in / 512 out", Style: 2, Line: true, Points: []report.Point{ok(1, 500, "c = 1"), ok(2, 930, "c = 2"), gap(4, "run interrupted before the first request ended"), ok(8, 2700, "c = 8"), ok(64, 4100, "c = 64")}},
			{Name: "8,192 in / 512 out", Style: 3, Line: true, Points: []report.Point{ok(1, 120, "c = 1"), ok(8, 410, "c = 8"), ok(64, 466, "c = 64")}},
		},
	}
}

// ecdf has a distribution over all sent requests that stays open.
func ecdf() report.Chart {
	s := report.Series{Name: "all 2,500 sent requests, from due", Style: 0, Step: true}
	for i := 0; i <= 60; i++ {
		x := 0.4 + float64(i)*0.145
		share := 0.938 * (1 - 1/(1+x*x*x/12))
		s.Points = append(s.Points, report.Point{X: x, Y: ptr(share), State: report.PointOK})
		high := share
		if x > 4 {
			high = share + (x-4)*0.062/5.2
		}
		s.Band = append(s.Band, report.BandPoint{X: x, Low: share, High: min(1, high)})
	}
	return report.Chart{
		ID: "ecdf", Title: "Time to first token, every request that was sent", Desc: "The curve rises to 93 percent and stays open.",
		X:      report.Axis{Metric: "ttft_due_p50", Label: "Time to first token, from due", Unit: "s", Better: "lower is better"},
		Y:      report.Axis{Label: "Share of sent requests that had a first token by then", Share: true},
		Series: []report.Series{s},
		Lines: []report.RefLine{
			{Y: ptr(0.95), Label: "p95 of all sent: at least 9.1 s, unbounded above", Hot: true},
			{X: ptr(9.1), Label: "observation ended", Hot: true},
			{X: ptr(2.5), Label: "objective: 2.5 s"},
			{Y: ptr(0.5), Label: "p50"},
		},
	}
}

// logLog has two logarithmic axes and values over three decades.
func logLog() report.Chart {
	return report.Chart{
		ID: "log-log", Title: "p99 time to first token over asked rate", Desc: "Waits grow from 80 ms to 12.5 s.",
		X: report.Axis{Label: "Asked rate", Unit: "requests/s", Log: true},
		Y: report.Axis{Metric: "ttft_p99", Label: "Time to first token, p99", Unit: "s", Log: true, Better: "lower is better"},
		Series: []report.Series{
			{Name: "open loop, Poisson arrivals", Style: 0, Line: true, Points: []report.Point{ok(1, 0.08, "1/s"), ok(8, 0.95, "8/s"), ok(16, 12.5, "16/s")}},
			{Name: "open loop, constant arrivals", Style: 4, Points: []report.Point{ok(1, 0.06, "1/s"), ok(8, 0.31, "8/s"), ok(16, 7.5, "16/s"), ok(30, 48, "30/s")}},
		},
		Lines: []report.RefLine{{X: ptr(11.5), Label: "most that was sent on time: 11.5 requests/s", Hot: true}},
	}
}

// timeline has many points and no marks.
func timeline() report.Chart {
	s := report.Series{Name: "in flight", Style: 0, Line: true}
	due := report.Series{Name: "due and not ended", Style: 1, Line: true}
	for i := 0; i < 200; i++ {
		x := float64(i) * 0.5
		s.Points = append(s.Points, report.Point{X: x, Y: ptr(min(64, x*1.4)), State: report.PointOK})
		due.Points = append(due.Points, report.Point{X: x, Y: ptr(x * 2.1), State: report.PointOK})
	}
	return report.Chart{
		ID: "timeline", Title: "Requests in flight", Desc: "The number due and not ended keeps growing.",
		X: report.Axis{Label: "Time since the observation window began", Unit: "s"}, Y: report.Axis{Label: "Requests"},
		Series: []report.Series{s, due}, Lines: []report.RefLine{{X: ptr(80), Label: "sending stopped"}},
	}
}

// gaps is case C35: a gap, a true zero, an empty series, a single point.
func gaps() report.Chart {
	none := "no run of this point was made"
	return report.Chart{
		ID: "gaps", Title: "Gaps", Desc: "A gap at 2 and a true zero at 4.",
		X: report.Axis{Label: "Concurrency", Log: true}, Y: report.Axis{Label: "Request rate", Unit: "requests/s", Better: "higher is better"},
		Series: []report.Series{
			{Name: "with gap", Style: 0, Line: true, Points: []report.Point{ok(1, 10, ""), gap(2, "not run"), ok(4, 0, ""), ok(8, 40, "")}},
			{Name: "all empty", Style: 1, Line: true, Points: []report.Point{gap(1, none), gap(2, none), gap(4, none), gap(8, none)}},
			{Name: "one point", Style: 2, Line: true, Points: []report.Point{ok(4, 7, "")}},
		},
	}
}

// empty has nothing to draw.
func empty() report.Chart {
	return report.Chart{
		ID: "empty", Title: "Nothing", Desc: "There is no data.",
		X:      report.Axis{Label: "Concurrency", Log: true},
		Y:      report.Axis{Label: "Time per output token, p50", Unit: "s", Better: "lower is better"},
		Series: []report.Series{{Name: "cold", Points: []report.Point{gap(1, "every completed request returned one token, so there is no time per output token"), gap(16, "every completed request returned one token, so there is no time per output token")}}},
	}
}

// single has one point and nothing else.
func single() report.Chart {
	return report.Chart{
		ID: "single", Title: "One point", Desc: "One record.",
		X:      report.Axis{Metric: "output_token_rate", Label: "Output-token rate", Unit: "tokens/s", Better: "higher is better"},
		Y:      report.Axis{Metric: "tpot_p50", Label: "Time per output token, p50", Unit: "s", Better: "lower is better"},
		Series: []report.Series{{Name: "b0 cold", Style: 5, Line: true, Points: []report.Point{ok(1018.93, 0.01602, "c = 16")}}},
	}
}
