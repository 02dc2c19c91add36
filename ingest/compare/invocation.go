package compare

import (
	"slices"

	"benchline/ingest/evidence"
)

// oneInvocation reports whether two records come from the same invocation, or
// the same invocations, of one plan, word for word: one program asked one
// endpoint, point after point. What neither of them states is then the same on
// both. Two invocations of one plan prove no such thing: between them the engine
// may have been changed, and nothing would say so.
func oneInvocation(a, b evidence.Record) bool {
	if a.PlanTOML == "" || a.PlanTOML != b.PlanTOML {
		return false
	}
	x, y := invocations(a), invocations(b)
	return len(x) > 0 && slices.Equal(x, y)
}

// invocations are the time stamps of the invocations that a record's runs were
// made in, as they stand in the runs' names; nil where a name has none.
func invocations(r evidence.Record) []string {
	names := make([]string, 0, 1+len(r.Members))
	if r.Kind == evidence.RepeatsRecord {
		for _, m := range r.Members {
			names = append(names, m.Slug)
		}
	} else if id, ok := r.Subject.SourceRunID.Get(); ok {
		names = append(names, id)
	}
	var out []string
	for _, name := range names {
		s, ok := stamp(name)
		if !ok {
			return nil
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

// stamp is the moment in a run's name, PLAN-20261129T172301Z-POINT-rN in lower
// case, which all runs of one invocation share.
func stamp(name string) (string, bool) {
	const form = "-00000000t000000z-"
	for i := 0; i+len(form) <= len(name); i++ {
		if isForm(name[i:i+len(form)], form) {
			return name[i+1 : i+len(form)-1], true
		}
	}
	return "", false
}

// isForm reports whether a text has digits where the form has zeros, and the
// form's own characters elsewhere.
func isForm(s, form string) bool {
	for i := range len(form) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}
