// Package all is the one list of adapters.
package all

import (
	"benchline/ingest/adapter"
	"benchline/ingest/adapter/aiperf"
	"benchline/ingest/adapter/guidellm"
	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/recovered"
	"benchline/ingest/adapter/sglang"
	"benchline/ingest/adapter/vllm"
)

// Registry lists every adapter that benchline has. A new format is one more
// line here.
func Registry() (adapter.Registry, error) {
	return adapter.NewRegistry(
		aiperf.Adapter{},
		guidellm.Adapter{},
		own.Adapter{},
		recovered.Adapter{},
		sglang.Adapter{},
		vllm.Adapter{},
	)
}
