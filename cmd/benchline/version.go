package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is raised by hand with each release.
const version = "0.1.0"

// toolName is how this program names itself in logs, records and pages. The
// revision is what the Go command stamped into the binary; a build outside a
// checkout has none, and says so by leaving it out.
func toolName() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "benchline " + version
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision == "" {
		return "benchline " + version
	}
	return "benchline " + version + " (" + revision + dirty + ")"
}

func versionCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(e.stdout, toolName())
			return err
		},
	}
}
