//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// failOnFileLimit ignores SIGXFSZ. A write beyond the file size limit (ulimit -f) then fails with
// an error, like a write to a full disk, and is reported with the file name. Otherwise the runtime
// would end the process with a stack trace.
func failOnFileLimit() { signal.Ignore(syscall.SIGXFSZ) }
