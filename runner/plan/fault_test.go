package plan

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// edit replaces one line of the minimal plan, or adds to it.
func edit(old, with string) string { return strings.Replace(minimal, old, with, 1) }

func TestOneFault(t *testing.T) {
	const open = "mode = \"open\"\nrates = "
	load := "mode = \"closed\"\nconcurrency = [1]"
	for _, tt := range []struct {
		name, src string
		want      string // a part of the only fault's line
	}{
		{"syntax", "name = \n", "p.toml:1: is not valid TOML"},
		{"duplicate key", edit(`name = "p"`, "name = \"p\"\nname = \"q\""), "p.toml:2: is not valid TOML"},
		{"no name", edit(`name = "p"`, ""), "p.toml:1: name: is required"},
		{"bad name", edit(`name = "p"`, `name = "../p"`), `p.toml:1: name: "../p" cannot be used`},
		{"long name", edit(`name = "p"`, `name = "`+strings.Repeat("a", 61)+`"`), "cannot be used as a file name"},
		{"upper-case family", minimalWith("family = \"A\""), "p.toml:1: family: \"A\" cannot be used"},
		{"title with control character", minimalWith(`title = "a\u001bb"`), "title: holds the unprintable character U+001B"},
		{"description not text", minimalWith(`description = 1`), "description: must be a string, is an integer"},
		{"repeats 0", minimalWith("repeats = 0"), "repeats: 0 is out of range (from 1 to 100)"},
		{"repeats huge", minimalWith("repeats = 9223372036854775807"), "repeats: 9223372036854775807 is out of range"},
		{"repeats decimal", minimalWith("repeats = 1.5"), "repeats: must be a whole number, is a decimal number"},
		{"near key", edit("[stop]", "[stop]\nrequets = 1"), "p.toml:15: stop.requets: unknown key (did you mean requests?)"},
		{"near section", edit("[cache]", "[cahce]\n[cache]"), "p.toml:18: cahce: unknown key (did you mean cache?)"},
		{"key in the wrong place", minimalWith("concurrency = [1]"), "p.toml:1: concurrency: unknown key (it belongs in [load])"},
		{"section in the wrong place", edit("[profile]", "[endpoint.timeouts]\ntotal = \"1s\"\n[profile]"), "p.toml:6: endpoint.timeouts: unknown key"},
		{"list of tables", edit("[stop]", "[[stop]]"), "p.toml:14: stop: must be a table, is a list"},
		{"unknown list of tables", minimal + "[[sweep]]\nx = 1\n", "p.toml:20: sweep: unknown key"},
		{"url not http", edit("http://127.0.0.1:8000", "127.0.0.1:8000"), "p.toml:3: endpoint.url: is no http or https address"},
		{"url port", edit("8000", "80000"), "endpoint.url: is no http or https address"},
		{"url v1", edit(":8000", ":8000/v1"), "endpoint.url: ends in /v1"},
		{"no model", edit(`model = "org-a/model-7b"`, ""), "p.toml:2: endpoint.model: is required"},
		{"empty model", edit(`"org-a/model-7b"`, `""`), "endpoint.model: must not be empty"},
		{"api near", edit(`"chat"`, `"chatt"`), `endpoint.api: "chatt" is not known (did you mean "chat"?`},
		{"no api", edit(`api = "chat"`, ""), "endpoint.api: is required"},
		{"no profile", edit("[profile]\nname = \"B0\"", ""), "p.toml:1: profile.name: is required"},
		{"accelerators 0", edit("[workload]", "accelerators = 0\n[workload]"), "profile.accelerators: 0 is out of range"},
		{"more not text", edit("[workload]", "[profile.more]\nx = 1\n[workload]"), "p.toml:9: profile.more.x: must be a string"},
		{"empty list", edit("[128]", "[]"), "workload.input_tokens: is empty"},
		{"no list", edit("[128]", "128"), "workload.input_tokens: must be a list of whole numbers, is an integer"},
		{"zero tokens", edit("[32]", "[0]"), "workload.output_tokens: entry 1, 0, is out of range"},
		{"text in list", edit("[32]", `[32, "a"]`), "workload.output_tokens: entry 2 must be a whole number"},
		{"twice", edit("[32]", "[32, 64, 32]"), "workload.output_tokens: 32 stands there twice"},
		{"temperature nan", edit("[load]", "temperature = nan\n[load]"), "workload.temperature: NaN is out of range"},
		{"temperature inf", edit("[load]", "temperature = inf\n[load]"), "workload.temperature: +Inf is out of range"},
		{"negative seed", edit("[load]", "seed = -1\n[load]"), "workload.seed: -1 is out of range"},
		{"word list outside", edit("[load]", "word_list = \"../w\"\n[load]"), "workload.word_list: must be a path below"},
		{"no mode", edit(`mode = "closed"`, ""), "load.mode: is required"},
		{"open key in closed", edit("[stop]", "rates = [\"1/s\"]\n[stop]"), `load.rates: does not go with mode = "closed"`},
		{"concurrency 0", edit("concurrency = [1]", "concurrency = [0]"), "load.concurrency: entry 1, 0, is out of range"},
		{"rate without unit", edit(load, open+`["20"]`), `load.rates: entry 1, "20", is no rate`},
		{"rate as number", edit(load, open+`[20]`), "load.rates: entry 1 must be a rate in quotes, is an integer"},
		{"rate zero", edit(load, open+`["0/s"]`), `load.rates: entry 1, "0/s", must be more than 0`},
		{"rate over zero", edit(load, open+`["1/0s"]`), "has no period"},
		{"rate too high", edit(load, open+`["100001/s"]`), "must be at most 100000/s"},
		{"rate too slow", edit(load, open+`["1/25h"]`), "must be over at most 24h"},
		{"rate overflow", edit(load, open+`["0.000001/24h"]`), "must be over at most 24h"},
		{"same rate", edit(load, open+`["1/s", "60/min"]`), "1/s and 60/min are the same rate"},
		{"poisson without seed", edit(load, open+"[\"1/s\"]\narrivals = \"poisson\""), "workload.seed: is required"},
		{"in flight 0", edit(load, open+"[\"1/s\"]\nmax_in_flight = 0"), "load.max_in_flight: 0 is out of range"},
		{"no stop", edit("requests = 10", ""), "p.toml:14: stop: exactly one of requests and duration is required"},
		{"both stops", edit("requests = 10", "requests = 10\nduration = \"1s\""), "both are there"},
		{"duration as number", edit("requests = 10", "duration = 10"), "stop.duration: must be a duration in quotes, is an integer"},
		{"negative duration", edit("requests = 10", `duration = "-1s"`), `stop.duration: "-1s" is out of range`},
		{"duration overflow", edit("requests = 10", `duration = "9999999h"`), "is no duration"},
		{"duration too long", edit("requests = 10", `duration = "169h"`), "is out of range"},
		{"warm-up twice", minimal + "[warmup]\nrequests = 1\nduration = \"1s\"\n", "warmup: at most one of requests and duration"},
		{"no total", edit(`total = "60s"`, ""), "p.toml:16: timeouts.total: is required"},
		{"zero timeout", edit(`"60s"`, `"0s"`), `timeouts.total: "0s" is out of range (a duration in quotes from 1ms to 24h, as in "30s", or "none")`},
		{"idle over total", edit(`total = "60s"`, "total = \"60s\"\nidle = \"61s\""), "timeouts.idle: is longer than timeouts.total"},
		{"no policy", edit(`policy = "cold"`, ""), "cache.policy: is required"},
		{"share with cold", edit(`"cold"`, "\"cold\"\nshare = 0.5"), `cache.share: goes with policy = "shared" only`},
		{"pool with cold", edit(`"cold"`, "\"cold\"\npool = 5"), `cache.pool: goes with policy = "warm" only`},
		{"shared without share", edit(`"cold"`, `"shared"`), "cache.share: is required"},
		{"share 1", edit(`"cold"`, "\"shared\"\nshare = 1"), "cache.share: 1 is out of range"},
		{"share of nothing", edit(`"cold"`, "\"shared\"\nshare = 0.001"), "cache.share: is less than one token of an input of 128"},
		{"warm-up less than pool", edit(`"cold"`, "\"warm\"\n[warmup]\nrequests = 7"), "warmup.requests: 7 warm-up requests cannot send each of 8"},
		{"warm by duration", edit(`"cold"`, "\"warm\"\n[warmup]\nduration = \"7s\""), "warmup.duration: cannot promise"},
		{"objective alone", minimal + "[objectives]\nttft = \"1s\"\n", "p.toml:20: objectives.end_to_end: is required"},
		{"objective 0", minimal + "[objectives]\nttft = \"0s\"\nend_to_end = \"1s\"\n", "objectives.ttft: \"0s\" is out of range"},
		{"check without result", minimal + "[quality]\ncheck = \"c\"\n", "quality.result: is required with a check"},
		{"list too long", edit("[128]", manyInts(101)), "workload.input_tokens: has 101 entries, at most 100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fs := faultsOf(t, tt.src)
			if len(fs) != 1 || !strings.Contains(fs[0].String(), tt.want) {
				t.Errorf("got\n%v\nwant one fault with\n%s", fs, tt.want)
			}
		})
	}
}

