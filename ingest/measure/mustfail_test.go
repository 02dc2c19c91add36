package measure_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMustFail type-checks testdata/mustfail: every line marked ERROR must be
// refused with a matching message, and no other line may be.
func TestMustFail(t *testing.T) {
	fset := token.NewFileSet()
	files := parseDir(t, fset, "../../testdata/mustfail", true)
	if len(files) < 3 {
		t.Fatalf("got %d files of misuse, want at least 3", len(files))
	}
	got := map[string][]string{}
	conf := types.Config{
		Importer: &sourceOnly{t: t, fset: fset, std: importer.ForCompiler(fset, "source", nil)},
		Error: func(err error) {
			var e types.Error
			if !errors.As(err, &e) {
				t.Fatalf("type checking: %v", err)
			}
			if !strings.Contains(e.Msg, "declared and not used") {
				at := place(fset, e.Pos)
				got[at] = append(got[at], e.Msg)
			}
		},
	}
	_, _ = conf.Check("mustfail", fset, files, nil) // the errors are the result
	want := wanted(t, fset, files)
	if len(want) < 25 {
		t.Errorf("got %d marked lines, want at least 25: are the marks read?", len(want))
	}
	for at, re := range want {
		if !re.MatchString(strings.Join(got[at], "\n")) {
			t.Errorf("%s: got errors %q, want a match of %q", at, got[at], re)
		}
	}
	for at, msgs := range got {
		if want[at] == nil {
			t.Errorf("%s: got %q on an unmarked line", at, msgs)
		}
	}
}

func wanted(t *testing.T, fset *token.FileSet, files []*ast.File) map[string]*regexp.Regexp {
	t.Helper()
	want := map[string]*regexp.Regexp{}
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				quoted, ok := strings.CutPrefix(c.Text, "// ERROR ")
				if !ok {
					continue
				}
				text, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatalf("%s: mark %s: %v", place(fset, c.Pos()), c.Text, err)
				}
				want[place(fset, c.Pos())] = regexp.MustCompile(text)
			}
		}
	}
	return want
}

func place(fset *token.FileSet, pos token.Pos) string {
	p := fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}

func parseDir(t *testing.T, fset *token.FileSet, dir string, comments bool) []*ast.File {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		mode := parser.SkipObjectResolution
		if comments {
			mode |= parser.ParseComments
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, e.Name()), nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// sourceOnly imports the package under test from its source, without its
// function bodies; the standard library as it is; and other modules, which no
// exported signature mentions, as empty packages.
type sourceOnly struct {
	t    *testing.T
	fset *token.FileSet
	std  types.Importer
	own  *types.Package
}

func (s *sourceOnly) Import(path string) (*types.Package, error) {
	switch {
	case path == "benchline/ingest/measure":
		if s.own != nil {
			return s.own, nil
		}
		conf := types.Config{Importer: s, IgnoreFuncBodies: true}
		pkg, err := conf.Check(path, s.fset, parseDir(s.t, s.fset, ".", false), nil)
		s.own = pkg
		return pkg, err
	case strings.Contains(strings.Split(path, "/")[0], "."):
		pkg := types.NewPackage(path, filepath.Base(path))
		pkg.MarkComplete()
		return pkg, nil
	default:
		return s.std.Import(path)
	}
}
