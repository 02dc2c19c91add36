package summarize

import (
	"slices"
	"strings"
	"testing"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

func TestNegativeGapsAreNone(t *testing.T) {
	var c columns
	if err := c.addGaps([]int64{-1, 5, nearNS}); err != nil {
		t.Fatal(err)
	}
	if c.gaps.N != 2 || c.wrongGaps != 1 || c.nearGaps != 1 || c.gaps.Sum != 5+nearNS {
		t.Errorf("got %d gaps that sum to %d, %d wrong", c.gaps.N, c.gaps.Sum, c.wrongGaps)
	}
}

func TestTokenSource(t *testing.T) {
	row := func(source string, out int64) reqlog.Row {
		r := done(0, 0, 0, 10, 100, out)
		r.TokenSource = source
		return r
	}
	tests := []struct {
		rows []reqlog.Row
		want string
	}{
		{[]reqlog.Row{row("tokenizer:a", 1), row("tokenizer:b", 1), row("tokenizer:b", 1)}, "tokenizer:b"},
		{[]reqlog.Row{row("tokenizer:b", 1), row("tokenizer:a", 1)}, "tokenizer:a"},
		{[]reqlog.Row{row("tokenizer:b", 1), row("tokenizer:b", 1), row("usage", 1)}, "usage"},
		{[]reqlog.Row{row("usage", -5), row("tokenizer:b", 1)}, "tokenizer:b"},
		{[]reqlog.Row{row("", 7)}, ""},
		{nil, ""},
	}
	for _, test := range tests {
		rec := summarized(t, test.rows, manifest(test.rows, closedPoint(1), 0, 50, 100), testSpec())
		got, _ := rec.Workload.TokenSource.Get()
		if got, _, _ = strings.Cut(got, " ("); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestTokenSourceNamesWhatItDidNotCount(t *testing.T) {
	bare := done(1, 0, 0, 10, 100, 10)
	bare.OutputTokens, bare.TokenSource = nil, ""
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10), bare}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), testSpec())
	if got := known(t, "token source", rec.Workload.TokenSource); got != "usage (none for 1 of 2 completed requests)" {
		t.Errorf("got %q", got)
	}
}

func TestCachePolicies(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	rows[0].CachedTokens = ptr(int64(25))
	for _, test := range []struct {
		cache plan.Cache
		want  evidence.Cache
		words string
	}{
		{plan.Cache{Policy: plan.Cold}, evidence.Cache{Kind: measure.CacheCold, Declared: true}, "each request has its own prefix"},
		{plan.Cache{Policy: plan.Warm, Pool: 8}, evidence.Cache{Kind: measure.CacheWarm, Declared: true}, "8 distinct prompts, each sent before measuring"},
		{plan.Cache{Policy: plan.Shared, Share: 0.5}, evidence.Cache{Kind: measure.CacheShared, Share: 0.5, Declared: true}, "share 50.0 % of their tokens"},
		{plan.Cache{}, evidence.Cache{Kind: measure.CacheUnstated}, "seed 7"},
	} {
		spec := testSpec()
		spec.Cache = test.cache
		rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), spec)
		got := rec.State.Cache
		if got.Kind != test.want.Kind || got.Share != test.want.Share || got.Declared != test.want.Declared {
			t.Errorf("%+v: got %+v", test.cache, got)
		}
		if m := known(t, "measured", got.Measured); m != (evidence.CacheMeasure{CachedTokens: 25, PromptTokens: 50, Requests: 1, Of: 1}) {
			t.Errorf("got %+v", m)
		}
		if words := known(t, "prompts", rec.Workload.Prompts); !strings.Contains(words, test.words) {
			t.Errorf("got %q, want %q in it", words, test.words)
		}
		if rec.Values[0].Cache != rec.State.Cache {
			t.Error("a figure has another cache state than its record")
		}
	}
}

func TestCacheNotReported(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), testSpec())
	if m := rec.State.Cache.Measured; m.State() != evidence.StateNotStated {
		t.Errorf("got %+v: an unreported cache is not a cold one", m)
	}
	hasLimit(t, rec.Limits, evidence.CacheUnreported, true)
}

func TestQueueGrowth(t *testing.T) {
	grow := func(service func(i int64) int64) evidence.Record {
		var rows []reqlog.Row
		for i := range int64(200) {
			rows = append(rows, done(i, i*20, i*20, i*20+10, i*20+service(i), 10))
		}
		return summarized(t, rows, manifest(rows, openPoint(50), 0, 4000, 9000), testSpec())
	}
	steady := grow(func(int64) int64 { return 200 })
	hasLimit(t, steady.Limits, evidence.QueueGrows, false)
	growing := grow(func(i int64) int64 { return 100 + i*20 })
	hasLimit(t, growing.Limits, evidence.QueueGrows, true)
	hasLimit(t, value(t, growing, "ttft_due_p50").Limits, evidence.QueueGrows, true)
	hasLimit(t, value(t, growing, "output_token_rate").Limits, evidence.QueueGrows, false)
}

func TestStateWords(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10), ended(1, 0, -1, 400, reqlog.Unresolved, "")}
	m := manifest(rows, closedPoint(1), 0, 100, 400)
	m.State, m.Note = reqlog.Interrupted, "Ctrl-C."
	spec := testSpec()
	spec.Drain.Grace = 300 * time.Millisecond
	rec := summarized(t, rows, m, spec)
	if got := known(t, "complete", rec.State.Complete); got != "interrupted: Ctrl-C" {
		t.Errorf("got %q", got)
	}
	if got := known(t, "drain", rec.State.Drain); got != "grace 300ms, 300.0 ms used; 1 still open when observation ended" {
		t.Errorf("got %q", got)
	}
	if got := known(t, "warm-up", rec.State.Warmup); got != "none" {
		t.Errorf("got %q", got)
	}
	hasLimit(t, rec.Limits, evidence.Interruption, true)
	if rec.Summary != "1 of 2 planned requests completed, 1 unresolved; observed for 400.0 ms." {
		t.Errorf("got %q", rec.Summary)
	}
	if rec.State.Objectives.State() != evidence.StateNotApplicable {
		t.Errorf("got objectives %+v", rec.State.Objectives)
	}
}

