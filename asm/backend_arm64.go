//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// useNEON is set by internal/cpu when NEON is the backend in use.
var useNEON bool

func init() { cpu.Register(cpu.NEON, &useNEON) }

// Lanes is how many float64 the kernels of the backend in use work on at a time.
func Lanes() int {
	if useNEON {
		return 2
	}
	return 1
}

// LeastLanes returns how many items the narrowest register that kernels use works off at once:
// lane programs leave no more than fill one of these to the Go loop.
func LeastLanes() int {
	return Lanes()
}

// AloneRows returns how many rows of corners or of crossings take the least time where one is asked for: 1 where there is machine code for
// one, and else LeastLanes.
func AloneRows() int { return LeastLanes() }