func minimalWith(line string) string { return line + "\n" + minimal }

// manyInts is the list [1, 2, …, n].
func manyInts(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strconv.Itoa(i + 1)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func TestMatrixIsBounded(t *testing.T) {
	src := strings.NewReplacer("[128]", manyInts(100), "[32]", manyInts(11)).Replace(minimal)
	if fs := faultsOf(t, src); !strings.Contains(fs.Error(), "p.toml:8: workload: the matrix has 1100 points") {
		t.Errorf("got %v", fs)
	}
	src = minimalWith("repeats = 100")
	src = strings.NewReplacer("[128]", manyInts(100), "[32]", manyInts(2)).Replace(src)
	if fs := faultsOf(t, src); !strings.Contains(fs.Error(), "p.toml:1: repeats: the plan has 20000 runs") {
		t.Errorf("got %v", fs)
	}
	src = edit("mode = \"closed\"\nconcurrency = [1]", "mode = \"open\"\nrates = [\"100000/s\"]")
	src = strings.Replace(src, "requests = 10", `duration = "100h"`, 1)
	if fs := faultsOf(t, src); !strings.Contains(fs.Error(), "stop.duration: 100h0m0s at 100000/s is 36000000000 requests") {
		t.Errorf("got %v", fs)
	}
}

func TestEveryFaultAtOnce(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "faults.toml"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("testdata", "faults.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got := faultsOf(t, string(src)).Error() + "\n"; got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		b.WriteString("zzzzzzzz" + strconv.Itoa(i) + " = 1\n")
	}
	fs := faultsOf(t, b.String())
	if len(fs) != maxFaults+1 || !strings.Contains(fs[maxFaults].Msg, "more faults") {
		t.Errorf("got %d faults, the last %v", len(fs), fs[len(fs)-1])
	}
}

// The plans of case C24 and more: refused, and no fault repeats the secret.
func TestSecretsAreRefusedAndNotRepeated(t *testing.T) {
	sources := map[string]string{
		"user in url":       edit("http://", "http://user:CANARY-1@"),
		"query in url":      edit(":8000", ":8000/?api-key=CANARY-1"),
		"fragment in url":   edit(":8000", ":8000/#CANARY-1"),
		"metrics":           edit("[profile]", "metrics = \"http://u:CANARY-1@h/metrics\"\n[profile]"),
		"api_key":           edit("[profile]", "api_key = \"CANARY-1\"\n[profile]"),
		"unquoted":          edit("[profile]", "api_key = CANARY-1\n[profile]"),
		"bad string":        edit("[profile]", "api_key = \"CANARY-1\\q\"\n[profile]"),
		"header":            edit("[profile]", "[endpoint.headers]\nAuthorization = \"Bearer CANARY-111\"\n[profile]"),
		"inline header":     edit("[profile]", "headers = {X-Api-Key = \"CANARY-1\"}\n[profile]"),
		"top token":         minimalWith("hf_token = \"CANARY-1\""),
		"section":           minimal + "[auth]\npassword = \"CANARY-1\"\n",
		"key in key_env":    edit("[profile]", "key_env = \"sk-CANARY-1-abcdefghijkl\"\n[profile]"),
		"key_env lower":     edit("[profile]", "key_env = \"CANARY1abcdefghijkl\"\n[profile]"),
		"key_env prefix":    edit("[profile]", "key_env = \"AKIACANARY1ABCDEFGH\"\n[profile]"),
		"more":              edit("[workload]", "[profile.more]\napi_token = \"CANARY-1\"\n[workload]"),
		"bearer in text":    minimalWith("description = \"use Bearer CANARY-1abcdef\""),
		"key in a comment":  minimal + "# sk-CANARY-1abcdefghijkl\n",
		"url in a comment":  minimal + "# http://user:CANARY-1@host/\n",
		"key as key":        minimal + "[profile.more]\nsk-CANARY-1abcdefghijkl = \"x\"\n",
		"wrong place":       edit(`api = "chat"`, `api = "sk-CANARY-1abcdefghijkl"`),
		"key in a duration": edit(`"60s"`, `"sk-CANARY-1abcdefghijkl"`),
	}
	shared := "../../../shared/cases/c24-secrets.toml"
	if src, err := os.ReadFile(filepath.FromSlash(shared)); err == nil {
		sources["c24"] = string(src)
	}
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			if fs := faultsOf(t, src); strings.Contains(fs.Error(), "CANARY") {
				t.Errorf("a fault repeats the secret:\n%v", fs)
			}
		})
	}
}

