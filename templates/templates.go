// Package templates holds the two template sets of the site: html, in the
// syntax of html/template, and md, in that of text/template, for the Markdown
// twins. Both are given the same data, made by package report.
//
// They are a package because go:embed cannot reach into a parent folder. The
// renderer is handed an fs.FS, so a site may replace any file. No label of a
// metric stands in a template: labels come with the data, from the registry.
package templates

import (
	"embed"
	"io/fs"
)

//go:embed html md
var files embed.FS // go:embed needs a variable; it is read-only

// FS returns the template files: html/NAME.html and md/NAME.md.
func FS() fs.FS { return files }
