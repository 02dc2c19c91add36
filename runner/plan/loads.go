package plan

import (
	"fmt"
	"math"
	"path"
	"strings"
	"time"
)

func readWorkload(t *table, load LoadShape) Workload {
	w := Workload{
		InputTokens:  t.integers("input_tokens", 1, maxTokens, "a list, as in [128, 1024]"),
		OutputTokens: t.integers("output_tokens", 1, maxTokens, "a list, as in [32, 256]"),
		Seed:         uint64(t.integer("seed", 0, math.MaxInt64, 0)), //nolint:gosec // checked to be ≥ 0
		IgnoreEOS:    t.boolean("ignore_eos", true),
		Temperature:  t.number("temperature", 0, func(x float64) bool { return x >= 0 && x <= 2 }, "from 0 to 2"),
		Words:        t.choice("words", true, "endpoint", "list"),
		WordList:     t.text("word_list", maxLine),
		KeepText:     t.boolean("keep_text", false),
	}
	if open, ok := load.(Open); ok && open.Arrivals == Poisson {
		t.need("seed", "random arrivals must be repeatable: state a seed, any whole number")
	} else if !t.has("seed") {
		t.filled("seed", "0")
	}
	if !t.has("temperature") {
		t.filled("temperature", "0")
	}
	if !t.has("word_list") {
		t.filled("word_list", "the built-in list")
	}
	if l := w.WordList; l != "" && (path.IsAbs(l) || strings.Contains(l, `\`) || strings.HasPrefix(path.Clean(l), "..")) {
		t.fault("word_list", "must be a path below the plan's folder, with '/'", "")
	}
	return w
}

func readLoad(t *table) LoadShape {
	if !t.need("mode", `"closed" (a fixed number outstanding) or "open" (a fixed rate)`) {
		return nil
	}
	mode := t.choice("mode", false, "closed", "open")
	wrong := map[string][]string{"closed": {"rates", "arrivals", "max_in_flight"}, "open": {"concurrency"}}
	for _, key := range wrong[mode] {
		if t.has(key) {
			t.fault(key, fmt.Sprintf("does not go with mode = %q", mode), "")
		}
	}
	switch mode {
	case "closed":
		return Closed{Concurrency: t.integers("concurrency", 1, maxConcurrency, "a list, as in [1, 4, 16]")}
	case "open":
		o := Open{
			Rates:       t.rates(),
			Arrivals:    Arrivals(t.choice("arrivals", true, string(Constant), string(Poisson))),
			MaxInFlight: int(t.integer("max_in_flight", 1, maxConcurrency, defaultMaxInFlight)),
		}
		if !t.has("max_in_flight") {
			t.filled("max_in_flight", fmt.Sprint(defaultMaxInFlight))
		}
		return o
	}
	return nil
}

// rates reads the offered loads; two that are equal as numbers are one too many.
func (t *table) rates() []ArrivalRate {
	const key, hint = "rates", `a list, as in ["20/s", "90/min"]`
	if !t.need(key, hint) {
		return nil
	}
	list, ok := t.list(key, "a list of rates", hint)
	if !ok {
		return nil
	}
	var out []ArrivalRate
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			t.fault(key, fmt.Sprintf("entry %d must be a rate in quotes, is %s", i+1, kindOf(v)), hint)
			continue
		}
		rate, err := parseRate(text)
		if err != nil {
			t.fault(key, fmt.Sprintf("entry %d, %s, %v", i+1, t.r.quoteSafe(text), err), hint)
			continue
		}
		for _, o := range out {
			if o.sameAs(rate) {
				t.fault(key, fmt.Sprintf("%s and %s are the same rate", o, rate),
					"each point is run once; more runs of a point are repeats")
			}
		}
		out = append(out, rate)
	}
	return out
}

func readStop(t *table) Stop {
	requests, duration := t.has("requests"), t.has("duration")
	if requests == duration {
		msg := "exactly one of requests and duration is required"
		if requests {
			msg += ", both are there"
		}
		t.fault("", msg, `as in requests = 200, or duration = "60s"`)
	}
	d := t.duration("duration", span{lo: time.Millisecond, hi: maxStop})
	return Stop{Requests: int(t.integer("requests", 1, maxRequests, 0)), Duration: d}
}

// readWarmup reads the warm-up. With cached prompts it must send each of them
// once, so it is counted in requests; left out, it is just that.
func readWarmup(t *table, c Cache) Warmup {
	if t.has("requests") && t.has("duration") {
		t.fault("", "at most one of requests and duration is allowed, both are there", "")
	}
	d := t.duration("duration", span{hi: maxStop})
	w := Warmup{Requests: int(t.integer("requests", 0, maxRequests, 0)), Duration: d}
	switch {
	case c.Policy != Warm || c.Pool == 0:
		if !t.has("requests") && !t.has("duration") {
			t.filled("requests", "0")
		}
	case t.has("duration"):
		t.fault("duration", "cannot promise that each warm prompt is sent once",
			fmt.Sprintf("write requests = %d or more: cache.pool is %d", c.Pool, c.Pool))
	case !t.has("requests"):
		w.Requests = c.Pool
		t.filled("requests", fmt.Sprint(c.Pool))
	case w.Requests < c.Pool:
		t.fault("requests", fmt.Sprintf("%d warm-up requests cannot send each of %d warm prompts once", w.Requests, c.Pool),
			"at least cache.pool")
	}
	return w
}

func readDrain(t *table) Drain {
	if !t.has("grace") {
		t.filled("grace", fmt.Sprintf("%q", shortDuration(defaultDrain)))
		return Drain{Grace: defaultDrain}
	}
	d := t.duration("grace", span{hi: maxTimeout})
	return Drain{Grace: d}
}

func readTimeouts(t *table) Timeouts {
	limit := span{lo: time.Millisecond, hi: maxTimeout, none: true}
	get := func(key string) time.Duration {
		if !t.has(key) {
			t.filled(key, `"none"`)
		}
		return t.duration(key, limit)
	}
	to := Timeouts{Connect: get("connect"), FirstByte: get("first_byte"), Idle: get("idle")}
	if t.need("total", `the longest a request may take, as in "120s", or "none"`) {
		to.Total = t.duration("total", limit)
	}
	if to.Total > 0 {
		for _, part := range []struct {
			key string
			d   time.Duration
		}{{"connect", to.Connect}, {"first_byte", to.FirstByte}, {"idle", to.Idle}} {
			if part.d > to.Total {
				t.fault(part.key, "is longer than timeouts.total, so it can never end a request", "")
			}
		}
	}
	return to
}

func readCache(t *table, w Workload) Cache {
	if !t.need("policy", `"cold", "warm" or "shared"`) {
		return Cache{}
	}
	c := Cache{Policy: CachePolicy(t.choice("policy", false, string(Cold), string(Warm), string(Shared)))}
	if t.has("share") && c.Policy != Shared && c.Policy != "" {
		t.fault("share", `goes with policy = "shared" only`, "")
	}
	if t.has("pool") && c.Policy != Warm && c.Policy != "" {
		t.fault("pool", `goes with policy = "warm" only`, "")
	}
	switch c.Policy {
	case Warm:
		c.Pool = int(t.integer("pool", 1, maxPool, defaultPool))
		if !t.has("pool") {
			t.filled("pool", fmt.Sprint(defaultPool))
		}
	case Shared:
		const hint = "the shared part of the input, as in 0.5; more than 0 and less than 1"
		if t.need("share", hint) {
			c.Share = t.number("share", 0, func(x float64) bool { return x > 0 && x < 1 }, hint)
		}
		for _, n := range w.InputTokens {
			if c.Share > 0 && c.SharedTokens(n) == 0 {
				t.fault("share", fmt.Sprintf("is less than one token of an input of %d", n), "")
			}
		}
	case Cold:
	}
	return c
}

// SharedTokens is the length of the common prefix of prompts of n tokens:
// Share × n, rounded down; 0 unless the policy is [Shared].
func (c Cache) SharedTokens(n int) int {
	if c.Policy != Shared {
		return 0
	}
	return int(c.Share * float64(n))
}
