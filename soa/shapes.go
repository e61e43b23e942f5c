package soa

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/vec"
)

// Typed indices. Vertex, Face, Edge and HalfEdge count from 0 within one shape.
type (
	Shape    uint32
	Vertex   uint16
	Face     uint16
	Edge     uint16
	HalfEdge uint16
)

// MaxVerts is the largest number of vertices of a shape. A closed polyhedron with MaxVerts vertices
// has at most 6·MaxVerts-12 half-edges, which a HalfEdge can index.
const MaxVerts = 8192

// ErrShape marks a shape that the arena cannot store.
var ErrShape = errors.New("shape does not fit the arena")

// Template is the input of Shapes.Add. Lengths are in m. The frame is the shape's own, with its
// origin at the centroid and the axes of its file. The frame of a facet is that of its wall, which
// all facets of the wall share.
type Template struct {
	Kind   Kind     // ball, block, facet or plane
	Name   string   // for messages
	Origin vec.Vec3 // the origin of the shape's frame, in the frame of the file
	Radius float64  // bounding radius about the origin; of a ball its radius
	Inner  float64  // radius of a ball about the origin inside the shape; 0 for a facet
	Round  float64  // rounding radius: the piece is all within Round of the shape; other fields ignore it

	Volume  float64  // m³; 0 for a facet
	Inertia vec.Sym3 // about the origin, for density 1: m⁵

	Verts   []vec.Vec3 // m, in the shape's frame; a ball and a plane have none
	Normals []vec.Vec3 // outward unit normal of each face
	Offsets []float64  // of each face: max over the vertices of normal·v
	// Caps, if not nil, has for each face the sine of the half angle of a cone about the face's
	// normal. For every direction in the cone, the support is among the face's vertices. The sine
	// is 0 if the face is not planar or nothing is known.
	Caps []float64
	// Label, if not nil, groups faces that are one face of the body as modelled but do not lie in
	// one plane. The label of each face is the largest face of its group. Bend, m, is the largest
	// distance of their vertices from a common plane. Contacts are typed and listed by labels; gaps
	// ignore labels.
	Label []Face
	Bend  float64

	// Half-edges. The half-edges of a face are contiguous, and counter-clockwise seen from outside.
	// Face f has LoopFirst[f] ≤ h < LoopFirst[f+1]. Half-edge h runs from Tail[h] to the tail of
	// the next half-edge in its face. Twin[h] is the opposite half-edge.
	LoopFirst []HalfEdge
	Tail      []Vertex
	Twin      []HalfEdge
}

// Shapes is the arena of shapes. It stores the vertices, planes and adjacency of all shapes one
// after the other.
type Shapes struct {
	// One row per shape.
	Kind   []Kind
	Radius []float64   // m, bounding radius about the shape's origin
	Inner  []float64   // m, radius of an inscribed ball about the origin
	Round  []float64   // m, rounding radius: how far the piece reaches beyond the shape
	rows   []*shapeRow // nil for a facet whose tables are not made: see AddFacets
	newest *shapeRow   // the last whose tables were made
	later  []laterFacets

	// Verts are the vertices, m, shape frame. They are padded to a multiple of Lanes by repeating
	// the last one. Ties go to the lowest index, so a pad can never win.
	Verts Vec3s
	// Planes are in the shape frame, n unit and outward, d in m. They are padded to a multiple of
	// Lanes with n = 0, d = +MaxFloat64, so that n·p - d of a pad is never the largest. The first
	// rows are NoPlane and WallPlane.
	Planes Planes

	// VertRows and PlaneRows contain the vertices and planes of blocks as rows of FeatureSize
	// numbers each, for kernels that look them up. A row of VertRows is x, y, z and 0; a row of
	// PlaneRows is normal and offset. See View.VertRow. The first rows of PlaneRows are NoPlane and
	// WallPlane.
	VertRows, PlaneRows []float64

	// Caps has one row per plane, see Template.Caps; pads are 0.
	Caps []float64

	// Adjacency. loopFirst and loopLen have one row per plane, ringFirst and ringLen one row per
	// vertex, including pads. The other columns have one row per half-edge, except edge.
	loopFirst, ringFirst []HalfEdge
	loopLen, ringLen     []HalfEdge
	tail                 []Vertex
	twin                 []HalfEdge
	face                 []Face
	ring                 []HalfEdge // outgoing half-edges of each vertex, clockwise seen from outside
	edge                 []HalfEdge // one row per edge: its lower half-edge

	// Derived by Add, see rims.go: one row per half-edge, plane and vertex.
	rims       []Rim
	clearances []FaceDepth
	pointed    []bool
	outEdges   []OutEdge // in the order of ring, see outedges.go

	// Corners is the table of the corners of all shapes, CornerSize numbers per row; see
	// corners.go.
	Corners        []float64
	cornerOfVertex []uint32

	// Quads is the table of the quads of all shapes, QuadSize numbers per row; see quads.go.
	Quads      []float64
	quadOfFace []Quad
}

