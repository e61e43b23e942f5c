//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// useNEON is true if NEON is the backend in use. internal/cpu sets it.
var useNEON bool

func init() { cpu.Register(cpu.NEON, &useNEON) }

// Lanes returns how many float64 a register of the backend in use holds, or 1 if the Go loops are
// in use.
func Lanes() int {
	if useNEON {
		return 2
	}
	return 1
}

// MinLanes returns how many items fit in the narrowest register that lane programs use. Lane
// programs leave fewer items than that to the Go loop.
func MinLanes() int {
	return Lanes()
}

// SingleRows returns how many rows a caller should compute if it needs only one row of corners or
// crossings: 1 if there is machine code for one item, else MinLanes.
func SingleRows() int { return MinLanes() }
