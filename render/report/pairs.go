package report

import (
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// pairs remembers the verdicts on pairs of records: a load curve asks for each
// several times, once for every statistic.
type pairs struct{ seen map[[2]string]compare.Verdict }

func newPairs() *pairs { return &pairs{seen: map[[2]string]compare.Verdict{}} }

// verdict is that of the two records, whichever comes first.
func (p *pairs) verdict(a, b *evidence.Record) compare.Verdict {
	if b.Slug < a.Slug {
		a, b = b, a
	}
	key := [2]string{a.Slug, b.Slug}
	v, ok := p.seen[key]
	if !ok {
		v = compare.Compare(*a, *b)
		p.seen[key] = v
	}
	return v
}

// AlongLoad reports whether two records may stand on one frontier: nothing
// differs between them but how much load was asked for. Points of two
// workloads, or of a cold and a warm cache, may be compared, but nobody
// chooses between them.
func AlongLoad(v compare.Verdict) bool {
	if v.Kind != compare.Controlled {
		return false
	}
	_, ok := steps(v)
	return ok || len(v.Why) == 0
}

// steps names the one dimension of load that differs between two records, if
// nothing else does: along it a line may be drawn.
func steps(v compare.Verdict) (string, bool) {
	if v.Kind != compare.Controlled || len(v.Why) != 1 {
		return "", false
	}
	i := slices.IndexFunc(v.Dimensions, func(d compare.Dimension) bool { return d.Name == v.Why[0] && d.State == compare.Differs })
	if i < 0 || v.Dimensions[i].Group != compare.Load {
		return "", false
	}
	return v.Why[0], true
}

// shares reports whether the verdict allows a number of each of the metrics.
func shares(v compare.Verdict, ids ...measure.MetricID) bool {
	for _, id := range ids {
		if !slices.Contains(v.Metrics, id) {
			return false
		}
	}
	return true
}

// mostNamed is how many dimensions a note names.
const mostNamed = 4

// apartWords says why no line joins two points.
func apartWords(v compare.Verdict) string {
	switch {
	case v.Kind == compare.Controlled && len(v.Why) == 0:
		return "they are repeats of one point"
	case v.Kind == compare.Controlled:
		return "they differ in " + list(v.Why) + ", which is no load"
	case v.Kind == compare.NotComparable:
		return "not comparable (" + some(v.Why) + ")"
	}
	differ := dimensionsIn(v, compare.Differs)
	gaps := dimensionsIn(v, compare.NotStated)
	switch {
	case len(gaps) == 0:
		return "more than the load differs (" + some(differ) + ")"
	case len(differ) == 0:
		return "more than the load may differ (not stated: " + some(gaps) + ")"
	}
	return "more than the load may differ (" + some(differ) + "; not stated: " + some(gaps) + ")"
}

func dimensionsIn(v compare.Verdict, state compare.State) []string {
	var names []string
	for _, d := range v.Dimensions {
		if d.Counts && d.State == state {
			names = append(names, d.Name)
		}
	}
	return names
}

// some names the first of a list and counts the others.
func some(names []string) string {
	if len(names) <= mostNamed {
		return list(names)
	}
	return strings.Join(names[:mostNamed-1], ", ") + fmt.Sprintf(" and %d more", len(names)-mostNamed+1)
}
