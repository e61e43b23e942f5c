package narrow

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Direct answers two polyhedra by the direct search: all pairs of vertex and face, vertex and vertex, vertex and edge,
// and edge and edge, every time, whatever is found on the way. The gap is the distance or minus the depth, of any pair,
// and the list gets type and contacts of a pair within dtol, m, of each other. Other kinds of pieces are answered by
// Resolve and have no contacts.
//
// Source: the direct search that the fast direct search is compared with. It is written to be as fast as a search that
// skips nothing can be: columns of vertices against one plane, edges of B brought over once, and the normal of two edges
// only where the signs of eight products say that they make a facet of K. Where we depart: distances are
// signed and the shallowest facet of K wins, with ties to the lowest id, so that the answer is that of Exhaustive.
// Cost: 3 to 6 µs for two cubes; vertices × faces and edges × edges. It always converges.
func (s *Search) Direct(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *ContactList, out *Answer,
) {
	if !s.begin(a, pa, b, pb, math.Inf(1), list, out) {
		return
	}
	best := s.allFaces()
	d, n := s.allCorners()
	facet := s.choose(s.allEdges(best))
	if !s.facetsAnswer(facet, out) {
		s.nearestOf(facet, d, n, out)
	}
	s.end(dtol, updateNone, list, out)
}

// begin starts a search that keeps a list: it loads the pair, or answers one that is none.
func (s *Search) begin(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, list *ContactList, out *Answer,
) bool {
	if !polyhedra(a, b) {
		list.Reset()
		s.resolve(a, pa, b, pb, reach, out)
		return false
	}
	*out = Answer{Level: LevelSearch}
	list.belongTo(a, b)
	if !s.load(a, pa, b, pb) {
		list.Reset()
		out.Status = Degenerate
		return false
	}
	return true
}

// end closes it: contacts, and what the next step starts from.
func (s *Search) end(dtol float64, rule updateRule, list *ContactList, out *Answer) {
	s.contacts(dtol, out, rule, list)
	m := &list.memory
	m.axis, m.support = out.Axis, out.AxisSupport
	m.facet, m.deep = out.Facet, s.tooDeepToBeApart(out.Gap*s.scale)
}

// allFaces evaluates all pairs of a face and a vertex: h_K of each face in hA and hB, B's normals in mB. It returns the
// least.
func (s *Search) allFaces() float64 {
	s.hA, s.hB, s.mB = s.hA[:0], s.hB[:0], s.mB[:0]
	best := math.Inf(1)
	for f := range s.va.NFaces {
		n, d := s.planeA(f)
		h := d - s.b.bottom(n)
		s.hA = append(s.hA, h)
		best = min(best, h)
	}
	for g := range s.vb.NFaces {
		m, d := s.planeB(g)
		h := d - s.a.bottom(m)
		s.hB, s.mB = append(s.hB, h), append(s.mB, m)
		best = min(best, h)
	}
	return best
}

// bottom returns the least d·p over the vertices: that of lowest, without the vertex and without branches.
func (h *hull) bottom(d vec.Vec3) float64 {
	if len(h.x) >= wideFrom {
		_, low := h.lowest(d)
		return low
	}
	x, y, z := h.x, h.y[:len(h.x)], h.z[:len(h.x)]
	low := math.Inf(1)
	for i := range x {
		low = min(low, float64(x[i]*d.X)+float64(y[i]*d.Y)+float64(z[i]*d.Z))
	}
	return low
}

// top returns the largest d·p, as bottom does the least.
func (h *hull) top(d vec.Vec3) float64 { return -h.bottom(d.Neg()) }

