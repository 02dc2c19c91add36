package prose

import "benchline/ingest/measure"

// mode says how much of a text is looked at.
type mode uint8

const (
	everything mode = iota
	unitsOnly       // code and configuration: only numbers with a unit of performance
	sharesOnly      // marked: only what no mark can make right
)

// figure is a number that was found to stand for a measurement.
type figure struct {
	from, to int // in the flat text
	kind     figureKind
	num      number
	unit     unit
	factor   float64
	about    about
}

// figureKind is what is wrong with a number.
type figureKind uint8

const (
	typedFigure figureKind = iota
	typedRatio             // 30 % faster
	successShare
	failureShare
)

// figures finds the performance figures in a sentence.
func (x *reader) figures(ts []token, m mode) []figure {
	ab := x.topics(ts)
	var out []figure
	for i, t := range ts {
		if t.kind != numberToken && (t.kind != refToken || t.ref.ref.Kind != Ev) {
			continue
		}
		if n := len(out); n > 0 && i > 1 && out[n-1].to >= t.end && ts[i-1].is("-", "–", "—", "−", "to", "…", "±") {
			continue // the other end of a range
		}
		if f, ok := judge(ts, ab, i, m); ok {
			f.num = t.num
			out = append(out, f)
		}
	}
	return out
}

// judge decides about the number at i.
func judge(ts []token, ab []about, i int, m mode) (figure, bool) {
	last := rangeEnd(ts, i)
	u, factor, end := unitAt(ts, last+1)
	end = max(end, last+1)
	f := figure{from: ts[i].start, to: ts[end-1].end, unit: u, factor: factor}
	if isSuccess(ts, ab, i, end, u) {
		f.kind = successShare
		return f, true
	}
	if m == sharesOnly || ts[i].class == marked || ts[i].kind == refToken || i != last && yearLike(ts[i]) {
		return f, false
	}
	if u == tokenRate || u == perToken || u == requestRate && !isOffered(ts, i, end) {
		if u == perToken {
			f.about.base = "tpot"
		}
		return f, true
	}
	if m == unitsOnly || ts[i].class == coded || u == requestRate {
		return f, false
	}
	switch u {
	case seconds:
		a, ok := before(ts, ab, i, true)
		if !ok || !a.is(latency, statistic) {
			a, ok = after(ts, ab, end)
		}
		f.about = a.about
		return f, ok && a.is(latency, statistic)
	case percent, times:
		if a, ok := before(ts, ab, i, false); ok && a.topic == failure && u == percent {
			f.kind = failureShare
			return f, true
		}
		f.kind = typedRatio
		return f, compares(ts, ab, i, end, u)
	case noUnit, tokenRate, requestRate, perToken:
	}
	return f, isBare(ts, ab, i, last, &f)
}

// isBare reports whether a number without a unit is a figure by the name that
// leads to it: "TTFT: 0.4", "a throughput of 5,191".
func isBare(ts []token, ab []about, i, last int, f *figure) bool {
	if last+1 < len(ts) && (!closes(ts[last+1]) || ts[last+1].glued && ts[last+1].kind == wordToken) {
		return false
	}
	a, ok := before(ts, ab, i, false)
	if !ok || yearLike(ts[i]) {
		return false
	}
	f.about, f.unit, f.factor = a.about, a.unit, a.factor
	switch a.topic {
	case throughput:
		return a.unit != requestRate || !isOffered(ts, i, last+1)
	case latency:
		return true
	case statistic:
		return ts[i].num.decimals
	case noTopic, success, failure:
	}
	return false
}

// rangeEnd is the last number of a range or list that begins at i: the unit
// behind it is that of all.
func rangeEnd(ts []token, i int) int {
	const reach = 12
	for end := i + reach; i+2 < min(len(ts), end) && ts[i+2].kind == numberToken && ts[i+1].is("-", "–", "—", "−", "to", "and", "or", "/", "…", "±", "through"); {
		i += 2
	}
	return i
}

func yearLike(t token) bool {
	return len(t.text) == 4 && (t.text[:2] == "19" || t.text[:2] == "20") && digit(t.text[2]) && digit(t.text[3])
}

// found is a topic that a number belongs to.
type found struct {
	about
	factor float64 // of a unit of time beside the name, 0 if there is none
}

func (f *found) is(topics ...topic) bool {
	for _, t := range topics {
		if f.topic == t {
			return true
		}
	}
	return false
}

// add joins what two words say: "TTFT" and "p95".
func (f *found) add(a about) {
	if f.topic == noTopic || f.topic == statistic && a.topic == latency {
		f.topic = a.topic
	}
	if f.base == "" {
		f.base = a.base
	}
	if f.stat == measure.NoStat {
		f.stat = a.stat
	}
	if f.unit == noUnit {
		f.unit = a.unit
	}
}

