package overlap

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Most overlaps are of a few types, such as a corner in a face or two crossing edges. The features
// name the type. A caller may know the features from the narrow phase's result or from the last
// step; then a formula computes the overlap. The signs of some fifty differences prove that the
// overlap is of the type (asm.ShareCorners4, ShareCrossings). If nothing is known, Clipper.Share
// finds the features in the faces of the overlap and uses the same formula. Therefore the result
// never depends on where the features come from.

// shareClear, relative to the sum of both radii, is the margin by which signs that prove a type
// must differ from zero. It is thousands of roundings of the coordinates, so the faces of the
// overlap name the same features. Smaller: Share may return different bits with known features than
// without. Larger: fewer overlaps are of a type.
const shareClear = 0x1p-40

// shape is a type of overlap that has a formula.
type shape uint8

const (
	clipped  shape = iota // no type
	corner4               // a corner of up to four edges in a face
	corner8               // a corner of up to eight edges in a face
	crossing              // two crossing edges
	prism4                // a prism of up to four sides
	prism6
	prism8
	held4 // a prism of up to four sides, proven in an earlier step and still within its motion budget
	held6
	held8
	coplanar4 // held4 with further planes that are coplanar with its faces
	nShapes
)

// The largest number of edges of a corner, and of sides of a face.
const (
	mostEdges = 8
	mostSides = 4
)

// typed is a table of overlaps of one type, one in each row. A row has the positions of features in
// the tables of an arena.
type typed struct {
	shape  shape
	shares *asm.TypedOverlaps
	tables asm.OverlapTables // the tables set in shares

	// The columns of shares that rows are written to, one after the other. Their sizes are
	// constants, so a row is written without bounds checks.
	bodies  *[2 * BatchRows]uint32
	at      *[asm.SharePlanes * BatchRows]uint32
	numbers *[asm.ShareNumbers * BatchRows]float64
}

func newTyped(s shape) typed {
	of := asm.NewShares(BatchRows)
	return typed{
		s, of, asm.OverlapTables{}, (*[2 * BatchRows]uint32)(of.Bodies[0][:2*BatchRows]),
		(*[asm.SharePlanes * BatchRows]uint32)(of.At[0][:asm.SharePlanes*BatchRows]),
		(*[asm.ShareNumbers * BatchRows]float64)(of.Numbers[0][:asm.ShareNumbers*BatchRows]),
	}
}

// lookUp sets the tables of an arena, and the rows of poses.
func (t *typed) lookUp(shapes *soa.Shapes, poses []float64) {
	of := &t.tables
	if sameTable(of.Poses, poses) && sameTable(of.Corners, shapes.Corners) && sameTable(of.Verts, shapes.VertRows) && sameTable(of.Planes, shapes.PlaneRows) &&
		sameTable(of.Rims, shapes.RimNumbers()) {
		return
	}
	*of = asm.OverlapTables{Poses: poses, Corners: shapes.Corners, Rims: shapes.RimNumbers(), Verts: shapes.VertRows, Planes: shapes.PlaneRows}
	t.shares.SetTables(*of)
}

// sameTable reports whether two slices have the same memory and length.
func sameTable(a, b []float64) bool {
	return len(a) == len(b) && unsafe.SliceData(a) == unsafe.SliceData(b)
}

// noPlane is the start of the row of the plane that bounds nothing.
const noPlane = soa.FeatureSize * soa.NoPlane

// firstPlanes returns the starts of the rows of A's and B's planes.
func firstPlanes(va, vb *soa.View) [2]uint32 {
	if vb.Kind.IsEndless() {
		return [2]uint32{va.PlaneRow, soa.FeatureSize * soa.WallPlane}
	}
	return [2]uint32{va.PlaneRow, vb.PlaneRow}
}

// rimAt returns the start of a half-edge's row in the table of rims.
func rimAt(v *soa.View, h soa.HalfEdge) uint32 { return asm.RimNumbers * (v.FirstHalf + uint32(h)) }

// vertAt returns the start of a vertex's row in the table of vertices.
func vertAt(v *soa.View, k soa.Vertex) uint32 { return v.VertRow + soa.FeatureSize*uint32(k) }

// flatFaced reports whether a body is a block whose faces are known to have all their corners in
// their planes. Then the planes, which cut other bodies, and the vertices bound the same body.
func flatFaced(v *soa.View) bool { return v.Kind.IsPolyhedron() && v.Clearances[0].Depth > 0 }

// shapeOf returns the type of overlap that the features of a facet suggest for two bodies.
func shapeOf(va, vb *soa.View, id soa.FacetID) shape {
	v, g, k, f := va, vb, id.A, id.B
	switch id.Kind {
	case soa.EdgeEdge:
		if flatFaced(va) && flatFaced(vb) && int(id.A) < len(va.Edge) && int(id.B) < len(vb.Edge) {
			return crossing
		}
		return clipped
	case soa.FaceVertex:
		v, g, k, f = vb, va, id.B, id.A
	case soa.VertexFace:
	default:
		return clipped
	}
	if !flatFaced(v) || int(k) >= v.NVerts || !v.Pointed[k] || v.RingLen[k] > mostEdges {
		return clipped
	}
	if !g.Kind.IsEndless() && (!flatFaced(g) || int(f) >= g.NFaces || g.LoopLen[f] > mostSides) {
		return clipped
	}
	if v.RingLen[k] > 4 {
		return corner8
	}
	return corner4
}

