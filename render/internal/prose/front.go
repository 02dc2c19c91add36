package prose

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Front is a page's front matter. Dates are YYYY-MM-DD.
type Front struct {
	Title       string
	Description string // one sentence, for lists and search engines
	Canonical   string // the page's own address: relative to the site, or https
	Revision    int64  // counts from 1
	Published   string
	Reviewed    string
	Part        string   // the group of pages to which it belongs in the list of the methodology
	Order       int64    // its place in the reading order of the methodology; 0: none
	Term        string   // the word of a headline that the page explains; empty: none
	Scope       []string // what the page covers and what limits it, a sentence each
	Sources     []Source
}

// Source is one line of a page's source register.
type Source struct {
	Key       string // what the page's claims call it; empty if none does
	Name      string
	Address   string // where it is; empty if it has no address
	Supports  string // what on the page rests on it
	Published string // empty: the source does not state its date
	Verified  string // when somebody last read it for this page
}

func (f Front) clone() Front {
	f.Scope = slices.Clone(f.Scope)
	f.Sources = slices.Clone(f.Sources)
	return f
}

// frontFile is the shape of the TOML.
type frontFile struct {
	Title       string       `toml:"title"`
	Description string       `toml:"description"`
	Canonical   string       `toml:"canonical"`
	Revision    int64        `toml:"revision"`
	Published   any          `toml:"published"`
	Reviewed    any          `toml:"reviewed"`
	Part        string       `toml:"part"`
	Order       int64        `toml:"order"`
	Term        string       `toml:"term"`
	Scope       []string     `toml:"scope"`
	Sources     []sourceFile `toml:"sources"`
}

type sourceFile struct {
	Key       string `toml:"key"`
	Name      string `toml:"name"`
	Address   string `toml:"address"`
	Supports  string `toml:"supports"`
	Published any    `toml:"published"`
	Verified  any    `toml:"verified"`
}

// fence is the line before and after front matter.
const fence = "+++"

// splitFront finds the TOML between the fences and where the Markdown starts.
// A page without front matter is all Markdown.
func splitFront(src []byte) (front []byte, body int, err error) {
	first, rest, ok := bytes.Cut(src, []byte("\n"))
	if !ok || strings.TrimRight(string(first), "\r \t") != fence {
		return nil, 0, nil
	}
	start := len(src) - len(rest)
	at := start
	for at < len(src) {
		end := bytes.IndexByte(src[at:], '\n')
		line := src[at:]
		if end >= 0 {
			line = src[at : at+end]
		}
		next := at + len(line) + 1
		if strings.TrimRight(string(line), "\r \t") == fence {
			return src[start:at], min(next, len(src)), nil
		}
		at = next
	}
	return nil, len(src), errors.New("the front matter that starts here has no end")
}

// readFront decodes front matter. Line numbers count from the fence.
func readFront(file string, src []byte) (Front, []Diagnostic) {
	var f frontFile
	meta, err := toml.Decode(string(src), &f)
	if err != nil {
		return Front{}, []Diagnostic{tomlFault(file, src, err)}
	}
	fault := func(key, msg, hint string) Diagnostic {
		return Diagnostic{File: file, Line: keyLine(src, key), Col: 1, Msg: key + ": " + msg, Hint: hint}
	}
	var ds []Diagnostic
	for _, k := range meta.Undecoded() {
		ds = append(ds, fault(k.String(), "unknown key", "front matter has title, description, canonical, revision, published, reviewed, part, order, term, scope and [[sources]]"))
	}
	date := func(key string, v any) string {
		s, err := dateOf(v)
		if err != nil {
			ds = append(ds, fault(key, err.Error(), "write YYYY-MM-DD"))
		}
		return s
	}
	front := Front{
		Title: f.Title, Description: f.Description, Canonical: f.Canonical, Revision: f.Revision, Scope: f.Scope,
		Published: date("published", f.Published), Reviewed: date("reviewed", f.Reviewed), Part: f.Part, Order: f.Order, Term: f.Term,
	}
	if f.Canonical != "" {
		if err := goodCanonical(f.Canonical); err != nil {
			ds = append(ds, fault("canonical", err.Error(), "a path within the site, or an https address"))
		}
	}
	if meta.IsDefined("revision") && f.Revision < 1 {
		ds = append(ds, fault("revision", fmt.Sprintf("%d is not a revision", f.Revision), "revisions count from 1"))
	}
	if meta.IsDefined("order") && f.Order < 1 {
		ds = append(ds, fault("order", fmt.Sprintf("%d is no place in an order", f.Order), "places count from 1"))
	}
	for i, s := range f.Sources {
		key := fmt.Sprintf("sources[%d]", i)
		src := Source{Key: s.Key, Name: s.Name, Address: s.Address, Supports: s.Supports, Published: date(key, s.Published), Verified: date(key, s.Verified)}
		if s.Address != "" && !goodAddress(s.Address) {
			ds = append(ds, fault(key, fmt.Sprintf("address %q is not an https or http address", s.Address), ""))
			src.Address = ""
		}
		if s.Key != "" {
			if err := goodKey(s.Key, front.Sources); err != nil {
				ds = append(ds, fault(key, err.Error(), "lower-case letters, digits and hyphens"))
				src.Key = ""
			}
		}
		front.Sources = append(front.Sources, src)
	}
	return front, ds
}

