// Package compare says what a comparison of two records means before any
// number is shown, and then gives the numbers that are left.
//
// [Compare] sets the full tuple of two records side by side, marks each
// dimension as the same, different, or not stated on a side, and gives one of
// four verdicts: controlled, confounded, systems ratio, not comparable. It says
// what would have to be known or done before more could be said, and it judges
// every metric by itself: a pair may be controlled for the time to first token
// while its rates count different tokens. [NumbersOf] gives what may be said in
// numbers: a difference of a controlled pair, a ratio of two systems, nothing of
// the rest. The first record is the base: B less A, B divided by A.
//
// # What is not stated
//
// A dimension that one side does not state is not the same. The one exception
// are two runs of one invocation of one plan, where what neither states is the
// same: one program asked one endpoint. Facts of host, client and settings are
// dimensions by a closed list. Beyond it, a few that only some endpoints tell
// count as soon as one side states them, and any other fact counts where both
// sides state it and it differs; of these last two kinds a gap may be overlooked.
//
// A declared cache state that the endpoint's own counts contradict is as good as
// not stated. Between two precisions of one profile a quality check must be
// declared for each that is not a full one: else the pair is confounded.
//
// # Statistics
//
// The U test is that of golang.org/x/perf/benchmath, with the samples put in the
// order in which it is right. Intervals of differences are by order statistics
// and ask for no distribution. Each metric is tested by itself: of twenty tests
// of two equal recipes one shows evidence by chance.
//
// Nothing is averaged over recipes, and a difference is never given a name that
// says which side is to blame for it.
package compare
