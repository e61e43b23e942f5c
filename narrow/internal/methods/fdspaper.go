package methods

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/typing"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Checks counts what a method inspects of a pair. FastDirectPaper counts the checks of the paper. Direct
// counts all pairs of features; its entrances are the pairs of edges, whose signs tell whether they are
// valid, and its distances those of vertices from faces and of valid pairs of edges.
// FastDirect and FastCommonPlane count the pairs of features that they compare for the answer, not for the list
// of contacts. For FastDirect, an entrance is a test whether an axis or a feature pair of the last step still
// answers. For FastCommonPlane it is a test whether two vertices support a candidate plane, and a distance is
// the gap of a plane over all vertices.
type Checks struct {
	VertexFace, FaceVertex, EdgeEdge int // pairs of features, A's named first
	Entrance, Distance               int // tests for a valid entrance; distances of a point from a plane or of two lines
}

// Add adds the counts of o.
func (c *Checks) Add(o Checks) {
	c.VertexFace, c.FaceVertex, c.EdgeEdge = c.VertexFace+o.VertexFace, c.FaceVertex+o.FaceVertex, c.EdgeEdge+o.EdgeEdge
	c.Entrance, c.Distance = c.Entrance+o.Entrance, c.Distance+o.Distance
}

// Paper is the state of the published search for one pair.
type Paper struct {
	// Checks counts the checks of the last pair.
	Checks Checks
	// Visit, if not nil, is told the features of each check. Tests set it.
	Visit func(kind soa.FacetKind, a, b uint16)
	// Lists are the features that the last pair has checked: those of A, and those of B.
	Lists [2]FeatureSet

	spare  [2]FeatureSet // memory of countNear
	sides  [2]paperBody
	near   float64  // dtol
	found  bool     // a contact is found: from now on only flagged features are checked
	d0     float64  // distance of the contact that is found; other contacts are within dtol of it
	deep   entrance // the valid entrance of least depth
	apart  bool     // deep is farther than dtol: the exclusion
	before float64  // distance of the deepest contact of the step before

	normals  []vec.Vec3 // of the valid entrances of a v-v or v-e contact
	parallel bool       // the pair is e-e-parallel
	along    [2]uint16  // its edges, of A and of B
}

// FeatureSet are the vertices, edges and faces of a body that are to be checked.
type FeatureSet struct {
	Verts, Edges, Faces    []uint16
	inVert, inEdge, inFace []bool
}

// paperBody is one body in the frame of A, with the features in the region of the virtual contact
// plane.
type paperBody struct {
	pair.PosedBody
	normals          []vec.Vec3
	offsets          []float64
	vert, edge, face []bool // flags
}

// entrance is a valid entrance: the facet of K of its features, its normal from A to B, and its
// distance.
type entrance struct {
	id soa.FacetID
	n  vec.Vec3
	d  float64
}

// planes is the pair of virtual contact planes of a contact (VCPs): both have the normal n, from A
// to B. One passes through the point p of A, the other through the point q of B. d is n·(q − p). holds
// is the normal of the valid entrance of least depth between the features, and least its distance.
type planes struct {
	n, p, q, holds vec.Vec3
	d, least       float64
}

// point returns the point of body k on its plane.
func (p *planes) point(k int) vec.Vec3 {
	if k == 0 {
		return p.p
	}
	return p.q
}

