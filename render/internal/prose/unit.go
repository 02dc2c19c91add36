package prose

// unit is what a number on a page is a number of.
type unit uint8

const (
	noUnit      unit = iota
	tokenRate        // tokens in a time
	requestRate      // requests in a time
	perToken         // time for a token
	seconds          // a time
	percent          // a share
	times            // a multiple: 2.04×
)

// unitAt reads the unit that starts at i: the unit, the factor to its base
// unit (per second, seconds), and where it ends.
func unitAt(ts []token, i int) (u unit, factor float64, end int) {
	if i+1 < len(ts) && ts[i].is("-", "‑") && ts[i].glued && ts[i+1].glued {
		i++ // 200-ms
	}
	if i >= len(ts) {
		return noUnit, 1, i
	}
	t := ts[i]
	switch {
	case t.is("%", "percent", "pct"):
		return percent, 1, i + 1
	case t.is("per") && i+1 < len(ts) && ts[i+1].is("cent"):
		return percent, 1, i + 2
	case t.is("×") || t.is("x", "fold") && t.kind == wordToken || t.is("times"):
		if multiplies(ts, i) {
			return times, 1, i + 1
		}
		return noUnit, 1, i
	}
	if u, factor, end := rateUnit(ts, i); u != noUnit {
		return u, factor, end
	}
	factor, ok := timeWord(t)
	if !ok {
		return noUnit, 1, i
	}
	if sep := separator(ts, i+1); sep > i+1 {
		if end := noun(ts, sep, perToken); end > sep {
			return perToken, factor, end
		}
	}
	return seconds, factor, i + 1
}

// multiplies reports whether the sign at i makes a multiple of the number
// before it, and not a product or a count of devices: 20 × 150, 8×H100.
func multiplies(ts []token, i int) bool {
	if i+1 == len(ts) {
		return !ts[i].is("times")
	}
	next := ts[i+1]
	if next.kind == numberToken || next.kind == nameToken || next.glued && next.kind == wordToken {
		return false
	}
	for _, b := range []byte(next.text) {
		if next.kind == wordToken && digit(b) {
			return false // H100
		}
	}
	return true
}

// rateUnit reads a unit of something per time: "output tokens/s", "tok per
// second", "requests a minute", "tps".
func rateUnit(ts []token, i int) (u unit, factor float64, end int) {
	if ts[i].kind != wordToken {
		return noUnit, 1, i
	}
	switch ts[i].text {
	case "tps":
		return tokenRate, 1, i + 1
	case "tpm":
		return tokenRate, 1. / 60, i + 1
	case "rps", "qps":
		return requestRate, 1, i + 1
	case "rpm", "qpm":
		return requestRate, 1. / 60, i + 1
	}
	k := i
	for k < len(ts) && k < i+7 && qualifies(ts[k]) {
		k++
	}
	for _, u := range []unit{tokenRate, requestRate} {
		after := noun(ts, k, u)
		if after == k {
			continue
		}
		sep := separator(ts, after)
		if sep == after || sep >= len(ts) {
			continue
		}
		if factor, ok := timeWord(ts[sep]); ok && ts[k].text != "t" || ok && ts[after].is("/") {
			return u, 1 / factor, perUser(ts, sep+1)
		}
	}
	return noUnit, 1, i
}

// perUser goes on after "/user" and "per GPU".
func perUser(ts []token, i int) int {
	if end := separator(ts, i); end > i && end < len(ts) && ts[end].is("user", "gpu", "request", "accelerator", "device", "chip", "client", "stream") {
		return end + 1
	}
	return i
}

// noun is where the thing ends that is counted in u, or i.
func noun(ts []token, i int, u unit) int {
	if i >= len(ts) {
		return i
	}
	t := ts[i]
	switch u {
	case tokenRate:
		if t.is("tokens", "token", "tok", "toks", "t") {
			return i + 1
		}
	case requestRate:
		if t.is("requests", "request", "req", "reqs", "queries", "query", "prompts", "completions", "calls") {
			return i + 1
		}
	case perToken:
		k := i
		for k < len(ts) && qualifies(ts[k]) {
			k++
		}
		if k < len(ts) && ts[k].is("tokens", "token", "tok") {
			return k + 1
		}
	case noUnit, seconds, percent, times:
	}
	return i
}

func qualifies(t token) bool {
	return t.is("output", "input", "generated", "generation", "decode", "decoded", "decoding", "prefill", "total", "completion", "prompt", "new", "combined", "aggregate",
		"completed", "successful", "good", "sent", "and", "plus", "+", "more")
}

// separator is where the "per" of a unit ends, or i.
func separator(ts []token, i int) int {
	if i < len(ts) && ts[i].is("/", "per", "a", "each", "every", "·", "⁄", "∕") {
		return i + 1
	}
	if i+2 < len(ts) && ts[i].is("-") && ts[i+1].is("per") && ts[i+2].is("-") {
		return i + 3
	}
	return i
}

// timeWord is a unit of time in seconds.
func timeWord(t token) (float64, bool) {
	switch t.text {
	case "s", "sec", "secs", "second", "seconds":
		return 1, true
	case "ms", "msec", "msecs", "millisecond", "milliseconds":
		return 1e-3, true
	case "µs", "μs", "us", "usec", "microsecond", "microseconds":
		return 1e-6, true
	case "ns", "nanosecond", "nanoseconds":
		return 1e-9, true
	case "min", "mins", "minute", "minutes":
		return 60, true
	case "h", "hr", "hour", "hours":
		return 3600, true
	}
	return 0, false
}
