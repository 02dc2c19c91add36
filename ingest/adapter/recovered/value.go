package recovered

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/limits"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
)

// numberPattern is a number as people write it: digits, with commas between
// each three or without, and a decimal point. With commas it does not begin with
// a zero: 0,412 has a decimal comma, and as 412 it would be a thousand times too
// much.
const numberPattern = `^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,18})(?:\.[0-9]{1,18})?$`

// plainNumber takes the separators out of a number, if it is one.
func plainNumber(s string) (string, bool) {
	if !regexp.MustCompile(numberPattern).MatchString(s) {
		return "", false
	}
	return strings.ReplaceAll(s, ",", ""), true
}

// noNumber says why a text is not read as a number.
func noNumber(s string) string {
	msg := fmt.Sprintf("%q is no number", tomlfile.Printable(s))
	if strings.Contains(s, ",") {
		msg += ": a comma is only read between groups of three digits, the first of which does not begin with 0"
	}
	return msg
}

// unit is a way to write the unit of a metric. A base unit is the number with
// ten to the exponent, times factor.
type unit struct {
	name     string
	quantity measure.Quantity
	exponent int
	factor   float64
}

// units lists the units that a figure may be given in.
func units() []unit {
	out := []unit{
		{"s", measure.Time, 0, 1}, {"ms", measure.Time, -3, 1}, {"µs", measure.Time, -6, 1}, {"us", measure.Time, -6, 1},
		{"ns", measure.Time, -9, 1}, {"min", measure.Time, 0, 60}, {"h", measure.Time, 0, 3600},
		{"input + output tokens/s", measure.TotalTokenRate, 0, 1}, {"total tokens/s", measure.TotalTokenRate, 0, 1},
		{"output tokens/s", measure.OutputTokenRate, 0, 1}, {"requests/s", measure.RequestRate, 0, 1}, {"good requests/s", measure.GoodRate, 0, 1},
	}
	for _, q := range []measure.Quantity{measure.OutputTokenRate, measure.TotalTokenRate} {
		out = append(out, unit{"tokens/s", q, 0, 1})
	}
	return append(out, unit{"requests/s", measure.GoodRate, 0, 1})
}

// values reads the figures and puts them in the registry's order.
func (n *node) values(r evidence.Record) []evidence.Value {
	var out []evidence.Value
	seen := map[measure.MetricID]bool{}
	for _, t := range n.tables("value") {
		v, ok := t.value(r)
		t.Done()
		if !ok {
			continue
		}
		if seen[v.Metric] {
			t.Fault("metric", fmt.Sprintf("%s stands twice in this record", v.Metric), "two runs are two records")
			continue
		}
		seen[v.Metric] = true
		out = append(out, v)
	}
	evidence.SortValues(out)
	return out
}

func (n *node) value(r evidence.Record) (evidence.Value, bool) {
	m, ok := n.metric()
	amount, original := n.amount(m, ok)
	v := evidence.UnstatedValue(m.ID, amount, "", n.missing)
	v.Original, v.Cache = &original, r.State.Cache
	v.Window = r.State.Window
	v.Numerator, v.Denominator = known(n, "numerator", n.term("numerator")), known(n, "denominator", n.term("denominator"))
	v.Population = known(n, "population", n.population)
	if m.Quantity != measure.Time && !n.Has("denominator") {
		v.Denominator = overWindow(r.State.Window)
	}
	v.Interval = evidence.NotStated[evidence.Interval]("the source gives none")
	n.definition(&v, m, original)
	return v, ok
}

// overWindow is the denominator of a rate over the record's stated time.
func overWindow(w evidence.Known[evidence.Window]) evidence.Known[evidence.Term] {
	x, ok := w.Get()
	if !ok {
		return evidence.NotStated[evidence.Term](w.Note())
	}
	return evidence.Stated(evidence.Term{Amount: x.Seconds, Unit: "s", What: string(x.Rule)}, w.Note())
}

// definition is what the source says of how the figure is defined, and what it
// leaves out.
func (n *node) definition(v *evidence.Value, m measure.Metric, o evidence.Original) {
	word := cmp.Or(o.Key, string(m.ID))
	leavesOut := n.Text("definition_lacks")
	if n.Has("definition") {
		v.Rule = n.Text("definition")
	} else {
		v.Rule = fmt.Sprintf("As the source has it, under the word “%s”; it does not define it.", word)
		if leavesOut == "" {
			leavesOut = "what is counted, from when to when, and over which requests"
		}
		n.Get("definition")
	}
	v.Limits = append(v.Limits, limits.DefinitionNotStated(leavesOut).At(string(m.ID))...)
}

