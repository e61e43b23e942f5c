package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time of the calling thread. Studies with one thread use it, so
// that other processes on the machine do not count. The goroutine must be locked to its thread. A
// call costs about 0.3 µs.
func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic("bench: " + err.Error()) // every Linux has this clock
	}
	return time.Duration(t.Nano())
}
