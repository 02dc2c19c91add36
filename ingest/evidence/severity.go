package evidence

// Severity is how much a limit takes from a figure. Footnotes are numbered by
// it: what invalidates comes before what changes the meaning, that before what
// bounds, and that before what only qualifies.
type Severity int

// The severities, the strongest first.
const (
	// Invalidates: the figure is no measurement and may not be used as one.
	Invalidates Severity = iota + 1
	// ChangesMeaning: the figure is true of something else than its name says,
	// or nobody can tell of what. Without the note it misleads.
	ChangesMeaning
	// BoundsFigure: the figure means what it says, but holds on one side only,
	// within a margin, or under a condition that the note names.
	BoundsFigure
	// Qualifies: worth knowing before the figure is used for anything else than
	// what it was taken for.
	Qualifies
)

// Title is the severity as the heading of a list of notes.
func (s Severity) Title() string {
	switch s {
	case Invalidates:
		return "These void the record"
	case ChangesMeaning:
		return "These change what a figure means"
	case BoundsFigure:
		return "These bound a figure"
	case Qualifies:
		return "Worth knowing"
	default:
		return ""
	}
}
