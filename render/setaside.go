package render

import (
	"fmt"
	"slices"
	"strings"

	"benchline/render/internal/figurelint"
)

// SetAside sets a rule for charts and tables aside for one page. The reason
// stands beside each chart or table that it covers, with what the rule found.
type SetAside struct {
	Rule   string `toml:"rule"`   // "L7"
	Page   string `toml:"page"`   // "families/demo-cold"
	Figure string `toml:"figure"` // ID of the chart or table; empty: all of the page
	Reason string `toml:"reason"`
}

// leastReason is how short a reason may be, in words: "ok" is none.
const leastReason = 4

// check says what is wrong with an entry.
func (a SetAside) check() error {
	switch {
	case !figurelint.Known(a.Rule):
		return fmt.Errorf("rule %q is not in the list (L1 to L%d)", a.Rule, len(figurelint.Rules()))
	case a.Page == "":
		return fmt.Errorf("rule %s needs a page: \"families/NAME\"", a.Rule)
	case strings.HasSuffix(a.Page, ".html") || strings.HasPrefix(a.Page, "/"):
		return fmt.Errorf("page %q: write it from the site's root and without its ending, \"families/NAME\"", a.Page)
	case len(strings.Fields(a.Reason)) < leastReason:
		return fmt.Errorf("rule %s on %s needs a reason that readers understand: it stands on the page", a.Rule, a.Page)
	}
	return nil
}

// lineOfAside is the line of the n-th entry, from 0.
func lineOfAside(src []byte, n int) int {
	for i, line := range strings.Split(string(src), "\n") {
		if strings.HasPrefix(strings.ReplaceAll(line, " ", ""), "[[set_aside]]") {
			if n == 0 {
				return i + 1
			}
			n--
		}
	}
	return 1
}

// asides are the rules that are set aside, as the pages need them.
func (c Config) asides() []figurelint.Aside {
	out := make([]figurelint.Aside, len(c.SetAside))
	for i, a := range c.SetAside {
		out[i] = figurelint.Aside(a)
	}
	return out
}

// asideKeys is what pages depend on.
func (c Config) asideKeys() []string {
	var keys []string
	for _, a := range c.SetAside {
		keys = append(keys, "aside", a.Rule, a.Page, a.Figure, a.Reason)
	}
	return keys
}

// strayAsides are entries for pages that the site does not have.
func (p *planner) strayAsides() Faults {
	var faults Faults
	for _, a := range p.in.Config.SetAside {
		if !slices.ContainsFunc(p.jobs, func(j job) bool { return j.name == a.Page }) {
			faults = append(faults, Diagnostic{File: ConfigFile, Msg: fmt.Sprintf("set_aside: the site has no page %q", a.Page), Hint: "an entry that covers nothing is taken out"})
		}
	}
	return faults
}
