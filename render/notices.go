package render

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"benchline/ingest/evidence"
)

// Files of a site folder in which its keeper says what was wrong. Both may be
// missing. Every entry of withdrawn.toml is a [[withdrawn]] table with slug,
// reason, date and, if there is one, superseded_by; every entry of errata.toml
// an [[erratum]] table with slug, date and text.
const (
	WithdrawnFile = "withdrawn.toml"
	ErrataFile    = "errata.toml"
)

// withdrawal is a record that is not shown any more. Its address stays.
type withdrawal struct {
	Slug         string `toml:"slug"`
	Reason       string `toml:"reason"`
	Date         day    `toml:"date"`
	SupersededBy string `toml:"superseded_by"`

	line int
}

// erratum is a note on a record that something was wrong.
type erratum struct {
	Slug string `toml:"slug"`
	Date day    `toml:"date"`
	Text string `toml:"text"`

	line int
}

// day is a date, "2026-11-29", written as a date or as a text.
type day string

// UnmarshalTOML reads a date.
func (d *day) UnmarshalTOML(x any) error {
	switch x := x.(type) {
	case time.Time:
		*d = day(x.Format(time.DateOnly))
	case string:
		*d = day(x)
	default:
		return fmt.Errorf("a date is written 2026-11-29, not as a %s", reflect.TypeOf(x))
	}
	return nil
}

// valid reports whether it is a day of the calendar.
func (d *day) valid() bool {
	_, err := time.Parse(time.DateOnly, string(*d))
	return err == nil
}

// notices is what a site's keeper says about its records.
type notices struct {
	withdrawn []withdrawal // in the order of the file
	errata    []erratum
}

// none reports that nothing was withdrawn and nothing was wrong.
func (n notices) none() bool { return len(n.withdrawn)+len(n.errata) == 0 }

// gone are the slugs of the records that were withdrawn.
func (n notices) gone() []string {
	out := make([]string, len(n.withdrawn))
	for i, w := range n.withdrawn {
		out[i] = w.Slug
	}
	return out
}

// loadNotices reads both files and judges each entry for itself. Entries that
// are at fault are not returned.
func loadNotices(fsys fs.FS) (notices, []Diagnostic) {
	var n notices
	if fsys == nil {
		return n, nil
	}
	var w struct {
		Withdrawn []withdrawal `toml:"withdrawn"`
	}
	src, ds := decodeNotices(fsys, WithdrawnFile, &w)
	seen := map[string]bool{}
	for i, x := range w.Withdrawn {
		j := judge{file: WithdrawnFile, src: src, table: "withdrawn", at: i}
		x.line = j.line("slug")
		j.slug("slug", x.Slug)
		j.date(x.Date)
		j.said("reason", x.Reason)
		if x.SupersededBy != "" {
			j.slug("superseded_by", x.SupersededBy)
		}
		if seen[x.Slug] {
			j.fault("slug", fmt.Sprintf("%q is withdrawn twice", x.Slug), "")
		}
		seen[x.Slug] = true
		if ds = append(ds, j.found...); len(j.found) == 0 {
			n.withdrawn = append(n.withdrawn, x)
		}
	}
	var e struct {
		Errata []erratum `toml:"erratum"`
	}
	src, more := decodeNotices(fsys, ErrataFile, &e)
	ds = append(ds, more...)
	for i, x := range e.Errata {
		j := judge{file: ErrataFile, src: src, table: "erratum", at: i}
		x.line = j.line("slug")
		j.slug("slug", x.Slug)
		j.date(x.Date)
		j.said("text", x.Text)
		if ds = append(ds, j.found...); len(j.found) == 0 {
			n.errata = append(n.errata, x)
		}
	}
	return n, ds
}

func decodeNotices(fsys fs.FS, file string, into any) ([]byte, []Diagnostic) {
	src, err := fs.ReadFile(fsys, file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []Diagnostic{{File: file, Msg: err.Error()}}
	}
	meta, err := toml.Decode(string(src), into)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return src, []Diagnostic{{File: file, Line: parse.Position.Line, Msg: parse.Message}}
	}
	if err != nil {
		return src, []Diagnostic{{File: file, Msg: err.Error()}}
	}
	var ds []Diagnostic
	for _, key := range meta.Undecoded() {
		ds = append(ds, Diagnostic{File: file, Line: lineNaming(src, key[len(key)-1]), Msg: fmt.Sprintf("unknown key %q", key.String()), Hint: knownKeys(file)})
	}
	return src, ds
}

