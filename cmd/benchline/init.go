package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/render"
	"benchline/render/pack"
	"benchline/runner/plan"
)

// packSample is the name of the sample of a pack in a new site. It does not end in
// .toml: nobody has asked for a page of it.
const packSample = "example.toml.sample"

// afterInit says what can be done with a new site: its folder, its example plan,
// its folder of logs, its sample of a pack.
const afterInit = `%[1]s is a site now. For a run of your own:
  edit %[2]s, then
  benchline plan %[2]s
  benchline run %[2]s --out %[3]s
For results that are there already (other tools' files, run folders, records written by hand):
  benchline ingest PATH... --site %[1]s
For a committee that chooses between options: copy %[4]s to a .toml beside it, edit, then
  benchline pack FILE --freeze      before there are results
Then, and as often as you like:
  benchline serve %[1]s
%[1]s/site.toml names every setting and every folder. Without a record the site is the methodology alone.
`

// siteFile is the site file of a new site: every setting, and what lies beside it.
const siteFile = `# What the pages say of the site itself. Every key is shown; a line that begins
# with "# " and a key may be left out.

title       = %q
description = ""        # one line under the title, and for search engines
author      = ""
licence     = ""        # for example "CC-BY-4.0"
base        = ""        # public address, for example "https://example.org/bench/"; empty: pages name none
# published = 2026-11-30   # (example) the day of publication; a build has no clock of its own
archive     = false     # true: the built-in archive of historical reports is shown as well
compare     = []        # pairs of records that have a page of their own: [["A", "B"]], A is the base

# A rule for charts and tables may be set aside for one page; the reason stands there.
# [[set_aside]]
# rule   = "L7"
# page   = "families/NAME"
# figure = "curve-ttft-1"   # may be left out: all charts and tables of the page
# reason = "the engine was upgraded half way, on purpose"

# Beside this file:
#   plans/      benchmark plans (TOML): benchline plan FILE, benchline run FILE --out logs
#   logs/       a folder for each run; never changed after the run
#   records/    records that somebody wrote down from a report (TOML)
#   imports/    result files of other tools; an import.toml beside them says who ran
#               them and what the files do not state
#   content/    pages of your own (Markdown); one named as a built-in page replaces it
#   packs/      documents for a committee (TOML): benchline pack FILE. The .sample in it
#               shows every key; the page "Committee packs" says how they are read
#   withdrawn.toml, errata.toml   records that were withdrawn, and what was wrong in one
#   evidence/   made from all of these by benchline ingest; may be deleted
#   public/     the built site
# The pages "Recovered records" and "Importing files of your own" of the methodology,
# which every site has, show how records/ and imports/ are filled.
`

func initCommand(e env) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Make a new site folder",
		Args:  args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, given []string) error {
			dir := given[0]
			if err := initSite(dir, "Benchmarks"); err != nil {
				return err
			}
			example := filepath.Join(dir, "plans", "example.toml")
			if err := os.WriteFile(example, plan.Example(), 0o644); err != nil {
				return fmt.Errorf("write the example plan: %w", err)
			}
			sample := filepath.Join(dir, render.PacksFolder, packSample)
			if err := os.WriteFile(sample, pack.Example(), 0o644); err != nil {
				return fmt.Errorf("write the sample of a pack: %w", err)
			}
			fmt.Fprintf(e.stdout, afterInit, dir, example, filepath.Join(dir, "logs"), sample)
			return nil
		},
	}
}

// initSite makes the folders and the site file. A folder that is a site
// already is refused, never changed.
func initSite(dir, title string) error {
	config := filepath.Join(dir, "site.toml")
	if _, err := os.Stat(config); err == nil {
		return usageFault(fmt.Errorf("%s is a site already", dir), "name a new folder, or edit "+config)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("look at %s: %w", config, err)
	}
	for _, part := range []string{"plans", "logs", "records", "imports", "content", "packs"} {
		if err := os.MkdirAll(filepath.Join(dir, part), 0o755); err != nil {
			return fmt.Errorf("make the site folder: %w", err)
		}
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, siteFile, title), 0o644); err != nil {
		return fmt.Errorf("write site.toml: %w", err)
	}
	return nil
}
