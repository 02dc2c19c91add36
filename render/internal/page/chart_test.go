package page

import (
	"strings"
	"testing"

	"benchline/render/internal/chart"
	"benchline/render/report"
)

// No text of a chart ends the element that holds its data, or begins another.
func TestLiveDataStaysInItsElement(t *testing.T) {
	y := 1.0
	const hostile = `</script><script>alert(1)</script><!--<benchline-slot n="0">`
	c := report.Chart{ID: "curve", Title: hostile,
		X:      report.Axis{Label: "x" + hostile, Unit: "s", Of: report.SinceStart},
		Y:      report.Axis{Label: "y" + hostile, Of: report.InFlight},
		Series: []report.Series{{Name: hostile, Points: []report.Point{{X: 1, Y: &y, Label: hostile, State: report.PointOK}}}}}
	option, err := chart.Option(c)
	if err != nil {
		t.Fatal(err)
	}
	got := string(live(c.ID, option))
	if strings.Count(got, "<") != 2 || !strings.HasPrefix(got, `<script type="application/json" data-chart="curve">{`) || !strings.HasSuffix(got, "}</script>") {
		t.Errorf("got %s", got)
	}
}
