//go:build purego || race || (!amd64 && !arm64)

package asm

// Lanes is how many float64 the kernels of the backend in use work on at a time.
func Lanes() int { return 1 }

// LeastLanes returns how many items the narrowest register that kernels use works off at once:
// lane programs leave no more than fill one of these to the Go loop.
func LeastLanes() int { return 1 }