// FastDirectPaper answers two blocks by the fast direct search as it was published (FDS): see the
// sections named in the code. The list gets the contacts and their type. It is also the only
// memory: if it has contacts, the updated detection starts from these (fdspaperupdate.go).
//
// The text is silent or fails in some places. There FastDirectPaper does the following:
//
//   - Distances are signed. If all valid entrances are deeper than dtol, that of least depth holds,
//     and others count within dtol of its depth. The distances to the faces next to f_j are those
//     of the contact point, the projection of the vertex on f_j.
//   - n_j = 3 is v-v.
//   - An edge vector points out of a half-space unless its far end is more than dtol nearer. The
//     exclusion and the entrance of least depth allow nothing: a face of K is what separates.
//   - Each contact is listed once, by its features. Two edges make one only if the ends of each lie
//     more than dtol on either side of the other. Otherwise an end is the contact.
//   - An edge that lies in a face next to the other edge, to dtol, has that face's normal. Their
//     cross product would tilt by dtol over the sine of their angle.
//   - Edges within one degree of each other may still cross. Their type is e-e-parallel.
//   - Two contacts are of an edge and a face unless both are v-v or v-e, on parallel edges.
//
// The gap of a pair is that of its deepest contact, along the entrance of least depth there. It may
// differ by dtol from the exact one. If the pair has no contact, the gap is a lower bound, and positive.
//
// Cost of the initial detection: vertices × faces of both, edges × edges, less what exclusion and
// flags save. FastDirectPaper always converges.
func (s *Methods) FastDirectPaper(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, _, dtol float64, list *typing.ContactList, out *pair.Answer,
) (exhaustive bool) {
	if !s.begin(a, pa, b, pb, list, out) {
		return false
	}
	s.loadPaper(dtol)
	was, p := list.Type, &s.Paper
	if was != typing.NoType && s.retained(list) {
		out.AnsweredBy = pair.ByFeature // 2.3: n_v is that of the step before
		s.paperAnswer(list, out)
		return false
	}
	if list.Renew(); was != typing.NoType && s.checkLists(false, list) {
		out.AnsweredBy = pair.ByWalk // the local lists
	} else {
		s.allFeatures()
		s.checkLists(true, list)
	}
	list.Settle()
	list.Type = s.paperType(list.Basic)
	if s.noteParallel(list); p.parallel {
		for i := range list.Basic {
			if vcp, ok := s.planesOf(&list.Basic[i]); ok {
				s.number(&list.Basic[i], &vcp)
			}
		}
	}
	if s.paperAnswer(list, out); list.Type != typing.NoType {
		list.Kept.Count = s.countNear(list)
	}
	return false
}

// loadPaper prepares the loaded pair.
func (s *Methods) loadPaper(dtol float64) {
	p := &s.Paper
	p.Checks, p.near = Checks{}, s.Typist().Nearness(dtol)
	p.sides[0].PosedBody, p.sides[1].PosedBody = pair.PosedBody{V: s.ViewA, H: &s.HullA}, pair.PosedBody{V: s.ViewB, H: &s.HullB}
	for k := range p.sides {
		o := &p.sides[k]
		o.normals, o.offsets = o.normals[:0], o.offsets[:0]
		for f := range o.V.NFaces {
			n, d := s.planeOf(k, f)
			o.normals, o.offsets = append(o.normals, n), append(o.offsets, d)
		}
		o.vert, o.edge, o.face = cleared(o.vert, o.V.NVerts), cleared(o.edge, len(o.V.Edge)), cleared(o.face, o.V.NFaces)
		p.Lists[k].reset(o.V)
	}
}

// planeOf returns the plane of face f of A if k is 0, else of B.
func (s *Methods) planeOf(k, f int) (n vec.Vec3, d float64) {
	if k == 0 {
		return s.PlaneA(f)
	}
	return s.PlaneB(f)
}

// cleared returns flags for n features, none set.
func cleared(flags []bool, n int) []bool {
	flags = slices.Grow(flags[:0], n)[:n]
	clear(flags)
	return flags
}

// allFeatures makes the lists those of the initial detection: all features.
func (s *Methods) allFeatures() {
	for k := range s.Paper.Lists {
		v, l := s.Paper.sides[k].V, &s.Paper.Lists[k]
		l.reset(v)
		for i := range v.NVerts {
			l.addVertex(uint16(i))
		}
		for e := range v.Edge {
			l.addEdge(uint16(e))
		}
		for f := range v.NFaces {
			l.addFace(soa.Face(f))
		}
	}
}

// height returns the signed distance of point p from the plane of face f.
func (s *Methods) height(o *paperBody, f soa.Face, p vec.Vec3) float64 {
	s.Paper.Checks.Distance++
	return o.normals[f].Dot(p) - o.offsets[f]
}

