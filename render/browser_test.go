package render_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"benchline/ingest/evidence"
)

// browser opens a tab, or skips the test by name where there is no Chromium.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skipf("%s needs Chromium, which is not installed", t.Name())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	flags := []chromedp.ExecAllocatorOption{chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir())}
	for _, f := range []string{"headless", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking", "disable-component-update", "disable-sync"} {
		flags = append(flags, chromedp.Flag(f, true))
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// watch collects what a page complains of and what it fetches.
type watch struct {
	mu       sync.Mutex
	problems []string
	requests []string
}

func (w *watch) see(ev any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		w.problems = append(w.problems, "console: "+string(ev.Type))
	case *runtime.EventExceptionThrown:
		w.problems = append(w.problems, "exception: "+ev.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		w.problems = append(w.problems, "log: "+ev.Entry.Text)
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, ev.Request.URL)
	}
}

func (w *watch) take() (problems, requests []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	problems, requests = w.problems, w.requests
	w.problems, w.requests = nil, nil
	return problems, requests
}

func call[P, R any](c cdp.Command[P, R], p P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, p)
		return chromedp.Void{}, err
	}
}

// lookedAt are one page of each kind.
func lookedAt() []string {
	return []string{
		"index.html", "families/index.html", "families/ladder.html", "families/overload.html", "records/index.html", "profiles/index.html", "limits/index.html",
		"limits/unresolved-tail.html", "methodology/index.html", "methodology/windows.html", "methodology/wide.html", "notes/shown.html",
		"records/overload-20261129t172300z-i128-o64-r40-r1.html", "records/void-20261129t172300z-i128-o32-c4-r1.html",
		"records/refused-20261129t172300z-i128-o32-c4-r1.html", "records/nousage-20261129t172300z-i128-o32-c4-r1.html",
		"records/hostile-overload-20261129t172300z-i128-o64-r40-r1.html",
		"compare/index.html", "compare/ladder-20261129t172300z-i128-o32-c1-r1--other-system.html", "compare/ladder-20261129t172300z-i128-o32-c1-r1--ladder-20261129t172300z-i128-o32-c8-r1.html",
		"packs/index.html", "packs/ladder.html",
	}
}

// From disk, with scripts off: every number of a headline is seen, nothing is
// fetched but files, and no page scrolls sideways on a phone.
func TestPagesInBrowserWithoutScripts(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	records := fixtures(t)
	site(t, showing(t, input(t, records)), dir)
	w := &watch{}
	do(t, ctx, call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}), call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}))
	if err := chromedp.Listen(ctx, w.see); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{360, 1440} {
		do(t, ctx, chromedp.EmulateViewport(width, 800))
		for _, name := range lookedAt() {
			do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, filepath.FromSlash(name))))
			checkWidth(t, ctx, name, width)
			checkSeen(t, ctx, name, records)
			problems, requests := w.take()
			checkQuiet(t, name, problems, requests)
		}
	}
}

// The methodology from disk, with scripts off: no page scrolls sideways on a
// phone, no drawing is wider than its column, and nothing is fetched but files.
func TestMethodologyInBrowser(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	site(t, alone(t), dir)
	w := &watch{}
	do(t, ctx, call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}), call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}))
	if err := chromedp.Listen(ctx, w.see); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{360, 1440} {
		do(t, ctx, chromedp.EmulateViewport(width, 800))
		for _, name := range append(methodologyPages(tree(t, dir)), "index.html", "limits/index.html") {
			do(t, ctx, chromedp.Navigate("file://"+filepath.Join(dir, filepath.FromSlash(name))))
			checkWidth(t, ctx, name, width)
			if n := ask[int](t, ctx, `Array.from(document.images).filter(function (i) { return !i.complete || i.naturalWidth === 0; }).length`); n > 0 {
				t.Errorf("%s: %d pictures cannot be drawn", name, n)
			}
			problems, requests := w.take()
			checkQuiet(t, name, problems, requests)
		}
	}
}

