package main

import (
	"math"
	"runtime/debug"
)

// How the garbage collector is set while files are read: much is allocated for
// each and little of it kept, so that a collection at each doubling of little is
// a fifth of the time. Beyond ingestHeap it runs as often as it must.
const (
	ingestGrowth = 400       // percent
	ingestHeap   = 256 << 20 // bytes
)

// easeCollector sets the collector for reading many files, and returns what sets
// it back. What the user set by GOGC or GOMEMLIMIT stays.
func easeCollector() (restore func()) {
	percent, limit := debug.SetGCPercent(ingestGrowth), debug.SetMemoryLimit(-1)
	if percent != 100 || limit != math.MaxInt64 {
		debug.SetGCPercent(percent)
		return func() {}
	}
	debug.SetMemoryLimit(ingestHeap)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
