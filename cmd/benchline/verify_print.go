package main

import (
	"fmt"

	"benchline/ingest/verify"
)

// printVerify says what was held against what, and each thing that does not hold.
func printVerify(e env, r verify.Report) {
	fmt.Fprintf(e.stdout, "%d files have the checksum that SHA256SUMS gives\n", r.Files)
	fmt.Fprintf(e.stdout, "%d of %d records recomputed from their logs: %d numbers", r.Recomputed, r.Records, r.Numbers)
	if r.Quoted > 0 {
		fmt.Fprintf(e.stdout, "; %d records are quoted, not recomputable", r.Quoted)
	}
	if r.Reread > 0 {
		fmt.Fprintf(e.stdout, " (%d of them read again from their files, and equal)", r.Reread)
	}
	fmt.Fprintf(e.stdout, "\n%d headline blocks and %d figures on %d pages compared with their records\n", r.Headlines, r.Figures, r.Pages)
	if r.Verdicts > 0 {
		fmt.Fprintf(e.stdout, "%d numbers of committee packs computed again, %d verdicts given again\n", r.Computed, r.Verdicts)
	}
	if r.Comparisons > 0 {
		fmt.Fprintf(e.stdout, "%d comparisons of two records given again, with %d differences and ratios\n", r.Comparisons, r.Compared)
	}
	for _, m := range r.Mismatches {
		fmt.Fprintf(e.stdout, "mismatch: %s: %s\n", m.Path, m.What)
	}
	switch {
	case len(r.Mismatches) > 0:
		fmt.Fprintf(e.stdout, "%d mismatches: this site does not verify\n", len(r.Mismatches))
	case r.Quoted > 0:
		fmt.Fprintln(e.stdout, "everything that can be recomputed was, and agrees")
	case r.Records == 0:
		fmt.Fprintln(e.stdout, "there is no number to recompute")
	default:
		fmt.Fprintln(e.stdout, "every number was recomputed and agrees")
	}
}
