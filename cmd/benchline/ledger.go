package main

import (
	"fmt"
	"io"
	"strings"

	"benchline/runner/reqlog"
)

// printLedger writes what became of a run's requests, one line, and how far
// the client may be trusted.
func printLedger(w io.Writer, m reqlog.Manifest) {
	l := m.Ledger
	parts := []string{fmt.Sprintf("%d planned", l.Planned), fmt.Sprintf("%d sent", l.Sent), fmt.Sprintf("%d completed", l.Completed)}
	for _, part := range []struct {
		n    int64
		what string
	}{
		{l.Failed, "failed"}, {l.Rejected, "rejected"}, {l.TimedOut, "timed out"},
		{l.Cancelled, "cancelled"}, {l.Unresolved, "unresolved"}, {l.NeverSent, "never sent"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	fmt.Fprintf(w, "%s: %s\n", m.RunID, strings.Join(parts, ", "))
	if m.State == reqlog.Interrupted {
		fmt.Fprintf(w, "  interrupted: %s\n", m.Note)
	}
	if !l.Balances() {
		fmt.Fprintf(w, "  void: the ledger does not balance\n")
	}
	if m.Health.Verdict.Worse(reqlog.Sound) {
		fmt.Fprintf(w, "  client %s: %s\n", m.Health.Verdict, strings.Join(m.Health.Reasons, " "))
	}
}

// void reports whether a run may not be read as a measurement.
func void(m reqlog.Manifest) bool {
	return !m.Ledger.Balances() || m.Health.Verdict == reqlog.Void
}
