package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Headline is a performance figure with everything that finishes its sentence.
// The parts of the HTML contract are all here: as spans of Sentence
// (numerator, denominator, window, population) or as fields of their own.
type Headline struct {
	ID     string // fragment
	Record string // slug
	Metric measure.MetricID
	Label  string
	How    string // the formula, short
	Lead   bool   // the first figure of the page
	Minor  bool   // in the folded list of all other figures

	Figure
	Under    []string // what stands below the number: "unbounded above", "771 of 1,000 needed"
	Sentence Spans
	Said     string // the same as plain text, each gap with its sign
	Rule     string // definition and rule, a sentence
	Cache    Text
	Outcomes Outcomes
	Sources  []Link
	Marks    []Mark
	// Simulated is set when the answers came from the simulated endpoint.
	Simulated bool
	Class     evidence.Class
	Original  string // an imported number as its file has it
	Quote     Quote
}

// Link is a link to another page or place.
type Link struct {
	Text string
	Href string
}

func (s *Set) headline(r *evidence.Record, v evidence.Value, n *notes, o Outcomes) Headline {
	scale := scalerOf(v)
	m := s.metric(v.Metric)
	h := Headline{
		ID: Anchor(v.Metric), Record: r.Slug, Metric: v.Metric, Label: m.Label, How: s.metric(m.Base).Formula,
		Figure: s.figure(r, v, scale, ""), Under: under(r, v, scale), Rule: v.Rule,
		Cache: cacheText(v.Cache), Outcomes: o, Marks: n.marks(v.Limits),
		Simulated: r.Class == evidence.Simulated, Class: r.Class,
	}
	if m.Quantity != measure.Time {
		h.How = m.Formula
	}
	if imported(v) {
		h.How = howImported(v)
	} else if m.ID == "goodput" {
		if limits, ok := r.State.Objectives.Get(); ok {
			h.How = limits
		}
	}
	h.Sentence = sentence(v, m, scale)
	h.Said = h.Sentence.marked()
	h.Sources = sourceLinks(r)
	if v.Original != nil {
		h.Original = inTheSource(*v.Original)
	}
	h.Quote = s.quote(r, v, &h)
	return h
}

// sourceLinks name the sources of a record, linked to its register. Those of a
// summary over runs, one log a run, are named together.
func sourceLinks(r *evidence.Record) []Link {
	if r.Kind == evidence.RepeatsRecord && len(r.Members) > 0 {
		return []Link{{Text: "the logs of " + measure.Counted(int64(len(r.Members)), "run"), Href: "#sources"}}
	}
	links := make([]Link, 0, len(r.Sources))
	for _, src := range r.Sources {
		name := src.Name
		if run, ok := r.Subject.SourceRunID.Get(); ok && name == "log of run "+run {
			name = "log of this run" // the page's own; its ID stands among the sources
		}
		link := Link{Text: name, Href: "#sources"}
		if !slices.Contains(links, link) { // log and manifest are two files of one source
			links = append(links, link)
		}
	}
	return links
}

// under is what stands in small type below the number.
func under(r *evidence.Record, v evidence.Value, scale measure.Scaler) []string {
	var lines []string
	switch v.Amount.Kind {
	case evidence.AtLeast:
		lines = append(lines, upperEnd(v, scale))
	case evidence.TooFew:
		lines = append(lines, measure.FormatCount(v.Amount.N)+" of "+measure.FormatCount(v.Amount.Need)+" needed")
	case evidence.Undefined:
		lines = append(lines, v.Amount.Reason)
	case evidence.Quoted:
		lines = append(lines, "as the source prints it")
	case evidence.Exact, evidence.Unbounded:
	}
	if c := v.Completed; c != nil {
		text, number := amountText(c.Amount, scale)
		if number {
			text += " " + scale.Unit()
		}
		lines = append(lines, "of the "+measure.FormatCount(c.N)+" completed alone: "+text)
	}
	if c := v.Claim; c != nil && c.Amount.Kind == evidence.Quoted {
		lines = append(lines, "recomputed here; the source prints “"+c.Amount.Text+"” under its own definition")
	}
	if r.Void {
		lines = append(lines, "not a valid measurement")
	}
	return lines
}

