package render

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/BurntSushi/toml"
)

// ConfigFile is the name of the settings file in a site folder.
const ConfigFile = "site.toml"

// Config is the settings of a site.
type Config struct {
	Title       string `toml:"title"`
	Description string `toml:"description"`
	// Base is the public address, ending in '/'. It is used for canonical
	// addresses only: every link of the site is relative. May be empty.
	Base    string `toml:"base"`
	Author  string `toml:"author"`
	Licence string `toml:"licence"`
	// Published is the day on which the site was or will be published, as
	// "2026-11-30"; empty where the site does not say: a build has no clock.
	Published string `toml:"-"`
	// Archive asks for the built-in archive of historical run families: its
	// records are ingested and its pages rendered with the site's own.
	Archive bool `toml:"archive"`
	// SetAside are rules for charts and tables that are set aside for one page,
	// each with a reason that the page then shows.
	SetAside []SetAside `toml:"set_aside"`
	// Compare are pairs of records, by slug, that have a page of their own.
	Compare []Pair `toml:"-"`
}

// LoadConfig reads site.toml of a site folder. A key that is unknown, and a base
// that is no address, are errors with their line. The error wraps
// [fs.ErrNotExist] when there is no such file.
func LoadConfig(fsys fs.FS) (Config, error) {
	src, err := fs.ReadFile(fsys, ConfigFile)
	if err != nil {
		return Config{}, fmt.Errorf("reading the site's settings: %w", err)
	}
	var c struct {
		Config
		Published day        `toml:"published"`
		Compare   [][]string `toml:"compare"`
	}
	meta, err := toml.Decode(string(src), &c)
	if parse, ok := errors.AsType[toml.ParseError](err); ok {
		return Config{}, fmt.Errorf("%s:%d: %s", ConfigFile, parse.Position.Line, parse.Message)
	}
	if err != nil {
		return Config{}, fmt.Errorf("%s: %w", ConfigFile, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		key := unknown[0].String()
		return Config{}, fmt.Errorf("%s:%d: unknown key %q (known: title, description, base, author, licence, published, archive, compare, set_aside)", ConfigFile, lineOfKey(src, unknown[0][len(unknown[0])-1]), key)
	}
	if strings.TrimSpace(c.Title) == "" {
		c.Title = "Benchmarks"
	}
	if c.Base, err = goodBase(c.Base); err != nil {
		return Config{}, fmt.Errorf("%s:%d: base: %w", ConfigFile, lineOfKey(src, "base"), err)
	}
	if meta.IsDefined("published") && !c.Published.valid() {
		return Config{}, fmt.Errorf("%s:%d: published: %s is not a day: write 2026-11-30", ConfigFile, lineOfKey(src, "published"), c.Published)
	}
	c.Config.Published = string(c.Published)
	if c.Config.Compare, err = pairsOf(src, c.Compare); err != nil {
		return Config{}, err
	}
	for i, a := range c.SetAside {
		if err := a.check(); err != nil {
			return Config{}, fmt.Errorf("%s:%d: set_aside: %w", ConfigFile, lineOfAside(src, i), err)
		}
	}
	return c.Config, nil
}

// goodBase checks an address and ends it with '/'.
func goodBase(base string) (string, error) {
	if base == "" {
		return "", nil
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", fmt.Errorf("%q is not an address", base)
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("%q is not an https or http address of a folder", base)
	}
	if !strings.HasSuffix(base, "/") {
		base += "/"
	}
	return base, nil
}

// lineOfKey is the first line that sets a key; 1 where it is not found.
func lineOfKey(src []byte, key string) int {
	for i, line := range strings.Split(string(src), "\n") {
		name, _, ok := strings.Cut(line, "=")
		if ok && strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return 1
}

// pairsOf reads the pairs of the key compare.
func pairsOf(src []byte, lists [][]string) ([]Pair, error) {
	var pairs []Pair
	for i, names := range lists {
		line := lineOfPair(src, i)
		if len(names) != 2 {
			return nil, fmt.Errorf("%s:%d: compare: a pair has two records, this has %d: write [\"A\", \"B\"]", ConfigFile, line, len(names))
		}
		pairs = append(pairs, Pair{A: names[0], B: names[1], Line: line})
	}
	return pairs, nil
}

// lineOfPair is the line on which the n-th list, from 0, of the key compare
// begins. Names of records hold no brackets and no quotes, so that only comments
// have to be told apart.
func lineOfPair(src []byte, n int) int {
	first := lineOfKey(src, "compare")
	depth := 0
	for i, line := range strings.Split(string(src), "\n") {
		if i+1 < first {
			continue
		}
		text, _, _ := strings.Cut(line, "#")
		for _, r := range text {
			switch r {
			case '[':
				if depth++; depth == 2 {
					if n == 0 {
						return i + 1
					}
					n--
				}
			case ']':
				depth--
			}
		}
	}
	return first
}
