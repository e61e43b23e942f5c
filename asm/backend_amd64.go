//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// The backend in use: at most one flag is set, and none means the Go loops. internal/cpu sets them.
var useAVX2, useAVX512 bool

func init() {
	cpu.Register(cpu.AVX2, &useAVX2)
	cpu.Register(cpu.AVX512, &useAVX512)
}

// Lanes is how many float64 the kernels of the backend in use work on at a time.
func Lanes() int {
	switch {
	case useAVX512:
		return 8
	case useAVX2:
		return 4
	}
	return 1
}

// LeastLanes returns how many items the narrowest register that kernels use works off at once:
// lane programs leave no more than fill one of these to the Go loop.
func LeastLanes() int {
	if useAVX2 || useAVX512 {
		return 4
	}
	return 1
}

// AloneRows returns how many rows of corners or of crossings take the least time where one is asked for: 1 where there is machine code for
// one, and else LeastLanes.
func AloneRows() int { return 1 }
