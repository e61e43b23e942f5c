package typing

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// Of two features with hundreds of corners, only those pairs of parts are compared whose boxes in
// the contact plane overlap, and whether a vertex lies inside a face is asked of a tree of the
// face's edges. Every comparison that decides is that of combine, with the same bits.

// plainPlaces is up to how many pairs of parts of two bodies all are compared. It is no
// tolerance; the list is the same.
const plainPlaces = 4096

// many is memory for features with many parts.
type many struct {
	vertsA, edgesA, vertsB, edgesB []flatBox
	found                          [][2]int // pairs of parts, where they stand in their sets
	tree                           []rimNode
	rim                            []rimEdge
}

// flatBox is the box of a part in the contact plane.
type flatBox struct {
	lo, hi pair.Point2
	at     int // where the part stands in its set
}

// CombineMany is combine for outlines of many parts. Cost: n log n of n parts, and what their
// boxes and contacts are more.
func (s *Typist) CombineMany(list *ContactList) {
	y := &s.Planes
	m := &y.many
	u := y.Contact.N.Perpendicular()
	w := y.Contact.N.Cross(u)
	grow := float64(0.5*y.Contact.near) + float64(pair.CloseTol*s.Unit)
	m.vertsA = boxesOf(m.vertsA[:0], &s.HullA, y.SetA, u, w, grow)
	m.vertsB = boxesOf(m.vertsB[:0], &s.HullB, y.SetB, u, w, grow)
	m.edgesA = boxesAlong(m.edgesA[:0], &s.HullA, y.OnA.edges, u, w, grow)
	m.edgesB = boxesAlong(m.edgesB[:0], &s.HullB, y.OnB.edges, u, w, grow)

	m.meet(m.vertsA, m.vertsB, func(i, j int) bool {
		w := s.HullB.At(int(y.SetB[j])).Sub(s.HullA.At(int(y.SetA[i])))
		return w.AddScaled(-w.Dot(y.Contact.N), y.Contact.N).Norm2() <= y.Contact.flat
	})
	for _, f := range m.found {
		s.add(list, TypeVertexVertex, y.SetA[f[0]], y.SetB[f[1]])
	}
	m.meet(m.vertsA, m.edgesB, func(i, e int) bool {
		return y.Contact.onEdge(placeOf(&y.OnB.edges[e], &s.HullA, y.SetA[i]), y.OnB.edges[e].length)
	})
	for _, f := range m.found {
		s.add(list, TypeVertexEdge, y.SetA[f[0]], y.OnB.edges[f[1]].id)
	}
	s.insideFaces(y.OnB.faces, y.OnB.edges, &s.HullA, y.SetA)
	slices.SortFunc(m.found, byPlace)
	for _, f := range m.found {
		s.add(list, TypeVertexFace, y.SetA[f[0]], y.OnB.faces[f[1]])
	}
	m.meet(m.edgesA, m.vertsB, func(e, j int) bool {
		return y.Contact.onEdge(placeOf(&y.OnA.edges[e], &s.HullB, y.SetB[j]), y.OnA.edges[e].length)
	})
	for _, f := range m.found {
		s.add(list, TypeEdgeVertex, y.OnA.edges[f[0]].id, y.SetB[f[1]])
	}
	s.insideFaces(y.OnA.faces, y.OnA.edges, &s.HullB, y.SetB)
	for i := range m.found {
		m.found[i] = [2]int{m.found[i][1], m.found[i][0]}
	}
	slices.SortFunc(m.found, byPlace)
	for _, f := range m.found {
		s.add(list, TypeFaceVertex, y.OnA.faces[f[0]], y.SetB[f[1]])
	}
	m.meet(m.edgesA, m.edgesB, func(e, f int) bool {
		ea, eb := &y.OnA.edges[e], &y.OnB.edges[f]
		return y.Contact.apart(placeOf(ea, &s.HullB, eb.from).in, placeOf(ea, &s.HullB, eb.to).in) &&
			y.Contact.apart(placeOf(eb, &s.HullA, ea.from).in, placeOf(eb, &s.HullA, ea.to).in)
	})
	for _, f := range m.found {
		s.add(list, TypeEdgeEdge, y.OnA.edges[f[0]].id, y.OnB.edges[f[1]].id)
	}
	list.Kept.Staying.Known = false // To compare all lengths costs more than to combine anew.
}

