package runner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"benchline/runner/internal/pace"
	"benchline/runner/internal/probe"
	"benchline/runner/internal/target"
	"benchline/runner/internal/workload"
	"benchline/runner/plan"
	"benchline/runner/reqlog"
)

// gcPercent is the garbage collector's target while a plan runs: it works a
// quarter as often as by default, for some tens of megabytes.
const gcPercent = 400

// session is the running of one plan.
type session struct {
	o         Options
	plan      plan.Plan
	spec      plan.Spec
	key       string
	web       *http.Client // for everything but what is measured
	source    *workload.Source
	facts     []reqlog.Fact
	simulated bool
	fileLimit int64
	runs      []one
	began     time.Time
}

// one is one run that is to be made.
type one struct {
	point  plan.Point
	repeat int
	id     string
}

// Run runs a plan: every point, as often as it is repeated. It returns the
// runs that were finished, also when it returns an error: a [*PreflightError] before
// the first run; [ErrInterrupted] when ctx ended; [ErrLog] when the log could
// not be written. The repeats are the outer loop.
func Run(ctx context.Context, p plan.Plan, o Options) ([]Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &session{o: o, plan: p, spec: p.Spec(), began: o.Clock()}
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	s.web = s.client()
	defer s.web.CloseIdleConnections()
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	var results []Result
	for i, r := range s.runs {
		if ctx.Err() != nil {
			return results, ErrInterrupted
		}
		result, err := s.run(ctx, r, i)
		if result.Dir != "" {
			results = append(results, result)
		}
		if err != nil {
			return results, fmt.Errorf("run %s: %w", r.id, err)
		}
	}
	if ctx.Err() != nil && slices.ContainsFunc(results, interrupted) {
		return results, ErrInterrupted
	}
	return results, nil
}

func interrupted(r Result) bool { return r.Manifest.State == reqlog.Interrupted }

