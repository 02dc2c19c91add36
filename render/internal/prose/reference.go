package prose

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Kind is what a reference asks for.
type Kind string

// The kinds of reference.
const (
	Ev       Kind = "ev"       // a figure in a sentence: RECORD METRIC
	Headline Kind = "headline" // a whole headline block: RECORD METRIC
	Table    Kind = "table"    // a table: at least one argument
	Chart    Kind = "chart"    // a chart: at least one argument
	Compare  Kind = "compare"  // the verdict on two records: A B

	Illustration Kind = "illustration" // a mark: numbers that explain
	Target       Kind = "target"       // a mark: a number that is aimed at
	Claim        Kind = "claim"        // a mark: a number that somebody states: SOURCE TEXT
)

// kinds returns the closed list with the number of arguments: from, to (−1: any).
func kinds() []struct {
	kind     Kind
	from, to int
} {
	return []struct {
		kind     Kind
		from, to int
	}{{Ev, 2, 2}, {Headline, 2, 2}, {Table, 1, -1}, {Chart, 1, -1}, {Compare, 2, 2}, {Illustration, 1, -1}, {Target, 1, -1}, {Claim, 1, -1}}
}

// block says whether the kind fills a paragraph of its own.
func (k Kind) block() bool {
	return k == Headline || k == Table || k == Chart || k == Compare
}

// marks says whether the kind marks text instead of asking for evidence.
func (k Kind) marks() bool { return k == Illustration || k == Target || k == Claim }

// words is what a mark says to the reader.
func (k Kind) words() string {
	switch k {
	case Illustration:
		return "illustration, not measured"
	case Target:
		return "target, not measured"
	case Claim:
		return "a claim, not evidence"
	case Ev, Headline, Table, Chart, Compare:
	}
	return ""
}

// Reference is one {{…}} of a page.
type Reference struct {
	Kind      Kind
	Args      []string
	Line, Col int
}

// Resolved is what stands in a reference's place.
type Resolved struct {
	// HTML is inserted as it is: the resolver answers for it. Inline for Ev, a
	// block otherwise.
	HTML []byte
	// Markdown is what the twin has: without line breaks for Ev.
	Markdown []byte
}

// Resolver finds the evidence that a reference names. An error becomes a
// diagnostic at the reference.
type Resolver interface {
	Resolve(Reference) (Resolved, error)
}

// ResolverFunc lets a function be a [Resolver].
type ResolverFunc func(Reference) (Resolved, error)

// Resolve calls the function.
func (f ResolverFunc) Resolve(r Reference) (Resolved, error) { return f(r) }

// kindReference and kindPassage are this package's kinds of node.
//
//nolint:gochecknoglobals // goldmark gives out node kinds process-wide, once each
var (
	kindReference = ast.NewNodeKind("EvidenceReference")
	kindPassage   = ast.NewNodeKind("MarkedPassage")
)

// refNode is a reference in the tree: inline, or in the place of the paragraph
// in which it stood alone.
type refNode struct {
	ast.BaseInline
	ref        Reference
	start, end int    // offsets into the Markdown
	text       string // the arguments as written, for marks
	textAt     int    // where the text starts in the Markdown
	origin     origin // of a claim
	fault      string // why it cannot be resolved
	hint       string
	alone      bool // took the place of its paragraph
	cell       bool // stands in a table cell
}

// Kind implements [ast.Node].
func (n *refNode) Kind() ast.NodeKind { return kindReference }

// Dump implements [ast.Node].
func (n *refNode) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"ref": n.text}, nil)
}

// refParser reads {{…}}. Goldmark does not ask it inside code.
type refParser struct{}

// Trigger implements [parser.InlineParser].
func (refParser) Trigger() []byte { return []byte{'{'} }

// Parse implements [parser.InlineParser]. Braces that are no reference become
// a node with a fault: a misspelt reference must not be printed as text.
func (refParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, seg := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("{{")) {
		return nil
	}
	n := &refNode{start: seg.Start}
	end := bytes.Index(line, []byte("}}"))
	if end < 0 {
		n.end = seg.Start + 2
		n.fault, n.hint = "this reference has no end", "write {{ev RECORD METRIC}}, or put the braces into a code span"
		block.Advance(2)
		return n
	}
	n.end = seg.Start + end + 2
	n.read(string(line[2:end]))
	block.Advance(end + 2)
	return n
}

// read takes the words between the braces.
func (n *refNode) read(inner string) {
	words := strings.Fields(inner)
	if len(words) == 0 {
		n.fault, n.hint = "this reference is empty", "write {{ev RECORD METRIC}}"
		return
	}
	n.ref.Kind, n.ref.Args = Kind(words[0]), words[1:]
	n.text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(inner), words[0]))
	n.textAt = n.start + 2 + strings.LastIndex(inner, n.text)
	var names []string
	for _, k := range kinds() {
		names = append(names, string(k.kind))
		if k.kind != n.ref.Kind {
			continue
		}
		if args := len(n.ref.Args); args < k.from || k.to >= 0 && args > k.to {
			n.fault = fmt.Sprintf("{{%s}} takes %s, got %d", k.kind, countWords(k.from, k.to), args)
		}
		if strings.Contains(n.text, "{{") {
			n.fault = "this reference has another one inside"
		}
		return
	}
	n.fault = fmt.Sprintf("unknown reference %q", words[0])
	n.hint = "one of " + strings.Join(names, ", ")
}

func countWords(from, to int) string {
	switch {
	case to < 0:
		return fmt.Sprintf("at least %d words", from)
	case from == 1 && to == 1:
		return "1 word"
	}
	return fmt.Sprintf("%d words", to)
}
