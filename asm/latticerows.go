package asm

// LatticeOnes is a step along each axis of a lattice.
const LatticeOnes = 1 | 1<<(LatticeLane+1) | 1<<(2*LatticeLane+2)

// LatticeGrid is boxes on a lattice, entered in cells by their lower corners.
type LatticeGrid struct {
	Lower, Upper []uint64 // by entry, in the order of the cells, and 8 more
	Row          []uint32 // by entry, and 8 more: its name, below 1<<31
	From, To     []uint32 // by entry: the cells of a line that it looks at, From to To-1
	Start        []uint32 // by cell, and one more: its first entry
}

// LatticeListRoom is the room that LatticeRows wants for the names of an entry before it looks at
// them: a register for each line of cells, and one more.
const LatticeListRoom = 10 * latticeRoom

// LatticeRows writes, for each entry first ≤ i < last, the names of those boxes that overlap it
// and have a larger name: of the cells From[i] to To[i]-1 after the start of each of nine lines of
// cells, in their order. The list of a name says where they are in out; chunk is what it has in
// Chunk. It also lists in doubt the entries for which one of these boxes overlaps by less than a
// step along some axis. It returns the first entry for which there was no room in the output, or
// last; where the names of those before it end; and how many are in doubt.
//
//	for i := first; i < last; i++ {
//		unsure, at := false, n
//		for _, line := range lines {
//			for j := g.Start[line+g.From[i]]; j < g.Start[line+g.To[i]]; j++ {
//				a, b := g.Upper[i]-g.Lower[j], g.Upper[j]-g.Lower[i]
//				if g.Row[j] > g.Row[i] && a&b&LatticeGuards == LatticeGuards {
//					out[n], n = g.Row[j], n+1
//					unsure = unsure || (a-LatticeOnes)&(b-LatticeOnes)&LatticeGuards != LatticeGuards
//				}
//			}
//		}
//		lists[g.Row[i]] = NameList{uint32(chunk), uint32(at), uint32(n - at)}
//		if unsure {
//			doubt[doubts], doubts = uint32(i), doubts+1
//		}
//	}
//
//	len(Lower) == len(Upper) == len(Row), len(From) == len(To) == len(Lower) - 8
//	0 <= first <= last <= len(From), last - first <= len(doubt), n <= len(out) < 1<<31
//	line + From[i] <= line + To[i] < len(Start), Start is rising and at most len(From)
//	Row[i] < len(lists)
//
// Exact: integers. What the output holds beyond n is not specified, nor is the list of the entry
// that had no room. That depends on the backend: it has room where LatticeListRoom more than its
// names is free.
func LatticeRows(g *LatticeGrid, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	entries := len(g.Lower) - latticeRoom
	if len(g.Upper) != len(g.Lower) || len(g.Row) != len(g.Lower) || len(g.From) != entries || len(g.To) != entries || len(lists) < entries {
		panic("asm: LatticeRows: columns of unequal length")
	}
	if first < 0 || first > last || last > entries || last-first > len(doubt) || n < 0 || n > len(out) {
		panic("asm: LatticeRows: a range outside the columns")
	}
	if len(out) < LatticeListRoom {
		return first, n, 0
	}
	return latticeRows(g.Lower, g.Upper, g.Row, g.From, g.To, g.Start, lines, first, last, n, chunk, out, lists, doubt)
}
