package pack

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
)

func readConditions(t *tomlfile.Table) Conditions {
	defer t.Done()
	c := Conditions{
		InputTokens: readCount(t, "input_tokens"), OutputTokens: readCount(t, "output_tokens"),
		Mix: t.Text("mix"), WorkloadHash: t.Text("workload_hash"),
		Concurrency: readCount(t, "concurrency"), Arrivals: t.Text("arrivals"),
		Precision: readTexts(t, "precision"), Region: t.Text("region"), From: readDay(t, "from", false), To: readDay(t, "to", false),
		TTFTObjective: readDuration(t, "ttft_objective"), E2EObjective: readDuration(t, "e2e_objective"),
	}
	if (c.Mix == "") != (c.WorkloadHash == "") {
		t.Fault("mix", "a mix of lengths goes with workload_hash", "the words for people, the hash to hold records against")
	}
	if c.WorkloadHash == "" && (c.InputTokens == 0 || c.OutputTokens == 0) {
		t.Fault("input_tokens", "input_tokens and output_tokens are required", "or mix and workload_hash for a mix of lengths")
	}
	if c.InputTokens+c.OutputTokens > 0 {
		c.LengthTolerance = readShare(t, "length_tolerance", 0.5)
	}
	readLoad(&c, t)
	readCache(&c, t)
	if c.From != "" && c.To != "" && c.From > c.To {
		t.Fault("to", "lies before from", "")
	}
	return c
}

func readLoad(c *Conditions, t *tomlfile.Table) {
	_, hasRate := t.Get("arrival_rate")
	switch {
	case t.Has("concurrency") && hasRate:
		t.Fault("arrival_rate", "a load has a number of outstanding requests or an arrival rate, not both", "")
	case !t.Has("concurrency") && !hasRate:
		t.Fault("concurrency", "is required", "requests outstanding on one replica; or arrival_rate, requests per second")
	case hasRate != (c.Arrivals != ""):
		t.Fault("arrivals", "goes with arrival_rate, and is needed there", `"constant" or "poisson"`)
	case hasRate && c.Arrivals != "constant" && c.Arrivals != "poisson":
		t.Fault("arrivals", fmt.Sprintf("%q is no pattern of arrivals", c.Arrivals), `"constant" or "poisson"`)
	}
	if hasRate {
		x, ok := readNumber(t, "arrival_rate", "requests per second")
		if ok && x <= 0 {
			t.Fault("arrival_rate", "must be more than zero", "requests per second")
		}
		c.RatePerSec = x
	}
}

func readCache(c *Conditions, t *tomlfile.Table) {
	kinds := []measure.CacheKind{measure.CacheCold, measure.CacheWarm, measure.CacheShared, measure.CacheDisabled}
	var words []string
	for _, k := range kinds {
		words = append(words, fmt.Sprintf("%q", k.String()))
	}
	hint := "one of " + strings.Join(words, ", ")
	s := t.NeedText("cache", hint)
	i := slices.IndexFunc(kinds, func(k measure.CacheKind) bool { return k.String() == s })
	if i < 0 {
		if s != "" {
			t.Fault("cache", fmt.Sprintf("%q is no cache state", s), hint)
		}
		return
	}
	c.Cache = kinds[i]
	if _, has := t.Get("cache_share"); has != (c.Cache == measure.CacheShared) {
		t.Fault("cache_share", fmt.Sprintf("goes with cache = %q, and is needed there", measure.CacheShared.String()), "")
	}
	if t.Has("cache_share") {
		c.CacheShare = readShare(t, "cache_share", 1)
	}
}

func readTexts(t *tomlfile.Table, key string) []string {
	var out []string
	for _, n := range readNames(t, key) {
		out = append(out, n.Text)
	}
	return out
}

// readNames reads a list of distinct texts.
func readNames(t *tomlfile.Table, key string) []Name {
	v, ok := t.Get(key)
	if !ok {
		return nil
	}
	list, isList := v.([]any)
	if !isList {
		t.Fault(key, "must be a list of strings, is "+tomlfile.KindOf(v), "")
		return nil
	}
	var out []Name
	for _, x := range list {
		s, msg := tomlfile.ReadText(x)
		if msg == "" && slices.ContainsFunc(out, func(n Name) bool { return n.Text == s }) {
			msg = fmt.Sprintf("%q is there twice", s)
		}
		if msg != "" {
			t.Fault(key, msg, "")
			continue
		}
		out = append(out, Name{Text: s, Line: t.Line(key)})
	}
	return out
}

func readCriterion(t *tomlfile.Table) Criterion {
	defer t.Done()
	c := Criterion{Name: t.NeedText("name", ""), Metric: measure.MetricID(t.NeedText("metric", `as in "ttft_p95", "goodput" or "`+string(ErrorShare)+`"`)),
		Date: readDay(t, "date", true), Why: t.Text("why"), AtLeast: t.Has("at_least"), Line: t.Line("")}
	if t.Has("at_least") == t.Has("at_most") {
		t.Fault("at_most", "is required, or at_least", "one limit")
	}
	c.Tolerance = readShare(t, "tolerance", 0.2)
	key := "at_most"
	if c.AtLeast {
		key = "at_least"
	}
	better, known := c.better(t)
	if !known {
		t.Get(key)
		return c
	}
	if (better == measure.HigherIsBetter) != c.AtLeast {
		t.Fault(key, fmt.Sprintf("is the wrong side: of %s %s", c.Metric, better), "")
	}
	readLimit(&c, t, key)
	return c
}

