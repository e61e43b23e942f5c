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
