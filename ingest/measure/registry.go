package measure

import (
	"fmt"
	"slices"
	"strings"
)

// Quantity is the dimension of a metric. It fixes the base unit.
type Quantity string

// The quantities.
const (
	Time            Quantity = "time"
	OutputTokenRate Quantity = "output tokens per second"
	TotalTokenRate  Quantity = "input + output tokens per second"
	RequestRate     Quantity = "requests per second"
	GoodRate        Quantity = "good requests per second"
)

// Stat is the statistic that a latency metric takes of its values.
type Stat string

// The statistics. A rate and a latency as such have none.
const (
	NoStat  Stat = ""
	Mean    Stat = "mean"
	P50     Stat = "p50"
	P90     Stat = "p90"
	P95     Stat = "p95"
	P99     Stat = "p99"
	StatMax Stat = "max"
)

// Stats lists the statistics of a latency in their order.
func Stats() []Stat { return []Stat{Mean, P50, P90, P95, P99, StatMax} }

// Q is the statistic's quantile; false for the mean and for none.
func (s Stat) Q() (Q, bool) {
	switch s {
	case P50:
		return Q50, true
	case P90:
		return Q90, true
	case P95:
		return Q95, true
	case P99:
		return Q99, true
	case StatMax:
		return Max, true
	case Mean, NoStat:
		return 0, false
	default:
		return 0, false
	}
}

// Better is the direction in which a metric is better.
type Better string

// The directions.
const (
	HigherIsBetter Better = "higher is better"
	LowerIsBetter  Better = "lower is better"
	NeitherBetter  Better = ""
)

// Metric is one entry of the registry.
type Metric struct {
	ID MetricID
	// Base is the latency without its statistic ("ttft"), or the ID of a rate.
	Base MetricID
	Stat Stat
	// Label is the full name, Short the name for a narrow column.
	Label, Short string
	Quantity     Quantity
	// Definition is a full sentence or two: start event, end event,
	// population and rule; for a rate numerator, window and population.
	Definition string
	Formula    string
	Better     Better
}

// Unit is the base unit, in which evidence holds the metric: "s",
// "output tokens/s", "requests/s".
func (m Metric) Unit() string { return m.Quantity.Unit() }

// Unit is the base unit of the dimension.
func (q Quantity) Unit() string {
	switch q {
	case Time:
		return "s"
	case OutputTokenRate:
		return "output tokens/s"
	case TotalTokenRate:
		return "input + output tokens/s"
	case RequestRate:
		return "requests/s"
	case GoodRate:
		return "good requests/s"
	default:
		return ""
	}
}

// Metrics is the registry in the order in which figures are listed: the rates,
// then each latency as such followed by its statistics.
func Metrics() []Metric {
	all := rateMetrics()
	for _, l := range latencies() {
		all = append(all, l.metric(NoStat))
		for _, s := range Stats() {
			all = append(all, l.metric(s))
		}
	}
	return all
}

// Lookup is the entry of an ID, and whether there is one.
func Lookup(id MetricID) (Metric, bool) {
	if base, s, ok := latencyOf(id); ok {
		return latencies()[slices.Index(Latencies(), base)].metric(s), true
	}
	for _, m := range rateMetrics() {
		if m.ID == id {
			return m, true
		}
	}
	return Metric{}, false
}

// Kind is the dimension of a metric and its statistic, and whether there is such
// a metric: what [Lookup] says of it without the words, for those who ask often.
func Kind(id MetricID) (Quantity, Stat, bool) {
	switch id {
	case "output_token_rate", "output_token_rate_steady":
		return OutputTokenRate, NoStat, true
	case "total_token_rate":
		return TotalTokenRate, NoStat, true
	case "request_rate", "sent_rate":
		return RequestRate, NoStat, true
	case "goodput":
		return GoodRate, NoStat, true
	}
	if _, s, ok := latencyOf(id); ok {
		return Time, s, true
	}
	return "", NoStat, false
}

