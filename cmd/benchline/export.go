package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"benchline/ingest/measure"
	"benchline/render"
)

func exportCommand(e env) *cobra.Command {
	var format, out string
	c := &cobra.Command{
		Use:   "export [DIR] --format csv|json|datapackage|bagit",
		Short: "Build a site and write its data for other programs, or for deposit",
		Args:  args(cobra.MaximumNArgs(1)),
		RunE: func(c *cobra.Command, given []string) error {
			dir := siteDir(given)
			write, known := exporters()[format]
			if !known {
				return usageFault(fmt.Errorf("unknown format %q", format), "one of csv, json, datapackage, bagit")
			}
			if out == "" {
				out = filepath.Join(dir, "export", format)
			}
			if _, err := os.Lstat(out); err == nil {
				return usageFault(fmt.Errorf("%s is there already", out), "an export never changes an earlier one: name another folder with --out, or remove it")
			} else if !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("look at %s: %w", out, err)
			}
			built, err := buildSite(c.Context(), e, dir, filepath.Join(dir, "public"))
			if err != nil {
				return err
			}
			x := &export{ctx: c.Context(), site: dir, part: out + ".part"}
			if err := x.whole(write, out); err != nil {
				return fmt.Errorf("export %s: %w", dir, err)
			}
			fmt.Fprintf(e.stdout, "%s: %s, %s, %s\n", out, measure.Counted(built.Records, "record"), measure.Counted(x.files, "file"), measure.Counted(x.bytes, "byte"))
			if built.refused {
				return fault{code: exitRefused}
			}
			return nil
		},
	}
	c.Flags().StringVar(&format, "format", "", "csv, json, datapackage or bagit")
	c.Flags().StringVar(&out, "out", "", "folder to make (default DIR/export/FORMAT)")
	return c
}

func exporters() map[string]func(*export) error {
	return map[string]func(*export) error{"csv": (*export).csv, "json": (*export).json, "datapackage": (*export).dataPackage, "bagit": (*export).bag}
}

// export writes one folder, which appears whole or not at all.
type export struct {
	ctx   context.Context //nolint:containedctx // lives as long as one command
	site  string
	part  string
	files int
	bytes int64
	sums  []string // "sha256  path" of the files, in the order of writing
}

func (x *export) whole(write func(*export) error, out string) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	if err := os.Mkdir(x.part, 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	if err := write(x); err != nil {
		return errors.Join(err, os.RemoveAll(x.part))
	}
	if err := os.Rename(x.part, out); err != nil {
		return fmt.Errorf("put the export in place: %w", err)
	}
	return nil
}

// put writes one file; name has slashes.
func (x *export) put(name string, from io.Reader) error {
	if err := x.ctx.Err(); err != nil {
		return err //nolint:wrapcheck // it says itself what happened
	}
	to := filepath.Join(x.part, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	w, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), from)
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	x.files++
	x.bytes += n
	x.sums = append(x.sums, hex.EncodeToString(sum.Sum(nil))+"  "+bagName(name))
	return nil
}

// take copies a file of the site folder.
func (x *export) take(from, name string) error {
	r, err := os.Open(filepath.Join(x.site, filepath.FromSlash(from)))
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	return errors.Join(x.put(name, r), r.Close())
}

// csv is all figures of all records in one table.
func (x *export) csv() error {
	names, err := filepath.Glob(filepath.Join(x.site, "public", "data", "records", "*.csv"))
	if err != nil {
		return fmt.Errorf("list the records: %w", err)
	}
	slices.Sort(names)
	var all bytes.Buffer
	for i, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read the figures: %w", err)
		}
		head, rest, _ := bytes.Cut(b, []byte("\n"))
		if i == 0 {
			all.Write(append(head, '\n'))
		}
		all.Write(rest)
	}
	return x.put("records.csv", &all)
}

// json is all evidence, one record a line.
func (x *export) json() error { return x.take("public/data/records.jsonl", "records.jsonl") }

// dataPackage is the files that the site's data package names, and the
// descriptions of the site.
func (x *export) dataPackage() error {
	b, err := os.ReadFile(filepath.Join(x.site, "public", render.DataPackageFile))
	if err != nil {
		return fmt.Errorf("read the data package: %w", err)
	}
	var p struct{ Resources []struct{ Path string } }
	if err := json.Unmarshal(b, &p); err != nil {
		return fmt.Errorf("read the data package: %w", err)
	}
	names := []string{render.DataPackageFile, render.CrateFile, render.CitationFile}
	for _, r := range p.Resources {
		names = append(names, r.Path)
	}
	for _, name := range names {
		if err := x.take("public/"+name, name); err != nil {
			return err
		}
	}
	return nil
}

// bag is the site folder as a BagIt bag (RFC 8493): what the site is made from,
// its evidence and its pages. No date in it comes from a clock.
func (x *export) bag() error {
	for _, top := range []string{"site.toml", "withdrawn.toml", "errata.toml", "plans", "logs", "records", "imports", "content", "packs", "templates", "assets", "evidence", "public"} {
		if err := x.gather(top); err != nil {
			return fmt.Errorf("gather the payload: %w", err)
		}
	}
	payload, count, size := x.sums, x.files, x.bytes
	info, err := x.bagInfo(count, size)
	if err != nil {
		return err
	}
	x.sums = nil
	slices.SortFunc(payload, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	for _, f := range []struct{ name, text string }{
		{"bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"},
		{"bag-info.txt", info},
		{"manifest-sha256.txt", strings.Join(payload, "\n") + "\n"},
	} {
		if err := x.put(f.name, strings.NewReader(f.text)); err != nil {
			return err
		}
	}
	return x.put("tagmanifest-sha256.txt", strings.NewReader(strings.Join(x.sums, "\n")+"\n"))
}

// gather puts what lies at one place of the site folder into the payload.
func (x *export) gather(top string) error {
	root := filepath.Join(x.site, top)
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(x.site, p)
		if err != nil {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is no plain file: a bag holds only what can be read again elsewhere", rel)
		}
		return x.take(filepath.ToSlash(rel), path.Join("data", filepath.ToSlash(rel)))
	})
}

// bagInfo describes the bag. Its date is the one of the newest run, as the
// site's citation has it; where no record has one, there is none.
func (x *export) bagInfo(files int, size int64) (string, error) {
	config, err := render.LoadConfig(os.DirFS(x.site))
	if err != nil {
		return "", fmt.Errorf("read site.toml: %w", err)
	}
	var b strings.Builder
	line := func(label, text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, text)
		}
	}
	line("Source-Organization", config.Author)
	line("External-Description", config.Title+". "+config.Description)
	line("Bagging-Date", config.Published)
	line("Bag-Software-Agent", toolName())
	line("Payload-Oxum", fmt.Sprintf("%d.%d", size, files))
	return b.String(), nil
}

// bagName is a path as a bag's manifest writes it.
func bagName(name string) string {
	return strings.NewReplacer("%", "%25", "\n", "%0A", "\r", "%0D").Replace(name)
}
