package foreign

import (
	"fmt"
	"strings"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// OpenLoop is an arrival rate that was asked for, in requests per second. False:
// there is none, and nothing is said.
func (d *Draft) OpenLoop(key string, rate Node) bool {
	x, ok := rate.Float()
	if !ok || x <= 0 {
		return false
	}
	l, asked := &d.Record.Load, where(key)+": as asked, not as sent"
	l.Mode = evidence.Derived("open loop", "“"+key+"” is a number")
	l.Rate, l.RatePerSec = evidence.Stated(rate.Text+" requests per 1s", asked), evidence.Stated(x, asked)
	l.Concurrency = evidence.NotApplicable[int64]("an arrival rate was asked for")
	return true
}

// ClosedLoop is a number of requests that were kept outstanding. False: there is
// none, and nothing but that is said.
func (d *Draft) ClosedLoop(key string, n Node) bool {
	l := &d.Record.Load
	l.Concurrency = d.Count(key, n)
	if _, ok := l.Concurrency.Get(); !ok {
		return false
	}
	d.Outstanding("“" + key + "” is there: so many requests are kept outstanding")
	return true
}

// Outstanding says that a number of requests was kept outstanding, and how that
// is known: there is no rate then.
func (d *Draft) Outstanding(why string) {
	const closed = "a number of outstanding requests was asked for"
	l := &d.Record.Load
	l.Mode = evidence.Derived("closed loop", why)
	l.Rate, l.RatePerSec = evidence.NotApplicable[string](closed), evidence.NotApplicable[float64](closed)
	l.Arrivals = evidence.NotApplicable[string]("the next request is sent when one ends")
}

// RateAndCap is the load of the family of clients that take a rate, which may be
// infinite, and a cap on outstanding requests, which may be null. A cap on an
// arrival rate is kept as a fact: a load is closed or open.
func (d *Draft) RateAndCap(rateKey string, rate Node, capKey string, limit Node, arrivals evidence.Known[string]) {
	l := &d.Record.Load
	n, limited := limit.Int()
	none := "no rate limit: “" + rateKey + "” is infinite"
	switch {
	case d.OpenLoop(rateKey, rate):
		l.Arrivals = arrivals
		if limited {
			l.Concurrency = evidence.NotApplicable[int64](fmt.Sprintf("an arrival rate was asked for, with a cap of %d outstanding; what waits in the client for the cap is in no latency", n))
			d.Fact(capKey, limit)
		}
	case rate.IsInfinite() && limited:
		d.ClosedLoop(capKey, limit)
		l.Mode = evidence.Derived("closed loop", "“"+rateKey+"” is infinite and “"+capKey+"” is a number")
		l.Rate, l.RatePerSec = evidence.NotApplicable[string](none), evidence.NotApplicable[float64](none)
	case rate.IsInfinite():
		l.Rate, l.RatePerSec = evidence.NotApplicable[string](none), evidence.NotApplicable[float64](none)
		if limit.Kind == Null {
			atOnce := "“" + rateKey + "” is infinite and there is no cap: all requests at once"
			l.Mode, l.Arrivals = evidence.Derived("open loop", atOnce), evidence.Derived("all at once", atOnce)
			l.Concurrency = evidence.NotApplicable[int64]("there is no cap: “" + capKey + "” is null")
		}
	default:
		l.Concurrency, l.Rate = d.Count(capKey, limit), d.Text(rateKey, rate)
	}
}

// Heading is what a record's title has besides the model and the load.
type Heading struct {
	Also     string // behind the model; may be empty
	Cap      Node   // the most outstanding, also under a rate
	Requests evidence.Known[int64]
}

// LoadTitle names a record by what was run: "TOOL: model, 1.5/s asked, at most 25
// outstanding, 300 requests".
func (d *Draft) LoadTitle(h Heading) string {
	var parts []string
	if model, ok := d.Record.Subject.Model.Get(); ok {
		parts = append(parts, model)
	}
	if h.Also != "" {
		parts = append(parts, h.Also)
	}
	if rate, ok := d.Record.Load.RatePerSec.Get(); ok {
		parts = append(parts, fmt.Sprintf("%g/s asked", rate))
	}
	if n, ok := h.Cap.Int(); ok {
		parts = append(parts, fmt.Sprintf("at most %d outstanding", n))
	} else if n, ok := d.Record.Load.Concurrency.Get(); ok {
		parts = append(parts, fmt.Sprintf("%d outstanding", n))
	}
	if n, ok := h.Requests.Get(); ok {
		parts = append(parts, measure.FormatCount(n)+" requests")
	}
	return d.tool + ": " + strings.Join(parts, ", ")
}