// byPlace is the order of a list.
func byPlace(f, g [2]int) int {
	if f[0] != g[0] {
		return f[0] - g[0]
	}
	return f[1] - g[1]
}

// boxesOf appends the boxes of vertices, grown by so much, by their lower ends.
func boxesOf(to []flatBox, h *pair.Hull, set []uint16, u, w vec.Vec3, grow float64) []flatBox {
	for at, k := range set {
		p := h.At(int(k))
		q := pair.Point2{U: u.Dot(p), V: w.Dot(p)}
		to = append(to, flatBox{pair.Point2{U: q.U - grow, V: q.V - grow}, pair.Point2{U: q.U + grow, V: q.V + grow}, at})
	}
	slices.SortFunc(to, lowerFirst)
	return to
}

// boxesAlong is boxesOf for edges.
func boxesAlong(to []flatBox, h *pair.Hull, edges []outlineEdge, u, w vec.Vec3, grow float64) []flatBox {
	for at := range edges {
		p, q := h.At(int(edges[at].from)), h.At(int(edges[at].to))
		pu, pv, qu, qv := u.Dot(p), w.Dot(p), u.Dot(q), w.Dot(q)
		to = append(to, flatBox{
			pair.Point2{U: min(pu, qu) - grow, V: min(pv, qv) - grow}, pair.Point2{U: max(pu, qu) + grow, V: max(pv, qv) + grow}, at,
		})
	}
	slices.SortFunc(to, lowerFirst)
	return to
}

func lowerFirst(p, q flatBox) int {
	switch {
	case p.lo.U < q.lo.U:
		return -1
	case p.lo.U > q.lo.U:
		return 1
	}
	return p.at - q.at
}

// meet leaves in found the pairs of parts of two bodies whose boxes overlap and for which is says
// so, in the order of a list.
func (m *many) meet(a, b []flatBox, is func(i, j int) bool) {
	m.found = m.found[:0]
	ask := func(p, q *flatBox) {
		if p.lo.V <= q.hi.V && q.lo.V <= p.hi.V && is(p.at, q.at) {
			m.found = append(m.found, [2]int{p.at, q.at})
		}
	}
	for len(a) > 0 && len(b) > 0 {
		if a[0].lo.U <= b[0].lo.U {
			for j := 0; j < len(b) && b[j].lo.U <= a[0].hi.U; j++ {
				ask(&a[0], &b[j])
			}
			a = a[1:]
			continue
		}
		for i := 0; i < len(a) && a[i].lo.U <= b[0].hi.U; i++ {
			ask(&a[i], &b[0])
		}
		b = b[1:]
	}
	slices.SortFunc(m.found, byPlace)
}

// rimEdge is an edge of a face: a point of its line, and the unit direction into the face.
type rimEdge struct {
	face   int // where the face stands in its set
	at, in vec.Vec3
	edge   *outlineEdge
	sign   float64 // of the edge's own direction
}

// rimNode bounds how far inside of some consecutive edges of a face a point lies: in of them all
// differ from mid by turn at most, no point of theirs lies higher along mid than high, nor
// farther from centre than reach.
type rimNode struct {
	mid, centre       vec.Vec3
	high, turn, reach float64
	from, to          int // of the edges
	left, right       int32
}