// latencyOf finds the latency and the statistic of an ID.
func latencyOf(id MetricID) (MetricID, Stat, bool) {
	for _, base := range Latencies() {
		rest, ok := strings.CutPrefix(string(id), string(base))
		if !ok {
			continue
		}
		if rest == "" {
			return base, NoStat, true
		}
		if s := Stat(rest[1:]); rest[0] == '_' && slices.Contains(Stats(), s) {
			return base, s, true
		}
	}
	return "", NoStat, false
}

// Latencies are the IDs of the latencies as such, in their order.
func Latencies() []MetricID {
	return []MetricID{"ttft", "ttft_due", "ttfa", "tpot", "e2e", "e2e_due", "chunk_gap", "send_lag"}
}

// rates are the IDs of the rates, in their order.
func rates() []MetricID {
	return []MetricID{"output_token_rate", "output_token_rate_steady", "total_token_rate", "request_rate", "sent_rate", "goodput"}
}

// ID is the key of a latency's statistic.
func ID(base MetricID, s Stat) MetricID {
	if s == NoStat {
		return base
	}
	return base + "_" + MetricID(s)
}

// Place is where in [Metrics] an ID stands, from 0, and whether it does. It is
// worked out and not looked up in a table, because it is asked for each value of
// each record.
func Place(id MetricID) (int, bool) {
	if i := slices.Index(rates(), id); i >= 0 {
		return i, true
	}
	base, s, ok := latencyOf(id)
	if !ok {
		return 0, false
	}
	place := len(rates()) + slices.Index(Latencies(), base)*(1+len(Stats()))
	if s != NoStat {
		place += 1 + slices.Index(Stats(), s)
	}
	return place, true
}

// Compare orders IDs by their place; those that have none come first.
func Compare(a, b MetricID) int { return place(a) - place(b) }

func place(id MetricID) int {
	if i, ok := Place(id); ok {
		return i
	}
	return -1
}

// latency is a duration of one request, before any statistic.
type latency struct {
	id           MetricID
	label, short string
	from, to     string // the two events
	of           string // the population
	formula      string
	more         string // a further sentence, may be empty
}

func (l latency) metric(s Stat) Metric {
	m := Metric{ID: ID(l.id, s), Base: l.id, Stat: s, Label: l.label, Short: l.short,
		Quantity: Time, Formula: l.formula, Better: LowerIsBetter}
	span := fmt.Sprintf("from when %s until %s, of %s", l.from, l.to, l.of)
	q, isQuantile := s.Q()
	switch {
	case s == NoStat:
		m.Definition = fmt.Sprintf("%s: the time %s.", l.label, span)
	case s == Mean:
		m.Label += ", mean"
		m.Short += " mean"
		m.Formula = fmt.Sprintf("Σ(%s) ÷ n", l.formula)
		m.Definition = fmt.Sprintf("%s: the arithmetic mean of the time %s.", l.label, span)
	case isQuantile && q == Max:
		m.Label += ", maximum"
		m.Short += " max"
		m.Formula = fmt.Sprintf("max(%s)", l.formula)
		m.Definition = fmt.Sprintf("%s: the largest time %s.", l.label, span)
	case isQuantile:
		name := fmt.Sprintf("%dth percentile", q/10)
		if q == Q50 {
			name = "median"
		}
		m.Label += ", " + name
		m.Short += " " + q.String()
		m.Formula = fmt.Sprintf("⌈%.2f n⌉-th smallest of (%s)", q.Share(), l.formula)
		m.Definition = fmt.Sprintf("%s: the %s of the time %s; nearest rank, the ⌈%.2f n⌉-th smallest of n.", l.label, name, span, q.Share())
	}
	if l.more != "" {
		m.Definition += " " + l.more
	}
	return m
}

