package overlap

import (
	"math"

	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The placer computes the corners of a remembered skeleton from their features alone. A few signs
// prove that they are the corners of the overlap:
//
//   - An edge of one body pierces a face of the other if its ends are on different sides of the
//     face's plane, and it passes inside all sides of the face. The piercing point is in both
//     bodies, whatever other faces they have.
//   - A vertex of one body is in the other if it is under all planes of the other.
//
// Each proven point is a corner of the overlap. The overlap's edges at a corner run along the
// features that make the corner. The skeleton has a corner at the other end of each, on the same
// two faces. The corners and edges of a polyhedron are connected, so the overlap has no other
// corners.
//
// All signs are so far from zero that join would find the same skeleton: each corner is far inside
// all planes but its own. If join has found such a skeleton, its corners are placed in the same
// way. Therefore a remembered skeleton changes no bit.
//
// A proof has a motion budget; see budgetOf. Until the odometers have used it up, corners are
// placed with the same bits and nothing is proven.

// skeletonClear, relative to the sum of both radii, is the margin by which signs that prove a
// skeleton must differ from zero. For the distance from a side of a face, the sign is that of the
// distance times the height difference of the piercing edge's ends; the margin is then relative to
// the squared sum. With distinctTurn, corners are 2^-40 clear of other planes, more than the
// rounding that joinCoplanar covers.
// Smaller: a remembered skeleton may differ in bits from joining. Larger: fewer skeletons.
const skeletonClear = 0x1p-26

// ofSkeleton finds the overlap if it is proven to have the skeleton of guess, or to be of a type
// that the skeleton suggests.
func (c *Clipper) ofSkeleton(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, guess *Features, s *Moments) Finding {
	k := guess.Skeleton
	if k.prism.Sides > 0 && k.prism != guess.Prism && c.ofPrism(va, vb, &k.prism, s) ||
		k.facet != guess.Facet && c.ofType(va, vb, k.facet, s) {
		return Computed
	}
	if !c.place(k, va, pa, vb, pb) {
		return NoOverlap
	}
	return SurfaceFound
}

// place finds the overlap if it is proven to have the skeleton k.
func (c *Clipper) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) bool {
	if !c.placer.place(k, va, pa, vb, pb, true, &c.placed) {
		return false
	}
	c.outlined = k
	return true
}

// placer computes the corners of skeletons.
type placer struct {
	// The ends of one body's edges, and its vertices: posed in the other body's frame, ends in the
	// axes of the coordinates, from in these axes relative to the origin of the coordinates.
	posed, ends, from [mostEnds]vec.Vec3

	pierced [mostCorners]piercing   // by corner of one body
	slack   [mostCorners]pierceRoom // by corner of both bodies: margins of the last proof
	inside  float64                 // m, the least depth, under the other body's planes, of a corner that is a vertex
	clear   float64                 // m, the margin by which signs must differ from zero
	clear2  float64                 // m², the margin of products
}

// piercing is the point where the line of an edge meets the plane of a face.
type piercing struct {
	over, under float64 // m, heights of the edge's tail and head over the plane
	along       float64 // parameter along the edge, 0 at the tail
}

// pierceRoom has the margins that a proof leaves for an edge that pierces a face.
type pierceRoom struct {
	over, under float64 // m, as in piercing
	inside      float64 // m, distance of the piercing point from the nearest side of the face
	length2     float64 // m², squared length of the edge
	radius      float64 // m, radius of the face's body
}

// place writes the row o for the skeleton k of two bodies, which must have the features of k.
// Coordinates start at a vertex of A near the overlap and have A's axes. If proves is set, place
// returns false if the overlap is not proven to have the skeleton; then only the corners of o have
// changed. If proves is not set, the caller must know that the proof would succeed.
func (p *placer) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, proves bool, o *untypedRow) bool {
	size := va.Radius + vb.Radius
	p.clear = float64(skeletonClear * size)
	p.clear2 = float64(p.clear * size)
	p.inside = math.MaxFloat64
	origin := k.origin(va)
	r0, r1, r2 := pa.Rot.Conj().Mul(pb.Rot).Rows() // from B's axes to A's
	offset := pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos)) // origin of B's frame, in A's frame

	// Corners made by vertices and edges of A.
	back := r0.Scale(-offset.X).AddScaled(-offset.Y, r1).AddScaled(-offset.Z, r2)
	for i, v := range k.ends[:k.nEndsA] {
		x := va.Vert(v)
		p.posed[i%mostEnds] = r0.Scale(x.X).AddScaled(x.Y, r1).AddScaled(x.Z, r2).Add(back)
		p.ends[i%mostEnds], p.from[i%mostEnds] = x, x.Sub(origin)
	}
	to := o.corners[:]
	verts, edges := k.corners[:k.at[0]], k.corners[k.at[0]:k.at[1]]
	p.copyVerts(verts, to)
	p.pierce(vb, edges, to[len(verts):])
	if proves && !(p.proveVerts(vb, verts) && p.provePierced(vb, edges, p.slack[:])) {
		return false
	}

	// Corners made by edges and vertices of B.
	offset = offset.Sub(origin)
	for i, v := range k.ends[k.nEndsA:k.nEnds] {
		x := vb.Vert(v)
		x = vec.Vec3{X: r0.Dot(x), Y: r1.Dot(x), Z: r2.Dot(x)}.Add(offset)
		p.posed[i%mostEnds], p.ends[i%mostEnds], p.from[i%mostEnds] = x.Add(origin), x, x
	}
	to = to[k.at[1]:]
	ofA := len(edges)
	verts, edges = k.corners[k.at[2]:k.verts], k.corners[k.at[1]:k.at[2]]
	p.pierce(va, edges, to)
	p.copyVerts(verts, to[len(edges):])
	if proves && !(p.provePierced(va, edges, p.slack[ofA:]) && p.proveVerts(va, verts)) {
		return false
	}
	o.skeleton, o.verts = k, o.corners[:k.verts]
	o.frame = frame{origin: pa.Rot.Rotate(origin), turn: pa.Rot, sign: 1, arm: 2 * min(va.Radius, vb.Radius)}
	return true
}