// checkLists checks the features in the lists, and lists the contacts. all is true if these are all
// features. It reports whether the pair is decided: it has contacts, or an entrance farther than dtol
// excludes it. With all features it always is.
func (s *Methods) checkLists(all bool, list *typing.ContactList) bool {
	p := &s.Paper
	list.Basic = list.Basic[:0]
	p.found, p.apart, p.parallel, p.d0, p.deep = false, false, false, 0, entrance{d: math.Inf(-1)}
	s.check(list)
	// A local entrance deeper than the motion allows is not that of the step before.
	local := p.deep.d < -p.near && p.deep.d >= p.before-p.near
	if p.apart || p.found || p.deep.d > s.Tol.Round || !all && !local || p.deep.id.Kind == soa.NoFacet {
		return p.apart || p.found
	}
	// All are deeper than dtol: the planes stand at the entrance of least depth.
	vcp := s.planesAt(&p.deep)
	p.found, p.d0 = true, p.deep.d
	s.flagNear(&vcp)
	if s.check(list); all && len(list.Basic) == 0 {
		c := typing.BasicContact{Type: typeOfFacet[p.deep.id.Kind], A: p.deep.id.A, B: p.deep.id.B}
		s.number(&c, &vcp)
		list.Basic = append(list.Basic, c)
	}
	return len(list.Basic) > 0
}

// typeOfFacet is the type of the contact of the features of an entrance.
var typeOfFacet = [...]typing.Type{soa.FaceVertex: typing.TypeFaceVertex, soa.VertexFace: typing.TypeVertexFace, soa.EdgeEdge: typing.TypeEdgeEdge}

// check is Fig. 6: v(i)-f(j), then f(i)-v(j), then e(i)-e(j). It ends at once if an entrance
// excludes the pair.
func (s *Methods) check(list *typing.ContactList) {
	p := &s.Paper
	for of := range 2 {
		o, on := &p.sides[of], &p.sides[1-of]
		verts, faces := p.Lists[of].Verts, p.Lists[1-of].Faces
		for i := range len(verts) * len(faces) {
			// The vertices or faces of A come first.
			v, f := soa.Vertex(0), soa.Face(0)
			if of == 0 {
				v, f = soa.Vertex(verts[i/len(faces)]), soa.Face(faces[i%len(faces)])
			} else {
				v, f = soa.Vertex(verts[i%len(verts)]), soa.Face(faces[i/len(verts)])
			}
			if p.found && !(o.vert[v] && on.face[f]) {
				continue
			}
			if s.vertexFace(of, v, f, list); p.apart {
				return
			}
		}
	}
	for _, a := range p.Lists[0].Edges {
		for _, b := range p.Lists[1].Edges {
			if p.found && !(p.sides[0].edge[a] && p.sides[1].edge[b]) {
				continue
			}
			if s.edgeEdge(a, b, list); p.apart {
				return
			}
		}
	}
}

// vertexFace is Fig. 7: the check of vertex v of one body with face f of the other. of is 0 if v is
// a vertex of A, else 1.
func (s *Methods) vertexFace(of int, v soa.Vertex, f soa.Face, list *typing.ContactList) {
	p := &s.Paper
	o, on := &p.sides[of], &p.sides[1-of]
	at := entrance{id: soa.FacetID{Kind: soa.VertexFace, A: uint16(v), B: uint16(f)}, n: on.normals[f].Neg()}
	if of == 0 {
		p.Checks.VertexFace++
	} else {
		p.Checks.FaceVertex++
		at = entrance{id: soa.FacetID{Kind: soa.FaceVertex, A: uint16(f), B: uint16(v)}, n: on.normals[f]}
	}
	if p.Visit != nil {
		p.Visit(at.id.Kind, at.id.A, at.id.B)
	}
	at.d = s.height(on, f, o.H.At(int(v)))
	if !p.found && s.excludes(&at, func() bool { return s.vertexOut(o, v, on, f, 0) }) || math.Abs(at.d-p.d0) > p.near {
		return
	}
	// n_j counts f_j and the faces next to it within dtol.
	foot := o.H.At(int(v)).AddScaled(-at.d, on.normals[f])
	nj, edge := 1, soa.HalfEdge(0)
	first := on.V.LoopFirst[f]
	for h := first; h < first+on.V.LoopLen[f]; h++ {
		switch next := s.height(on, on.V.Face[on.V.Twin[h]], foot); {
		case next > p.near:
			return
		case next >= -p.near:
			nj, edge = nj+1, h
		}
	}
	kind, other := typing.TypeVertexFace, uint16(f)
	switch {
	case nj >= 3:
		kind, other = typing.TypeVertexVertex, nearestCorner(on, f, foot)
	case nj == 2:
		kind, other = typing.TypeVertexEdge, pair.EdgeNumber(on.V, edge)
	case !s.vertexOut(o, v, on, f, p.near):
		return
	}
	c := typing.BasicContact{Type: kind, A: uint16(v), B: other}
	if of == 1 {
		c = typing.BasicContact{Type: flipped[kind], A: other, B: uint16(v)}
	}
	s.addContact(c, list)
}

