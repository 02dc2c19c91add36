package assets_test

import (
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"benchline/assets"
)

// The colours of both schemes are far enough from their grounds: 4.5:1 for text,
// series labels among it, and 3:1 for lines (case C37).
func TestContrast(t *testing.T) {
	b, err := fs.ReadFile(assets.FS(), "style.css")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(string(b), -1)
	if len(blocks) < 2 {
		t.Fatalf("got %d blocks of colours, want light and dark", len(blocks))
	}
	light := colours(blocks[0][1], nil)
	for name, scheme := range map[string]map[string]string{"light": light, "dark": colours(blocks[1][1], light)} {
		for _, text := range []string{"ink", "soft", "link", "hot", "s0", "s1", "s2", "s3", "s4", "s5"} {
			for _, ground := range []string{"paper", "wash"} {
				const least = 4.5
				if got := contrast(t, scheme[text], scheme[ground]); got < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", name, text, ground, got, least)
				}
			}
		}
		if got := contrast(t, scheme["rule"], scheme["paper"]); got < 3 {
			t.Errorf("%s: rules have a contrast of %.2f, want 3", name, got)
		}
	}
}

func colours(block string, base map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range base {
		out[k] = v
	}
	for _, m := range regexp.MustCompile(`--([a-z0-9]+): (#[0-9a-f]{6});`).FindAllStringSubmatch(block, -1) {
		out[m[1]] = m[2]
	}
	return out
}

// contrast is the ratio of WCAG 2: relative luminances, each plus 0.05.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		t.Fatalf("colour %q: %v", hex, err)
	}
	linear := func(c uint64) float64 {
		x := float64(c&255) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
}
