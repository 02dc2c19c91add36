package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest"
	"benchline/ingest/evidence"
)

// result is a result file of another tool.
func result(completed int) string {
	return fmt.Sprintf(`{"model_id":"m","num_prompts":100,"completed":%d,"request_rate":"inf","max_concurrency":4,"duration":10.0,
 "total_input_tokens":1000,"total_output_tokens":500,"request_throughput":%g,"output_throughput":50.0,"mean_ttft_ms":12.5}`, completed, float64(completed)/10)
}

func TestImports(t *testing.T) {
	p := recordsPlace(t)
	p.write("imports/a/run.json", result(90))
	p.write("imports/a/note.txt", "nobody knows this")
	p.write("imports/b/copy.json", result(90))
	p.write("imports/b/broken.json", result(91)[:80])
	p.write("imports/c/Odd name, 7b:q4.json", result(92))
	p.write("imports/c/import.toml", "who = \"a lab\"\nclass = \"independent\"\n[subject]\nhardware = \"one card\"\n")
	r := p.ingest()
	p.refused(r, `imports/a/note.txt: unknown format: text that begins with "nobody knows this"`, `imports/b/broken.json: unknown format: a JSON object with "model_id", "num_prompts", "completed", "request_rate", which does not end`)
	if r.Read != 2 || r.Records != 2 || len(r.Notes) != 1 || r.Notes[0].Text != "already present as imports/a/run.json" {
		t.Errorf("got %+v", r)
	}
	records, err := ingest.Records(p.dir)
	if err != nil || len(records) != 2 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	if c := records[0].Class; c != evidence.Imported {
		t.Errorf("without import.toml the class is %s", c)
	}
	lab := records[1]
	if hw, _ := lab.Subject.Hardware.Get(); lab.Class != evidence.Independent || hw != "one card" || !strings.Contains(lab.Sources[0].Name, "run by a lab") {
		t.Errorf("import.toml is not in the record: %s, %q, %q", lab.Class, hw, lab.Sources[0].Name)
	}
	if !evidence.IsSlug(lab.Slug) {
		t.Errorf("slug %q", lab.Slug)
	}
}

func TestImportTomlIsPartOfWhatWasRead(t *testing.T) {
	p := recordsPlace(t)
	p.write("imports/a.json", result(90))
	if r := p.ingest(); r.Read != 1 || r.Records != 1 {
		t.Fatalf("%+v", r)
	}
	p.write("imports/import.toml", "family = \"lab\"\n")
	if r := p.ingest(); r.Read != 1 || r.Records != 1 {
		t.Errorf("with a new import.toml: %+v", r)
	}
	if r := p.ingest(); r.Unchanged != 1 {
		t.Errorf("again: %+v", r)
	}
	p.write("imports/import.toml", "famly = \"lab\"\n")
	r := p.ingest()
	p.refused(r, "imports/a.json: the import.toml beside it can't be used: unknown keys: famly")
}

func TestFilesFromOutsideAreTakenIn(t *testing.T) {
	p, q := recordsPlace(t), newPlace(t)
	q.write("lab/x/run=0.json", result(90))
	q.write("lab/x/import.toml", "family = \"lab\"\n")
	q.write("lab/y z/my result.json", result(91))
	q.write("lab/README.md", "# about\n")
	q.write("lone.json", result(92))
	lab, lone := filepath.Join(q.dir, "lab"), filepath.Join(q.dir, "lone.json")
	r := p.ingest(lab, lone)
	p.refused(r, filepath.Join(lab, "README.md")+": unknown format")
	if r.Read != 3 || r.Records != 3 {
		t.Fatalf("%+v", r)
	}
	for _, name := range []string{"imports/lab/x/run=0.json", "imports/lab/x/import.toml", "imports/lone.json"} {
		if _, err := os.Stat(filepath.Join(p.dir, name)); err != nil {
			t.Error(err)
		}
	}
	first := p.evidence()
	if r := p.ingest(); r.Unchanged != 3 || len(r.Refused) != 0 || fmt.Sprint(p.evidence()) != fmt.Sprint(first) {
		t.Errorf("from the site they are not the same: %+v", r)
	}
	if r := p.ingest(lab, lone); r.Unchanged != 3 || len(r.Notes) != 3 {
		t.Errorf("given again: %+v", r)
	}
	q.write("lone.json", result(93))
	r = p.ingest(lone)
	p.refused(r, lone+": it would lie in imports/lone.json, where another file is")
	if r.Records != 3 {
		t.Errorf("%+v", r)
	}
}

func TestARefusedFileIsNotTakenIn(t *testing.T) {
	p, q := recordsPlace(t), newPlace(t)
	q.write("cut.json", strings.TrimSuffix(result(90), "}"))
	r := p.ingest(filepath.Join(q.dir, "cut.json"))
	p.refused(r, filepath.Join(q.dir, "cut.json")+": line 1: what begins here does not end")
	if _, err := os.Stat(filepath.Join(p.dir, "imports/cut.json")); err == nil {
		t.Error("it was copied")
	}
}

// A record that is given by path is taken in; the same one again is noted, and
// one of the same name with other content is not taken in while the first stays
// (the names of the archive's records are taken too).
func TestRecordsGivenByPath(t *testing.T) {
	p, q := recordsPlace(t), newPlace(t)
	q.write("a.toml", writtenDown("a", "1.50"))
	q.write("copy.toml", writtenDown("a", "1.50"))
	given := func(name string) string { return filepath.Join(q.dir, name) }
	if r := p.ingest(given("a.toml")); r.Read != 1 || r.Records != 1 || len(r.Refused) != 0 {
		t.Fatalf("%+v", r)
	}
	r := p.ingest(given("copy.toml"))
	if r.Records != 1 || len(r.Notes) != 1 || r.Notes[0].Text != "already present as records/a.toml" {
		t.Errorf("the same again: %+v", r)
	}
	q.write("b/other.toml", writtenDown("a", "2.50"))
	r = p.ingest(given("b/other.toml"))
	p.refused(r, given("b/other.toml")+": several sources give a record named a: records/a.toml, records/other.toml")
	if _, err := os.Stat(filepath.Join(p.dir, "records/other.toml")); err == nil || r.Records != 1 {
		t.Errorf("it was copied, or the first is gone: %+v", r)
	}
	if r := p.ingest(); r.Unchanged != 1 || len(r.Refused) != 0 {
		t.Errorf("afterwards: %+v", r)
	}
}
