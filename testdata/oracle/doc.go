// Package oracle holds what benchline writes and computes against programs of
// others: DuckDB and arrow-go read the same Parquet files, and must see the
// same values and reach the same numbers. It is a module of its own so that
// neither of them becomes a dependency of benchline.
//
// DuckDB is linked by cgo: a C compiler is needed.
//
//	cd testdata/oracle && go test ./...
//	cd testdata/oracle && go test -run AggregateAgainstDuckDB -v -args -rows 10000000 -rounds 5
package oracle