// metric reads which figure this is. A latency needs its statistic.
func (n *node) metric() (measure.Metric, bool) {
	id := measure.MetricID(n.NeedText("metric", "a key of the metric registry, as output_token_rate or ttft_p50"))
	word := n.Text("statistic")
	if id == "" {
		return measure.Metric{}, false
	}
	m, ok := measure.Lookup(id)
	if !ok {
		n.Fault("metric", fmt.Sprintf("%q is not in the metric registry", tomlfile.Printable(string(id))), "one of "+metricNames())
		return measure.Metric{}, false
	}
	isLatency := m.Quantity == measure.Time
	stats := map[string]measure.Stat{"mean": measure.Mean, "median": measure.P50, "p50": measure.P50, "p90": measure.P90, "p95": measure.P95, "p99": measure.P99, "max": measure.StatMax}
	s, isStat := stats[word]
	switch {
	case word != "" && !isStat:
		n.Fault("statistic", fmt.Sprintf("%q is no statistic", tomlfile.Printable(word)), "mean, median, p90, p95, p99 or max")
	case word != "" && (!isLatency || m.Stat != measure.NoStat):
		n.Fault("statistic", fmt.Sprintf("%s has none, or has it in its name", id), "")
	case word == "" && isLatency && m.Stat == measure.NoStat:
		n.Fault("metric", fmt.Sprintf("%s needs its statistic", id), `statistic = "mean" or "median"; where the source does not say which, keep its words in a [[fact]]`)
	case word == "":
		return m, true
	default:
		return measure.Lookup(measure.ID(id, s))
	}
	return measure.Metric{}, false
}

func metricNames() string {
	var names []string
	for _, m := range measure.Metrics() {
		if m.Stat == measure.NoStat {
			names = append(names, string(m.ID))
		}
	}
	return strings.Join(names, ", ")
}

// amount reads number and unit, or what was said. The unit is converted here,
// once; number, unit and word are kept as they were.
func (n *node) amount(m measure.Metric, known bool) (evidence.Amount, evidence.Original) {
	said := n.Text("said")
	v, hasNumber := n.Get("number")
	o := evidence.Original{Unit: n.Text("unit"), Key: n.Text("key")}
	number, isText := v.(string)
	switch {
	case hasNumber == n.Has("said"):
		n.Fault("", "needs either number or said", `number = "3.719" with its unit, or said = "roughly 16 ms"`)
		return evidence.Amount{}, o
	case !hasNumber:
		o.Number = said
		return evidence.Amount{Kind: evidence.Quoted, Text: said}, o
	case !isText:
		n.Fault("number", "must stand in quotes, digit for digit as the source has it, is "+tomlfile.KindOf(v), "")
		return evidence.Amount{}, o
	}
	o.Number = number
	if !known {
		return evidence.Amount{}, o
	}
	x, msg, hint := inBaseUnit(number, o.Unit, m)
	if msg != "" {
		n.Fault("number", msg, hint)
	}
	return evidence.Amount{Kind: evidence.Exact, X: x}, o
}

// inBaseUnit converts a written number. Powers of ten are part of the decimal
// that is parsed, so that 1.73 ms and 0.00173 s are the same float.
func inBaseUnit(number, name string, m measure.Metric) (x float64, msg, hint string) {
	plain, ok := plainNumber(number)
	if !ok {
		return 0, noNumber(number), "digits with a decimal point, and commas between each three or none; words go into said"
	}
	var fitting []string
	for _, u := range units() {
		if u.quantity != m.Quantity {
			continue
		}
		fitting = append(fitting, u.name)
		if u.name != name {
			continue
		}
		x, err := strconv.ParseFloat(plain+"e"+strconv.Itoa(u.exponent), 64)
		if err != nil {
			return 0, fmt.Sprintf("%q is out of range", number), ""
		}
		return x * u.factor, "", ""
	}
	if name == "" {
		return 0, "has no unit", "unit = one of " + strings.Join(fitting, ", ") + "; a number whose unit is lost goes into said"
	}
	return 0, fmt.Sprintf("the unit %q is none of %s", tomlfile.Printable(name), m.ID), "one of " + strings.Join(fitting, ", ")
}

// term reads { amount, unit, what }.
func (n *node) term(key string) func(any) (evidence.Term, string) {
	return func(v any) (evidence.Term, string) {
		m, ok := v.(map[string]any)
		if !ok {
			return evidence.Term{}, "must be a table { amount, unit, what }, is " + tomlfile.KindOf(v)
		}
		c := n.child(m, key)
		a, has := c.Get("amount")
		x, msg := readNumber(a)
		if !has {
			msg = "amount is required; where it is not known, the " + key + " is { missing = … }"
		}
		t := evidence.Term{Amount: x, Unit: c.NeedText("unit", "as s, requests, output tokens"), What: c.NeedText("what", "in words")}
		c.Done()
		return t, msg
	}
}

// population reads { rule, n }.
func (n *node) population(v any) (evidence.Population, string) {
	m, ok := v.(map[string]any)
	if !ok {
		return evidence.Population{}, "must be a table { rule, n }, is " + tomlfile.KindOf(v)
	}
	c := n.child(m, "population")
	p := evidence.Population{Rule: c.NeedText("rule", "which requests, in words")}
	a, has := c.Get("n")
	msg := "n is required: how many requests; where it is not known, the population is { missing = … }"
	if has {
		p.N, msg = tomlfile.ReadCount(a)
	}
	c.Done()
	return p, msg
}
