// Package render builds the site: it takes evidence, authored pages, templates
// and assets, and writes HTML pages with their Markdown twins, the data beside
// them, and the checksums of it all.
//
// # Why so
//
// Two builds of the same input give the same bytes: nothing here reads a clock,
// a random number, the network, or a map in its own order. A page is made again
// only when something that it shows has changed; what that is stands in its key,
// a hash over the record's ID, its neighbours, the templates, the settings and
// the program's version.
//
// A dead link, a drawing that cannot be drawn, an evidence reference that finds
// nothing: each fails the build, with the page and the place. [Check] finds the
// same without writing.
//
// # Limits
//
// A build that fails leaves the files that it had already written; the next one
// goes on from there. Files that no build wrote are never removed.
package render

import (
	"io/fs"

	"benchline/ingest/evidence"
)

// Input is everything that a site is built from.
type Input struct {
	Config    Config
	Records   []evidence.Record // sealed
	Files     fs.FS             // the site folder, from which downloads are copied
	Content   fs.FS             // authored pages: limits/, methodology/, others
	Templates fs.FS             // html/ and md/
	Assets    fs.FS
	// Definitions are what other tools mean by their words.
	Definitions []Definition
	Packs       []PackSource
	Paper       Paper // on which packs are printed
	// Only are the slugs of the records to show; nil: all. What the keeper of a
	// site says of other records is left out then too.
	Only        []string
	Attachments []Attachment // files of packs that are not made here
	Tool        string       // the program and its version
	// Program identifies the program's code, e.g. the hash of its file: pages
	// that another program rendered are rendered again. May be empty.
	Program string
	// CacheDir is a folder outside the built site that remembers what was
	// built; empty: everything is made again.
	CacheDir string
}

// Result is what a build came to.
type Result struct {
	Records int
	Pages   int // HTML pages
	Files   int // all files, SHA256SUMS among them
	Written int // files that changed
	Removed int // files of an earlier build that are gone
}
