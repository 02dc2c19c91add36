//go:build !linux

package sim

import "time"

func leastSlack() {}

// kernelSleep is an ordinary sleep where there is no better one.
func kernelSleep(d time.Duration) { time.Sleep(d) }