// upperEnd is what is known of the other end of an amount that is "at least".
func upperEnd(v evidence.Value, scale measure.Scaler) string {
	if v.Bounds != nil && v.Bounds.Upper.Kind == evidence.Exact {
		return "at most " + scale.Text(v.Bounds.Upper.X) + " " + scale.Unit()
	}
	if m, ok := measure.Lookup(v.Metric); ok && m.Quantity != measure.Time {
		return "more, by what was not counted"
	}
	return "unbounded above"
}

// sentence says what was divided by what, over which time and which requests.
func sentence(v evidence.Value, m measure.Metric, scale measure.Scaler) Spans {
	s := made(v, m)
	bounds(&s, v, scale)
	estimate(&s, v, scale)
	interval(&s, v, scale)
	return s
}

// made says what a figure was made of.
func made(v evidence.Value, m measure.Metric) Spans {
	var s Spans
	t, ok := v.Numerator.Get()
	den, _ := v.Denominator.Get()
	switch {
	case den.Unit == "runs":
		runsSentence(&s, v, t)
	case ok && t.Unit == "rank":
		rankSentence(&s, v, t)
	case !ok && imported(v):
		importedSentence(&s, v, m)
	default:
		ratioSentence(&s, v)
	}
	return s
}

// runsSentence is that of a median over runs: n is the number of runs, and their
// own figures are the population.
func runsSentence(s *Spans, v evidence.Value, middle evidence.Term) {
	num := show(v.Numerator, termWords)
	num.Text = "mean of the two middle ones"
	if middle.Unit == "rank" {
		num.Text = "middle one"
	}
	n := "runs"
	if p, ok := v.Population.Get(); ok {
		n = measure.Counted(p.N, "run")
	}
	s.say("The ")
	s.part("numerator", num)
	s.say(" of n = ")
	s.part("denominator", Text{State: v.Denominator.State(), Text: n})
	s.say("; population: ")
	s.part("population", show(v.Population, populationWords))
	s.say("; window of each run: ")
	s.part("window", startGap(show(v.Window, func(w evidence.Window) string {
		return windowRule(w.Rule) + ", " + seconds(w.Seconds) + " s in the middle of them"
	}), ""))
	s.say(".")
}

func rankSentence(s *Spans, v evidence.Value, rank evidence.Term) {
	num := show(v.Numerator, termWords)
	num.Text = ordinal(int64(rank.Amount)) + " smallest"
	s.say("The ")
	s.part("numerator", num)
	s.say(" of ")
	den, hasDen := v.Denominator.Get()
	pop, hasPop := v.Population.Get()
	if hasDen && hasPop && int64(den.Amount) == pop.N {
		s.part("denominator", Text{State: v.Denominator.State(), Text: measure.FormatCount(pop.N)})
		s.say(" ")
		s.part("population", Text{State: v.Population.State(), Text: strings.TrimPrefix(populationWords(pop), measure.FormatCount(pop.N)+" ")})
	} else {
		s.part("denominator", startGap(show(v.Denominator, termWords), "a number that is "))
		s.say("; population: ")
		s.part("population", show(v.Population, populationWords))
	}
	s.say(", within the ")
	s.part("window", startGap(show(v.Window, func(w evidence.Window) string {
		return string(w.Rule) + " of " + seconds(w.Seconds) + " s"
	}), "window, "))
	s.say(".")
}

