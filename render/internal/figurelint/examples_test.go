package figurelint

import (
	"fmt"
	"math"
	"slices"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render/report"
)

type example struct {
	rule  string
	level Level // 0: nothing is found
	what  string
	view  View
}

// examples are for each rule figures in which it finds something, and figures
// next to those in which it does not.
func examples() []example {
	return slices.Concat(labelExamples(), percentileExamples(), missingExamples(), mixingExamples(), lineExamples(), spreadExamples(), removedExamples())
}

func labelExamples() []example {
	per := func(stated bool) View {
		return onSheet(func(s *report.Sheet) {
			s.Columns[0].Unit = "output tokens/s/GPU"
			if stated {
				for _, row := range s.Groups[0].Rows {
					row.Cells[0].Fig.Basis.Record.Subject.Accelerators = evidence.Stated[int64](4, "manifest")
				}
			}
		})
	}
	return []example{
		{"L1", Error, "output rate under the label of the total", onSheet(func(s *report.Sheet) { s.Columns[0].Label = "Input + output tokens/s" })},
		{"L1", Error, "total rate in the column of the output rate", onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) { c.Fig.Basis.Value.Metric = "total_token_rate" })},
		{"L1", Error, "words of its own", onCurve(func(c *report.Chart) { c.Y.Label = "Latency" })},
		{"L1", Error, "asked rate called achieved", onCurve(func(c *report.Chart) {
			c.X = report.Axis{Of: report.AskedRate, Label: "achieved rate", Unit: "requests/s"}
		})},
		{"L1", Error, "no metric at all", onStairs(func(c *report.Chart) { c.Y.Of, c.Y.Label = "", "share" })},
		{"L1", Error, "time per token on the axis of time to first token", onCurve(func(c *report.Chart) { c.Series[0].Metric = "tpot_p95" })},
		{"L1", 0, "label with its event", onStairs(func(c *report.Chart) { c.X.Label = "Time to first token, from the time when due" })},
		{"L2", Error, "ms over seconds", onSheet(func(s *report.Sheet) { s.Columns[1].Unit = "s" })},
		{"L2", Error, "off by a thousand", onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) { c.Fig.Text = "0.4" })},
		{"L2", Error, "tokens in requests/s", onSheet(func(s *report.Sheet) { s.Columns[0].Unit = "requests/s" })},
		{"L2", Error, "drawn elsewhere", onPoint(0, func(p *report.Point) { p.Y = pt(200) })},
		{"L2", 0, "the same in seconds", onSheet(func(s *report.Sheet) {
			s.Columns[1].Unit = "s"
			for _, r := range s.Groups[0].Rows {
				r.Cells[1].Fig.Text = "0.400"
			}
		})},
		{"L2", 0, "rounded", onCell(1, 0, func(_ *report.SheetRow, c *report.Cell) { c.Fig.Text = "300" })},
		{"L3", Error, "for each GPU, how many is not stated", per(false)},
		{"L3", 0, "for each GPU, four are stated", per(true)},
	}
}

