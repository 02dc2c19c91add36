package reqlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// The manifest file is the manifest as indented JSON, with one more key at
// its end: "seal" is the SHA-256 of the same text without that key. So a
// changed byte anywhere in the file is noticed.
const (
	sealLead = ",\n  \"seal\": \"sha256:"
	sealTail = "\"\n}\n"
)

// maxManifest bounds what is read into memory.
const maxManifest = 256 << 20

// WriteManifest writes the manifest of a run folder, whole or not at all.
func WriteManifest(dir string, m Manifest) error {
	return disk{}.writeManifest(dir, m)
}

func (d disk) writeManifest(dir string, m Manifest) error {
	text, err := encodeManifest(m)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, ManifestName), err)
	}
	return d.replace(dir, ManifestName, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// encodeManifest returns the sealed text.
func encodeManifest(m Manifest) ([]byte, error) {
	if err := readable(m.Schema); err != nil {
		return nil, err // one of an older version comes from its recovered journal
	}
	if err := m.State.check(); err != nil {
		return nil, err
	}
	m = withLists(m)
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	body := bytes.TrimSuffix(buf.Bytes(), []byte("\n}\n"))
	return append(append(append(body[:len(body):len(body)], sealLead...), sealOf(body)...), sealTail...), nil
}

// check refuses a state that is not in the list.
func (s RunState) check() error {
	switch s {
	case Complete, Interrupted:
		return nil
	}
	return fmt.Errorf("key %q: unknown state %q", "state", string(s))
}

// withLists gives every list that is nil as an empty one, as the file does.
func withLists(m Manifest) Manifest {
	m.Health.Reasons = append([]string{}, m.Health.Reasons...)
	m.Facts = append([]Fact{}, m.Facts...)
	m.Metrics = append([]Scrape{}, m.Metrics...)
	m.Files = append([]File{}, m.Files...)
	return m
}

// sealOf is the seal of a manifest whose text ahead of the seal is body.
func sealOf(body []byte) string {
	h := sha256.New()
	h.Write(body)
	h.Write([]byte("\n}\n"))
	return hex.EncodeToString(h.Sum(nil))
}

// ReadManifest reads and checks the manifest of a run folder. A folder with a
// journal and no manifest is [ErrNotComplete], one with neither [ErrNotRun].
// Unknown, missing, doubled and mistyped keys are errors that name the file
// and the key.
func ReadManifest(dir string) (Manifest, error) {
	path := filepath.Join(dir, ManifestName)
	text, err := readBounded(path, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, noManifest(dir)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("read manifest: %w", err)
	}
	m, err := decodeManifest(text)
	if err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func noManifest(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, JournalName)); err == nil {
		return fmt.Errorf("%s: %w (hint: benchline recover %s)", dir, ErrNotComplete, dir)
	}
	return fmt.Errorf("%s: %w: it has neither %s nor %s", dir, ErrNotRun, ManifestName, JournalName)
}

func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is over %d bytes", path, limit)
	}
	return text, nil
}

// decodeManifest checks version, seal and keys, in the order in which the
// most telling error comes first.
func decodeManifest(text []byte) (Manifest, error) {
	var version struct {
		Schema *int `json:"schema"`
	}
	if json.Unmarshal(text, &version) == nil && version.Schema != nil {
		if err := readable(*version.Schema); err != nil {
			return Manifest{}, err
		}
	}
	var m struct {
		Manifest
		Seal string `json:"seal"`
	}
	if err := strictJSON(text, &m); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if err := m.State.check(); err != nil {
		return Manifest{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	lead := bytes.LastIndex(text, []byte(sealLead))
	if lead < 0 || string(text[lead:]) != sealLead+sealOf(text[:lead])+sealTail {
		return Manifest{}, fmt.Errorf("%w: the seal does not match the text", ErrChanged)
	}
	return m.Manifest, nil
}
