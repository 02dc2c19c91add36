package measure

// MetricID is a key of the metric registry: the only source of labels, units,
// axis titles, tooltips, CSV headers and glossary entries.
type MetricID string

// WindowRule says how a stretch of time was cut.
type WindowRule string

// The window rules.
const (
	// ObservationWindow runs from the start of the measured phase until every
	// request had an outcome or the drain grace was over. Includes queueing
	// and drain, and with random arrivals the gap before the first request
	// is due; excludes warm-up. Of another tool's rows, which do not say
	// when their phase began, it runs from the first send.
	ObservationWindow WindowRule = "observation window"
	// FirstSendToLastToken runs from the first send to the last token of a
	// completed request.
	FirstSendToLastToken WindowRule = "first send to last token"
	// SteadyWindow runs from the first moment at which the planned concurrency
	// was reached until sending stopped. Excludes ramp-up and drain.
	SteadyWindow WindowRule = "steady window"
	// SendingWindow runs from the start of the measured phase until sending
	// stopped. Excludes warm-up and drain.
	SendingWindow WindowRule = "sending window"
	// StatedWindow is as long as the source says; what it includes is in its note.
	StatedWindow WindowRule = "stated by source"
)

// CacheKind is the state of the endpoint's prefix cache, from 1 so that the
// zero value is invalid.
type CacheKind uint8

// The cache kinds.
const (
	CacheCold CacheKind = iota + 1
	CacheWarm
	CacheShared
	CacheDisabled
	CacheUnstated
)
