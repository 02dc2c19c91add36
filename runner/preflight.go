package runner

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"benchline/runner/internal/target"
	"benchline/runner/internal/workload"
	"benchline/runner/plan"
)

// spareFiles is how many files a process opens beside its connections.
const spareFiles = 64

// preflight looks, before a run folder is made, for what would make every
// request fail. It sends one request of one token, which no log holds: only
// so is it known that key, model and streaming are right. It may load the
// model, and it does not touch the prompts that are measured.
func preflight(ctx context.Context, spec plan.Spec, c *target.Client) *PreflightError {
	p, err := c.Prepare("benchline-preflight", "benchline asks for one word before it measures", 1)
	if err != nil {
		return &PreflightError{Kind: Refused, Msg: "the request cannot be made", Err: err}
	}
	r := c.Do(ctx, p, nil)
	if r.Outcome == target.Completed || r.Outcome == target.Stopped {
		return nil
	}
	f := &PreflightError{Msg: fmt.Sprintf("%s does not serve the plan: %s", spec.Endpoint.BaseURL, says(r))}
	f.Kind, f.Hint = explain(r, spec)
	return f
}

func says(r target.Result) string {
	s := string(r.Class)
	if r.Status != 0 && r.Status != 200 {
		s = fmt.Sprintf("HTTP %d", r.Status)
	}
	if r.ErrorText != "" {
		s += ": " + r.ErrorText
	}
	return s
}

// explain says what kind of fault a result is and what may help.
func explain(r target.Result, spec plan.Spec) (Kind, string) {
	is := func(classes ...target.Class) bool { return slices.Contains(classes, r.Class) }
	switch {
	case is(target.DialFailed, target.ConnectTimeout, target.ConnectionLost):
		return Unreachable, "is it running, and is the address right?"
	case is(target.TLSFailed):
		return TLSProblem, "does it speak https, and is its certificate trusted here?"
	case is(target.Unauthorized, target.Forbidden) && spec.Endpoint.KeyEnv == "":
		return WrongKey, "name the environment variable that holds the key in key_env"
	case is(target.Unauthorized, target.Forbidden):
		return WrongKey, "is the key in " + spec.Endpoint.KeyEnv + " the right one?"
	case is(target.NotFound):
		return WrongModel, fmt.Sprintf("is %q a model that it serves, and does the address end before /v1?", spec.Endpoint.Model)
	case is(target.HTMLBody, target.BadResponse, target.NotAStream, target.Redirected):
		return NotAnAPI, "is the address that of the API, and does it stream?"
	case is(target.TooMany, target.Unavailable):
		return NotReady, "wait until it has loaded its model, or has work to spare"
	case r.Outcome == target.TimedOut:
		return NotReady, "is it still loading its model? the plan's timeouts hold here too"
	case r.Status == http.StatusBadRequest && spec.Workload.IgnoreEOS:
		return Refused, "if it does not know ignore_eos, set ignore_eos = false"
	default:
		return Refused, ""
	}
}

// words reads the plan's word list, or gives the built-in one.
func words(spec plan.Spec, dir string) ([]string, error) {
	if spec.Workload.WordList == "" {
		return workload.Words(), nil
	}
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(spec.Workload.WordList)))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	return workload.ReadWords(f)
}

// files makes sure that as many connections can be open as the plan needs.
func files(sockets int) (int64, *PreflightError) {
	need := int64(sockets) + spareFiles
	limit, err := openFiles(need)
	if err != nil {
		return 0, &PreflightError{Kind: TooFewFiles, Msg: "the limit on open files is not known", Err: err}
	}
	if limit < need {
		return limit, &PreflightError{Kind: TooFewFiles,
			Msg:  fmt.Sprintf("the plan needs %d connections at once, but this process may open only %d files", sockets, limit),
			Hint: fmt.Sprintf("raise the limit with ulimit -n %d, or lower the concurrency or max_in_flight", need)}
	}
	return limit, nil
}
