// Package boxtree finds the boxes of a set that overlap a given box.
package boxtree

import (
	"cmp"
	"iter"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// Tree is a bounding volume tree over boxes. Nodes are in preorder. Node k covers boxes
// order[first:end].
type Tree struct {
	boxes []vec.Box
	order []int
	nodes []node
}

// node is a node of a Tree. It is a leaf if skip is the index of the next node.
type node struct {
	box        vec.Box
	first, end int
	skip       int // index of the node after this subtree
}

// leafBoxes is the largest number of boxes in a leaf.
const leafBoxes = 8

// New returns a tree over the boxes. Each node is split in half along the axis with the largest
// spread of box centres.
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

// add adds the node for boxes order[first:end], and its subtree.
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

// Over yields the index of each box that overlaps other. Boxes that only touch also overlap.
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
