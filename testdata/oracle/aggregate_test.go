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
// turn, with the same number of threads; that decides nothing here.
func TestAggregateAgainstDuckDB(t *testing.T) {
	path := filepath.Join(runDir(t, *rows), reqlog.RequestsName)
	db := openDuck(t)
	for _, threads := range slices.Compact([]int{1, runtime.GOMAXPROCS(0)}) {
		if _, err := db.Exec(fmt.Sprintf("set threads = %d", threads)); err != nil {
			t.Fatal(err)
		}
		var ours, ducks []float64
		for range *rounds {
			start := time.Now()
			want, err := duckTTFT(t.Context(), db, path)
			if err != nil {
				t.Fatal(err)
			}
			ducks = append(ducks, time.Since(start).Seconds())
			start = time.Now()
			got, err := ourTTFT(t.Context(), path, threads)
			if err != nil {
				t.Fatal(err)
			}
			ours = append(ours, time.Since(start).Seconds())
			compareGroups(t, got, want)
		}
		t.Logf("%d rows, %d threads, %d rounds: ours %.3f s, DuckDB %.3f s (medians), ratio %.2f; ours %.3f, DuckDB %.3f",
			*rows, threads, *rounds, median(ours), median(ducks), median(ours)/median(ducks), ours, ducks)
	}
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