func TestHarmlessNamesAreNotSecrets(t *testing.T) {
	src := edit("[workload]", "tokenizer = \"tok\"\n[profile.more]\nmax_batched_tokens = \"8192\"\nkeyboard = \"x\"\n"+
		"mail = \"write to someone@example.org\"\npage = \"https://example.org/a@b\"\n[workload]")
	mustParse(t, src)
}

func TestKeysAreLocated(t *testing.T) {
	src := `a = 1
b.c = 2 # [x]
"d e" = "#"
m = """
[not]
z = 1"""
l = [
  1, # ]
  [2, "]"],
]
i = { k = 1, n = { o = 2 } }
[s]
t = 'a\'
[ s . "u v" ]
w = true
[[arr]]
x = 1
[[arr]]
y = 2`
	at := locate([]byte(src))
	for path, want := range map[string]int{
		"a": 1, "b": 2, "b c": 2, "d e": 3, "m": 4, "l": 7, "i": 11, "i k": 11, "i n o": 11, "s": 12, "s t": 13,
		"s u v": 14, "s u v w": 15, "arr": 16, "arr x": 17, "arr y": 19,
	} {
		parts := strings.Fields(path)
		switch path {
		case "d e":
			parts = []string{"d e"}
		case "s u v":
			parts = []string{"s", "u v"}
		case "s u v w":
			parts = []string{"s", "u v", "w"}
		}
		if got := at.at(parts...); got != want {
			t.Errorf("%v is on line %d, want %d", parts, got, want)
		}
	}
	if slices.ContainsFunc([]string{"not", "z", "x]"}, func(k string) bool { _, ok := at[k]; return ok }) {
		t.Error("text was taken for a key")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal))
	f.Add(Example())
	for _, name := range []string{"full.toml", "faults.toml"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte("a = [[[[{b = \"\"\"\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		locate(src) // ends and does not panic on what is no TOML either
		p, err := Parse("p.toml", src)
		if err != nil {
			var fs Faults
			if !errors.As(err, &fs) || len(fs) == 0 {
				t.Fatalf("an error that is no Faults: %v", err)
			}
			for _, x := range fs {
				if x.Line < 0 || x.Line > 1+strings.Count(string(src), "\n") || x.Msg == "" || strings.ContainsAny(x.String(), "\n\x1b") {
					t.Fatalf("fault %q of %d lines", x, strings.Count(string(src), "\n"))
				}
			}
			return
		}
		n := p.Needs()
		if len(p.Points()) == 0 || n.Sockets < 1 || n.KnownSeconds < 0 || n.Runs < 1 {
			t.Fatalf("needs %+v", n)
		}
		again, err := Parse("p.toml", p.Source())
		if err != nil || again.Hash() != p.Hash() {
			t.Fatalf("the source does not give the same plan: %v", err)
		}
	})
}
