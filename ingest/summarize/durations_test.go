package summarize_test

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"benchline/ingest/summarize"
)

func filled(t interface{ Fatal(...any) }, list []int64) *summarize.Durations {
	var d summarize.Durations
	for _, ns := range list {
		if err := d.Add(ns); err != nil {
			t.Fatal(err)
		}
	}
	return &d
}

// checkDurations holds a list against the plain one: order, sum, every rank of
// the few that are asked for.
func checkDurations(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, d *summarize.Durations, list []int64) {
	var sum int64
	r := d.Reader()
	for i, want := range list {
		if got, err := r.Next(); err != nil || got != want {
			t.Errorf("no. %d: got %d, %v; want %d", i, got, err, want)
			return
		}
		sum += want
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("behind the last: %v", err)
	}
	n := int64(len(list))
	if d.N != n || d.Sum != sum {
		t.Errorf("got %d durations that sum to %d, want %d and %d", d.N, d.Sum, n, sum)
	}
	sorted := slices.Sorted(slices.Values(list))
	ranks := []int64{1, (n + 1) / 2, (n*9 + 9) / 10, (n*99 + 99) / 100, n, n}
	got, err := d.Ranks(ranks...)
	if err != nil {
		t.Fatal(err)
	}
	for i, rank := range ranks {
		if got[i] != sorted[rank-1] {
			t.Errorf("rank %d of %d: got %d, want %d", rank, n, got[i], sorted[rank-1])
		}
	}
}

func TestDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64Range(0, 3*math.MaxUint32), 1, 50).Draw(t, "durations")
		d := filled(t, list)
		checkDurations(t, d, list)
		if err := d.Close(); err != nil || d.N != 0 {
			t.Errorf("%v, %d left", err, d.N)
		}
	})
}

// TestManyDurations: what goes to a file is ranked as exactly, whatever the
// durations are.
func TestManyDurations(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	const n = 900_000
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func(i int) int64{
		"gaps":        func(int) int64 { return int64(1e7 + 2e7*r.ExpFloat64()) },
		"some long":   func(i int) int64 { return int64(i%1000) << (i % 50) },
		"all alike":   func(int) int64 { return 20_000_000 },
		"all 0":       func(int) int64 { return 0 },
		"ascending":   func(i int) int64 { return int64(i) * 65536 },
		"the longest": func(i int) int64 { return math.MaxInt64/(2*n) - int64(i%3) },
	} {
		t.Run(name, func(t *testing.T) {
			list := make([]int64, n)
			for i := range list {
				list[i] = draw(i)
			}
			d := filled(t, list)
			checkDurations(t, d, list)
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDurationsWithoutRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/none")
	var d summarize.Durations
	var err error
	for range 300_000 {
		if err = d.Add(1 << 30); err != nil {
			break
		}
	}
	if err == nil {
		t.Error("no error where no file can be made")
	}
}