func percentileExamples() []example {
	lost := func(done int64, code evidence.Code) View {
		return onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Record.Outcomes.Completed = evidence.Stated(done, "test")
			p, _ := c.Fig.Basis.Value.Population.Get()
			p.N = done
			c.Fig.Basis.Value.Population = evidence.Stated(p, "test")
			if code != "" {
				limited(c.Fig.Basis, code)
			}
		})
	}
	sized := func(n int64, as string, code evidence.Code) View {
		return onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			r := c.Fig.Basis.Record
			r.Outcomes.Sent, r.Outcomes.Completed = evidence.Stated(n, "test"), evidence.Stated(n, "test")
			c.Fig.Basis.Value.Population = evidence.Stated(evidence.Population{Rule: "completed requests", N: n}, "test")
			if as != "" {
				quoted(c, as)
			}
			if code != "" {
				limited(c.Fig.Basis, code)
			}
		})
	}
	interval := func(text string, low, high float64) View {
		return onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Text = text
			c.Fig.Basis.Value.Interval = evidence.Stated(evidence.Interval{Low: low, High: high, Kind: "order statistics, 95 %", N: 6}, "test")
		})
	}
	mixed := func(taken bool) View {
		return onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Record.Outcomes.Completed = evidence.Stated[int64](399, "test")
			if taken {
				quoted(c, "400 ms")
			}
		})
	}
	return []example{
		{"L4", Error, "p95 while 10 % did not complete, and no note", lost(360, "")},
		{"L4", Warn, "p95 while 10 % did not complete, with the note", lost(360, evidence.CompletionConditioned)},
		{"L4", Warn, "p95 while 1 % did not complete", lost(396, "")},
		{"L4", 0, "p95 while 0.25 % did not complete", lost(399, "")},
		{"L4", 0, "the figure is over the unfinished ones as well", onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Record.Outcomes.Completed = evidence.Stated[int64](360, "test")
			c.Fig.Basis.Value.Completed = &evidence.Conditioned{N: 360}
		})},
		{"L5", Error, "p95 over more than completed", mixed(false)},
		{"L5", Warn, "a source's p95 over more than completed", mixed(true)},
		{"L5", 0, "send lag is of all that were sent", onSheet(func(s *report.Sheet) {
			s.Columns[1] = report.SheetColumn{Metric: "send_lag_p95", Label: "Send lag p95", Unit: "ms"}
			for _, r := range s.Groups[0].Rows {
				r.Cells[1].Fig.Basis.Value.Metric = "send_lag_p95"
				r.Cells[1].Fig.Basis.Record.Outcomes.Completed = evidence.Stated[int64](399, "test")
			}
		})},
		{"L12", Error, "p95 of 40, and no note", sized(40, "", "")},
		{"L12", Warn, "p95 of 40, with the note", sized(40, "", evidence.TooFewRequests)},
		{"L12", Warn, "a source's p95 of 40", sized(40, "400 ms", "")},
		{"L12", 0, "p95 of 72", sized(72, "", "")},
		{"L12", Error, "two digits behind an interval of 18", interval("100.00", 90, 108)},
		{"L12", Error, "one digit behind an interval of 18", interval("100.0", 90, 108)},
		{"L12", 0, "no digit behind an interval of 18", interval("100", 90, 108)},
		{"L12", 0, "two digits behind an interval of 0.18", interval("100.00", 99.9, 100.08)},
	}
}

func missingExamples() []example {
	is := func(kind evidence.AmountKind, text string) View {
		return onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Value.Amount.Kind, c.Fig.Kind, c.Fig.Text = kind, kind, text
		})
	}
	bound := func(shown bool) View {
		return onPoint(1, func(p *report.Point) { p.Basis.Value.Amount.Kind, p.YLeast, p.Apart = evidence.AtLeast, shown, true })
	}
	var out []example
	for _, text := range []string{"", "-", "N/A", "null", "—"} {
		out = append(out, example{"L6", Error, fmt.Sprintf("the cell %q", text), onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) { *c = report.Cell{Text: text} })})
	}
	return append(out, []example{
		{"L6", Error, "a gap as zero", onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) { *c = report.Cell{Text: "0", Gap: true} })},
		{"L6", 0, "a gap in words", onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) { *c = report.Cell{Text: "not stated", Gap: true} })},
		{"L6", Error, "unbounded as a large number", is(evidence.Unbounded, "99,999")},
		{"L6", Error, "unbounded as N/A", is(evidence.Unbounded, "N/A")},
		{"L6", 0, "unbounded", is(evidence.Unbounded, "unbounded")},
		{"L6", Error, "a bound as a value", is(evidence.AtLeast, "400")},
		{"L6", 0, "a bound", is(evidence.AtLeast, "≥ 400")},
		{"L6", 0, "too few", is(evidence.TooFew, "too few")},
		{"L6", Error, "a bound drawn as a value", bound(false)},
		{"L6", 0, "a bound drawn as one", bound(true)},
		{"L6", Error, "−1 in a count of tokens", onPoint(0, func(p *report.Point) { p.Y = pt(-1) })},
		{"L6", Error, "no reason for a gap", onPoint(2, func(p *report.Point) { p.Y, p.State, p.Place = nil, report.PointNoData, "" })},
		{"L6", 0, "a gap with its reason", onPoint(2, func(p *report.Point) {
			p.Y, p.State, p.Place, p.Reason = nil, report.PointNoData, "", "too few requests"
		})},
		{"L6", Error, "NaN", onStairs(func(c *report.Chart) { c.Series[0].Points[0].Y = pt(math.NaN()) })},
		{"L8", Error, "a point between two records", onCurve(func(c *report.Chart) {
			c.Series[0].Points[1].Basis, c.Series[0].Points[1].XBasis, c.Series[0].Points[1].Place = nil, nil, ""
		})},
		{"L8", Error, "a claim like a measurement", onPoint(2, func(p *report.Point) { p.Basis.Value.Amount.Kind, p.Place, p.Apart = evidence.Quoted, "", true })},
		{"L8", 0, "a claim with its mark", onPoint(2, func(p *report.Point) {
			p.Basis.Value.Amount.Kind, p.State, p.Place, p.Apart = evidence.Quoted, report.PointClaimed, "", true
		})},
		{"L8", Error, "a derived rate in a table", onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) { c.Fig.Basis.Record.Class = evidence.DerivedClass })},
		{"L8", 0, "a derived rate with its mark", onCell(0, 0, func(r *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Record.Class, r.Marks = evidence.DerivedClass, []string{"derived"}
		})},
		{"L8", Error, "a derived rate like a measurement", onPoint(2, func(p *report.Point) {
			p.Basis.Record.Class, p.XBasis.Record.Class = evidence.DerivedClass, evidence.DerivedClass
		})},
	}...)
}

