//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// The backend in use: at most one flag is set, and none means the Go loops. internal/cpu sets them.
var useAVX2, useAVX512 bool

func init() {
	cpu.Register(cpu.AVX2, &useAVX2)
	cpu.Register(cpu.AVX512, &useAVX512)
}