func TestSentAgainIsCounted(t *testing.T) {
	again := done(0, 0, 60, 100, 200, 10)
	again.Attempts, again.FirstSentNS = 2, ptr(int64(0))
	rows := []reqlog.Row{again, done(1, 0, 0, 10, 100, 10)}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 100, 200), testSpec())
	i := slices.IndexFunc(rec.Client.Facts, func(f evidence.Fact) bool { return f.Key == "sent_again" })
	if got := known(t, "sent again", rec.Client.Facts[i].Value); got != "1" {
		t.Errorf("got %q", got)
	}
	// The clock starts at the last send.
	exact(t, rec, "ttft_max", 0.04)
}

func TestRequestsThatTheDurationGave(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	spec := testSpec()
	spec.Stop = plan.Stop{Duration: 4 * time.Second}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), spec)
	if n := rec.Workload.Requests; n.State() != evidence.StateDerived || !strings.Contains(n.Note(), "duration of 4s") {
		t.Errorf("got %+v", n)
	}
	spec.Stop = plan.Stop{Requests: 1}
	rec = summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), spec)
	if n := rec.Workload.Requests; n.State() != evidence.StateStated {
		t.Errorf("got %+v", n)
	}
}

func TestPromptsSentBefore(t *testing.T) {
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10), done(1, 0, 0, 10, 100, 10), done(2, 0, 0, 10, 100, 10), ended(3, 0, -1, 0, reqlog.NeverSent, "")}
	for i, hash := range []string{"a", "b", "a", "a"} {
		rows[i].PromptHash = hash
	}
	rec := summarized(t, rows, manifest(rows, closedPoint(1), 0, 50, 100), testSpec())
	if got := known(t, "prompts", rec.Workload.Prompts); !strings.Contains(got, "1 of 3 measured prompts had been measured before") || strings.Contains(got, "warm-up") {
		t.Errorf("got %q", got)
	}
}

func TestQualityGate(t *testing.T) {
	for _, test := range []struct {
		q    plan.Quality
		want string
		none bool
	}{
		{plan.Quality{Check: "gsm8k", Result: "0.71"}, "gsm8k: 0.71", false},
		{plan.Quality{Check: "gsm8k"}, "gsm8k: result not stated", false},
		{plan.Quality{Check: noQuality}, "", true},
		{plan.Quality{}, "", true},
	} {
		spec := testSpec()
		spec.Quality = test.q
		rec := summarized(t, nil, manifest(nil, closedPoint(1), 0, 50, 100), spec)
		got, ok := rec.Subject.Quality.Get()
		if got != test.want || ok == test.none {
			t.Errorf("%+v: got %q, %v", test.q, got, ok)
		}
		hasLimit(t, rec.Limits, evidence.QualityGateMissing, test.none)
	}
}

func TestPrecisionFromTheEndpoint(t *testing.T) {
	spec := testSpec()
	spec.Profile.Precision = ""
	m := manifest(nil, closedPoint(1), 0, 50, 100)
	hasLimit(t, summarized(t, nil, m, spec).Limits, evidence.FavourableUpperBound, true)
	m.Facts = []reqlog.Fact{{Key: "precision", By: "endpoint", Note: "HTTP 404"}}
	hasLimit(t, summarized(t, nil, m, spec).Limits, evidence.FavourableUpperBound, true)
	m.Facts[0].Value = ptr("bfloat16")
	rec := summarized(t, nil, m, spec)
	hasLimit(t, rec.Limits, evidence.FavourableUpperBound, false)
	if got := known(t, "precision", rec.Subject.Precision); got != "bfloat16" {
		t.Errorf("got %q", got)
	}
}

func TestWhyNot(t *testing.T) {
	for _, test := range []struct {
		f    reqlog.Fact
		want string
	}{
		{reqlog.Fact{By: "host", Note: "not found"}, "host: not found"},
		{reqlog.Fact{By: "plan, endpoint", Note: "the plan does not say; endpoint: HTTP 404"}, "the plan does not say; endpoint: HTTP 404"},
		{reqlog.Fact{By: "host", Note: "host was not read"}, "host was not read"},
		{reqlog.Fact{By: "host"}, "host does not say"},
		{reqlog.Fact{Note: "lost"}, "lost"},
		{reqlog.Fact{}, "nobody was asked"},
	} {
		if got := whyNot(test.f); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.f, got, test.want)
		}
	}
}

func TestRunTakesAPlan(t *testing.T) {
	p, err := plan.Parse("plan.toml", plan.Example())
	if err != nil {
		t.Fatal(err)
	}
	rows := []reqlog.Row{done(0, 0, 0, 10, 100, 10)}
	rec, err := Run(stream(rows), manifest(rows, p.Points()[0], 0, 50, 100), p)
	if err != nil {
		t.Fatal(err)
	}
	sealed(t, rec)
	if rec.PlanTOML != string(p.Source()) || rec.Subject.Profile != p.Spec().Profile.Name {
		t.Errorf("got profile %q and a plan of %d bytes", rec.Subject.Profile, len(rec.PlanTOML))
	}
}
