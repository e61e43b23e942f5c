//go:build purego || race || !amd64

package asm

func push(l *LinearLaw, u *lawUniforms, lo, hi int) { pushGeneric(l, u, lo, hi) }