func ratioSentence(s *Spans, v evidence.Value) {
	num, den := show(v.Numerator, termWords), show(v.Denominator, termWords)
	s.part("numerator", startGap(num, "numerator "))
	derivedBy(s, v)
	if num.Missing() && den.Missing() {
		s.say("; ")
	} else {
		s.say(", divided by ")
	}
	s.part("denominator", startGap(den, "denominator "))
	w, known := v.Window.Get()
	d, hasDen := v.Denominator.Get()
	if known && hasDen && d.Unit == "s" && math.Abs(d.Amount-w.Seconds) < 1e-9 {
		s.say(", the ")
		s.part("window", show(v.Window, func(w evidence.Window) string { return windowRule(w.Rule) }))
	} else {
		s.say("; window")
		if hasDen && d.Unit == "runs" {
			s.say(" of a run, in the middle of them")
		}
		s.say(": ")
		s.part("window", windowText(v.Window))
	}
	s.say("; population: ")
	s.part("population", show(v.Population, populationWords))
	s.say(".")
}

func startGap(t Text, lead string) Text {
	if t.Missing() {
		t.Text = lead + t.Text
	}
	return t
}

// bounds says where a quantile over all sent requests can lie.
func bounds(s *Spans, v evidence.Value, scale measure.Scaler) {
	if v.Bounds == nil || v.Amount.Kind == evidence.AtLeast || v.Amount.Kind == evidence.Unbounded || v.Completed != nil {
		return // the amount itself is over all
	}
	b := *v.Bounds
	lower, hasLower := amountText(b.Lower, scale)
	upper, hasUpper := amountText(b.Upper, scale)
	lower = strings.TrimPrefix(lower, "≥ ")
	of := " Over all " + measure.FormatCount(b.N) + " that finished or were still open: "
	switch {
	case hasLower && hasUpper && lower == upper:
		// Nothing was unfinished: the amount says it all, or may not be said.
	case hasLower && hasUpper:
		s.say(of + lower + " to " + upper + " " + scale.Unit() + ".")
	case hasLower:
		s.say(of)
		s.hot("at least " + lower + " " + scale.Unit() + ", unbounded above")
		s.say(".")
	}
}

// estimate says what the quantile is under the assumption of Kaplan and Meier, and
// the assumption with it.
func estimate(s *Spans, v evidence.Value, scale measure.Scaler) {
	if e := v.Estimate; e != nil {
		s.say(" Estimated (Kaplan-Meier): " + scale.Text(e.X) + " " + scale.Unit() + ", if being cut off tells nothing about how long a request would have taken.")
	}
}

func interval(s *Spans, v evidence.Value, scale measure.Scaler) {
	if iv, ok := v.Interval.Get(); ok {
		low, high := scale.Text(iv.Low), scale.Text(iv.High)
		s.say(" " + upperFirst(iv.Kind) + ": " + low + " to " + high + " " + scale.Unit() + ", n = " + measure.FormatCount(iv.N) + ".")
		return
	}
	if note := v.Interval.Note(); note != "" {
		s.say(" No interval (" + strings.TrimSuffix(note, ".") + ").")
	}
}

// termWords is a numerator or denominator in words.
func termWords(t evidence.Term) string {
	amount := number(t.Amount)
	if t.Unit == "s" {
		amount = seconds(t.Amount)
	}
	if rest, ok := strings.CutPrefix(t.What, t.Unit+", "); ok && t.Unit != "" {
		return amount + " " + t.Unit + ", " + rest // words that name the unit themselves
	}
	if t.Amount == 1 && strings.HasSuffix(t.Unit, "s") && len(t.Unit) > 1 && strings.HasPrefix(t.What, t.Unit) {
		return amount + " " + strings.TrimSuffix(t.Unit, "s") + t.What[len(t.Unit):]
	}
	if strings.HasPrefix(t.What, t.Unit+" ") || t.What == t.Unit {
		return amount + " " + t.What
	}
	words := strings.TrimSpace(amount + " " + t.Unit)
	if t.What != "" && !isWindowRule(t.What) {
		words += " (" + t.What + ")"
	}
	return words
}

