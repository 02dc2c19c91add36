package probe

import (
	"errors"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchline/runner/reqlog"

	"github.com/google/go-cmp/cmp"
)

func TestParseMetrics(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "metrics.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	got, err := parseMetrics(f)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		`vllm:prompt_tokens_total{engine="0",model_name="a b"}`:         12345,
		`vllm:time_to_first_token_seconds_bucket{le="+Inf"}`:            7,
		`vllm:time_to_first_token_seconds_sum`:                          1.25,
		`llamacpp:requests_processing`:                                  2,
		`sglang:cache_hit_rate{path="C:\\x\"y\n",z=""}`:                 0.5,
		`http_requests_total{code="200"}`:                               1e9,
		`http_requests_created{code="200"}`:                             1.7e9,
		`python_gc_objects_collected_total{generation="0"}`:             12,
		`process_resident_memory_bytes`:                                 1048576,
		`negative_infinity`:                                             math.Inf(-1),
		`exemplar_total`:                                                3,
		`closing_brace{a="}"}`:                                          1,
		`empty_braces`:                                                  4,
		`vllm:kv_cache_usage_perc{engine="0",model_name="org-a/m,o=1"}`: 0.25,
	}
	if d := cmp.Diff(got, want); d != "" {
		t.Errorf("got then want:\n%s", d)
	}
}

func TestDiff(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	before := map[string]float64{
		"vllm:a_total": 1, `vllm:b{x="1"}`: 2, "vllm:gone": 3, "other_total": 4, "other_gauge": 5, "vllm:c_created": 6, "sglang:nan": math.NaN(),
	}
	after := map[string]float64{"vllm:a_total": 10, `vllm:b{x="1"}`: 2, "llamacpp:new": 7, "other_total": 4, "sglang:nan": 1}
	want := []reqlog.Scrape{
		{Name: "llamacpp:new", After: x(7)},
		{Name: "other_total", Before: x(4), After: x(4)},
		{Name: "sglang:nan", After: x(1)},
		{Name: "vllm:a_total", Before: x(1), After: x(10)},
		{Name: `vllm:b{x="1"}`, Before: x(2), After: x(2)},
		{Name: "vllm:gone", Before: x(3)},
	}
	if d := cmp.Diff(Diff(before, after), want); d != "" {
		t.Errorf("got then want:\n%s", d)
	}
	if got := Diff(nil, nil); len(got) != 0 {
		t.Errorf("nothing gave %v", got)
	}
}

func TestScrape(t *testing.T) {
	serve := func(status int, body string) *http.Client {
		return &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) { return answerOf(status, body), nil })}
	}
	if got, err := Scrape(t.Context(), serve(200, "a_total 1\n"), "http://h/metrics"); err != nil || got["a_total"] != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Scrape(t.Context(), serve(404, ""), "http://h/metrics"); err == nil || err.Error() != "scraping the metrics: HTTP 404" {
		t.Errorf("404 gave %v", err)
	}
	for _, body := range []string{"", "<html><body>hello</body></html>", `{"a": 1}`, "# HELP a b\n"} {
		if _, err := Scrape(t.Context(), serve(200, body), "http://h/metrics"); !errors.Is(err, ErrNoMetrics) {
			t.Errorf("%q gave %v", body, err)
		}
	}
	huge := &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		a := answerOf(200, "")
		a.Body = io.NopCloser(endless{})
		return a, nil
	})}
	if _, err := Scrape(t.Context(), huge, "http://h/metrics"); !errors.Is(err, errTooLarge) {
		t.Errorf("an endless page gave %v", err)
	}
	var many strings.Builder
	for i := range maxSamples + 1 {
		many.WriteString("a" + strconv.Itoa(i) + " 1\n")
	}
	if _, err := Scrape(t.Context(), serve(200, many.String()), "http://h/metrics"); err == nil || !strings.Contains(err.Error(), "more than 50000 samples") {
		t.Errorf("too many samples gave %v", err)
	}
}

func FuzzParseMetrics(f *testing.F) {
	b, err := os.ReadFile(filepath.Join("testdata", "metrics.txt"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(b))
	f.Add(`a{b="\`)
	f.Add("a{b=\"c\",}1e999 # {} 3")
	f.Fuzz(func(t *testing.T, src string) {
		got, err := parseMetrics(strings.NewReader(src))
		if err != nil {
			return
		}
		for name := range got {
			if name == "" || len(name) > maxSeries || !printable(name) {
				t.Fatalf("name %q", name)
			}
			again, x, ok := parseSample(name + " 1")
			if !ok || again != name || x != 1 {
				t.Fatalf("%q reads back as %q, %v", name, again, ok)
			}
		}
		d := Diff(got, got)
		if !slices.IsSortedFunc(d, func(a, b reqlog.Scrape) int { return strings.Compare(a.Name, b.Name) }) {
			t.Fatal("not sorted")
		}
	})
}
