package evidence_test

import (
	"os"
	"strings"
	"testing"

	"benchline/ingest/evidence"
)

func TestCodesAreWhole(t *testing.T) {
	seen := map[evidence.Code]bool{}
	last := evidence.Invalidates
	for _, info := range evidence.Codes() {
		if seen[info.Code] {
			t.Errorf("%s stands twice", info.Code)
		}
		seen[info.Code] = true
		if !evidence.IsSlug(string(info.Code)) {
			t.Errorf("%q can't name a page", info.Code)
		}
		if info.Title == "" || strings.HasSuffix(info.Title, ".") || !strings.HasSuffix(info.Sentence, ".") {
			t.Errorf("%s: title %q is a phrase, sentence %q is a sentence", info.Code, info.Title, info.Sentence)
		}
		if got := strings.Count(strings.ReplaceAll(info.Sentence, "%%", ""), "%s"); got != info.Args {
			t.Errorf("%s: its sentence takes %d arguments, the table says %d", info.Code, got, info.Args)
		}
		if info.Severity.Title() == "" || info.Severity < last {
			t.Errorf("%s: of severity %d after one of %d", info.Code, info.Severity, last)
		}
		last = info.Severity
		many, each, ok := info.Code.Several()
		if ok && (!strings.HasSuffix(many, ".") || strings.Contains(many, "%s") || strings.Count(each, "%s") != info.Args) {
			t.Errorf("%s: for several figures %q, and behind each %q", info.Code, many, each)
		}
		if got, ok := evidence.Info(info.Code); !ok || got != info {
			t.Errorf("Info(%s) = %+v, %t", info.Code, got, ok)
		}
	}
	if _, ok := evidence.Info("no-such-code"); ok {
		t.Error("a code that is not in the list has an entry")
	}
}

func TestSentence(t *testing.T) {
	for _, info := range evidence.Codes() {
		l := evidence.Limit{Code: info.Code, Where: "record"}
		for i := range info.Args {
			l.Args = append(l.Args, "«"+string(rune('a'+i))+" 5 %s»")
		}
		got, err := l.Sentence()
		if err != nil {
			t.Errorf("%s: %v", info.Code, err)
		}
		if strings.Contains(got, "%!") || strings.Contains(got, "%%") {
			t.Errorf("%s: %q has a mark of the template in it", info.Code, got)
		}
		for _, a := range l.Args {
			if strings.Count(got, a) != 1 {
				t.Errorf("%s: %q does not hold argument %q once", info.Code, got, a)
			}
		}
		if brief, err := l.Brief(); err != nil || strings.Contains(brief, "%") && !strings.Contains(brief, "%s»") || (brief == "") == hasSeveral(info.Code) {
			t.Errorf("%s: behind a figure %q, %v", info.Code, brief, err)
		}
		l.Args = append(l.Args, "one too many")
		if got, err := l.Sentence(); err == nil {
			t.Errorf("%s: too many arguments gave %q", info.Code, got)
		}
	}
	if _, err := (evidence.Limit{Code: "no-such-code"}).Sentence(); err == nil {
		t.Error("an unknown code has a sentence")
	}
}

func TestEveryCodeHasItsPage(t *testing.T) {
	const dir = "../../content/limits"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]bool{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && name != "index" {
			pages[name] = true
		}
	}
	if len(pages) == 0 {
		t.Fatal(dir + " has no pages")
	}
	for _, info := range evidence.Codes() {
		if !pages[string(info.Code)] {
			t.Errorf("%s has no page %s/%s.md", info.Code, dir, info.Code)
		}
		delete(pages, string(info.Code))
	}
	for name := range pages {
		t.Errorf("%s/%s.md is a page of no code", dir, name)
	}
}

func hasSeveral(c evidence.Code) bool {
	_, _, ok := c.Several()
	return ok
}
