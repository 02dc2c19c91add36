// Package assets holds the files that every site carries: the stylesheet, the
// script that enhances pages, and the vendored charting library with its licence.
//
// # The vendored library
//
// echarts.min.js is dist/echarts.min.js of the npm package echarts 6.1.0, as it
// is published, unchanged; versions before 6.1.0 have a known cross-site
// scripting fault. echarts.LICENSE and echarts.NOTICE are the LICENSE and NOTICE
// of the same package, and echarts.sha256 has the sums of the three, which a
// test checks. To take another version: npm pack echarts@VERSION, copy the
// three files, write the sums.
//
// No page needs it: it is loaded when a reader asks for a chart that can be
// explored.
package assets

import (
	"embed"
	"io/fs"
)

//go:embed style.css pack.css site.js echarts.min.js echarts.LICENSE echarts.NOTICE echarts.sha256
var files embed.FS // go:embed needs a variable; it is read-only

// FS returns the asset files, without folders.
func FS() fs.FS { return files }
