package main

import (
	"math"
	"runtime/debug"
)

// How the garbage collector is set while files are read or pages made: much is
// allocated for each and little of it kept, so that a collection at each doubling
// of little is a fifth of the time of reading and an eighth of that of building.
// Beyond heap it runs as often as it must.
const (
	growth = 400       // percent
	heap   = 512 << 20 // bytes
)

// easeCollector sets the collector for many files, and returns what sets it back. What the user set by GOGC or GOMEMLIMIT stays.
func easeCollector() (restore func()) {
	percent, limit := debug.SetGCPercent(growth), debug.SetMemoryLimit(-1)
	if percent != 100 || limit != math.MaxInt64 {
		debug.SetGCPercent(percent)
		return func() {}
	}
	debug.SetMemoryLimit(heap)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