// shapeRow is what is known of a shape whose tables are made.
type shapeRow struct {
	view    View
	name    string
	origin  vec.Vec3 // m, centroid in the frame of the file
	volume  float64  // m³
	inertia vec.Sym3 // m⁵, about the origin for density 1
	at      offsets
}

// offsets holds the first rows of a shape in the columns, and its numbers of rows.
type offsets struct {
	vert, plane, half, edge, nVerts, nFaces, nHalf int
	rows                                           rowsAt
}

// View gives access to the rows of one shape. Its slices must not be written to. X, Y, Z and NX,
// NY, NZ, D include padding; NVerts and NFaces do not.
type View struct {
	Kind           Kind    // as in Template
	Shape          Shape   // its row in the arena
	Arena          *Shapes // the arena that stores the shape
	NVerts, NFaces int     // without padding
	Radius, Inner  float64 // m, of the bounding ball, and of a ball inside
	Round          float64 // see Template

	// First rows of its vertices, planes and half-edges in the columns of all shapes.
	FirstVert, FirstPlane, FirstHalf uint32
	// Where its rows start in Shapes.VertRows and PlaneRows, counted in numbers. The row of vertex
	// k starts at VertRow + FeatureSize·k. Both are 0 unless the shape is a block.
	VertRow, PlaneRow uint32

	X, Y, Z       []float64 // vertices, m, shape frame
	NX, NY, NZ, D []float64 // planes
	Caps          []float64 // by face
	Label         []Face    // by face, or nil; see Template
	Bend          float64   // as in Template
	Distinct      bool      // no inner point of a face is near the plane of another face, see distinct.go

	LoopFirst, LoopLen []HalfEdge // by face
	RingFirst, RingLen []HalfEdge // by vertex, into Ring
	Ring               []HalfEdge // outgoing half-edges of a vertex, clockwise seen from outside
	Tail               []Vertex   // by half-edge
	Twin               []HalfEdge // by half-edge
	Face               []Face     // by half-edge
	Edge               []HalfEdge // by edge: its lower half-edge

	Rims       []Rim       // by half-edge
	Clearances []FaceDepth // by face
	Pointed    []bool      // by vertex: its edges span a strictly convex corner
	OutEdges   []OutEdge   // in the order of Ring

	CornerOfVertex []uint32 // by vertex: where its row starts in Shapes.Corners, or 0

	// Quads is the table of all shapes. QuadOfFace has, by face, where a row starts, or 0.
	Quads      []float64 // QuadSize numbers per row; quads.go has their units
	QuadOfFace []Quad
}

// Labelled returns the label of face f. If the shape has no labels, it returns f.
func (v *View) Labelled(f Face) Face {
	if len(v.Label) == 0 {
		return f
	}
	return v.Label[f]
}

// Vert returns vertex k, shape frame.
func (v *View) Vert(k Vertex) vec.Vec3 { return vec.Vec3{X: v.X[k], Y: v.Y[k], Z: v.Z[k]} }

// Normal returns the outward unit normal of face f, shape frame.
func (v *View) Normal(f Face) vec.Vec3 { return vec.Vec3{X: v.NX[f], Y: v.NY[f], Z: v.NZ[f]} }

