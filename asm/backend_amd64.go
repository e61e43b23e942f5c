//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// useAVX2 and useAVX512 say which backend is in use: at most one is true, and the Go loops run if
// both are false. internal/cpu sets them.
var useAVX2, useAVX512 bool

func init() {
	cpu.Register(cpu.AVX2, &useAVX2)
	cpu.Register(cpu.AVX512, &useAVX512)
}

// Lanes returns how many float64 a register of the backend in use holds, or 1 if the Go loops are
// in use.
func Lanes() int {
	switch {
	case useAVX512:
		return 8
	case useAVX2:
		return 4
	}
	return 1
}

// MinLanes returns how many items fit in the narrowest register that lane programs use. Lane
// programs leave fewer items than that to the Go loop.
func MinLanes() int {
	if useAVX2 || useAVX512 {
		return 4
	}
	return 1
}

// SingleRows returns how many rows a caller should compute if it needs only one row of corners or
// crossings: 1 if there is machine code for one item, else MinLanes.
func SingleRows() int { return 1 }
