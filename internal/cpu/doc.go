// Package cpu knows the processor: which backends it can run, which one is selected, how large its
// caches are, who shares them, and what it is called.
//
// It owns the names of the backends and the choice of one. It refuses machine code: package asm holds
// it and registers what it has compiled in. A fresh process runs the best backend that is both
// compiled in and detected; the environment variable SCREE_BACKEND, and after it Select, name another.
//
// It also ties threads to logical processors, on Linux: who sits where is in place.go. And it knows how much memory this process
// may have.
//
// Sizes are in bytes. Read backend.go first.
package cpu
