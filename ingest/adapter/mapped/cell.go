package mapped

import (
	"strings"

	"benchline/ingest/adapter/foreign"
	"benchline/ingest/evidence"
)

// cell is what stands at one place of a row.
type cell struct {
	text  string
	gap   string // why it states nothing; empty: it does
	where string // “ttft”, line 3: as the record says it
	line  int64
}

// emptyWord is why a text states nothing, empty if it does: people write a dash
// or a word where they have no value.
func emptyWord(text string) string {
	switch strings.ToLower(text) {
	case "":
		return "it is empty"
	case "-", "–", "—", "n/a", "na", "n.a.", "null", "none", "nan", "?", "unknown":
		return "it says “" + text + "”"
	}
	return ""
}

// put puts what stands at an entry into a record.
func (e entry) put(d *foreign.Draft, cellOf func(place) cell) {
	c := cellOf(e.at)
	if c.gap != "" {
		if e.field == "" {
			d.Gap(e.at.name, c.gap)
		}
		return
	}
	switch {
	case e.metric != "":
		e.figure(d, c, cellOf)
	case e.field != "":
		e.setField(d, c)
	default:
		d.Record.Facts = append(d.Record.Facts, evidence.Fact{Key: e.at.name, Label: e.fact, Value: evidence.Stated(foreign.Clean(c.text), c.where)})
	}
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
