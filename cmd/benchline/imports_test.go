package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// importPolicy is a statement of policy, in the notation of the Go tree's own
// deps test: in "a < b", b may import a, and everything that a may. Do not
// change it to make a build pass: move the code, or say in the commit why the
// boundary was wrong. TOOL stands for any adapter folder. An adapter may use
// summarize: per-request rows of a foreign file are computed by the same code as
// our own, not by a copy of it. Verify may use compare: it gives the verdicts on
// built pages again, and a second set of rules for that would only differ.
const importPolicy = `
	NONE < runner/plan, runner/sim, ingest/measure, ingest/tomlfile, templates, assets, content;
	runner/plan < runner/reqlog, runner/internal/pace, runner/internal/target, runner/internal/workload;
	runner/reqlog < runner/internal/probe;
	runner/internal/workload < runner/internal/probe;
	runner/plan, runner/reqlog, runner/internal/pace, runner/internal/target,
		runner/internal/workload, runner/internal/probe < runner;
	ingest/measure < ingest/evidence;
	runner/reqlog, ingest/evidence < ingest/limits;
	ingest/evidence < ingest/adapter;
	ingest/limits < ingest/compare, ingest/consistency, ingest/summarize;
	ingest/adapter, ingest/consistency < ingest/adapter/foreign;
	ingest/adapter < ingest/adapter/grid, ingest/adapter/adaptertest;
	ingest/adapter/adaptertest < ingest/adapter/foreign/foreigntest;
	ingest/adapter/foreign, ingest/adapter/grid, ingest/summarize < ingest/adapter/TOOL;
	ingest/adapter/TOOL, ingest/tomlfile < ingest/adapter/recovered;
	ingest/adapter, ingest/summarize < ingest/adapter/own;
	ingest/adapter/own, ingest/adapter/TOOL < ingest/adapter/all;
	ingest/adapter, ingest/summarize < ingest;
	ingest/adapter/own, ingest/adapter/recovered, ingest/compare < ingest/verify;
	ingest/adapter/own < ingest/adapter/own/owntest;
	ingest/evidence, ingest/compare, ingest/consistency < render/report;
	render/report, ingest/tomlfile < render/pack;
	render/report, ingest/measure < render/internal/chart, render/internal/prose;
	render/report < render/internal/figurelint;
	render/internal/chart, render/internal/prose, render/internal/figurelint, render/pack < render/internal/page;
	render/pack < render/internal/sheet;
	render/internal/page, render/internal/sheet < render;
	runner, runner/sim, ingest, ingest/adapter/all, ingest/verify, render,
		templates, assets, content < cmd/benchline;
	ingest !< runner;
	render !< runner;
	runner !< ingest;
	runner !< render;
	render !< ingest;
	ingest !< render;
`

// thirdParty says in which rooms a module may be imported by code that is not
// a test.
func thirdParty() map[string][]string {
	return map[string][]string{
		"github.com/BurntSushi/toml":       {"runner/plan", "render", "render/internal/prose", "ingest/tomlfile", "ingest/adapter/foreign"},
		"github.com/parquet-go/parquet-go": {"runner/reqlog"},
		"github.com/go-echarts/go-echarts": {"render/internal/chart"},
		"github.com/yuin/goldmark":         {"render/internal/prose"},
		"github.com/xuri/excelize":         {"render/internal/sheet"},
		"github.com/spf13/pflag":           {"cmd/benchline"},
		"github.com/spf13/cobra":           {"cmd/benchline"},
		"github.com/vbauerster/mpb":        {"cmd/benchline"},
		"github.com/prometheus/common":     {"runner/internal/probe"},
		"github.com/HdrHistogram":          {"runner"},
		"golang.org/x/perf":                {"ingest/compare"},
		"github.com/aclements/go-moremath": {"ingest/compare"}, // the distribution behind benchmath's U test
		"gonum.org/v1/gonum":               {"ingest/measure"},
		"golang.org/x/net":                 {"ingest/verify", "render"},
		"golang.org/x/term":                {"cmd/benchline"},
		"golang.org/x/sys":                 {"runner", "cmd/benchline"},
		"github.com/klauspost/compress":    {"runner/reqlog"},
		"github.com/google/go-cmp":         {"ingest/adapter/foreign/foreigntest"}, // what tests have in common
	}
}

