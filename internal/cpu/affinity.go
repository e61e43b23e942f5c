package cpu

import (
	"errors"
	"sync"
)

// ErrAffinity reports a system that does not let a process query or set the logical processors of
// its threads.
var ErrAffinity = errors.New("threads cannot be tied to processors")

// allowed is called before this package ties any thread, because new threads inherit the setting of
// their parents.
var allowed = sync.OnceValues(readAllowed)

// Allowed returns the logical processors that the process may run on, in increasing order, as of
// the first call.
func Allowed() ([]int, error) {
	cpus, err := allowed()
	return append([]int(nil), cpus...), err
}

// Pin ties the calling thread to one logical processor. Before that the caller must call
// runtime.LockOSThread, and Allowed before the first Pin.
func Pin(cpu int) error { return setAffinity(cpu) }

// Unpin lets the calling thread run on all processors that Allowed returns.
func Unpin() error {
	cpus, err := allowed()
	if err != nil {
		return err
	}
	return setAffinity(cpus...)
}