func tomlFault(file string, src []byte, err error) Diagnostic {
	d := Diagnostic{File: file, Line: 1, Msg: "front matter: " + strings.TrimPrefix(err.Error(), "toml: ")}
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		d.Line, d.Col = parse.Position.Line+1, max(parse.Position.Col, 1)
		d.Msg = "front matter: " + parse.Message
		return d
	}
	// A wrong type is a plain error that names the line in words.
	if m := regexp.MustCompile(`^line (\d+) \(last key "([^"]+)"\)`).FindStringSubmatch(strings.TrimPrefix(err.Error(), "toml: ")); m != nil {
		d.Line = keyLine(src, m[2])
	}
	return d
}

// keyLine finds the line of a key in front matter, counted from the fence
// line; the fence itself if the key is not there. "sources[1]" is the second
// [[sources]] table.
func keyLine(src []byte, key string) int {
	nth := 0
	last := key[strings.LastIndexByte(key, '.')+1:]
	if i := strings.IndexByte(key, '['); i >= 0 {
		if _, err := fmt.Sscanf(key[i:], "[%d]", &nth); err != nil {
			return 1
		}
		last = "[[" + key[:i] + "]]"
	}
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimSpace(line)
		rest, found := strings.CutPrefix(line, last)
		if !found || !strings.HasPrefix(last, "[[") && !strings.HasPrefix(strings.TrimSpace(rest), "=") {
			continue
		}
		if nth == 0 {
			return i + 2
		}
		nth--
	}
	return 1
}

// dateOf reads a date written as a TOML date or as text; nil is no date.
func dateOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case time.Time:
		return v.Format(time.DateOnly), nil
	case string:
		if v == "" {
			return "", nil
		}
		if _, err := time.Parse(time.DateOnly, v); err != nil {
			return "", fmt.Errorf("%q is not a date", v)
		}
		return v, nil
	}
	return "", fmt.Errorf("%v is not a date", v)
}

func goodCanonical(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return fmt.Errorf("%q is not an address", s)
	case u.Scheme == "https" && u.Host != "":
		return nil
	case u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "/") || strings.Contains(u.Path, ".."):
		return fmt.Errorf("%q leaves the site", s)
	}
	return nil
}

// goodKey checks the key of a source against the sources before it.
func goodKey(key string, before []Source) error {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || key[0] == '-' {
		return fmt.Errorf("%q cannot be the key of a source", key)
	}
	for _, s := range before {
		if s.Key == key {
			return fmt.Errorf("two sources have the key %q", key)
		}
	}
	return nil
}

func goodAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != ""
}

// Incomplete says what a page that is to be cited lacks in its front matter.
// The caller decides which pages have to be complete.
func (d Doc) Incomplete() []Diagnostic {
	f := d.front
	var ds []Diagnostic
	need := func(ok bool, key, hint string) {
		if !ok {
			ds = append(ds, Diagnostic{File: d.file, Line: 1, Col: 1, Msg: "front matter: " + key + " is missing", Hint: hint})
		}
	}
	need(f.Title != "", "title", "")
	need(f.Description != "", "description", "one sentence")
	need(f.Canonical != "", "canonical", `for example "methodology/windows.html"`)
	need(f.Revision > 0, "revision", "counts from 1")
	need(f.Published != "", "published", "YYYY-MM-DD")
	need(f.Reviewed != "", "reviewed", "YYYY-MM-DD")
	need(len(f.Scope) > 0, "scope", "what the page covers and what limits it, a list of sentences")
	need(len(f.Sources) > 0, "[[sources]]", "name, address, supports, published, verified")
	front, _, err := splitFront(d.src)
	for i, s := range f.Sources {
		for _, m := range []struct{ value, key string }{{s.Name, "name"}, {s.Supports, "supports"}, {s.Verified, "verified"}} {
			if m.value == "" && err == nil {
				ds = append(ds, Diagnostic{File: d.file, Line: keyLine(front, fmt.Sprintf("sources[%d]", i)), Col: 1, Msg: fmt.Sprintf("source %d: %s is missing", i+1, m.key)})
			}
		}
	}
	return ds
}
