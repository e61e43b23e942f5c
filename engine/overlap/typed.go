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
	flush4 // held4 with planes beside it that are those of its faces
	nShapes
)

// most is how many edges a corner and how many sides a face may have.
const (
	mostEdges = 8
	mostSides = 4
)

// rows is overlaps of one type, a row each. They say where features stand: in the tables of an arena, or in small ones of a pair alone.
type rows struct {
	shape   shape
	bodies  [2][]uint32
	at      [asm.SharePlanes][]uint32
	numbers [asm.ShareNumbers][]float64
}

// looksUp returns how many columns of at the kernel of a type reads: the first ones.
func (s shape) looksUp() int {
	switch {
	case s == crossing:
		return 8
	case s < prism4:
		return 1 + mostSides
	case s < held4:
		return asm.SharePlanes
	case s == flush4:
		return 2 + mostSidesOf(s) + asm.ShareFlushes
	}
	return 2 + mostSidesOf(s)
}

// hasNumber says whether rows of a type have number k.
func (s shape) hasNumber(k int) bool {
	switch {
	case k == asm.ShareClear || s == crossing:
		return k == asm.ShareClear
	case s < prism4:
		return k < asm.ShareFace+6
	case k < asm.ShareSpare:
		return k < asm.ShareOfG+s.looksUp()
	case k < asm.ShareRadius:
		return k < asm.ShareSpare+mostSidesOf(s)-3
	}
	return s < held4
}

// grow makes room for n rows, and keeps the first few. Only columns that the type has get any. They lie behind each other.
func (r *rows) grow(n, kept int) {
	words := []*[]uint32{&r.bodies[0], &r.bodies[1]}
	for k := range r.shape.looksUp() {
		words = append(words, &r.at[k])
	}
	var numbers []*[]float64
	for k := range r.numbers {
		if r.shape.hasNumber(k) {
			numbers = append(numbers, &r.numbers[k])
		}
	}
	widen(n, kept, words...)
	widen(n, kept, numbers...)
}

// move makes row i what row j is.
func (r *rows) move(i, j int) {
	r.moveWords(i, j)
	for _, c := range r.numbers {
		if c != nil {
			c[i] = c[j]
		}
	}
}

// moveWords is move but for numbers.
func (r *rows) moveWords(i, j int) {
	for _, c := range r.bodies {
		c[i] = c[j]
	}
	for _, c := range r.at[:r.shape.looksUp()] {
		c[i] = c[j]
	}
}

// widen gives columns n rows, and keeps the first few.
func widen[T any](n, kept int, columns ...*[]T) {
	all := make([]T, n*len(columns))
	for k, c := range columns {
		to := all[k*n:][:n:n]
		copy(to, (*c)[:kept])
		*c = to
	}
}

// tabled is what answers rows: columns of them, and tables that they look up.
type tabled struct {
	shares *asm.Shares
	tables asm.ShareTables // of shares
}

// lookUp sets the tables: those of an arena, and rows of poses.
func (t *tabled) lookUp(shapes *soa.Shapes, poses []float64) {
	of := &t.tables
	if sameTable(of.Poses, poses) && sameTable(of.Corners, shapes.Corners) && sameTable(of.Verts, shapes.VertRows) && sameTable(of.Planes, shapes.PlaneRows) &&
		sameTable(of.Rims, shapes.RimNumbers()) {
		return
	}
	*of = asm.ShareTables{Poses: poses, Corners: shapes.Corners, Rims: shapes.RimNumbers(), Verts: shapes.VertRows, Planes: shapes.PlaneRows}
	t.shares.SetTables(*of)
}

// sameTable says whether two slices are the same.
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

// level says whether a body is a block whose faces have all their corners in their planes, as far as that
// is known: then the planes, which cut others, and the vertices bound the same body.
func level(v *soa.View) bool { return v.Kind == soa.Block && v.Rooms[0].Depth > 0 }

// shapeOf returns the type of the overlap of two bodies that the features of a facet suppose.
func shapeOf(va, vb *soa.View, id soa.FacetID) shape {
	v, g, k, f := va, vb, id.A, id.B
	switch id.Kind {
	case soa.EdgeEdge:
		if level(va) && level(vb) && int(id.A) < len(va.Edge) && int(id.B) < len(vb.Edge) {
			return crossing
		}
		return clipped
	case soa.FaceVertex:
		v, g, k, f = vb, va, id.B, id.A
	case soa.VertexFace:
	default:
		return clipped
	}
	if !level(v) || int(k) >= v.NVerts || !v.Pointed[k] || v.RingLen[k] > mostEdges {
		return clipped
	}
	if g.Kind != soa.Plane && (!level(g) || int(f) >= g.NFaces || g.LoopLen[f] > mostSides) {
		return clipped
	}
	if v.RingLen[k] > 4 {
		return corner8
	}
	return corner4
}

