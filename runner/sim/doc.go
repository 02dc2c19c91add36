// Package sim is a simulated inference endpoint: an [http.Handler] that speaks
// the OpenAI-compatible HTTP interface and answers with words that mean
// nothing at times that mean something.
//
// It exists so that a load generator can be checked against a known truth. A
// real server does not say when it wrote a token; this one keeps a record of
// every request (see [Truth]) which the measuring side can be held against.
// It also lets the demo and the tests run on a machine without an accelerator.
//
// Behind the interface stands one of two models of time:
//
//   - the batching engine ([Engine]): first come first served admission, a KV
//     cache of limited capacity, chunked prefill that shares each step with
//     decoding, a decode step that grows with the batch, and a prefix cache
//     whose hits really save prefill time and are reported as cached tokens;
//   - the metronome ([Metronome]): a fixed time to the first token and a fixed
//     time between tokens for every request whatever the load, for measuring
//     how faithfully a client keeps time.
//
// Both count their deadlines from the deadline before, not from when the
// program got round to it, so lateness does not add up. One goroutine moves
// the model on; every stream has a goroutine that writes. Each token is an
// event of its own, written and flushed alone, unless the configuration asks
// for several tokens an event, also when a stream has fallen behind.
//
// Tokens: one whitespace-separated word is one token, in prompts and in
// answers. [Config.TemplateTokens] adds a constant number to chat prompts, as
// a chat template would.
//
// Faults ([Fault]) make single requests misbehave, each in one of the ways
// that real servers, proxies and networks have been seen to.
//
// What it is not: a model of any real product. The engine has no preemption
// (a sequence reserves room for its longest possible answer when it is
// admitted), prefill time is linear in the computed tokens, only prompts are
// cached (not answers), and there is no variation besides what arrival times,
// output lengths and faults bring. Everything it serves says that it is
// simulated: the Server header, owned_by of /v1/models, and /version.
package sim
