package tomlfile

import (
	"fmt"
	"strings"
)

// lines maps the path of a key to the line on which it is written.
type lines map[string]int

const pathSep = "\x00"

// index is the path element of the i-th table of a list, from 0.
func index(i int) string { return fmt.Sprintf("#%d", i) }

// at is the line of a path, of its nearest parent that is written out, or 1.
func (l lines) at(path []string) int {
	for n := len(path); n > 0; n-- {
		if line, ok := l[strings.Join(path[:n], pathSep)]; ok {
			return line
		}
	}
	return 1
}

// locate finds the lines of table headers and of keys at the beginning of a
// line. The TOML library names the line of a syntax error only. What stands in
// a string of several lines is skipped; keys of inline tables have no line of
// their own. It is only asked about files that the library accepts, and ends on
// any.
func locate(src string) lines {
	found := lines{}
	counts := map[string]int{}
	var section []string
	open := "" // the quotes that end a string of several lines
	n := 0
	for line := range strings.Lines(src) {
		n++
		text := strings.TrimSpace(line)
		if open != "" {
			if strings.Contains(text, open) {
				open = ""
			}
			continue
		}
		switch {
		case strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "[["):
			name, _, _ := strings.Cut(text[2:], "]]")
			section = resolve(counts, keyPath(name), true)
			found.note(section, n)
		case strings.HasPrefix(text, "["):
			name, _, _ := strings.Cut(text[1:], "]")
			section = resolve(counts, keyPath(name), false)
			found.note(section, n)
		default:
			key, value, ok := strings.Cut(text, "=")
			if ok {
				found.note(append(append([]string{}, section...), keyPath(key)...), n)
				open = opens(value)
			}
		}
	}
	return found
}

// note keeps the first line of a path and of its parents.
func (l lines) note(path []string, line int) {
	for n := range path {
		p := strings.Join(path[:n+1], pathSep)
		if _, ok := l[p]; !ok {
			l[p] = line
		}
	}
}

// resolve puts the index of the current table behind each element that is a list.
func resolve(counts map[string]int, path []string, newTable bool) []string {
	var out []string
	for i, element := range path {
		out = append(out, element)
		key := strings.Join(out, pathSep)
		if newTable && i == len(path)-1 {
			counts[key]++
		}
		if n := counts[key]; n > 0 {
			out = append(out, index(n-1))
		}
	}
	return out
}

// keyPath splits a dotted key. A dot inside of quotes splits too: it costs a
// line number, no more.
func keyPath(key string) []string {
	var out []string
	for part := range strings.SplitSeq(key, ".") {
		if part = strings.Trim(strings.TrimSpace(part), `"'`); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// opens returns the quotes of a string of several lines that a value begins and
// does not end.
func opens(value string) string {
	for _, q := range []string{`"""`, `'''`} {
		if strings.Count(value, q)%2 == 1 {
			return q
		}
	}
	return ""
}
