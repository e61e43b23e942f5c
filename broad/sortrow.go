package broad

import (
	"slices"

	"github.com/scree-dem/scree/soa"
)

// rankedRow is the length of the longest row of pairs that is sorted by rank. For each B, sortRow
// counts the smaller ones. This has few branches to mispredict, but its cost is quadratic.
const rankedRow = 24

// sortRow writes the pieces of one row, which must all be different, to out in ascending order.
func sortRow[T soa.Piece | uint32](row []T, out []soa.Piece) {
	if len(row) > rankedRow {
		for i, p := range row {
			out[i] = soa.Piece(p)
		}
		slices.Sort(out)
		return
	}
	for _, p := range row {
		rank := 0
		for _, q := range row {
			rank += int((uint64(q) - uint64(p)) >> 63)
		}
		out[rank] = soa.Piece(p)
	}
}

// sortEight writes the first n ≤ 8 pieces of a to out in ascending order, followed by 8-n
// meaningless values. It is a sorting network of 19 comparators (Knuth 1998, 5.3.4). Rows have all
// lengths up to 8, and the branches of a loop would be mispredicted.
func sortEight[T soa.Piece | uint32](a *[8]T, out *[8]soa.Piece, n uint32) {
	past := func(k uint32) T { return T(int32(n-1-k) >> 31) }
	a0, a1, a2, a3 := a[0], a[1]|past(1), a[2]|past(2), a[3]|past(3)
	a4, a5, a6, a7 := a[4]|past(4), a[5]|past(5), a[6]|past(6), a[7]|past(7)
	a0, a1 = min(a0, a1), max(a0, a1)
	a2, a3 = min(a2, a3), max(a2, a3)
	a4, a5 = min(a4, a5), max(a4, a5)
	a6, a7 = min(a6, a7), max(a6, a7)
	a0, a2 = min(a0, a2), max(a0, a2)
	a1, a3 = min(a1, a3), max(a1, a3)
	a4, a6 = min(a4, a6), max(a4, a6)
	a5, a7 = min(a5, a7), max(a5, a7)
	a1, a2 = min(a1, a2), max(a1, a2)
	a5, a6 = min(a5, a6), max(a5, a6)
	a0, a4 = min(a0, a4), max(a0, a4)
	a1, a5 = min(a1, a5), max(a1, a5)
	a2, a6 = min(a2, a6), max(a2, a6)
	a3, a7 = min(a3, a7), max(a3, a7)
	a2, a4 = min(a2, a4), max(a2, a4)
	a3, a5 = min(a3, a5), max(a3, a5)
	a1, a2 = min(a1, a2), max(a1, a2)
	a3, a4 = min(a3, a4), max(a3, a4)
	a5, a6 = min(a5, a6), max(a5, a6)
	*out = [8]soa.Piece{
		soa.Piece(a0), soa.Piece(a1), soa.Piece(a2), soa.Piece(a3),
		soa.Piece(a4), soa.Piece(a5), soa.Piece(a6), soa.Piece(a7),
	}
}
