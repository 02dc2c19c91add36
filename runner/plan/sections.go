package plan

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Bounds. They are far above what one machine can do and keep sums of
// requests and of nanoseconds within 64 bits.
const (
	maxName        = 60
	maxLine        = 500
	maxDescription = 4000
	maxRepeats     = 100
	maxTokens      = 10_000_000
	maxConcurrency = 65_536
	maxRequests    = 100_000_000
	maxStop        = 7 * 24 * time.Hour
	maxTimeout     = 24 * time.Hour
	maxPool        = 100_000
	maxMore        = 100
)

// The defaults of keys that a plan may leave out, where they are not zero or
// another key's value.
const (
	defaultDrain       = 30 * time.Second
	defaultMaxInFlight = 4096
	defaultPool        = 8
)

// spec reads the whole file.
func (r *reader) spec(top *table) Spec {
	s := Spec{
		Name:        top.name("name", true, `as in name = "chat-b0"`),
		Family:      top.name("family", false, ""),
		Title:       top.text("title", maxLine),
		Description: top.longText("description"),
		Repeats:     int(top.integer("repeats", 1, maxRepeats, 1)),
	}
	fill(top, "family", &s.Family, s.Name)
	fill(top, "title", &s.Title, s.Name)
	if !top.has("repeats") {
		top.filled("repeats", "1")
	}
	s.Endpoint = readEndpoint(top.section("endpoint"))
	s.Profile = readProfile(top.section("profile"), s.Endpoint.Model)
	s.Load = readLoad(top.section("load"))
	s.Workload = readWorkload(top.section("workload"), s.Load)
	s.Stop = readStop(top.section("stop"))
	s.Cache = readCache(top.section("cache"), s.Workload)
	s.Warmup = readWarmup(top.section("warmup"), s.Cache)
	s.Drain = readDrain(top.section("drain"))
	s.Timeouts = readTimeouts(top.section("timeouts"))
	s.Objectives = readObjectives(top.section("objectives"))
	s.Quality = readQuality(top.section("quality"))
	return s
}

// fill sets an absent text to another key's value and says so.
func fill(t *table, key string, value *string, from string) {
	if t.has(key) || from == "" {
		return
	}
	*value = from
	t.filled(key, fmt.Sprintf("%q", from))
}

// name reads a name that becomes part of file names.
func (t *table) name(key string, required bool, hint string) string {
	if required && !t.need(key, hint) {
		return ""
	}
	s, ok := typed[string](t, key, "a string")
	if !ok {
		return ""
	}
	if len(s) > maxName || !regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`).MatchString(s) {
		t.fault(key, t.r.quoteSafe(s)+" cannot be used as a file name",
			fmt.Sprintf("lower-case letters, digits, single '-' and '.' between them, at most %d bytes", maxName))
		return ""
	}
	return s
}

// longText reads text of many lines.
func (t *table) longText(key string) string {
	s, _ := typed[string](t, key, "a string")
	if msg := badText(s, maxDescription, true); msg != "" {
		t.fault(key, msg, "")
		return ""
	}
	return strings.TrimSpace(s)
}

func readEndpoint(t *table) Endpoint {
	e := Endpoint{
		BaseURL:     t.address("url", true),
		Model:       t.needText("model", 256, "as the endpoint names it under /v1/models"),
		KeyEnv:      t.keyEnv(),
		Connections: Connections(t.choice("connections", true, string(Reuse), string(Fresh))),
	}
	if t.need("api", `"chat" or "completions"`) {
		e.API = API(t.choice("api", false, string(Chat), string(Completions)))
	}
	if regexp.MustCompile(`/v1/?$`).MatchString(e.BaseURL) {
		t.fault("url", "ends in /v1", "leave it out: it is added to the base address")
	}
	e.BaseURL = strings.TrimRight(e.BaseURL, "/")
	if v, ok := t.m["metrics"].(string); ok && v == "none" {
		e.MetricsURL = v
		return e
	}
	e.MetricsURL = t.address("metrics", false)
	if e.BaseURL != "" {
		fill(t, "metrics", &e.MetricsURL, e.BaseURL+"/metrics")
	}
	return e
}

// address reads an http address. Its faults never repeat it: it may hold a secret.
func (t *table) address(key string, required bool) string {
	const hint = `as in "http://127.0.0.1:8000"`
	if required && !t.need(key, hint) {
		return ""
	}
	s, ok := typed[string](t, key, "a string")
	if !ok {
		return ""
	}
	if msg := badText(s, 2000, false); msg != "" {
		t.fault(key, msg, hint)
		return ""
	}
	u, err := url.Parse(s)
	before := len(t.r.faults)
	if strings.Contains(s, "@") {
		t.secretFault(key, "an address must hold no user and no password", "use endpoint.key_env for a key")
	}
	if strings.ContainsAny(s, "?#") {
		t.secretFault(key, "an address must hold no query and no fragment", "use endpoint.key_env for a key")
	}
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || !rightPort(u.Port()) {
		t.fault(key, "is no http or https address", hint)
	}
	if len(t.r.faults) > before {
		return ""
	}
	return s
}

func rightPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.Atoi(port)
	return err == nil && n > 0 && n < 65536
}

// secretFault is a fault which says by itself that the line holds a secret.
func (t *table) secretFault(key, msg, hint string) {
	t.r.secretAt[t.r.lines.at(append(t.path[:len(t.path):len(t.path)], key)...)] = true
	t.fault(key, msg, hint)
}

// keyEnv reads the name of an environment variable. A literal key pasted here
// by mistake is refused and not repeated.
func (t *table) keyEnv() string {
	s, ok := typed[string](t, "key_env", "a string")
	if !ok {
		return ""
	}
	if len(s) > 128 || !regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`).MatchString(s) || t.r.secret.MatchString(s) {
		t.secretFault("key_env", "is not the name of an environment variable",
			"upper-case letters, digits and '_'; the name, never the key itself")
		return ""
	}
	return s
}