// number writes a whole number with separators, any other as short as it can
// be with at most nine digits.
func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return measure.FormatCount(int64(x))
	}
	if short := strconv.FormatFloat(x, 'g', 9, 64); len(short) < len(shortest(x)) {
		return short
	}
	return shortest(x)
}

// seconds writes a duration so that a reader can divide by it and gets what
// stands beside it: to the millisecond, and where that is fewer than six
// digits as far as those go. Zeros beyond the millisecond are left out.
func seconds(x float64) string {
	if x < 0 {
		return "-" + seconds(-x) // the whole part of -0.25 has no sign to keep
	}
	decimals := 3
	for p := 100.0; x < p && decimals < 9; p /= 10 {
		decimals++
	}
	whole, fraction, ok := strings.Cut(strconv.FormatFloat(x, 'f', decimals, 64), ".")
	if !ok {
		return whole // no number
	}
	fraction = fraction[:3] + strings.TrimRight(fraction[3:], "0")
	text := whole + "." + fraction
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return text
	}
	return measure.FormatCount(n) + "." + fraction
}

func windowWords(w evidence.Window) string {
	return windowRule(w.Rule) + ", " + seconds(w.Seconds) + " s"
}

// windowRule names a window and says what its timer includes (M02).
func windowRule(rule measure.WindowRule) string {
	switch rule {
	case measure.ObservationWindow:
		return string(rule) + " (queueing and drain inside, warm-up outside)"
	case measure.SteadyWindow:
		return string(rule) + " (ramp-up, drain and warm-up outside)"
	case measure.SendingWindow:
		return string(rule) + " (queueing inside, drain and warm-up outside)"
	case measure.FirstSendToLastToken:
		return "time from first send to last token (queueing inside, warm-up outside)"
	case measure.StatedWindow:
		return "time as stated by the source"
	}
	return string(rule)
}

// populationWords names a population. Of what it leaves out it repeats only
// what the outcome line of the same block does not say already.
func populationWords(p evidence.Population) string {
	words := measure.FormatCount(p.N) + " " + p.Rule
	if strings.HasPrefix(p.Rule, measure.FormatCount(p.N)) {
		words = p.Rule
	}
	var out []string
	for _, x := range p.Excluded {
		if !isLedgerWord(x.Reason) && x.N > 0 {
			out = append(out, measure.FormatCount(x.N)+" "+x.Reason)
		}
	}
	if len(out) > 0 {
		words += "; left out: " + list(out)
	}
	return words
}

func isLedgerWord(reason string) bool {
	switch reason {
	case "failed", "rejected", "timed out", "cancelled", "unresolved", "never sent":
		return true
	}
	return false
}

// cacheText is the cache state: as declared, as measured, or a gap.
func cacheText(c evidence.Cache) Text {
	t := Text{State: evidence.StateStated}
	switch c.Kind {
	case measure.CacheShared:
		t.Text = "shared prefix of " + measure.FormatShare(c.Share)
	case measure.CacheCold, measure.CacheWarm:
		t.Text = c.Kind.String() + " cache"
	case measure.CacheDisabled:
		t.Text = "cache disabled"
	case measure.CacheUnstated:
		t.State, t.Text = evidence.StateNotStated, "cache state not stated"
	}
	if c.Declared {
		t.Text += ", declared"
	}
	m, ok := c.Measured.Get()
	switch {
	case ok && m.PromptTokens > 0:
		t.Text += "; " + measure.FormatCount(m.CachedTokens) + " of " + measure.FormatCount(m.PromptTokens) + " prompt tokens reported cached"
		if m.Requests < m.Of {
			t.Text += " (by " + measure.FormatCount(m.Requests) + " of " + measure.Counted(m.Of, "request") + ")"
		}
	case !ok:
		t.Text += "; cached tokens not reported"
	}
	return t
}

// isWindowRule reports whether words only repeat what the window says.
func isWindowRule(words string) bool {
	return slices.Contains(measure.WindowRules(), measure.WindowRule(words))
}
