package verify

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// strays finds numbers that stand beside a performance unit without being a
// figure of a record. It is careful: an offered load ("20 requests per 1s"), a
// limit, a count, a plan and a quoted claim are none.
func (c *checker) strays(root *html.Node) {
	var b strings.Builder
	prose(root, &b)
	for _, line := range strings.Split(b.String(), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		for _, re := range c.v.strays {
			if found := re.FindString(line); found != "" {
				c.fault("%q looks like a performance figure, but is none of a record (in %q)", found, around(line, found))
				break
			}
		}
	}
}

func strayPatterns() []*regexp.Regexp {
	const number = `(?:^|[^\w.,/])\d[\d,.]*`
	return []*regexp.Regexp{
		// 1,267.90 output tokens/s; 12 tok/s; 3 requests per second
		regexp.MustCompile(number + ` ?(?:(?:input|output|total|generated|completed|good|\+) )*(?:tokens?|toks?|requests?|reqs?) ?(?:/|per) ?(?:s|sec|second)\b`),
		// 120 ms TTFT
		regexp.MustCompile(number + ` ?(?:s|ms|µs|μs|ns) (?:TTFT|TPOT|ITL|TTFA|time to first token|time per output token)\b`),
		// TTFT of 120 ms; TTFT p99: 120 ms
		regexp.MustCompile(`(?:TTFT|TPOT|ITL|TTFA)(?: (?:p\d+(?:\.\d+)?|mean|median|average|max))?(?: of|:| =| is| was)? \d[\d,.]* ?(?:s|ms|µs|μs|ns)\b`),
	}
}

// prose writes the running text of a page, without what may hold numbers of its
// own: figures and headline blocks, drawings, code, quotations, limitation
// notes. A block of text is a line.
func prose(n *html.Node, b *strings.Builder) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if n.Type == html.ElementNode && isApart(n) {
		b.WriteString(" ∎ ")
		return
	}
	block := n.Type == html.ElementNode && isBlock(n)
	if block {
		b.WriteByte('\n')
	}
	for child := range n.ChildNodes() {
		prose(child, b)
	}
	if block {
		b.WriteByte('\n')
	}
}

// isApart reports whether what an element holds is not the page's own prose.
func isApart(n *html.Node) bool {
	switch n.DataAtom { //nolint:exhaustive // the elements of HTML that matter
	case atom.Head, atom.Script, atom.Style, atom.Svg, atom.Template, atom.Pre, atom.Code, atom.Q, atom.Blockquote, atom.Data, atom.Footer:
		return true
	}
	return hasClass(n, "headline") || hasClass(n, "figure") || hasClass(n, "notes") || hasClass(n, "quoted")
}

func isBlock(n *html.Node) bool {
	switch n.DataAtom { //nolint:exhaustive // the elements of HTML that matter
	case atom.A, atom.B, atom.Em, atom.I, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Abbr, atom.Mark, atom.S, atom.Data, atom.Code:
		return false
	}
	return true
}

// around is the words about what was found.
func around(line, found string) string {
	i := strings.Index(line, found)
	from, to := max(0, i-40), min(len(line), i+len(found)+40)
	return strings.ToValidUTF8(line[from:to], "")
}
