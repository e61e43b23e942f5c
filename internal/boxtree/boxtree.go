// Package boxtree finds which of some boxes overlap another.
package boxtree

import (
	"cmp"
	"iter"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// Tree is a tree over some boxes. Nodes are in preorder, each with the boxes
// from first to end of order.
type Tree struct {
	boxes []vec.Box
	order []int
	nodes []node
}

// node is a node of a Tree: a leaf if skip is the next node.
type node struct {
	box        vec.Box
	first, end int
	skip       int // the node after all below this one
}

// leafBoxes is how many boxes a leaf has at most.
const leafBoxes = 8

// New returns the tree of some boxes. Each node halves its boxes along the axis in which
// their middles are spread most.
func New(boxes []vec.Box) *Tree {
	t := &Tree{boxes: boxes, order: make([]int, len(boxes))}
	for k := range t.order {
		t.order[k] = k
	}
	if len(boxes) > 0 {
		t.add(0, len(boxes))
	}
	return t
}

// add adds the node of some boxes of order.
func (t *Tree) add(first, end int) {
	all, middles := vec.EmptyBox(), vec.EmptyBox()
	for _, k := range t.order[first:end] {
		all, middles = all.Union(t.boxes[k]), middles.With(t.boxes[k].Center())
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{box: all, first: first, end: end})
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

// Over yields the boxes that overlap another one, by their rows. Boxes are closed: those that touch overlap.
func (t *Tree) Over(other vec.Box) iter.Seq[int] {
	return func(yield func(k int) bool) {
		for n := 0; n < len(t.nodes); {
			at := &t.nodes[n]
			if !at.box.Overlaps(other) {
				n = at.skip
				continue
			}
			if n++; at.skip == n {
				for _, k := range t.order[at.first:at.end] {
					if t.boxes[k].Overlaps(other) && !yield(k) {
						return
					}
				}
			}
		}
	}
}
