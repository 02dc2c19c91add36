package sim

import (
	"syscall"
	"time"
)

// kernelSleep sleeps at most d in the kernel, without the runtime's timers,
// which an otherwise idle program may see up to a millisecond late. It first
// asks the kernel to wake the thread as soon as the time is over, not within
// the 50 µs of slack that a thread has by default.
func kernelSleep(d time.Duration) {
	if d <= 0 {
		return
	}
	const setTimerSlack = 29 // PR_SET_TIMERSLACK
	// Where the kernel refuses, sleeps are a little longer; nothing else.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1, 0)
	ts := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&ts, nil) // interrupted: the caller looks at the clock again
}
