// Package plan reads a benchmark plan: a TOML file that states everything
// which a run needs, before its first request.
//
// A plan is read whole. [Parse] finds every fault at once and names each by
// file and line; a key that it does not know is a fault, because a mistyped
// key would otherwise measure something else than was asked. What is read is
// immutable and has a hash, the SHA-256 of the file's bytes, which goes with
// every result.
//
// There are few defaults and none is hidden: each is stated on its field of
// [Spec] and listed by [Plan.Defaults].
//
// A plan never holds a secret. It names the environment variable with the
// endpoint's key, and a file in which anything looks like a key is refused,
// because the file is published beside the results.
//
// The example file, [Example], shows every key.
package plan

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the example file
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/BurntSushi/toml"
)

// maxBytes is the largest plan file that is read.
const maxBytes = 1 << 20

//go:embed example.toml
var example []byte // go:embed needs a variable; only Example reads it

// Example is an annotated plan that shows every key; `benchline init` writes it.
func Example() []byte { return bytes.Clone(example) }

// Plan is a plan that was read without fault. It cannot be changed: what it
// returns are copies. The zero Plan is not valid; get one from [Load] or [Parse].
type Plan struct {
	spec     Spec
	points   []Point
	defaults []Default
	source   []byte
	hash     string
}

// Load reads a plan file. The error is a [Faults] when the file could be read
// but is not a right plan. A word list is looked for beside the file.
func Load(path string) (Plan, error) {
	f, err := os.Open(path)
	if err != nil {
		return Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	src, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return Plan{}, fmt.Errorf("reading the plan: %w", err)
	}
	p, err := Parse(path, src)
	if err != nil {
		return Plan{}, err
	}
	if list := p.spec.Workload.WordList; list != "" {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(list))); err != nil {
			return Plan{}, Faults{{
				File: path, Line: locate(src).at("workload", "word_list"), Key: "workload.word_list",
				Msg: "cannot be read: " + reason(err), Hint: "the path starts at the plan's folder",
			}}
		}
	}
	return p, nil
}

// reason is the last part of a file error: the path is known already.
func reason(err error) string {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// Parse reads a plan from src; file is its name in faults. The error, if any,
// is a [Faults] with all that is wrong. Parse reads no other file.
func Parse(file string, src []byte) (Plan, error) {
	r := newReader(file)
	doc, fault := decode(file, src)
	if fault != nil {
		r.faults = append(r.faults, *fault)
		if len(src) <= maxBytes {
			r.secretLines(src)
		}
		return Plan{}, r.faults.sorted()
	}
	r.lines = locate(src)
	r.unknown(doc)
	spec := r.spec(&table{r: r, m: doc, present: true})
	r.secretLines(src)
	if len(r.faults) > 0 {
		return Plan{}, r.faults.sorted()
	}
	points := matrix(spec)
	if fault := tooMany(file, r.lines, spec, points); fault != nil {
		return Plan{}, Faults{*fault}
	}
	sum := sha256.Sum256(src)
	return Plan{
		spec: spec, points: points, defaults: r.defaults,
		source: bytes.Clone(src), hash: "sha256:" + hex.EncodeToString(sum[:]),
	}, nil
}

// decode reads TOML; the fault is a syntax error.
func decode(file string, src []byte) (map[string]any, *Fault) {
	if len(src) > maxBytes {
		return nil, &Fault{File: file, Msg: fmt.Sprintf("is larger than %d bytes, too large for a plan", maxBytes)}
	}
	doc := map[string]any{}
	_, err := toml.Decode(string(src), &doc)
	if err == nil {
		return doc, nil
	}
	f := &Fault{File: file, Line: 1, Msg: "cannot be read as TOML"}
	var pe toml.ParseError
	if errors.As(err, &pe) {
		f.Line = max(1, pe.Position.Line)
		f.Msg = "is not valid TOML: " + cleanRunes(withoutQuotes(pe.Message, pe.LastKey))
		f.Hint = "the first fault of the syntax hides any others"
	}
	return nil, f
}

// Spec returns what the plan states, defaults filled in. The caller may change it.
func (p Plan) Spec() Spec { return p.spec.clone() }

// Points returns the plan's matrix in the order in which it is run: output
// lengths rising, within them input lengths, within them loads.
func (p Plan) Points() []Point {
	out := slices.Clone(p.points)
	for i := range out {
		out[i].Rate = clonePointer(out[i].Rate)
	}
	return out
}

// Hash returns "sha256:" and the hex digest of the file's bytes.
func (p Plan) Hash() string { return p.hash }

// Source returns the file's bytes.
func (p Plan) Source() []byte { return bytes.Clone(p.source) }

// Defaults returns what the file left out and what stands in its place, in
// the order in which it was read.
func (p Plan) Defaults() []Default { return slices.Clone(p.defaults) }

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
