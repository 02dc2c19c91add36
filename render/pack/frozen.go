package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
)

// Frozen is what of a pack was frozen, the earliest first. The first is what the
// document is held against; a later one is an amendment with its date.
type Frozen []Freezing

// FreezeFile is the name of the file of what was frozen of a pack file.
func FreezeFile(file string) string { return strings.TrimSuffix(file, Ext) + FreezeExt }

// Freezing is conditions, shape and criteria as they stood at one time.
type Freezing struct {
	At   time.Time // UTC, whole seconds
	Hash string    // SHA-256 of the lines, each ended by a line feed
	// Records is how many records the options named then: none, if the criteria
	// came before the results.
	Records int
	Lines   []string
}

// Lines are the canonical lines of what is frozen: the shape, the conditions and
// what decides of each criterion. Options, prices and narrative are not among
// them, nor are the reasons given.
func (p Pack) Lines() []string {
	var out []string
	add := func(what, key string, value any) {
		if s := fmt.Sprint(value); s != "" && s != "0" {
			out = append(out, fmt.Sprintf("%s %s = %s", what, key, s))
		}
	}
	add("shape", "kind", p.Shape.Kind)
	add("shape", "governing", joined(p.Shape.Governing))
	c := p.Conditions
	add("conditions", "input_tokens", c.InputTokens)
	add("conditions", "output_tokens", c.OutputTokens)
	if c.InputTokens+c.OutputTokens > 0 {
		out = append(out, "conditions length_tolerance = "+number(c.LengthTolerance))
	}
	add("conditions", "mix", c.Mix)
	add("conditions", "workload_hash", c.WorkloadHash)
	add("conditions", "concurrency", c.Concurrency)
	add("conditions", "arrival_rate", number(c.RatePerSec))
	add("conditions", "arrivals", c.Arrivals)
	add("conditions", "cache", c.Cache)
	add("conditions", "cache_share", number(c.CacheShare))
	add("conditions", "precision", strings.Join(c.Precision, ", "))
	add("conditions", "region", c.Region)
	add("conditions", "from", c.From)
	add("conditions", "to", c.To)
	add("conditions", "ttft_objective", seconds(c.TTFTObjective))
	add("conditions", "e2e_objective", seconds(c.E2EObjective))
	for _, k := range p.Criteria {
		what := fmt.Sprintf("criterion %q", k.Name)
		side := "at_most"
		if k.AtLeast {
			side = "at_least"
		}
		out = append(out, what+" metric = "+string(k.Metric), what+" "+side+" = "+number(k.Limit)+unitOf(k.Metric),
			what+" tolerance = "+number(k.Tolerance), what+" date = "+k.Date)
	}
	return out
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func seconds(x float64) string {
	if x == 0 {
		return ""
	}
	return number(x) + " s"
}

// unitOf is a metric's unit behind a number, or nothing.
func unitOf(id measure.MetricID) string {
	if m, ok := measure.Lookup(id); ok && m.Unit() != "" {
		return " " + m.Unit()
	}
	return ""
}

func joined(ids []measure.MetricID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}

// hashLines is the SHA-256 of lines, each ended by a line feed: what sha256sum
// says of a file with them.
func hashLines(lines []string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n") + "\n"))
	return hex.EncodeToString(sum[:])
}

// Freeze adds what the pack has now to what was frozen of it. Nothing is added
// where the last freezing has the same lines.
func Freeze(p Pack, past Frozen, at time.Time) (now Frozen, added bool) {
	lines := p.Lines()
	if n := len(past); n > 0 && past[n-1].Hash == hashLines(lines) {
		return past, false
	}
	f := Freezing{At: at.UTC().Truncate(time.Second), Hash: hashLines(lines), Lines: lines}
	for _, o := range p.Options {
		f.Records += len(o.Records) + len(o.Families)
	}
	return append(slices.Clone(past), f), true
}

// freezeHead stands at the top of the file of what was frozen.
const freezeHead = `# Written by benchline pack --freeze. Keep it beside the pack and do not edit it: it
# shows what the criteria were before there were results. The sha256 is of the lines,
# each ended by a line feed. Who wants to prove the time publishes the hash elsewhere.
`

// TOML is the file of what was frozen, which [ParseFrozen] reads.
func (f Frozen) TOML() []byte {
	var b strings.Builder
	b.WriteString(freezeHead)
	for _, x := range f {
		fmt.Fprintf(&b, "\n[[frozen]]\nat = %s\nsha256 = %q\nrecords_named = %d\nlines = [\n", x.At.Format(time.RFC3339), x.Hash, x.Records)
		for _, l := range x.Lines {
			b.WriteString("  " + quote(l) + ",\n")
		}
		b.WriteString("]\n")
	}
	return []byte(b.String())
}

// quote writes a TOML string. The lines hold printable text only.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// ParseFrozen reads the file of what was frozen. Lines that do not have the hash
// beside them, and times that run backwards, are faults: the file was edited.
func ParseFrozen(file string, src []byte) (Frozen, error) {
	top, err := tomlfile.Parse(file, src)
	if err != nil {
		return nil, err
	}
	const edited = "the file was edited; take it from where it is kept unchanged"
	var out Frozen
	for _, t := range top.Tables("frozen") {
		x := Freezing{Hash: t.NeedText("sha256", "")}
		if v, ok := t.Get("records_named"); ok {
			n, msg := tomlfile.ReadCount(v)
			if msg != "" {
				t.Fault("records_named", msg, "")
			}
			x.Records = int(n)
		}
		at, err := time.Parse(time.RFC3339, t.NeedText("at", ""))
		if err != nil && t.Has("at") {
			t.Fault("at", "is no time", "as in 2026-11-29T09:30:00Z")
		}
		x.At = at.UTC()
		for _, n := range readNames(t, "lines") {
			x.Lines = append(x.Lines, n.Text)
		}
		if got := hashLines(x.Lines); got != x.Hash {
			t.Fault("sha256", "is not that of the lines, which have "+got, edited)
		}
		if n := len(out); n > 0 && x.At.Before(out[n-1].At) {
			t.Fault("at", "lies before the freezing above it", edited)
		}
		t.Done()
		out = append(out, x)
	}
	if len(out) == 0 {
		top.Fault("frozen", "is required", "benchline pack --freeze writes it")
	}
	top.Done()
	if err := top.Err(); err != nil {
		return nil, err
	}
	return out, nil
}

// Amendment is a line that is not as it was first frozen.
type Amendment struct {
	What string // "criterion “first token”, at_most"
	Was  string // empty: there was none
	Is   string // empty: it is gone
	// Since is when the change was frozen, a time; empty: it never was.
	Since string
}

// amendments are what differs between the first freezing and now.
func amendments(f Frozen, now []string) []Amendment {
	if len(f) == 0 {
		return nil
	}
	was, is := keyed(f[0].Lines), keyed(now)
	var out []Amendment
	for _, key := range keysOf(f[0].Lines, now) {
		if was[key] == is[key] {
			continue
		}
		a := Amendment{What: key, Was: was[key], Is: is[key]}
		// The change is as old as the first of the latest freezings that all have it.
		for _, x := range slices.Backward(f) {
			if keyed(x.Lines)[key] != is[key] {
				break
			}
			a.Since = x.At.Format(time.RFC3339)
		}
		out = append(out, a)
	}
	return out
}

func keyed(lines []string) map[string]string {
	m := map[string]string{}
	for _, l := range lines {
		key, value, _ := strings.Cut(l, " = ")
		m[key] = value
	}
	return m
}

// keysOf are the keys of both, in their order, each once.
func keysOf(lists ...[]string) []string {
	var out []string
	for _, lines := range lists {
		for _, l := range lines {
			key, _, _ := strings.Cut(l, " = ")
			if !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
	}
	return out
}
