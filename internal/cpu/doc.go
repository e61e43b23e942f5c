// Package cpu describes the processor: supported backends, the selected backend, cache sizes and
// sharing, and names.
//
// It owns the names of the backends and the selection of one. Machine code is in package asm, which
// registers the compiled backends. A process starts with the best backend that is both compiled in
// and detected. The environment variable SCREE_BACKEND, and later Select, can select another one.
//
// On Linux it also ties threads to logical processors; place.go chooses the processors. It also
// determines how much memory the process may use.
//
// Sizes are in bytes. Read backend.go first.
package cpu
