package overlap

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The corners of a remembered skeleton are placed anew from their features alone, and a few signs prove that they are those
// of the overlap:
//
//   - An edge of one body that pierces a face of the other has its ends on both sides of the face's plane, and passes
//     inside all sides of the face. That point is in both bodies, whatever other faces these have.
//   - A vertex of one body is under all planes of the other.
//
// So each is a corner of the overlap. The edges of the overlap from it run along the features that make it, and the skeleton
// has a corner at the other end of each: on the same two faces. The corners and edges of a polyhedron hang together, so
// there are no other corners.
//
// All signs are so clear of zero that join would find the same skeleton: each corner is far inside all planes but its own.
// So where join has found one, it is placed in the same way, and what is remembered changes no bit.

// skeletonClear, relative to both bodies' radii, is by how much the signs that prove a skeleton must be clear of zero; squared
// radii, where a distance from a side of a face is multiplied by what the edge that pierces it rises. With distinctTurn
// corners are then 2^-40 clear of other planes, more than joinFlush makes of rounding.
const skeletonClear = 0x1p-26

// ofSkeleton finds the overlap if it is proven to have a skeleton, or to be of the types that this supposes.
func (c *Clipper) ofSkeleton(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, guess *Features, s *Shared) Finding {
	k := guess.Skeleton
	if k.prism.Sides > 0 && k.prism != guess.Prism && c.ofPrism(va, pa, vb, pb, &k.prism, s) ||
		k.facet != guess.Facet && c.ofType(va, pa, vb, pb, k.facet, s) {
		return Known
	}
	if !c.place(k, va, pa, vb, pb) {
		return Apart
	}
	return Surfaced
}

// place finds the overlap if it is proven to have a skeleton.
func (c *Clipper) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) bool {
	if !c.placer.place(k, va, pa, vb, pb, &c.placed) {
		return false
	}
	c.outlined = k
	return true
}

// placer places corners.
type placer struct {
	posed [mostEnds]vec.Vec3   // the vertices of a body, in the other's frame
	ends  [mostEnds]vec.Vec3   // of B, relative to the origin of the coordinates, A's axes
	along [mostCorners]float64 // by corner of a body: where along its edge
}

// place makes a row of a skeleton, from two bodies that have its features. Coordinates start at a
// vertex of A near the overlap, in A's axes. It returns false if the overlap is not proven to have
// the skeleton; only corners have changed then.
func (p *placer) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, o *solidRow) bool {
	size := va.Radius + vb.Radius
	clear := float64(skeletonClear * size)
	clear2 := float64(clear * size)
	origin := k.origin(va)
	r0, r1, r2 := pa.Rot.Conj().Mul(pb.Rot).Rows() // from B's axes to A's
	offset := pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos)) // of B's frame from A's, A's axes
	to := o.corners[:]

	// Corners of A's vertices and edges.
	back := r0.Scale(-offset.X).AddScaled(-offset.Y, r1).AddScaled(-offset.Z, r2)
	ends := k.ends[:k.nEndsA]
	for i, v := range ends {
		x := va.Vert(v)
		p.posed[i] = r0.Scale(x.X).AddScaled(x.Y, r1).AddScaled(x.Z, r2).Add(back)
	}
	verts, edges := k.corners[:k.at[0]], k.corners[k.at[0]:k.at[1]]
	for i := range verts {
		tail := verts[i].tail
		if _, over := kernels.PlaneDistance(vb, p.posed[tail]); !(over < -clear) {
			return false
		}
		to[i] = va.Vert(ends[tail]).Sub(origin)
	}
	if !p.pierce(vb, edges, clear, clear2) {
		return false
	}
	to = to[k.at[0]:]
	for i := range edges {
		n := &edges[i]
		from := va.Vert(ends[n.tail])
		to[i] = from.Sub(origin).AddScaled(p.along[i], va.Vert(ends[n.head]).Sub(from))
	}

	// Corners of B's edges and vertices.
	offset = offset.Sub(origin)
	for i, v := range k.ends[k.nEndsA:k.nEnds] {
		x := vb.Vert(v)
		x = vec.Vec3{X: r0.Dot(x), Y: r1.Dot(x), Z: r2.Dot(x)}.Add(offset)
		p.ends[i], p.posed[i] = x, x.Add(origin)
	}
	to, edges, verts = to[len(edges):], k.corners[k.at[1]:k.at[2]], k.corners[k.at[2]:k.verts]
	if !p.pierce(va, edges, clear, clear2) {
		return false
	}
	for i := range edges {
		tail, head := &p.ends[edges[i].tail], &p.ends[edges[i].head]
		to[i] = tail.AddScaled(p.along[i], head.Sub(*tail))
	}
	to = to[len(edges):]
	for i := range verts {
		tail := verts[i].tail
		if _, over := kernels.PlaneDistance(va, p.posed[tail]); !(over < -clear) {
			return false
		}
		to[i] = p.ends[tail]
	}
	o.skeleton, o.verts = k, o.corners[:k.verts]
	o.frame = frame{origin: pa.Rot.Rotate(origin), turn: pa.Rot, sign: 1, arm: 2 * min(va.Radius, vb.Radius)}
	return true
}

// origin returns where the coordinates of corners that are placed start, in A's frame: at a vertex
// of A near the overlap.
func (k *Skeleton) origin(va *soa.View) vec.Vec3 {
	// Vertices of B come last, and there is an edge that pierces a face. So where no corner is
	// A's, the first is an edge of B.
	if k.at[1] == 0 {
		return va.Vert(va.Tail[va.LoopFirst[k.corners[0].face]])
	}
	return va.Vert(k.ends[k.corners[0].tail])
}

// pierce finds where along them edges pierce faces of v from outside, clear of the faces' sides.
// It returns false if one does not. The ends are posed.
func (p *placer) pierce(v *soa.View, edges []skeletonCorner, clear, clear2 float64) bool {
	nx := v.NX
	ny, nz, d := v.NY[:len(nx)], v.NZ[:len(nx)], v.D[:len(nx)]
	for i := range edges {
		e := &edges[i]
		f, tail, head := e.face, &p.posed[e.tail], &p.posed[e.head]
		n := vec.Vec3{X: nx[f], Y: ny[f], Z: nz[f]}
		over, under := n.Dot(*tail)-d[f], n.Dot(*head)-d[f]
		if !(over > clear && under < -clear) {
			return false
		}
		fall := over - under
		t := over / fall
		x := tail.AddScaled(t, head.Sub(*tail))
		first := int(v.LoopFirst[f])
		rims := v.Rims[first : first+int(v.LoopLen[f])]
		for j := range rims {
			if r := &rims[j]; !(float64((r.In.Dot(x)-r.Offset)*fall) > clear2) {
				return false
			}
		}
		p.along[i] = t
	}
	return true
}
