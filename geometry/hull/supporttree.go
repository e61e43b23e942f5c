package hull

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// supportTree finds the largest n·v over a set of points, as Vec3.Dot evaluates it, without
// visiting most of the points. It is a tree of boxes, each split in the middle of its longest side.
type supportTree struct {
	pts    []vec.Vec3
	ids    []int32 // points in the order of the leaves
	nodes  []supportNode
	visits int // cost of all searches so far: visitsPerNode for each visited node
}

// visitsPerNode is how many corners can be visited in the time that one node takes.
const visitsPerNode = 4

type supportNode struct {
	box         vec.Box
	first, last int32 // range of ids
	left, right int32 // none in a leaf
}

// leafSize is the number of points up to which scanning the points is cheaper than bounding boxes.
const leafSize = 8

// newSupportTree returns the tree of the points ids. It takes ownership of ids and reorders them.
func newSupportTree(pts []vec.Vec3, ids []int32) *supportTree {
	t := &supportTree{pts: pts, ids: ids}
	t.split(0, int32(len(ids)))
	return t
}

func (t *supportTree) split(first, last int32) int32 {
	box := vec.EmptyBox()
	for _, v := range t.ids[first:last] {
		box = box.With(t.pts[v])
	}
	node := int32(len(t.nodes))
	t.nodes = append(t.nodes, supportNode{box, first, last, none, none})
	if last-first <= leafSize {
		return node
	}
	size, mid := box.Size(), box.Center()
	lower := func(v vec.Vec3) bool { return v.X <= mid.X }
	switch {
	case size.Y > size.X && size.Y >= size.Z:
		lower = func(v vec.Vec3) bool { return v.Y <= mid.Y }
	case size.Z > size.X:
		lower = func(v vec.Vec3) bool { return v.Z <= mid.Z }
	}
	k := first
	for i := first; i < last; i++ {
		if lower(t.pts[t.ids[i]]) {
			t.ids[k], t.ids[i] = t.ids[i], t.ids[k]
			k++
		}
	}
	if k == first || k == last {
		// The box is between neighbouring float64, so its middle rounds to one of them: make a
		// leaf.
		return node
	}
	left := t.split(first, k)
	right := t.split(k, last)
	t.nodes[node].left, t.nodes[node].right = left, right
	return node
}

// max returns the largest n·v. some are points of the tree that are evaluated first; if the maximum
// is among them, most of the search is skipped.
func (t *supportTree) max(n vec.Vec3, some []int32) float64 {
	best := math.Inf(-1)
	for _, v := range some {
		best = max(best, n.Dot(t.pts[v]))
	}
	return t.search(0, n, best)
}

// search returns the larger of best and the largest n·v below the node.
func (t *supportTree) search(node int32, n vec.Vec3, best float64) float64 {
	k := &t.nodes[node]
	t.visits += visitsPerNode
	if k.left == none {
		for _, v := range t.ids[k.first:k.last] {
			best = max(best, n.Dot(t.pts[v]))
		}
		return best
	}
	a, b := k.left, k.right
	boundA, boundB := t.bound(a, n), t.bound(b, n)
	if boundB > boundA {
		a, b, boundA, boundB = b, a, boundB, boundA
	}
	if boundA > best {
		best = t.search(a, n, best)
	}
	if boundB > best {
		best = t.search(b, n, best)
	}
	return best
}

// bound returns n·corner for the corner of the node's box that is farthest along n. Rounding is
// monotone, so no point in the box has a larger n·v, rounded or not.
func (t *supportTree) bound(node int32, n vec.Vec3) float64 {
	box := &t.nodes[node].box
	most := n.Mul(box.Min).Max(n.Mul(box.Max))
	return most.X + most.Y + most.Z
}
