package foreign

import (
	"context"

	"benchline/ingest/adapter"
)

// Format is the adapter of one tool's result files, made of what differs from
// tool to tool. What all of them owe is done here: import.toml beside the file,
// the hash of the whole file, records that are sealed in order and only when the
// file was read to its end.
//
// A package of a tool has one exported function, New, which returns its Format.
type Format struct {
	// Name is the adapter's name, a slug; Version is that of what it makes of a
	// file, from 1. It goes up whenever the same file would give other records.
	Name    string
	Version int
	// Want is what the adapter looks for, in words.
	Want string
	// Claims says whether a file that begins with these bytes is of the format.
	Claims func(prefix []byte) bool
	// Words are what the tool means by its words.
	Words []adapter.Definition
	// Beside are the names of other files in the same folder on which records
	// depend, besides import.toml.
	Beside []string
	// Parts reads a file: one part becomes one record. What they share, such as
	// the hash of the file, is added when all were read.
	Parts func(context.Context, *File) ([]Part, []adapter.Diagnostic, error)
}

var (
	_ adapter.Adapter = Format{}
	_ adapter.Definer = Format{}
	_ adapter.Beside  = Format{}
)

// ID is the name and the version.
func (f Format) ID() adapter.ID { return adapter.ID{Name: f.Name, Version: f.Version} }

// Companions are import.toml and the files beside.
func (f Format) Companions() []string { return append([]string{ImportName}, f.Beside...) }

// Definitions are the tool's words.
func (f Format) Definitions() []adapter.Definition { return f.Words }

// Sniff says whether a file is of the format, by its content alone.
func (f Format) Sniff(prefix []byte, _ string) adapter.Match {
	return adapter.Match{Is: f.Claims(prefix), Want: f.Want}
}

// Read yields a record for each part of the file.
func (f Format) Read(ctx context.Context, s adapter.Source, sink adapter.Sink) ([]adapter.Diagnostic, error) {
	return ReadParts(ctx, s, f.ID(), sink, func(file *File) ([]Part, []adapter.Diagnostic, error) {
		file.words = f.Words
		return f.Parts(ctx, file)
	})
}

// ReadJSON reads the values of a file that is JSON: see [ReadJSON].
func (f *File) ReadJSON(ctx context.Context, v Values) ([]adapter.Diagnostic, error) {
	return ReadJSON(ctx, f.Name(), f, v)
}

// OneJSON reads a file of which the first value that is wanted is the result:
// its parts are those that the function makes.
func (f *File) OneJSON(ctx context.Context, shape func() Shape, wanted func(Node) bool, parts func(Node) ([]Part, error)) ([]Part, []adapter.Diagnostic, error) {
	var out []Part
	done := false
	found, err := f.ReadJSON(ctx, Values{Begin: shape, Each: func(n Node) (err error) {
		if !done && wanted(n) {
			done = true
			out, err = parts(n)
		}
		return err
	}})
	return out, found, err
}

// Numbered tells the parts of a file apart by their places, unless there is but
// one.
func Numbered(parts []Part) []Part {
	for i := range parts {
		parts[i].Part = numberOf(i, len(parts))
	}
	return parts
}
