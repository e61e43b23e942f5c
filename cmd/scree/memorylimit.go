package main

import (
	"os"
	"runtime/debug"

	"github.com/scree-dem/scree/internal/cpu"
)

// collectInTime sets the soft memory limit of the garbage collector to 80 % of the machine's
// memory, unless GOMEMLIMIT is set. Without a limit the heap may grow to twice the memory in use,
// and a scene that fits would end with an out-of-memory trace.
func collectInTime() {
	if there := cpu.Memory(); there > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(there / 10 * 8))
	}
}
