package render_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchline/ingest/evidence"
	"benchline/render"
)

// three are a few records of one family.
func three(t testing.TB) []evidence.Record {
	t.Helper()
	ladder := slices.DeleteFunc(few(t), func(r evidence.Record) bool { return !strings.HasPrefix(r.Slug, "ladder-2") })
	return ladder[:3]
}

// noticed is an input with files of notices.
func noticed(t *testing.T, withdrawn, errata string) render.Input {
	t.Helper()
	records := three(t)
	in := input(t, records)
	files := siteFiles(t, records)
	if withdrawn != "" {
		files[render.WithdrawnFile] = &fstest.MapFile{Data: []byte(withdrawn)}
	}
	if errata != "" {
		files[render.ErrataFile] = &fstest.MapFile{Data: []byte(errata)}
	}
	in.Files = files
	return in
}

func TestFaultsOfNotices(t *testing.T) {
	slug := three(t)[0].Slug
	good := "[[withdrawn]]\nslug = \"" + slug + "\"\nreason = \"r\"\ndate = 2026-11-29\n"
	for name, c := range map[string]struct{ withdrawn, errata, want string }{
		"unknown key":     {good + "why = \"x\"\n", "", `withdrawn.toml:5: unknown key "withdrawn.why"`},
		"unknown table":   {"[[gone]]\nslug = \"a\"\n", "", `withdrawn.toml:1: unknown key "gone"`},
		"no slug":         {good + "[[withdrawn]]\nreason = \"r\"\ndate = \"2026-11-29\"\n", "", `withdrawn.toml:5: slug is missing`},
		"climbing slug":   {"[[withdrawn]]\nreason = \"r\"\nslug = \"../x\"\ndate = 2026-11-29\n", "", `withdrawn.toml:3: slug "../x" is no address`},
		"index":           {"[[withdrawn]]\nreason = \"r\"\nslug = \"index\"\ndate = 2026-11-29\n", "", `withdrawn.toml:3: slug "index" is no address`},
		"no day":          {"[[withdrawn]]\nslug = \"a\"\nreason = \"r\"\ndate = \"yesterday\"\n", "", `withdrawn.toml:4: date "yesterday" is no day`},
		"no reason":       {"[[withdrawn]]\nslug = \"a\"\nreason = \" \"\ndate = 2026-11-29\n", "", `withdrawn.toml:3: reason is missing`},
		"twice":           {good + good, "", `withdrawn.toml:6: "` + slug + `" is withdrawn twice`},
		"no successor":    {good + "superseded_by = \"nowhere\"\n", "", `withdrawn.toml:2: ` + slug + ` is superseded by "nowhere", which is no record`},
		"itself":          {good + "superseded_by = \"" + slug + "\"\n", "", `superseded by`},
		"no toml":         {"\n[[withdrawn]\n", "", `withdrawn.toml:`},
		"wrong type":      {"[[withdrawn]]\nslug = \"a\"\ndate = 5\n", "", `withdrawn.toml`},
		"errata unknown":  {"", "[[erratum]]\nslug = \"nowhere\"\ndate = 2026-11-29\ntext = \"t\"\n", `errata.toml:2: there is no record "nowhere"`},
		"errata key":      {"", "[[erratum]]\nslug = \"" + slug + "\"\ndate = 2026-11-29\nnote = \"t\"\n", `errata.toml:4: unknown key "erratum.note"`},
		"errata no words": {"", "[[erratum]]\nslug = \"" + slug + "\"\ndate = 2026-11-29\n", `errata.toml:1: text is missing`},
	} {
		t.Run(name, func(t *testing.T) {
			ds, err := render.Check(t.Context(), noticed(t, c.withdrawn, c.errata))
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, d := range ds {
				all = append(all, d.String())
			}
			if got := strings.Join(all, "\n"); !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
}

// A withdrawn record is in nothing but its tombstone and the page of changes;
// an erratum stands on its record's page, and only that page is made anew.
func TestWithdrawnAndErrata(t *testing.T) {
	records := three(t)
	gone, noted, next := records[0].Slug, records[1].Slug, records[2].Slug
	in := noticed(t, "", "")
	in.CacheDir = t.TempDir()
	out := t.TempDir()
	site(t, in, out)
	before := tree(t, out)

	in.Files = noticed(t, "", "[[erratum]]\nslug = \""+noted+"\"\ndate = \"2026-11-30\"\ntext = \"The title was <wrong> before.\"\n").Files
	site(t, in, out)
	after := tree(t, out)
	for _, n := range differing(before, after) {
		if n != "records/"+noted+".html" && n != "records/"+noted+".md" && !strings.HasPrefix(n, "changes.") && n != render.SumsFile && strings.HasPrefix(n, "records/") {
			t.Errorf("an erratum changed %s", n)
		}
	}
	if page := after["records/"+noted+".html"]; !strings.Contains(page, "2026-11-30: The title was &lt;wrong&gt; before.") {
		t.Error("the erratum is not on the record's page")
	}
	if after["data/records/"+noted+".json"] != before["data/records/"+noted+".json"] {
		t.Error("an erratum changed the evidence")
	}

	in.Files = noticed(t, "[[withdrawn]]\nslug = \""+gone+"\"\nreason = \"The endpoint was misconfigured.\"\ndate = 2026-12-01\nsuperseded_by = \""+next+"\"\n", "").Files
	site(t, in, out)
	last := tree(t, out)
	for name, body := range last {
		if strings.Contains(body, gone) && !strings.HasPrefix(name, "changes.") && !strings.HasPrefix(name, "records/"+gone+".") && name != render.SumsFile {
			t.Errorf("%s still names the withdrawn record", name)
		}
	}
	stone := last["records/"+gone+".html"]
	for _, want := range []string{"Withdrawn on 2026-12-01", "The endpoint was misconfigured.", next + ".html", records[0].ID.String()} {
		if !strings.Contains(stone, want) {
			t.Errorf("the tombstone has no %q", want)
		}
	}
	if _, ok := last["data/records/"+gone+".json"]; ok {
		t.Error("the withdrawn record can still be downloaded")
	}
	if last["records/"+gone+".md"] == "" {
		t.Error("the tombstone has no twin")
	}

	pages := limitPages()
	pages["methodology/refers.md"] = &fstest.MapFile{Data: []byte("+++\ntitle = \"Refers\"\n+++\n\n{{ev " + gone + " ttft_p50}}\n")}
	in.Content = pages
	if _, err := render.Site(t.Context(), in, out); err == nil || !strings.Contains(err.Error(), "content/methodology/refers.md:5:1: record \""+gone+"\" was withdrawn") {
		t.Errorf("a page that refers to a withdrawn record: got %v", err)
	}
}

func TestSummaryOfWithdrawnRun(t *testing.T) {
	in := noticed(t, "", "")
	run := in.Records[0]
	sum := run
	sum.Slug, sum.Kind, sum.Members = "summary", evidence.RepeatsRecord, []evidence.Member{{ID: run.ID, Slug: run.Slug}}
	in.Records = append(slices.Clone(in.Records), sum)
	in.Files.(fstest.MapFS)[render.WithdrawnFile] = &fstest.MapFile{Data: []byte("[[withdrawn]]\nslug = \"" + run.Slug + "\"\nreason = \"r\"\ndate = 2026-11-29\n")}
	_, err := render.Site(t.Context(), in, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "the summary summary is made of it") {
		t.Errorf("got %v", err)
	}
}

// The pages that look across all records are there with their twins, link to
// each other and, with nothing new, are not made again.
func TestBrowsePages(t *testing.T) {
	records := few(t)
	in := input(t, records)
	in.Definitions = []render.Definition{{Tool: "A <tool>", Versions: "1", Word: "ttft", Metric: "ttft", Start: "the request is sent"}}
	out := t.TempDir()
	site(t, in, out)
	for _, stem := range []string{"browse/index", "gaps", "sources", "changes", "methodology/same-word"} {
		for _, ext := range []string{".html", ".md"} {
			if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(stem+ext))); err != nil {
				t.Error(err)
			}
		}
	}
	made := tree(t, out)
	word := made["methodology/same-word.html"]
	for _, want := range []string{"A &lt;tool&gt;", "the request is sent", `<span class="gap">not stated</span>`} {
		if !strings.Contains(word, want) {
			t.Errorf("the page on same words has no %q", want)
		}
	}
	if !strings.Contains(made["methodology/index.html"], `href="same-word.html"`) {
		t.Error("the methodology does not list the page on same words")
	}
	for _, r := range records {
		found := false
		for name, body := range made {
			found = found || strings.HasPrefix(name, "browse/class/") && strings.HasSuffix(name, ".html") && strings.Contains(body, "records/"+r.Slug+".html")
		}
		if !found {
			t.Errorf("%s is under no evidence class", r.Slug)
		}
	}
}