// clearOfPlane is Clipper.clearOf for a block of a radius on a plane.
func clearOfPlane(radius float64, pos, plane vec.Vec3) float64 {
	return float64(shareClear * (radius + pos.Sub(plane).MaxAbs()))
}

// facet writes row i of bodies of one arena: the corner, or the edges that cross, that a facet's features suppose. A and B are rows of the
// poses.
func (r *rows) facet(i int, a, b uint32, va, vb *soa.View, id soa.FacetID, clear float64) {
	switch {
	case r.shape == crossing:
		e, h := va.Edge[id.A], vb.Edge[id.B]
		verts := [4]uint32{vertAt(va, va.Tail[e]), vertAt(va, va.Head(e)), vertAt(vb, vb.Tail[h]), vertAt(vb, vb.Head(h))}
		rims := [4]uint32{rimAt(va, e), rimAt(va, va.Twin[e]), rimAt(vb, h), rimAt(vb, vb.Twin[h])}
		r.crossing(i, a, b, &verts, &rims, clear)
	case id.Kind == soa.FaceVertex:
		r.corner(i, b, a, vb.CornerOfVertex[id.B], rimAt(va, va.LoopFirst[id.A]), va, soa.Face(id.A), clear, -1)
	case vb.Kind == soa.Plane:
		r.corner(i, a, b, va.CornerOfVertex[id.A], 0, vb, 0, clear, 1)
	default:
		r.corner(i, a, b, va.CornerOfVertex[id.A], rimAt(vb, vb.LoopFirst[id.B]), vb, soa.Face(id.B), clear, 1)
	}
}

// corner writes row i: a corner on face f of g, whose sides have rims. V and G are rows of the
// poses. sign is 1 where V is A, and -1 where it is B.
func (r *rows) corner(i int, v, g, corner, firstRim uint32, of *soa.View, f soa.Face, clear, sign float64) {
	at, numbers := &r.at, &r.numbers
	r.bodies[0][i], r.bodies[1][i] = asm.PoseNumbers*v, asm.PoseNumbers*g
	at[0][i] = corner
	numbers[asm.ShareClear][i], numbers[asm.ShareSign][i] = clear, sign
	const n = asm.ShareFace
	if of.Kind == soa.Plane { // which no side bounds
		at[1][i], at[2][i], at[3][i], at[4][i] = 0, 0, 0, 0
		numbers[n][i], numbers[n+1][i], numbers[n+2][i], numbers[n+3][i] = 0, 0, 1, 0
		numbers[n+4][i], numbers[n+5][i] = -math.MaxFloat64, math.MaxFloat64
		return
	}
	const side = asm.RimNumbers
	last, room := side*uint32(of.LoopLen[f]-1), &of.Rooms[f]
	at[1][i], at[2][i] = firstRim, firstRim+min(side, last)
	at[3][i], at[4][i] = firstRim+min(2*side, last), firstRim+min(3*side, last)
	numbers[n][i], numbers[n+1][i], numbers[n+2][i], numbers[n+3][i] = of.NX[f], of.NY[f], of.NZ[f], of.D[f]
	numbers[n+4][i], numbers[n+5][i] = room.Cot, room.Depth
}

// crossing writes row i: two edges, the vertices that A's leads from and to and those of B's, and the
// rims of A's half-edges and of B's.
func (r *rows) crossing(i int, a, b uint32, verts, rims *[4]uint32, clear float64) {
	r.bodies[0][i], r.bodies[1][i] = asm.PoseNumbers*a, asm.PoseNumbers*b
	at := &r.at
	at[0][i], at[1][i], at[2][i], at[3][i] = verts[0], verts[1], verts[2], verts[3]
	at[4][i], at[5][i], at[6][i], at[7][i] = rims[0], rims[1], rims[2], rims[3]
	r.numbers[asm.ShareClear][i] = clear
}

// solve answers the rows lo ≤ i < hi, of a type, that its columns have.
func (t *tabled) solve(s shape, lo, hi int) {
	switch s {
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
	case flush4:
		asm.SharePrismsFlush4(t.shares, lo, hi)
	}
}
