package trtllm

import (
	"os"
	"strings"
	"testing"
)

func TestReadBlocks(t *testing.T) {
	for _, name := range []string{"0.16/throughput_128_128.txt", "0.20/throughput_1024_256.txt"} {
		b, err := os.ReadFile("../../../testdata/foreign/trtllm-bench/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]int{string(b): 1, string(b) + string(b): 2, strings.ReplaceAll(string(b), "\n", "\r\n"): 1, "": 0} {
			got, err := readBlocks(t.Context(), strings.NewReader(text))
			if err != nil || len(got) != want {
				t.Fatalf("%s: got %d blocks, %v, want %d", name, len(got), err, want)
			}
			for _, g := range got {
				if !g.heads[overview] || g.get("Total Latency (ms)").Text != "25000.0000" || g.get("TP Size").Text != "2" {
					t.Errorf("%s: %+v", name, g)
				}
			}
		}
	}
}
