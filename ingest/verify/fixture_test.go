package verify_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"benchline/ingest"
	"benchline/ingest/adapter/all"
	"benchline/ingest/adapter/own/owntest"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/ingest/verify"
)

// built is a built site in memory: its files by path.
type built map[string]string

// build makes a small site by hand: four runs, one summary over two of them,
// and the plainest pages that keep the contract.
func build(t *testing.T) built {
	t.Helper()
	dir := t.TempDir()
	logs := filepath.Join(dir, "logs")
	owntest.Write(t, logs, owntest.Run{ID: "a-r1", Repeats: 2, Real: true, Completed: 40})
	owntest.Write(t, logs, owntest.Run{ID: "a-r2", Repeats: 2, Repeat: 2, SlowMS: 3, Real: true, Completed: 40})
	owntest.Write(t, logs, owntest.Run{ID: "b-r1", Family: "other", Completed: 60, Unresolved: 30})
	owntest.Write(t, logs, owntest.Run{ID: "c-r1", Family: "other", Completed: 100})
	registry, err := all.Registry()
	if err != nil {
		t.Fatal(err)
	}
	report, err := ingest.Site(context.Background(), dir, nil, ingest.Options{Registry: registry})
	if err != nil || len(report.Refused) > 0 {
		t.Fatal(err, report.Refused)
	}
	records, err := ingest.Records(dir)
	if err != nil {
		t.Fatal(err)
	}
	site := built{}
	for _, r := range records {
		for _, f := range r.Files {
			b, err := os.ReadFile(filepath.Join(dir, f.Path))
			if err != nil {
				t.Fatal(err)
			}
			site[strings.Replace(f.Path, "logs/", "data/runs/", 1)] = string(b)
		}
		site.add(t, r)
	}
	site["methodology/rates.html"] = "<p>A rate of 5 output tokens/s is typed here: prose has its own check.</p>"
	return site
}

// add puts a record and its page into the site.
func (b built) add(t *testing.T, r evidence.Record) {
	t.Helper()
	line, err := evidence.Line(r)
	if err != nil {
		t.Fatal(err)
	}
	b["data/records.jsonl"] += string(line) + "\n"
	b["data/records/"+r.Slug+".json"] = string(line) + "\n"
	var page strings.Builder
	fmt.Fprintf(&page, "<!doctype html><title>%s</title><h1>%s</h1>\n", r.Slug, r.Slug)
	for _, v := range r.Values {
		page.WriteString(block(r, v))
	}
	b["records/"+r.Slug+".html"] = page.String()
	b["index.html"] += fmt.Sprintf("<p>%s of the %s: %s</p>\n", r.Slug, r.Class, figure(r, r.Values[0], "records/"+r.Slug+".html"))
}

// block is the plainest headline block.
func block(r evidence.Record, v evidence.Value) string {
	o := r.Outcomes
	n := func(k evidence.Known[int64]) string {
		if x, ok := k.Get(); ok {
			return strconv.FormatInt(x, 10)
		}
		return "not-stated"
	}
	void := ""
	if r.Void {
		void = "void "
	}
	return fmt.Sprintf(`<figure class="headline" id="fig-%[2]s" data-record="%[1]s" data-metric="%[2]s">
<p data-part="value" data-kind="%[3]s">%[4]s%[5]s</p><p>%[6]s</p>
<p data-part="numerator">numerator</p><p data-part="denominator">denominator</p><p data-part="window">window%[14]s</p><p data-part="population">population</p>
<p data-part="cache">cold</p><p data-part="source"><a href="#sources">log</a></p><p data-part="limits">none</p>
<p data-part="outcomes" data-completed="%[7]s" data-failed="%[8]s" data-rejected="%[9]s" data-timed-out="%[10]s" data-cancelled="%[11]s" data-unresolved="%[12]s" data-never-sent="%[13]s">%[7]s completed, %[8]s failed, %[12]s unresolved, %[13]s never sent</p>
</figure>
`, r.Slug, v.Metric, v.Amount.Kind, void, number(v, "data"), r.Class, n(o.Completed), n(o.Failed), n(o.Rejected), n(o.TimedOut), n(o.Cancelled), n(o.Unresolved), n(o.NeverSent), said(v))
}

// said is what else a block says with a unit: window, interval and bounds.
func said(v evidence.Value) string {
	out := ""
	if w, ok := v.Window.Get(); ok {
		out += fmt.Sprintf(" of %.3f s", w.Seconds)
	}
	if iv, ok := v.Interval.Get(); ok {
		s := measure.Scale(v.Metric, iv.Low, iv.High)
		out += fmt.Sprintf(", interval: %s to %s %s", s.Text(iv.Low), s.Text(iv.High), s.Unit())
	}
	if b := v.Bounds; b != nil && b.Lower.Kind == evidence.Exact {
		s := measure.Scale(v.Metric, b.Lower.X)
		out += fmt.Sprintf(", at or above %s %s", s.Text(b.Lower.X), s.Unit())
	}
	return out
}

// number is an amount as the registry shows it.
func number(v evidence.Value, open string) string {
	s := measure.Scale(v.Metric, v.Amount.X)
	at := ""
	switch v.Amount.Kind {
	case evidence.AtLeast:
		at = "≥ "
	case evidence.Exact:
	case evidence.Unbounded, evidence.TooFew, evidence.Undefined, evidence.Quoted:
		return string(v.Amount.Kind)
	}
	return fmt.Sprintf(`<%s value="%s">%s%s</data> %s`, open, strconv.FormatFloat(v.Amount.X, 'g', -1, 64), at, s.Text(v.Amount.X), s.Unit())
}

func figure(r evidence.Record, v evidence.Value, page string) string {
	open := fmt.Sprintf(`data class="figure" data-record="%s" data-metric="%s" data-kind="%s"`, r.Slug, v.Metric, v.Amount.Kind)
	text := number(v, open)
	return strings.Replace(strings.Replace(text, "\">", fmt.Sprintf("\"><a href=%q>", page+"#fig-"+string(v.Metric)), 1), "</data>", "</a></data>", 1)
}

// write writes the site with right checksums and returns its folder.
func (b built) write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for name := range b {
		names = append(names, name)
	}
	sort.Strings(names)
	var sums bytes.Buffer
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(b[name]))
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	}
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func check(t *testing.T, dir string) verify.Report {
	t.Helper()
	r, err := verify.Site(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// replace changes the first occurrence of a text in a file; it must be there.
func (b built) replace(t *testing.T, name, from, to string) {
	t.Helper()
	after := strings.Replace(b[name], from, to, 1)
	if after == b[name] {
		t.Fatalf("%s does not hold %q:\n%s", name, from, b[name])
	}
	b[name] = after
}

// resealed replaces a record in the data by a changed one with a right ID.
func (b built) resealed(t *testing.T, slug string, change func(*evidence.Record)) {
	t.Helper()
	var out bytes.Buffer
	for r, err := range evidence.Decode("records", strings.NewReader(b["data/records.jsonl"])) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Slug == slug {
			change(&r)
			if r, err = evidence.Seal(r); err != nil {
				t.Fatal(err)
			}
			line, err := evidence.Line(r)
			if err != nil {
				t.Fatal(err)
			}
			b["data/records/"+slug+".json"] = string(line) + "\n"
		}
		if err := evidence.Encode(&out, r); err != nil {
			t.Fatal(err)
		}
	}
	b["data/records.jsonl"] = out.String()
}
