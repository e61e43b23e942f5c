package clusters

import (
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/sched"
)

// The rim of a set of triangles consists of its directed edges, except pairs of opposite edges. By
// Stokes's theorem the flux of a curl through the triangles depends only on the rim. A closed
// surface has no rim.

// flips pairs opposite directed edges: flips[3·t+k] is the partner of the edge from corner k of
// triangle t to the next corner, or -1. If more than two triangles share an edge, the lowest
// triangles are paired first.
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

// rims finds the edges of every node whose partners are not in the node, from the leaves up.
func (t *Octree) rims() {
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
func (t *Octree) fill(pool *sched.Pool) {
	// First sort each node's edges into chains. The lengths of the chains determine the number of
	// fans.
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

// chainer sorts edges into chains.
type chainer struct {
	starts []uint64 // start and row, sorted
	used   []bool
	sorted [][2]uint32
}

// fanEdges is the number of edges of a fan.
const fanEdges = 4

// order sorts the edges into chains: each edge starts where its predecessor in the chain ends. It
// returns the number of fans; a fan has up to four edges of one chain.
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

// follow returns the first unused edge that starts at a vertex, or -1.
func (c *chainer) follow(vertex uint32) int {
	s, _ := slices.BinarySearch(c.starts, uint64(vertex)<<32)
	for ; s < len(c.starts) && uint32(c.starts[s]>>32) == vertex; s++ {
		if row := int(uint32(c.starts[s])); !c.used[row] {
			return row
		}
	}
	return -1
}

// fanNode fills the fans of a node. Their apex is the center of the node's box, so the fans stay in
// it.
func (t *Octree) fanNode(n *Node) {
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
		normal := a.Sub(apex).Cross(b.Sub(a)) // a product with the short edge b-a: two long sides would cancel digits
		f.NX[k], f.NY[k], f.NZ[k] = normal.X, normal.Y, normal.Z
		k++
	}
}

// planeRounding bounds the rounding error of N·a, as a fraction of |b - a||c - a|·|a|. The exact
// value is six times the signed volume of point and triangle. The computation is a difference of
// products of differences and a dot product, with fewer than 16 roundings of 2⁻⁵³. With a smaller
// value, a point on a triangle may not be tested by exact signs. With a larger one, more points
// are.
const planeRounding = 0x1p-48

// fourNode fills the triangles of a leaf.
func (t *Octree) fourNode(n *Node) {
	for i := n.Lo; i < n.Hi; i++ {
		f, j := &t.fours[n.FourLo+(i-n.Lo)/4], (i-n.Lo)%4
		k := t.Tris[i]
		a, b, c := t.Verts[k[0]], t.Verts[k[1]], t.Verts[k[2]]
		if j == 0 {
			// The empty places repeat a corner. Their tolerance is negative, so no point is ever in
			// doubt about them.
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
