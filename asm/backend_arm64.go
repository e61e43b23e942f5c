//go:build !purego && !race

package asm

import "github.com/scree-dem/scree/internal/cpu"

// useNEON is set by internal/cpu when NEON is the backend in use.
var useNEON bool

func init() { cpu.Register(cpu.NEON, &useNEON) }
