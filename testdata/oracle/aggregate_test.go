package oracle

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"benchline/runner/reqlog"
)

var (
	rows   = flag.Int64("rows", 200_000, "requests in the generated log")
	rounds = flag.Int("rounds", 1, "rounds of the paired benchmark")
	keep   = flag.String("keep", "", "folder in which generated logs are kept and found again")
)

// runDir generates a log, or finds the one of the same size made before.
func runDir(tb testing.TB, n int64) string {
	tb.Helper()
	parent := *keep
	if parent == "" {
		parent = tb.TempDir()
	}
	dir := filepath.Join(parent, fmt.Sprintf("rows-%d", n))
	if _, err := os.Stat(filepath.Join(dir, reqlog.ManifestName)); err == nil {
		return dir
	}
	start := time.Now()
	if err := Generate(dir, n, 7); err != nil {
		tb.Fatal(err)
	}
	tb.Logf("generated %d rows in %.1f s", n, time.Since(start).Seconds())
	return dir
}

func openDuck(tb testing.TB) *sql.DB {
	tb.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

// duckTTFT is the query in SQL.
func duckTTFT(ctx context.Context, db *sql.DB, path string) ([]reqlog.Group, error) {
	rs, err := db.QueryContext(ctx, `
		select k, n, missing, s, q[1], q[2], q[3] from (
			select prompt_hash k, count(t) n, count(*) - count(t) missing, sum(t)::bigint s,
				quantile_disc(t, [0.5, 0.95, 0.99]) q
			from (select prompt_hash, first_token_ns - sent_ns t from read_parquet(?)
				where phase = 'measure' and outcome = 'completed')
			group by 1)
		order by k`, path)
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	var out []reqlog.Group
	for rs.Next() {
		g := reqlog.Group{Quantiles: make([]int64, 3)}
		if err := rs.Scan(&g.Key, &g.N, &g.Missing, &g.Sum, &g.Quantiles[0], &g.Quantiles[1], &g.Quantiles[2]); err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, rs.Err()
}

func ourTTFT(ctx context.Context, path string, workers int) ([]reqlog.Group, error) {
	l, err := reqlog.OpenParquet(path)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	q := reqlog.TTFT("prompt_hash", 500, 950, 990)
	q.Workers = workers
	return l.Aggregate(ctx, q)
}

// TestAggregateAgainstDuckDB asks both for count, sum and quantiles of TTFT
// by prompt: equal to the last digit. It also prints how long each took, in
// turn, with the same number of threads; that decides nothing here. CPU
// seconds are of the whole process, and less moved by what else runs on the
// machine than the time that passed.
func TestAggregateAgainstDuckDB(t *testing.T) {
	path := filepath.Join(runDir(t, *rows), reqlog.RequestsName)
	db := openDuck(t)
	for _, threads := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		if _, err := db.Exec(fmt.Sprintf("set threads = %d", threads)); err != nil {
			t.Fatal(err)
		}
		var ours, ducks times
		for range *rounds {
			var got, want []reqlog.Group
			ducks.take(t, func() (err error) {
				want, err = duckTTFT(t.Context(), db, path)
				return err
			})
			ours.take(t, func() (err error) {
				got, err = ourTTFT(t.Context(), path, threads)
				return err
			})
			compareGroups(t, got, want)
		}
		t.Logf("%d rows, %d threads, medians of %d rounds: passed: ours %.3f s, DuckDB %.3f s, ratio %.2f; CPU: ours %.3f s, DuckDB %.3f s, ratio %.2f",
			*rows, threads, *rounds, median(ours.passed), median(ducks.passed), median(ours.passed)/median(ducks.passed),
			median(ours.cpu), median(ducks.cpu), median(ours.cpu)/median(ducks.cpu))
	}
}

// times are the seconds of some rounds.
type times struct{ passed, cpu []float64 }

func (s *times) take(t *testing.T, do func() error) {
	t.Helper()
	runtime.GC() // neither pays for what the other left behind
	start, cpu := time.Now(), cpuSeconds(t)
	if err := do(); err != nil {
		t.Fatal(err)
	}
	s.passed = append(s.passed, time.Since(start).Seconds())
	s.cpu = append(s.cpu, cpuSeconds(t)-cpu)
}

func cpuSeconds(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func compareGroups(t *testing.T, got, want []reqlog.Group) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("groups: got %d, want %d and some", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.Key != w.Key || g.N != w.N || g.Missing != w.Missing || g.Sum != w.Sum || !slices.Equal(g.Quantiles, w.Quantiles) {
			t.Errorf("group %d:\n got %+v\nwant %+v", i, g, w)
		}
	}
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[(len(s)-1)/2]
}
