package report

import (
	"fmt"
	"strings"

	"benchline/ingest/measure"
)

// Chart is what is to be drawn, decided before anything is drawn. The same
// Chart gives the static SVG, the interactive option and the adjacent table,
// and it is what the rules for charts look at.
type Chart struct {
	ID    string // unique on its page; letters, digits and '-'
	Title string
	Sub   string // what all series share; below the title, may be empty
	// Desc is the text alternative: a sentence that says what the drawing shows.
	Desc     string
	X, Y     Axis
	Series   []Series
	Lines    []RefLine  // limits, targets, open ends
	Unplaced []Unplaced // points that have no place on the axes, below the drawing
	Shown    Shown
	Notes    []string // sentences that stand under the drawing
}

// Quantity names what an axis holds when it is no metric.
type Quantity string

// The quantities that are no metrics. The label of such an axis begins with it.
const (
	Outstanding Quantity = "requests outstanding" // asked for by a closed loop
	AskedRate   Quantity = "asked rate"           // of an open loop
	SinceStart  Quantity = "time since the observation window began"
	InFlight    Quantity = "requests in flight"
	EachBin     Quantity = "requests in each bin"
	SentShare   Quantity = "share of the"
)

// Quantities lists them.
func Quantities() []Quantity {
	return []Quantity{Outstanding, AskedRate, SinceStart, InFlight, EachBin, SentShare}
}

// Unit is the base unit of the quantity, in which its points are; empty for a
// count or a share.
func (q Quantity) Unit() string {
	switch q {
	case AskedRate:
		return "requests/s"
	case SinceStart:
		return "s"
	case Outstanding, InFlight, EachBin, SentShare:
	}
	return ""
}

// Axis is one axis. Label and unit come from the metric registry, or of an axis
// that is no metric from the plan's words.
type Axis struct {
	Metric measure.MetricID // empty where the axis is no metric
	Of     Quantity         // what the axis holds where it is no metric
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
	// Metric is what the points' Y is; empty where the axis is no metric.
	Metric measure.MetricID
	// Of is what the points' Y is where the axis is no metric.
	Of Quantity
	// Style is the index of the colour-and-shape pair, from 0.
	Style int
	// Line joins the points in order; Step draws a right-continuous staircase
	// (ECDF). Never both. A point without Y breaks the line, and so does one
	// that stands Apart.
	Line, Step bool
	// Along names what rises from point to point of a line. A line without it
	// is a fault.
	Along  string
	Points []Point
	// Band, if any, is an area between two staircases, e.g. where an ECDF
	// can lie; X ascending.
	Band []BandPoint
}

// PointState says how a point is drawn.
type PointState string

// The point states.
const (
	PointOK      PointState = "ok"
	PointSuspect PointState = "suspect" // hollow
	PointVoid    PointState = "void"    // crossed
	PointDerived PointState = "derived" // hollow with a dot
	PointClaimed PointState = "claimed" // between quotation marks
	PointNoData  PointState = "no data" // a mark on the axis, no Y
	PointFailed  PointState = "failed"  // another mark on the axis, no Y
)

// Point is one mark. Y nil is a gap with a reason.
type Point struct {
	X, Order float64 // Order is the place along what a line is drawn along
	Y        *float64
	// XLeast and YLeast say that the true place lies further on: an arrow.
	XLeast, YLeast bool
	State          PointState
	Place          Place  // where it stands among those it may be compared with; may be empty
	By             string // which point dominates it, or may
	// Apart: no line comes to this point from the one before.
	Apart  bool
	Label  string // what it is, for tooltip and table: "c = 16"
	Record string // slug; empty where it is no record
	Href   string // record page, relative to the chart's page; may be empty
	Reason string // why there is no Y
	// Basis is what the height rests on, XBasis what the place to the right does;
	// nil where it is no figure of a record.
	Basis, XBasis *Basis
}

// BandPoint is one step of a band.
type BandPoint struct{ X, Low, High float64 }

// RefLine is a vertical (X) or horizontal (Y) reference with a label.
type RefLine struct {
	X, Y  *float64
	Label string
	Hot   bool // something unknown or violated: drawn in the warning colour
}

// Unplaced is a point that has no place on the axes, and why.
type Unplaced struct {
	State  PointState
	Label  string
	Href   string
	Reason string
}

// Shown is how much of its source a chart or table shows. What is left out is
// counted and has a reason: Drawn and all Left.N together are Of.
type Shown struct {
	Drawn, Of int
	What      string // in the plural: [OfRecords], "steps"
	Left      []Left
}

// OfRecords is what is counted where each point or row is a record.
const OfRecords = "records"

// Left is a number of things that are left out, and why.
type Left struct {
	N   int
	Why string
}

// Words says how much is shown; empty where everything is.
func (s Shown) Words() string {
	if s.Drawn == s.Of && len(s.Left) == 0 {
		return ""
	}
	parts := make([]string, len(s.Left))
	for i, l := range s.Left {
		parts[i] = fmt.Sprintf("%d %s", l.N, l.Why)
	}
	return fmt.Sprintf("%d of %d %s are drawn; not drawn: %s.", s.Drawn, s.Of, s.What, strings.Join(parts, "; "))
}
