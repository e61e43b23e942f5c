//go:build !linux

package bench

import "time"

var started = time.Now()

// threadTime returns the time since the start of the process: here a thread has no clock of its own that Go can read.
func threadTime() time.Duration { return time.Since(started) }
