package methods

import (
	"math"

	"github.com/scree-dem/scree/engine/narrow/internal/pair"
	"github.com/scree-dem/scree/engine/narrow/internal/search"
	"github.com/scree-dem/scree/engine/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Methods is the workspace of the methods that are called by their names: that of a search, with
// what types a pair.
type Methods struct {
	search.Finder
	typist  typing.Typist
	Fronts  fronts
	climber climber
}

// Typist returns the typist of the pair in the workspace.
func (s *Methods) Typist() *typing.Typist {
	s.typist.Frame = &s.Frame
	return &s.typist
}

// Direct answers two polyhedra by the direct search: all pairs of vertex and face, vertex and
// vertex, vertex and edge, and edge and edge, every time, whatever is found on the way. The gap is
// the distance or minus the depth, of any pair, and the list gets type and contacts of a pair
// within dtol, m, of each other. Other kinds of pieces are answered by Resolve and have no
// contacts.
//
// Source: the direct search that the fast direct search is compared with. It is written to be as
// fast as a search that skips nothing can be: columns of vertices against one plane, edges of B
// brought over once, and the normal of two edges only where the signs of eight products say that
// they make a facet of K. Where we depart: distances are signed and the shallowest facet of K
// wins, with ties to the lowest id, so that the answer is that of Exhaustive. Cost: 3 to 6 µs for
// two cubes; vertices × faces and edges × edges. It always converges.
func (s *Methods) Direct(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *typing.ContactList, out *pair.Answer,
) {
	if !s.begin(a, pa, b, pb, math.Inf(1), list, out) {
		return
	}
	best := s.allFaces()
	d, n := s.allCorners()
	facet := s.Choose(s.allEdges(best))
	if !s.FacetsAnswer(facet, out) {
		s.NearestOf(facet, d, n, out)
	}
	s.end(dtol, typing.UpdateNone, list, out)
}

// begin starts a search that keeps a list: it loads the pair, or answers one that is none.
func (s *Methods) begin(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, list *typing.ContactList, out *pair.Answer,
) bool {
	if !pair.Polyhedra(a, b) {
		list.Reset()
		s.ResolveCores(a, pa, b, pb, reach, out)
		return false
	}
	*out = pair.Answer{Level: pair.LevelSearch}
	list.BelongTo(a, b)
	if !s.Load(a, pa, b, pb) {
		list.Reset()
		out.Status = pair.Degenerate
		return false
	}
	return true
}

// end closes it: contacts, and what the next step starts from.
func (s *Methods) end(dtol float64, rule typing.UpdateRule, list *typing.ContactList, out *pair.Answer) {
	s.Typist().ContactsLoaded(dtol, out, rule, list)
	m := &list.Kept
	m.Axis, m.Support = out.Axis, out.AxisSupport
	m.Facet, m.Deep = out.Facet, s.tooDeepToBeApart(out.Gap*s.Scale)
}

// allFaces evaluates all pairs of a face and a vertex: h_K of each face in HA and HB, B's normals
// in MB. It returns the least.
func (s *Methods) allFaces() float64 {
	s.HA, s.HB, s.MB = s.HA[:0], s.HB[:0], s.MB[:0]
	best := math.Inf(1)
	for f := range s.ViewA.NFaces {
		n, d := s.PlaneA(f)
		h := d - s.HullB.Bottom(n)
		s.HA = append(s.HA, h)
		best = min(best, h)
	}
	for g := range s.ViewB.NFaces {
		m, d := s.PlaneB(g)
		h := d - s.HullA.Bottom(m)
		s.HB, s.MB = append(s.HB, h), append(s.MB, m)
		best = min(best, h)
	}
	return best
}

// allCorners returns the least distance between a vertex of one body and a vertex or edge of the
// other, and its direction, A to B.
func (s *Methods) allCorners() (float64, vec.Vec3) {
	least := math.Inf(1)
	var line vec.Vec3
	bx, by, bz := s.HullB.X, s.HullB.Y, s.HullB.Z
	by, bz = by[:len(bx)], bz[:len(bx)]
	for i := range s.HullA.X {
		p := s.HullA.At(i)
		for j := range bx {
			w := vec.Vec3{X: bx[j] - p.X, Y: by[j] - p.Y, Z: bz[j] - p.Z}
			if ww := w.Norm2(); ww < least {
				least, line = ww, w
			}
		}
	}
	for e := range s.ViewB.Edge {
		q, q1 := s.EdgeB(e)
		least, line = nearestVertex(&s.HullA, q, q1, 1, least, line)
	}
	for e := range s.ViewA.Edge {
		p, p1 := s.EdgeA(e)
		least, line = nearestVertex(&s.HullB, p, p1, -1, least, line)
	}
	return math.Sqrt(least), line.Unit()
}

// nearestVertex lowers the least squared distance by the vertices of a body whose foot on the
// segment qq1 lies between its ends, which the pairs of vertices leave out. sign is 1 where the
// vector from vertex to foot goes from A to B.
func nearestVertex(h *pair.Hull, q, q1 vec.Vec3, sign, least float64, line vec.Vec3) (float64, vec.Vec3) {
	e := q1.Sub(q)
	ee := e.Norm2()
	x, y, z := h.X, h.Y, h.Z
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
func (s *Methods) allEdges(face float64) float64 {
	s.Edges = s.Edges[:0]
	w := &s.Fronts
	w.Edges = w.Edges[:0]
	for e := range s.ViewB.Edge {
		w.Edges = append(w.Edges, s.edgeOfB(e))
	}
	best := face
	for e := range s.ViewA.Edge {
		best = s.edgeAgainst(e, w.Edges, best, face)
	}
	return best
}
