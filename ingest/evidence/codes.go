package evidence

// Code names one kind of limitation. The list is closed: [Codes]. The trigger of
// a code is the function of the same name in package limits.
type Code string

// The limitation codes. Each has a page content/limits/CODE.md.
const (
	LedgerUnbalanced Code = "ledger-unbalanced"
	ClientVoid       Code = "client-void"

	SimulatedEndpoint      Code = "simulated"
	Interruption           Code = "interrupted"
	UnverifiedMLPerf       Code = "mlperf-unverified"
	UnresolvedTail         Code = "unresolved-tail"
	OutcomesNotStated      Code = "outcomes-not-stated"
	FailuresInside         Code = "failures-inside"
	UsageMissing           Code = "usage-missing"
	CacheContradicted      Code = "cache-contradicted"
	PromptsRepeated        Code = "prompts-repeated"
	OfferedRateNotReached  Code = "offered-rate-not-reached"
	ConcurrencyNotReached  Code = "concurrency-not-reached"
	FavourableUpperBound   Code = "favourable-upper-bound"
	DerivedValue           Code = "derived-value"
	DurationNotStated      Code = "duration-not-stated"
	WindowMismatch         Code = "window-mismatch"
	NumeratorIsTarget      Code = "numerator-is-target"
	RateContradictsCount   Code = "rate-contradicts-count"
	RatesContradictLengths Code = "rates-contradict-lengths"
	InFlightImplausible    Code = "in-flight-implausible"
	CountsDoNotAddUp       Code = "counts-do-not-add-up"
	RequestsVaryInSeries   Code = "requests-vary-in-series"

	UnboundedPercentile   Code = "unbounded-percentile"
	CompletionConditioned Code = "completion-conditioned"
	FailuresExcluded      Code = "failures-excluded"
	TooFewRequests        Code = "too-few-requests"
	MeanNotPercentile     Code = "mean-not-percentile"
	QueueGrows            Code = "queue-grows"
	WarmupInWindow        Code = "warmup-in-window"
	DrainDominates        Code = "drain-dominates"
	ClientSuspect         Code = "client-suspect"
	CacheUnstated         Code = "cache-unstated"
	FastLongPrompt        Code = "implausibly-fast-prompt"
	DefinitionNotStated   Code = "definition-not-stated"
	TokenCountsDisagree   Code = "token-counts-disagree"
	StreamBundled         Code = "stream-bundled"

	FewRepeats          Code = "few-repeats"
	QualityGateMissing  Code = "quality-gate-missing"
	CacheUnreported     Code = "cache-unreported"
	PromptLengthDiffers Code = "prompt-length-differs"
	OutputShort         Code = "output-shorter-than-asked"
	OneTokenOutputs     Code = "one-token-outputs"
	ChunkNotToken       Code = "chunk-not-token"
	FirstTokenReasoning Code = "first-token-reasoning"
	SentAgain           Code = "sent-again"
	ClientUnjudged      Code = "client-unjudged"
	StreamWithoutDone   Code = "stream-without-done"
	WallClockStepped    Code = "wall-clock-stepped"
)

// CodeInfo is what is said about a code wherever it stands.
type CodeInfo struct {
	Code  Code
	Title string
	// Sentence is a template; %s are the limit's Args in order.
	Sentence string
	Args     int
	// Severity orders footnotes, the strongest first.
	Severity Severity
}

// Codes returns the closed list, the strongest first. Among equals the one first
// that a reader needs first.
func Codes() []CodeInfo {
	all := codes()
	return all[:]
}

