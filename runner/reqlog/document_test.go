package reqlog

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestColumnsAreDocumented holds the table of columns on the log format page
// against the columns of the file: names, order, types and nulls.
func TestColumnsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../content/methodology/log-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Columns\n")
	if !found {
		t.Fatal("the page has no section Columns")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$").FindAllStringSubmatch(section, -1) {
		got = append(got, m[1]+": "+m[2])
		if wantUnit := strings.HasSuffix(m[1], "_ns"); wantUnit != (m[3] == "ns") {
			t.Errorf("column %s: its unit is documented as %q", m[1], m[3])
		}
	}
	var want []string
	for _, f := range schema().Fields() {
		want = append(want, f.Name()+": "+documentedType(f))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("documented:\n%s\n\nin the file:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func documentedType(f parquet.Field) string {
	if !f.Leaf() {
		return "list of int64"
	}
	out := map[parquet.Kind]string{
		parquet.Int64: "int64", parquet.Int32: "int32", parquet.Boolean: "bool", parquet.ByteArray: "text",
	}[f.Type().Kind()]
	if f.Optional() {
		out += ", null"
	}
	return out
}

// TestTheJournalIsDocumented holds the magic, the frame types and the file
// names on the page.
func TestTheJournalIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../content/methodology/log-format.md")
	if err != nil {
		t.Fatal(err)
	}
	words := []string{magic, headerKey, JournalName, RequestsName, ManifestName, PlanName}
	for _, k := range []frameType{headerFrame, sentFrame, endedFrame, markFrame, draftFrame, manifestFrame} {
		words = append(words, "| `"+string(k)+"` |")
	}
	for _, o := range outcomes() {
		words = append(words, "`"+string(o)+"`")
	}
	for _, w := range words {
		if !strings.Contains(string(text), w) {
			t.Errorf("the page does not mention %s", w)
		}
	}
}
