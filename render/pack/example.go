package pack

import (
	"bytes"
	_ "embed"
)

//go:embed example.toml
var example []byte // go:embed needs a variable; only Example reads it

// Example is an annotated pack file that shows every key; `benchline init` writes it.
// It names no records, so that it can be frozen as it is.
func Example() []byte { return bytes.Clone(example) }
