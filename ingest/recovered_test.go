package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
)

// writtenDown is a record file with one figure.
func writtenDown(name, number string) string {
	return `name = "` + name + `"
title = "Written down"
class = "report-backed"
family = "f"
source = [{ name = "A report", supports = "the rate" }]
[[value]]
metric = "output_token_rate"
number = "` + number + `"
unit = "tokens/s"
`
}

func recordsPlace(t *testing.T) *place {
	p := newPlace(t)
	r, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	p.opts.Registry = r
	return p
}

func TestRecordsThatWereWrittenDown(t *testing.T) {
	p := recordsPlace(t)
	p.write("records/a.toml", writtenDown("a", "1.50"))
	p.write("records/old/b.toml", writtenDown("b", "2.50"))
	p.write("records/broken.toml", strings.Replace(writtenDown("c", "x"), "title", "titel", 1))
	p.write("records/plan.toml", "rates = [1]\n")
	p.write("records/notes.txt", "left aside")
	r := p.ingest()
	p.refused(r, "records/broken.toml: 3 faults:\n  line 1: title: is required", "records/plan.toml: unknown format: text that begins with")
	why := strings.Split(r.Refused[0].Why, "\n")
	if len(why) != 4 || !strings.HasPrefix(why[2], "  line 2: titel: unknown key") || !strings.HasPrefix(why[3], `  line 8: value 1.number: "x" is no number`) || strings.Contains(r.Refused[0].Why, "broken.toml") {
		t.Errorf("not every fault has its line, or the path stands again: %q", r.Refused[0].Why)
	}
	if p.slugs() != "a b" || r.Read != 2 || len(r.Notes) != 1 || len(r.Diagnostics) != 2 {
		t.Errorf("records %s, %+v", p.slugs(), r)
	}
	if d := r.Diagnostics[0]; d.File != "records/a.toml" || d.Line != 1 || !strings.Contains(d.Msg, "5 of 5 groups incomplete") {
		t.Errorf("diagnostic %v", d)
	}
	// Given on the command line they are the same; a file may be corrected.
	if r := p.ingest(p.dir + "/records/a.toml"); r.Unchanged != 2 || r.Read != 0 || len(r.Diagnostics) != 2 {
		t.Errorf("again: %+v", r)
	}
	p.write("records/a.toml", writtenDown("a", "1.60"))
	if r := p.ingest(); r.Unchanged != 1 || r.Read != 1 || len(r.Refused) != 2 {
		t.Errorf("after a correction: %+v", r)
	}
	records, err := ingest.Records(p.dir)
	if err != nil || records[0].Values[0].Amount.X != 1.6 {
		t.Errorf("the correction is not in the evidence (%v)", err)
	}
}

// TestRecordFileThatIsNoTOML: a file among the records is refused with the line of
// its fault, whether or not enough of it is left to look like a record.
func TestRecordFileThatIsNoTOML(t *testing.T) {
	p := recordsPlace(t)
	good := writtenDown("a", "1.50")
	p.write("records/class.toml", strings.Replace(good, "class =", "class", 1))
	p.write("records/deep/cut.toml", "name = \"a\"\ntitle = \"b\n")
	p.write("records/looks.toml", good+"x = = 1\n")
	p.write("records/other.toml", "rates = [1]\n")
	p.write("records/quoted.toml", good+"\"a\\nerror: b\" = 1\ncolour = 1\n")
	p.write("notes/class.toml", "class \"x\"\n")
	r := p.ingest()
	line := func(before string) string { return fmt.Sprint(1 + strings.Count(before, "\n")) }
	before, _, _ := strings.Cut(good, "class =")
	for i, want := range []string{"line " + line(before) + ": expected", "line 2: strings cannot contain newlines", "line " + line(good) + ": expected", "unknown format", "2 faults:\n  line "} {
		if i >= len(r.Refused) || !strings.Contains(r.Refused[i].Why, want) {
			t.Errorf("want %q in refusal %d of %v", want, i, r.Refused)
		}
	}
	if len(r.Refused) != 5 || strings.Count(r.Refused[4].Why, "\n") != 2 || p.slugs() != "" {
		t.Errorf("records %q, refused %v", p.slugs(), r.Refused)
	}
}

func TestArchiveOfTheProgram(t *testing.T) {
	p := recordsPlace(t)
	p.write("records/a.toml", writtenDown("a", "1.50"))
	p.opts.Archive = fstest.MapFS{"old.toml": {Data: []byte(writtenDown("old", "3"))}, "page.md": {Data: []byte("# no record")},
		"other.toml": {Data: []byte("x = 1")}}
	r := p.ingest()
	p.refused(r, "archive/other.toml: unknown format")
	if p.slugs() != "a old" {
		t.Errorf("records %s", p.slugs())
	}
	records, err := ingest.Records(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := records[1].Files[0].Path; got != "archive/old.toml" {
		t.Errorf("its file is %s", got)
	}
	if r := p.ingest(); r.Unchanged != 2 || r.Read != 0 {
		t.Errorf("again: %+v", r)
	}
	// A site that takes the archive out again loses its records.
	p.opts.Archive = nil
	if r := p.ingest(); r.Removed != 1 || p.slugs() != "a" {
		t.Errorf("without the archive: %s, %+v", p.slugs(), r)
	}
	// The same name in the site and in the archive is refused, not chosen.
	p.opts.Archive = fstest.MapFS{"a.toml": {Data: []byte(writtenDown("a", "9"))}}
	r = p.ingest()
	p.refused(r, "archive/a.toml: several sources give a record named a", "records/a.toml: several sources give a record named a")
}
