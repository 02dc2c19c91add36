package prose

import (
	"strings"

	"benchline/ingest/measure"
)

// topic is what a word or phrase speaks of.
type topic uint8

const (
	noTopic    topic = iota
	latency          // a latency by its name: TTFT, time to first token
	statistic        // p95, median: a latency's, where a time stands beside it
	throughput       // throughput, goodput, output-token rate
	success          // success, succeeded
	failure          // error rate
)

// about is the topic of one token, with what it says of the metric.
type about struct {
	topic topic
	first bool // the first token of its phrase
	base  measure.MetricID
	stat  measure.Stat
	unit  unit // of a rate that is named by its unit: "tokens/s"
}

// phrase is a run of words with a meaning. A hyphen between the words, and
// "the" after the first, do not matter.
type phrase struct {
	words string
	about about
}

// phrases lists the longer before the shorter.
func phrases() []phrase {
	return []phrase{
		{"time to first answer token", about{topic: latency, base: "ttfa"}},
		{"time to first output token", about{topic: latency, base: "ttft"}},
		{"time to first token", about{topic: latency, base: "ttft"}},
		{"time per output token", about{topic: latency, base: "tpot"}},
		{"time per token", about{topic: latency, base: "tpot"}},
		{"inter token latency", about{topic: latency}},
		{"first token latency", about{topic: latency, base: "ttft"}},
		{"end to end latency", about{topic: latency, base: "e2e"}},
		{"end to end time", about{topic: latency, base: "e2e"}},
		{"first output token", about{topic: latency, base: "ttft"}},
		{"first token", about{topic: latency, base: "ttft"}},
		{"response time", about{topic: latency, base: "e2e"}},
		{"response times", about{topic: latency, base: "e2e"}},
		{"token latency", about{topic: latency}},
		{"ttft", about{topic: latency, base: "ttft"}}, {"ttfts", about{topic: latency, base: "ttft"}},
		{"tpot", about{topic: latency, base: "tpot"}}, {"tpots", about{topic: latency, base: "tpot"}},
		{"itl", about{topic: latency}}, {"itls", about{topic: latency}}, {"tbt", about{topic: latency}},
		{"ttfa", about{topic: latency, base: "ttfa"}},
		{"e2el", about{topic: latency, base: "e2e"}}, {"e2e", about{topic: latency, base: "e2e"}},
		{"latency", about{topic: latency}}, {"latencies", about{topic: latency}},
		{"p50", about{topic: statistic, stat: measure.P50}}, {"p90", about{topic: statistic, stat: measure.P90}},
		{"p95", about{topic: statistic, stat: measure.P95}}, {"p99", about{topic: statistic, stat: measure.P99}},
		{"p99.9", about{topic: statistic}}, {"p999", about{topic: statistic}}, {"p75", about{topic: statistic}}, {"p25", about{topic: statistic}},
		{"percentile", about{topic: statistic}}, {"median", about{topic: statistic, stat: measure.P50}},
		{"throughput", about{topic: throughput}}, {"throughputs", about{topic: throughput}},
		{"goodput", about{topic: throughput, unit: requestRate}},
		{"token rate", about{topic: throughput, unit: tokenRate}}, {"output rate", about{topic: throughput, unit: tokenRate}},
		{"input rate", about{topic: throughput, unit: tokenRate}}, {"request rate", about{topic: throughput, unit: requestRate}},
		{"generation rate", about{topic: throughput, unit: tokenRate}}, {"generation speed", about{topic: throughput, unit: tokenRate}},
		{"decode rate", about{topic: throughput, unit: tokenRate}}, {"decode speed", about{topic: throughput, unit: tokenRate}},
		{"decoding speed", about{topic: throughput, unit: tokenRate}}, {"prefill speed", about{topic: throughput, unit: tokenRate}},
		{"success rate", about{topic: success}}, {"success ratio", about{topic: success}}, {"success share", about{topic: success}},
		{"success", about{topic: success}}, {"successful", about{topic: success}}, {"successfully", about{topic: success}},
		{"succeeded", about{topic: success}}, {"succeeds", about{topic: success}}, {"succeed", about{topic: success}}, {"successes", about{topic: success}},
		{"completion rate", about{topic: success}}, {"error rate", about{topic: failure}}, {"failure rate", about{topic: failure}},
	}
}

// lexicon is [phrases] by their first word, built once for a page.
type lexicon map[string][][]string

func newLexicon() (lexicon, map[string]about) {
	first, meaning := lexicon{}, map[string]about{}
	for _, p := range phrases() {
		words := strings.Fields(p.words)
		first[words[0]] = append(first[words[0]], words)
		meaning[p.words] = p.about
	}
	return first, meaning
}

// topics says of each token of a sentence what it speaks of.
func (x *reader) topics(ts []token) []about {
	out := make([]about, len(ts))
	for i := 0; i < len(ts); i++ {
		if ts[i].kind != wordToken {
			continue
		}
		if a, end := x.topicAt(ts, i); end > i {
			a.first = true
			for k := i; k < end; k++ {
				out[k] = a
				a.first = false
			}
			i = end - 1
		}
	}
	return out
}