// FaceArea returns the area of a face, m².
func (v *View) FaceArea(f Face) float64 {
	loop := v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]]
	first, twice := v.Vert(loop[0]), vec.Vec3{}
	for k := 2; k < len(loop); k++ {
		twice = twice.Add(v.Vert(loop[k-1]).Sub(first).Cross(v.Vert(loop[k]).Sub(first)))
	}
	return float64(0.5 * twice.Norm())
}

// Next returns the half-edge that follows h in its face.
func (v *View) Next(h HalfEdge) HalfEdge {
	f := v.Face[h]
	if h++; h == v.LoopFirst[f]+v.LoopLen[f] {
		return v.LoopFirst[f]
	}
	return h
}

// Head returns the vertex at the end of h.
func (v *View) Head(h HalfEdge) Vertex { return v.Tail[v.Twin[h]] }

// WalkView declares the accesses of a look at the view of shape h, and returns the columns of its rows by field.
func (s *Shapes) WalkView(w *access.Walk, h Shape) map[string]*access.Declared {
	v := s.View(h)
	access.Of(w, "Shapes", s.rows).Read(int(h))
	access.Value(w, "Shapes", v).Read(0)
	return access.Fields(w, "Shapes", v)
}

// WalkShape declares the accesses of a search that reads all features of shape h.
func (s *Shapes) WalkShape(w *access.Walk, h Shape) {
	of := s.WalkView(w, h)
	for _, name := range [...]string{
		"X", "Y", "Z", "NX", "NY", "NZ", "D", "LoopFirst", "LoopLen", "RingFirst", "RingLen", "Ring", "Tail", "Twin", "Face", "Edge", "OutEdges",
	} {
		of[name].ReadAll()
	}
}

// Len returns the number of shapes.
func (s *Shapes) Len() int { return len(s.Kind) }

// View returns the view of shape h. It is valid until the next Add. View makes the tables of a facet of
// AddFacets that has none yet; only then it must not run beside other calls.
func (s *Shapes) View(h Shape) *View {
	if r := s.rows[h]; r != nil {
		return &r.view
	}
	return s.makeFacet(h)
}

// Origin returns the origin of the frame of a shape in the frame of its file, m.
func (s *Shapes) Origin(h Shape) (origin vec.Vec3) {
	if r := s.rows[h]; r != nil {
		origin = r.origin
	}
	return origin
}

// Volume returns the volume of a shape, m³, and its inertia about the origin for density 1, m⁵. Both
// are 0 for a facet.
func (s *Shapes) Volume(h Shape) (volume float64, inertia vec.Sym3) {
	if r := s.rows[h]; r != nil {
		volume, inertia = r.volume, r.inertia
	}
	return volume, inertia
}

// First rows of Shapes.Planes, for kernels that look planes up. NoPlane bounds nothing, like a pad.
// WallPlane is the plane of a shape of kind Plane. The planes of shapes follow.
const (
	NoPlane = iota
	WallPlane
)

// addFirstPlanes writes the rows NoPlane and WallPlane.
func (s *Shapes) addFirstPlanes() {
	s.Planes.Resize(Lanes)
	for f := range s.Planes.D {
		s.Planes.D[f] = math.MaxFloat64
	}
	s.Planes.N.Z[WallPlane], s.Planes.D[WallPlane] = 1, 0
	for f := range s.Planes.D[:WallPlane+1] {
		n := s.Planes.N.At(f)
		s.PlaneRows = append(s.PlaneRows, n.X, n.Y, n.Z, s.Planes.D[f])
	}
}

// Add copies a shape into the arena, writes its pads and returns its index. It returns an error
// that wraps ErrShape if the shape is too large or its half-edges are not consistent. The
// polyhedron must be convex; geometry builds valid templates.
func (s *Shapes) Add(t *Template) (Shape, error) {
	if err := t.check(); err != nil {
		return 0, fmt.Errorf("soa: shape %q: %w", t.Name, err)
	}
	h := s.addRow(t.Kind, t.Radius, t.Inner, t.Round)
	s.makeRow(h, t)
	return h, nil
}

