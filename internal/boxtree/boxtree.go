// Package boxtree finds the boxes of a set that overlap a given box.
package boxtree

import (
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
		middles := make([]vec.Vec3, len(boxes))
		for k := range boxes {
			middles[k] = boxes[k].Center()
		}
		t.add(0, len(boxes), middles)
	}
	return t
}

// add adds the node for boxes order[first:end], and its subtree.
func (t *Tree) add(first, end int, middles []vec.Vec3) {
	all, spread := vec.EmptyBox(), vec.EmptyBox()
	for _, k := range t.order[first:end] {
		all, spread = all.Union(t.boxes[k]), spread.With(middles[k])
	}
	at := len(t.nodes)
	t.nodes = append(t.nodes, node{box: all, first: first, end: end})
	if end-first > leafBoxes {
		axis, size := func(v *vec.Vec3) float64 { return v.X }, spread.Size()
		if size.Y > size.X && size.Y >= size.Z {
			axis = func(v *vec.Vec3) float64 { return v.Y }
		} else if size.Z > size.X {
			axis = func(v *vec.Vec3) float64 { return v.Z }
		}
		half := (end - first) / 2
		halve(t.order[first:end], half, func(p, q int) bool {
			a, b := axis(&middles[p]), axis(&middles[q])
			return a < b || a == b && p < q
		})
		t.add(first, first+half, middles)
		t.add(first+half, end, middles)
	} else {
		slices.Sort(t.order[first:end])
	}
	t.nodes[at].skip = len(t.nodes)
}

// halve orders a list such that its first half entries come before all others (Hoare 1961).
func halve(list []int, half int, before func(p, q int) bool) {
	for lo, hi := 0, len(list)-1; lo < hi; {
		pivot, i, j := list[lo+(hi-lo)/2], lo, hi
		for i <= j {
			for before(list[i], pivot) {
				i++
			}
			for before(pivot, list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case half <= j:
			hi = j
		case half >= i:
			lo = i
		default:
			return
		}
	}
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
