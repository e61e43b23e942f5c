package typing

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/vec"
)

// plainPlaces is a number of pairs of parts (vertices or edges) of two bodies. Up to plainPlaces,
// all pairs are compared. Larger sets, for example of faces with hundreds of corners, only compare
// parts whose boxes in the contact plane overlap. It is not a tolerance: the list is the same.
const plainPlaces = 4096

// partPairs is memory for comparing the parts of two outlines.
type partPairs struct {
	all                            bool // all pairs are compared
	vertsA, edgesA, vertsB, edgesB parts
	found                          [][2]int // pairs of parts, by their indices in their sets
	inside                         [][2]int // vertices and faces
}

// parts is the vertices, or the edges, of an outline.
type parts struct {
	ids   []uint16
	boxes []flatBox // sorted by their lower ends; empty if all pairs are compared
}

// flatBox is the box of a part in the contact plane.
type flatBox struct {
	lo, hi pair.Point2
	at     int // index of the part in its set
}

// CombineOutlines compares the vertices, edges and faces of the outlines: all pairs if all is set,
// else those whose boxes overlap. It lists the contacts in the order of type, A, B. Cost: the
// product of the numbers of parts of both; or n log n for n parts, plus the overlapping boxes and
// contacts.
func (s *Typist) CombineOutlines(list *ContactList, all bool) {
	y, m, p := &s.Planes, &s.Planes.pairs, &s.Planes.Contact
	m.all = all
	s.partsOf(&m.vertsA, &m.edgesA, &s.HullA, y.SetA, y.OnA.edges)
	s.partsOf(&m.vertsB, &m.edgesB, &s.HullB, y.SetB, y.OnB.edges)
	if all {
		y.side.ofA = placesOf(y.side.ofA[:0], y.OnA.edges, &s.HullB, y.SetB)
		y.side.ofB = placesOf(y.side.ofB[:0], y.OnB.edges, &s.HullA, y.SetA)
	}
	s.each(list, TypeVertexVertex, &m.vertsA, &m.vertsB, func(i, j int) bool {
		w := s.HullB.At(int(y.SetB[j])).Sub(s.HullA.At(int(y.SetA[i])))
		return w.AddScaled(-w.Dot(p.N), p.N).Norm2() <= p.flat
	})
	s.each(list, TypeVertexEdge, &m.vertsA, &m.edgesB, func(i, e int) bool {
		return p.onEdge(y.placeOfA(s, e, i), y.OnB.edges[e].length)
	})
	m.insideFaces(&m.vertsA, &m.edgesB, &y.OnB, p.near, func(i, e int) float64 { return y.placeOfA(s, e, i).in })
	for _, f := range m.inside {
		s.add(list, TypeVertexFace, y.SetA[f[0]], y.OnB.faces[f[1]])
	}
	s.each(list, TypeEdgeVertex, &m.edgesA, &m.vertsB, func(e, j int) bool {
		return p.onEdge(y.placeOfB(s, e, j), y.OnA.edges[e].length)
	})
	m.insideFaces(&m.vertsB, &m.edgesA, &y.OnA, p.near, func(j, e int) float64 { return y.placeOfB(s, e, j).in })
	slices.SortStableFunc(m.inside, func(f, g [2]int) int { return f[1] - g[1] })
	for _, f := range m.inside {
		s.add(list, TypeFaceVertex, y.OnA.faces[f[1]], y.SetB[f[0]])
	}
	// Edges cross if the ends of each lie on different sides of the other, farther than the
	// tolerance.
	s.each(list, TypeEdgeEdge, &m.edgesA, &m.edgesB, func(e, f int) bool {
		ea, eb := &y.OnA.edges[e], &y.OnB.edges[f]
		return p.apart(y.placeOfB(s, e, eb.i).in, y.placeOfB(s, e, eb.j).in) &&
			p.apart(y.placeOfA(s, f, ea.i).in, y.placeOfA(s, f, ea.j).in)
	})
}

// placeOfA returns the place of vertex i of A relative to edge e of B, both by their indices in
// their sets.
func (y *ContactPlanes) placeOfA(s *Typist, e, i int) place {
	if y.pairs.all {
		return y.side.ofB[e*len(y.SetA)+i]
	}
	return poseRowOf(&y.OnB.edges[e], &s.HullA, y.SetA[i])
}

// placeOfB is placeOfA for vertex j of B and edge e of A.
func (y *ContactPlanes) placeOfB(s *Typist, e, j int) place {
	if y.pairs.all {
		return y.side.ofA[e*len(y.SetB)+j]
	}
	return poseRowOf(&y.OnA.edges[e], &s.HullB, y.SetB[j])
}

