package pack

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// difference is one way in which a record is not at the conditions.
type difference struct {
	load bool // it is the load: the point still belongs on the option's curve
	says string
}

// isMeasured reports whether a record is a measurement in the sense of the table;
// else it is a claim. Somebody else's is one if it was computed from rows: then
// it has bounds.
func isMeasured(r *evidence.Record) bool {
	switch r.Class {
	case evidence.OwnRun, evidence.Rerun, evidence.Simulated:
		return true
	case evidence.Independent, evidence.RawArchive:
		return slices.ContainsFunc(r.Values, func(v evidence.Value) bool { return v.Bounds != nil })
	case evidence.ReportBacked, evidence.DerivedClass, evidence.VendorStated, evidence.Imported:
	}
	return false
}

// matcher holds records against the conditions of one option.
type matcher struct {
	c     Conditions
	o     Option
	found []difference
}

func (m *matcher) differs(format string, args ...any) {
	m.found = append(m.found, difference{says: fmt.Sprintf(format, args...)})
}

func (m *matcher) loadDiffers(format string, args ...any) {
	m.found = append(m.found, difference{load: true, says: fmt.Sprintf(format, args...)})
}

// differences lists what of a record is not as the committee asks, the load last.
func differences(c Conditions, o Option, r *evidence.Record) []difference {
	m := &matcher{c: c, o: o}
	m.subject(r)
	m.workload(r)
	m.state(r)
	m.load(r)
	return m.found
}

func words(ds []difference) []string {
	out := make([]string, len(ds))
	for i, d := range ds {
		out[i] = d.says
	}
	return out
}

// onlyLoad reports whether nothing but the load differs.
func onlyLoad(ds []difference) bool {
	return !slices.ContainsFunc(ds, func(d difference) bool { return !d.load })
}

func (m *matcher) subject(r *evidence.Record) {
	if r.Void {
		m.differs("void: %s", r.VoidWhy)
	}
	if words, ok := r.State.Complete.Get(); ok && strings.HasPrefix(words, "interrupted") {
		m.differs("run %s", words)
	}
	if r.Subject.Profile != m.o.Profile {
		m.differs("profile %s, asked %s", orUnnamed(r.Subject.Profile), m.o.Profile)
	}
	if len(m.c.Precision) > 0 {
		got, ok := r.Subject.Precision.Get()
		m.text("precision", got, ok, strings.Join(m.c.Precision, " or "), slices.Contains(m.c.Precision, got))
	}
	if m.c.Region != "" {
		got, ok := fact(r, "region")
		m.text("region", got, ok, m.c.Region, got == m.c.Region)
	}
	m.date(r)
}

func orUnnamed(s string) string {
	if s == "" {
		return "not named"
	}
	return s
}

// text notes a condition that is met, differs or is not stated.
func (m *matcher) text(name, got string, stated bool, asked string, met bool) {
	switch {
	case !stated:
		m.differs("%s not stated, asked %s", name, asked)
	case !met:
		m.differs("%s %s, asked %s", name, got, asked)
	}
}

func fact(r *evidence.Record, key string) (string, bool) {
	for _, f := range r.Facts {
		if f.Key == key {
			return f.Value.Get()
		}
	}
	return "", false
}

func (m *matcher) date(r *evidence.Record) {
	if m.c.From == "" && m.c.To == "" {
		return
	}
	asked := "from " + m.c.From + " to " + m.c.To
	switch {
	case m.c.From == "":
		asked = "until " + m.c.To
	case m.c.To == "":
		asked = "from " + m.c.From
	}
	got, ok := r.Subject.Started.Get()
	on := got[:min(len(got), len("2006-01-02"))]
	m.text("date", on, ok && isDay(on), asked, (m.c.From == "" || on >= m.c.From) && (m.c.To == "" || on <= m.c.To))
}

func (m *matcher) workload(r *evidence.Record) {
	if m.c.WorkloadHash != "" {
		got, ok := fact(r, "workload_hash")
		m.text("workload", got, ok, m.c.Mix+" ("+m.c.WorkloadHash+")", got == m.c.WorkloadHash)
	}
	m.length("input length", m.c.InputTokens, r.Workload.InputTokensAsked, r.Workload.InputTokens)
	m.length("output length", m.c.OutputTokens, r.Workload.OutputTokensAsked, r.Workload.OutputTokens)
}

