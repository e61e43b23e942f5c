package overlap

import (
	"math"
	"unsafe"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Most overlaps are of a few types: a corner in a face, two edges that cross. The features say
// which, and whoever knows them from elsewhere, from the answer of the narrow phase or from the
// last step, has the overlap by a formula. The signs of some fifty differences prove that the
// overlap is of that type (asm.ShareCorners4, ShareCrossings). So the answer never depends on
// where the features come from: Clipper.Share looks for them in the faces of the overlap, and then
// takes the same formula.

// shareClear, relative to both bodies' radii, is by how much the signs that prove a type must be
// clear of zero: thousands of roundings of the coordinates, so that the faces of the overlap name
// the same features. Smaller: Share may find other bits with the features known than without.
// Larger: fewer overlaps are of a type.
const shareClear = 0x1p-40

// shape is a type of overlaps that has a formula.
type shape uint8

const (
	clipped  shape = iota // none
	corner4               // a corner of up to four edges in a face
	corner8               // of up to eight
	crossing              // two edges
	prism4                // a prism of up to four sides
	prism6
	prism8
	held4 // a prism of up to four sides that was proven in an earlier step, and is still by its motion budget
	held6
	held8
	coplanar4 // held4 with planes beside it that are those of its faces
	nShapes
)

// most is how many edges a corner and how many sides a face may have.
const (
	mostEdges = 8
	mostSides = 4
)

// typed is overlaps of one type, a row each. Its rows say where features stand: in the tables of an
// arena, or in small ones of a pair alone.
type typed struct {
	shape  shape
	shares *asm.Shares
	tables asm.ShareTables // of shares

	// The columns of shares that rows are written to, one behind the other. Their sizes are constants, so that
	// a row is written without a test of each index.
	bodies  *[2 * BatchRows]uint32
	at      *[asm.SharePlanes * BatchRows]uint32
	numbers *[asm.ShareNumbers * BatchRows]float64
}

func newTyped(s shape) typed {
	of := asm.NewShares(BatchRows)
	return typed{
		s, of, asm.ShareTables{}, (*[2 * BatchRows]uint32)(of.Bodies[0][:2*BatchRows]),
		(*[asm.SharePlanes * BatchRows]uint32)(of.At[0][:asm.SharePlanes*BatchRows]),
		(*[asm.ShareNumbers * BatchRows]float64)(of.Numbers[0][:asm.ShareNumbers*BatchRows]),
	}
}

// lookUp sets the tables: those of an arena, and rows of poses.
func (t *typed) lookUp(shapes *soa.Shapes, poses []float64) {
	of := &t.tables
	if sameTable(of.Poses, poses) && sameTable(of.Corners, shapes.Corners) && sameTable(of.Verts, shapes.VertRows) && sameTable(of.Planes, shapes.PlaneRows) &&
		sameTable(of.Rims, shapes.RimNumbers()) {
		return
	}
	*of = asm.ShareTables{Poses: poses, Corners: shapes.Corners, Rims: shapes.RimNumbers(), Verts: shapes.VertRows, Planes: shapes.PlaneRows}
	t.shares.SetTables(*of)
}

// sameTable reports whether two slices are the same.
func sameTable(a, b []float64) bool {
	return len(a) == len(b) && unsafe.SliceData(a) == unsafe.SliceData(b)
}

// noPlane is where the row of the plane that bounds nothing starts.
const noPlane = soa.FeatureSize * soa.NoPlane

// firstPlanes returns where the rows of either body's planes start.
func firstPlanes(va, vb *soa.View) [2]uint32 {
	if vb.Kind == soa.Plane {
		return [2]uint32{va.PlaneRow, soa.FeatureSize * soa.WallPlane}
	}
	return [2]uint32{va.PlaneRow, vb.PlaneRow}
}

// rimAt returns where the row of a half-edge starts in the table of rims.
func rimAt(v *soa.View, h soa.HalfEdge) uint32 { return asm.RimNumbers * (v.FirstHalf + uint32(h)) }

// vertAt returns where the row of a vertex starts.
func vertAt(v *soa.View, k soa.Vertex) uint32 { return v.VertRow + soa.FeatureSize*uint32(k) }

// level reports whether a body is a block whose faces have all their corners in their planes, as far as that
// is known: then the planes, which cut others, and the vertices bound the same body.
func flatFaced(v *soa.View) bool { return v.Kind == soa.Block && v.Rooms[0].Depth > 0 }

// shapeOf returns the type of the overlap of two bodies that the features of a facet suppose.
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
	if g.Kind != soa.Plane && (!flatFaced(g) || int(f) >= g.NFaces || g.LoopLen[f] > mostSides) {
		return clipped
	}
	if v.RingLen[k] > 4 {
		return corner8
	}
	return corner4
}

