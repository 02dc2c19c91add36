package render

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// job makes one or more files that depend on the same things.
type job struct {
	name  string // unique
	key   string // hash of all that the files depend on
	after bool   // needs the files of the other jobs
	make  func() ([]file, error)
}

// file is one file of the site: bytes, a copy of a file of the site folder, or
// other files of the site one after the other.
type file struct {
	path string // in the site, with slashes
	body []byte
	copy *copied
	join []string
}

// copied is a file that is copied as it is.
type copied struct {
	from   fs.FS
	path   string
	sha256 string // what it must be
	size   int64
}

// outcome is what became of a job.
type outcome struct {
	files   []made
	written int
	faults  []Diagnostic
}

// runJobs carries out the jobs on all cores. Outcomes are in the order of the
// jobs whatever the order of the work.
func runJobs(ctx context.Context, jobs []job, do func(job) outcome) []outcome {
	outcomes := make([]outcome, len(jobs))
	for _, after := range []bool{false, true} {
		if after && slices.ContainsFunc(outcomes, func(o outcome) bool { return len(stopping(o.faults)) > 0 }) {
			break // what they would be made of is not whole: the faults that count are reported
		}
		runWave(ctx, jobs, outcomes, after, do)
	}
	return outcomes
}

func runWave(ctx context.Context, jobs []job, outcomes []outcome, after bool, do func(job) outcome) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				if err := ctx.Err(); err != nil {
					outcomes[i] = outcome{faults: faultsOf(jobs[i].name, fmt.Errorf("stopped: %w", err))}
					continue
				}
				outcomes[i] = do(jobs[i])
			}
		})
	}
	for i := range jobs {
		if jobs[i].after == after {
			next <- i
		}
	}
	close(next)
	wg.Wait()
}

// checkPaths refuses two jobs' files at one path, and paths that differ only in
// case, which one file on some systems would have to hold.
func checkPaths(files []made) []Diagnostic {
	var ds []Diagnostic
	seen := map[string]string{}
	for _, f := range files {
		folded := strings.ToLower(f.Path)
		if other, ok := seen[folded]; ok {
			ds = append(ds, Diagnostic{File: f.Path, Msg: fmt.Sprintf("the site would have this file twice (the other: %s)", other)})
		}
		seen[folded] = f.Path
	}
	return ds
}

// goodPath reports whether a path of the site stays in it on every system.
func goodPath(p string) bool {
	return fs.ValidPath(p) && p != "." && p == path.Clean(p) && !strings.ContainsAny(p, "\\:\x00")
}