func latencies() [8]latency {
	const (
		sent = "the request was handed to the socket layer (its last send, where a dead reused connection made it be sent again)"
		due  = "the request was due by the plan, whether or not it was sent then,"
		tok  = "the first non-empty token of any kind (reasoning, answer or tool call) was read"
		last = "the last token was read"
		done = "completed requests of the measured phase"
	)
	return [...]latency{
		{id: "ttft", label: "Time to first token", short: "TTFT", from: sent, to: tok, of: done, formula: "first token − sent"},
		{id: "ttft_due", label: "Time to first token, from due", short: "TTFT from due", from: due, to: tok, of: done, formula: "first token − due"},
		{id: "ttfa", label: "Time to first answer token", short: "TTFA", from: sent,
			to: "the first non-empty token of the answer was read (reasoning is none)", of: done + " that have one", formula: "first answer token − sent"},
		{id: "tpot", label: "Time per output token", short: "TPOT", from: "the first token was read",
			to: "the last token was read, divided by the output tokens less one", of: done + " with at least two output tokens read at two times or more",
			formula: "(last token − first token) ÷ (output tokens − 1)", more: "One value a request; undefined, and counted, for fewer than two tokens."},
		{id: "e2e", label: "End-to-end latency", short: "E2E", from: sent, to: last, of: done, formula: "last token − sent"},
		{id: "e2e_due", label: "End-to-end latency, from due", short: "E2E from due", from: due, to: last, of: done, formula: "last token − due"},
		{id: "chunk_gap", label: "Gap between chunks", short: "Chunk gap", from: "one chunk of the stream with a token was read",
			to: "the next one was", of: "all such gaps of completed requests of the measured phase", formula: "chunk − chunk before it",
			more: "A chunk may hold several tokens: this is not a delay per token."},
		{id: "send_lag", label: "Send lag", short: "Send lag", from: "the request was due by the plan", to: "it was handed to the socket layer",
			of: "requests of the measured phase that were sent", formula: "sent − due", more: "Time that a request waited in the client."},
	}
}

func rateMetrics() []Metric {
	const observed = "divided by the observation window: from the start of the measured phase until every request had an outcome or the drain grace was over. Queueing and drain are inside it, warm-up is not."
	rate := func(id MetricID, label, short string, q Quantity, definition, formula string) Metric {
		return Metric{ID: id, Base: id, Label: label, Short: short, Quantity: q, Definition: definition, Formula: formula, Better: HigherIsBetter}
	}
	all := []Metric{
		rate("output_token_rate", "Output-token rate", "Output tokens/s", OutputTokenRate,
			"Output-token rate: output tokens of completed requests of the measured phase, as the endpoint's usage or a named tokenizer counts them, "+observed,
			"Σ output tokens of completed requests ÷ observation window"),
		rate("output_token_rate_steady", "Output-token rate, steady window", "Output tokens/s, steady", OutputTokenRate,
			"Output-token rate, steady window: output tokens of completed requests whose last token lies in the steady window, divided by the steady window: from the first moment at which the planned concurrency was reached until sending stopped. A request's tokens count whole, also those before the window; of requests that end after it none count, so with few requests for each that is open it reads low.",
			"Σ output tokens of requests whose last token is in the steady window ÷ steady window"),
		rate("total_token_rate", "Input-plus-output-token rate", "Input + output tokens/s", TotalTokenRate,
			"Input-plus-output-token rate: input and output tokens of completed requests of the measured phase, "+observed+" Not to be read as an output rate.",
			"Σ (input + output tokens) of completed requests ÷ observation window"),
		rate("request_rate", "Completed-request rate", "Requests/s", RequestRate,
			"Completed-request rate: completed requests of the measured phase, "+observed,
			"completed requests ÷ observation window"),
		rate("sent_rate", "Sent-request rate", "Sent/s", RequestRate,
			"Sent-request rate: requests of the measured phase that were sent, divided by the sending window: from the start of the measured phase until sending stopped. What the endpoint was really offered.",
			"sent requests ÷ sending window"),
		rate("goodput", "Goodput", "Goodput", GoodRate,
			"Goodput: completed requests of the measured phase that met both the time-to-first-token and the end-to-end objective fixed in the plan, counted from due in an open loop and from sent in a closed one, "+observed,
			"completed requests within both objectives ÷ observation window"),
	}
	all[4].Better = NeitherBetter
	return all
}
