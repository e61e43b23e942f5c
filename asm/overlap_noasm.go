//go:build purego || race || !amd64

package asm

func boxOverlap(b *Boxes, lo, hi int, q *Box, out []uint32) int {
	return boxOverlapGeneric(b, lo, hi, q, out)
}