func readProfile(t *table, model string) Profile {
	p := Profile{
		Name:              t.needText("name", maxName, `as people name the serving profile: "B0"`),
		Description:       t.longText("description"),
		Model:             t.text("model", maxLine),
		ModelRevision:     t.text("model_revision", maxLine),
		Tokenizer:         t.text("tokenizer", maxLine),
		TokenizerRevision: t.text("tokenizer_revision", maxLine),
		Engine:            t.text("engine", maxLine),
		EngineVersion:     t.text("engine_version", maxLine),
		Precision:         t.text("precision", maxLine),
		Parallelism:       t.text("parallelism", maxLine),
		Hardware:          t.text("hardware", maxLine),
		Accelerators:      int(t.integer("accelerators", 1, 1_000_000, 0)),
		HostCPU:           t.text("host_cpu", maxLine),
		HostMemory:        t.text("host_memory", maxLine),
		Interconnect:      t.text("interconnect", maxLine),
		Driver:            t.text("driver", maxLine),
		Runtime:           t.text("runtime", maxLine),
		CacheConfig:       t.text("cache_config", maxLine),
		Decoding:          t.text("decoding", maxLine),
		ClientLocation:    t.text("client_location", maxLine),
		PriceNote:         t.text("price_note", maxLine),
	}
	if q, ok := typed[bool](t, "quantized", "true or false"); ok {
		p.Quantized = &q
	}
	fill(t, "model", &p.Model, model)
	p.AdditionalProperties = readMore(t.section("more"))
	return p
}

// readMore reads [profile.more]: texts under any names but those of secrets.
func readMore(t *table) map[string]string {
	if len(t.m) > maxMore {
		t.fault("", fmt.Sprintf("has %d entries, at most %d are allowed", len(t.m), maxMore), "")
		return nil
	}
	var more map[string]string
	for _, k := range sortedKeys(t.m) {
		if namesSecret(k) {
			t.secretKey(k)
			continue
		}
		if badText(k, maxName, false) != "" || k == "" {
			t.fault(k, fmt.Sprintf("its name must be one line of at most %d bytes", maxName), "")
			continue
		}
		if v := t.text(k, maxLine); v != "" {
			if more == nil {
				more = map[string]string{}
			}
			more[k] = v
		}
	}
	return more
}

func readObjectives(t *table) *Objectives {
	if !t.present {
		return nil
	}
	var o Objectives
	limit := span{lo: 1, hi: maxTimeout}
	if t.need("ttft", `the longest time to first token of a good request, as in "500ms"`) {
		o.TTFT = t.duration("ttft", limit)
	}
	if t.need("end_to_end", `the longest time to last token of a good request, as in "20s"`) {
		o.EndToEnd = t.duration("end_to_end", limit)
	}
	return &o
}

// NoQualityCheck is the Check of a plan that declares no quality gate.
const NoQualityCheck = "none declared"

func readQuality(t *table) Quality {
	if !t.present {
		t.filled("", fmt.Sprintf("check = %q", NoQualityCheck))
		return Quality{Check: NoQualityCheck}
	}
	q := Quality{
		Check:  t.needText("check", maxLine, fmt.Sprintf("name the check, or write %q", NoQualityCheck)),
		Result: t.text("result", maxLine),
	}
	if q.Check != "" && q.Check != NoQualityCheck && q.Result == "" && !t.has("result") {
		t.fault("result", "is required with a check", `write "not run" if there is no result yet`)
	}
	return q
}
