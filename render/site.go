package render

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// Site builds the site below out. The error is [Faults] when something that an
// author can mend stopped it, and the folder is then as it was. Only files that
// changed are written; files that an earlier build wrote and this one does not
// are removed.
func Site(ctx context.Context, in Input, out string) (Result, error) {
	jobs, warnings, err := plan(&in)
	if err != nil {
		return Result{}, err
	}
	if faults := stopping(warnings); len(faults) > 0 {
		return Result{}, faults
	}
	o, err := openOutput(out)
	if err != nil {
		return Result{}, err
	}
	abs, err := filepath.Abs(out)
	if err != nil {
		return Result{}, errors.Join(err, o.close())
	}
	r, err := build(ctx, in, jobs, o, loadMemory(in.CacheDir, abs))
	if err != nil {
		err = errors.Join(err, o.discard())
	}
	return r, errors.Join(err, o.close())
}

// Check finds everything that would stop a build, and every warning, without
// writing. The error is for what keeps it from looking.
func Check(ctx context.Context, in Input) ([]Diagnostic, error) {
	jobs, ds, err := plan(&in)
	if err != nil {
		if faults, ok := errors.AsType[Faults](err); ok {
			return append(ds, faults...), nil
		}
		return nil, err
	}
	_, err = build(ctx, in, jobs, &output{}, loadMemory("", ""))
	if faults, ok := errors.AsType[Faults](err); ok {
		return append(ds, faults...), nil
	}
	return ds, err
}

// build carries out the jobs, checks the links, and tidies up.
func build(ctx context.Context, in Input, jobs []job, o *output, past memory) (Result, error) {
	outcomes := runJobs(ctx, jobs, func(j job) outcome { return carryOut(j, o, past) })
	now := memory{Format: cacheFormat, Out: past.Out, Jobs: make(map[string]remembered, len(jobs))}
	var all []made
	var failed []string
	var ds []Diagnostic
	r := Result{Records: len(in.Records)}
	for i, x := range outcomes {
		ds = append(ds, x.faults...)
		all = append(all, x.files...)
		if len(x.files) == 0 {
			failed = append(failed, jobs[i].name)
		}
		r.Written += x.written
		now.Jobs[jobs[i].name] = remembered{Key: jobs[i].key, Files: x.files}
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	all, err := describeInto(in, o, all, &r)
	if err != nil {
		return r, err
	}
	ds = append(ds, checkPaths(all)...)
	ds = append(ds, judgeLinks(all, failed, &r)...)
	if faults := stopping(ds); len(faults) > 0 {
		return r, faults
	}
	if o.root == nil {
		return r, nil
	}
	if err := finish(o, all, past, &r); err != nil {
		return r, err
	}
	return r, now.save(in.CacheDir)
}

// carryOut makes a job's files, or finds them as they were made before.
func carryOut(j job, o *output, past memory) outcome {
	if old, ok := past.Jobs[j.name]; ok && old.Key == j.key && len(old.Files) > 0 && allHeld(o, old.Files) {
		return outcome{files: old.Files}
	}
	files, err := j.make()
	if err != nil {
		return outcome{faults: faultsOf(j.name, err)}
	}
	var x outcome
	for _, f := range files {
		m, wrote, err := o.put(f)
		if err != nil {
			x.faults = append(x.faults, faultsOf(f.path, err)...)
			continue
		}
		if strings.HasSuffix(f.path, ".html") && f.copy == nil {
			facts, ds := readPage(f.path, f.body)
			m.Page = &facts
			x.faults = append(x.faults, ds...)
		}
		if wrote {
			x.written++
		}
		x.files = append(x.files, m)
	}
	return x
}

func allHeld(o *output, files []made) bool {
	for _, f := range files {
		if !o.holds(f) {
			return false
		}
	}
	return true
}

// judgeLinks checks all links. What a failed job would have made counts as made:
// its fault is reported already.
func judgeLinks(all []made, failed []string, r *Result) []Diagnostic {
	pages := map[string]pageFacts{}
	files := map[string]bool{SumsFile: true}
	for _, f := range all {
		files[f.Path] = true
		if f.Page != nil {
			pages[f.Path] = *f.Page
		}
	}
	r.Pages, r.Files = len(pages), len(files)
	for _, name := range failed {
		files[name], files[name+".html"], files[name+".md"] = true, true, true
	}
	return checkLinks(pages, files)
}

// finish puts the new files in their places, removes what is gone and writes the
// checksums last.
func finish(o *output, all []made, past memory, r *Result) error {
	keep := map[string]bool{SumsFile: true}
	for _, f := range all {
		keep[f.Path] = true
	}
	gone := map[string]bool{}
	for _, name := range o.listed() {
		gone[name] = !keep[name]
	}
	for _, job := range past.Jobs {
		for _, f := range job.Files {
			gone[f.Path] = !keep[f.Path]
		}
	}
	var names []string
	for _, name := range sortedKeys(gone) {
		if gone[name] {
			names = append(names, name)
		}
	}
	err := o.publish()
	if err != nil {
		return err
	}
	if r.Removed, err = o.remove(names); err != nil {
		return err
	}
	_, wrote, err := o.put(file{path: SumsFile, body: sums(all)})
	if err != nil {
		return err
	}
	if wrote {
		r.Written++
	}
	return o.publish()
}
