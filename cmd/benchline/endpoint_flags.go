package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"benchline/runner/sim"
)

// endpointFlags binds the simulator's settings. Defaults are those of
// [sim.Default], shown by --help.
func endpointFlags(c *cobra.Command, cfg *sim.Config, addr, truth *string) {
	f := c.Flags()
	f.StringVar(addr, "addr", "127.0.0.1:8000", "loopback address to listen on; port 0 picks a free one")
	f.StringVar(truth, "truth", "", "file for the truth log, one JSON object a request")
	f.StringVar(&cfg.Model, "model", cfg.Model, "model name served; others are answered 404")
	f.StringVar(&cfg.Key, "key", "", "key that requests must bear; empty: none")
	f.IntVar(&cfg.MaxModelLen, "max-model-len", cfg.MaxModelLen, "longest prompt plus output, in tokens")
	f.IntVar(&cfg.TemplateTokens, "template-tokens", cfg.TemplateTokens, "tokens that the chat template adds to a prompt")
	f.IntVar(&cfg.ReasoningTokens, "reasoning-tokens", 0, "how many of the first output tokens are reasoning")
	f.IntVar(&cfg.EOSMean, "eos-mean", 0, "mean output length without ignore_eos; 0: answers reach the maximum")
	f.IntVar(&cfg.TokensPerStep, "tokens-per-step", cfg.TokensPerStep, "tokens that a decode step yields, sent as one event")
	f.IntVar(&cfg.StreamInterval, "stream-interval", cfg.StreamInterval, "tokens gathered into one event")
	f.Uint64Var(&cfg.Seed, "seed", cfg.Seed, "seed of output lengths, words and faults")
	f.Float64Var(&cfg.Engine.PrefillRate, "prefill-rate", cfg.Engine.PrefillRate, "prompt tokens computed per second")
	f.DurationVar(&cfg.Engine.DecodeBase, "decode-base", cfg.Engine.DecodeBase, "time of a decode step")
	f.DurationVar(&cfg.Engine.DecodePerSequence, "decode-per-sequence", cfg.Engine.DecodePerSequence, "added to a decode step for each sequence")
	f.IntVar(&cfg.Engine.MaxRunning, "max-running", cfg.Engine.MaxRunning, "most sequences running at once")
	f.IntVar(&cfg.Engine.KVTokens, "kv-tokens", cfg.Engine.KVTokens, "KV cache capacity in tokens")
	f.BoolVar(&cfg.Engine.PrefixCache, "prefix-cache", cfg.Engine.PrefixCache, "keep prompts' blocks for later prompts that begin alike")
	f.IntVar(&cfg.Engine.MaxQueue, "max-queue", cfg.Engine.MaxQueue, "most requests waiting before refusal; 0: no limit")
	f.IntVar(&cfg.Engine.QueueStatus, "queue-status", cfg.Engine.QueueStatus, "status of a refusal, 503 or 429")
	f.Var((*metronomeFlag)(cfg), "metronome", "fixed times TTFT,ITL in place of the engine, e.g. 100ms,20ms")
	f.Var((*faultFlag)(cfg), "fault", "a fault that strikes a share of requests, e.g. server_error=0.01; some take ,wait=2s ,after=5 or ,size=100; may be repeated; kinds: "+kindNames())
}

func kindNames() string {
	var names []string
	for _, k := range sim.Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// faultFlag adds a fault to a configuration.
type faultFlag sim.Config

// Set reads KIND=SHARE, with ,wait=DURATION ,after=TOKENS ,size=N for the
// kinds that take them: the form of [sim.ParseFault] with the share in front.
func (f *faultFlag) Set(text string) error {
	head, settings, more := strings.Cut(text, ",")
	kind, share, ok := strings.Cut(head, "=")
	if !ok {
		return fmt.Errorf("want KIND=SHARE")
	}
	spelled := kind + ",p=" + share
	if more {
		spelled += "," + settings
	}
	fault, err := sim.ParseFault(spelled)
	if err != nil {
		return fmt.Errorf("read the fault: %w", err)
	}
	f.Faults = append(f.Faults, fault)
	return nil
}

// Type names the value in --help.
func (f *faultFlag) Type() string { return "KIND=SHARE" }

// String is the flag's default: no faults.
func (f *faultFlag) String() string { return "" }

// metronomeFlag puts a metronome in the engine's place.
type metronomeFlag sim.Config

// Set reads TTFT,ITL.
func (m *metronomeFlag) Set(text string) error {
	ttft, itl, ok := strings.Cut(text, ",")
	if !ok {
		return fmt.Errorf("want TTFT,ITL")
	}
	first, err := time.ParseDuration(ttft)
	if err != nil {
		return fmt.Errorf("time to the first token %q is no duration", ttft)
	}
	gap, err := time.ParseDuration(itl)
	if err != nil {
		return fmt.Errorf("time between tokens %q is no duration", itl)
	}
	m.Metronome = &sim.Metronome{TTFT: first, ITL: gap}
	return nil
}

// Type names the value in --help.
func (m *metronomeFlag) Type() string { return "TTFT,ITL" }

// String is the flag's default: the engine.
func (m *metronomeFlag) String() string { return "" }
