package broad

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// leafPieces is the largest number of pieces in a leaf.
	leafPieces = 8
	// alikeSizes is the largest ratio of sizes in one part of the tree, because a large piece
	// enlarges every box around it. Measured on 80 000 facets of a floor, one in 400 of them 400
	// times as large: a query that found 17 facets visited 60 boxes, and 259 without this bound. A
	// bound below 64 divides a floor of graded sizes into several trees: for sizes 1 to 1000, a
	// bound of 8 raised 43 boxes to 56.
	alikeSizes = 64
)

// tree is a bounding volume hierarchy over cell extents that do not change. A query descends into
// nodes whose boxes overlap its own. So its cost depends on the logarithm of the number of pieces
// and on the number of hits. It does not depend on the ratio of sizes or on where the pieces lie.
// Cells cannot guarantee this: a large query would visit many cells of small pieces.
//
// Nodes are in preorder. The first child follows an inner node; skip is the index of the node after
// the whole subtree.
//
//	node    |0 all  |1 left |2 leaf |3 leaf |4 leaf |5 end
//	skip    |   5   |   4   |   3   |   4   |   5   |
//
// Memory: 4 bytes per piece, and 56 per node: about 22 bytes per piece in total.
type tree struct {
	piece []soa.Piece // ordered by leaf
	nodes []treeNode  // plus one that ends the last leaf; empty if there are no pieces
}

// treeNode is a node of the tree. It is a leaf if skip is the next node.
type treeNode struct {
	box   vec.Box // around the cell extents of its pieces
	skip  uint32  // the node after its subtree
	first uint32  // index of its first piece in tree.piece
}

// end returns the number of nodes. The tree must not be empty.
func (t *tree) end() uint32 { return uint32(len(t.nodes) - 1) }

// leaf returns the first leaf at or after node k whose box overlaps the given one, or end.
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

// build makes the nodes for the pieces in t.piece. It removes pieces that cannot be entered, and
// sorts the others by leaf.
//
// Source: top-down construction with a split in the middle of the widest axis (Ericson 2005, ch.
// 6). Cost: one pass over the pieces per level. There are about log2 n levels, and more if
// positions or sizes are spread over many powers of two.
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

// divide partitions pieces lo ≤ i < hi and returns where the second part begins. If the sizes
// differ too much, it separates large from small pieces. Otherwise it splits the lower corners in
// the middle of their widest axis. If all pieces would fall into one part, it halves the list.
func (t *tree) divide(extent []vec.Box, lo, hi int, all *Bounds, least float64) int {
	var mid int
	spread := all.Hi.Sub(all.Lo)
	if bound := all.Scale() / alikeSizes; bound > least {
		mid = t.partition(lo, hi, func(p soa.Piece) bool { size, _ := SizeOf(&extent[p]); return size > bound })
	} else if spread.X >= max(spread.Y, spread.Z) {
		at := all.Lo.X + float64(spread.X/2)
		mid = t.partition(lo, hi, func(p soa.Piece) bool { return extent[p].Min.X < at })
	} else if spread.Y >= spread.Z {
		at := all.Lo.Y + float64(spread.Y/2)
		mid = t.partition(lo, hi, func(p soa.Piece) bool { return extent[p].Min.Y < at })
	} else {
		at := all.Lo.Z + float64(spread.Z/2)
		mid = t.partition(lo, hi, func(p soa.Piece) bool { return extent[p].Min.Z < at })
	}
	if mid == lo || mid == hi {
		return lo + (hi-lo)/2
	}
	return mid
}

// partition moves the pieces lo ≤ i < hi for which first returns true to the front, and returns
// their end.
func (t *tree) partition(lo, hi int, first func(soa.Piece) bool) int {
	for i := lo; i < hi; i++ {
		if p := t.piece[i]; first(p) {
			t.piece[i], t.piece[lo] = t.piece[lo], p
			lo++
		}
	}
	return lo
}
