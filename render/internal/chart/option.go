package chart

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"benchline/render/report"
)

// Option is the ECharts option of the chart as JSON: the same points in the
// same units as the drawing. It holds no code: what a tooltip says stands as
// the name of its point, and the JSON is escaped so that it can stand in a
// script element. go-echarts makes a function of any text between two "__f__",
// so such text is an error.
//
// "color" holds one colour a series, legible on light and on dark paper.
// "styles" is ours, not ECharts': the style index of each series, from which a
// script can take the page's own colours instead.
func Option(c report.Chart) ([]byte, error) {
	if err := check(c); err != nil {
		return nil, fmt.Errorf("make the option of chart %q: %w", c.ID, err)
	}
	o := optioner{chart: c}
	o.p = &picture{chart: c, size: size{w: 880, plotH: 236}}
	o.p.layout()
	line := charts.NewLine()
	line.SetGlobalOptions(o.global()...)
	for _, s := range c.Series {
		o.add(line, s)
	}
	o.addLines(line)
	line.Validate()
	out, err := json.Marshal(o.finish(line.JSON()))
	if err != nil {
		return nil, fmt.Errorf("make the option of chart %q: %w", c.ID, err)
	}
	if strings.Contains(string(out), "__f__") {
		return nil, fmt.Errorf("make the option of chart %q: %w", c.ID, errors.New("a text holds __f__, which would become code"))
	}
	return out, nil
}

// finish drops what go-echarts adds and a page does not want, and sets what its
// structs have no field for: tooltips drawn on the canvas, because tooltips
// made of elements need inline styles, which the policy forbids.
func (o *optioner) finish(option map[string]any) map[string]any {
	for _, key := range []string{"title", "toolbox"} {
		delete(option, key)
	}
	palette := []string{"#0072b2", "#a65c00", "#00795a", "#a0447a", "#2b8fc9", "#7a776f"}
	list := make([]string, len(o.styles))
	for i, style := range o.styles {
		list[i] = palette[style%colours]
	}
	option["color"] = list
	option["styles"] = o.styles
	option["animation"] = false
	option["tooltip"] = map[string]any{"show": true, "trigger": "item", "renderMode": "richText", "formatter": "{b}", "confine": true}
	option["legend"] = map[string]any{"show": true, "type": "scroll", "left": 0, "top": 0, "data": o.named}
	option["grid"] = map[string]any{"left": 8, "right": 24, "top": 80, "bottom": 32, "containLabel": true}
	if xs, ok := option["xAxis"].([]opts.XAxis); ok && o.p.x.octaves {
		option["xAxis"] = []octaveAxis{{xs[0], 2}}
	}
	if ys, ok := option["yAxis"].([]opts.YAxis); ok {
		option["yAxis"] = []levelAxis{{ys[0], map[string]any{"align": "left", "padding": []int{0, 0, 14, 0}}}}
	}
	return option
}

// levelAxis is an upright axis whose name starts at its line: ECharts would
// centre it there and cut it off.
type levelAxis struct {
	opts.YAxis
	NameTextStyle map[string]any `json:"nameTextStyle"`
}

// octaveAxis is an axis with ticks at powers of two. go-echarts has the base
// for polar axes only.
type octaveAxis struct {
	opts.XAxis
	LogBase int `json:"logBase"`
}

// optioner makes the parts of an option. Its picture has the axes of the
// drawing, so that both have the same units and ends.
type optioner struct {
	chart  report.Chart
	p      *picture
	styles []int    // of the series so far
	named  []string // series that the legend lists
}

func (o *optioner) global() []charts.GlobalOpts {
	x, y := &o.p.x, &o.p.y
	return []charts.GlobalOpts{
		charts.WithAriaOpts(&opts.Aria{Enabled: opts.Bool(true), Label: &opts.AriaLabel{Enabled: opts.Bool(true), Description: o.chart.Desc}}),
		charts.WithXAxisOpts(opts.XAxis{Name: x.label(), NameLocation: "middle", NameGap: 28, Type: axisType(x), Min: x.lo, Max: x.hi}),
		charts.WithYAxisOpts(opts.YAxis{Name: y.label(), Type: axisType(y), Min: y.lo, Max: y.hi, AxisLabel: &opts.AxisLabel{Show: opts.Bool(len(y.ticks) > 0), Align: "right"}}),
	}
}

func axisType(a *axis) string {
	if a.log {
		return "log"
	}
	return "value"
}

// add appends a series, the ends of its band, and its gaps as lines from the
// axis, because a gap has no height.
func (o *optioner) add(line *charts.Line, s report.Series) {
	data := make([]opts.LineData, 0, len(s.Points))
	var missing []report.Point
	for _, pt := range s.Points {
		d := opts.LineData{Name: o.p.tip(s, pt), Symbol: symbol(s.Style, pt), SymbolSize: symbolSize(pt)}
		if pt.Y == nil {
			missing = append(missing, pt)
			d.Value = []any{pt.X / o.p.x.scaling.factor, nil}
		} else {
			d.Value = []any{pt.X / o.p.x.scaling.factor, *pt.Y / o.p.y.scaling.factor}
		}
		if pt.Apart && s.Line {
			data = append(data, opts.LineData{Value: []any{d.Value.([]any)[0], nil}}) // ends the line
		}
		data = append(data, d)
	}
	width := opts.LineStyle{Width: 1.75}
	if !s.Line && !s.Step {
		width = opts.LineStyle{Width: 0, Opacity: opts.Float(0)}
	}
	chart := opts.LineChart{ShowSymbol: opts.Bool(markedSomewhere(s)), ConnectNulls: opts.Bool(false), Symbol: symbol(s.Style, report.Point{}), SymbolSize: 8}
	if s.Step {
		chart.Step = "end"
	}
	more := []charts.SeriesOpts{charts.WithLineChartOpts(chart), charts.WithLineStyleOpts(width)}
	if len(missing) > 0 {
		more = append(more, o.gaps(s, missing)...)
	}
	line.AddSeries(s.Name, data, more...)
	o.styles = append(o.styles, s.Style)
	o.named = append(o.named, s.Name)
	o.addBand(line, s)
}