// addRow appends a shape without tables.
func (s *Shapes) addRow(kind Kind, radius, inner, round float64) Shape {
	s.Kind = append(s.Kind, kind)
	s.Radius = append(s.Radius, radius)
	s.Inner = append(s.Inner, inner)
	s.Round = append(s.Round, round)
	s.rows = append(s.rows, nil)
	return Shape(len(s.Kind) - 1)
}

// makeRow makes the tables of a shape, whose template has been checked.
func (s *Shapes) makeRow(h Shape, t *Template) {
	if len(s.Planes.D) == 0 {
		s.addFirstPlanes()
	}
	o := offsets{
		vert: len(s.Verts.X), plane: len(s.Planes.D), half: len(s.tail), edge: len(s.edge),
		nVerts: len(t.Verts), nFaces: len(t.Normals), nHalf: len(t.Tail),
	}
	s.addVerts(t, o)
	s.addPlanes(t, o)
	s.addHalfEdges(t, o)
	s.addRims(t, o)
	s.addOutEdges(t, o)
	s.addCorners(t, o)
	o.rows = s.addFeatureRows(t)
	s.addQuads(t, o)
	s.addView(h, &shapeRow{name: t.Name, origin: t.Origin, volume: t.Volume, inertia: t.Inertia, at: o,
		view: View{Label: slices.Clone(t.Label), Bend: t.Bend, Distinct: t.isDistinct()}})
}

func (t *Template) check() error {
	switch {
	case t.Kind >= NKinds:
		return fmt.Errorf("%v, expected one of %v: %w", t.Kind, kindNames, ErrShape)
	case !(t.Radius >= 0 && t.Radius <= math.MaxFloat64): // a ball of radius 0 is a point
		return fmt.Errorf("radius %g, expected ≥ 0 and finite: %w", t.Radius, ErrShape)
	case !(t.Inner >= 0 && t.Inner <= t.Radius):
		return fmt.Errorf("inner radius %g, expected 0 to the radius, %g: %w", t.Inner, t.Radius, ErrShape)
	case t.Kind.IsRound() || t.Kind.IsEndless():
		return nil
	case len(t.Verts) < 3 || len(t.Verts) > MaxVerts:
		return fmt.Errorf("%d vertices, expected 3 to %d: %w", len(t.Verts), MaxVerts, ErrShape)
	case slices.ContainsFunc(t.Verts, func(v vec.Vec3) bool { return !v.Finite() }):
		return fmt.Errorf("vertices %v, expected finite: %w", t.Verts[:min(len(t.Verts), 8)], ErrShape)
	case len(t.Normals) < 2 || len(t.Offsets) != len(t.Normals) || t.Caps != nil && len(t.Caps) != len(t.Normals) || len(t.LoopFirst) != len(t.Normals)+1:
		return fmt.Errorf("%d normals, %d offsets, %d loop bounds: %w",
			len(t.Normals), len(t.Offsets), len(t.LoopFirst), ErrShape)
	case len(t.Label) != 0 && len(t.Label) != len(t.Normals):
		return fmt.Errorf("%d normals with %d labels: %w", len(t.Normals), len(t.Label), ErrShape)
	case slices.ContainsFunc(t.Label, func(f Face) bool { return int(f) >= len(t.Normals) }):
		return fmt.Errorf("labels %v of %d faces, expected faces: %w", t.Label, len(t.Normals), ErrShape)
	case len(t.Twin) != len(t.Tail) || len(t.Tail) > math.MaxUint16 || len(t.Tail)%2 != 0:
		return fmt.Errorf("%d half-edges with %d twins: %w", len(t.Tail), len(t.Twin), ErrShape)
	}
	if lo, hi := t.LoopFirst[0], t.LoopFirst[len(t.Normals)]; lo != 0 || int(hi) != len(t.Tail) {
		return fmt.Errorf("loops hold half-edges %d to %d, expected 0 to %d: %w", lo, hi, len(t.Tail), ErrShape)
	}
	for f, n := range t.Normals {
		if !(math.Abs(n.Norm2()-1) < 1e-6) || t.Offsets[f]-t.Offsets[f] != 0 {
			return fmt.Errorf("face %d with the normal %v and the offset %g, expected a unit vector and finite: %w", f, n, t.Offsets[f], ErrShape)
		}
		lo, hi := int(t.LoopFirst[f]), int(t.LoopFirst[f+1])
		if hi < lo+3 || hi > len(t.Tail) {
			return fmt.Errorf("loop of face %d holds half-edges %d to %d, expected 3 or more: %w", f, lo, hi, ErrShape)
		}
		for h := lo; h < hi; h++ {
			next := h + 1
			if next == hi {
				next = lo
			}
			w := int(t.Twin[h])
			if w >= len(t.Twin) || int(t.Twin[w]) != h || w == h || int(t.Tail[h]) >= len(t.Verts) || t.Tail[w] != t.Tail[next] {
				return fmt.Errorf("half-edge %d from vertex %d to %d has twin %d: %w", h, t.Tail[h], t.Tail[next], w, ErrShape)
			}
		}
	}
	return nil
}

