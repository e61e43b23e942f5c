//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// failOnFileLimit makes a write beyond the limit on the size of files (ulimit -f) an error like that of a
// full disk, which is reported with the file's name. The runtime would end the process with a trace.
func failOnFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
