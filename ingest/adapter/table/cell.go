package table

import (
	"fmt"
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// put puts a cell into a record.
func (c column) put(d *foreign.Draft, cell string, there bool, line int64) {
	if why := gapOf(cell, there); why != "" {
		if c.field == "" {
			d.Gap(c.name, why)
		}
		return
	}
	switch {
	case c.metric != "":
		c.figure(d, cell, line)
	case c.field != "":
		c.setField(d, cell, line)
	default:
		d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: c.name, Label: c.fact, Value: evidence.Stated(cell, where(c.name, line))})
	}
}

func where(name string, line int64) string {
	return fmt.Sprintf("column “%s”, line %d", name, line)
}

// gapOf is why a cell states nothing; empty: it does.
func gapOf(cell string, there bool) string {
	switch {
	case !there:
		return "the row ends before this column"
	case cell == "":
		return "the cell is empty"
	}
	switch strings.ToLower(cell) {
	case "-", "–", "—", "n/a", "na", "n.a.", "null", "none", "nan", "?", "unknown":
		return "the cell says “" + cell + "”"
	}
	return ""
}

// number reads a cell that is a number as people write it: 1,234.5 or
// 35.2 ± 0.6. Rest is what stands behind the number.
func number(cell string) (plain, rest string, ok bool) {
	head := cell
	for _, mark := range []string{"±", "+/-"} {
		if before, after, found := strings.Cut(cell, mark); found {
			head, rest = strings.TrimSpace(before), strings.TrimSpace(after)
			if rest == "" {
				return "", "", false
			}
			break
		}
	}
	whole, fraction, hasPoint := strings.Cut(head, ".")
	if strings.Contains(fraction, ",") || !grouped(strings.TrimPrefix(whole, "-")) {
		return "", "", false
	}
	plain = strings.ReplaceAll(whole, ",", "")
	if hasPoint {
		plain += "." + fraction
	}
	n := foreign.Node{Kind: foreign.Number, Text: plain}
	return plain, rest, n.IsNumber()
}

// grouped reports whether commas, if there are any, stand between each three
// digits.
func grouped(whole string) bool {
	groups := strings.Split(whole, ",")
	if len(groups) == 1 {
		return true
	}
	for i, g := range groups {
		if len(g) > 3 || len(g) == 0 || i > 0 && len(g) != 3 {
			return false
		}
	}
	return true
}

// figure claims a cell's number, and keeps the cell as it is.
func (c column) figure(d *foreign.Draft, cell string, line int64) {
	plain, rest, ok := number(cell)
	if !ok {
		d.Note(line, fmt.Sprintf("column %q: %q is no number and gives no figure", c.name, cell))
		d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: c.name, Label: c.name, Value: evidence.Stated(cell, where(c.name, line))})
		return
	}
	f := foreign.Figure{Metric: c.metric, Number: foreign.Node{Kind: foreign.Number, Text: plain, Line: line}, Key: c.name, Unit: c.unit, ZeroMeans: c.zeroWhy}
	f.Rule = fmt.Sprintf("As the table has it, in the column “%s”; the table does not define it.", c.name)
	f.Undefined = "what is counted, from when to when, and over which requests"
	if c.rule != "" {
		f.Rule = fmt.Sprintf("Column “%s” of the table, by the import.toml beside it: %s.", c.name, strings.TrimSuffix(c.rule, "."))
		f.Undefined = ""
	}
	if c.population != "" {
		f.Rule += " Population: " + strings.TrimSuffix(c.population, ".") + "."
	}
	if !d.Claim(f) {
		return
	}
	v := &d.Record.Values[len(d.Record.Values)-1]
	v.Original.Number = cell
	if v.Amount.Kind == evidence.Quoted {
		v.Amount.Text = strings.Replace(v.Amount.Text, plain, cell, 1)
	}
	if rest != "" {
		d.FactText(c.name+", behind ±", rest, where(c.name, line))
	}
}

// fieldNames are the parts of a record that a column may fill.
func fieldNames() []string {
	return []string{"model", "model_revision", "tokenizer", "engine", "engine_version", "precision", "parallelism", "hardware", "quality", "started", "tool", "run_id", "prompts", "warmup",
		"accelerators", "input_tokens_asked", "output_tokens_asked", "requests", "concurrency", "planned", "sent", "completed", "failed", "rejected", "timed_out", "cancelled",
		"unresolved", "never_sent", "rate_per_s", "window_s"}
}

func texts(r *evidence.Record) map[string]*evidence.Known[string] {
	s := &r.Subject
	return map[string]*evidence.Known[string]{"model": &s.Model, "model_revision": &s.ModelRevision, "tokenizer": &s.Tokenizer, "engine": &s.Engine, "engine_version": &s.EngineVersion,
		"precision": &s.Precision, "parallelism": &s.Parallelism, "hardware": &s.Hardware, "quality": &s.Quality, "tool": &s.Tool, "run_id": &s.SourceRunID,
		"prompts": &r.Workload.Prompts, "warmup": &r.State.Warmup}
}

func counts(r *evidence.Record) map[string]*evidence.Known[int64] {
	o := &r.Outcomes
	return map[string]*evidence.Known[int64]{"accelerators": &r.Subject.Accelerators, "input_tokens_asked": &r.Workload.InputTokensAsked, "output_tokens_asked": &r.Workload.OutputTokensAsked,
		"requests": &r.Workload.Requests, "concurrency": &r.Load.Concurrency, "planned": &o.Planned, "sent": &o.Sent, "completed": &o.Completed, "failed": &o.Failed, "rejected": &o.Rejected,
		"timed_out": &o.TimedOut, "cancelled": &o.Cancelled, "unresolved": &o.Unresolved, "never_sent": &o.NeverSent}
}

// setField fills a part of the record.
func (c column) setField(d *foreign.Draft, cell string, line int64) {
	r := &d.Record
	n := foreign.Node{Kind: foreign.Text, Text: cell, Line: line}
	if to, ok := texts(r)[c.field]; ok {
		*to = evidence.Stated(cell, where(c.name, line))
		return
	}
	if c.field == "started" {
		r.Subject.Started = d.Stamp(c.name, n)
		return
	}
	plain, _, ok := number(cell)
	if ok {
		n = foreign.Node{Kind: foreign.Number, Text: plain, Line: line}
	}
	if to, isCount := counts(r)[c.field]; isCount {
		*to = d.Count(c.name, n)
		return
	}
	x, ok := n.Float()
	switch {
	case !ok || x <= 0:
		d.Note(line, fmt.Sprintf("column %q: %q is no number above 0", c.name, cell))
	case c.field == "rate_per_s":
		r.Load.Mode = evidence.Derived("open loop", "a rate is stated")
		r.Load.Rate, r.Load.RatePerSec = evidence.Stated(cell+" requests per 1s", where(c.name, line)), evidence.Stated(x, where(c.name, line))
	default:
		r.State.Window = evidence.Stated(evidence.Window{Rule: measure.StatedWindow, Seconds: x}, where(c.name, line)+"; what it spans is not stated")
	}
}
