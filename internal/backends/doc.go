// Package backends runs tests and benchmarks once for each backend.
//
// It owns the loop over backends. Package internal/cpu defines the backends and selects one. Only
// tests import this package. It has no frame and no units.
//
// Read each.go, the only file.
package backends
