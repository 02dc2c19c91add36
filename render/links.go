package render

import (
	"bytes"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// pageFacts is what the link check keeps of an HTML page.
type pageFacts struct {
	IDs   []string `json:"ids,omitempty"`   // sorted
	Links []string `json:"links,omitempty"` // to other files of the site, as written, sorted, each once
}

// pageReader gathers the anchors and links of one page.
type pageReader struct {
	name  string
	ids   map[string]bool
	links map[string]bool
	found []Diagnostic
}

func (r *pageReader) fault(format string, args ...any) {
	r.found = append(r.found, Diagnostic{File: r.name, Msg: fmt.Sprintf(format, args...)})
}

// readPage gathers the anchors and links of a page. Faults are links that can
// be judged from the page alone: dead anchors on itself, an ID that stands
// twice, and anything fetched from another host.
func readPage(name string, page []byte) (pageFacts, []Diagnostic) {
	r := &pageReader{name: name, ids: map[string]bool{}, links: map[string]bool{}}
	z := html.NewTokenizer(bytes.NewReader(page))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		_, more := z.TagName()
		for more {
			var key, val []byte
			key, val, more = z.TagAttr()
			switch string(key) { // before the value becomes a string: most attributes are of drawings
			case "id", "href", "src":
				r.attribute(string(key), string(val))
			}
		}
	}
	facts := pageFacts{IDs: sortedKeys(r.ids)}
	for _, l := range sortedKeys(r.links) {
		switch {
		case isElsewhere(l) || l == "":
		case strings.HasPrefix(l, "#"):
			if id, err := url.PathUnescape(l[1:]); err != nil || !r.ids[id] {
				r.fault("dead link %q: the page has no such place", l)
			}
		default:
			facts.Links = append(facts.Links, l)
		}
	}
	return facts, r.found
}

func (r *pageReader) attribute(key, val string) {
	switch key {
	case "id":
		if r.ids[val] {
			r.fault("the ID %q stands twice", val)
		}
		r.ids[val] = true
	case "src":
		if isElsewhere(val) {
			r.fault("%q would be fetched from another place", val)
		}
		r.links[val] = true
	case "href":
		r.links[val] = true
	}
}

// isElsewhere reports whether a link has a scheme or a host.
func isElsewhere(link string) bool {
	if strings.HasPrefix(link, "//") {
		return true
	}
	u, err := url.Parse(link)
	return err == nil && u.Scheme != ""
}

// checkLinks judges the links between files. Files has every path of the site.
func checkLinks(pages map[string]pageFacts, files map[string]bool) []Diagnostic {
	var ds []Diagnostic
	for _, name := range sortedKeys(pages) {
		for _, link := range pages[name].Links {
			if msg := deadLink(name, link, pages, files); msg != "" {
				ds = append(ds, Diagnostic{File: name, Msg: fmt.Sprintf("dead link %q: %s", link, msg)})
			}
		}
	}
	return ds
}

// deadLink says why a link leads nowhere; empty: it does lead somewhere.
func deadLink(from, link string, pages map[string]pageFacts, files map[string]bool) string {
	u, err := url.Parse(link)
	if err != nil {
		return "it is no address"
	}
	if strings.HasPrefix(u.Path, "/") {
		return "it starts at the server's root, so it breaks below a path and from disk"
	}
	target := path.Join(path.Dir(from), u.Path)
	if strings.HasPrefix(target, "../") || target == ".." {
		return "it leaves the site"
	}
	if !files[target] {
		return "the site has no file " + target
	}
	if u.Fragment == "" {
		return ""
	}
	facts, isPage := pages[target]
	if !isPage {
		return ""
	}
	if _, found := slices.BinarySearch(facts.IDs, u.Fragment); !found {
		return fmt.Sprintf("%s has no place %q", target, u.Fragment)
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
