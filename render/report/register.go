package report

import (
	"cmp"
	"slices"
	"strings"

	"benchline/ingest/evidence"
)

// RegisterEntry is one source of the site with the records that rest on it.
type RegisterEntry struct {
	Source  Source
	Records int
	Some    []Link
	Rest    int // records beyond those linked

	supports []string
	last     *evidence.Record
}

// RegisterRows is how many sources one page of the register has.
const RegisterRows = 500

// Register lists every source of every record once: lines that agree in name,
// file, checksum, licence and dates are one. What a source supports is said by
// its records, and where they say different things all are listed.
func (s *Set) Register() []RegisterEntry {
	type sourceKey struct{ name, file, sum, published, reviewed, licence, adapter string }
	at := map[sourceKey]int{}
	var out []RegisterEntry
	for i := range s.records {
		r := &s.records[i]
		for _, x := range sourcesOf(r) {
			k := sourceKey{x.Name, x.File, x.SHA256, textKey(x.Published), textKey(x.Reviewed), textKey(x.Licence), x.Adapter}
			n, known := at[k]
			if !known {
				n = len(out)
				at[k] = n
				out = append(out, RegisterEntry{Source: x, supports: []string{x.Supports}})
			}
			out[n].add(r, x.Supports)
		}
	}
	slices.SortFunc(out, func(a, b RegisterEntry) int {
		return cmp.Or(naturally(a.Source.Name, b.Source.Name), strings.Compare(a.Source.File, b.Source.File),
			strings.Compare(a.Source.SHA256, b.Source.SHA256), strings.Compare(a.Source.Adapter, b.Source.Adapter),
			strings.Compare(textKey(a.Source.Published), textKey(b.Source.Published)),
			strings.Compare(textKey(a.Source.Reviewed), textKey(b.Source.Reviewed)), strings.Compare(textKey(a.Source.Licence), textKey(b.Source.Licence)))
	})
	return out
}

func textKey(t Text) string { return t.State.String() + "\x00" + t.Text + "\x00" + t.Note }

// add counts a record once, however many of its lines name the source.
func (e *RegisterEntry) add(r *evidence.Record, supports string) {
	if supports != "" && !slices.Contains(e.supports, supports) {
		e.supports = append(e.supports, supports)
		e.Source.Supports = strings.Join(e.supports, "; ")
	}
	if e.last == r {
		return
	}
	e.last = r
	e.Records++
	if len(e.Some) < mostLinks {
		e.Some = append(e.Some, Link{Text: r.Title, Href: "records/" + r.Slug + ".html"})
		return
	}
	e.Rest++
}
