package limits

import (
	"fmt"
	"strings"
	"time"

	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/runner/reqlog"
)

// LedgerUnbalanced applies where planned requests are not all accounted for:
// a row of no known phase, a sum that does not come out, or a manifest that
// counts other outcomes than the rows do. Rows is the ledger as the log's rows
// have it, with the manifest's planned; manifest is as the manifest has it.
func LedgerUnbalanced(rows, manifest reqlog.Ledger, oddRows int64) Finding {
	n := measure.FormatCount
	fault := ""
	switch {
	case oddRows > 0:
		fault = fmt.Sprintf("%s of the log belong to no phase", measure.Counted(oddRows, "row"))
	case rows.Planned != rows.Sent+rows.NeverSent:
		fault = fmt.Sprintf("%s planned, but %s sent and %s never sent", n(rows.Planned), n(rows.Sent), n(rows.NeverSent))
	case !rows.Balances():
		fault = fmt.Sprintf("%s sent, but the outcomes add up to %s", n(rows.Sent),
			n(rows.Completed+rows.Failed+rows.Rejected+rows.TimedOut+rows.Cancelled+rows.Unresolved))
	case rows != manifest:
		fault = "the manifest's ledger counts other outcomes than the rows of the log (" + difference(manifest, rows) + ")"
	}
	return when(fault != "", evidence.LedgerUnbalanced, fault)
}

// difference names the first count in which two ledgers differ.
func difference(manifest, rows reqlog.Ledger) string {
	for _, x := range []struct {
		name string
		a, b int64
	}{
		{"sent", manifest.Sent, rows.Sent}, {"completed", manifest.Completed, rows.Completed}, {"failed", manifest.Failed, rows.Failed},
		{"rejected", manifest.Rejected, rows.Rejected}, {"timed out", manifest.TimedOut, rows.TimedOut},
		{"cancelled", manifest.Cancelled, rows.Cancelled}, {"unresolved", manifest.Unresolved, rows.Unresolved},
		{"never sent", manifest.NeverSent, rows.NeverSent},
	} {
		if x.a != x.b {
			return fmt.Sprintf("%s %s against %s", measure.FormatCount(x.a), x.name, measure.FormatCount(x.b))
		}
	}
	return "planned differs"
}

// ClientVoid applies where the client's own verdict is void. Reasons are the
// verdict's, a sentence each.
func ClientVoid(v reqlog.Verdict, reasons []string) Finding {
	return when(v == reqlog.Void, evidence.ClientVoid, reasonWords(reasons))
}

// ClientSuspect applies where the client's own verdict is suspect. Reasons are
// the verdict's, a sentence each.
func ClientSuspect(v reqlog.Verdict, reasons []string) Finding {
	return when(v == reqlog.Suspect, evidence.ClientSuspect, reasonWords(reasons))
}

// ClientUnjudged applies where the client's own verdict is that there was too
// little to judge it by. Reasons say what was over its limit, and how few.
func ClientUnjudged(v reqlog.Verdict, reasons []string) Finding {
	return when(v == reqlog.Unjudged, evidence.ClientUnjudged, reasonWords(reasons))
}

// reasonWords joins sentences to one without its full stop.
func reasonWords(reasons []string) string {
	if len(reasons) == 0 {
		return "no reason recorded"
	}
	words := make([]string, len(reasons))
	for i, r := range reasons {
		words[i] = strings.TrimSuffix(r, ".")
	}
	return strings.Join(words, "; ")
}

// SimulatedEndpoint applies where benchline's simulator gave the answers.
func SimulatedEndpoint(simulated bool) Finding {
	return when(simulated, evidence.SimulatedEndpoint)
}

// Interruption applies where a run ended before its plan did. Note is why, as it
// was recorded.
func Interruption(interrupted bool, note string) Finding {
	if note == "" {
		note = "no reason recorded"
	}
	return when(interrupted, evidence.Interruption, strings.TrimSuffix(note, "."))
}

// wallStepMost is what clock discipline slews in a run, and more.
const wallStepMost = 50 * time.Millisecond

// WallClockStepped applies where the wall clock moved by more than 50 ms against
// the monotonic clock, either way.
func WallClockStepped(step time.Duration) Finding {
	text := measure.FormatSeconds(measure.Seconds(int64(step)))
	if step > 0 {
		text = "+" + text
	}
	return when(step.Abs() > wallStepMost, evidence.WallClockStepped, text)
}

// UnverifiedMLPerf applies to an MLPerf figure that no result ID of MLCommons
// stands behind.
func UnverifiedMLPerf(verified bool) Finding {
	return when(!verified, evidence.UnverifiedMLPerf)
}
