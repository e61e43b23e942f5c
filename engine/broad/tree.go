package broad

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// leafPieces is how many pieces a leaf has at most.
	leafPieces = 8
	// alikeSizes is the ratio of sizes up to which pieces share a part of the tree: a large piece makes
	// every box around it as large. Of 80 000 facets in a floor, one in 400 of them 400 times as large, a
	// query that found 17 looks at 60 boxes, and at 259 without the ratio. Less than 64 makes several
	// trees of a floor of graded sizes: of sizes 1 to 1000, 43 boxes become 56 with a ratio of 8.
	alikeSizes = 64
)

// tree is a hierarchy of boxes around cell extents that do not change. A query descends where its
// box overlaps, so it costs by the logarithm of the number of pieces and by what it finds, whatever
// the ratio of its size to theirs and wherever they lie. Cells cannot promise this: a large query
// would look through many cells of small pieces.
//
// Nodes are in preorder. An inner node is followed by its first child; skip leads past all below it.
//
//	node    |0 all  |1 left |2 leaf |3 leaf |4 leaf |5 end
//	skip    |   5   |   4   |   3   |   4   |   5   |
//
// Memory: 4 bytes a piece, and 56 a node: some 22 bytes a piece.
type tree struct {
	piece []soa.Piece // by leaf
	nodes []treeNode  // and one more, which ends the last leaf; none if there are no pieces
}

// treeNode is a node of the tree: a leaf if skip is the next node.
type treeNode struct {
	box   vec.Box // around the cell extents of its pieces
	skip  uint32  // the node after all below this one
	first uint32  // its first piece, in tree.piece
}

// end returns the number of nodes. There must be one.
func (t *tree) end() uint32 { return uint32(len(t.nodes) - 1) }

// leaf returns the first leaf from node k on whose box overlaps the given one, or end.
func (t *tree) leaf(box *vec.Box, k uint32) uint32 {
	for end := t.end(); k < end; {
		n := &t.nodes[k]
		if !Overlap(box, &n.box) {
			k = n.skip
			continue
		}
		if n.skip == k+1 {
			return k
		}
		k++
	}
	return k
}

// pieces returns the pieces of leaf k.
func (t *tree) pieces(k uint32) []soa.Piece { return t.piece[t.nodes[k].first:t.nodes[k+1].first] }

// build makes the nodes of the pieces in t.piece, leaves out those that cannot be entered, and orders
// the others by leaf.
//
// Source: top-down construction with a split in the middle of the widest axis (Ericson 2005, ch. 6).
// Cost: one pass over the pieces a level. There are some log2 n levels, and more where positions or
// sizes are spread over many powers of two.
func (t *tree) build(extent []vec.Box) {
	t.nodes = t.nodes[:0]
	n := 0
	for _, p := range t.piece {
		if _, ok := SizeOf(&extent[p]); ok {
			t.piece[n] = p
			n++
		}
	}
	if t.piece = t.piece[:n]; n == 0 {
		return
	}
	t.add(extent, 0, n)
	t.nodes = append(t.nodes, treeNode{first: uint32(n)})
}

// add appends the node of pieces lo ≤ i < hi and all nodes below it.
func (t *tree) add(extent []vec.Box, lo, hi int) {
	k := len(t.nodes)
	all, least := NoBounds, math.Inf(1)
	for _, p := range t.piece[lo:hi] {
		box := &extent[p]
		all.Add(box)
		size, _ := SizeOf(box)
		least = min(least, size)
	}
	t.nodes = append(t.nodes, treeNode{box: all.Around(), first: uint32(lo)})
	if hi-lo > leafPieces {
		mid := t.divide(extent, lo, hi, &all, least)
		t.add(extent, lo, mid)
		t.add(extent, mid, hi)
	}
	t.nodes[k].skip = uint32(len(t.nodes))
}

// divide orders pieces lo ≤ i < hi so that one part comes first, and returns where the other begins:
// the large ones apart from the small ones, and of one size those with lower corners on either side of the
// middle. Where all are alike, it halves the list.
func (t *tree) divide(extent []vec.Box, lo, hi int, all *Bounds, least float64) int {
	var mid int
	spread := all.Hi.Sub(all.Lo)
	if bound := all.Scale() / alikeSizes; bound > least {
		mid = t.part(lo, hi, func(p soa.Piece) bool { size, _ := SizeOf(&extent[p]); return size > bound })
	} else if spread.X >= max(spread.Y, spread.Z) {
		at := all.Lo.X + float64(spread.X/2)
		mid = t.part(lo, hi, func(p soa.Piece) bool { return extent[p].Min.X < at })
	} else if spread.Y >= spread.Z {
		at := all.Lo.Y + float64(spread.Y/2)
		mid = t.part(lo, hi, func(p soa.Piece) bool { return extent[p].Min.Y < at })
	} else {
		at := all.Lo.Z + float64(spread.Z/2)
		mid = t.part(lo, hi, func(p soa.Piece) bool { return extent[p].Min.Z < at })
	}
	if mid == lo || mid == hi {
		return lo + (hi-lo)/2
	}
	return mid
}

// part moves the pieces lo ≤ i < hi that come first to the front, and returns their end.
func (t *tree) part(lo, hi int, first func(soa.Piece) bool) int {
	for i := lo; i < hi; i++ {
		if p := t.piece[i]; first(p) {
			t.piece[i], t.piece[lo] = t.piece[lo], p
			lo++
		}
	}
	return lo
}
