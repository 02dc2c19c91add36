package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEnginePack makes a committee pack from runs of a real llama-server: two numbers of
// slots, and quantised weights without a quality gate. What the verdicts are is the
// machine's; that they are given, and given again by verify, is held here.
func TestEnginePack(t *testing.T) {
	kit := os.Getenv("BENCHLINE_ENGINE")
	if kit == "" {
		t.Skip("needs llama-server: make test-engine sets it up")
	}
	site := filepath.Join(t.TempDir(), "site")
	command(t, "init", site)
	words := engineFile(t, filepath.Join(kit, "words.txt"))
	file := filepath.Join(site, "packs", "slots.toml")
	source := engineFile(t, "../../testdata/engine/pack/slots.toml")
	keep(t, filepath.Join(site, "plans", "words.txt"), words)
	keep(t, file, source)
	command(t, "pack", file, "--freeze")
	for _, o := range []struct {
		name, model, weights string
		slots                int
	}{{"llama-f16-4", "model-f16.gguf", "F16", 4}, {"llama-f16-1", "model-f16.gguf", "F16", 1}, {"llama-q8-4", "model.gguf", "Q8_0", 4}} {
		t.Run(o.name, func(t *testing.T) {
			url := startLlama(t, kit, o.model, o.slots)
			plan := strings.NewReplacer("@URL@", url, "@NAME@", o.name, "@MODEL@", o.model, "@WEIGHTS@", o.weights, "@SLOTS@", strconv.Itoa(o.slots),
				"@QUANTISED@", strconv.FormatBool(o.weights != "F16")).Replace(string(engineFile(t, "../../testdata/engine/pack/option.toml")))
			path := filepath.Join(site, "plans", o.name+".toml")
			keep(t, path, []byte(plan))
			if code, said := tryCommand("run", path, "--out", filepath.Join(site, "logs")); code != exitDone && code != exitVoid {
				t.Fatalf("run %s: exit %d\n%s", path, code, said)
			}
		})
	}
	keep(t, file, bytes.ReplaceAll(source, []byte("#families"), []byte("families")))
	out := filepath.Join(t.TempDir(), "pack")
	said := command(t, "pack", file, "--out", out)
	t.Log(said)
	for _, want := range []string{`(?m)^A: (pass|fail|undetermined|not comparable: void)`, `(?m)^B: (pass|fail|undetermined|not comparable: void)`,
		`(?m)^C: not compared: quantised, and no quality gate is declared$`} {
		if !regexp.MustCompile(want).MatchString(said) {
			t.Errorf("the command does not say %s", want)
		}
	}
	if strings.Contains(said, "simulated") || strings.Contains(said, "never frozen") || strings.Contains(said, "amendment") {
		t.Error("a real engine is called simulated, or the freeze is not as it was")
	}
	page := string(engineFile(t, filepath.Join(out, "packs", "slots.html")))
	if strings.Contains(page, "began before the criteria were frozen") || !strings.Contains(page, "not compared: quantised, and no quality gate is declared") {
		t.Error("the page lacks the missing gate, or has runs before the freeze")
	}
	t.Log(command(t, "verify", out))
}

func engineFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func keep(t *testing.T, name string, body []byte) {
	t.Helper()
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
}
