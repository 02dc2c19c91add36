// Package owntest writes run folders for tests, through the same writer that a
// real run uses, with rows that are made up and always the same.
package owntest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// Run is a run to be written.
type Run struct {
	ID      string
	Family  string // default "demo"
	Repeat  int    // default 1
	Repeats int    // default 1
	// Completed and Unresolved requests; default 100 and 0.
	Completed, Unresolved int
	// SlowMS is added to each first token's time.
	SlowMS int
	// Loads are the plan's points by their concurrency; default 4 alone. Point is
	// the place of the run's own among them.
	Loads []int
	Point int
	Real  bool // the endpoint is not the simulated one
}

func (r Run) withDefaults() Run {
	if r.Family == "" {
		r.Family = "demo"
	}
	if r.Repeat == 0 {
		r.Repeat = 1
	}
	if r.Repeats == 0 {
		r.Repeats = 1
	}
	if r.Completed == 0 {
		r.Completed = 100
	}
	if len(r.Loads) == 0 {
		r.Loads = []int{4}
	}
	return r
}

// Plan is the text of the run's plan.
func (r Run) Plan() string {
	r = r.withDefaults()
	return fmt.Sprintf(`name = %q
family = %q
repeats = %d
[endpoint]
url = "http://127.0.0.1:8000"
api = "completions"
model = "simulated"
[profile]
name = "B0"
[workload]
input_tokens = [128]
output_tokens = [32]
words = "list"
[load]
mode = "closed"
concurrency = %s
[stop]
requests = %d
[drain]
grace = "30s"
[timeouts]
total = "120s"
[cache]
policy = "cold"
[objectives]
ttft = "500ms"
end_to_end = "5s"
[quality]
check = "none declared"
`, r.Family, r.Family, r.Repeats, strings.ReplaceAll(fmt.Sprint(r.Loads), " ", ", "), r.Completed+r.Unresolved)
}

// Write writes the run into a new folder of its ID below dir and returns the folder.
func Write(t testing.TB, dir string, r Run) string {
	t.Helper()
	folder := filepath.Join(dir, r.ID)
	w := Begin(t, folder, r)
	r = r.withDefaults()
	for i := range r.Completed {
		must(t, w.Ended(r.completed(int64(i))))
	}
	last := int64(r.Completed+r.Unresolved) * 10 * ms
	for i := range r.Unresolved {
		must(t, w.Ended(r.unresolved(int64(r.Completed+i), last+3000*ms)))
	}
	_, err := w.Finish(r.manifest(last))
	must(t, err)
	return folder
}

// Begin creates the folder of a run and leaves it as it is while running.
func Begin(t testing.TB, folder string, r Run) *reqlog.Writer {
	t.Helper()
	r = r.withDefaults()
	p, err := plan.Parse("plan.toml", []byte(r.Plan()))
	must(t, err)
	w, err := reqlog.Create(folder, reqlog.Header{RunID: r.ID, Plan: r.Family, Family: r.Family, Point: p.Points()[r.Point],
		Repeat: r.Repeat, Repeats: r.Repeats, Tool: "benchline test", Simulated: !r.Real,
		WallStart: time.Date(2026, 11, 29, 17, 23, 0, 0, time.UTC)}, []byte(r.Plan()), reqlog.WriterOptions{})
	must(t, err)
	return w
}

const ms = int64(time.Millisecond)

func ptr[T any](v T) *T { return &v }

// completed is the i-th request: sent 10 ms after the one before it, its first
// token after 40 ms and more, 32 tokens 5 ms apart.
func (r Run) completed(i int64) reqlog.Row {
	sent := i * 10 * ms
	first := sent + (40+int64(r.SlowMS)+i%7)*ms
	last := first + 31*5*ms
	row := reqlog.Row{Seq: i, Phase: reqlog.MeasurePhase, DueNS: sent, SentNS: ptr(sent), Attempts: 1, ConnReused: ptr(true),
		HeadersNS: ptr(first), FirstByteNS: ptr(first), FirstTokenNS: ptr(first), FirstAnswerNS: ptr(first), LastTokenNS: ptr(last), EndNS: ptr(last),
		Outcome: reqlog.Completed, HTTPStatus: ptr(int32(200)), AskedInputTokens: 128, AskedOutputTokens: 32, InputTokens: ptr(int64(128)),
		OutputTokens: ptr(int64(32)), CachedTokens: ptr(int64(0)), TokenSource: "usage", FinishReason: "length", SawDone: true, Chunks: 32,
		GapsRecorded: true, RequestID: fmt.Sprint("r", i), PromptHash: fmt.Sprint("p", i), InFlightNow: int32(min(i+1, 4))}
	for range 31 {
		row.ChunkGapsNS = append(row.ChunkGapsNS, 5*ms)
	}
	return row
}

func (r Run) unresolved(i, end int64) reqlog.Row {
	sent := i * 10 * ms
	return reqlog.Row{Seq: i, Phase: reqlog.MeasurePhase, DueNS: sent, SentNS: ptr(sent), Attempts: 1, EndNS: ptr(end), Outcome: reqlog.Unresolved,
		AskedInputTokens: 128, AskedOutputTokens: 32, RequestID: fmt.Sprint("r", i), PromptHash: fmt.Sprint("p", i), InFlightNow: 4}
}

func (r Run) manifest(last int64) reqlog.Manifest {
	return reqlog.Manifest{
		State:   reqlog.Complete,
		Windows: reqlog.Windows{MeasureFromNS: 0, SendEndNS: last, ObservedToNS: last + 3000*ms},
		Health:  reqlog.Health{Verdict: reqlog.Sound, Cores: 2},
		Facts:   []reqlog.Fact{{Key: "engine_version", By: "endpoint /version", Note: "answered 404"}},
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
