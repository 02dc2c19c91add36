package report

import (
	"cmp"
	"slices"
	"strings"

	"benchline/ingest/measure"
)

// Definition is what one tool means by one of its words. An empty field is one
// that its source does not state.
type Definition struct {
	Tool, Versions, Word string
	// Metric is the entry of the registry that the word comes nearest to: a
	// rate, or a latency without its statistic.
	Metric         measure.MetricID
	Start, End     string
	Population     string
	Window         string
	TokenSource    string
	PercentileRule string
	Missing        string
	Source         string
}

// SameWord is what a word means to us, and what each tool means by its own.
type SameWord struct {
	ID      string // of the section
	Label   string
	Ours    string // our definition, from the registry
	Formula string
	Theirs  []Definition
}

// ToolHabit is what a tool counts as a request that went well, over what time it
// divides, and what it writes where it has nothing: each with the words that it
// holds for.
type ToolHabit struct {
	Tool, Versions               string
	Populations, Windows, Absent []Habit
}

// Habit is one such statement and the tool's words that it is made about.
type Habit struct {
	Text  string // empty: not stated
	Words string
}

// Shared is one word that tools use for different quantities.
type Shared struct {
	Word string
	Uses []Use
}

// Use is a tool's use of a shared word.
type Use struct{ Tool, Label, Section string }

// SameWords sorts definitions under the metrics of the registry, in its order.
// Metrics that no tool has a word for are left out, as are definitions of
// metrics that the registry has not got.
func SameWords(defs []Definition) []SameWord {
	by := map[measure.MetricID][]Definition{}
	for _, d := range defs {
		by[d.Metric] = append(by[d.Metric], d)
	}
	var out []SameWord
	for _, id := range wordOrder() {
		theirs := by[id]
		m, ok := measure.Lookup(id)
		if !ok || len(theirs) == 0 {
			continue
		}
		delete(by, id)
		slices.SortStableFunc(theirs, byTool)
		out = append(out, SameWord{ID: "word-" + string(id), Label: m.Label, Ours: m.Definition, Formula: m.Formula, Theirs: theirs})
	}
	return out
}

// wordOrder is every base of the registry once, latencies first: they are what
// people compare across tools.
func wordOrder() []measure.MetricID {
	out := []measure.MetricID{"ttft", "tpot", "chunk_gap", "e2e"}
	for _, m := range measure.Metrics() {
		if !slices.Contains(out, m.Base) {
			out = append(out, m.Base)
		}
	}
	return out
}

func byTool(a, b Definition) int {
	return cmp.Or(strings.Compare(a.Tool, b.Tool), strings.Compare(a.Versions, b.Versions), strings.Compare(a.Word, b.Word))
}

// ToolHabits gathers, for each tool, what its definitions say about requests,
// time and absence.
func ToolHabits(defs []Definition) []ToolHabit {
	defs = slices.Clone(defs)
	slices.SortStableFunc(defs, byTool)
	var out []ToolHabit
	for _, d := range defs {
		if n := len(out); n == 0 || out[n-1].Tool != d.Tool || out[n-1].Versions != d.Versions {
			out = append(out, ToolHabit{Tool: d.Tool, Versions: d.Versions})
		}
		h := &out[len(out)-1]
		h.Populations = withHabit(h.Populations, d.Population, d.Word)
		h.Windows = withHabit(h.Windows, d.Window, d.Word)
		h.Absent = withHabit(h.Absent, d.Missing, d.Word)
	}
	return out
}

func withHabit(hs []Habit, text, word string) []Habit {
	for i := range hs {
		if hs[i].Text == text {
			if !slices.Contains(strings.Split(hs[i].Words, ", "), word) {
				hs[i].Words += ", " + word
			}
			return hs
		}
	}
	return append(hs, Habit{Text: text, Words: word})
}

// SharedWords finds the words that tools use for more than one quantity. Case,
// spaces, '-' and '_' do not tell words apart.
func SharedWords(defs []Definition) []Shared {
	defs = slices.Clone(defs)
	slices.SortStableFunc(defs, byTool)
	uses := map[string][]Use{}
	metrics := map[string]map[measure.MetricID]bool{}
	for _, d := range defs {
		m, ok := measure.Lookup(d.Metric)
		if !ok {
			continue
		}
		w := plainWord(d.Word)
		if metrics[w] == nil {
			metrics[w] = map[measure.MetricID]bool{}
		}
		metrics[w][d.Metric] = true
		use := Use{Tool: d.Tool, Label: m.Label, Section: "word-" + string(d.Metric)}
		if !slices.Contains(uses[w], use) {
			uses[w] = append(uses[w], use)
		}
	}
	var out []Shared
	for w, ms := range metrics {
		if len(ms) > 1 {
			out = append(out, Shared{Word: w, Uses: uses[w]})
		}
	}
	slices.SortFunc(out, func(a, b Shared) int { return strings.Compare(a.Word, b.Word) })
	return out
}

func plainWord(w string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(w), func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), " ")
}
