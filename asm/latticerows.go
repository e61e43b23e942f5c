package asm

// LatticeOnes is one step along each axis of a lattice.
const LatticeOnes = 1 | 1<<(LatticeLane+1) | 1<<(2*LatticeLane+2)

// LatticeGrid holds boxes on a lattice, sorted into cells by their lower corners. Each box has one
// entry.
type LatticeGrid struct {
	Lower, Upper []uint64 // corners by entry, in the order of the cells, and 8 more
	Row          []uint32 // name by entry, and 8 more: less than 1<<31
	From, To     []uint32 // by entry: the cells From to To-1 of a line are searched for it
	Start        []uint32 // first entry by cell, and one more
}

// LatticeListSlack is how many free elements LatticeRows needs in the output before it searches for
// an entry: one register for each line of cells, and one more.
const LatticeListSlack = 10 * latticeRoom

// LatticeRows writes the names of boxes that overlap the entries first ≤ i < last. For each entry
// it searches nine lines of cells, of each line the cells From[i] to To[i]-1 after the start of the
// line. It writes the names of those boxes that overlap the entry and have a larger name, in the
// order of the cells. lists stores, by the entry's name, where these names are in out, with chunk
// as Chunk. An entry is in doubt if one of these boxes overlaps it by less than a step along some
// axis. LatticeRows lists such entries in doubt.
//
// done is the first entry for which the output may be too short, or last. next is the end of the
// written names of the entries before done. doubts is the number of entries in doubt.
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
// Exact: integers. The elements of out after next, and the list of entry done, are undefined.
// Backends may stop at different entries. Every backend does an entry if out has at least
// LatticeListSlack more free elements than the nine lines of the entry have boxes.
func LatticeRows(g *LatticeGrid, lines *[9]uint32, first, last, n, chunk int, out []uint32, lists []NameList, doubt []uint32) (done, next, doubts int) {
	entries := len(g.Lower) - latticeRoom
	if len(g.Upper) != len(g.Lower) || len(g.Row) != len(g.Lower) || len(g.From) != entries || len(g.To) != entries || len(lists) < entries {
		panic("asm: LatticeRows: columns of unequal length")
	}
	if first < 0 || first > last || last > entries || last-first > len(doubt) || n < 0 || n > len(out) {
		panic("asm: LatticeRows: a range outside the columns")
	}
	if len(out) < LatticeListSlack {
		return first, n, 0
	}
	return latticeRows(g.Lower, g.Upper, g.Row, g.From, g.To, g.Start, lines, first, last, n, chunk, out, lists, doubt)
}
