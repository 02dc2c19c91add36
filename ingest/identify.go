package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// identify asks each folder for its ID and settles who may have it. It returns
// the jobs to be done; the others were refused or noted.
func (s *site) identify(jobs []job) []job {
	var files, named []job
	for _, j := range jobs {
		folder, ok := j.adapter.(adapter.Folder)
		if !ok || !j.source.IsDir {
			files = append(files, j)
			continue
		}
		if err := s.name(&j, folder); err != nil {
			s.turnDown(j, err)
			continue
		}
		named = append(named, j)
	}
	out := s.settleFiles(files)
	byID := map[string][]job{}
	for _, j := range named {
		byID[j.id] = append(byID[j.id], j)
	}
	for _, same := range byID {
		if j, ok := s.settle(same); ok {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(a, b job) int { return cmp.Compare(a.source.Unit, b.source.Unit) })
	return out
}

// name finds out what the folder calls itself.
func (s *site) name(j *job, folder adapter.Folder) error {
	var err error
	if j.id, err = folder.Identify(j.source); err != nil {
		return err
	}
	if !evidence.IsFolder(j.id) {
		return &adapter.RefusedError{Why: fmt.Sprintf("its ID %q can't be the name of a folder", j.id)}
	}
	in, err := s.hashes.file(j.source.FilePath())
	if err != nil {
		return err
	}
	j.head = in.SHA256
	return nil
}

// settle chooses among the jobs with one ID. Those in the site come before
// those outside, the one in the folder of that name before others; the order in
// which they were found decides nothing.
func (s *site) settle(same []job) (job, bool) {
	slices.SortFunc(same, func(a, b job) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.shown, b.shown))
	})
	first := same[0]
	if clash := s.clashes(same); len(clash) > 0 {
		for _, j := range clash {
			s.turnDown(j, &adapter.RefusedError{Why: fmt.Sprintf("run ID %s stands twice with other content: %s", j.id, shownOf(same)),
				Hint: "take out the one that is wrong; a run is never changed or run again under its ID"})
		}
		if slices.ContainsFunc(clash, func(j job) bool { return j.shown == first.shown }) {
			return job{}, false
		}
	}
	for _, j := range same[1:] {
		if j.head == first.head {
			s.note(j.shown, "already present as "+first.shown)
		}
	}
	if first.outside {
		first.source.Unit = path.Join(logsDir, first.id)
		return first, true
	}
	if path.Base(first.source.Unit) != first.id {
		s.turnDown(first, &adapter.RefusedError{Why: fmt.Sprintf("the folder holds run %s", first.id), Hint: "rename the folder to the run's ID"})
		return job{}, false
	}
	return first, true
}

func rank(j job) int {
	switch {
	case j.outside:
		return 2
	case path.Base(j.source.Unit) != j.id:
		return 1
	}
	return 0
}

// clashes are the jobs to be refused because others have their ID. What is in
// the site's folder of that name stays; among equals none does.
func (s *site) clashes(same []job) []job {
	first := same[0]
	var clash []job
	equals := false
	for _, j := range same[1:] {
		if j.head != first.head {
			clash = append(clash, j)
			equals = equals || rank(j) == rank(first)
		}
	}
	if equals {
		return same
	}
	return clash
}

func shownOf(jobs []job) string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.shown)
	}
	return strings.Join(names, ", ")
}
