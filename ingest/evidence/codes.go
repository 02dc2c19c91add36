package evidence

import (
	"fmt"
	"strings"
)

// Code names one kind of limitation. The list is closed: [Codes].
type Code string

// The limitation codes. Each has a page content/limits/CODE.md.
const (
	LedgerUnbalanced      Code = "ledger-unbalanced"
	ClientVoid            Code = "client-void"
	Interruption          Code = "interrupted"
	SimulatedEndpoint     Code = "simulated"
	UnresolvedTail        Code = "unresolved-tail"
	UnboundedPercentile   Code = "unbounded-percentile"
	CompletionConditioned Code = "completion-conditioned"
	FailuresExcluded      Code = "failures-excluded"
	TooFewRequests        Code = "too-few-requests"
	FewRepeats            Code = "few-repeats"
	ClientSuspect         Code = "client-suspect"
	OfferedRateNotReached Code = "offered-rate-not-reached"
	ConcurrencyNotReached Code = "concurrency-not-reached"
	QueueGrows            Code = "queue-grows"
	DrainDominates        Code = "drain-dominates"
	CacheUnstated         Code = "cache-unstated"
	CacheContradicted     Code = "cache-contradicted"
	CacheUnreported       Code = "cache-unreported"
	FastLongPrompt        Code = "implausibly-fast-prompt"
	UsageMissing          Code = "usage-missing"
	PromptLengthDiffers   Code = "prompt-length-differs"
	OutputShort           Code = "output-shorter-than-asked"
	OneTokenOutputs       Code = "one-token-outputs"
	ChunkNotToken         Code = "chunk-not-token"
	FavourableUpperBound  Code = "favourable-upper-bound"
	QualityGateMissing    Code = "quality-gate-missing"
	WallClockStepped      Code = "wall-clock-stepped"
	StreamWithoutDone     Code = "stream-without-done"

	DurationNotStated      Code = "duration-not-stated"
	DefinitionNotStated    Code = "definition-not-stated"
	DerivedValue           Code = "derived-value"
	MeanNotPercentile      Code = "mean-not-percentile"
	NumeratorIsTarget      Code = "numerator-is-target"
	RateContradictsCount   Code = "rate-contradicts-count"
	RatesContradictLengths Code = "rates-contradict-lengths"
	InFlightImplausible    Code = "in-flight-implausible"
	CountsDoNotAddUp       Code = "counts-do-not-add-up"
	RequestsVaryInSeries   Code = "requests-vary-in-series"
	UnverifiedMLPerf       Code = "mlperf-unverified"
)

// CodeInfo is what is said about a code wherever it stands.
type CodeInfo struct {
	Code  Code
	Title string
	// Sentence is a template; %s are the limit's Args in order.
	Sentence string
	Args     int
	// Severity orders footnotes, the strongest first: 1 void, 2 changes what
	// the number means, 3 bounds it, 4 worth knowing.
	Severity int
}

// Codes returns the closed list, the strongest first.
func Codes() []CodeInfo {
	all := codes()
	return all[:]
}

