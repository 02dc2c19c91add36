// Package evidence holds records: what is known of one measurement, how each
// part of it is known, and what limits how it may be read.
//
// A [Record] is plain data that anyone may build. [Seal] checks it whole, puts
// it in its canonical form and gives it its [ID], the SHA-256 of that form. From
// then on the record is a line of JSON that always has the same bytes, can be
// named by its hash, and can be rebuilt and compared byte for byte by anybody
// who has its source.
//
// # Canonical encoding
//
// One record is one line. Keys stand in the order of the Go structs, without
// white space. Floats are the shortest decimal that reads back as the same
// float64, and always finite. Characters stand for themselves: only what JSON
// demands is escaped, plus U+2028 and U+2029; '<', '>' and '&' are not. Strings
// are valid UTF-8. A list without entries is [], never null. The first key is
// "id"; the ID is taken over the line without that key.
//
// Reading is strict: an unknown key, a missing one, a key twice, another order,
// a number in another spelling or an ID that is not the line's hash is refused
// with the line's number.
//
// # What is not known
//
// A value that a source may or may not state is a [Known]. It has four states,
// and its encoding keeps them apart; the zero Known is refused everywhere. So a
// missing count can't become a zero on its way through a file.
//
// # Limits of the format
//
// The store keeps what ingest made and nothing else: it may be deleted and
// rebuilt from the sources, and is then the same byte for byte. A record has no
// history; what replaces what is said by pages, not here.
package evidence
