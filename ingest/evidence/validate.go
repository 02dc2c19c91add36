package evidence

import (
	"fmt"
	"path"
	"strings"

	"benchline/ingest/measure"
)

// FieldError is one thing that is wrong with a record.
type FieldError struct {
	Path string // the field, as in its JSON: "values[3].amount.x"
	Msg  string
}

// FieldErrors are all the things that are wrong with a record.
type FieldErrors []FieldError

// Error lists the faults, one a line.
func (fs FieldErrors) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Path + ": " + f.Msg
	}
	return strings.Join(lines, "\n")
}

// faults gathers what is found.
type faults struct{ found FieldErrors }

func (fs *faults) add(path, format string, args ...any) {
	fs.found = append(fs.found, FieldError{Path: path, Msg: fmt.Sprintf(format, args...)})
}

// in is a check of what stands under a key: it names faults from there. Whole
// paths are put together only when there is a fault.
func (fs *faults) in(key string, check func()) {
	from := len(fs.found)
	check()
	fs.under(key, from)
}

// item is in for the i-th of a list.
func (fs *faults) item(key string, i int, check func()) {
	from := len(fs.found)
	check()
	if len(fs.found) > from {
		fs.under(fmt.Sprintf("%s[%d]", key, i), from)
	}
}

// under puts a key before the paths of the faults from the given one on.
func (fs *faults) under(key string, from int) {
	for i := from; i < len(fs.found); i++ {
		if fs.found[i].Path != "" {
			fs.found[i].Path = "." + fs.found[i].Path
		}
		fs.found[i].Path = key + fs.found[i].Path
	}
}

// Validate checks a record whole: each field is set, each text is UTF-8, each
// number finite, each name from its closed list, amounts fit their kind, values
// stand once and in the order of the metric registry. The error is [FieldErrors].
func Validate(r Record) error {
	_, err := checked(r)
	return err
}

// checked is the encoding of a record, and what [Validate] says of it.
func checked(r Record) ([]byte, error) {
	var fs faults
	line := visit(&fs, r)
	checkIdentity(&fs, r)
	checkKindAndClass(&fs, r)
	fs.in("state.cache", func() { checkCache(&fs, r.State.Cache) })
	checkLoad(&fs, r.Load)
	checkLimits(&fs, r.Limits)
	checkValues(&fs, r.Values)
	for i, d := range r.Distributions {
		fs.item("distributions", i, func() { checkDistribution(&fs, d) })
	}
	checkFiles(&fs, r)
	if len(fs.found) > 0 {
		return line, fs.found
	}
	return line, nil
}

func checkIdentity(fs *faults, r Record) {
	if !IsSlug(r.Slug) {
		fs.add("slug", "%q is no slug (see Slug)", r.Slug)
	}
	if strings.TrimSpace(r.Title) == "" {
		fs.add("title", "is empty")
	}
	if strings.TrimSpace(r.Family) == "" {
		fs.add("family", "is empty")
	}
	if r.Void != (r.VoidWhy != "") {
		fs.add("void_why", "says %q, and void is %t", r.VoidWhy, r.Void)
	}
	if len(r.Sources) == 0 {
		fs.add("sources", "a record without a source is no evidence")
	}
	for i, s := range r.Sources {
		if s.Name == "" || s.Supports == "" || s.Adapter == "" {
			fs.add(fmt.Sprintf("sources[%d]", i), "needs a name, what it supports, and who read it")
		}
		if s.SHA256 != "" && !isSHA256(s.SHA256) {
			fs.add(fmt.Sprintf("sources[%d].sha256", i), "%q is not 64 lower-case hexadecimal digits", s.SHA256)
		}
	}
}

func checkKindAndClass(fs *faults, r Record) {
	switch r.Class {
	case OwnRun, Simulated, ReportBacked, DerivedClass, RawArchive, Rerun, VendorStated, Independent, Imported:
	default:
		fs.add("class", "%q is no evidence class", r.Class)
	}
	switch r.Kind {
	case RunRecord:
		if len(r.Members) > 0 {
			fs.add("members", "a record of one run has none")
		}
	case RepeatsRecord:
		if len(r.Members) < 2 {
			fs.add("members", "a summary over repeats needs at least 2, got %d", len(r.Members))
		}
	default:
		fs.add("kind", "%q is neither %q nor %q", r.Kind, RunRecord, RepeatsRecord)
	}
	for i, m := range r.Members {
		if m.ID.IsZero() || !IsSlug(m.Slug) {
			fs.add(fmt.Sprintf("members[%d]", i), "needs the ID and the slug of a sealed record")
		}
	}
}

func checkCache(fs *faults, c Cache) {
	switch c.Kind {
	case measure.CacheCold, measure.CacheWarm, measure.CacheDisabled, measure.CacheUnstated:
		if c.Share != 0 {
			fs.add("share", "only a shared prefix has a share")
		}
	case measure.CacheShared:
		if !(c.Share > 0 && c.Share < 1) {
			fs.add("share", "a shared prefix is more than 0 and less than 1 of the prompt, got %v", c.Share)
		}
	default:
		fs.add("kind", "is not set")
	}
	if c.Declared && c.Kind == measure.CacheUnstated {
		fs.add("declared", "a state that is not stated is not declared")
	}
	if m, ok := c.Measured.Get(); ok {
		if m.CachedTokens < 0 || m.PromptTokens < 0 || m.Requests < 0 || m.Of < m.Requests {
			fs.add("measured", "%d of %d tokens, %d of %d requests", m.CachedTokens, m.PromptTokens, m.Requests, m.Of)
		}
	}
}

func checkLoad(fs *faults, l Load) {
	_, closed := l.Concurrency.Get()
	_, open := l.Rate.Get()
	if closed && open {
		fs.add("load", "is closed or open, not both")
	}
}

func checkFiles(fs *faults, r Record) {
	for i, f := range r.Files {
		at := fmt.Sprintf("files[%d]", i)
		if f.Name == "" || f.Name != path.Base(f.Path) {
			fs.add(at+".name", "%q is not the last element of %q", f.Name, f.Path)
		}
		if !isSafePath(f.Path) {
			fs.add(at+".path", "%q is not a clean path below the site folder", f.Path)
		}
		if !isSHA256(f.SHA256) || f.Bytes < 0 || f.What == "" {
			fs.add(at, "needs its length, its SHA-256 and what it is")
		}
	}
}

// isSafePath reports whether the path is relative, clean, and climbs nowhere on
// any system.
func isSafePath(p string) bool {
	return p != "" && p == path.Clean(p) && !path.IsAbs(p) && p != ".." &&
		!strings.HasPrefix(p, "../") && !strings.ContainsAny(p, "\\:\x00")
}

func isSHA256(s string) bool {
	_, err := ParseID(s)
	return err == nil
}
