//go:build !purego && !race

package asm

func boxOverlap(b *Boxes, lo, hi int, q *Box, out []uint32) int {
	n, next := 0, lo
	switch {
	case useAVX2:
		n, next = boxOverlapAVX2(b, lo, hi, q, out), hi-(hi-lo)&3
	case useAVX512:
		n, next = boxOverlapAVX512(b, lo, hi, q, out), hi-(hi-lo)&7
	}
	return n + boxOverlapGeneric(b, next, hi, q, out[n:])
}

// boxOverlapAVX2 is BoxOverlap of the boxes lo ≤ i < hi-(hi-lo)&3: a box in each of four lanes.
//
//go:noescape
func boxOverlapAVX2(b *Boxes, lo, hi int, q *Box, out []uint32) (n int)

// boxOverlapAVX512 is BoxOverlap of the boxes lo ≤ i < hi-(hi-lo)&7: a box in each of eight lanes.
//
//go:noescape
func boxOverlapAVX512(b *Boxes, lo, hi int, q *Box, out []uint32) (n int)
