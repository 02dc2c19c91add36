//go:build unix

package runner

import (
	"fmt"
	"math"
	"syscall"
	"time"
)

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// openFiles raises the limit on open files to what is needed, where the
// system lets it, and returns the limit.
func openFiles(need int64) (int64, error) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, fmt.Errorf("asking for the limit on open files: %w", err)
	}
	if uint64(l.Cur) < uint64(need) && l.Cur < l.Max { //nolint:gosec,unconvert // the field's type differs by system
		raised := l
		raised.Cur = l.Max
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			l = raised
		}
	}
	return int64(min(uint64(l.Cur), math.MaxInt64)), nil //nolint:gosec,unconvert // likewise
}