// codes is an array, which a search through it need not allocate.
func codes() [49]CodeInfo {
	return [...]CodeInfo{
		{LedgerUnbalanced, "The ledger does not balance", "Planned requests are not all accounted for: %s. This run is void and no figure of it may be used.", 1, Invalidates},
		{ClientVoid, "Client timing void", "The client's own observation voids this run: %s.", 1, Invalidates},
		{SimulatedEndpoint, "Simulated endpoint", "The answers came from benchline's simulated endpoint, not from a model: these figures describe no real system.", 0, ChangesMeaning},
		{Interruption, "Run interrupted", "The run ended before its plan did (%s); what was recorded until then is shown.", 1, ChangesMeaning},
		{UnverifiedMLPerf, "Unverified MLPerf result", "Unverified. Result not verified by MLCommons Association.", 0, ChangesMeaning},
		{UnresolvedTail, "Unresolved tail", "%s of %s sent requests had no outcome when observation ended. Their tokens and waits are in no figure of completed requests.", 2, ChangesMeaning},
		{OutcomesNotStated, "Outcomes not stated", "The source does not say how many requests %s. A figure of the others may have gained by leaving them out.", 1, ChangesMeaning},
		{FailuresInside, "Failures may be inside", "The source counts as completed: %s. Requests that failed may be in this figure.", 1, ChangesMeaning},
		{UsageMissing, "Token count missing", "%s of %s came without a token count and are in no token figure, so that a token rate is at least what is shown.", 2, ChangesMeaning},
		{CacheContradicted, "Measured cache hits contradict the declared state", "The cache was declared %s, but the endpoint reported %s of prompt tokens as cached.", 2, ChangesMeaning},
		{PromptsRepeated, "Prompts had been sent before", "%s of %s had been sent before, so that the prefix cache may have held them, whatever state was declared.", 2, ChangesMeaning},
		{OfferedRateNotReached, "Offered rate not reached", "Asked for %s; sent on time: %s.", 2, ChangesMeaning},
		{ConcurrencyNotReached, "Concurrency not reached", "Asked for %s outstanding; the most seen in flight were %s.", 2, ChangesMeaning},
		{FavourableUpperBound, "Upper bound on a favourable configuration", "Not stated: %s. Read the figure as an upper bound on a favourable configuration.", 1, ChangesMeaning},
		{DerivedValue, "Derived value", "The source calls this figure derived: it was worked out from other records, which are not at hand, and not read off a run.", 0, ChangesMeaning},
		{DurationNotStated, "Duration not stated", "No elapsed time is stated for this rate. It cannot be worked back from the rate.", 0, ChangesMeaning},
		{WindowMismatch, "Numerator and denominator of different windows", "The numerator is of %s; the time that it is divided by is that of %s.", 2, ChangesMeaning},
		{NumeratorIsTarget, "The numerator may be the target", "%s completed requests × the output target of %s are %s tokens; divided by %s s that is the recorded rate of %s to its last digit. Either every output ran to its target, or the target was counted in place of the output.", 5, ChangesMeaning},
		{RateContradictsCount, "Rate contradicts its own parts", "%s divided by %s s is %s, but the source gives %s.", 4, ChangesMeaning},
		{RatesContradictLengths, "Two rates contradict the lengths", "Input plus output is %s times the output rate; it should be %s by %s.", 3, ChangesMeaning},
		{InFlightImplausible, "Throughput × latency does not fit the load", "%s requests/s (%s) × %s s (%s) would keep %s requests in flight; %s were to be outstanding. The law behind this holds for means over one steady window.", 6, ChangesMeaning},
		{CountsDoNotAddUp, "Counts do not add up", "As the source gives them, %s.", 1, ChangesMeaning},
		{RequestsVaryInSeries, "Request count changes along the series", "Points of this series were taken with %s requests: more than the load varies between them.", 1, ChangesMeaning},
		{UnboundedPercentile, "Percentile unbounded above", "More requests are unfinished than this percentile leaves room for, so that its upper end is unknown: %s.", 1, BoundsFigure},
		{CompletionConditioned, "Completion-conditioned percentile", "The figure of the %s alone gets better as more long requests stay unfinished.", 1, BoundsFigure},
		{FailuresExcluded, "Failed requests are outside", "Outside this figure, and counted in the ledger: %s that failed, timed out or met a refusal.", 1, BoundsFigure},
		{TooFewRequests, "Too few requests", "A finite upper end of a 95 %% interval for this percentile needs %s requests; the figure has %s.", 2, BoundsFigure},
		{MeanNotPercentile, "A mean, not a percentile", "Only the mean is stated. It says nothing about the slow end and stands for no percentile.", 0, BoundsFigure},
		{QueueGrows, "The queue grew", "Requests in flight rose from %s to %s while sending: the endpoint did not keep up, and waits depend on how long the run lasted.", 2, BoundsFigure},
		{WarmupInWindow, "Warm-up inside the window", "What belongs to a warm-up is in the measured window: %s.", 1, BoundsFigure},
		{DrainDominates, "Drain dominates the window", "%s of the observation window came after sending had stopped.", 1, BoundsFigure},
		{ClientSuspect, "Client timing suspect", "The load generator or its machine may have added to these times: %s.", 1, BoundsFigure},
		{CacheUnstated, "Cache state not stated", "Neither plan, nor endpoint, nor source says whether prompts were cached.", 0, BoundsFigure},
		{FastLongPrompt, "Implausibly fast long prompt", "Prompts of %s tokens got their first token as fast as prompts of %s: possible cache reuse.", 2, BoundsFigure},
		{DefinitionNotStated, "Definition not stated", "The source does not say how it defines this figure: %s. The same word may mean another thing elsewhere.", 1, BoundsFigure},
		{TokenCountsDisagree, "Two counts of the same tokens", "%s by %s, but %s by %s: a token figure is as good as the count that it was made from.", 4, BoundsFigure},
		{StreamBundled, "Chunks came bundled", "%s of %s between chunks are under 1 ms: chunks came together, and a first one may have waited for others.", 2, BoundsFigure},
		{FewRepeats, "Too few repeats", "A finite order-statistic interval over repeats needs 6 runs; the figure has %s.", 1, Qualifies},
		{QualityGateMissing, "No quality gate for a quantised variant", "Precision %s, and no quality check is declared: the speed says nothing about the answers.", 1, Qualifies},
		{CacheUnreported, "Cache use not reported", "Cached tokens are not reported, so that the declared state (%s) could not be checked.", 1, Qualifies},
		{PromptLengthDiffers, "Prompt length differs from the plan", "The plan asked for %s; the endpoint counted %s (a chat template adds some; a cut prompt lacks some).", 2, Qualifies},
		{OutputShort, "Outputs shorter than asked", "The output maximum was %s; completed requests returned %s.", 2, Qualifies},
		{OneTokenOutputs, "Outputs of at most one token", "TPOT is undefined for the %s with fewer than two tokens, and leaves them out.", 1, Qualifies},
		{ChunkNotToken, "Chunks are not tokens", "%s arrived in %s: gaps between chunks are not per-token delays.", 2, Qualifies},
		{FirstTokenReasoning, "The first token is not the answer's", "In %s of %s the first token was reasoning or a tool call: the answer began later, or not at all.", 2, Qualifies},
		{SentAgain, "Requests sent again", "%s of %s had to be sent again on a fresh connection; their clocks run from the last send.", 2, Qualifies},
		{ClientUnjudged, "Too few to judge the client", "The run is too small to tell whether its client was late: %s.", 1, Qualifies},
		{StreamWithoutDone, "Streams without an end mark", "%s ended with a finish reason but without [DONE].", 1, Qualifies},
		{WallClockStepped, "The wall clock moved", "The client's wall clock moved by %s during the run; all times here are from the monotonic clock.", 1, Qualifies},
	}
}

// Several is what is said where a code stands at several figures of one record
// and its notes differ in an argument only: one sentence, which is no template,
// and the words behind each of the figures, a template of the code's arguments.
// False where the code has none: then each figure has the whole sentence.
func (c Code) Several() (sentence, each string, ok bool) {
	switch c { //nolint:exhaustive // most codes are about a record, or have no arguments
	case WindowMismatch:
		return "Numerator and denominator are not of the same stretch of time.", "of %s, over %s", true
	case RateContradictsCount:
		return "The quotient of what stands beside a rate is not the rate.", "%s ÷ %s s is %s, given as %s", true
	case UnboundedPercentile:
		return "More requests are unfinished than these percentiles leave room for, so that their upper ends are unknown.", "%s", true
	case CompletionConditioned:
		return "A figure of completed requests alone gets better as more long requests stay unfinished.", "of %s", true
	case TooFewRequests:
		return "A finite upper end of a 95 % interval for these percentiles needs more requests than there are.", "needs %s, has %s", true
	case DefinitionNotStated:
		return "The source does not say how it defines these figures. The same words may mean other things elsewhere.", "%s", true
	default:
		return "", "", false
	}
}