// loop returns the vertices of face f.
func (t *Template) loop(f int) []Vertex { return t.Tail[t.LoopFirst[f]:t.LoopFirst[f+1]] }

// neighbours returns the next and the previous half-edge, in its face, of each half-edge.
func (t *Template) neighbours() (next, prev []HalfEdge) {
	next, prev = make([]HalfEdge, len(t.Tail)), make([]HalfEdge, len(t.Tail))
	for f := range t.Normals {
		before := t.LoopFirst[f+1] - 1
		for h := t.LoopFirst[f]; h < t.LoopFirst[f+1]; h++ {
			next[before], prev[h] = h, before
			before = h
		}
	}
	return next, prev
}

func (s *Shapes) addVerts(t *Template, o offsets) {
	n := o.vert + Pad(len(t.Verts))
	s.Verts.Resize(n)
	s.ringFirst = Resize(s.ringFirst, n)
	s.ringLen = Resize(s.ringLen, n)
	for k := o.vert; k < n; k++ {
		s.Verts.Set(k, t.Verts[min(k-o.vert, len(t.Verts)-1)])
	}
}

func (s *Shapes) addPlanes(t *Template, o offsets) {
	n := o.plane + Pad(len(t.Normals))
	s.Planes.Resize(n)
	s.Caps = Resize(s.Caps, n)
	copy(s.Caps[o.plane:], t.Caps)
	s.loopFirst = Resize(s.loopFirst, n)
	s.loopLen = Resize(s.loopLen, n)
	for f, normal := range t.Normals {
		s.Planes.N.Set(o.plane+f, normal)
		s.Planes.D[o.plane+f] = t.Offsets[f]
		s.loopFirst[o.plane+f] = t.LoopFirst[f]
		s.loopLen[o.plane+f] = t.LoopFirst[f+1] - t.LoopFirst[f]
	}
	for f := o.plane + len(t.Normals); f < n; f++ {
		s.Planes.N.Set(f, vec.Vec3{})
		s.Planes.D[f] = math.MaxFloat64
	}
}

func (s *Shapes) addHalfEdges(t *Template, o offsets) {
	s.tail = append(s.tail, t.Tail...)
	s.twin = append(s.twin, t.Twin...)
	n := o.half + len(t.Tail)
	s.face = Resize(s.face, n)
	s.ring = Resize(s.ring, n)
	for f := range t.Normals {
		for h := t.LoopFirst[f]; h < t.LoopFirst[f+1]; h++ {
			s.face[o.half+int(h)] = Face(f)
		}
	}
	next, _ := t.neighbours()
	// The outgoing half-edges of a vertex in clockwise order, beginning with its lowest one. The
	// twin of h ends at the vertex, and the half-edge that follows the twin in its face starts
	// there.
	first := make([]int, len(t.Verts))
	for h := len(t.Tail) - 1; h >= 0; h-- {
		first[t.Tail[h]] = h + 1
	}
	at := HalfEdge(0)
	for k, h1 := range first {
		s.ringFirst[o.vert+k] = at
		if h1 == 0 {
			continue
		}
		start := HalfEdge(h1 - 1)
		for h := start; ; {
			s.ring[o.half+int(at)] = h
			at++
			h = next[t.Twin[h]]
			if h == start || int(at) >= len(t.Tail) {
				break
			}
		}
		s.ringLen[o.vert+k] = at - s.ringFirst[o.vert+k]
	}
	for h, w := range t.Twin {
		if HalfEdge(h) < w {
			s.edge = append(s.edge, HalfEdge(h))
		}
	}
}