// flipped is the type of a contact with A and B exchanged.
var flipped = [typing.NTypes]typing.Type{
	typing.TypeVertexVertex: typing.TypeVertexVertex, typing.TypeVertexEdge: typing.TypeEdgeVertex, typing.TypeVertexFace: typing.TypeFaceVertex,
}

// nearestCorner returns the vertex of face f nearest to x.
func nearestCorner(o *paperBody, f soa.Face, x vec.Vec3) uint16 {
	best, least := uint16(0), math.Inf(1)
	for _, k := range o.V.Tail[o.V.LoopFirst[f]:][:o.V.LoopLen[f]] {
		if d := o.H.At(int(k)).Sub(x).Norm2(); d < least {
			best, least = uint16(k), d
		}
	}
	return best
}

// excludes is the exclusion of 2.1.4: it reports whether an entrance is farther than dtol, and sets
// apart if it is valid. A valid entrance of less distance is kept in deep if none is shallower.
func (s *Methods) excludes(at *entrance, valid func() bool) bool {
	p := &s.Paper
	if at.d > p.deep.d && valid() {
		p.deep, p.apart = *at, at.d > p.near
	}
	return at.d > p.near
}

// edgeEdge is Fig. 8: the check of edge a of A with edge b of B.
func (s *Methods) edgeEdge(a, b uint16, list *typing.ContactList) {
	p := &s.Paper
	p.Checks.EdgeEdge++
	if p.Visit != nil {
		p.Visit(soa.EdgeEdge, a, b)
	}
	h, k := s.ViewA.Edge[a], s.ViewB.Edge[b]
	n, crossing, ok := s.edgeNormal(h, k)
	if !ok {
		return
	}
	p.Checks.Distance++
	at := entrance{id: soa.FacetID{Kind: soa.EdgeEdge, A: a, B: b}, n: n}
	vcp, clear := s.crossing(h, k, n)
	if at.d = vcp.d; crossing {
		at.d = n.Dot(s.HullB.At(int(s.ViewB.Tail[k])).Sub(s.HullA.At(int(s.ViewA.Tail[h]))))
		if !p.found && s.excludes(&at, func() bool { return s.edgesOut(h, k, n, 0) }) {
			return
		}
	}
	if math.Abs(at.d-p.d0) <= p.near && clear > p.near && (!crossing || s.edgesOut(h, k, n, p.near)) {
		s.addContact(typing.BasicContact{Type: typing.TypeEdgeEdge, A: a, B: b}, list)
	}
}

// addContact records a contact that is not yet listed, with its VCPs. The first one flags what lies
// in their region.
func (s *Methods) addContact(c typing.BasicContact, list *typing.ContactList) {
	p := &s.Paper
	if slices.ContainsFunc(list.Basic, func(o typing.BasicContact) bool { return o.Type == c.Type && o.A == c.A && o.B == c.B }) {
		return
	}
	vcp, ok := s.planesOf(&c)
	// Others count within dtol of the first, as the vertices that n_v counts do.
	if !ok || vcp.d > p.near && (!p.found || vcp.d > p.d0+p.near) {
		return
	}
	s.number(&c, &vcp)
	list.Basic = append(list.Basic, c)
	if !p.found {
		p.found, p.d0 = true, vcp.d
		s.flagNear(&vcp)
	}
}

// flagNear flags the features in the region of the planes: the vertices within dtol of their body's
// plane, the edges with both ends there, and the faces of these edges.
func (s *Methods) flagNear(vcp *planes) {
	for k := range s.Paper.sides {
		o := &s.Paper.sides[k]
		clear(o.face)
		for i := range o.V.NVerts {
			o.vert[i] = s.nearPlane(k, soa.Vertex(i), vcp)
		}
		for e, h := range o.V.Edge {
			if o.edge[e] = o.vert[o.V.Tail[h]] && o.vert[o.V.Head(h)]; o.edge[e] {
				o.face[o.V.Face[h]], o.face[o.V.Face[o.V.Twin[h]]] = true, true
			}
		}
	}
}