// better checks the metric and says in which direction it is better.
func (c Criterion) better(t *tomlfile.Table) (measure.Better, bool) {
	if c.Metric == ErrorShare {
		return measure.LowerIsBetter, true
	}
	m, ok := measure.Lookup(c.Metric)
	_, isQuantile := m.Stat.Q()
	switch {
	case c.Metric == "":
		return "", false
	case !ok:
		t.Fault("metric", fmt.Sprintf("the metric registry has no %q", c.Metric), "")
	case m.Quantity == measure.Time && m.Stat == measure.Mean:
		t.Fault("metric", "a mean says nothing about the slow end", "take a percentile, as in "+string(measure.ID(m.Base, measure.P95)))
	case m.Quantity == measure.Time && !isQuantile:
		t.Fault("metric", "a latency needs its percentile", "as in "+string(measure.ID(m.Base, measure.P95)))
	case m.Better == measure.NeitherBetter:
		t.Fault("metric", "is neither better when higher nor when lower", "")
	default:
		return m.Better, true
	}
	return "", false
}

// readLimit reads the limit in the unit of the metric: a duration in quotes, a
// number per second, or a share.
func readLimit(c *Criterion, t *tomlfile.Table, key string) {
	switch {
	case c.Metric == ErrorShare:
		c.Limit = readShare(t, key, 1)
		c.Written = measure.FormatShare(c.Limit)
	case c.latency():
		c.Limit = readDuration(t, key)
		c.Written = strings.ReplaceAll(t.Text(key), " ", "")
		if c.Limit == 0 && !t.Has(key) {
			return // that there is none is a fault already
		}
	default:
		m, _ := measure.Lookup(c.Metric)
		x, ok := readNumber(t, key, "a number of "+m.Unit())
		if ok && x <= 0 {
			t.Fault(key, "must be more than zero", "a number of "+m.Unit())
		}
		c.Limit, c.Written = x, fmt.Sprintf("%v %s", x, m.Unit())
	}
}

func readOption(t *tomlfile.Table) Option {
	defer t.Done()
	o := Option{Name: t.NeedText("name", ""), Title: t.Text("title"), Profile: t.NeedText("profile", "the serving profile that its records name"),
		Records: readNames(t, "records"), Families: readNames(t, "families"), Claims: readNames(t, "claims"),
		ScreenedOut: t.Text("screened_out"), Line: t.Line(""),
		Strengths: readProse(t, "strengths"), Weaknesses: readProse(t, "weaknesses"), Risks: readProse(t, "risks")}
	v, ok := t.Get("quantised")
	if o.Quantised, _ = v.(bool); !ok {
		t.Fault("quantised", "is required", "true or false: a quantised variant needs a quality gate")
	} else if _, isBool := v.(bool); !isBool {
		t.Fault("quantised", "must be true or false, is "+tomlfile.KindOf(v), "")
	}
	if t.Has("price") {
		o.Price = readPrice(t.Table("price"))
	}
	if t.Has("quality") {
		o.Quality = readQuality(t.Table("quality"))
	}
	return o
}

func readPrice(t *tomlfile.Table) *Price {
	defer t.Done()
	p := &Price{Currency: t.NeedText("currency", `as in "EUR"`), Said: readSaid(t, "said"), Source: t.NeedText("source", "who quoted it"), Date: readDay(t, "date", true),
		GPUs: readCount(t, "gpus_per_replica"), UtilisationSaid: readSaid(t, "utilisation_said"), UtilisationSource: t.Text("utilisation_source")}
	x, ok := readNumber(t, "per_gpu_hour", "price of one GPU for one hour")
	if ok && x <= 0 {
		t.Fault("per_gpu_hour", "must be more than zero", "")
	}
	p.PerGPUHour = x
	if !t.Has("gpus_per_replica") {
		t.Fault("gpus_per_replica", "is required", "how many GPUs one replica occupies")
	}
	p.Utilisation = readShare(t, "utilisation", 1)
	if p.Utilisation == 0 && t.Has("utilisation") {
		t.Fault("utilisation", "must be more than zero", "the share of the paid time in which a replica serves this load")
	}
	if strings.ContainsFunc(p.Currency, func(r rune) bool { return r < 'A' || r > 'Z' }) || len(p.Currency) != 3 {
		t.Fault("currency", fmt.Sprintf("%q is no currency code", p.Currency), "three capitals, as in EUR")
	}
	return p
}

func readQuality(t *tomlfile.Table) *Quality {
	defer t.Done()
	q := &Quality{Gate: t.NeedText("gate", "what it has to reach, on which test"), Declared: readDay(t, "declared", true), Result: t.Text("result"),
		Source: t.Text("source"), Date: readDay(t, "date", false)}
	if v, ok := t.Get("passed"); ok {
		passed, isBool := v.(bool)
		if !isBool {
			t.Fault("passed", "must be true or false, is "+tomlfile.KindOf(v), "")
		}
		q.Passed = &passed
	}
	if (q.Result == "") != (q.Passed == nil) || q.Result != "" && q.Source == "" {
		t.Fault("result", "a result goes with passed and source", "leave all three out where the gate was not run")
	}
	return q
}