// codes is an array, which a search through it need not allocate.
func codes() [39]CodeInfo {
	return [...]CodeInfo{
		{LedgerUnbalanced, "The ledger does not balance", "Planned requests are not all accounted for: %s. This run is void and no figure of it may be used.", 1, 1},
		{ClientVoid, "The load generator was the bottleneck", "The client's own observation voids this run: %s.", 1, 1},
		{SimulatedEndpoint, "Simulated endpoint", "The answers came from benchline's simulated endpoint, not from a model: these figures describe no real system.", 0, 2},
		{Interruption, "Run interrupted", "The run ended before its plan did (%s); what was recorded until then is shown.", 1, 2},
		{UnresolvedTail, "Unresolved tail", "%s of %s sent requests had no outcome when observation ended. Their tokens and waits are in no figure of completed requests.", 2, 2},
		{CacheContradicted, "Measured cache hits contradict the declared state", "The cache was declared %s, but the endpoint reported %s of prompt tokens as cached.", 2, 2},
		{OfferedRateNotReached, "Offered rate not reached", "Asked for %s; %s were sent on time over the sending window.", 2, 2},
		{ConcurrencyNotReached, "Concurrency not reached", "Asked for %s requests outstanding; at most %s were seen in flight.", 2, 2},
		{NumeratorIsTarget, "The numerator may be the target", "%s completed requests × the output target of %s are %s tokens; divided by %s s that is the recorded rate of %s to its last digit. Either every output ran to its target, or the target was counted in place of the output.", 5, 2},
		{RateContradictsCount, "Rate contradicts its own parts", "%s divided by %s s is %s, but the source gives %s.", 4, 2},
		{RatesContradictLengths, "Two rates contradict the lengths", "Input plus output is %s times the output rate; it should be %s by %s.", 3, 2},
		{InFlightImplausible, "Throughput × latency does not fit the load", "%s requests/s (%s) × %s s (%s) would keep %s requests in flight; %s were to be outstanding. The law behind this holds for means over one steady window.", 6, 2},
		{CountsDoNotAddUp, "Counts do not add up", "As the source gives them, %s.", 1, 2},
		{DurationNotStated, "Duration not stated", "No elapsed time is stated for this rate. It cannot be worked back from the rate.", 0, 2},
		{DerivedValue, "Derived value", "The source calls this figure derived: it was worked out from other records, which are not at hand, and not read off a run.", 0, 2},
		{UnverifiedMLPerf, "Unverified MLPerf result", "Unverified. Result not verified by MLCommons Association.", 0, 2},
		{RequestsVaryInSeries, "Request count changes along the series", "Points of this series were taken with %s requests: more than the load varies between them.", 1, 2},
		{DefinitionNotStated, "Definition not stated", "The source does not say how it defines this figure: %s. The same word may mean another thing elsewhere.", 1, 3},
		{MeanNotPercentile, "A mean, not a percentile", "Only the mean is stated. It says nothing about the slow end and stands for no percentile.", 0, 3},
		{UnboundedPercentile, "Percentile unbounded above", "More requests are unfinished than this percentile leaves room for, so its upper end is unknown: at least %s.", 1, 3},
		{CompletionConditioned, "Completion-conditioned percentile", "The figure of the %s completed requests alone gets better as more long requests stay unfinished.", 1, 3},
		{FailuresExcluded, "Failed requests are outside", "%s requests failed, were rejected or timed out; they are counted in the ledger and stand outside this figure.", 1, 3},
		{TooFewRequests, "Too few requests", "A finite upper end of a 95 %% interval for this percentile needs %s requests; there are %s.", 2, 3},
		{FewRepeats, "Too few repeats", "A finite order-statistic interval over repeats needs 6 runs; there are %s.", 1, 4},
		{QueueGrows, "The queue grew", "Requests in flight rose from %s to %s while sending: the endpoint did not keep up, and waits depend on how long the run lasted.", 2, 3},
		{DrainDominates, "Drain dominates the window", "%s of the observation window came after sending had stopped.", 1, 3},
		{ClientSuspect, "Client timing suspect", "The load generator may have added to these times: %s.", 1, 3},
		{CacheUnstated, "Cache state not stated", "Neither plan, nor endpoint, nor source says whether prompts were cached.", 0, 3},
		{CacheUnreported, "Cache use not reported", "The endpoint does not report cached tokens, so the declared state (%s) could not be checked.", 1, 4},
		{FastLongPrompt, "Implausibly fast long prompt", "Prompts of %s tokens got their first token as fast as prompts of %s: possible cache reuse.", 2, 3},
		{UsageMissing, "Token count missing", "%s of %s completed requests came without a token count; they are in no token figure, so that a token rate is at least what is shown.", 2, 2},
		{PromptLengthDiffers, "Prompt length differs from the plan", "The plan asked for %s input tokens; the endpoint counted %s to %s (a chat template adds some; a cut prompt lacks some).", 3, 4},
		{OutputShort, "Outputs shorter than asked", "The output maximum was %s tokens; completed requests returned %s to %s.", 3, 4},
		{OneTokenOutputs, "Outputs of at most one token", "%s completed requests returned fewer than two tokens; TPOT is undefined for them and they are left out of it.", 1, 4},
		{ChunkNotToken, "Chunks are not tokens", "%s tokens arrived in %s chunks: gaps between chunks are not per-token delays.", 2, 4},
		{FavourableUpperBound, "Upper bound on a favourable configuration", "Not stated: %s. Read the figure as an upper bound on a favourable configuration.", 1, 2},
		{QualityGateMissing, "No quality gate", "No quality check is declared for this profile; its speed says nothing about its answers.", 0, 4},
		{WallClockStepped, "The wall clock moved", "The client's wall clock moved by %s during the run; all times here are from the monotonic clock.", 1, 4},
		{StreamWithoutDone, "Streams without an end mark", "%s completed streams ended with a finish reason but without [DONE].", 1, 4},
	}
}

// Info returns the entry of a code and whether the code is in the list.
func Info(c Code) (CodeInfo, bool) {
	all := codes()
	for _, info := range &all {
		if info.Code == c {
			return info, true
		}
	}
	return CodeInfo{}, false
}

// info is the entry of the limit's code, if the limit has what the code needs.
func (l Limit) info() (CodeInfo, error) {
	info, ok := Info(l.Code)
	if !ok {
		return CodeInfo{}, fmt.Errorf("limit code %q is not in the list", l.Code)
	}
	if len(l.Args) != info.Args {
		return CodeInfo{}, fmt.Errorf("limit %s takes %d arguments, got %d", l.Code, info.Args, len(l.Args))
	}
	return info, nil
}

// Sentence is the limit in words. It is an error if the code is unknown or the
// number of arguments is not the code's.
func (l Limit) Sentence() (string, error) {
	info, err := l.info()
	if err != nil {
		return "", err
	}
	args := make([]any, len(l.Args))
	for i, a := range l.Args {
		args[i] = a
	}
	if len(args) == 0 {
		return strings.ReplaceAll(info.Sentence, "%%", "%"), nil
	}
	return fmt.Sprintf(info.Sentence, args...), nil
}
