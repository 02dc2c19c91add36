package main

import (
	"fmt"

	"benchline/ingest/measure"
	"benchline/ingest/verify"
)

// printVerify says what was held against what, and each thing that does not hold.
func printVerify(e env, r verify.Report) {
	fmt.Fprintf(e.stdout, "%s with the checksum that SHA256SUMS gives\n", measure.Counted(r.Files, "file"))
	fmt.Fprintf(e.stdout, "%d of %s recomputed from their logs: %s", r.Recomputed, measure.Counted(r.Records, "record"), measure.Counted(r.Numbers, "number"))
	if r.Quoted > 0 {
		fmt.Fprintf(e.stdout, "; %s quoted, not recomputable", measure.Counted(r.Quoted, "record"))
	}
	if r.Reread > 0 {
		fmt.Fprintf(e.stdout, " (%d of them read again from their files, and equal)", r.Reread)
	}
	fmt.Fprintf(e.stdout, "\n%s and %s on %s compared with their records\n", measure.Counted(r.Headlines, "headline block"), measure.Counted(r.Figures, "figure"), measure.Counted(r.Pages, "page"))
	if r.Verdicts > 0 {
		fmt.Fprintf(e.stdout, "committee packs: %s computed again, %s given again\n", measure.Counted(r.Computed, "number"), measure.Counted(r.Verdicts, "verdict"))
	}
	if r.Comparisons > 0 {
		fmt.Fprintf(e.stdout, "%s of two records given again, with %s\n", measure.Counted(r.Comparisons, "comparison"), measure.Counted(r.Compared, "difference or ratio", "differences and ratios"))
	}
	for _, m := range r.Mismatches {
		fmt.Fprintf(e.stdout, "mismatch: %s: %s\n", m.Path, m.What)
	}
	switch {
	case len(r.Mismatches) > 0:
		fmt.Fprintf(e.stdout, "%s: this site does not verify\n", measure.Counted(len(r.Mismatches), "mismatch", "mismatches"))
	case r.Quoted > 0:
		fmt.Fprintln(e.stdout, "everything that can be recomputed was, and agrees")
	case r.Records == 0:
		fmt.Fprintln(e.stdout, "there is no number to recompute")
	default:
		fmt.Fprintln(e.stdout, "every number was recomputed and agrees")
	}
}
