//go:build purego || race || (!amd64 && !arm64)

package asm

// Lanes is how many float64 the kernels of the backend in use work on at a time.
func Lanes() int { return 1 }
