// Package all is the one list of adapters.
package all

import (
	"benchline/ingest/adapter"
	"benchline/ingest/adapter/aiperf"
	"benchline/ingest/adapter/genaibench"
	"benchline/ingest/adapter/guidellm"
	"benchline/ingest/adapter/inferenceperf"
	"benchline/ingest/adapter/llamabench"
	"benchline/ingest/adapter/llamabenchy"
	"benchline/ingest/adapter/llmd"
	"benchline/ingest/adapter/llmperf"
	"benchline/ingest/adapter/mapped"
	"benchline/ingest/adapter/mlperf"
	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/recovered"
	"benchline/ingest/adapter/sglang"
	"benchline/ingest/adapter/trtllm"
	"benchline/ingest/adapter/vllm"
)

// Registry lists every adapter that benchline has. A new format is one more
// line here.
func Registry() (adapter.Registry, error) {
	return adapter.NewRegistry(
		aiperf.New(),
		genaibench.New(),
		guidellm.New(),
		inferenceperf.New(),
		llamabench.New(),
		llamabenchy.New(),
		llmd.New(),
		llmperf.New(),
		mapped.Adapter{},
		mlperf.New(),
		own.Adapter{},
		recovered.Adapter{},
		sglang.New(),
		trtllm.New(),
		vllm.New(),
	)
}
