package reqlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// parquetOf writes rows of any type as a requests file.
func parquetOf[T any](t *testing.T, header string, rows []T, o ...parquet.WriterOption) []byte {
	t.Helper()
	var buf bytes.Buffer
	o = append([]parquet.WriterOption{parquet.Compression(&zstd.Codec{})}, o...)
	if header != "" {
		o = append(o, parquet.KeyValueMetadata(headerKey, header))
	}
	w := parquet.NewGenericWriter[T](&buf, o...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func headerText(t *testing.T, schema int) string {
	t.Helper()
	h := testHeader()
	h.Schema = schema
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// without is the declared columns but some; other types and names are made
// by adding to it.
func without(names ...string) parquet.Group {
	g := parquet.Group{}
	for _, f := range schema().Fields() {
		g[f.Name()] = f
	}
	for _, n := range names {
		delete(g, n)
	}
	return g
}

// TestForeignColumns: a reader that takes what it finds would show a missing
// column as zeros and a number of another type as something else.
func TestForeignColumns(t *testing.T) {
	with := func(g parquet.Group, name string, n parquet.Node) parquet.Group {
		g[name] = n
		return g
	}
	for name, c := range map[string]struct {
		columns parquet.Node
		want    string
	}{
		"missing":      {without("cached_tokens"), `column "cached_tokens" is missing`},
		"undeclared":   {with(without(), "extra", parquet.String()), `column "extra" is not declared`},
		"other type":   {with(without("cached_tokens"), "cached_tokens", parquet.Optional(parquet.String())), `column "cached_tokens" is optional`},
		"not nullable": {with(without("sent_ns"), "sent_ns", parquet.Leaf(parquet.Int64Type)), `column "sent_ns" is`},
		"other order":  {without(), "another order"},
	} {
		t.Run(name, func(t *testing.T) {
			text := parquetOf[any](t, headerText(t, 1), nil, parquet.NewSchema("Row", c.columns))
			_, err := openParquet(bytes.NewReader(text), int64(len(text)), "foreign")
			if !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestForeignFiles(t *testing.T) {
	rows := []Row{fullRow(1)}
	strange := []Row{fullRow(1)}
	strange[0].Outcome = "fine"
	for name, c := range map[string]struct {
		text []byte
		want error
	}{
		"no header":      {parquetOf(t, "", rows), ErrSchema},
		"header no JSON": {parquetOf(t, "{", rows), ErrCorrupt},
		"later version":  {parquetOf(t, headerText(t, SchemaVersion+1), rows), ErrVersion},
		"other codec":    {parquetOf(t, headerText(t, 1), rows, parquet.Compression(&snappy.Codec{})), ErrCorrupt},
		"outcome":        {parquetOf(t, headerText(t, 1), strange), ErrCorrupt},
		"empty":          {nil, ErrCorrupt},
		"text":           {[]byte("seq,phase\n0,measure\n"), ErrCorrupt},
		"good":           {parquetOf(t, headerText(t, SchemaVersion), rows), nil},
		"version 1":      {parquetOf(t, headerText(t, firstSchema), rows), nil},
		"version 0":      {parquetOf(t, headerText(t, 0), rows), ErrVersion},
	} {
		t.Run(name, func(t *testing.T) {
			if err := readParquet(c.text); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

// TestC31: a file that a crash cut short is named as not whole.
func TestC31(t *testing.T) {
	const path = "../../../shared/cases/c31-no-footer.parquet"
	if _, err := os.Stat(path); err != nil {
		t.Skip("not there: " + path)
	}
	_, err := OpenParquet(path)
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "not a whole Parquet file") || !strings.Contains(err.Error(), "c31-no-footer.parquet") {
		t.Errorf("got %v, want it named as not whole", err)
	}
}
