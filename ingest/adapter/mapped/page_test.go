package mapped

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchline/ingest/adapter/foreign/foreigntest"
)

// blocks are the code blocks of the page about importing, by their language.
func blocks(t *testing.T) (page string, code map[string][]string) {
	t.Helper()
	b, err := os.ReadFile("../../../content/methodology/importing.md")
	if err != nil {
		t.Fatal(err)
	}
	code = map[string][]string{}
	for i, part := range strings.Split(string(b), "\n```") {
		if lang, text, ok := strings.Cut(part, "\n"); ok && i%2 == 1 {
			code[lang] = append(code[lang], text)
		}
	}
	return string(b), code
}

// TestPageOfTheMethodology: the examples of the page are read as it says, and
// it names every field.
func TestPageOfTheMethodology(t *testing.T) {
	page, code := blocks(t)
	for _, name := range fieldNames() {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name the field %s", name)
		}
	}
	if len(code["toml"]) != 3 || len(code["json"]) != 1 {
		t.Fatalf("the page has %d and %d examples", len(code["toml"]), len(code["json"]))
	}
	read := func(name, text, imp string) int {
		src := foreigntest.Text(t, name, text)
		if err := os.WriteFile(filepath.Join(src.Dir, "import.toml"), []byte(imp), 0o644); err != nil {
			t.Fatal(err)
		}
		records, found := foreigntest.Read(t, Adapter{}, src)
		if len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
		return len(records[0].Values)
	}
	about, table, values := code["toml"][0], code["toml"][1], code["toml"][2]
	if n := read("curve.csv", "gpu,batch,ttft,ok,tok_s,tokens,seconds,price\nx,4,265,10,50,500,10,2\n", table); n != 2 {
		t.Errorf("the table has %d figures", n)
	}
	if n := read("one.json", `{"a": 5}`, about+"\n[json]\n[[json.value]]\nkey = \"a\"\nmetric = \"request_rate\"\n"); n != 1 {
		t.Errorf("beside the first example there are %d figures", n)
	}
	if n := read("results.json", code["json"][0], values); n != 2 {
		t.Errorf("the JSON has %d figures", n)
	}
}