func mixingExamples() []example {
	engine := func(apart bool, words string) View {
		return onCurve(func(c *report.Chart) {
			for i, version := range []string{"0.5", "0.6", "0.6"} {
				c.Series[0].Points[i].Basis.Record.Subject.EngineVersion = evidence.Stated(version, "test")
			}
			c.Series[0].Points[1].Apart = apart
			c.Notes = []string{words}
		})
	}
	class := func(ranked bool, words string) View {
		return onSheet(func(s *report.Sheet) {
			s.Ranked, s.Words = ranked, []string{words}
			for _, c := range s.Groups[0].Rows[1].Cells {
				c.Fig.Basis.Record.Class = evidence.Simulated
			}
		})
	}
	repeats := func(mark string) View {
		return onCell(0, 0, func(r *report.SheetRow, c *report.Cell) {
			c.Fig.Basis.Record.Kind, r.Marks = evidence.RepeatsRecord, []string{mark}
		})
	}
	mean := func(taken bool) View {
		return onCell(0, 1, func(_ *report.SheetRow, c *report.Cell) {
			if taken {
				quoted(c, "400 ms")
			}
			c.Fig.Basis.Value.Rule = "the mean of the p95 of each stage"
		})
	}
	return []example{
		{"L7", Error, "a line across two engine versions", engine(false, "")},
		{"L7", Warn, "two engine versions in one series", engine(true, "")},
		{"L7", 0, "two engine versions, said", engine(true, "Engine version: 0.5, then 0.6.")},
		{"L7", Error, "simulated among own runs", class(true, "")},
		{"L7", 0, "a list in which each row says what it is", class(false, "")},
		{"L7", Warn, "runs a year apart", onSheet(func(s *report.Sheet) {
			for i, at := range []string{"2025-11-01T00:00:00Z", "2026-11-01T00:00:00Z"} {
				for _, c := range s.Groups[0].Rows[i].Cells {
					c.Fig.Basis.Record.Subject.Started = evidence.Stated(at, "test")
				}
			}
		})},
		{"L13", Error, "own mean of percentiles", mean(false)},
		{"L13", Warn, "a source's mean of percentiles", mean(true)},
		{"L13", 0, "a mean is one by its name", onSheet(func(s *report.Sheet) {
			s.Columns[1] = report.SheetColumn{Metric: "ttft_mean", Label: "TTFT mean", Unit: "ms"}
			for _, r := range s.Groups[0].Rows {
				r.Cells[1].Fig.Basis.Value.Metric, r.Cells[1].Fig.Basis.Value.Rule = "ttft_mean", "the arithmetic mean of the time"
			}
		})},
		{"L13", Error, "average in the label of a percentile", onSheet(func(s *report.Sheet) { s.Columns[1].Label = "Time to first token, 95th percentile, average" })},
		{"L13", Error, "a median over runs like one run", repeats("")},
		{"L13", 0, "a median over runs that says so", repeats("over 6 runs")},
	}
}

