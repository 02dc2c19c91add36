// Package adaptertest is the conformance suite for adapters. An adapter's test
// calls [Run] with its samples; what every adapter owes is held here, once.
//
// [Check] is the same without a test, and returns all faults: it is what the
// suite's own tests call with adapters that are wrong on purpose.
package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"benchline/ingest/adapter"
	"benchline/ingest/evidence"
)

// Sample is a source that the adapter must read.
type Sample struct {
	adapter.Source
	// Gaps are parts of its first record that the file does not state and
	// that must be not stated: keys as in JSON, "outcomes.failed".
	Gaps []string
}

// Suite is what is tested.
type Suite struct {
	Adapter adapter.Adapter
	Samples []Sample // at least one
	// Others are sources of other formats, which the adapter must not claim.
	Others []adapter.Source
}

// Run tests an adapter.
func Run(t *testing.T, s Suite) {
	t.Helper()
	for _, fault := range Check(t.Context(), s, t.TempDir()) {
		t.Error(fault)
	}
}

// Check returns everything about the adapter that is not as it must be. The
// folder is used for copies of the samples.
func Check(ctx context.Context, s Suite, dir string) []string {
	c := checker{suite: s, dir: dir}
	if len(s.Samples) == 0 {
		c.fault("there are no samples")
	}
	if _, err := adapter.NewRegistry(s.Adapter); err != nil {
		c.fault("%v", err)
	}
	c.sniffing()
	for _, sample := range s.Samples {
		c.reading(ctx, sample)
		c.damage(ctx, sample)
	}
	return c.faults
}

type checker struct {
	suite  Suite
	dir    string
	faults []string
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// sniffing checks what the adapter claims: what is chosen for it, or else its
// content, as [adapter.Registry.PickSource] asks.
func (c *checker) sniffing() {
	claims := func(s adapter.Source) bool {
		if chosen, ok := c.suite.Adapter.(adapter.Chosen); ok {
			yes, err := chosen.Chosen(s)
			if err != nil {
				c.fault("%v", err)
			}
			if yes {
				return true
			}
		}
		prefix, err := s.Prefix()
		if err != nil {
			c.fault("%v", err)
			return false
		}
		return c.sniff(prefix, s.Name)
	}
	for _, s := range c.suite.Samples {
		if !claims(s.Source) {
			c.fault("%s: its own sample is not claimed", s.Unit)
		}
	}
	for _, s := range c.suite.Others {
		if claims(s) {
			c.fault("%s: a sample of another format is claimed", s.Unit)
		}
	}
	for _, text := range []string{"", "{", "{}", "[]", "[[[[[[[[", "null", "\xef\xbb\xbf", "PAR1", "a,b\n1,2\n", "# text\n", "\x00\x00\x00", "{\"a\":1}\n{\"a\":2}\n"} {
		if c.sniff([]byte(text), "result.json") {
			c.fault("%q is claimed, and could be of any format", text)
		}
	}
}

// sniff calls the adapter and checks that it can say what it looks for.
func (c *checker) sniff(prefix []byte, name string) bool {
	defer c.panics("sniffing " + name)
	keep := bytes.Clone(prefix)
	m := c.suite.Adapter.Sniff(prefix, name)
	if m.Want == "" {
		c.fault("sniffing %s: it does not say what it looks for", name)
	}
	if !bytes.Equal(prefix, keep) {
		c.fault("sniffing %s changed the bytes", name)
	}
	return m.Is
}

func (c *checker) panics(what string) {
	if p := recover(); p != nil {
		c.fault("%s: panic: %v", what, p)
	}
}

// reading checks what comes out of a sample.
func (c *checker) reading(ctx context.Context, s Sample) {
	first, records, err := c.read(ctx, s.Source)
	if err != nil {
		c.fault("%s: %v", s.Unit, err)
		return
	}
	if len(records) == 0 {
		c.fault("%s: no record came out", s.Unit)
		return
	}
	for _, r := range records {
		c.provenance(s.Source, r)
	}
	for _, gap := range s.Gaps {
		if state, err := stateOf(records[0], gap); err != nil || state != evidence.StateNotStated.String() {
			c.fault("%s: %s is %q (%v), but the file does not state it", s.Unit, gap, state, err)
		}
	}
	if again, _, err := c.read(ctx, s.Source); err != nil || !bytes.Equal(again, first) {
		c.fault("%s: reading it again gives other records (%v)", s.Unit, err)
	}
	elsewhere, err := c.copy(s.Source)
	if err != nil {
		c.fault("%s: copying: %v", s.Unit, err)
	} else if again, _, err := c.read(ctx, elsewhere); err != nil || !bytes.Equal(again, first) {
		c.fault("%s: a copy in another folder gives other records (%v)", s.Unit, err)
	}
	c.stopping(ctx, s.Source)
}

// read returns the records and their encoding.
func (c *checker) read(ctx context.Context, s adapter.Source) (_ []byte, records []evidence.Record, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			c.fault("%s: panic: %v", s.Unit, p)
		}
	}()
	var b bytes.Buffer
	_, err = c.suite.Adapter.Read(ctx, s, func(s evidence.Sealed) error {
		records = append(records, s.Record())
		return evidence.Encode(&b, s.Record())
	})
	return b.Bytes(), records, err
}

// provenance checks that a record says where it comes from.
func (c *checker) provenance(s adapter.Source, r evidence.Record) {
	id := c.suite.Adapter.ID().String()
	found := false
	for _, src := range r.Sources {
		found = found || src.Adapter == id && src.SHA256 != "" && src.File != ""
	}
	if !found {
		c.fault("%s: record %s names no source with its file, its SHA-256 and reader %q", s.Unit, r.Slug, id)
	}
	for _, v := range r.Values {
		if _, ok := v.Numerator.Get(); !ok && v.Amount.Kind == evidence.Exact && v.Original == nil {
			c.fault("%s: record %s: %s has a number, but neither a numerator nor the original number", s.Unit, r.Slug, v.Metric)
		}
	}
}

// stopping checks that the sink's error and the context's end a reading.
func (c *checker) stopping(ctx context.Context, s adapter.Source) {
	defer c.panics(s.Unit)
	full := errors.New("the sink is full")
	_, err := c.suite.Adapter.Read(ctx, s, func(evidence.Sealed) error { return full })
	if !errors.Is(err, full) {
		c.fault("%s: the sink's error was not returned: got %v", s.Unit, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := c.read(ended, s); !errors.Is(err, context.Canceled) {
		c.fault("%s: an ended context did not stop the reading: got %v", s.Unit, err)
	}
}

// stateOf finds the state of one Known in a record, by its keys in JSON.
func stateOf(r evidence.Record, keys string) (string, error) {
	line, err := evidence.Line(r)
	if err != nil {
		return "", err
	}
	var at any
	if err := json.Unmarshal(line, &at); err != nil {
		return "", err
	}
	for key := range bytes.SplitSeq([]byte(keys), []byte(".")) {
		m, ok := at.(map[string]any)
		if !ok {
			return "", fmt.Errorf("there is no %s", keys)
		}
		at = m[string(key)]
	}
	m, ok := at.(map[string]any)
	if !ok {
		return "", fmt.Errorf("%s is no value with a state", keys)
	}
	state, _ := m["state"].(string)
	return state, nil
}