func (x *reader) topicAt(ts []token, i int) (about, int) {
	for _, words := range x.first[ts[i].text] {
		if end := matchWords(ts, i, words); end > i {
			return x.meaning[strings.Join(words, " ")], end
		}
	}
	// A rate named by its unit: "tokens/s: 5".
	if u, _, end := rateUnit(ts, i); u != noUnit && (i == 0 || ts[i-1].kind != numberToken) {
		return about{topic: throughput, unit: u}, end
	}
	return about{}, i
}

// matchWords is where the words end that start at i, or i.
func matchWords(ts []token, i int, words []string) int {
	k := i
	for n, w := range words {
		if n > 0 {
			for k < len(ts) && (ts[k].is("-", "‑", "the") || n == len(words)-1 && ts[k].is("output") && w == "token") {
				k++
			}
		}
		if k >= len(ts) || !ts[k].is(w) {
			return i
		}
		k++
	}
	return k
}

// joins reports whether a word or sign only joins a name with its number:
// "TTFT, median, was about 5". Loose ones do so only for a number with a unit.
func joins(t token) (yes, loose bool) {
	if t.kind == symbolToken {
		return t.is(":", "=", "≈", "~", "(", ")", "<", ">", "≤", "≥", ",", "\"", "“", "”", "*", "|", "→", "[", "]", "±", "-", "–", "—", "+", "/"), t.is(",", "-", "–", "—", "+", "/", "|", "→")
	}
	if t.kind != wordToken {
		return false, false
	}
	switch t.text {
	case "of", "is", "was", "are", "were", "be", "been", "equals", "reads", "hits", "hit", "reached", "reaches", "reaching", "measured", "reported",
		"about", "around", "roughly", "nearly", "almost", "approximately", "only", "just", "some", "up", "exactly", "circa", "ca", "approx",
		"exceeds", "exceeded", "exceeding", "averages", "averaged", "peaks", "peaked", "stays", "stayed", "stands", "stood", "shows", "showed",
		"mean", "average", "avg", "max", "maximum", "min", "minimum", "peak", "sustained", "total", "output", "input", "aggregate", "value", "per", "request",
		"s", "ms", "sec", "seconds", "milliseconds", "delivers", "delivered", "gives", "gave", "sees", "saw":
		return true, false
	case "a", "an", "the", "at", "to", "from", "by", "under", "over", "below", "above", "in", "within", "after", "between", "and", "or", "than", "with", "for",
		"more", "less", "took", "takes", "take", "came", "comes", "arrives", "arrived", "arrive", "appears", "appeared", "rose", "fell", "grew", "dropped", "rises", "falls",
		"most", "least", "limit", "objective", "objectives", "target", "targets", "goal", "budget", "slo", "sla", "must", "should", "stay", "not", "exceed", "would", "will", "can",
		"went", "goes", "got", "gets", "down", "requests":
		return true, true
	}
	return false, false
}

// closes reports whether a word can follow a number that counts nothing by its
// name: "a throughput of 500 in the first run".
func closes(t token) bool {
	if t.kind == symbolToken {
		return !t.is("%", "×", "·", "÷", "-", "/", "=")
	}
	if t.kind != wordToken {
		return t.kind == refToken
	}
	switch t.text {
	case "a", "an", "the", "and", "or", "but", "in", "at", "on", "for", "with", "without", "while", "when", "where", "which", "that", "than", "as", "to", "by", "from",
		"is", "was", "are", "were", "per", "vs", "versus", "against", "over", "under", "during", "after", "before", "because", "so", "if", "then", "it", "this", "these",
		"compared", "not", "only", "here", "there", "though", "although", "since", "until", "yet":
		return true
	}
	return false
}

// offers reports whether a word before a request rate says that it is what was
// asked for and not what came out.
func offers(t token) bool {
	if t.kind != wordToken {
		return false
	}
	switch t.text {
	case "offered", "offer", "offers", "offering", "arrival", "arrivals", "arrive", "arrives", "arriving", "due", "planned", "plan", "plans", "asked", "asks", "poisson",
		"schedule", "scheduled", "paced", "pace", "configured", "set", "setting", "limit", "limits", "limited", "quota", "loop", "send", "sends", "sending", "load", "loads":
		return true
	}
	return false
}

// counts reports whether a word names things that are counted, or a setting: a
// number under it is not a performance figure.
func counts(t token) bool {
	switch t.text {
	case "n", "request", "requests", "client", "clients", "concurrency", "stream", "streams", "sample", "samples", "count", "counts", "user", "users", "token", "tokens",
		"run", "runs", "point", "points", "record", "records", "size", "sizes", "length", "lengths", "rows", "row", "number", "file", "files", "value", "values", "rank", "smallest",
		"decimals", "digits", "index", "column", "page", "pages", "revision", "version", "year", "date", "seed", "accelerators", "gpus", "gpu":
		return true
	}
	return false
}
