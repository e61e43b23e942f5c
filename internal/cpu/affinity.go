package cpu

import (
	"errors"
	"sync"
)

// ErrAffinity marks a system that does not say, or does not let a process choose, which logical
// processors its threads run on.
var ErrAffinity = errors.New("threads cannot be tied to processors")

// allowed is asked once, before this package ties any thread, for new threads begin with what their
// parents have.
var allowed = sync.OnceValues(readAllowed)

// Allowed returns the logical processors that the process may run on, in rising order, as they were at
// the first call.
func Allowed() ([]int, error) {
	cpus, err := allowed()
	return append([]int(nil), cpus...), err
}

// Pin ties the calling thread to one logical processor. The caller holds its thread by
// runtime.LockOSThread, and calls Allowed before the first Pin.
func Pin(cpu int) error { return setAffinity(cpu) }

// Unpin lets the calling thread run on all processors that Allowed returns.
func Unpin() error {
	cpus, err := allowed()
	if err != nil {
		return err
	}
	return setAffinity(cpus...)
}
