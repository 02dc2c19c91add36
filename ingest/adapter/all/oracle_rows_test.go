package all_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
	"benchline/ingest/evidence"
)

// rowsOracle reads the rows of a shared file into the durations of its requests
// by benchline's definitions, in seconds. It knows the tool's row and nothing of
// its adapter.
type rowsOracle struct {
	file, path string
	of         func(row any) (durations, bool) // false: the request did not end well
}

// durations are those of one request that ended well.
type durations struct {
	start, ttft, e2e float64
	out              float64 // output tokens
}

// TestRowsOracle computes what a file's rows give anew, by nearest rank and the
// arithmetic mean, and holds the records against it.
func TestRowsOracle(t *testing.T) {
	compared := 0
	for _, o := range []rowsOracle{
		{file: "samples/aiperf/profile_export-qwen-c4.jsonl", path: ".", of: aiperfRow},
		{file: "corpus/piotrm-nvidia--aiperf/tests/unit/plot/fixtures/qwen_concurrency2/profile_export.jsonl", path: ".", of: aiperfRow},
		{file: "samples/guidellm/benchmarks-0.6.0-reasoning-sync-1req.json", path: "benchmarks.0.requests.successful", of: guidellmRow},
		{file: "corpus/thesteve0--local-llm-benchmark/results/qwen3.6-35b-a3b-Q8_0.json", path: "benchmarks.0.requests.successful", of: guidellmRow},
		{file: "samples/llmperf/anyscale_70b_individual_responses.json", path: ".", of: llmperfRow},
		{file: "corpus/ray-project--llmperf-leaderboard/raw_data/individual/perplexity_70b.json", path: ".", of: llmperfRow},
	} {
		t.Run(o.file, func(t *testing.T) {
			source := foreigntest.Shared(t, o.file)
			record := readBySniffing(t, source)[0]
			var ttft, e2e, tpot []float64
			var first, last, tokens float64
			rows, _ := at(rawOf(t, source), o.path).([]any)
			for _, raw := range rows {
				row, ok := o.of(raw)
				if !ok {
					continue
				}
				if len(e2e) == 0 || row.start < first {
					first = row.start
				}
				ttft, e2e = append(ttft, row.ttft), append(e2e, row.e2e)
				if row.out > 1 {
					tpot = append(tpot, (row.e2e-row.ttft)/(row.out-1))
				}
				last, tokens = max(last, row.start+row.e2e), tokens+row.out
			}
			for id, values := range map[string][]float64{"ttft": ttft, "e2e": e2e, "tpot": tpot} {
				compared += sameStatistics(t, record, id, values)
			}
			if first > 0 { // rows without times give no rate
				near(t, record, "output_token_rate", tokens/(last-first))
				near(t, record, "request_rate", float64(len(e2e))/(last-first))
				compared += 2
			}
		})
	}
	t.Logf("%d figures compared", compared)
}

func number(v any) float64 {
	n, ok := v.(json.Number)
	if !ok {
		return math.NaN()
	}
	x, err := strconv.ParseFloat(n.String(), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// aiperfRow: request_start_ns since 1970, the metrics in milliseconds.
func aiperfRow(row any) (durations, bool) {
	ms := func(tag string) float64 { return number(at(row, "metrics."+tag+".value")) / 1e3 }
	return durations{start: number(at(row, "metadata.request_start_ns")) / 1e9, ttft: ms("time_to_first_token"), e2e: ms("request_latency"),
		out: number(at(row, "metrics.output_sequence_length.value"))}, at(row, "error") == nil
}

// guidellmRow: seconds since 1970. These runs are of a model that reasons, and
// the tool took none of that for a token: the first iteration of the stream is
// the first token.
func guidellmRow(row any) (durations, bool) {
	when := func(key string) float64 { return number(at(row, "info.timings."+key)) }
	start := when("request_start")
	return durations{start: start, ttft: when("first_request_iteration") - start, e2e: when("last_token_iteration") - start, out: number(at(row, "output_tokens"))}, true
}

// llmperfRow: seconds, and no times.
func llmperfRow(row any) (durations, bool) {
	return durations{ttft: number(at(row, "ttft_s")), e2e: number(at(row, "end_to_end_latency_s")), out: number(at(row, "number_output_tokens"))}, at(row, "error_code") == nil
}

// sameStatistics holds a latency's statistics against those of its values.
func sameStatistics(t *testing.T, r evidence.Record, id string, values []float64) int {
	t.Helper()
	slices.Sort(values)
	n, sum := len(values), 0.0
	for _, x := range values {
		sum += x
	}
	near(t, r, id+"_mean", sum/float64(n))
	near(t, r, id+"_max", values[n-1])
	near(t, r, id+"_p50", values[int(math.Ceil(0.5*float64(n)))-1])
	for name, q := range map[string]struct {
		share float64
		least int // requests, for a finite upper end of a 95 % interval
	}{"_p90": {0.9, 36}, "_p95": {0.95, 72}, "_p99": {0.99, 368}} {
		if n >= q.least {
			near(t, r, id+name, values[int(math.Ceil(q.share*float64(n)))-1])
		} else if v := foreigntest.Value(t, r, id+name); v.Amount.Kind != evidence.TooFew {
			t.Errorf("%s%s of %d is %+v", id, name, n, v.Amount)
		}
	}
	return 6
}

// near allows for times that are kept in whole nanoseconds, or that floats of
// seconds since 1970 hold to a quarter of a microsecond.
func near(t *testing.T, r evidence.Record, id string, want float64) {
	t.Helper()
	if v := foreigntest.Value(t, r, id); v.Amount.Kind != evidence.Exact || !(math.Abs(v.Amount.X-want) <= 1e-6*math.Max(1, want)) {
		t.Errorf("%s: got %+v, the rows give %v", id, v.Amount, want)
	}
}
