package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// combine makes the summaries over records of one group, where at least two
// have evidence.
func (s *site) combine(ctx context.Context) error {
	units := slices.Clone(s.kept)
	for _, a := range s.options.Registry.All() {
		grouper, ok := a.(adapter.Grouper)
		if !ok {
			continue
		}
		groups := groupsOf(units, a.ID().String())
		for _, key := range sortedKeys(groups) {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("ingesting: %w", err)
			}
			if err := s.combineGroup(a, grouper, key, groups[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

// member is a record of a group and the file that holds it.
type member struct {
	entry evidence.Entry
	file  string
}

// groupsOf gathers the members of each group that one reader made, sorted by
// slug. A group of one is none.
func groupsOf(units []evidence.Stored, reader string) map[string][]member {
	groups := map[string][]member{}
	for _, u := range units {
		for _, e := range u.Records {
			if e.Group != "" && u.Reader == reader {
				groups[e.Group] = append(groups[e.Group], member{entry: e, file: u.File})
			}
		}
	}
	for key, ms := range groups {
		if len(ms) < 2 {
			delete(groups, key)
			continue
		}
		slices.SortFunc(ms, func(a, b member) int { return cmp.Compare(a.entry.Slug, b.entry.Slug) })
	}
	return groups
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// combineGroup brings the summary of one group up to date. What it was made of
// are the IDs of its members.
func (s *site) combineGroup(a adapter.Adapter, grouper adapter.Grouper, key string, members []member) error {
	unit := evidence.Unit{Name: "repeats/" + key, Reader: a.ID().String()}
	var slugs []string
	for _, m := range members {
		unit.Inputs = append(unit.Inputs, evidence.Input{Name: m.entry.Slug, SHA256: m.entry.ID.String()})
		slugs = append(slugs, m.entry.Slug)
	}
	old, had := s.storedUnit(unit.Name)
	if had && old.SameSource(unit) && !old.Aside {
		return s.keep(old)
	}
	records, err := s.load(members)
	if err != nil {
		return err
	}
	sealed, err := grouper.Combine(records)
	if err != nil {
		s.refuse("repeats of "+strings.Join(slugs, ", "), err)
		return nil
	}
	r := sealed.Record()
	unit.Records = []evidence.Entry{{ID: r.ID, Slug: r.Slug}}
	return s.put(unit, []evidence.Sealed{sealed}, old, had)
}

// load reads the members' records.
func (s *site) load(members []member) ([]evidence.Record, error) {
	var out []evidence.Record
	for _, m := range members {
		records, err := s.store.Records(m.file)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(records, func(r evidence.Record) bool { return r.ID == m.entry.ID })
		if i < 0 {
			return nil, fmt.Errorf("evidence file %s does not hold record %s that its first line names", m.file, m.entry.Slug)
		}
		out = append(out, records[i])
	}
	return out, nil
}