// length holds a length against what the run's plan asked for and against the
// middle of what was really there: both must be right where they are known, and
// one of them must be known.
func (m *matcher) length(name string, want int64, asked evidence.Known[int64], actual evidence.Known[evidence.Spread]) {
	if want == 0 {
		return
	}
	near := func(got int64) bool { return math.Abs(float64(got-want)) <= m.c.LengthTolerance*float64(want) }
	planned, hasPlanned := asked.Get()
	spread, hasActual := actual.Get()
	switch {
	case !hasPlanned && !hasActual:
		m.differs("%s not stated, asked %s", name, measure.FormatCount(want))
	case hasPlanned && !near(planned):
		m.differs("%s %s, asked %s", name, measure.FormatCount(planned), measure.FormatCount(want))
	case hasActual && !near(spread.Median):
		m.differs("%s %s in the middle, asked %s", name, measure.FormatCount(spread.Median), measure.FormatCount(want))
	}
}

func (m *matcher) state(r *evidence.Record) {
	c := r.State.Cache
	got := c.Kind.String()
	if c.Kind == measure.CacheShared {
		got += " of " + measure.FormatShare(c.Share)
	}
	asked := m.c.Cache.String()
	if m.c.Cache == measure.CacheShared {
		asked += " of " + measure.FormatShare(m.c.CacheShare)
	}
	met := c.Kind == m.c.Cache && (c.Kind != measure.CacheShared || math.Abs(c.Share-m.c.CacheShare) < 1e-9)
	m.text("cache", got, c.Declared && c.Kind != measure.CacheUnstated, asked, met)
	for _, l := range r.Limits {
		if l.Code == evidence.CacheContradicted && met {
			m.differs("cache declared %s, but hits were measured", asked)
		}
	}
}

func (m *matcher) load(r *evidence.Record) {
	if m.c.Open() {
		m.rate(r)
	} else {
		m.concurrency(r)
	}
	for _, l := range r.Limits {
		if l.Code == evidence.OfferedRateNotReached {
			m.loadDiffers("the offered rate was not reached")
		}
		if l.Code == evidence.ConcurrencyNotReached {
			m.loadDiffers("the concurrency was not reached")
		}
	}
}

func (m *matcher) concurrency(r *evidence.Record) {
	want := measure.FormatCount(m.c.Concurrency)
	got, ok := r.Load.Concurrency.Get()
	switch open, isOpen := r.Load.Rate.Get(); {
	case ok && got != m.c.Concurrency:
		m.loadDiffers("concurrency %s, asked %s", measure.FormatCount(got), want)
	case !ok && isOpen:
		m.differs("open loop of %s, asked concurrency %s", open, want)
	case !ok:
		m.differs("concurrency not stated, asked %s", want)
	}
}

func (m *matcher) rate(r *evidence.Record) {
	asked := fmt.Sprintf("%s requests/s", number(m.c.RatePerSec))
	if n, closed := r.Load.Concurrency.Get(); closed {
		m.differs("closed loop of %s, asked %s", measure.FormatCount(n), asked)
		return
	}
	got, ok := r.Load.RatePerSec.Get()
	arrivals, stated := r.Load.Arrivals.Get()
	m.text("arrivals", arrivals, stated, m.c.Arrivals, arrivals == m.c.Arrivals)
	switch {
	case !ok:
		m.differs("arrival rate not stated, asked %s", asked)
	case math.Abs(got-m.c.RatePerSec) > 1e-9*m.c.RatePerSec:
		m.loadDiffers("%s requests/s, asked %s", number(got), asked)
	}
}

// objectives says why a record's goodput is not that of the committee's
// objectives; empty where it is, or where the committee has none.
func objectives(c Conditions, r *evidence.Record) string {
	for _, o := range []struct {
		name string
		want float64
		got  evidence.Known[float64]
	}{{"first-token", c.TTFTObjective, r.State.TTFTLimit}, {"end-to-end", c.E2EObjective, r.State.E2ELimit}} {
		if o.want == 0 {
			continue
		}
		got, ok := o.got.Get()
		switch {
		case !ok:
			return o.name + " objective not stated, asked " + measure.FormatSeconds(o.want)
		case math.Abs(got-o.want) > 1e-12:
			return o.name + " objective " + measure.FormatSeconds(got) + ", asked " + measure.FormatSeconds(o.want)
		}
	}
	return ""
}