// addView sets the view of shape h, whose rows are the newest. If they have moved a column, addView
// also renews all other views. To find out, it suffices to check one of them.
func (s *Shapes) addView(h Shape, r *shapeRow) {
	if old := s.newest; old != nil && !old.view.sameColumns(s.view(old)) {
		for _, other := range s.rows {
			if other != nil {
				other.view = s.view(other)
			}
		}
	}
	v := &r.view
	v.Kind, v.Shape, v.Radius, v.Inner, v.Round = s.Kind[h], h, s.Radius[h], s.Inner[h], s.Round[h]
	r.view = s.view(r)
	s.rows[h], s.newest = r, r
}

// sameColumns reports whether every slice of v and w starts at the same address. Columns of one
// length may differ in capacity because of their alignment, so Add may move one column and not
// another.
func (v *View) sameColumns(w View) bool {
	a, b := reflect.ValueOf(v).Elem(), reflect.ValueOf(&w).Elem()
	for i := range a.NumField() {
		if f := a.Field(i); f.Kind() == reflect.Slice && f.Pointer() != b.Field(i).Pointer() {
			return false
		}
	}
	return true
}

// view returns the view of a shape with the present columns.
func (s *Shapes) view(r *shapeRow) View {
	o, v := r.at, r.view
	v0, v1 := o.vert, o.vert+Pad(o.nVerts)
	f0, f1 := o.plane, o.plane+Pad(o.nFaces)
	h0, h1 := o.half, o.half+o.nHalf
	e0, e1 := o.edge, o.edge+o.nHalf/2
	return View{
		Kind: v.Kind, Shape: v.Shape, Arena: s, NVerts: o.nVerts, NFaces: o.nFaces, Radius: v.Radius, Inner: v.Inner, Round: v.Round,
		Label: v.Label, Bend: v.Bend, Distinct: v.Distinct,
		FirstVert: uint32(o.vert), FirstPlane: uint32(o.plane), FirstHalf: uint32(o.half),
		VertRow: o.rows.vert, PlaneRow: o.rows.plane,
		X: s.Verts.X[v0:v1:v1], Y: s.Verts.Y[v0:v1:v1], Z: s.Verts.Z[v0:v1:v1],
		NX: s.Planes.N.X[f0:f1:f1], NY: s.Planes.N.Y[f0:f1:f1], NZ: s.Planes.N.Z[f0:f1:f1],
		D: s.Planes.D[f0:f1:f1], Caps: s.Caps[f0:f1:f1],
		LoopFirst: s.loopFirst[f0:f1:f1], LoopLen: s.loopLen[f0:f1:f1],
		RingFirst: s.ringFirst[v0:v1:v1], RingLen: s.ringLen[v0:v1:v1],
		Ring: s.ring[h0:h1:h1], Tail: s.tail[h0:h1:h1], Twin: s.twin[h0:h1:h1], Face: s.face[h0:h1:h1],
		Edge: s.edge[e0:e1:e1],
		Rims: s.rims[h0:h1:h1], Clearances: s.clearances[f0:f1:f1], Pointed: s.pointed[v0:v1:v1], OutEdges: s.outEdges[h0:h1:h1],
		CornerOfVertex: s.cornerOfVertex[v0:v1:v1],
		Quads:          s.Quads, QuadOfFace: s.quadOfFace[f0:f1:f1],
	}
}
