package clusters

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
)

// The rim of a set of triangles is its directed edges without those pairs that run against each
// other. By Stokes's theorem the flux of a curl through the triangles depends on the rim alone. A
// closed surface has no rim.

// flips pairs directed edges that run against each other: flips[3·t+k] is the partner of the edge
// from corner k of triangle t to the next, or -1. Of more than two edges at one place, those of
// lowest rows pair first.
func flips(tris [][3]uint32, verts int) []int32 {
	flip := slices.Repeat([]int32{-1}, 3*len(tris))
	for _, uses := range tri.EdgeUses(tris, verts) {
		back := 0
		for back < len(uses) && !uses[back].Back() {
			back++
		}
		for i := range min(back, len(uses)-back) {
			e, f := uses[i].Edge(), uses[back+i].Edge()
			flip[e], flip[f] = f, e
		}
	}
	return flip
}

// rims finds the edges of every node whose partners are not in it, from the leaves up.
func (t *Tree) rims() {
	edges := make([][]int32, len(t.Nodes))
	var all []int32
	keep := func(n *Node, e int32) {
		if f := t.flip[e]; f < 3*n.Lo || f >= 3*n.Hi {
			all = append(all, e)
		}
	}
	for at := len(t.Nodes) - 1; at >= 0; at-- {
		n := &t.Nodes[at]
		from := len(all)
		if n.NChild == 0 {
			for e := 3 * n.Lo; e < 3*n.Hi; e++ {
				keep(n, e)
			}
		}
		for c := n.Child; c < n.Child+n.NChild; c++ {
			for _, e := range edges[c] {
				keep(n, e)
			}
		}
		edges[at] = all[from:len(all):len(all)]
		n.RimLo, n.RimHi = int32(from), int32(len(all))
	}
	t.Rims = make([][2]uint32, len(all))
	for i, e := range all {
		k := &t.Tris[e/3]
		t.Rims[i] = [2]uint32{k[e%3], k[(e%3+1)%3]}
	}
}

// fill makes the fans of all nodes and the fours of all leaves.
func (t *Tree) fill(pool *sched.Pool) {
	// Each node's edges are ordered into chains first: how long they are says how many fans there
	// are.
	Each(pool, len(t.Nodes), 64, func(lo, hi, _ int) {
		var chains chainer
		for at := lo; at < hi; at++ {
			n := &t.Nodes[at]
			n.FanHi = chains.order(t.Rims[n.RimLo:n.RimHi])
		}
	})
	fans, fours := int32(0), int32(0)
	for at := range t.Nodes {
		n := &t.Nodes[at]
		n.FanLo, n.FanHi = fans, fans+n.FanHi
		fans = n.FanHi
		n.FourLo = fours
		if n.NChild == 0 {
			fours += (n.Hi - n.Lo + 3) / 4
		}
		n.FourHi = fours
	}
	t.fans, t.fours = make([]asm.FanRun, fans), make([]asm.FourTriangles, fours)
	Each(pool, len(t.Nodes), 64, func(lo, hi, _ int) {
		for at := lo; at < hi; at++ {
			n := &t.Nodes[at]
			t.fanNode(n)
			if n.NChild == 0 {
				t.fourNode(n)
			}
		}
	})
}

// chainer orders edges into chains.
type chainer struct {
	starts []uint64 // start and row, sorted
	used   []bool
	sorted [][2]uint32
}

// fanEdges is how many edges a fan has.
const fanEdges = 4

// order puts the edges such that each but the first of a chain begins where the one before ends,
// and returns how many fans they fill: a fan holds up to four edges of one chain.
func (c *chainer) order(edges [][2]uint32) (fans int32) {
	c.starts, c.sorted = c.starts[:0], c.sorted[:0]
	c.used = append(c.used[:0], make([]bool, len(edges))...)
	for i, e := range edges {
		c.starts = append(c.starts, uint64(e[0])<<32|uint64(i))
	}
	slices.Sort(c.starts)
	for i := range edges {
		for at := i; at >= 0 && !c.used[at]; {
			c.used[at] = true
			c.sorted = append(c.sorted, edges[at])
			at = c.follow(edges[at][1])
		}
	}
	copy(edges, c.sorted)
	k := fanEdges
	for i, e := range edges {
		if k == fanEdges || edges[i-1][1] != e[0] {
			fans, k = fans+1, 0
		}
		k++
	}
	return fans
}

// follow returns the first edge that starts at a vertex and stands in no chain, or -1.
func (c *chainer) follow(vertex uint32) int {
	s, _ := slices.BinarySearch(c.starts, uint64(vertex)<<32)
	for ; s < len(c.starts) && uint32(c.starts[s]>>32) == vertex; s++ {
		if row := int(uint32(c.starts[s])); !c.used[row] {
			return row
		}
	}
	return -1
}

// fanNode fills the fans of a node. Their apex is the middle of its box, which keeps them in it.
func (t *Tree) fanNode(n *Node) {
	apex := n.Box.Center()
	rim := t.Rims[n.RimLo:n.RimHi]
	at := n.FanLo - 1
	k := fanEdges
	for i, e := range rim {
		if k == fanEdges || rim[i-1][1] != e[0] {
			at, k = at+1, 0
			t.fans[at] = asm.FanRun{ApexX: apex.X, ApexY: apex.Y, ApexZ: apex.Z}
		}
		f := &t.fans[at]
		a, b := t.Verts[e[0]], t.Verts[e[1]]
		f.CX[k], f.CY[k], f.CZ[k] = a.X, a.Y, a.Z
		for j := k + 1; j <= fanEdges; j++ { // the places that stay empty repeat the last corner
			f.CX[j], f.CY[j], f.CZ[j] = b.X, b.Y, b.Z
		}
		normal := a.Sub(apex).Cross(b.Sub(a)) // not of two long sides: a short edge has all digits
		f.NX[k], f.NY[k], f.NZ[k] = normal.X, normal.Y, normal.Z
		k++
	}
}

// planeRounding bounds how far N·a as computed may be from six times the volume of point and
// triangle, as a share of |b - a||c - a|·|a|: a difference of products of differences, and the
// dot product, are below 16 roundings of 2⁻⁵³. Smaller: a point on a triangle is not asked by
// exact signs. Larger: more are.
const planeRounding = 0x1p-48

// fourNode fills the triangles of a leaf.
func (t *Tree) fourNode(n *Node) {
	for i := n.Lo; i < n.Hi; i++ {
		f, j := &t.fours[n.FourLo+(i-n.Lo)/4], (i-n.Lo)%4
		k := t.Tris[i]
		a, b, c := t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]]
		if j == 0 {
			// The places that stay empty repeat a corner, and their tolerance is below 0: they
			// never hold a point.
			for m := range f.AX {
				f.AX[m], f.AY[m], f.AZ[m] = a.X, a.Y, a.Z
				f.BX[m], f.BY[m], f.BZ[m] = a.X, a.Y, a.Z
				f.CX[m], f.CY[m], f.CZ[m] = a.X, a.Y, a.Z
				f.Tol[m] = -1
			}
		}
		f.AX[j], f.AY[j], f.AZ[j] = a.X, a.Y, a.Z
		f.BX[j], f.BY[j], f.BZ[j] = b.X, b.Y, b.Z
		f.CX[j], f.CY[j], f.CZ[j] = c.X, c.Y, c.Z
		u, v := b.Sub(a), c.Sub(a)
		w := u.Cross(v)
		f.NX[j], f.NY[j], f.NZ[j] = w.X, w.Y, w.Z
		f.Tol[j] = planeRounding * u.Norm() * v.Norm()
	}
}
