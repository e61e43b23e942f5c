//go:build !linux

package bench

import "time"

var started = time.Now()

// threadTime returns the time since the start of the process, because Go cannot read a clock of the
// thread on this system.
func threadTime() time.Duration { return time.Since(started) }
