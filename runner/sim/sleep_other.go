//go:build !linux

package sim

import "time"

// kernelSleep is an ordinary sleep where there is no better one.
func kernelSleep(d time.Duration) { time.Sleep(d) }
