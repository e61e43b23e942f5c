//go:build purego || race || (!amd64 && !arm64)

package asm

func drift(m *Motion, u *driftUniforms, lo, hi int) int { return driftGeneric(m, u, lo, hi) }

func kick(m *Motion, u *kickUniforms, lo, hi int) int { return kickGeneric(m, u, lo, hi) }
