package own

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
	"benchline/runner/reqlog"
)

// provenance are the source register and the downloads of a run's record. The
// files' hashes are those of the manifest, which were checked when the log was
// opened; that of the manifest itself is taken here.
func (a Adapter) provenance(s adapter.Source, m reqlog.Manifest) ([]evidence.Source, []evidence.File, error) {
	head, err := hashFile(filepath.Join(s.Dir, reqlog.ManifestName))
	if err != nil {
		return nil, nil, fmt.Errorf("hashing the manifest: %w", err)
	}
	files := []evidence.File{fileOf(s, head)}
	sources := []evidence.Source{}
	for _, f := range m.Files {
		files = append(files, fileOf(s, f))
		if f.Name == reqlog.RequestsName {
			sources = append(sources, a.source(m, f, "every figure, count and time of this record"))
		}
	}
	sources = append(sources, a.source(m, head, "endpoint, host, client health, windows and planned requests"))
	slices.SortFunc(files, func(x, y evidence.File) int { return strings.Compare(x.Name, y.Name) })
	return sources, files, nil
}

func (a Adapter) source(m reqlog.Manifest, f reqlog.File, supports string) evidence.Source {
	return evidence.Source{
		Name: "log of run " + m.RunID, Supports: supports,
		Published: evidence.NotApplicable[string]("a log of one's own is not published elsewhere"),
		Reviewed:  evidence.NotApplicable[string]("the record is computed from the log, not typed from it"),
		Licence:   evidence.NotStated[string]("the log states no licence; see the site's"),
		File:      f.Name, SHA256: f.SHA256, Adapter: a.ID().String(),
	}
}

func fileOf(s adapter.Source, f reqlog.File) evidence.File {
	return evidence.File{Name: f.Name, Path: s.Path(f.Name), Bytes: f.Bytes, SHA256: f.SHA256, What: what(f.Name)}
}

// what says what a file of a run folder is.
func what(name string) string {
	switch name {
	case reqlog.RequestsName:
		return "per-request log, Parquet"
	case reqlog.ManifestName:
		return "manifest of the run: endpoint, host, windows, ledger, checksums"
	case reqlog.PlanName:
		return "plan as run"
	}
	return "file of the run"
}

func hashFile(path string) (_ reqlog.File, err error) {
	f, err := os.Open(path)
	if err != nil {
		return reqlog.File{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return reqlog.File{}, err
	}
	return reqlog.File{Name: filepath.Base(path), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}
