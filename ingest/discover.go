package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// maxDepth is how deep folders are searched for runs.
const maxDepth = 16

// job is one source to be read.
type job struct {
	source adapter.Source
	// shown is the path that messages use.
	shown string
	// outside is set for a source outside of the site, which is copied to
	// source.Unit when it has been read.
	outside bool
	// meant is set where somebody put the source to be read: it is refused if no
	// adapter knows it.
	meant bool
	fault error // why it can't lie in the site

	adapter adapter.Adapter  // from here on: once it was looked at
	inputs  []evidence.Input // the files that it is read from

	id   string // what the folder's content calls itself; empty: nothing
	head string // SHA-256 of the head file
}

// discover finds what may be a source in the site's logs, records and imports,
// in the archive, and at the paths. No file is opened yet, but those that may lie
// beside others.
func (s *site) discover(paths []string) ([]job, error) {
	f := newFinder(s)
	for _, name := range siteDirs() {
		dir := filepath.Join(s.dir, name)
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("opening the site's %s: %w", name, err)
		}
		if err := f.folder(dir, name, 0, false); err != nil {
			return nil, err
		}
	}
	if err := f.archive(); err != nil {
		return nil, err
	}
	for _, p := range paths {
		if err := f.given(p); err != nil {
			return nil, err
		}
	}
	return f.jobs, nil
}

// siteDirs are the folders of a site that hold sources.
func siteDirs() []string { return []string{logsDir, recordsDir, importsDir} }

// archive finds the record files that come with the program.
func (f *finder) archive() error {
	if f.site.options.Archive == nil {
		return nil
	}
	names, err := fs.Glob(f.site.options.Archive, "*.toml")
	if err != nil {
		return fmt.Errorf("looking into the archive: %w", err)
	}
	for _, name := range names {
		f.add(adapter.Source{Unit: path.Join(ArchiveDir, name), Name: name, FS: f.site.options.Archive}, false, true)
	}
	return nil
}

type finder struct {
	site       *site
	jobs       []job
	seen       []string                     // paths outside that were given, absolute
	root       string                       // the folder outside that is looked through, as given; empty: none
	heads      []string                     // all names of head files
	companions map[string][]adapter.Adapter // by the names that they look for beside others
}

func newFinder(s *site) *finder {
	f := &finder{site: s, companions: map[string][]adapter.Adapter{}}
	for _, a := range s.options.Registry.All() {
		if folder, ok := a.(adapter.Folder); ok {
			f.heads = append(f.heads, folder.Heads()...)
		}
		if b, ok := a.(adapter.Beside); ok {
			for _, name := range b.Companions() {
				f.companions[name] = append(f.companions[name], a)
			}
		}
	}
	return f
}

// given looks at one path of the command line. What is inside of the site's own
// folders was found already.
func (f *finder) given(p string) error {
	inside, abs, err := f.inSite(p)
	if err != nil {
		f.site.refuse(p, err)
		return nil
	}
	if inside || slices.Contains(f.seen, abs) {
		return nil
	}
	f.seen = append(f.seen, abs)
	info, err := os.Stat(abs)
	if err != nil {
		f.site.refuse(p, err)
		return nil
	}
	if info.Mode().IsRegular() {
		f.add(adapter.Source{Unit: filepath.ToSlash(p), Dir: filepath.Dir(abs), Name: filepath.Base(abs)}, true, true)
		return nil
	}
	if !info.IsDir() {
		f.site.refuse(p, &adapter.RefusedError{Why: "it is " + kindOf(info.Mode()) + ", neither a file nor a folder"})
		return nil
	}
	f.root = filepath.ToSlash(p)
	defer func() { f.root = "" }()
	before, refused := len(f.jobs), len(f.site.report.Refused)
	if err := f.folder(abs, filepath.ToSlash(p), 0, true); err != nil {
		return err
	}
	if len(f.jobs) == before && len(f.site.report.Refused) == refused {
		f.site.refuse(p, &adapter.RefusedError{Why: "there is no run and no result file in this folder", Hint: "looked for " + strings.Join(f.heads, ", ") + ", and into every file"})
	}
	return nil
}

// inSite reports whether a path is one of the site's folders of sources, or
// below one.
func (f *finder) inSite(p string) (bool, string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return false, "", err
	}
	for _, name := range siteDirs() {
		dir, err := filepath.Abs(filepath.Join(f.site.dir, name))
		if err != nil {
			return false, "", err
		}
		if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
			return true, abs, nil
		}
	}
	return false, abs, nil
}

// folder finds the sources in a folder: itself, if it is one, or what is in it.
func (f *finder) folder(dir, shown string, depth int, outside bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && depth > 0 {
		f.site.refuse(shown, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for runs: %w", err)
	}
	if f.isUnit(dir, entries, shown, outside) {
		return nil
	}
	for _, e := range entries {
		name := path.Join(shown, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.Type()&fs.ModeSymlink != 0:
			f.site.note(name, "is a link and is left aside")
		case e.IsDir() && depth >= maxDepth:
			f.site.refuse(name, &adapter.RefusedError{Why: fmt.Sprintf("it lies more than %d folders deep and is not looked into", maxDepth), Hint: "give it by its path"})
		case e.IsDir():
			if err := f.folder(filepath.Join(dir, e.Name()), name, depth+1, outside); err != nil {
				return err
			}
		case e.Type().IsRegular():
			f.strayFile(dir, e.Name(), name, outside)
		default:
			f.site.refuse(name, &adapter.RefusedError{Why: "it is " + kindOf(e.Type()) + ", neither a file nor a folder"})
		}
	}
	return nil
}

// kindOf names what is neither a file nor a folder.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	case mode.IsDir():
		return "a folder"
	}
	return "something else"
}

// isUnit reports whether the folder is one source, and makes it a job.
func (f *finder) isUnit(dir string, entries []fs.DirEntry, shown string, outside bool) bool {
	for _, head := range f.heads {
		if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == head && e.Type().IsRegular() }) {
			continue
		}
		f.jobs = append(f.jobs, job{source: adapter.Source{Unit: shown, Dir: dir, Name: head, IsDir: true}, shown: shown, outside: outside, meant: true})
		return true
	}
	return false
}

// strayFile is a file that is in no run's folder: a source by itself if an
// adapter knows it. Among the runs it is left aside otherwise. A record that was
// written down, a file among the imports and one in a folder that was given are
// refused: nobody puts them there to have them left aside.
func (f *finder) strayFile(dir, name, shown string, outside bool) {
	src := adapter.Source{Unit: shown, Dir: dir, Name: name}
	if f.isCompanion(src) {
		return
	}
	meant := outside || strings.HasPrefix(shown, importsDir+"/") || strings.HasPrefix(shown, recordsDir+"/") && strings.HasSuffix(name, ".toml")
	f.add(src, outside, meant)
}

// isCompanion reports whether a file only says something about those beside it:
// an adapter looks for it beside others and does not claim it by itself.
func (f *finder) isCompanion(src adapter.Source) bool {
	found := false
	for _, a := range f.companions[src.Name] {
		if prefix, err := src.Prefix(); err == nil && a.Sniff(prefix, src.Name).Is {
			return false
		}
		found = true
	}
	return found
}

// add makes a job of a file. One from outside is to lie in the site.
func (f *finder) add(src adapter.Source, outside, meant bool) {
	j := job{source: src, shown: src.Unit, outside: outside, meant: meant}
	if outside {
		j.source.Unit, j.fault = f.placeOf(j.shown)
		if base := path.Base(j.source.Unit); base != src.Name {
			j.source.As = base
		}
	}
	f.jobs = append(f.jobs, j)
}
