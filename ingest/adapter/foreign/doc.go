// Package foreign is the door through which other tools' files come in: what
// every adapter of a foreign format needs, and nothing that belongs to one.
//
//   - [ReadJSON] reads JSON as such files really are: with log lines before it,
//     a BOM, bare NaN and Infinity, numbers too large, numbers in strings,
//     several objects in a row, keys twice. Lists of rows are handed over one
//     row at a time, so that a file of any size is read in bounded memory.
//   - [Draft] is a record in the making. Nothing is stated in it until the file
//     states it.
//   - [Figure] turns a number of the file into a claim, with the number, unit
//     and key word for word beside it, and the tool's definition as its rule.
//   - [ReadImport] reads import.toml, in which a person says what the file does
//     not: who ran it, where it comes from, which hardware it was.
//
// # A claim is not a measurement
//
// What a tool printed is quoted under the tool's definition. Only what is
// computed here from per-request rows is an exact amount, and then the tool's own
// figure stands beside it as [evidence.Claim].
package foreign
