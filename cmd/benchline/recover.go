package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"benchline/runner/reqlog"
)

func recoverCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "recover RUN",
		Short: "Turn the journal of a killed run into a log",
		Long: `Reads the journal that a killed run left in its folder, up to the last whole frame,
and writes the log from it: what had ended is kept as it ended, what was in flight
becomes unresolved, and the run is marked interrupted. Safe to repeat.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, given []string) error {
			manifest, report, err := reqlog.Recover(given[0])
			if err != nil {
				return checkFault(err, "name the folder of one run, the one that holds journal.bln; the disk it is on needs room for the log")
			}
			fmt.Fprintf(e.stdout, "%s: %s\n", given[0], recovered(report))
			printLedger(e.stdout, manifest)
			return nil
		},
	}
}

// recovered says what a recovery found.
func recovered(r reqlog.RecoverReport) string {
	switch {
	case r.AlreadyComplete:
		return "complete already; nothing was changed"
	case r.OnlyFinishing:
		return "the run had ended in order; its log is made"
	}
	text := fmt.Sprintf("%d ended requests and %d in flight (unresolved) recovered from %d bytes of journal", r.Ended, r.InFlight, r.JournalBytes)
	if r.LostBytes > 0 {
		text += fmt.Sprintf("; %d bytes after the last whole frame not read: %s", r.LostBytes, r.Fault)
	}
	return text
}
