package surface

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// boxTree finds which of some boxes overlap another. Nodes are in preorder, each with the boxes
// from first to end of order.
type boxTree struct {
	boxes []vec.Box
	order []int
	nodes []boxNode
}

// boxNode is a node of a boxTree: a leaf if skip is the next node.
type boxNode struct {
	box        vec.Box
	first, end int
	skip       int // the node after all below this one
}

// leafBoxes is how many boxes a leaf has at most.
const leafBoxes = 8

// newBoxTree returns the tree of some boxes. Each node halves its boxes along the axis in which
// their middles are spread most.
func newBoxTree(boxes []vec.Box) *boxTree {
	t := &boxTree{boxes: boxes, order: make([]int, len(boxes))}
	for k := range t.order {
		t.order[k] = k
	}
	if len(boxes) > 0 {
		t.add(0, len(boxes))
	}
	return t
}

// add adds the node of some boxes of order.
func (t *boxTree) add(first, end int) {
	all, middles := vec.EmptyBox(), vec.EmptyBox()
	for _, k := range t.order[first:end] {
		all, middles = all.Union(t.boxes[k]), middles.With(t.boxes[k].Center())
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, boxNode{box: all, first: first, end: end})
	if end-first > leafBoxes {
		along, size := vec.Vec3{X: 1}, middles.Size()
		if size.Y > size.X && size.Y >= size.Z {
			along = vec.Vec3{Y: 1}
		} else if size.Z > size.X {
			along = vec.Vec3{Z: 1}
		}
		slices.SortStableFunc(t.order[first:end], func(p, q int) int {
			return cmp.Compare(along.Dot(t.boxes[p].Center()), along.Dot(t.boxes[q].Center()))
		})
		middle := first + (end-first)/2
		t.add(first, middle)
		t.add(middle, end)
	}
	t.nodes[at].skip = len(t.nodes)
}

// each calls do for each box that overlaps another one.
func (t *boxTree) each(other vec.Box, do func(k int)) {
	for n := 0; n < len(t.nodes); {
		node := &t.nodes[n]
		if !node.box.Overlaps(other) {
			n = node.skip
			continue
		}
		if n++; node.skip == n {
			for _, k := range t.order[node.first:node.end] {
				if t.boxes[k].Overlaps(other) {
					do(k)
				}
			}
		}
	}
}

// boxAround returns the box around some points.
func boxAround(points []vec.Vec3) vec.Box {
	b := vec.EmptyBox()
	for _, x := range points {
		b = b.With(x)
	}
	return b
}
