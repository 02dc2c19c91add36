package limits_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

// TestEveryCode holds the closed list together: each code has its page, facts
// that trigger it and facts that do not; and nothing else has.
func TestEveryCode(t *testing.T) {
	all := examples()
	for _, info := range evidence.Codes() {
		es := all[info.Code]
		hit := slices.ContainsFunc(es, func(e example) bool { return e.applies })
		miss := slices.ContainsFunc(es, func(e example) bool { return !e.applies })
		if !hit || !miss {
			t.Errorf("%s: triggered in a test %t, not triggered in one %t", info.Code, hit, miss)
		}
		for _, e := range es {
			if e.applies && e.says == "" {
				t.Errorf("%s: %q is triggered, and nothing of its sentence is held", info.Code, e.what)
			}
		}
		page, err := os.ReadFile("../../content/limits/" + string(info.Code) + ".md")
		if err != nil {
			t.Errorf("%s has no page: %v", info.Code, err)
		}
		for _, section := range []string{"\n## When it is set\n", "\n## What may still be said\n", "\n## What the author can do\n", "\n## Example\n"} {
			if _, text, found := strings.Cut(string(page), section); !found || len(strings.TrimSpace(text)) < 40 {
				t.Errorf("the page of %s says nothing under %q", info.Code, strings.TrimSpace(section))
			}
		}
		delete(all, info.Code)
	}
	for code := range all {
		t.Errorf("%s has examples and is not in the list", code)
	}
}

// TestTriggersAreFoundByName holds that the trigger of a code is the function of
// the code's own name, so that who has the one finds the other.
func TestTriggersAreFoundByName(t *testing.T) {
	functions := map[string]bool{}
	parsed(t, ".", func(_ string, file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				functions[f.Name.Name] = true
			}
		}
	})
	for name := range codeNames(t) {
		if !functions[name] {
			t.Errorf("evidence.%s has no function limits.%s", name, name)
		}
	}
}

// TestEveryTriggerIsAsked holds that no code is in the list, on its page and in
// these tests only: some program code asks its trigger.
func TestEveryTriggerIsAsked(t *testing.T) {
	asked := map[string]bool{}
	walk(t, func(dir string) {
		parsed(t, dir, func(_ string, f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "limits" {
						asked[s.Sel.Name] = true
					}
				}
				return true
			})
		})
	})
	for name := range codeNames(t) {
		if !asked[name] {
			t.Errorf("nobody asks limits.%s: its limit is never noted", name)
		}
	}
}

// walk visits the folders of the program other than this one.
func walk(t *testing.T, visit func(dir string)) {
	t.Helper()
	const here = "ingest/limits"
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel("../..", path)
		if err == nil && d.IsDir() && filepath.ToSlash(rel) != here {
			visit(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// codeNames are the constants of the codes.
func codeNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	parsed(t, "../evidence", func(path string, file *ast.File) {
		if filepath.Base(path) != "codes.go" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
				names[spec.Names[0].Name] = true
			}
			return true
		})
	})
	if len(names) != len(evidence.Codes()) {
		t.Fatalf("%d constants for %d codes", len(names), len(evidence.Codes()))
	}
	return names
}

// TestNobodyElseMakesLimits holds that a limit is decided on here and nowhere
// else: no other code writes one down.
func TestNobodyElseMakesLimits(t *testing.T) {
	walk(t, func(dir string) {
		parsed(t, dir, func(file string, f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok || len(lit.Elts) == 0 {
					return true
				}
				typ := lit.Type
				if list, ok := typ.(*ast.ArrayType); ok {
					typ = list.Elt
				}
				if isLimit(typ) {
					t.Errorf("%s makes a limit of its own: let package limits decide on it", file)
				}
				return true
			})
		})
	})
}

// isLimit reports whether a literal is of type evidence.Limit.
func isLimit(typ ast.Expr) bool {
	s, ok := typ.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := s.X.(*ast.Ident)
	return ok && pkg.Name == "evidence" && s.Sel.Name == "Limit"
}

// parsed reads the Go files of a folder that are not tests.
func parsed(t *testing.T, dir string, each func(path string, file *ast.File)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		each(path, file)
	}
}
