package overlap

import (
	"math"

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
	nShapes
)

// most is how many edges a corner and how many sides a face may have.
const (
	mostEdges = 8
	mostSides = 4
)

// Typed is a batch of overlaps of one type, a row each.
type Typed struct {
	shape  shape
	edges  int // of a corner
	sides  int // of a prism
	shares *asm.Shares
}

// begin makes it a batch of a type with a number of rows, unless it is one.
func (t *Typed) begin(s shape, rows int) {
	if t.shares != nil {
		return
	}
	t.shape = s
	numbers := asm.ShareCrossingNumbers
	switch s {
	case corner4, corner8:
		t.edges = []int{4, mostEdges}[s-corner4]
		numbers = asm.ShareCornerNumbers + 3*t.edges
	case prism4, prism6, prism8:
		t.sides = []int{4, 6, soa.PrismSides}[s-prism4]
		numbers = asm.SharePrismNumbers(t.sides)
	}
	t.shares = asm.NewShares(rows, numbers)
}

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

// row writes the numbers of a row one behind the other. Each function takes where the first goes, and returns where the
// next does: kept in a register, for the stores wait for it.
type row struct {
	cells  []float64
	stride int
}

func (r row) num(at int, x float64) int {
	r.cells[at] = x
	return at + r.stride
}

func (r row) vec(at int, v vec.Vec3) int {
	n := r.stride
	r.cells[at], r.cells[at+n], r.cells[at+2*n] = v.X, v.Y, v.Z
	return at + 3*n
}

func (r row) pose(at int, p vec.Pose) int {
	at = r.num(r.vec(at, p.Pos), p.Rot.W)
	return r.vec(at, vec.Vec3{X: p.Rot.X, Y: p.Rot.Y, Z: p.Rot.Z})
}

// row returns a writer of row i, and where its first number goes.
func (t *Typed) row(i int) (r row, at int) {
	return row{t.shares.Cells, t.shares.Rows}, asm.ShareAnswers*t.shares.Rows + i
}

// clearOf returns by how much the signs that prove a type must be clear of zero, m.
func clearOf(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) float64 {
	if vb.Kind == soa.Plane {
		return clearOfPlane(va, pa.Pos, pb.Pos)
	}
	return float64(shareClear * (va.Radius + vb.Radius))
}

// clearOfPlane is clearOf for a plane.
func clearOfPlane(v *soa.View, pos, plane vec.Vec3) float64 {
	return float64(shareClear * (v.Radius + pos.Sub(plane).MaxAbs()))
}

// set writes row i: two bodies and a facet of the batch's type. turned says that the overlap is
// told as B moves.
func (t *Typed) set(i int, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, id soa.FacetID) (turned bool) {
	r, at := t.row(i)
	clear := clearOf(va, pa, vb, pb)
	if t.shape == crossing {
		at = r.pose(at, pa)
		at = r.pose(at, pb)
		at = r.edge(at, va, va.Edge[id.A])
		at = r.edge(at, vb, vb.Edge[id.B])
		r.num(at, clear)
		return false
	}
	v, g, k, f := va, vb, soa.Vertex(id.A), soa.Face(id.B)
	if turned = id.Kind == soa.FaceVertex; turned {
		v, g, k, f = vb, va, soa.Vertex(id.B), soa.Face(id.A)
		pa, pb = pb, pa
	}
	at = r.pose(at, pa)
	at = r.pose(at, pb)
	at = r.vec(at, v.Vert(k))
	if g.Kind == soa.Plane {
		at = r.vec(at, vec.Vec3{Z: 1})
		at = r.num(at, 0)
		for range mostSides {
			at = r.vec(at, vec.Vec3{})
			at = r.num(at, -math.MaxFloat64)
		}
		at = r.num(at, 0)
		at = r.num(at, math.MaxFloat64)
	} else {
		at = r.vec(at, g.Normal(f))
		at = r.num(at, g.D[f])
		rims := g.Rims[g.LoopFirst[f]:][:g.LoopLen[f]]
		for side := range mostSides {
			rim := &rims[min(side, len(rims)-1)]
			at = r.vec(at, rim.In)
			at = r.num(at, rim.Offset)
		}
		at = r.num(at, g.Rooms[f].Cot)
		at = r.num(at, g.Rooms[f].Depth)
	}
	at = r.num(at, clear)
	around := v.Around(k)
	for e := range t.edges {
		at = r.vec(at, around[min(e, len(around)-1)].Edge)
	}
	return turned
}

// edge writes an edge and what it has to do with its faces.
func (r row) edge(at int, v *soa.View, h soa.HalfEdge) int {
	near, far := &v.Rims[h], &v.Rims[v.Twin[h]]
	at = r.vec(at, v.Vert(v.Tail[h]))
	at = r.vec(at, v.Vert(v.Head(h)))
	at = r.num(at, near.Length)
	for _, rim := range [2]*soa.Rim{near, far} {
		at = r.vec(at, rim.In)
		at = r.num(at, rim.FromTail)
		at = r.num(at, rim.FromHead)
		at = r.num(at, rim.Rise)
	}
	return at
}

// solve answers the rows lo ≤ i < hi.
func (t *Typed) solve(lo, hi int) {
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
	}
}

// answer returns answer k of row i.
func (t *Typed) answer(k, i int) float64 { return t.shares.Cells[k*t.shares.Rows+i] }

// known says whether row i is proven to be of the batch's type.
func (t *Typed) known(i int) bool { return t.answer(asm.ShareAnswers-1, i) != 0 }

// get writes row i to s, as A moves. between is from A's position to B's.
func (t *Typed) get(i int, turned bool, between vec.Vec3, s *Shared) {
	c, n := t.shares.Cells[i:], t.shares.Rows
	three := func(k int) vec.Vec3 { return vec.Vec3{X: c[k*n], Y: c[(k+1)*n], Z: c[(k+2)*n]} }
	s.Volume, s.Centroid, s.Variance = c[0], three(1), c[10*n]
	d, o := three(4), three(7)
	s.Spread = vec.Sym3{XX: d.X, YY: d.Y, ZZ: d.Z, XY: o.X, XZ: o.Y, YZ: o.Z}
	s.VariancePush, s.VarianceTurn, s.VolumePush, s.VolumeTurn = three(11), three(14), three(17), three(20)
	if turned {
		s.Centroid = s.Centroid.Add(between)
		s.VariancePush, s.VarianceTurn = s.VariancePush.Neg(), s.VarianceTurn.Neg()
		s.VolumePush, s.VolumeTurn = s.VolumePush.Neg(), s.VolumeTurn.Neg()
	}
}
