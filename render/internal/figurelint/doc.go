// Package figurelint holds every chart and every table of figures that a site
// builds against fifteen patterns by which such figures mislead. Each was found
// in a published report; content/methodology/chart-rules.md describes them for
// readers.
//
// # Why so
//
// A rule is a pure function of a [View]: a chart or table as it will be shown,
// each of its figures with the value of the record that it rests on. The rule
// holds the one against the other, so it does not hang on how the builder came
// to show what it shows. Several of the patterns cannot be built with the types
// of package report; their rules look anyway.
//
// A rule that finds an error stops the build. A rule that warns puts a note
// beside the figure, in words. Both can be set aside for one figure, with a
// reason, which then stands beside the figure in place of the finding.
//
// # Limits
//
// Headline blocks are not views: package report cannot make one without its
// parts. What is drawn by hand (conceptual drawings of authored pages) is not
// looked at. A rule sees what the evidence states; it cannot find what a source
// kept to itself.
package figurelint
