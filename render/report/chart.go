package report

import "benchline/ingest/measure"

// Chart is what is to be drawn, decided before anything is drawn. The same
// Chart gives the static SVG, the interactive option and the adjacent table.
type Chart struct {
	ID    string // unique on its page; letters, digits and '-'
	Title string
	// Desc is the text alternative: a sentence that says what the drawing shows.
	Desc   string
	X, Y   Axis
	Series []Series
	Lines  []RefLine // limits, targets, open ends
	Notes  []string  // sentences that stand under the drawing
}

// Axis is one axis. Label and unit come from the metric registry, or for an
// offered-load axis from the plan's words.
type Axis struct {
	Metric measure.MetricID // empty where the axis is no metric
	Label  string
	Unit   string
	Log    bool
	Better string   // "higher is better", "lower is better" or ""
	Min    *float64 // fixed ends; nil: from the data, bars and shares from 0
	Max    *float64
	Share  bool // 0–1, shown in percent
}

// Series is one set of points with one meaning.
type Series struct {
	Name string
	// Style is the index of the colour-and-shape pair, from 0.
	Style int
	// Line joins the points in order; Step draws a right-continuous staircase
	// (ECDF). Never both. A point without Y breaks the line.
	Line, Step bool
	Points     []Point
	// Band, if any, is an area between two staircases, e.g. where an ECDF
	// can lie; X ascending.
	Band []BandPoint
}

// PointState says how a point is drawn.
type PointState string

// The point states.
const (
	PointOK      PointState = "ok"
	PointSuspect PointState = "suspect"  // hollow
	PointVoid    PointState = "void"     // crossed
	PointAtLeast PointState = "at least" // with an upward arrow
	PointNoData  PointState = "no data"  // a mark on the axis, no Y
)

// Point is one mark. Y nil is a gap with a reason.
type Point struct {
	X      float64
	Y      *float64
	State  PointState
	Label  string // what it is, for tooltip and table: "c = 16"
	Href   string // record page, relative to the chart's page; may be empty
	Reason string // why there is no Y
}

// BandPoint is one step of a band.
type BandPoint struct{ X, Low, High float64 }

// RefLine is a vertical (X) or horizontal (Y) reference with a label.
type RefLine struct {
	X, Y  *float64
	Label string
	Hot   bool // something unknown or violated: drawn in the warning colour
}