// allCorners returns the least distance between a vertex of one body and a vertex or edge of the other, and its
// direction, A to B.
func (s *Search) allCorners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	bx, by, bz := s.b.x, s.b.y, s.b.z
	by, bz = by[:len(bx)], bz[:len(bx)]
	for i := range s.a.x {
		p := s.a.at(i)
		for j := range bx {
			w := vec.Vec3{X: bx[j] - p.X, Y: by[j] - p.Y, Z: bz[j] - p.Z}
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	for e := range s.vb.Edge {
		q, q1 := s.edgeB(e)
		least, line = nearestVertex(&s.a, q, q1, 1, least, line)
	}
	for e := range s.va.Edge {
		p, p1 := s.edgeA(e)
		least, line = nearestVertex(&s.b, p, p1, -1, least, line)
	}
	return math.Sqrt(least), line.Unit()
}

// nearestVertex lowers the least squared distance by the vertices of a body whose foot on the segment qq1 lies between
// its ends, which the pairs of vertices leave out. sign is 1 where the vector from vertex to foot goes from A to B.
func nearestVertex(h *hull, q, q1 vec.Vec3, sign, least float64, line vec.Vec3) (float64, vec.Vec3) {
	e := q1.Sub(q)
	ee := e.Norm2()
	x, y, z := h.x, h.y, h.z
	y, z = y[:len(x)], z[:len(x)]
	for i := range x {
		w := vec.Vec3{X: q.X - x[i], Y: q.Y - y[i], Z: q.Z - z[i]}
		from := -w.Dot(e)
		// The squared distance is |w|² − from²/|e|²; a division is due only where it may be the least, for all that the
		// difference of two large numbers tells.
		far := float64(w.Norm2() * ee)
		room := float64(float64(least*ee)*(1+0x1p-20)) + float64(far*0x1p-48) - (far - float64(from*from))
		// One branch for the three, by their signs: where the foot lies is as good as random.
		if int64(math.Float64bits(from)|math.Float64bits(ee-from)|math.Float64bits(room)) < 0 {
			continue
		}
		w = w.AddScaled(from/ee, e)
		if ww := w.Norm2(); ww < least {
			least, line = ww, w.Scale(sign)
		}
	}
	return least, line
}

// allEdges lowers the least h_K of the faces by all pairs of edges.
func (s *Search) allEdges(face float64) float64 {
	s.edges = s.edges[:0]
	w := &s.fronts
	w.edges = w.edges[:0]
	for e := range s.vb.Edge {
		w.edges = append(w.edges, s.edgeOfB(e))
	}
	best := face
	for e := range s.va.Edge {
		best = s.edgeAgainst(e, w.edges, best, face)
	}
	return best
}

// nearestOf answers a pair that a facet of K proves apart, from that facet and the nearest corners, d apart along n. The
// distance is that of the facet, if the foot of the origin lies inside it, and otherwise that of the nearest two
// vertices, or vertex and edge. Which of the two holds shows in the proof: both are tried. Of several facets that tie
// this may be one beside the foot, whose direction does not touch all the features it should: if
// nothing is proven they are drawn from a wider band below the support, at last from all vertices. A pair little
// farther apart than closeTol, with faces or edges that are next to parallel, may have its foot outside of every facet that is
// proven, by a rounding: if its distance is that of the facet to ProofTol, the facet answers all the same.
func (s *Search) nearestOf(facet shallowest, d float64, n vec.Vec3, out *Answer) {
	if facet.id.Kind == soa.NoFacet {
		return
	}
	for _, widen := range [3]float64{0, s.unit / (1 << 20), math.Inf(1)} {
		if s.nearestAlong(-facet.h, facet.n, widen, out) || s.nearestAlong(d, n, widen, out) {
			return
		}
	}
	out.Status = NotConverged
	facet = s.separating(negInf)
	if _, d := s.meet(vec.Vec3{}, facet.n); d+facet.h <= s.tol.proof {
		s.writeFacet(facet.id, math.Inf(1), out)
	}
}

// nearestAlong answers a pair whose distance and direction may be d and n.
func (s *Search) nearestAlong(d float64, n vec.Vec3, widen float64, out *Answer) bool {
	*out = Answer{Level: LevelSearch}
	s.near(n, max(s.band(d), widen))
	return s.nearestFeature(n, d, out)
}
