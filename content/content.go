// Package content holds the pages that benchline itself has to say: the
// methodology, and one page for each limitation code. They are part of the
// program, so that every site can explain its own figures from disk.
//
// Pages are Markdown with TOML front matter, as render/internal/prose reads
// them. A site's own content folder may replace any of them by name.
//
// The built-in archive is apart: records of historical run families that were
// written down from a report, and a page about each family. A site has them only
// if it asks for them.
package content

import (
	"embed"
	"io/fs"
)

//go:embed limits methodology
var files embed.FS

//go:embed limits methodology archive/*.md
var filesAndArchive embed.FS

//go:embed archive/*.toml
var records embed.FS

// FS is the pages: limits/CODE.md for each code of ingest/evidence, and
// methodology/NAME.md with the pictures that they show.
func FS() fs.FS { return files }

// WithArchive is [FS] and the pages about the built-in archive, archive/NAME.md.
// They refer to the records of [Archive] and can't be rendered without them.
func WithArchive() fs.FS { return filesAndArchive }

// Archive is the record files of the built-in archive, archive/NAME.toml, as
// ingest/adapter/recovered reads them.
func Archive() fs.FS { return records }
