// Package madeup reads the results of a tool that does not exist: it is the whole
// of what a new format takes, and a test adds it to the registry.
package madeup

import (
	"context"

	"benchline/ingest/adapter"
	"benchline/ingest/adapter/foreign"
	"benchline/ingest/measure"
)

const (
	tool  = "made-up bench"
	whole = "from the first send to the last token"
)

// New is the adapter of made-up bench's result files.
func New() foreign.Format {
	return foreign.Format{Name: "madeup", Version: 1, Words: words(), Parts: read,
		Want: `made-up bench JSON with "madeup_version" and "first_token"`,
		Claims: func(prefix []byte) bool {
			n, ok := foreign.Head(prefix)
			return ok && isResult(n)
		}}
}

func isResult(n foreign.Node) bool {
	return n.Get("madeup_version").Has() && n.Get("first_token").IsObject()
}

// words are what the tool means by its words.
func words() []adapter.Definition {
	d := adapter.Definition{Tool: tool, Versions: "1", Population: "requests that completed", Window: whole, TokenSource: "the endpoint's usage",
		PercentileRule: "nearest rank", Missing: "null", Source: "its own file"}
	return []adapter.Definition{
		d.Latency("first_token", "ttft", "the request is sent", "the first token is read"),
		d.Quotient("tokens_per_s", "output_token_rate", "the first send", "the last token", "output tokens of requests that completed"),
	}
}

// read makes the file's one part.
func read(ctx context.Context, f *foreign.File) ([]foreign.Part, []adapter.Diagnostic, error) {
	return f.OneJSON(ctx, nil, isResult, func(n foreign.Node) ([]foreign.Part, error) {
		d := foreign.NewDraft(f, tool)
		d.Record.Outcomes.Completed = d.Count("completed", n.Get("completed"))
		d.ClosedLoop("clients", n.Get("clients"))
		d.Window("seconds", n.Get("seconds"), whole)
		rate := d.OverWindow(d.Word("tokens_per_s"), "seconds", whole)
		rate.Number, rate.Unit = n.Get("tokens_per_s"), "tokens/s"
		d.Claim(rate)
		wait := d.Word("first_token")
		wait.Unit, wait.Population = "ms", d.Completed("requests that completed", "completed")
		d.Statistics(wait, []foreign.Statistic{{Stat: measure.P50, Key: "median"}, {Stat: measure.P99, Key: "p99"}}, func(key string) (foreign.Node, string) {
			return n.Get("first_token", key), "first_token." + key
		})
		return []foreign.Part{{Draft: d, Title: d.LoadTitle(foreign.Heading{Requests: d.Record.Outcomes.Completed})}}, nil
	})
}
