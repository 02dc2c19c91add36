package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchline/content"
	"benchline/ingest/measure"
	"benchline/ingest/tomlfile"
	"benchline/render"
	"benchline/render/pack"
)

// packFlags is what the command line says of a pack.
type packFlags struct {
	site, out    string
	paper        string
	freeze, bare bool
}

func packCommand(e env) *cobra.Command {
	var f packFlags
	c := &cobra.Command{
		Use:   "pack PACK.toml",
		Short: "The committee document: options, verdicts, costs, and the evidence beside them",
		Long: `Makes the document that a committee decides on and signs: a folder with the page as
one HTML file, Markdown, a spreadsheet, a PDF where a Chromium is installed, and a
small site with the evidence that all of it rests on. benchline verify recomputes it.

--freeze writes shape, conditions and criteria with their hash and the time beside the
pack, before there are results. What is changed afterwards is printed as an amendment.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			if f.freeze {
				return freezePack(e, given[0])
			}
			return makePack(c.Context(), e, given[0], f)
		},
	}
	c.Flags().StringVar(&f.site, "site", "", "site folder with the evidence (default: the one in whose packs/ the file stands, else .)")
	c.Flags().StringVar(&f.out, "out", "", "folder to write (default NAME-pack)")
	c.Flags().StringVar(&f.paper, "paper", "A4", "size of the printed pages: A4 or letter")
	c.Flags().BoolVar(&f.freeze, "freeze", false, "write what decides, with its hash and the time, beside the pack; build nothing")
	c.Flags().BoolVar(&f.bare, "no-pdf", false, "make no PDF, also where a Chromium is installed")
	return c
}

// openPack reads a pack file and what was frozen of it.
func openPack(path string) (render.PackSource, error) {
	src, err := render.LoadPack(os.DirFS(filepath.Dir(path)), filepath.Base(path))
	if errors.Is(err, fs.ErrNotExist) {
		return src, usageFault(fmt.Errorf("there is no pack %s", path), "write one; packs/ of a site is the place for it")
	}
	src.File = filepath.ToSlash(path)
	return src, err
}

// packFault is the fault of a pack file: all that is wrong with it, nothing done.
func packFault(err error) error {
	if fs, ok := errors.AsType[tomlfile.Faults](err); ok {
		return usageFault(fs, "")
	}
	return err
}

// freezePack writes what decides beside the pack.
func freezePack(e env, path string) error {
	src, err := openPack(path)
	if err != nil {
		return err
	}
	p, err := pack.Parse(src.File, src.Source)
	if err != nil {
		return packFault(err)
	}
	beside := pack.FreezeFile(path)
	var past pack.Frozen
	if src.Frozen != nil {
		if past, err = pack.ParseFrozen(filepath.ToSlash(beside), src.Frozen); err != nil {
			return packFault(err)
		}
	}
	now, added := pack.Freeze(p, past, e.now())
	last := now[len(now)-1]
	at := last.At.Format(time.RFC3339)
	if !added {
		fmt.Fprintf(e.stdout, "%s: nothing has changed since it was frozen at %s\nsha256 %s\n", path, at, last.Hash)
		return nil
	}
	if err := os.WriteFile(beside, now.TOML(), 0o644); err != nil {
		return fmt.Errorf("write what was frozen: %w", err)
	}
	fmt.Fprintf(e.stdout, "%s: %d lines frozen at %s in %s\nsha256 %s\n", path, len(last.Lines), at, beside, last.Hash)
	if len(now) > 1 {
		fmt.Fprintf(e.stderr, "note: it was frozen before, at %s; what has changed is an amendment and is printed as one\n", now[0].At.Format(time.RFC3339))
	}
	if last.Records > 0 {
		fmt.Fprintln(e.stderr, "note: options name records already, and the document says so: freeze before there are results")
	}
	return nil
}

// makePack builds the folder of a pack.
func makePack(ctx context.Context, e env, path string, f packFlags) error {
	paper, ok := map[string]render.Paper{"a4": render.A4, "letter": render.Letter}[strings.ToLower(f.paper)]
	if !ok {
		return usageFault(fmt.Errorf("--paper %q is no size of paper", f.paper), "A4 or letter")
	}
	src, err := openPack(path)
	if err != nil {
		return err
	}
	if f.site == "" {
		f.site = siteOf(path)
	}
	in, _, err := siteInput(ctx, e, f.site)
	if err != nil {
		return err
	}
	doc, records, err := render.BuildPack(in, src)
	if err != nil {
		return checkFault(fmt.Errorf("pack %s: %w", path, err), "")
	}
	if f.out == "" {
		f.out = doc.Name + "-pack"
	}
	in.Packs, in.Only, in.CacheDir, in.Content = []render.PackSource{src}, records, "", content.FS()
	in.Config.Title, in.Config.Archive, in.Paper = doc.Title, false, paper
	if _, err := render.Site(ctx, in, f.out); err != nil {
		return checkFault(fmt.Errorf("pack %s: %w", path, err), "")
	}
	files := []string{"html", "xlsx"}
	if f.bare {
		return printPack(e, f.out, doc, files)
	}
	pdf, err := packPDF(ctx, e, f.out, doc.Name)
	if err != nil {
		fmt.Fprintf(e.stderr, "note: no PDF: %v\n", err)
	} else {
		in.Attachments = []render.Attachment{{Path: render.PackFile(doc.Name, "pdf"), Body: pdf}}
		if _, err := render.Site(ctx, in, f.out); err != nil {
			return fmt.Errorf("put the PDF into the pack: %w", err)
		}
		files = append(files, "pdf")
	}
	return printPack(e, f.out, doc, files)
}

// siteOf is the site in whose packs/ a file stands, or the working folder.
func siteOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil && filepath.Base(filepath.Dir(abs)) == render.PacksFolder {
		return filepath.Dir(filepath.Dir(path))
	}
	return "."
}

// printPack is the document in a few lines, and where its files are.
func printPack(e env, out string, d *pack.Document, files []string) error {
	fmt.Fprintf(e.stdout, "%s\npack sha256 %s, %s\n", d.Title, d.Hash, measure.Counted(len(d.Records), "record"))
	for _, n := range d.Notes {
		fmt.Fprintf(e.stdout, "note: %s\n", n)
	}
	for _, a := range d.Freeze.Amendments {
		fmt.Fprintf(e.stdout, "amendment: %s: was %s, is %s\n", a.What, orNothing(a.Was), orNothing(a.Is))
	}
	for _, o := range d.Options {
		if o.Gap != "" {
			fmt.Fprintf(e.stdout, "%s: %s\n", o.Name, o.Gap)
			continue
		}
		words := make([]string, len(o.Verdicts))
		for i, v := range o.Verdicts {
			words[i] = v.Criterion + " " + string(v.Outcome)
		}
		screen := ""
		if o.Screen != "" {
			screen = "; screened out: " + o.Screen
		}
		fmt.Fprintf(e.stdout, "%s: %s (%s)%s\n", o.Name, o.Overall, strings.Join(words, ", "), screen)
	}
	for _, ext := range files {
		fmt.Fprintln(e.stdout, filepath.Join(out, filepath.FromSlash(render.PackFile(d.Name, ext))))
	}
	fmt.Fprintln(e.stdout, filepath.Join(out, render.PacksFolder, d.Name+".md"))
	fmt.Fprintf(e.stdout, "evidence: benchline verify %s\n", out)
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "not there"
	}
	return s
}