// client is for the questions that are asked beside the measurement.
func (s *session) client() *http.Client {
	t := &http.Transport{DialContext: s.o.Dial, TLSClientConfig: s.o.TLS.Clone(), MaxIdleConnsPerHost: 2, IdleConnTimeout: 10 * time.Second}
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// prepare does what comes before the first run and makes no folder.
func (s *session) prepare(ctx context.Context) error {
	if name := s.spec.Endpoint.KeyEnv; name != "" {
		if s.key = s.o.Getenv(name); s.key == "" {
			return &PreflightError{Kind: WrongKey, Msg: "the plan's key is to be in the environment variable " + name + ", which is not set"}
		}
	}
	s.list()
	for _, r := range s.runs {
		if _, err := os.Lstat(filepath.Join(s.o.Out, r.id)); err == nil {
			return &PreflightError{Kind: FolderExists, Msg: "the run folder " + filepath.Join(s.o.Out, r.id) + " exists already", Err: reqlog.ErrExists}
		}
	}
	var fault *PreflightError
	if s.fileLimit, fault = files(s.plan.Needs().Sockets); fault != nil {
		return fault
	}
	list, err := words(s.spec, s.o.PlanDir)
	if err != nil {
		return &PreflightError{Kind: BadWords, Msg: "reading the word list", Err: err}
	}
	s.source, err = workload.New(s.spec.Workload, s.spec.Cache, list, s.counter())
	if err != nil {
		return &PreflightError{Kind: BadWords, Msg: "the word list does not serve", Err: err}
	}
	return s.meet(ctx)
}

// counter asks the endpoint how many tokens a text is.
func (s *session) counter() workload.Counter {
	e := s.spec.Endpoint
	return probe.Tokenizer(s.web, e.BaseURL, s.key, e.Model)
}

// meet tries the endpoint and asks it about itself.
func (s *session) meet(ctx context.Context) error {
	c, err := s.target(s.o.Clock(), nil)
	if err != nil {
		return &PreflightError{Kind: Refused, Msg: "the endpoint cannot be spoken to", Err: err}
	}
	defer c.Close()
	fault := preflight(ctx, s.spec, c)
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if fault != nil {
		return fault
	}
	if s.spec.Workload.Words == "endpoint" {
		if _, err := s.counter()(ctx, "one two three"); err != nil {
			return &PreflightError{Kind: BadWords, Msg: "the tokens of a prompt cannot be counted", Err: err}
		}
	}
	s.facts, s.simulated, err = probe.Facts(ctx, s.web, s.spec, s.key)
	if s.o.Host != nil {
		s.facts = append(s.facts, probe.Host(s.o.Host)...)
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if err != nil {
		return &PreflightError{Kind: Unreachable, Msg: "asking the endpoint about itself", Err: err}
	}
	if err := os.MkdirAll(s.o.Out, 0o755); err != nil {
		return fmt.Errorf("making the output folder: %w", err)
	}
	return nil
}

// list names the runs, in the order in which they are made.
func (s *session) list() {
	stamp := strings.ToLower(s.o.Stamp.UTC().Format("20060102T150405Z"))
	for repeat := 1; repeat <= s.spec.Repeats; repeat++ {
		for _, pt := range s.plan.Points() {
			id := fmt.Sprintf("%s-%s-%s-r%d", s.spec.Name, stamp, pt.Slug, repeat)
			s.runs = append(s.runs, one{pt, repeat, id})
		}
	}
}

// target makes a client whose times begin at start.
func (s *session) target(start time.Time, l *live) (*target.Client, error) {
	cfg := target.Config{
		Endpoint: s.spec.Endpoint, Timeouts: s.spec.Timeouts,
		IgnoreEOS: s.spec.Workload.IgnoreEOS, Temperature: s.spec.Workload.Temperature, KeepText: s.spec.Workload.KeepText,
		Key: s.key, Agent: s.o.Tool, Start: start, Dial: s.o.Dial, TLS: s.o.TLS,
	}
	if l != nil {
		cfg.Chunks = &l.chunks
	}
	return target.New(cfg)
}

// run makes one run: its folder, its requests, its log.
func (s *session) run(ctx context.Context, r one, index int) (Result, error) {
	dir := filepath.Join(s.o.Out, r.id)
	start := s.o.Clock()
	h := reqlog.Header{
		RunID: r.id, Plan: s.spec.Name, PlanHash: s.plan.Hash(), Family: s.spec.Family,
		Point: r.point, Repeat: r.repeat, Repeats: s.spec.Repeats, Tool: s.o.Tool,
		WallStart: start.UTC(), Simulated: s.simulated,
	}
	if r.point.Arrivals == plan.Poisson {
		seed := pace.Seed(s.spec.Workload.Seed, r.repeat, string(reqlog.MeasurePhase))
		h.ArrivalSeed = &seed
	}
	w, err := reqlog.Create(dir, h, s.plan.Source(), reqlog.WriterOptions{Elapsed: func() time.Duration { return time.Since(start) }})
	if errors.Is(err, reqlog.ErrExists) {
		return Result{}, &PreflightError{Kind: FolderExists, Msg: "the run folder " + dir + " exists already", Err: reqlog.ErrExists}
	}
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrLog, err)
	}
	l := new(live)
	c, err := s.target(start, l)
	if err != nil {
		return Result{}, errors.Join(err, w.Close())
	}
	defer c.Close()
	defer s.source.Forget(r.id)
	e := &execution{session: s, one: r, start: start, log: w, client: c, live: l}
	e.progress = startProgress(s, r, index, start, l)
	m, err := e.carryOut(ctx)
	if errors.Is(err, ErrLog) {
		e.progress.end()
		_ = w.Close() // fails for the reason that err names
		return Result{}, err
	}
	e.progress.stage(Writing)
	m, finishErr := w.Finish(m)
	e.progress.end()
	if finishErr != nil {
		return Result{}, errors.Join(err, fmt.Errorf("%w: %w", ErrLog, finishErr))
	}
	return Result{Dir: dir, RunID: r.id, Manifest: m}, err
}
