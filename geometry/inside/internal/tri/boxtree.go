package tri

import (
	"cmp"
	"iter"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// boxTree finds the boxes that hold a point.
type boxTree struct {
	boxes []vec.Box
	order []int // rows of boxes, in the order of the leaves
	nodes []boxNode
}

// boxNode is a node over order[first:end]. Its left child is the next node, right the other; a leaf has
// none.
type boxNode struct {
	box        vec.Box
	first, end int
	right      int
}

// boxLeaf is how many boxes a leaf has at the most.
const boxLeaf = 4

func newBoxTree(boxes []vec.Box) boxTree {
	t := boxTree{boxes: boxes, order: make([]int, len(boxes))}
	for i := range t.order {
		t.order[i] = i
	}
	t.add(0, len(boxes))
	return t
}

// add adds the node over order[first:end], and all below it: boxes are halved by their middles along
// the longest side of the box of them all.
func (t *boxTree) add(first, end int) {
	k, all := len(t.nodes), vec.EmptyBox()
	for _, i := range t.order[first:end] {
		all = all.Union(t.boxes[i])
	}
	t.nodes = append(t.nodes, boxNode{box: all, first: first, end: end})
	if end-first <= boxLeaf {
		return
	}
	size, along := all.Size(), func(v vec.Vec3) float64 { return v.X }
	if size.Y > size.X && size.Y >= size.Z {
		along = func(v vec.Vec3) float64 { return v.Y }
	} else if size.Z > size.X {
		along = func(v vec.Vec3) float64 { return v.Z }
	}
	slices.SortFunc(t.order[first:end], func(i, j int) int {
		return cmp.Or(cmp.Compare(along(t.boxes[i].Center()), along(t.boxes[j].Center())), i-j)
	})
	half := (first + end) / 2
	t.add(first, half)
	t.nodes[k].right = len(t.nodes)
	t.add(half, end)
}

// holding yields the rows of the boxes in which, or on whose border, a point lies.
func (t *boxTree) holding(p vec.Vec3) iter.Seq[int] {
	return func(yield func(int) bool) { t.visit(0, p, yield) }
}

func (t *boxTree) visit(k int, p vec.Vec3, yield func(int) bool) bool {
	n := &t.nodes[k]
	if !n.box.Holds(p) {
		return true
	}
	if n.right != 0 {
		return t.visit(k+1, p, yield) && t.visit(n.right, p, yield)
	}
	for _, i := range t.order[n.first:n.end] {
		if t.boxes[i].Holds(p) && !yield(i) {
			return false
		}
	}
	return true
}
