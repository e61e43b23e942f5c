// Package backends runs tests and benchmarks once for each backend.
//
// It owns that loop, and refuses everything else: what a backend is, and which there are, internal/cpu knows. It has no frame
// and no units. Only tests import it.
//
// Read each.go, the only file.
package backends
