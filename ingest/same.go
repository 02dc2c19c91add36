package ingest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// refuseSameSlugs takes out the records of units that name a record alike. What
// lies in the site stays, and a file that was given from outside is not taken in;
// among equals none is, so that the order of files decides nothing.
func (s *site) refuseSameSlugs() error {
	units := map[string][]string{}
	for _, u := range s.kept {
		for _, e := range u.Records {
			units[e.Slug] = append(units[e.Slug], u.Name)
		}
	}
	var errs []error
	s.kept = slices.DeleteFunc(s.kept, func(u evidence.Stored) bool {
		for _, e := range u.Records {
			if names := units[e.Slug]; len(names) > 1 && !s.staysAmong(u.Name, names) {
				errs = append(errs, s.refuseSameSlug(u, e.Slug, names))
				return true
			}
		}
		return false
	})
	return errors.Join(errs...)
}

// staysAmong reports whether a unit is the only one of those with one name that
// lay in the site already.
func (s *site) staysAmong(unit string, names []string) bool {
	inSite := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return s.taken[name] != "" })
	return len(inSite) == 1 && inSite[0] == unit
}

func (s *site) refuseSameSlug(u evidence.Stored, slug string, names []string) error {
	names = slices.Sorted(slices.Values(names))
	why := &adapter.RefusedError{Why: fmt.Sprintf("several sources give a record named %s: %s", slug, strings.Join(names, ", ")), Hint: "give one of them another name"}
	given, fromOutside := s.taken[u.Name]
	if !fromOutside {
		s.refuse(u.Name, why)
		return s.store.Remove(u.File)
	}
	s.refuse(given, why)
	return errors.Join(s.store.Remove(u.File), os.Remove(filepath.Join(s.dir, filepath.FromSlash(u.Name))))
}

// noteSameRuns notes imported files that give themselves one run ID and have other
// content: each is kept under the name of its file, and none counts for another.
func (s *site) noteSameRuns() {
	units := map[string][]string{}
	for _, u := range s.kept {
		if !strings.HasPrefix(u.Name, importsDir+"/") {
			continue
		}
		for _, e := range u.Records {
			if e.RunID != "" && !slices.Contains(units[e.RunID], u.Name) {
				units[e.RunID] = append(units[e.RunID], u.Name)
			}
		}
	}
	for _, id := range sortedKeys(units) {
		names := slices.Sorted(slices.Values(units[id]))
		for _, name := range names[1:] {
			s.note(name, fmt.Sprintf("has the run ID %q of %s and other content: both are kept, each under the name of its file", id, names[0]))
		}
	}
}
