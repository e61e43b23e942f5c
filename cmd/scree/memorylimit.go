package main

import (
	"os"
	"runtime/debug"

	"github.com/scree-dem/scree/internal/cpu"
)

// collectInTime makes the collector work harder where the process nears the memory that there is,
// unless GOMEMLIMIT says when. Without it the heap may grow to twice what is in use, and a scene
// that fits ends in a trace of no memory.
func collectInTime() {
	if there := cpu.Memory(); there > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(there / 10 * 8))
	}
}