func lineExamples() []example {
	return []example{
		{"L9", Error, "along nothing", onCurve(func(c *report.Chart) { c.Series[0].Along = "" })},
		{"L9", Error, "back and forth", onPoint(1, func(p *report.Point) { p.Order = 0.5 })},
		{"L9", Error, "two points at one load", onPoint(1, func(p *report.Point) { p.Order = 1 })},
		{"L9", Error, "to a bound", onPoint(1, func(p *report.Point) { p.YLeast, p.Basis.Value.Amount.Kind = true, evidence.AtLeast })},
		{"L9", Error, "through a void run", onPoint(1, func(p *report.Point) { p.State, p.Place = report.PointVoid, "" })},
		{"L9", Error, "a staircase backwards", onStairs(func(c *report.Chart) { c.Series[0].Points[1].X = 0.05 })},
		{"L9", 0, "across a gap", onPoint(1, func(p *report.Point) {
			p.Y, p.State, p.Place, p.Reason = nil, report.PointNoData, "", "too few requests"
		})},
		{"L9", 0, "not to a bound", onPoint(2, func(p *report.Point) {
			p.YLeast, p.Basis.Value.Amount.Kind, p.Apart, p.Place = true, evidence.AtLeast, true, report.Undecided
		})},
		{"L9", 0, "no line at all", onCurve(func(c *report.Chart) { c.Series[0].Line, c.Series[0].Along, c.Series[0].Points[1].Order = false, "", 0 })},
		{"L10", Error, "a share from 50 %", onStairs(func(c *report.Chart) { c.Y.Min = pt(0.5) })},
		{"L10", Error, "a logarithmic share", onStairs(func(c *report.Chart) { c.Y.Log = true })},
		{"L10", Error, "counts from 100", onStairs(func(c *report.Chart) {
			c.Y = report.Axis{Of: report.InFlight, Label: "requests in flight", Min: pt(100)}
			c.Series[0].Of = report.InFlight
		})},
		{"L10", Error, "two quantities on one axis", onStairs(func(c *report.Chart) {
			c.Y = report.Axis{Of: report.InFlight, Label: "requests in flight", Min: pt(0)}
			c.Series[0].Of = report.InFlight
			c.Series = append(c.Series, report.Series{Name: "due", Of: report.EachBin, Step: true, Points: c.Series[0].Points})
		})},
		{"L10", 0, "points need no zero", onCurve(func(c *report.Chart) { c.Y.Min = pt(0.1) })},
	}
}

func spreadExamples() []example {
	interval := func(iv evidence.Interval) View {
		return onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) {
			c.Fig.Text, c.Fig.Basis.Value.Interval = "100", evidence.Stated(iv, "test")
		})
	}
	times := func(window float64, taken bool) View {
		return onCell(0, 0, func(_ *report.SheetRow, c *report.Cell) {
			if taken {
				quoted(c, "100 tokens/s")
			}
			c.Fig.Basis.Value.Window = evidence.Stated(evidence.Window{Rule: measure.SteadyWindow, Seconds: window}, "test")
		})
	}
	overlap := func(p *report.Point) {
		p.Basis.Value.Interval = evidence.Stated(evidence.Interval{Low: 0.3, High: 3, Kind: "order statistics, 95 %", N: 6}, "test")
	}
	return []example{
		{"L11", Error, "an interval of no kind", interval(evidence.Interval{Low: 90, High: 108, N: 6})},
		{"L11", Error, "an interval of no n", interval(evidence.Interval{Low: 90, High: 108, Kind: "order statistics, 95 %"})},
		{"L11", Error, "min and max as an interval", interval(evidence.Interval{Low: 90, High: 108, Kind: "min to max", N: 6})},
		{"L11", 0, "an interval with kind and n", interval(evidence.Interval{Low: 90, High: 108, Kind: "order statistics, 95 %", N: 6})},
		{"L11", Error, "dominated, and the intervals overlap", onPoint(2, overlap)},
		{"L11", 0, "undecided, as the intervals overlap", onPoint(2, func(p *report.Point) { overlap(p); p.Place = report.Undecided })},
		{"L11", Error, "a claim on the frontier", onPoint(2, func(p *report.Point) {
			p.Basis.Value.Amount.Kind, p.State, p.Place, p.Apart = evidence.Quoted, report.PointClaimed, report.OnFrontier, true
		})},
		{"L14", Error, "warm-up trimmed in one of the two", times(18, false)},
		{"L14", Warn, "in a source's figure", times(18, true)},
		{"L14", 0, "rounded", times(20.004, false)},
	}
}

func removedExamples() []example {
	return []example{
		{"L15", Error, "nothing is said", onCurve(func(c *report.Chart) { c.Shown = report.Shown{} })},
		{"L15", Error, "one left out without a word", onCurve(func(c *report.Chart) { c.Shown.Of = 4 })},
		{"L15", Error, "left out without a reason", onCurve(func(c *report.Chart) { c.Shown.Of, c.Shown.Left = 4, []report.Left{{N: 1}} })},
		{"L15", Error, "a row less than said", onSheet(func(s *report.Sheet) { s.Groups[0].Rows = s.Groups[0].Rows[:1] })},
		{"L15", 0, "one left out, with the reason", onCurve(func(c *report.Chart) { c.Shown.Of, c.Shown.Left = 4, []report.Left{{N: 1, Why: "without a rate"}} })},
	}
}