// markedSomewhere says whether any point of a series has a mark.
func markedSomewhere(s report.Series) bool {
	for i := range s.Points {
		if s.Points[i].Y != nil && markShown(s, i) {
			return true
		}
	}
	return false
}

func (o *optioner) gaps(s report.Series, missing []report.Point) []charts.SeriesOpts {
	var out []charts.SeriesOpts
	for _, pt := range missing {
		out = append(out, charts.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: o.p.tip(s, pt), XAxis: pt.X / o.p.x.scaling.factor}))
	}
	return append(out, charts.WithMarkLineStyleOpts(opts.MarkLineStyle{
		Symbol: []string{"none", "none"}, Label: &opts.Label{Show: opts.Bool(true), Position: "insideStartTop", Formatter: "no data"},
		LineStyle: &opts.LineStyle{Type: "dotted"},
	}))
}

// addBand appends the lower and the upper end of a band as thin staircases.
func (o *optioner) addBand(line *charts.Line, s report.Series) {
	if len(s.Band) == 0 {
		return
	}
	for _, side := range []struct {
		name string
		of   func(report.BandPoint) float64
	}{
		{"at least", func(b report.BandPoint) float64 { return b.Low }},
		{"at most", func(b report.BandPoint) float64 { return b.High }},
	} {
		data := make([]opts.LineData, 0, len(s.Band))
		for _, b := range s.Band {
			v := side.of(b)
			data = append(data, opts.LineData{Name: s.Name + ", " + side.name + ": " + o.p.y.text(v), Value: []any{b.X / o.p.x.scaling.factor, v / o.p.y.scaling.factor}})
		}
		line.AddSeries(s.Name+", "+side.name, data, charts.WithLineChartOpts(opts.LineChart{Step: "end", ShowSymbol: opts.Bool(false)}),
			charts.WithLineStyleOpts(opts.LineStyle{Type: "dotted", Width: 1}))
		o.styles = append(o.styles, s.Style)
	}
}

// addLines appends the reference lines as series without points: horizontal
// ones with their labels inside, vertical ones with theirs above the frame,
// where they can be read level.
func (o *optioner) addLines(line *charts.Line) {
	var across, upright []charts.SeriesOpts
	for _, l := range o.chart.Lines {
		if l.X != nil {
			upright = append(upright, charts.WithMarkLineNameXAxisItemOpts(opts.MarkLineNameXAxisItem{Name: l.Label, XAxis: *l.X / o.p.x.scaling.factor}))
		} else {
			across = append(across, charts.WithMarkLineNameYAxisItemOpts(opts.MarkLineNameYAxisItem{Name: l.Label, YAxis: *l.Y / o.p.y.scaling.factor}))
		}
	}
	for _, set := range []struct {
		lines    []charts.SeriesOpts
		position string
	}{{across, "insideEndTop"}, {upright, "end"}} {
		if len(set.lines) == 0 {
			continue
		}
		set.lines = append(set.lines, charts.WithMarkLineStyleOpts(opts.MarkLineStyle{
			Symbol: []string{"none", "none"}, Label: &opts.Label{Show: opts.Bool(true), Position: set.position, Formatter: "{b}"},
			LineStyle: &opts.LineStyle{Type: "dashed"},
		}))
		line.AddSeries("", []opts.LineData{}, set.lines...)
		o.styles = append(o.styles, colours-1)
	}
}

// symbol is the ECharts symbol of a style and a point: the drawn mark, or for
// hollow ones the nearest that ECharts has hollow. Where a point stands is in
// the words beside it.
func symbol(style int, pt report.Point) string {
	plain := []string{"circle", "rect", "triangle", "diamond", "path://M0,0L10,0L5,9Z", "path://M4,0L6,0L6,4L10,4L10,6L6,6L6,10L4,10L4,6L0,6L0,4L4,4Z",
		"path://M3,0L7,0L10,5L7,10L3,10L0,5Z", "path://M0,3L10,3L10,7L0,7Z"}
	switch pt.State {
	case report.PointVoid:
		return "path://M1,0L5,4L9,0L10,1L6,5L10,9L9,10L5,6L1,10L0,9L4,5L0,1Z"
	case report.PointNoData, report.PointFailed:
		return "none"
	case report.PointClaimed:
		return "path://M0,0L1,0L1,4L0,4ZM2,0L3,0L3,4L2,4ZM5,2L11,2L11,8L5,8ZM13,0L14,0L14,4L13,4ZM15,0L16,0L16,4L15,4Z"
	case report.PointOK, report.PointSuspect, report.PointDerived:
	}
	switch {
	case pt.YLeast:
		return "path://M5,0L10,6L6,6L6,20L4,20L4,6L0,6Z"
	case pt.XLeast:
		return "path://M20,5L14,10L14,6L0,6L0,4L14,4L14,0Z"
	case pt.State == report.PointSuspect || pt.State == report.PointDerived:
		return []string{"emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"}[style%4]
	}
	return plain[style%shapes]
}

func symbolSize(pt report.Point) int {
	switch {
	case pt.YLeast || pt.XLeast:
		return 18
	case pt.State == report.PointVoid || pt.State == report.PointClaimed:
		return 12
	}
	return 8
}