// before goes back from a number over the words that join it with a name. With
// a unit behind the number, looser joints hold.
func before(ts []token, ab []about, i int, withUnit bool) (found, bool) {
	const reach = 10
	var f found
	strong := i > 0 && ab[i-1].topic != noTopic
	for j := i - 1; j >= 0 && j >= i-reach; j-- {
		if ab[j].topic != noTopic {
			f.add(ab[j])
			continue
		}
		yes, loose := joins(ts[j])
		if ts[j].kind == numberToken || ts[j].kind == nameToken {
			yes, loose = true, true
		}
		if !yes || loose && !withUnit && f.topic == noTopic {
			break
		}
		if factor, ok := timeWord(ts[j]); ok && f.factor == 0 {
			f.factor = factor
		}
		strong = strong || !loose
	}
	return f, f.topic != noTopic && (strong || withUnit)
}

// after goes on from a unit to the name of what took the time: "200 ms to the
// first token".
func after(ts []token, ab []about, end int) (found, bool) {
	const reach = 6
	var f found
	for j := end; j < len(ts) && j < end+reach; j++ {
		if ab[j].topic != noTopic {
			f.add(ab[j])
			continue
		}
		if f.topic != noTopic || !ts[j].is("of", "the", "a", "an", "to", "until", "till", "before", "for", "in", "as", "its", "at", "(", "-", "mean", "average", "avg", "max", "maximum", "on", "per", "get", "wait") {
			break
		}
	}
	return f, f.topic != noTopic
}

// isOffered reports whether a request rate is one that was asked for.
func isOffered(ts []token, i, end int) bool {
	const back, on = 7, 4
	for j := max(0, i-back); j < min(len(ts), end+on); j++ {
		if j < i && offers(ts[j]) || ts[j].is("offered", "arrival", "arrivals", "due", "planned", "asked") {
			return true
		}
	}
	return false
}

// isSuccess reports whether a share says how many requests succeeded.
func isSuccess(ts []token, ab []about, i, end int, u unit) bool {
	switch {
	case u == percent && succeeds(ts, ab, end):
		return true
	case u == percent:
	case u != noUnit || ts[i].kind == refToken || len(ts[i].num.readings) == 0 || ts[i].num.readings[0].x > 1:
		return false
	}
	a, ok := before(ts, ab, i, false)
	return ok && a.topic == success && (end == len(ts) || closes(ts[end]))
}

// succeeds reports whether the words behind a share are of success: "of all
// requests sent succeeded".
func succeeds(ts []token, ab []about, end int) bool {
	const reach = 9
	for j := end; j < min(len(ts), end+reach); j++ {
		t := ts[j]
		if ab[j].topic == success {
			return true
		}
		if t.is("completed", "finished") && ts[j-1].is("requests", "queries", "calls", "%", "were", "percent", "successfully") {
			return true
		}
		if t.kind != numberToken && !t.is("of", "the", "all", "our", "its", "their", "sent", "submitted", "requests", "request", "queries", "calls", "them", "these", "those",
			"were", "was", "are", "is", "had", "have", "(", "-", "a", "returned", "ended", "in", "as", "with", "came", "back", "runs") {
			return false
		}
	}
	return false
}

// compares reports whether a share or a multiple says how much better or worse
// a performance is.
func compares(ts []token, ab []about, i, end int, u unit) bool {
	const near, far = 4, 9
	for j := end; j < min(len(ts), end+near); j++ {
		switch {
		case faster(ts[j]):
			return true
		case u == times && ts[j].is("throughput", "rate", "speed", "pace", "latency", "performance", "goodput", "ttft", "tpot", "tokens"):
			return true
		}
	}
	words := ts[max(0, i-far):i]
	behind := ts[end:min(len(ts), end+far)]
	turn, thing := false, false
	for j, t := range append(append([]token{}, words...), behind...) {
		at := j + max(0, i-far)
		if j >= len(words) {
			at = end + j - len(words)
		}
		turn = turn || turns(t) && (at+1 >= len(ts) || !ts[at+1].is("than"))
		thing = thing || ab[at].topic == latency || ab[at].topic == throughput || ab[at].topic == statistic && !ts[at].is("percentile", "median") ||
			t.is("performance", "speed", "speedup")
		thing = thing || faster(t) && j < len(words)
	}
	if turn && thing {
		return true
	}
	// 2.04× by itself is a ratio of something.
	return u == times && ts[end-1].glued && !ts[end-1].is("times") && ts[i].num.decimals && (end == len(ts) || closes(ts[end]))
}

// faster reports whether a word compares speeds by itself.
func faster(t token) bool {
	return t.is("faster", "slower", "quicker", "speedup", "speedups", "fast", "quick", "slow", "outperforms", "outperformed", "outperform", "speed")
}

// turns reports whether a word says that something goes up or down.
func turns(t token) bool {
	switch t.text {
	case "higher", "lower", "more", "less", "better", "worse", "greater", "fewer", "increase", "increases", "increased", "decrease", "decreases", "decreased", "improvement", "improvements",
		"improve", "improves", "improved", "improving", "reduction", "reduce", "reduces", "reduced", "reducing", "gain", "gains", "gained", "regression", "regressed", "regresses", "drop", "drops", "dropped",
		"cut", "cuts", "boost", "boosts", "boosted", "rise", "rises", "rose", "fall", "falls", "fell", "grew", "grow", "grows", "up", "down", "doubled", "outperforms", "beats", "beat", "win", "wins", "faster", "slower",
		"speeds", "slows", "slowed", "degrades", "degraded", "degradation":
		return true
	}
	return false
}
