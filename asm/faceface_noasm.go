//go:build purego || race || (!amd64 && !arm64)

package asm

func faceFace(f *FaceFaces, lo, hi int) { faceFaceGeneric(f, lo, hi) }
