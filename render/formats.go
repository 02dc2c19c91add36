package render

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"
)

type object = map[string]any // encoding/json writes its keys in order

// dataPackage is a Frictionless Data Package, version 1.
func dataPackage(a about) any {
	names := map[string]int{}
	resources := []object{}
	for _, f := range a.Files {
		r := object{"name": resourceName(f.Path, names), "path": f.Path, "title": f.What, "mediatype": f.Media, "bytes": f.Bytes}
		if ext := strings.TrimPrefix(path.Ext(f.Path), "."); ext != "" {
			r["format"] = ext
		}
		if f.SHA256 != "" {
			r["hash"] = "sha256:" + f.SHA256
		}
		resources = append(resources, r)
	}
	p := object{"profile": "data-package", "name": "benchline-" + a.Version, "title": a.Title, "description": a.Description, "resources": resources}
	if a.Base != "" {
		p["homepage"] = a.Base
	}
	if a.Author != "" {
		p["contributors"] = []object{{"title": a.Author, "role": "author"}}
	}
	switch {
	case spdx(a.Licence):
		p["licenses"] = []object{{"name": a.Licence, "path": "https://spdx.org/licenses/" + a.Licence}}
	case a.Licence != "":
		p["licence_in_words"] = a.Licence
	}
	return p
}

// resourceName is a name of the letters that the format allows, each once.
func resourceName(p string, taken map[string]int) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(p, "data/")), "/", "_"))
	for {
		taken[name]++
		if taken[name] == 1 {
			return name
		}
		name += "-" + strconv.Itoa(taken[name])
	}
}

// crate is an RO-Crate 1.1. The format asks for a date of publication; it is
// there when the site's settings state it, and never taken from elsewhere.
func crate(a about) any {
	parts := []object{}
	root := object{"@id": "./", "@type": "Dataset", "name": a.Title, "description": a.Description, "version": a.Version}
	graph := []object{{"@id": CrateFile, "@type": "CreativeWork", "about": object{"@id": "./"}, "conformsTo": object{"@id": "https://w3id.org/ro/crate/1.1"}}, root}
	if a.Published != "" {
		root["datePublished"] = a.Published
	}
	if a.Base != "" {
		root["url"] = a.Base
	}
	if a.Author != "" {
		root["author"] = object{"@id": "#author"}
		graph = append(graph, object{"@id": "#author", "@type": "Thing", "name": a.Author})
	}
	switch {
	case spdx(a.Licence):
		id := "https://spdx.org/licenses/" + a.Licence
		root["license"] = object{"@id": id}
		graph = append(graph, object{"@id": id, "@type": "CreativeWork", "name": a.Licence})
	case a.Licence != "":
		root["license"] = a.Licence
	}
	for _, f := range a.Files {
		id := address(f.Path)
		parts = append(parts, object{"@id": id})
		e := object{"@id": id, "@type": "File", "name": f.What, "encodingFormat": f.Media, "contentSize": strconv.FormatInt(f.Bytes, 10)}
		if f.SHA256 != "" {
			e["sha256"] = f.SHA256
		}
		graph = append(graph, e)
	}
	root["hasPart"] = parts
	return object{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}
}

// linkedData is a schema.org Dataset. It lies in a file of its own, which pages
// link to: their policy allows no script in them.
func linkedData(a about) any {
	d := object{"@context": "https://schema.org/", "@type": "Dataset", "name": a.Title, "description": a.Description, "version": a.Version,
		"distribution": []object{
			{"@type": "DataDownload", "encodingFormat": "application/jsonl", "contentUrl": a.Base + "data/records.jsonl", "name": "all evidence, one record a line"},
			{"@type": "DataDownload", "encodingFormat": "application/json", "contentUrl": a.Base + DataPackageFile, "name": "list of all data files"},
		}}
	if a.Base != "" {
		d["url"], d["@id"] = a.Base, a.Base
	}
	if a.Newest != "" {
		d["temporalCoverage"] = "../" + a.Newest
	}
	if a.Published != "" {
		d["datePublished"] = a.Published
	}
	if a.Author != "" {
		d["creator"] = object{"@type": "Thing", "name": a.Author}
	}
	switch {
	case spdx(a.Licence):
		d["license"] = "https://spdx.org/licenses/" + a.Licence
	case a.Licence != "":
		d["license"] = a.Licence
	}
	return d
}

// citation is a Citation File Format 1.2.0 file. The format asks for an author;
// where the site names none, it says so.
func citation(a about) []byte {
	var b strings.Builder
	line := func(key, text string) { fmt.Fprintf(&b, "%s: %s\n", key, yamlText(text)) }
	line("cff-version", "1.2.0")
	line("message", "Cite a single record by the line at the end of its page, and this site as a whole by these data.")
	line("type", "dataset")
	line("title", a.Title)
	abstract := a.Description
	if a.Licence != "" && !spdx(a.Licence) {
		abstract += " Licence: " + a.Licence
	}
	line("abstract", abstract)
	author := a.Author
	if author == "" {
		author = "author not stated"
	}
	fmt.Fprintf(&b, "authors:\n  - name: %s\n", yamlText(author))
	line("version", a.Version)
	if a.Published != "" {
		line("date-released", a.Published)
	}
	if spdx(a.Licence) {
		line("license", a.Licence)
	}
	if a.Base != "" {
		line("url", a.Base)
	}
	return []byte(b.String())
}

// yamlText is a text as a double-quoted YAML scalar. A JSON string is one, but
// for characters that YAML does not take as they are.
func yamlText(s string) string {
	quoted, err := json.Marshal(strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		return `""` // cannot be: a string always has a JSON form
	}
	var b strings.Builder
	for _, r := range string(quoted) {
		if r >= 0x7f && r < 0xa0 || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
