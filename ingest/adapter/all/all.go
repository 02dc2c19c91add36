// Package all is the one list of adapters.
package all

import (
	"benchline/ingest/adapter"
	"benchline/ingest/adapter/own"
	"benchline/ingest/adapter/recovered"
)

// Registry lists every adapter that benchline has. A new format is one more
// line here.
func Registry() (adapter.Registry, error) {
	return adapter.NewRegistry(
		own.Adapter{},
		recovered.Adapter{},
	)
}
