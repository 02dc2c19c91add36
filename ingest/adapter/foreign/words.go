package foreign

import (
	"strconv"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// Statistic is a statistic of a latency and the key under which a format has it.
type Statistic struct {
	Stat measure.Stat
	Key  string
}

// Define is what the draft's tool means by a word. A word that it does not have
// is a fault of the adapter, and has no metric.
func (d *Draft) Define(word string) adapter.Definition {
	for _, def := range d.words {
		if def.Word == word && def.Tool == d.tool {
			return def
		}
	}
	return adapter.Definition{Tool: d.tool, Word: word}
}

// Word is a figure under the definition of a word, still without its number; its
// key is the word.
func (d *Draft) Word(word string) Figure { return FigureOf(d.Define(word)) }

// FigureOf is a figure under a definition, still without its number.
func FigureOf(def adapter.Definition) Figure {
	return Figure{Metric: def.Metric, Key: def.Word, Rule: RuleOf(def), Undefined: Undefined(def)}
}

// Statistics claims the statistics of a latency: figures that are alike but for
// the statistic. At gives the number of one, and the whole key under which the
// file has it.
func (d *Draft) Statistics(f Figure, stats []Statistic, at func(key string) (Node, string)) {
	base := f.Metric
	for _, s := range stats {
		f.Metric = measure.ID(base, s.Stat)
		f.Number, f.Key = at(s.Key)
		d.Claim(f)
	}
}

// Completed is the population of completed requests, which requests those are in
// the tool's words. Key is where the file counts them.
func (d *Draft) Completed(which, key string) evidence.Known[evidence.Population] {
	n, ok := d.Record.Outcomes.Completed.Get()
	if !ok {
		return evidence.NotStated[evidence.Population]("the file has no usable “" + key + "”")
	}
	return evidence.Stated(evidence.Population{Rule: which, N: n}, where(key))
}

// Ended is a sentence on the counts that a record has of requests that ended;
// failed is the tool's word for those that did not end well. Empty: it has none.
func (d *Draft) Ended(failed string) string {
	completed, ok := d.Record.Outcomes.Completed.Get()
	if !ok {
		return ""
	}
	text := measure.FormatCount(completed) + " requests completed"
	if n, ok := d.Record.Outcomes.Rejected.Get(); ok && n > 0 {
		text += ", " + measure.FormatCount(n) + " rejected"
	}
	if n, ok := d.Record.Outcomes.Failed.Get(); ok {
		return text + ", " + measure.FormatCount(n) + " " + failed + "."
	}
	return text + "; the file states no count of failures."
}

// Window is the time over which the tool measured, in seconds. What says what it
// spans. False: there is no such time.
func (d *Draft) Window(key string, n Node, what string) bool {
	s, ok := n.Float()
	if ok = ok && s > 0; ok {
		d.Record.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: s}, where(key)+": "+what)
	}
	return ok
}

// OverWindow is a figure that was divided by the record's window: key is where
// the file has that, what says what it spans.
func (d *Draft) OverWindow(f Figure, key, what string) Figure {
	f.Window = d.Record.State.Window
	if w, ok := f.Window.Get(); ok {
		f.Denominator = evidence.Stated(evidence.Term{Amount: w.Seconds, Unit: "s", What: key + ": " + what}, where(key))
	}
	return f
}

// Rest keeps as facts the plain values of an object that have no place in the
// record.
func (d *Draft) Rest(n Node, placed func(key string) bool) {
	kept := 0
	for _, f := range n.Fields {
		if placed(f.Key) || f.Value.Kind == List || f.Value.Kind == Object {
			continue
		}
		if kept++; kept > MostRest {
			d.Note(f.Value.Line, "more than "+strconv.Itoa(MostRest)+" keys that are not the tool's; the rest is left out")
			return
		}
		d.Fact(f.Key, f.Value)
	}
}

// MostRest bounds what a record keeps of a file's other keys.
const MostRest = 100

// numberOf is what tells a part from others: its place, from 1.
func numberOf(i, n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(i + 1)
}

// FileTitle names a record by the file that it is of.
func (d *Draft) FileTitle(f *File, more ...string) string {
	name := f.Source.Name
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return strings.Join(append([]string{d.tool + ": " + name}, more...), ", ")
}