// nearPlane reports whether vertex i of body k is within dtol of its body's plane.
func (s *Methods) nearPlane(k int, i soa.Vertex, vcp *planes) bool {
	s.Paper.Checks.Distance++
	return math.Abs(vcp.n.Dot(s.Paper.sides[k].H.At(int(i)).Sub(vcp.point(k)))) <= s.Paper.near
}

// paperType is the typing of 2.2.2 by the number of contacts.
func (s *Methods) paperType(list []typing.BasicContact) typing.Type {
	switch len(list) {
	case 0:
		return typing.NoType
	case 1:
		if c := &list[0]; c.Type == typing.TypeEdgeEdge && s.parallelEdges(c.A, c.B) {
			return typing.TypeEdgeParallel
		}
		return list[0].Type
	case 2:
		return s.twoContacts(&list[0], &list[1])
	}
	return typing.TypeFaceFace
}

// parallelEdges reports whether edge a of A and edge b of B are parallel: to one degree.
func (s *Methods) parallelEdges(a, b uint16) bool {
	p, p1 := s.EdgeA(int(a))
	q, q1 := s.EdgeB(int(b))
	return typing.Parallel(p1.Sub(p), q1.Sub(q))
}

// twoContacts returns the type of a pair with two contacts, which are sorted: e-e-parallel if both
// are of vertices and edges, on two edges that are parallel. Otherwise an edge lies on a face.
func (s *Methods) twoContacts(c, d *typing.BasicContact) typing.Type {
	switch {
	case c.Type == typing.TypeVertexFace || d.Type == typing.TypeVertexFace:
		return typing.TypeEdgeFace
	case c.Type == typing.TypeFaceVertex || d.Type == typing.TypeFaceVertex:
		return typing.TypeFaceEdge
	case d.Type != typing.TypeEdgeEdge:
		ok := s.commonEdges(c, d)
		switch {
		case ok[0] && ok[1] && s.parallelEdges(s.Paper.along[0], s.Paper.along[1]):
			return typing.TypeEdgeParallel
		case !ok[1] || ok[0] && d.Type == typing.TypeVertexEdge:
			return typing.TypeEdgeFace // from one edge of the face to another
		}
		return typing.TypeFaceEdge
	}
	// A vertex of the edge on the face, or the same edge crosses two sides of the face.
	h := s.ViewA.Edge[d.A]
	ofA := c.Type == typing.TypeVertexEdge || c.Type == typing.TypeEdgeEdge && c.A == d.A ||
		c.Type == typing.TypeVertexVertex && (uint16(s.ViewA.Tail[h]) == c.A || uint16(s.ViewA.Head(h)) == c.A)
	if ofA {
		return typing.TypeEdgeFace
	}
	return typing.TypeFaceEdge
}

// paperAnswer writes the answer: the contact of least distance, or a bound.
func (s *Methods) paperAnswer(list *typing.ContactList, out *pair.Answer) {
	if len(list.Basic) == 0 {
		at := &s.Paper.deep
		s.FarAnswer(at.n, at.d-s.Tol.Round, out)
		return
	}
	c := deepest(list.Basic)
	gap, n := c.Distance, c.Normal
	if c.Type == typing.TypeVertexVertex || c.Type == typing.TypeVertexEdge || c.Type == typing.TypeEdgeVertex {
		if vcp, ok := s.planesOf(c); ok {
			gap, n = vcp.least/s.Scale, s.RotA.Rotate(vcp.holds)
		}
	}
	out.SetGap(gap)
	out.Normal, out.ArmA = n, c.Point
	out.ArmB = c.Point.AddScaled(gap, n).Sub(s.RotA.Rotate(s.OriginB.Scale(1 / s.Scale)))
	out.Facet = soa.FacetID{Kind: facetKind[c.Type], A: c.A, B: c.B}
}

// deepest returns the contact of least distance, the first of several.
func deepest(list []typing.BasicContact) *typing.BasicContact {
	best := &list[0]
	for i := range list {
		if list[i].Distance < best.Distance {
			best = &list[i]
		}
	}
	return best
}

// facetKind names the features of a contact as a facet does.
var facetKind = [typing.NTypes]soa.FacetKind{
	typing.TypeVertexVertex: soa.VertexVertex, typing.TypeVertexEdge: soa.VertexEdge, typing.TypeVertexFace: soa.VertexFace,
	typing.TypeEdgeVertex: soa.EdgeVertex, typing.TypeFaceVertex: soa.FaceVertex, typing.TypeEdgeEdge: soa.EdgeEdge,
}
