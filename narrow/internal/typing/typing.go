package typing

import (
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Typist determines the type of the pair in a Frame, and lists its contacts.
type Typist struct {
	*pair.Frame
	Planes ContactPlanes
}

const (
	// DefaultDtol is the default contact tolerance, in multiples of the larger bounding radius.
	// Features this close to the contact plane count as in contact. The value is far above rounding
	// and far below modelled lengths. Larger: a body tilted by as much still stands on its face.
	// Smaller: faces count as edges or corners.
	DefaultDtol = 1e-6
	// parallelSine is the sine of the angle up to which two edges count as parallel: one degree, as
	// in the fast direct search. A change only moves the border between e-e and e-e-parallel.
	// Another value: border of e-e and e-e-parallel.
	parallelSine = 0.017452406437283512
	// crossedSine is a sine. If the arcs of two edges on the Gauss map pass each other by more,
	// their crossing is a separate normal of a corner. Below it, the crossing equals a face normal
	// to that angle.
	// Smaller: the normal of a corner contact averages some directions twice.
	crossedSine = 1.0 / (1 << 20)
)

// Dtol returns the default contact tolerance of a pair, m.
func Dtol(a, b *soa.View) float64 { return DefaultDtol * max(a.Radius, b.Radius) }

// ContactPlanes is memory for the contact plane and the features next to it.
type ContactPlanes struct {
	facesA, facesB []uint16 // faces that contain the contact point
	SetA, SetB     []uint16 // vertices next to the contact plane
	contactEdgesA  []contactEdge
	contactEdgesB  []contactEdge
	OnA, OnB       outline
	side           edgeOffsets
	Contact        plane
	moves          []vec.Vec3 // displacements of the vertices of B next to the plane
	pairs          partPairs
	trial          ContactList // contacts of the averaged plane, to see whether there are any
}

// plane is the pair of virtual contact planes: both have normal N, one passes through point a of A,
// the other through point b of B. Frame and scale of the search.
type plane struct {
	N, answer  vec.Vec3 // unit, from A to B: of the planes, and of the answer
	World      vec.Vec3 // N in world axes
	a, b       vec.Vec3
	gap        float64 // of the answer
	kind       soa.FacetKind
	near, flat float64 // the contact tolerance, and its square
}

// Contacts determines the type of a pair and lists its basic contacts, from the answer of any
// method that returned features. The type is a function of answer and poses, so methods that agree
// on the answer agree on the type. dtol, m, is the contact tolerance; the least that counts is
// CloseTol.
//
// The list gets NoType and no contacts if the pair is farther apart than the tolerance, if only a
// bound of the gap is known, or if the pieces are not blocks or facets. The contacts of rounded
// pieces are those of their cores, moved together until they touch (see pair.CoreAnswer).
//
// Source: the fast direct search. The contact point determines the faces next to it on either side.
// The valid entrances among the features that these faces bound are the possible normals. If one
// body has a single face there, or two edges cross, the normal is that of the answer. Otherwise
// (v-v, v-e, parallel e-e) it is the average of the possible normals. The vertices of A and of B
// within dtol of the contact plane are then counted: 1 is a vertex, 2 an edge, 3 and more a face. If
// edges counted by the average do not touch, the normal of the answer counts.
//
// Departure: the type is read from these sets, not from the paper's number n_j of pairs found. The
// result is the same, and the order of the pairs does not matter.
//
// Cost: faces and vertices of both bodies once; at corners and parallel edges a support per face
// there.
func (s *Typist) Contacts(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *pair.Answer, list *ContactList,
) {
	core, ok := s.loadCores(a, pa, b, pb, dtol, answer)
	if !ok {
		list.leave()
		return
	}
	s.ContactsLoaded(dtol, &core, false, list)
}

// loadCores loads a pair in the pose for which it is typed (see pair.CoreAnswer), and returns the
// answer of the cores. It returns false for a pair that has no type.
func (s *Typist) loadCores(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *pair.Answer,
) (core pair.Answer, ok bool) {
	known := answer.Status <= pair.Penetrating && answer.Facet.Kind != soa.NoFacet
	core, pb = pair.CoreAnswer(a, b, pb, dtol, answer)
	return core, known && pair.Polyhedra(a, b) && s.Load(a, pa, b, pb)
}

// TypeOf returns the type that Contacts would give, without listing contacts. For faces with n
// corners each, the cost is proportional to n.
func (s *Typist) TypeOf(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, answer *pair.Answer) Type {
	core, ok := s.loadCores(a, pa, b, pb, dtol, answer)
	if !ok {
		return NoType
	}
	kind, _ := s.Typed(dtol, &core)
	return kind
}

// Nearness returns the contact tolerance in the scale of the search. It adds the distance by which
// modelled faces deviate from a plane, because all faces of one label count as one face.
func (s *Typist) Nearness(dtol float64) float64 {
	near := s.Tol.Close
	if d := dtol * s.Scale; d > near { // false if dtol is not a number
		near = d
	}
	return near + float64((s.ViewA.Bend+s.ViewB.Bend)*s.Scale)
}

// ContactsLoaded is Contacts for the loaded pair. If update is set, contacts of the last step whose
// features cannot have changed are reused.
func (s *Typist) ContactsLoaded(dtol float64, answer *pair.Answer, update bool, list *ContactList) {
	kind, near := s.Typed(dtol, answer)
	if !near {
		list.leave()
		return
	}
	s.SnapNormal()
	s.Planes.Contact.World = s.RotA.Rotate(s.Planes.Contact.N)
	s.listContacts(kind, answer, update, list)
}

// Typed is TypeOf for the loaded pair. It also sets the contact plane and the sets of vertices. It
// returns false for a pair too far apart to have them.
func (s *Typist) Typed(dtol float64, answer *pair.Answer) (Type, bool) {
	near := s.Nearness(dtol)
	if answer.Facet.Kind == soa.NoFacet || answer.Gap*s.Scale > near {
		return NoType, false
	}
	s.contactPlane(answer, near)
	s.vertexSets()
	kind := s.contactType()
	if s.meetsNothing(kind) {
		s.Planes.Contact.N = s.Planes.Contact.answer
		s.vertexSets()
		kind = s.contactType()
	}
	return kind, true
}

// meetsNothing reports whether the averaged plane passes by the contact: the vertices and edges next to
// it do not touch in it. This happens if an end of an edge lies on the side of a face, and a face of
// the other body ties with that face. The plane half-way between both then leads to two edges that lie
// beside each other. Only the plane of the answer is then one of a contact.
func (s *Typist) meetsNothing(kind Type) bool {
	y := &s.Planes
	switch kind {
	case TypeVertexEdge, TypeEdgeVertex, TypeEdgeEdge, TypeEdgeParallel:
	default:
		return false
	}
	if y.Contact.N == y.Contact.answer {
		return false
	}
	y.trial.Basic = y.trial.Basic[:0]
	s.combineSets(&y.trial)
	return len(y.trial.Basic) == 0
}

// contactPlane finds the faces next to the contact point and the normal of the contact plane.
func (s *Typist) contactPlane(answer *pair.Answer, near float64) {
	y := &s.Planes
	gap, n := s.answered(answer)
	a := s.RotA.RotateInv(answer.ArmA).Scale(s.Scale)
	y.Contact = plane{
		N: n, answer: n, a: a, b: a.AddScaled(gap, n), gap: gap, kind: answer.Facet.Kind, near: near, flat: near * near,
	}
	y.facesA = facesAt(y.facesA[:0], s.ViewA, a, s.Scale, near)
	y.facesB = facesAt(y.facesB[:0], s.ViewB, s.ToB(y.Contact.b), s.Scale, near)
	if len(y.facesA) < 2 || len(y.facesB) < 2 {
		return
	}
	if answer.Facet.Kind == soa.EdgeEdge && len(y.facesA) == 2 && len(y.facesB) == 2 {
		p, p1 := s.EdgeA(int(answer.Facet.A))
		q, q1 := s.EdgeB(int(answer.Facet.B))
		if !Parallel(p1.Sub(p), q1.Sub(q)) {
			return
		}
	}
	y.Contact.N = s.meanNormal(n)
}

// answered returns gap and normal of an answer in the frame of the search: the result of Finalise
// for its facet. For two edges, the answer determines to which side the normal points.
func (s *Typist) answered(answer *pair.Answer) (float64, vec.Vec3) {
	along := s.RotA.RotateInv(answer.Normal)
	gap, n, ok := 0.0, along, false
	if answer.Facet.Kind == soa.EdgeEdge {
		gap, n, ok = s.FinaliseEdges(answer.Facet, along)
	} else {
		gap, n, ok = s.Finalise(answer.Facet)
	}
	if ok {
		return gap, n
	}
	return answer.Gap * s.Scale, along
}

// facesAt lists, in an empty set, the labels of the faces whose plane is within near of point p. p
// is in the frame of the view and in the scale of the search.
func facesAt(to []uint16, v *soa.View, p vec.Vec3, scale, near float64) []uint16 {
	nx, ny, nz, d := v.NX[:v.NFaces], v.NY[:v.NFaces], v.NZ[:v.NFaces], v.D[:v.NFaces]
	to = slices.Grow(to, len(nx))[:len(nx)]
	n := 0
	for f := range nx {
		at := float64(nx[f]*p.X) + float64(ny[f]*p.Y) + float64(nz[f]*p.Z)
		to[n] = uint16(f)
		n += bit(float64(d[f]*scale)-at <= near)
	}
	return labelsOf(v, to[:n])
}

// bit returns 1 or 0. It compiles to no branch because which features are near is unpredictable.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Parallel reports whether two edges count as parallel: to one degree.
func Parallel(e, f vec.Vec3) bool {
	c := e.Cross(f)
	return c.Norm2() <= parallelSine*parallelSine*e.Norm2()*f.Norm2()
}

// meanNormal returns the average of the valid normals of the features at the contact point, or
// otherwise if there are none. A face normal is valid if the gap along it is no less than the
// answer's, within the tolerance. The normal of two edges is valid if in addition their arcs cross.
func (s *Typist) meanNormal(otherwise vec.Vec3) vec.Vec3 {
	y := &s.Planes
	limit := y.Contact.near - y.Contact.gap
	var sum vec.Vec3
	for _, f := range y.facesA {
		n, d := s.PlaneA(int(f))
		if d-s.HullB.Bottom(n) <= limit {
			sum = sum.Add(n)
		}
	}
	for _, g := range y.facesB {
		m, d := s.PlaneB(int(g))
		if d-s.HullA.Bottom(m) <= limit {
			sum = sum.Sub(m)
		}
	}
	y.contactEdgesA = s.contactEdgesBetween(y.contactEdgesA[:0], y.facesA, false)
	y.contactEdgesB = s.contactEdgesBetween(y.contactEdgesB[:0], y.facesB, true)
	for i := range y.contactEdgesA {
		r := &y.contactEdgesA[i]
		for k := range y.contactEdgesB {
			if n, ok := r.crosses(&y.contactEdgesB[k]); ok && -n.Dot(y.contactEdgesB[k].at.Sub(r.at)) <= limit {
				sum = sum.Add(n)
			}
		}
	}
	if n := sum.Unit(); n != (vec.Vec3{}) {
		return n
	}
	return otherwise
}

// contactEdge is an edge between two of the faces at the contact point, frame of A.
type contactEdge struct {
	at, dir vec.Vec3
	wide    float64  // crossedSine times its length
	n1, n2  vec.Vec3 // normals of the faces of its lower half-edge and of the twin
}

// contactEdgesBetween appends the edges of one body whose two faces are both in faces, which must
// be ascending.
func (s *Typist) contactEdgesBetween(to []contactEdge, faces []uint16, ofB bool) []contactEdge {
	v, hull := s.ViewA, &s.HullA
	if ofB {
		v, hull = s.ViewB, &s.HullB
	}
	// Bit k is set if a face with number k modulo 64 is given. This test drops most edges.
	var given uint64
	for _, f := range faces {
		given |= 1 << (f & 63)
	}
	for _, h := range v.Edge {
		left, right := v.Labelled(v.Face[h]), v.Labelled(v.Face[v.Twin[h]])
		if given>>(left&63)&(given>>(right&63))&1 == 0 {
			continue
		}
		if left == right || v.NFaces > 64 && !(contains(faces, uint16(left)) && contains(faces, uint16(right))) {
			continue
		}
		r := contactEdge{at: hull.At(int(v.Tail[h])), n1: v.Normal(left), n2: v.Normal(right)}
		r.dir = hull.At(int(v.Head(h))).Sub(r.at)
		r.wide = crossedSine * r.dir.Norm()
		if ofB {
			r.n1, r.n2 = s.Rot.MulVec(r.n1), s.Rot.MulVec(r.n2)
		}
		to = append(to, r)
	}
	return to
}

// contains reports whether an ascending list contains face f.
func contains(faces []uint16, f uint16) bool {
	_, ok := slices.BinarySearch(faces, f)
	return ok
}

// crosses returns the normal of an edge of A and one of B. It returns false unless the arc of the
// first crosses the reversed arc of the second by more than crossedSine, as for a proper facet of
// K.
func (r *contactEdge) crosses(o *contactEdge) (vec.Vec3, bool) {
	r1, r2 := r.dir.Dot(o.n1), r.dir.Dot(o.n2)
	c1, c2 := o.dir.Dot(r.n1), o.dir.Dot(r.n2)
	switch {
	case r1 > r.wide && r2 < -r.wide && c1 > o.wide && c2 < -o.wide:
		return pair.Crossing(vec.Vec3{}, r.dir, vec.Vec3{}, o.dir)
	case r1 < -r.wide && r2 > r.wide && c1 < -o.wide && c2 > o.wide:
		return pair.Crossing(vec.Vec3{}, o.dir, vec.Vec3{}, r.dir)
	}
	return vec.Vec3{}, false
}

// vertexSets lists the vertices within the tolerance of their body's contact plane, and those
// beyond it, which rounding or an averaged normal can cause.
func (s *Typist) vertexSets() {
	y := &s.Planes
	n := y.Contact.N
	y.SetA = withoutInner(s.ViewA, pair.AppendBelow(y.SetA[:0], &s.HullA, n.Neg(), y.Contact.near-n.Dot(y.Contact.a)))
	y.SetB = withoutInner(s.ViewB, pair.AppendBelow(y.SetB[:0], &s.HullB, n, y.Contact.near+n.Dot(y.Contact.b)))
}

// contactType determines the type from the sizes of the vertex sets.
func (s *Typist) contactType() Type {
	y := &s.Planes
	a, b := min(len(y.SetA), 3), min(len(y.SetB), 3)
	if a == 2 && b == 2 {
		e := s.HullA.At(int(y.SetA[1])).Sub(s.HullA.At(int(y.SetA[0])))
		f := s.HullB.At(int(y.SetB[1])).Sub(s.HullB.At(int(y.SetB[0])))
		if Parallel(e, f) {
			return TypeEdgeParallel
		}
	}
	if a < 1 || b < 1 {
		return NoType
	}
	return typesByCount[a-1][b-1]
}

// typesByCount is the type of a pair whose contact plane has 1, 2 or more vertices of A (rows) and
// of B (columns).
var typesByCount = [3][3]Type{
	{TypeVertexVertex, TypeVertexEdge, TypeVertexFace},
	{TypeEdgeVertex, TypeEdgeEdge, TypeEdgeFace},
	{TypeFaceVertex, TypeFaceEdge, TypeFaceFace},
}

// SnapNormal replaces the averaged normal of a contact in which a face takes part by the normal of
// a face: that of the answer, if it is a face normal, else the one closest to the averaged normal.
func (s *Typist) SnapNormal() {
	y := &s.Planes
	if len(y.facesA) < 2 || len(y.facesB) < 2 || len(y.SetA) < 3 && len(y.SetB) < 3 {
		return
	}
	if y.Contact.kind == soa.FaceVertex || y.Contact.kind == soa.VertexFace {
		y.Contact.N = y.Contact.answer
		return
	}
	n, most := y.Contact.N, -1.0
	if len(y.SetA) > 2 {
		for _, f := range y.facesA {
			if m := s.ViewA.Normal(soa.Face(f)); m.Dot(n) > most {
				y.Contact.N, most = m, m.Dot(n)
			}
		}
		return
	}
	for _, g := range y.facesB {
		m, _ := s.PlaneB(int(g))
		if -m.Dot(n) > most {
			y.Contact.N, most = m.Neg(), -m.Dot(n)
		}
	}
}
