//go:build purego || race || (!amd64 && !arm64)

package asm

// Lanes returns how many float64 a register of the backend in use holds, or 1 if the Go loops are
// in use.
func Lanes() int { return 1 }

// LeastLanes returns how many items fit in the narrowest register that lane programs use. Lane
// programs leave fewer items than that to the Go loop.
func LeastLanes() int { return 1 }

// AloneRows returns how many rows a caller should compute if it needs only one row of corners or
// crossings: 1 if there is machine code for one item, else LeastLanes.
func AloneRows() int { return 1 }
