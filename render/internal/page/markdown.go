package page

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	texttemplate "text/template"
	"text/template/parse"
	"unicode"
	"unicode/utf8"
)

// markdownFuncs are the escapers of the Markdown templates.
func markdownFuncs() texttemplate.FuncMap {
	return texttemplate.FuncMap{
		"md": escapeInline, "cell": escapeCell, "code": codeSpan, "fence": fenced, "href": twinAddress, "raw": func(s string) string { return s },
	}
}

// escaped appends the escaper md to every action of the templates that prints
// something and does not end in an escaper already, so that none can be
// forgotten. "raw" is for text that is Markdown already: authored prose.
func escaped(t *texttemplate.Template) error {
	for _, x := range t.Templates() {
		if x.Tree == nil || x.Root == nil {
			continue
		}
		if err := escapeNode(x.Root); err != nil {
			return fmt.Errorf("template %q of the Markdown twins: %w", x.Name(), err)
		}
	}
	return nil
}

func escapeNode(n parse.Node) error {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		for _, c := range n.Nodes {
			if err := escapeNode(c); err != nil {
				return err
			}
		}
	case *parse.IfNode:
		return escapeBranch(&n.BranchNode)
	case *parse.RangeNode:
		return escapeBranch(&n.BranchNode)
	case *parse.WithNode:
		return escapeBranch(&n.BranchNode)
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 && !endsInEscaper(n.Pipe) {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand,
				Args: []parse.Node{parse.NewIdentifier("md")}})
		}
	}
	return nil
}

func escapeBranch(b *parse.BranchNode) error {
	if err := escapeNode(b.List); err != nil {
		return err
	}
	if b.ElseList == nil {
		return nil
	}
	return escapeNode(b.ElseList)
}

func endsInEscaper(p *parse.PipeNode) bool {
	last := p.Cmds[len(p.Cmds)-1]
	id, ok := last.Args[0].(*parse.IdentifierNode)
	if !ok {
		return false
	}
	_, ok = markdownFuncs()[id.Ident]
	return ok
}

// escapeInline writes any text so that Markdown shows it as it is, on one line.
func escapeInline(x any) string {
	s := oneLine(textOf(x))
	if !mayNeedEscape(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if needsEscape(s, i, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func textOf(x any) string {
	if s, ok := x.(string); ok {
		return s
	}
	return fmt.Sprint(x)
}

// mayNeedEscape is a quick look that never misses: most text is plain words.
func mayNeedEscape(s string) bool {
	return strings.ContainsAny(s, "\\`*[]<>|~{}_&!") || s != "" && strings.IndexByte("#+-=:0123456789", s[0]) >= 0
}

// needsEscape reports whether the character at i could be markup there.
func needsEscape(s string, i int, r rune) bool {
	switch r {
	case '\\', '`', '*', '[', ']', '<', '>', '|', '~', '{', '}':
		return true
	case '_':
		return !wordAt(s, i-1) || !wordAt(s, i+1)
	case '&':
		return isEntity(s[i:])
	case '!':
		return i+1 == len(s) || s[i+1] == '['
	case '#', '+', '-', '=', ':':
		return i == 0
	case '.', ')':
		// A number and a point begin a list only before a space.
		return i > 0 && i < 10 && (i+1 == len(s) || s[i+1] == ' ') && strings.Trim(s[:i], "0123456789") == ""
	}
	return false
}

func wordAt(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	return s[i] >= utf8.RuneSelf || s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z'
}

func isEntity(s string) bool {
	name, _, ok := strings.Cut(s[1:], ";")
	if !ok || name == "" || len(name) > 40 {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0
}

// oneLine turns every control character and line break into a space.
func oneLine(s string) string {
	if isPlainASCII(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

func isPlainASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// escapeCell is escapeInline for a table cell: an empty one stays a cell.
func escapeCell(x any) string {
	s := strings.TrimSpace(escapeInline(x))
	if s == "" {
		return " "
	}
	return s
}

// codeSpan writes text as a code span with a fence that the text has not got.
func codeSpan(x any) string {
	s := oneLine(textOf(x))
	if s == "" {
		return " "
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	// In a table a bar ends the cell, also within code.
	return ticks + " " + strings.ReplaceAll(s, "|", `\|`) + " " + ticks
}

// fenced writes text as a code block with a fence that the text has not got.
func fenced(x any) string {
	s := strings.ReplaceAll(textOf(x), "\r\n", "\n")
	fence := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return fence + "\n" + strings.TrimRight(s, "\n") + "\n" + fence
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// twinAddress is an address for a Markdown link: of the Markdown twin where the
// target is a page of the site. Fragments are dropped with the pages: renderers
// name headings differently.
func twinAddress(x any) string {
	s := oneLine(textOf(x))
	if u, err := url.Parse(s); err == nil && u.Scheme == "" {
		if page, ok := strings.CutSuffix(u.Path, ".html"); ok {
			u.Path, u.Fragment = page+".md", ""
		}
		s = u.String()
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C").Replace(s)
}

// tidyMarkdown takes spaces off the ends of lines, joins runs of empty lines, and
// ends the file with one line feed.
func tidyMarkdown(b []byte) []byte {
	out := make([]byte, 0, len(b)+1)
	empty := true // the line before was empty, or there was none
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		line = bytes.TrimRight(line, " \t")
		if len(line) == 0 && empty {
			continue
		}
		empty = len(line) == 0
		out = append(append(out, line...), '\n')
	}
	return append(bytes.TrimRight(out, "\n"), '\n')
}
