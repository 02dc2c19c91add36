// Package content holds the pages that benchline itself has to say: the
// methodology, and one page for each limitation code. They are part of the
// program, so that every site can explain its own figures from disk.
//
// Pages are Markdown with TOML front matter, as render/internal/prose reads
// them. A site's own content folder may replace any of them by name.
package content

import (
	"embed"
	"io/fs"
)

//go:embed limits methodology
var files embed.FS

// FS is the pages: limits/CODE.md for each code of ingest/evidence, and
// methodology/NAME.md with the pictures that they show.
func FS() fs.FS { return files }