func TestImportsFollowThePolicy(t *testing.T) {
	may, never := readPolicy(t, importPolicy)
	for pkg, imports := range goImports(t, "../..") {
		room := pkg
		if _, known := may[room]; !known && path.Dir(pkg) == "ingest/adapter" {
			room = "ingest/adapter/TOOL"
		}
		allowed, known := may[room]
		if !known {
			t.Errorf("package %s is not in the import policy", pkg)
			continue
		}
		for _, imp := range imports {
			own, ok := strings.CutPrefix(imp, "benchline/")
			switch {
			case ok && room == "ingest/adapter/all" && path.Dir(own) == "ingest/adapter":
			case ok && !allowed[own]:
				t.Errorf("%s imports %s: not in the import policy", pkg, own)
			case ok && never[[2]string{own, room}]:
				t.Errorf("%s imports %s: the policy forbids it by name", pkg, own)
			case !ok && strings.Contains(strings.Split(imp, "/")[0], "."):
				checkThirdParty(t, pkg, imp)
			}
		}
	}
}

func checkThirdParty(t *testing.T, pkg, imp string) {
	t.Helper()
	for module, rooms := range thirdParty() {
		if imp != module && !strings.HasPrefix(imp, module+"/") {
			continue
		}
		for _, room := range rooms {
			if pkg == room {
				return
			}
		}
		t.Errorf("%s imports %s, which may be imported in %s only", pkg, imp, strings.Join(rooms, ", "))
		return
	}
	t.Errorf("%s imports %s: give that module a room in thirdParty", pkg, imp)
}

// goImports reads the files with go/parser rather than asking the go command,
// whose answer would be served from the test cache after an edit.
func goImports(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string]map[string]bool{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && d.Name() != ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(p))
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(rel)
		if found[pkg] == nil {
			found[pkg] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[pkg][imp] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("found only %d packages below %s", len(found), root)
	}
	sorted := map[string][]string{}
	for pkg, imports := range found {
		for imp := range imports {
			sorted[pkg] = append(sorted[pkg], imp)
		}
		sort.Strings(sorted[pkg])
	}
	return sorted
}

// readPolicy returns what each package may import (transitively closed) and
// the pairs that are forbidden by name.
func readPolicy(t *testing.T, text string) (may map[string]map[string]bool, never map[[2]string]bool) {
	t.Helper()
	may, never = map[string]map[string]bool{}, map[[2]string]bool{}
	for _, rule := range strings.Split(text, ";") {
		rule = strings.Join(strings.Fields(rule), " ")
		if rule == "" {
			continue
		}
		if left, right, ok := strings.Cut(rule, " !< "); ok {
			never[[2]string{left, right}] = true
			continue
		}
		left, right, ok := strings.Cut(rule, " < ")
		if !ok {
			t.Fatalf("import policy: cannot read %q", rule)
		}
		for _, to := range strings.Split(right, ", ") {
			if may[to] == nil {
				may[to] = map[string]bool{}
			}
			for _, from := range strings.Split(left, ", ") {
				if from == "NONE" {
					continue
				}
				if may[from] == nil {
					t.Fatalf("import policy: %s is used before it is placed", from)
				}
				may[to][from] = true
				for below := range may[from] {
					may[to][below] = true
				}
			}
		}
	}
	return may, never
}

func TestImportPolicyReader(t *testing.T) {
	may, never := readPolicy(t, "NONE < a; a < b; b < c; c !< a;")
	if !may["c"]["a"] || may["a"]["b"] || may["b"]["c"] {
		t.Errorf("closure is wrong: %v", may)
	}
	if !never[[2]string{"c", "a"}] {
		t.Errorf("negative rule is lost: %v", never)
	}
}