// partsOf fills the vertices and edges of one body.
func (s *Typist) partsOf(verts, edges *parts, h *pair.PosedHull, set []uint16, outline []outlineEdge) {
	verts.ids, verts.boxes = append(verts.ids[:0], set...), verts.boxes[:0]
	edges.ids, edges.boxes = edges.ids[:0], edges.boxes[:0]
	for i := range outline {
		edges.ids = append(edges.ids, outline[i].id)
	}
	if s.Planes.pairs.all {
		return
	}
	u := s.Planes.Contact.N.Perpendicular()
	w := s.Planes.Contact.N.Cross(u)
	grow := float64(0.5*s.Planes.Contact.near) + float64(pair.CloseTol*s.LengthScale)
	for _, k := range set {
		verts.box(h.At(int(k)), h.At(int(k)), u, w, grow)
	}
	for i := range outline {
		edges.box(h.At(int(outline[i].from)), h.At(int(outline[i].to)), u, w, grow)
	}
	slices.SortStableFunc(verts.boxes, lowerFirst)
	slices.SortStableFunc(edges.boxes, lowerFirst)
}

// box appends the box of the segment pq in the axes u and w, enlarged by grow on each side.
func (x *parts) box(p, q, u, w vec.Vec3, grow float64) {
	pu, pv, qu, qv := u.Dot(p), w.Dot(p), u.Dot(q), w.Dot(q)
	x.boxes = append(x.boxes, flatBox{
		pair.Point2{U: min(pu, qu) - grow, V: min(pv, qv) - grow}, pair.Point2{U: max(pu, qu) + grow, V: max(pv, qv) + grow}, len(x.boxes),
	})
}

func lowerFirst(p, q flatBox) int { return cmp.Compare(p.lo.U, q.lo.U) }

// each lists the contacts of one type: the pairs of parts of two bodies for which is returns true.
func (s *Typist) each(list *ContactList, kind Type, a, b *parts, is func(i, j int) bool) {
	m := &s.Planes.pairs
	m.meet(a, b, true, is)
	for _, f := range m.found {
		s.add(list, kind, a.ids[f[0]], b.ids[f[1]])
	}
}

// meet sets found to the pairs of parts of two bodies for which is returns true, in the order of a
// list. If not all pairs are compared, the boxes of a pair must also overlap; if box is false, only
// their ranges of u must overlap.
func (m *partPairs) meet(a, b *parts, box bool, is func(i, j int) bool) {
	m.found = m.found[:0]
	if m.all {
		for i := range a.ids {
			for j := range b.ids {
				if is(i, j) {
					m.found = append(m.found, [2]int{i, j})
				}
			}
		}
		return
	}
	ask := func(p, q *flatBox) {
		if (!box || p.lo.V <= q.hi.V && q.lo.V <= p.hi.V) && is(p.at, q.at) {
			m.found = append(m.found, [2]int{p.at, q.at})
		}
	}
	for x, y := a.boxes, b.boxes; len(x) > 0 && len(y) > 0; {
		if x[0].lo.U <= y[0].lo.U {
			for j := 0; j < len(y) && y[j].lo.U <= x[0].hi.U; j++ {
				ask(&x[0], &y[j])
			}
			x = x[1:]
			continue
		}
		for i := 0; i < len(x) && x[i].lo.U <= y[0].hi.U; i++ {
			ask(&x[i], &y[0])
		}
		y = y[1:]
	}
	slices.SortFunc(m.found, func(f, g [2]int) int { return cmp.Or(f[0]-g[0], f[1]-g[1]) })
}

// insideFaces sets m.inside to the pairs of a vertex of one body and a face of the other, ordered
// by vertices, in which the vertex lies inside the face by more than near. in returns how far
// inside the line of an edge a vertex lies, seen from the edge's left face.
//
// A face is convex. A vertex therefore lies inside by more than near if this holds for all edges
// that come within near of it along u. These include the edges above and below the vertex, and any
// edge nearer than near.
func (m *partPairs) insideFaces(verts, edges *parts, o *outline, near float64, in func(i, e int) float64) {
	m.inside = m.inside[:0]
	if len(o.faces) == 0 {
		return
	}
	m.meet(verts, edges, false, func(int, int) bool { return true })
	for rest := m.found; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n][0] == rest[0][0] {
			n++
		}
		for g, face := range o.faces {
			if insideAll(o.edges, face, rest[:n], near, in) {
				m.inside = append(m.inside, [2]int{rest[0][0], g})
			}
		}
		rest = rest[n:]
	}
}

// insideAll reports whether a vertex lies inside a face by more than near, according to those edges
// in of that belong to the face. It returns false if there are none.
func insideAll(edges []outlineEdge, face uint16, of [][2]int, near float64, in func(i, e int) float64) bool {
	some := false
	for _, f := range of {
		e := &edges[f[1]]
		if e.left != face && e.right != face {
			continue
		}
		d := in(f[0], f[1])
		if e.left != face {
			d = -d
		}
		if some = true; !(d > near) {
			return false
		}
	}
	return some
}
