package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"benchline/assets"
	"benchline/content"
	"benchline/ingest"
	"benchline/ingest/evidence"
	"benchline/ingest/measure"
	"benchline/render"
	"benchline/templates"
)

func buildCommand(e env) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Ingest what is new, check, and render the site",
		Args:  args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			dir := siteDir(given)
			if out == "" {
				out = filepath.Join(dir, "public")
			}
			built, err := buildSite(c.Context(), e, dir, out)
			if err != nil {
				return err
			}
			fmt.Fprintf(e.stdout, "%s: %s on %s, %d of %s written\n",
				out, measure.Counted(built.Records, "record"), measure.Counted(built.Pages, "page"), built.Written, measure.Counted(built.Files, "file"))
			if built.refused {
				return fault{code: exitRefused}
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "folder to write (default DIR/public)")
	return c
}

// siteDir is the site folder of a command that takes [DIR].
func siteDir(given []string) string {
	if len(given) == 1 {
		return given[0]
	}
	return "."
}

// built is what a build came to.
type built struct {
	render.Result
	refused bool // an input was refused and named
}

// buildSite ingests what is new below dir and renders the site into out.
func buildSite(ctx context.Context, e env, dir, out string) (built, error) {
	in, refused, err := siteInput(ctx, e, dir)
	if err != nil {
		return built{}, err
	}
	defer easeCollector()()
	result, err := render.Site(ctx, in, out)
	if err != nil {
		return built{}, checkFault(fmt.Errorf("build %s: %w", dir, err), "benchline check "+dir+" lists everything that stops a build")
	}
	return built{Result: result, refused: refused}, nil
}

// siteInput gathers all that a site is rendered from. Refused inputs are named
// on standard error; the rest goes on.
func siteInput(ctx context.Context, e env, dir string) (render.Input, bool, error) {
	files := os.DirFS(dir)
	config, err := render.LoadConfig(files)
	if errors.Is(err, fs.ErrNotExist) {
		return render.Input{}, false, usageFault(fmt.Errorf("%s is not a site: it has no site.toml", dir), "benchline init "+dir+" makes one")
	}
	if err != nil {
		return render.Input{}, false, usageFault(fmt.Errorf("read %s: %w", filepath.Join(dir, "site.toml"), err), "")
	}
	pages, archive := content.FS(), fs.FS(nil)
	if config.Archive {
		pages, archive = content.WithArchive(), content.Archive()
	}
	report, err := ingestSite(ctx, dir, nil)
	if err != nil {
		return render.Input{}, false, err
	}
	printRefusals(e, report)
	records, err := ingest.Records(dir)
	if err != nil {
		return render.Input{}, false, fmt.Errorf("read the evidence of %s: %w", dir, err)
	}
	packs, err := render.LoadPacks(files)
	if err != nil {
		return render.Input{}, false, fmt.Errorf("read the packs of %s: %w", dir, err)
	}
	definitions, err := toolDefinitions()
	if err != nil {
		return render.Input{}, false, err
	}
	return render.Input{
		Config:      config,
		Records:     records,
		Files:       withArchive(files, archive),
		Content:     siteFS(dir, "content", pages),
		Templates:   siteFS(dir, "templates", templates.FS()),
		Assets:      siteFS(dir, "assets", assets.FS()),
		Definitions: definitions,
		Packs:       packs,
		Tool:        toolName(),
		Program:     programHash(),
		CacheDir:    filepath.Join(dir, ".cache"),
	}, len(report.Refused) > 0, nil
}

// withArchive is the site folder with the built-in archive's record files in
// it, so that they can be downloaded from the site like its own.
func withArchive(files, archive fs.FS) fs.FS {
	if archive == nil {
		return files
	}
	return overlay{top: files, base: archive}
}

// printRefusals names what was refused, a line or two each, and then once what
// was looked for in the files that nobody knows.
func printRefusals(e env, report ingest.Report) {
	for _, r := range report.Refused {
		fmt.Fprintf(e.stderr, "error: %s: %s\n", evidence.ShownPath(r.Path), r.Why)
		if r.Hint != "" {
			fmt.Fprintf(e.stderr, "hint: %s\n", r.Hint)
		}
	}
	if len(report.LookedFor) == 0 {
		return
	}
	fmt.Fprintln(e.stderr, "hint: tables and JSON of unknown formats are read as an import.toml beside them says; by content the formats are known by:")
	for _, l := range report.LookedFor {
		fmt.Fprintf(e.stderr, "  %s: %s\n", l.Adapter, l.For)
	}
}

// programHash is the hash of the running program's file, so that pages kept
// from an earlier build are not taken for this program's. Empty when the file
// cannot be read: then the version alone tells programs apart.
func programHash() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))
}