func knownKeys(file string) string {
	if file == ErrataFile {
		return "[[erratum]] tables with slug, date, text"
	}
	return "[[withdrawn]] tables with slug, reason, date, superseded_by"
}

// lineNaming is the first line that sets a key or opens a table of that name; 0
// where there is none.
func lineNaming(src []byte, key string) int {
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimSpace(line)
		name, _, ok := strings.Cut(line, "=")
		if ok && strings.Trim(strings.TrimSpace(name), `"'`) == key || strings.Trim(line, "[] ") == key && strings.HasPrefix(line, "[") {
			return i + 1
		}
	}
	return 0
}

// judge looks at one entry of a file of notices.
type judge struct {
	file, table string
	src         []byte
	at          int // which entry, from 0
	found       []Diagnostic
}

// line is where the entry sets a key; where it does not, the line that opens
// it; 0 where that cannot be told.
func (j *judge) line(key string) int {
	opened, n := 0, -1
	for i, line := range strings.Split(string(j.src), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			if strings.HasPrefix(strings.ReplaceAll(line, " ", ""), "[["+j.table+"]]") {
				n++
			}
			if n > j.at {
				break
			}
			if n == j.at && opened == 0 {
				opened = i + 1
			}
			continue
		}
		if name, _, ok := strings.Cut(line, "="); ok && n == j.at && strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return opened
}

func (j *judge) fault(key, msg, hint string) {
	j.found = append(j.found, Diagnostic{File: j.file, Line: j.line(key), Msg: msg, Hint: hint})
}

func (j *judge) slug(key, s string) {
	if s == "" {
		j.fault(key, key+" is missing", "the name of the record's page, without its ending")
		return
	}
	if !evidence.IsSlug(s) {
		j.fault(key, fmt.Sprintf("%s %q is no address of a record", key, s), "lower-case ASCII letters, digits, '-' and '.'")
	}
}

func (j *judge) date(d day) {
	if !d.valid() {
		j.fault("date", fmt.Sprintf("date %q is no day", string(d)), "e.g. 2026-11-29")
	}
}

func (j *judge) said(key, text string) {
	if strings.TrimSpace(text) == "" {
		j.fault(key, key+" is missing", "it is shown to the reader, word for word")
	}
}

// against holds the notices against the records: what they name must be there,
// and nothing that is still shown may rest on a record that is withdrawn. It
// returns the records that are still shown.
func (n notices) against(records []evidence.Record) ([]evidence.Record, []Diagnostic) {
	gone, there := map[string]bool{}, map[string]bool{}
	for _, w := range n.withdrawn {
		gone[w.Slug] = true
	}
	left := make([]evidence.Record, 0, len(records))
	for _, r := range records {
		if !gone[r.Slug] {
			left = append(left, r)
			there[r.Slug] = true
		}
	}
	var ds []Diagnostic
	for _, w := range n.withdrawn {
		if w.SupersededBy != "" && !there[w.SupersededBy] {
			ds = append(ds, Diagnostic{File: WithdrawnFile, Line: w.line, Msg: fmt.Sprintf("%s is superseded by %q, which is no record that this site shows", w.Slug, w.SupersededBy)})
		}
	}
	for _, r := range left {
		for _, m := range r.Members {
			if i := slices.IndexFunc(n.withdrawn, func(w withdrawal) bool { return w.Slug == m.Slug }); i >= 0 {
				ds = append(ds, Diagnostic{File: WithdrawnFile, Line: n.withdrawn[i].line, Msg: fmt.Sprintf("%s is withdrawn, but the summary %s is made of it", m.Slug, r.Slug),
					Hint: "withdraw the summary too"})
			}
		}
	}
	for _, e := range n.errata {
		if !there[e.Slug] && !gone[e.Slug] {
			ds = append(ds, Diagnostic{File: ErrataFile, Line: e.line, Msg: fmt.Sprintf("there is no record %q", e.Slug)})
		}
	}
	return left, ds
}
