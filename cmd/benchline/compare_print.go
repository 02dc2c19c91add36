package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"benchline/ingest/compare"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
)

// printComparison writes the verdict first, then what differs, what is not
// stated and what is the same, then the numbers. On a terminal, whose width is
// known, it wraps sentences and cuts cells; elsewhere everything stands in full.
func printComparison(w io.Writer, width int, v compare.Verdict, a, b evidence.Record, numbers []compare.Number) {
	fmt.Fprintln(w, wrap(v.Sentence, width, ""))
	for _, need := range v.Needs {
		fmt.Fprintln(w, wrap("- "+need, width, "  "))
	}
	fmt.Fprintf(w, "\nA  %s: %s (%s)\nB  %s: %s (%s)\n", a.Slug, a.Title, a.Class, b.Slug, b.Title, b.Class)
	if a.Class == evidence.Simulated || b.Class == evidence.Simulated {
		fmt.Fprintln(w, wrap("Simulated endpoint: the answers came from a program that imitates one. These figures describe no real system.", width, ""))
	}
	for _, state := range []compare.State{compare.Differs, compare.NotStated, compare.Same} {
		printDimensions(w, width, v, state)
	}
	printUnlike(w, width, v)
	printNumbers(w, width, v, numbers)
}

func printDimensions(w io.Writer, width int, v compare.Verdict, state compare.State) {
	var rows [][]string
	for _, d := range v.Dimensions {
		switch {
		case d.State != state:
		case d.A != d.B:
			rows = append(rows, []string{d.Name, d.A, d.B, d.Note})
		case state == compare.Same:
			rows = append(rows, []string{d.Name, d.A, "", d.Note})
		default:
			rows = append(rows, []string{d.Name, d.A, "as A", d.Note})
		}
	}
	if len(rows) == 0 {
		return
	}
	heads := map[compare.State]string{compare.Differs: "Differs", compare.NotStated: "Not stated on a side", compare.Same: "The same"}
	fmt.Fprintf(w, "\n%s (%d of %d)\n", heads[state], len(rows), len(v.Dimensions))
	printTable(w, width, []string{"", "A", "B", ""}, rows)
}

// wrap breaks a sentence into lines of a width, the later ones indented. Without
// a width it stays one line.
func wrap(s string, width int, indent string) string {
	if width <= 0 {
		return s
	}
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(s) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}

// printUnlike names the figures that both have and that may not be compared,
// with what keeps them apart.
func printUnlike(w io.Writer, width int, v compare.Verdict) {
	var reasons []string
	by := map[string][]string{}
	for i := range v.Figures {
		m := &v.Figures[i]
		why := "differ in " + strings.Join(m.Differs, ", ")
		switch {
		case !m.Comparable() && strings.HasPrefix(m.Differs[0], "missing on "):
			why = m.Differs[0]
		case m.Comparable() && (len(m.NotStated) == 0 || v.Kind != compare.Controlled):
			continue
		case m.Comparable():
			why = "not stated: " + strings.Join(m.NotStated, ", ")
		}
		if by[why] == nil {
			reasons = append(reasons, why)
		}
		by[why] = append(by[why], string(m.Metric))
	}
	if len(reasons) == 0 {
		return
	}
	fmt.Fprintln(w, "\nFigures that may not be set side by side")
	for _, why := range reasons {
		fmt.Fprintln(w, wrap("  "+why+": "+strings.Join(by[why], ", "), width, "    "))
	}
}

// printNumbers writes the numbers that the verdict allows, each with a note.
func printNumbers(w io.Writer, width int, v compare.Verdict, numbers []compare.Number) {
	if len(numbers) == 0 {
		return
	}
	head := []string{"", "A", "B", "B − A", "of A", "interval of B − A", "test", "unit", ""}
	if v.Kind == compare.SystemsRatio {
		head[3] = "B ÷ A"
	}
	fmt.Fprintln(w, "\nNumbers")
	rows := make([][]string, 0, len(numbers))
	var notes []string
	for i := range numbers {
		n := &numbers[i]
		m, _ := measure.Lookup(n.Metric)
		s, note := n.Show(), n.Note()
		k := slices.Index(notes, note)
		if k < 0 {
			k = len(notes)
			notes = append(notes, note)
		}
		rows = append(rows, []string{m.Short, s.A, s.B, s.Change, s.Relative, s.Interval, s.P, s.Unit, fmt.Sprintf("[%d]", k+1)})
	}
	printTable(w, 0, head, rows)
	for k, note := range notes {
		fmt.Fprintln(w, wrap(fmt.Sprintf("  [%d] %s", k+1, note), width, "      "))
	}
}

// printTable writes rows in aligned columns, two spaces in and two between
// them. Columns that are empty everywhere are left out. With a width, columns
// after the first are cut so that a line fits.
func printTable(w io.Writer, width int, head []string, rows [][]string) {
	sizes := make([]int, len(head))
	for i := range sizes {
		for _, r := range rows {
			sizes[i] = max(sizes[i], utf8.RuneCountInString(r[i]))
		}
		if sizes[i] > 0 {
			sizes[i] = max(sizes[i], utf8.RuneCountInString(head[i]))
		}
	}
	if width > 0 {
		fit(sizes, width)
	}
	for _, r := range slices.Concat([][]string{head}, rows) {
		var line strings.Builder
		for i, size := range sizes {
			if size > 0 {
				cell := cut(r[i], size)
				line.WriteString("  " + cell + strings.Repeat(" ", size-utf8.RuneCountInString(cell)))
			}
		}
		if text := strings.TrimRight(line.String(), " "); text != "" {
			fmt.Fprintln(w, text)
		}
	}
}

// fit narrows the widest columns until the line fits; none below 12.
func fit(sizes []int, width int) {
	const least = 12
	for {
		total, widest := 0, 0
		for i, s := range sizes {
			if s > 0 {
				total += s + 2
			}
			if s > sizes[widest] {
				widest = i
			}
		}
		if total <= width || sizes[widest] <= least {
			return
		}
		sizes[widest]--
	}
}

func cut(s string, size int) string {
	if utf8.RuneCountInString(s) <= size {
		return s
	}
	return string([]rune(s)[:size-1]) + "…"
}
