package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"benchline/ingest/evidence"
)

// Files in which the site describes itself to programs.
const (
	DataPackageFile = "datapackage.json"
	CrateFile       = "ro-crate-metadata.json"
	CitationFile    = "CITATION.cff"
	LinkedDataFile  = "site.jsonld"
)

// about is the one manifest of a site, from which every description of it for
// programs is written. It has no clock: its date of publication is the one that
// the site's settings state.
type about struct {
	Title, Description, Base, Author, Licence, Tool string
	Version                                         string // of the evidence: hash over the records' IDs
	Newest                                          string // day of the newest run, "2026-11-29"; empty: no record states a moment
	Published                                       string // "2026-11-30"; empty: the site's settings do not say
	Records                                         int
	Files                                           []aboutFile // the data, sorted by path
}

// aboutFile is one file of the site's data.
type aboutFile struct {
	Path, SHA256, Media, What string
	Bytes                     int64
}

func aboutSite(in Input, all []made) about {
	c := in.Config
	a := about{Title: c.Title, Description: strings.TrimSpace(c.Description), Base: c.Base, Author: strings.TrimSpace(c.Author), Licence: strings.TrimSpace(c.Licence),
		Published: c.Published, Tool: in.Tool, Records: len(in.Records)}
	if a.Title == "" {
		a.Title = "Benchmarks"
	}
	switch {
	case a.Description != "":
	case a.Records == 0:
		a.Description = "How benchmark figures are made, and what they can and cannot say."
	default:
		a.Description = fmt.Sprintf("%d benchmark records, each figure with its numerator, denominator, cache state and outcomes.", a.Records)
	}
	ids := make([]string, 0, len(in.Records))
	for i := range in.Records {
		r := &in.Records[i]
		ids = append(ids, r.ID.String())
		a.Newest = max(a.Newest, dayOf(r))
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	a.Version = hex.EncodeToString(sum[:6])
	for _, f := range all {
		if strings.HasPrefix(f.Path, "data/") {
			media, what := mediaOf(f.Path)
			a.Files = append(a.Files, aboutFile{Path: f.Path, SHA256: f.SHA256, Bytes: f.Size, Media: media, What: what})
		}
	}
	slices.SortFunc(a.Files, func(x, y aboutFile) int { return cmp.Compare(x.Path, y.Path) })
	return a
}

// dayOf is the day on which a record's run began; empty where none is stated.
func dayOf(r *evidence.Record) string {
	at, ok := r.Subject.Started.Get()
	if !ok {
		return ""
	}
	if t, err := time.Parse(time.RFC3339Nano, at); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return ""
}

// mediaOf is the media type of a file of the data, by its ending, and what it is.
func mediaOf(p string) (media, what string) {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	run := path.Base(path.Dir(p))
	switch {
	case p == "data/records.jsonl":
		what = "all evidence, one record a line"
	case strings.HasPrefix(p, "data/records/") && path.Ext(p) == ".json":
		what = "evidence of record " + name
	case strings.HasPrefix(p, "data/records/"):
		what = "figures of record " + name
	case path.Ext(p) == ".parquet":
		what = "per-request log of run " + run
	case strings.HasPrefix(p, "data/runs/"):
		what = name + " of run " + run
	default:
		what = "source file " + path.Base(p)
	}
	switch path.Ext(p) {
	case ".json":
		return "application/json", what
	case ".jsonl":
		return "application/jsonl", what
	case ".csv":
		return "text/csv", what
	case ".toml":
		return "application/toml", what
	case ".parquet":
		return "application/vnd.apache.parquet", what
	case ".md":
		return "text/markdown", what
	case ".txt", ".log":
		return "text/plain", what
	}
	return "application/octet-stream", what
}

// describe writes the descriptions of a site.
func describe(a about) ([]file, error) {
	var out []file
	for name, form := range map[string]func(about) any{DataPackageFile: dataPackage, CrateFile: crate, LinkedDataFile: linkedData} {
		b, err := json.MarshalIndent(form(a), "", "  ")
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", name, err)
		}
		out = append(out, file{path: name, body: append(b, '\n')})
	}
	out = append(out, file{path: CitationFile, body: citation(a)})
	slices.SortFunc(out, func(x, y file) int { return cmp.Compare(x.path, y.path) })
	return out, nil
}

// spdx reports whether a licence is an SPDX identifier that this program knows.
// Formats that ask for one get none for any other text, which stands in words.
func spdx(licence string) bool {
	return slices.Contains([]string{"0BSD", "AGPL-3.0-only", "AGPL-3.0-or-later", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-3.0", "CC-BY-4.0", "CC-BY-NC-4.0",
		"CC-BY-NC-SA-4.0", "CC-BY-ND-4.0", "CC-BY-SA-4.0", "CC0-1.0", "CDLA-Permissive-2.0", "EUPL-1.2", "GPL-2.0-only", "GPL-3.0-only", "GPL-3.0-or-later", "ISC",
		"LGPL-3.0-only", "LGPL-3.0-or-later", "MIT", "MPL-2.0", "ODbL-1.0", "ODC-By-1.0", "PDDL-1.0", "Unlicense", "Zlib"}, licence)
}

// address is a path of the site as a relative address.
func address(p string) string { return (&url.URL{Path: p}).EscapedPath() }

// describeInto makes the descriptions and adds them to what was made.
func describeInto(in Input, o *output, all []made, r *Result) ([]made, error) {
	files, err := describe(aboutSite(in, all))
	if err != nil {
		return all, err
	}
	for _, f := range files {
		m, wrote, err := o.put(f)
		if err != nil {
			return all, err
		}
		if wrote {
			r.Written++
		}
		all = append(all, m)
	}
	return all, nil
}
