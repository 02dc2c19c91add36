package chart_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"benchline/render/internal/chart"
)

var update = flag.Bool("update", false, "write the golden drawings; look at each before committing it")

// TestGolden holds the bytes of every kind of chart. A change is looked at in
// a browser before it is committed.
func TestGolden(t *testing.T) {
	for _, c := range kinds() {
		for w, name := range map[chart.Width]string{chart.Wide: "wide", chart.Narrow: "narrow"} {
			got, err := chart.SVG(c, w)
			if err != nil {
				t.Errorf("SVG(%s, %s): %v", c.ID, name, err)
				continue
			}
			file := filepath.Join("testdata", "golden", c.ID+"-"+name+".svg")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("SVG(%s, %s) changed: run with -update and look at it", c.ID, name)
			}
		}
	}
}
