package probe

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"benchline/runner/reqlog"
)

// Bounds of a metrics page.
const (
	scrapeTimeout = 5 * time.Second
	scrapeBytes   = 8 << 20
	maxSamples    = 50_000
	maxSeries     = 1000 // bytes of a name with its labels
)

// ErrNoMetrics is the error of a page on which no line is a sample.
var ErrNoMetrics = errors.New("the page has no metrics in the Prometheus text format")

// Scrape gets a metrics page in the Prometheus text format and returns its
// samples by name, with their labels sorted as in a{b="c",d="e"}. It takes at
// most 5 s and 8 MiB. A line that cannot be read is left out: a foreign page's
// bad line does not cost the good ones.
func Scrape(ctx context.Context, c *http.Client, url string) (map[string]float64, error) {
	ctx, cancel := context.WithTimeout(ctx, scrapeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("scraping the metrics: %w", err)
	}
	req.Header.Set("Accept", "text/plain; version=0.0.4")
	got, err := do(c, req, scrapeBytes)
	if err != nil {
		return nil, fmt.Errorf("scraping the metrics: %w", err)
	}
	if got.status != http.StatusOK {
		return nil, fmt.Errorf("scraping the metrics: HTTP %d", got.status)
	}
	return parseMetrics(bytes.NewReader(got.body))
}

// parseMetrics reads the text format. Of two samples of one series the last
// counts.
func parseMetrics(r io.Reader) (map[string]float64, error) {
	samples := map[string]float64{}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if name, x, ok := parseSample(line); ok {
			samples[name] = x
		}
		if len(samples) > maxSamples {
			return nil, fmt.Errorf("scraping the metrics: more than %d samples", maxSamples)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, fmt.Errorf("scraping the metrics: %w", err)
	}
	if len(samples) == 0 {
		return nil, fmt.Errorf("scraping the metrics: %w", ErrNoMetrics)
	}
	return samples, nil
}

// parseSample reads NAME [{LABELS}] VALUE; what follows (a time, an exemplar)
// is not used.
func parseSample(line string) (string, float64, bool) {
	end := strings.IndexFunc(line, func(r rune) bool { return !inName(r) })
	if end <= 0 || line[0] >= '0' && line[0] <= '9' {
		return "", 0, false
	}
	name, rest := line[:end], line[end:]
	if rest[0] == '{' {
		labels, after, ok := parseLabels(rest[1:])
		if !ok {
			return "", 0, false
		}
		rest = after
		if len(labels) > 0 {
			sort.Strings(labels)
			name += "{" + strings.Join(labels, ",") + "}"
		}
	} else if rest[0] != ' ' && rest[0] != '\t' {
		return "", 0, false
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 || len(name) > maxSeries || !printable(name) {
		return "", 0, false
	}
	x, err := strconv.ParseFloat(fields[0], 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return "", 0, false
	}
	return name, x, true
}

func inName(r rune) bool {
	return r == '_' || r == ':' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// parseLabels reads a="b",c="d"} and returns each label as it is written, and
// what follows the brace.
func parseLabels(s string) (labels []string, rest string, ok bool) {
	for {
		s = strings.TrimLeft(s, " \t,")
		if after, closed := strings.CutPrefix(s, "}"); closed {
			return labels, after, true
		}
		end := strings.IndexFunc(s, func(r rune) bool { return !inName(r) || r == ':' })
		if end <= 0 {
			return nil, "", false
		}
		name := s[:end]
		after, found := strings.CutPrefix(strings.TrimLeft(s[end:], " \t"), "=")
		after = strings.TrimLeft(after, " \t")
		if !found || !strings.HasPrefix(after, `"`) {
			return nil, "", false
		}
		n := quotedEnd(after)
		if n < 0 {
			return nil, "", false
		}
		labels = append(labels, name+"="+after[:n])
		s = after[n:]
	}
}

// quotedEnd is the index after the quoted text that s begins with, or −1.
func quotedEnd(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// Diff puts the samples of two scrapes side by side, sorted by name: those of
// vLLM (vllm:), llama-server (llamacpp:) and SGLang (sglang:), and of others
// the counters, by their ending _total. A sample that is not there, or is no
// finite number, is nil. Times at which a series was made (_created) are left
// out: they measure nothing.
func Diff(before, after map[string]float64) []reqlog.Scrape {
	names := map[string]bool{}
	for _, m := range []map[string]float64{before, after} {
		for name := range m {
			if wanted(name) {
				names[name] = true
			}
		}
	}
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	out := make([]reqlog.Scrape, len(sorted))
	for i, name := range sorted {
		out[i] = reqlog.Scrape{Name: name, Before: finite(before, name), After: finite(after, name)}
	}
	return out
}

func wanted(name string) bool {
	base, _, _ := strings.Cut(name, "{")
	if strings.HasSuffix(base, "_created") {
		return false
	}
	return strings.HasPrefix(base, "vllm:") || strings.HasPrefix(base, "llamacpp:") || strings.HasPrefix(base, "sglang:") ||
		strings.HasSuffix(base, "_total")
}

func finite(m map[string]float64, name string) *float64 {
	x, ok := m[name]
	if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
