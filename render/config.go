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
		Published day `toml:"published"`
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
		return Config{}, fmt.Errorf("%s:%d: unknown key %q (known: title, description, base, author, licence, published, archive, set_aside)", ConfigFile, lineOfKey(src, unknown[0][len(unknown[0])-1]), key)
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