// With scripts: no complaint, also not of the security policy, and a chart that
// can be explored opens and closes.
func TestPagesInBrowserWithScripts(t *testing.T) {
	ctx := browser(t)
	dir := t.TempDir()
	site(t, showing(t, input(t, fixtures(t))), dir)
	w := &watch{}
	do(t, ctx, call(network.Enable, network.EnableParams{}), call(cdplog.Enable, cdp.Empty{}))
	if err := chromedp.Listen(ctx, w.see); err != nil {
		t.Fatal(err)
	}
	for _, name := range lookedAt() {
		do(t, ctx, chromedp.EmulateViewport(360, 800), chromedp.Navigate("file://"+filepath.Join(dir, filepath.FromSlash(name))))
		checkWidth(t, ctx, name, 360)
		if strings.HasPrefix(name, "families/l") || strings.HasPrefix(name, "records/o") {
			explore(t, ctx, name)
		}
		problems, requests := w.take()
		checkQuiet(t, name, problems, requests)
	}
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func ask[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	x, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return x
}

// explore opens each live chart of a page and sees that something is drawn.
func explore(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	const wait = `new Promise(function (done, failed) {
		var buttons = document.querySelectorAll("figure.chart .tools button"), tries = 0;
		buttons.forEach(function (b) { b.click(); });
		(function look() {
			var n = document.querySelectorAll("figure.chart .live canvas").length;
			if (n === buttons.length || tries++ > 200) { done(n + " of " + buttons.length); return; }
			setTimeout(look, 50);
		})();
	})`
	got, err := chromedp.Run(ctx, chromedp.Evaluate[string](wait, func(p *runtime.EvaluateParams) { yes := true; p.AwaitPromise = &yes }))
	if err != nil {
		t.Fatal(err)
	}
	var n, of int
	if _, err := fmt.Sscanf(got, "%d of %d", &n, &of); err != nil || n != of || of == 0 {
		t.Errorf("%s: %s charts opened", name, got)
	}
	back := ask[int](t, ctx, `document.querySelectorAll("figure.chart .tools button").forEach(function (b) { b.click(); }), document.querySelectorAll(".live").length`)
	if back != 0 {
		t.Errorf("%s: %d live charts stayed open", name, back)
	}
}

func checkWidth(t *testing.T, ctx context.Context, name string, width int64) {
	t.Helper()
	if got := ask[int64](t, ctx, `document.documentElement.scrollWidth`); got > width {
		t.Errorf("%s at %d px scrolls sideways: it is %d px wide", name, width, got)
	}
}

func checkSeen(t *testing.T, ctx context.Context, name string, records []evidence.Record) {
	t.Helper()
	slug, ok := strings.CutPrefix(strings.TrimSuffix(name, ".html"), "records/")
	if !ok || slug == "index" {
		return
	}
	const js = `Array.from(document.querySelectorAll("figure.headline:not(.plain)")).map(function (f) {
		var v = f.querySelector("[data-part=value]"), r = v.getBoundingClientRect();
		var all = ["numerator", "denominator", "window", "population", "cache", "outcomes", "source"].every(function (p) {
			var b = f.querySelector("[data-part=" + p + "]").getBoundingClientRect(); return b.width > 0 && b.height > 0; });
		return f.dataset.metric + " " + (r.width > 0 && r.height > 0 && all);
	})`
	seen := ask[[]string](t, ctx, js)
	if len(seen) < 10 {
		t.Errorf("%s: got %d headline blocks, want more", name, len(seen))
	}
	for _, s := range seen {
		if !strings.HasSuffix(s, " true") {
			t.Errorf("%s: a part of the block of %s cannot be seen", name, strings.TrimSuffix(s, " false"))
		}
	}
	if !slices.ContainsFunc(records, func(r evidence.Record) bool { return r.Slug == slug }) {
		t.Errorf("%s is the page of no record", name)
	}
}

func checkQuiet(t *testing.T, name string, problems, requests []string) {
	t.Helper()
	for _, p := range problems {
		t.Errorf("%s: %s", name, p)
	}
	for _, r := range requests {
		if !strings.HasPrefix(r, "file:") && !strings.HasPrefix(r, "data:") {
			t.Errorf("%s fetched %s", name, r)
		}
	}
}
