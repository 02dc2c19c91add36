package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"benchline/runner/reqlog"
)

// columnNames are the columns of a row in the order of the file.
func columnNames() []string {
	var out []string
	t := reflect.TypeFor[reqlog.Row]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		out = append(out, name)
	}
	return out
}

// cells gives the values of a row as text: null, the number, the text in
// quotes, the list in brackets.
func cells(r reqlog.Row) []string {
	var out []string
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				out = append(out, "null")
				continue
			}
			f = f.Elem()
		}
		out = append(out, cell(f.Interface()))
	}
	return out
}

func cell(v any) string {
	f := reflect.ValueOf(v)
	switch {
	case v == nil:
		return "null"
	case f.Kind() == reflect.String:
		return fmt.Sprintf("%q", f.String())
	case f.Kind() == reflect.Slice:
		var items []string
		for i := range f.Len() {
			items = append(items, cell(f.Index(i).Interface()))
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	return fmt.Sprint(v)
}

// ourCells reads every row by benchline.
func ourCells(t *testing.T, path string) [][]string {
	t.Helper()
	l, err := reqlog.OpenParquet(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out [][]string
	for r, err := range l.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, cells(r))
	}
	return out
}

func diff(t *testing.T, who string, got [][]string, want [][]string) {
	t.Helper()
	if len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%s: got %d rows, want %d and some", who, len(got), len(want))
	}
	names, bad := columnNames(), 0
	for i := range got {
		for c, name := range names {
			if got[i][c] != want[i][c] {
				t.Errorf("row %d, column %s: %s reads %s, benchline %s", i, name, who, got[i][c], want[i][c])
				if bad++; bad > 20 {
					t.Fatal("and so on")
				}
			}
		}
	}
}

// TestColumnsAgainstDuckDB: DuckDB reads the same value in every cell.
func TestColumnsAgainstDuckDB(t *testing.T) {
	path := filepath.Join(runDir(t, 20_000), reqlog.RequestsName)
	rs, err := openDuck(t).Query("select * from read_parquet(?)", path)
	if err != nil {
		t.Fatal(err)
	}
	defer rs.Close()
	names, err := rs.Columns()
	if err != nil || strings.Join(names, " ") != strings.Join(columnNames(), " ") {
		t.Fatalf("columns: got %v, %v, want %v", names, err, columnNames())
	}
	var got [][]string
	for rs.Next() {
		values := make([]any, len(names))
		into := make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rs.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var row []string
		for _, v := range values {
			row = append(row, cell(v))
		}
		got = append(got, row)
	}
	if err := rs.Err(); err != nil {
		t.Fatal(err)
	}
	diff(t, "DuckDB", got, ourCells(t, path))
}

// TestColumnsAgainstArrow: arrow-go reads the same value in every cell, and
// the header in the metadata.
func TestColumnsAgainstArrow(t *testing.T) {
	path := filepath.Join(runDir(t, 20_000), reqlog.RequestsName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pf, err := file.NewParquetReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer pf.Close()
	var h reqlog.Header
	meta := pf.MetaData().KeyValueMetadata().FindValue("benchline.header")
	if meta == nil || json.Unmarshal([]byte(*meta), &h) != nil || h.RunID != "generated" {
		t.Errorf("header in the metadata: got %v", meta)
	}
	r, err := pqarrow.NewFileReader(pf, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.ReadTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	got := make([][]string, table.NumRows())
	for c := range int(table.NumCols()) {
		i := 0
		for _, chunk := range table.Column(c).Data().Chunks() {
			for k := range chunk.Len() {
				got[i] = append(got[i], arrowCell(t, chunk, k))
				i++
			}
		}
	}
	diff(t, "arrow-go", got, ourCells(t, path))
}

func arrowCell(t *testing.T, a arrow.Array, i int) string {
	t.Helper()
	if a.IsNull(i) {
		return "null"
	}
	switch a := a.(type) {
	case *array.Int64:
		return cell(a.Value(i))
	case *array.Int32:
		return cell(a.Value(i))
	case *array.Boolean:
		return cell(a.Value(i))
	case *array.String:
		return cell(a.Value(i))
	case *array.List:
		from, to := a.ValueOffsets(i)
		var items []string
		for k := from; k < to; k++ {
			items = append(items, arrowCell(t, a.ListValues(), int(k)))
		}
		return "[" + strings.Join(items, " ") + "]"
	}
	t.Fatalf("a column of %s", a.DataType())
	return ""
}

// TestNullIsNotZero counts nulls and zeros of a column in both: the
// generator draws both, and they must not have run together.
func TestNullIsNotZero(t *testing.T) {
	path := filepath.Join(runDir(t, 20_000), reqlog.RequestsName)
	db := openDuck(t)
	for _, column := range []string{"connect_ns", "cached_tokens", "reasoning_tokens", "retry_after_ns"} {
		var nulls, zeros, all int
		err := db.QueryRow(fmt.Sprintf(
			`select count(*) filter (where %[1]s is null), count(*) filter (where %[1]s = 0), count(*) from read_parquet(?)`, column),
			path).Scan(&nulls, &zeros, &all)
		if err != nil {
			t.Fatal(err)
		}
		if nulls == 0 || zeros == 0 {
			t.Errorf("%s: got %d nulls and %d zeros of %d, want both", column, nulls, zeros, all)
		}
	}
}