// clearOf returns the margin, m, by which the signs that prove a type must differ from zero. a and b
// are the rows of the poses.
func clearOf(va, vb *soa.View, poses []float64, a, b uint32) float64 {
	if vb.Kind.IsEndless() {
		at := func(row uint32) vec.Vec3 {
			p := (*[3]float64)(poses[asm.PoseNumbers*row:])
			return vec.Vec3{X: p[0], Y: p[1], Z: p[2]}
		}
		return float64(shareClear * (va.Radius + at(a).Sub(at(b)).MaxAbs()))
	}
	return float64(shareClear * (va.Radius + vb.Radius))
}

// facet writes row i for two bodies of one arena, from the features of a facet: a corner in a face,
// or two crossing edges. a and b are the rows of the poses.
func (t *typed) facet(i int, a, b uint32, va, vb *soa.View, id soa.FacetID, clear float64) {
	switch {
	case t.shape == crossing:
		e, h := va.Edge[id.A], vb.Edge[id.B]
		verts := [4]uint32{vertAt(va, va.Tail[e]), vertAt(va, va.Head(e)), vertAt(vb, vb.Tail[h]), vertAt(vb, vb.Head(h))}
		rims := [4]uint32{rimAt(va, e), rimAt(va, va.Twin[e]), rimAt(vb, h), rimAt(vb, vb.Twin[h])}
		t.crossing(i, a, b, verts, rims, clear)
	case id.Kind == soa.FaceVertex:
		t.corner(i, b, a, vb, va, soa.Vertex(id.B), soa.Face(id.A), clear, -1)
	default:
		t.corner(i, a, b, va, vb, soa.Vertex(id.A), soa.Face(id.B), clear, 1)
	}
}

// corner writes row i: corner k of vv in face f of vg. v and g are the rows of their poses. sign is
// 1 if the corner is A's, and -1 if it is B's.
func (t *typed) corner(i int, v, g uint32, vv, vg *soa.View, k soa.Vertex, f soa.Face, clear, sign float64) {
	const rows = BatchRows
	i &= rows - 1
	at, numbers := t.at, t.numbers
	t.bodies[i], t.bodies[rows+i] = asm.PoseNumbers*v, asm.PoseNumbers*g
	at[i] = vv.CornerOfVertex[k]
	numbers[asm.ShareClear*rows+i], numbers[asm.ShareSign*rows+i] = clear, sign
	var sides [mostSides]uint32
	var face [6]float64
	if vg.Kind.IsEndless() {
		face = [6]float64{0, 0, 1, 0, -math.MaxFloat64, math.MaxFloat64} // bounded by no side
	} else {
		first, last := rimAt(vg, vg.LoopFirst[f]), asm.RimNumbers*uint32(vg.LoopLen[f]-1)
		for k := range sides {
			sides[k] = first + min(asm.RimNumbers*uint32(k), last)
		}
		room := &vg.Clearances[f]
		face = [6]float64{vg.NX[f], vg.NY[f], vg.NZ[f], vg.D[f], room.Cot, room.Depth}
	}
	for k, side := range sides {
		at[(1+k)*rows+i] = side
	}
	for k, number := range face {
		numbers[(asm.ShareFace+k)*rows+i] = number
	}
}

// crossing writes row i: two edges. verts are the tail and head of A's edge and of B's edge. rims
// are those of A's two half-edges and of B's.
func (t *typed) crossing(i int, a, b uint32, verts, rims [4]uint32, clear float64) {
	const rows = BatchRows
	i &= rows - 1
	t.bodies[i], t.bodies[rows+i] = asm.PoseNumbers*a, asm.PoseNumbers*b
	for k := range verts {
		t.at[k*rows+i], t.at[(4+k)*rows+i] = verts[k], rims[k]
	}
	t.numbers[asm.ShareClear*rows+i] = clear
}

// solve computes the rows lo ≤ i < hi.
func (t *typed) solve(lo, hi int) {
	switch t.shape {
	case corner4:
		asm.ShareCorners4(t.shares, lo, hi)
	case corner8:
		asm.ShareCorners8(t.shares, lo, hi)
	case crossing:
		asm.ShareCrossings(t.shares, lo, hi)
	case prism4:
		asm.SharePrisms4(t.shares, lo, hi)
	case prism6:
		asm.SharePrisms6(t.shares, lo, hi)
	case prism8:
		asm.SharePrisms8(t.shares, lo, hi)
	case held4:
		asm.SharePrismsHeld4(t.shares, lo, hi)
	case held6:
		asm.SharePrismsHeld6(t.shares, lo, hi)
	case held8:
		asm.SharePrismsHeld8(t.shares, lo, hi)
	case coplanar4:
		asm.SharePrismsCoplanar4(t.shares, lo, hi)
	}
}

// get writes row i to s, and reports whether the overlap is proven to be of the type.
func (t *typed) get(i int, s *Moments) (known bool) {
	c := &t.shares.Answers
	if c[asm.ShareKnown][i] == 0 {
		return false
	}
	s.read(c, i, c[asm.ShareThickness][i])
	return true
}