// insideFaces leaves in found which vertices of one body, by their places in the set, lie inside
// of which faces of the other by more than the tolerance.
func (s *Typist) insideFaces(faces []uint16, edges []outlineEdge, h *pair.Hull, set []uint16) {
	m := &s.Planes.many
	m.found, m.rim = m.found[:0], m.rim[:0]
	for i := range edges {
		e := &edges[i]
		if g, ok := slices.BinarySearch(faces, e.left); ok {
			m.rim = append(m.rim, rimEdge{g, e.at, e.in, e, 1})
		}
		if g, ok := slices.BinarySearch(faces, e.right); ok {
			m.rim = append(m.rim, rimEdge{g, e.at, e.in.Neg(), e, -1})
		}
	}
	u := s.Planes.Contact.N.Perpendicular()
	w := s.Planes.Contact.N.Cross(u)
	slices.SortFunc(m.rim, func(p, q rimEdge) int {
		if p.face != q.face {
			return p.face - q.face
		}
		return aroundFirst(pair.Point2{U: u.Dot(p.in), V: w.Dot(p.in)}, pair.Point2{U: u.Dot(q.in), V: w.Dot(q.in)})
	})
	near, rest := s.Planes.Contact.near, m.rim
	for g := range faces {
		n := 0
		for n < len(rest) && rest[n].face == g {
			n++
		}
		rim := rest[:n]
		rest = rest[n:]
		m.tree = m.tree[:0]
		if n > 0 {
			m.plant(rim, 0, n)
		}
		for i, k := range set {
			if n == 0 || m.within(rim, 0, h.At(int(k)), near+float64(pair.CloseTol*s.Unit), near, h, k) {
				m.found = append(m.found, [2]int{i, g})
			}
		}
	}
}

// aroundFirst orders directions of the plane by their angle from −u, by the sign of v and the
// slope.
func aroundFirst(p, q pair.Point2) int {
	if a, b := p.V >= 0, q.V >= 0; a != b {
		if b {
			return -1
		}
		return 1
	}
	switch c := float64(p.U*q.V) - float64(p.V*q.U); {
	case c > 0:
		return -1
	case c < 0:
		return 1
	}
	return 0
}

// leafEdges is how many edges of a face are asked one by one.
const leafEdges = 8

// plant appends the nodes of some edges and returns the first.
func (m *many) plant(rim []rimEdge, from, to int) int32 {
	k := int32(len(m.tree))
	m.tree = append(m.tree, rimNode{from: from, to: to, left: -1})
	x := &m.tree[k]
	for _, e := range rim[from:to] {
		x.mid, x.centre = x.mid.Add(e.in), x.centre.Add(e.at)
	}
	x.mid, x.centre = x.mid.Scale(1/float64(to-from)), x.centre.Scale(1/float64(to-from))
	x.high = math.Inf(-1)
	for _, e := range rim[from:to] {
		x.high = max(x.high, x.mid.Dot(e.at))
		x.turn = max(x.turn, e.in.Sub(x.mid).Norm())
		x.reach = max(x.reach, e.at.Sub(x.centre).Norm())
	}
	if to-from > leafEdges {
		half := (from + to) / 2
		left := m.plant(rim, from, half)
		right := m.plant(rim, half, to)
		m.tree[k].left, m.tree[k].right = left, right
	}
	return k
}

// least returns a bound of how far inside of a node's edges a point lies, but for rounding.
func (x *rimNode) least(p vec.Vec3) float64 {
	return x.mid.Dot(p) - x.high - float64(x.turn*(p.Sub(x.centre).Norm()+x.reach))
}

// within says whether vertex k, which is at p, lies inside of all edges of a node by more than
// near. sure is as much and the rounding of a bound.
func (m *many) within(rim []rimEdge, k int32, p vec.Vec3, sure, near float64, h *pair.Hull, vertex uint16) bool {
	x := &m.tree[k]
	if x.least(p) > sure {
		return true
	}
	if x.left < 0 {
		for i := x.from; i < x.to; i++ {
			if in := placeOf(rim[i].edge, h, vertex).in; !(rim[i].sign*in > near) {
				return false
			}
		}
		return true
	}
	first, then := x.left, x.right
	if m.tree[then].least(p) < m.tree[first].least(p) {
		first, then = then, first
	}
	return m.within(rim, first, p, sure, near, h, vertex) && m.within(rim, then, p, sure, near, h, vertex)
}

// placeOf returns the place of a vertex against an edge of the other body.
func placeOf(e *outlineEdge, h *pair.Hull, k uint16) place {
	w := h.At(int(k)).Sub(e.at)
	return place{e.in.Dot(w), e.dir.Dot(w)}
}