// origin returns the origin of the coordinates of placed corners, in A's frame: a vertex of A near
// the overlap.
func (k *Skeleton) origin(va *soa.View) vec.Vec3 {
	// If no corner is made by A, the first corner is an edge of B that pierces a face of A: at
	// least one edge pierces a face, and vertices of B come last.
	if k.at[1] == 0 {
		return va.Vert(va.Tail[va.LoopFirst[k.corners[0].face]])
	}
	return va.Vert(k.ends[k.corners[0].tail])
}

// pierce computes the corners where edges pierce faces of v.
func (p *placer) pierce(v *soa.View, edges []skeletonCorner, to []vec.Vec3) {
	nx := v.NX
	ny, nz, d := v.NY[:len(nx)], v.NZ[:len(nx)], v.D[:len(nx)]
	pierced, to := p.pierced[:len(edges)], to[:len(edges)]
	for i := range edges {
		e := &edges[i]
		f, tail, head := e.face, e.tail%mostEnds, e.head%mostEnds
		n := vec.Vec3{X: nx[f], Y: ny[f], Z: nz[f]}
		over, under := n.Dot(p.posed[tail])-d[f], n.Dot(p.posed[head])-d[f]
		along := over / (over - under)
		pierced[i] = piercing{over, under, along}
		to[i] = p.from[tail].AddScaled(along, p.ends[head].Sub(p.ends[tail]))
	}
}

// copyVerts copies the corners that are vertices.
func (p *placer) copyVerts(verts []skeletonCorner, to []vec.Vec3) {
	for i := range verts {
		to[i] = p.from[verts[i].tail%mostEnds]
	}
}

// provePierced reports whether edges of a body pierce faces of v from outside, clear of the sides
// of the faces. It stores the margins in room.
func (p *placer) provePierced(v *soa.View, edges []skeletonCorner, room []pierceRoom) bool {
	for i := range edges {
		e, at := &edges[i], &p.pierced[i]
		if !(at.over > p.clear && at.under < -p.clear) {
			return false
		}
		fall := at.over - at.under
		tail := &p.posed[e.tail]
		edge := p.posed[e.head].Sub(*tail)
		x := tail.AddScaled(at.along, edge)
		first := int(v.LoopFirst[e.face])
		rims := v.Rims[first : first+int(v.LoopLen[e.face])]
		least := math.MaxFloat64
		for j := range rims {
			r := &rims[j]
			inside := r.In.Dot(x) - r.Offset
			if !(float64(inside*fall) > p.clear2) {
				return false
			}
			least = min(least, inside)
		}
		room[i] = pierceRoom{at.over, at.under, least, edge.Norm2(), v.Radius}
	}
	return true
}

// proveVerts reports whether vertices of a body are under all planes of v.
func (p *placer) proveVerts(v *soa.View, verts []skeletonCorner) bool {
	for i := range verts {
		_, over := kernels.PlaneDistance(v, p.posed[verts[i].tail])
		if !(over < -p.clear) {
			return false
		}
		p.inside = min(p.inside, -over)
	}
	return true
}

// Walk declares the accesses of UntypedBatch.AddHeldSkeleton for a skeleton of two shapes.
func (k *Skeleton) Walk(w *access.Walk, shapes *soa.Shapes, a, b soa.Shape) {
	access.Value(w, "skeletons", k).Read(0)
	of := [2]map[string]*access.Declared{shapes.WalkView(w, a), shapes.WalkView(w, b)}
	for i, v := range k.ends[:k.nEnds] {
		body := b2i(i >= int(k.nEndsA))
		for _, name := range [...]string{"X", "Y", "Z"} {
			of[body][name].Read(int(v))
		}
	}
	for i := k.at[0]; i < k.at[2]; i++ {
		body := b2i(i < k.at[1]) // edges of A pierce faces of B
		for _, name := range [...]string{"NX", "NY", "NZ", "D"} {
			of[body][name].Read(int(k.corners[i].face))
		}
	}
	access.Seldom(false, of[0]["Rims"], of[1]["Rims"], of[0]["LoopFirst"], of[1]["LoopFirst"], of[0]["LoopLen"], of[1]["LoopLen"])
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