// clearOfPlane is Clipper.clearOf for a plane.
func clearOfPlane(v *soa.View, pos, plane vec.Vec3) float64 {
	return float64(shareClear * (v.Radius + pos.Sub(plane).MaxAbs()))
}

// facet writes row i of bodies of one arena: the corner, or the edges that cross, that a facet's features suppose. A and B are rows of the
// poses.
func (t *typed) facet(i int, a, b uint32, va, vb *soa.View, id soa.FacetID, clear float64) {
	switch {
	case t.shape == crossing:
		e, h := va.Edge[id.A], vb.Edge[id.B]
		verts := [4]uint32{vertAt(va, va.Tail[e]), vertAt(va, va.Head(e)), vertAt(vb, vb.Tail[h]), vertAt(vb, vb.Head(h))}
		rims := [4]uint32{rimAt(va, e), rimAt(va, va.Twin[e]), rimAt(vb, h), rimAt(vb, vb.Twin[h])}
		t.crossing(i, a, b, verts, rims, clear)
	case id.Kind == soa.FaceVertex:
		t.corner(i, b, a, vb.CornerOfVertex[id.B], rimAt(va, va.LoopFirst[id.A]), va, soa.Face(id.A), clear, -1)
	case vb.Kind == soa.Plane:
		t.corner(i, a, b, va.CornerOfVertex[id.A], 0, vb, 0, clear, 1)
	default:
		t.corner(i, a, b, va.CornerOfVertex[id.A], rimAt(vb, vb.LoopFirst[id.B]), vb, soa.Face(id.B), clear, 1)
	}
}

// corner writes row i: a corner on face f of g, whose sides have rims. V and G are rows of the
// poses. sign is 1 where V is A, and -1 where it is B.
func (t *typed) corner(i int, v, g, corner, firstRim uint32, of *soa.View, f soa.Face, clear, sign float64) {
	const rows = BatchRows
	i &= rows - 1
	at, numbers := t.at, t.numbers
	t.bodies[i], t.bodies[rows+i] = asm.PoseNumbers*v, asm.PoseNumbers*g
	at[i] = corner
	numbers[asm.ShareClear*rows+i], numbers[asm.ShareSign*rows+i] = clear, sign
	var sides [mostSides]uint32
	var face [6]float64
	if of.Kind == soa.Plane {
		face = [6]float64{0, 0, 1, 0, -math.MaxFloat64, math.MaxFloat64} // no side bounds it
	} else {
		last := asm.RimNumbers * uint32(of.LoopLen[f]-1)
		for k := range sides {
			sides[k] = firstRim + min(asm.RimNumbers*uint32(k), last)
		}
		room := &of.Rooms[f]
		face = [6]float64{of.NX[f], of.NY[f], of.NZ[f], of.D[f], room.Cot, room.Depth}
	}
	for k, side := range sides {
		at[(1+k)*rows+i] = side
	}
	for k, number := range face {
		numbers[(asm.ShareFace+k)*rows+i] = number
	}
}

// crossing writes row i: two edges, the vertices that A's leads from and to and those of B's, and the
// rims of A's half-edges and of B's.
func (t *typed) crossing(i int, a, b uint32, verts, rims [4]uint32, clear float64) {
	const rows = BatchRows
	i &= rows - 1
	t.bodies[i], t.bodies[rows+i] = asm.PoseNumbers*a, asm.PoseNumbers*b
	for k := range verts {
		t.at[k*rows+i], t.at[(4+k)*rows+i] = verts[k], rims[k]
	}
	t.numbers[asm.ShareClear*rows+i] = clear
}

// solve answers the rows lo ≤ i < hi.
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

// get writes row i to s if it is proven to be of the type, and reports whether it is.
func (t *typed) get(i int, s *Shared) (known bool) {
	c := &t.shares.Answers
	if c[asm.ShareKnown][i] == 0 {
		return false
	}
	s.read(c, i, c[asm.ShareThickness][i])
	return true
}
