package sim

import (
	"syscall"
	"time"
)

// leastSlack asks the kernel to wake this thread as soon as its sleep is over,
// not within the 50 µs of slack a thread has by default.
func leastSlack() {
	const setTimerSlack = 29 // PR_SET_TIMERSLACK
	// Where the kernel refuses, sleeps are a little longer; nothing else.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
}

// kernelSleep sleeps at most d in the kernel, without the runtime's timers,
// which an otherwise idle program may see up to a millisecond late.
func kernelSleep(d time.Duration) {
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // interrupted: the caller looks at the clock again
}
