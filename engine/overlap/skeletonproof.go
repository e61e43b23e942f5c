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
	if k.types.Prism.Sides > 0 && k.types.Prism != guess.Prism && c.ofPrism(va, pa, vb, pb, &k.types.Prism, s) ||
		k.types.Facet != guess.Facet && c.ofType(va, pa, vb, pb, k.types.Facet, s) {
		return Known
	}
	if !c.place(k, va, pa, vb, pb) {
		return Apart
	}
	c.outlined = k
	return c.placed(va, pa)
}

// placed says how what place has made lies.
func (c *Clipper) placed(va *soa.View, pa vec.Pose) Finding {
	c.frame.origin, c.frame.turn = pa.Rot.Rotate(c.outlined.origin(va)), pa.Rot
	return Surfaced
}

// origin returns where the coordinates of corners that are placed start, in A's frame: at a vertex of A near the overlap.
func (k *Skeleton) origin(va *soa.View) vec.Vec3 {
	// Vertices of B come last, and there is an edge that pierces a face. So where no corner is A's, the first is an edge of B.
	if k.at[1] == 0 {
		return va.Vert(va.Tail[va.LoopFirst[k.corners[0].face]])
	}
	return va.Vert(k.ends[k.corners[0].tail])
}

// place makes body of a skeleton, from two bodies that have its features. It leaves body as it is and returns false if the
// overlap is not proven to have the skeleton.
func (c *Clipper) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) bool {
	p, b, origin := &c.placer, &c.body, k.origin(va)
	p.set(va, pa, vb, pb, origin)
	if !p.ofA(k, va, vb, origin) || !p.ofB(k, va, vb, origin) {
		return false
	}
	b.reset()
	b.verts = append(b.verts, p.at[:k.verts]...)
	for f, end := range k.end[:k.n] {
		b.end, b.isCap = append(b.end, int(end)), append(b.isCap, f >= int(k.nA))
	}
	b.loop = append(b.loop, k.loop[:k.end[k.n-1]]...)
	return true
}

// placer places corners.
type placer struct {
	r0, r1, r2    vec.Vec3 // the rows of the rotation from B's axes to A's
	offset        vec.Vec3 // of B's frame from the origin of the coordinates, A's axes
	offsetB       vec.Vec3 // of A's frame from B's, B's axes
	clear, clear2 float64
	posed         [mostEnds]vec.Vec3    // the vertices of a body, in the other's frame
	at            [mostCorners]vec.Vec3 // the corners, A's axes
}

func (p *placer) set(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, origin vec.Vec3) {
	p.r0, p.r1, p.r2 = pa.Rot.Conj().Mul(pb.Rot).Rows()
	to := pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos))
	p.offset = to.Sub(origin)
	p.offsetB = p.r0.Scale(-to.X).AddScaled(-to.Y, p.r1).AddScaled(-to.Z, p.r2)
	size := va.Radius + vb.Radius
	p.clear = float64(skeletonClear * size)
	p.clear2 = float64(p.clear * size)
}

// ofA places the corners that vertices and edges of A make. It returns false if one is not proven.
func (p *placer) ofA(k *Skeleton, va, vb *soa.View, origin vec.Vec3) bool {
	ends := k.ends[:k.nEndsA]
	posed := p.posed[:len(ends)]
	r0, r1, r2, offset := p.r0, p.r1, p.r2, p.offsetB
	for i, v := range ends {
		x := va.Vert(v)
		posed[i] = r0.Scale(x.X).AddScaled(x.Y, r1).AddScaled(x.Z, r2).Add(offset)
	}
	for i := range k.at[0] {
		n := &k.corners[i]
		if _, over := kernels.PlaneDistance(vb, posed[n.tail]); !(over < -p.clear) {
			return false
		}
		p.at[i] = va.Vert(ends[n.tail]).Sub(origin)
	}
	for i := k.at[0]; i < k.at[1]; i++ {
		n := &k.corners[i]
		t, ok := pierces(vb, n.face, posed[n.tail], posed[n.head], p.clear, p.clear2)
		if !ok {
			return false
		}
		from := va.Vert(ends[n.tail])
		p.at[i] = from.Sub(origin).AddScaled(t, va.Vert(ends[n.head]).Sub(from))
	}
	return true
}

// ofB likewise places the corners that edges and vertices of B make.
func (p *placer) ofB(k *Skeleton, va, vb *soa.View, origin vec.Vec3) bool {
	ends := k.ends[k.nEndsA:k.nEnds]
	posed := p.posed[:len(ends)]
	r0, r1, r2, offset := p.r0, p.r1, p.r2, p.offset
	for i, v := range ends {
		x := vb.Vert(v)
		posed[i] = vec.Vec3{X: r0.Dot(x), Y: r1.Dot(x), Z: r2.Dot(x)}.Add(offset)
	}
	for i := k.at[1]; i < k.at[2]; i++ {
		n := &k.corners[i]
		tail, head := posed[n.tail], posed[n.head]
		t, ok := pierces(va, n.face, tail.Add(origin), head.Add(origin), p.clear, p.clear2)
		if !ok {
			return false
		}
		p.at[i] = tail.AddScaled(t, head.Sub(tail))
	}
	for i := k.at[2]; i < k.verts; i++ {
		x := posed[k.corners[i].tail]
		if _, over := kernels.PlaneDistance(va, x.Add(origin)); !(over < -p.clear) {
			return false
		}
		p.at[i] = x
	}
	return true
}

// pierces says whether an edge pierces a face of v from outside, clear of its sides, and where along it. Its ends are given in
// the shape's frame.
func pierces(v *soa.View, f soa.Face, tail, head vec.Vec3, clear, clear2 float64) (t float64, ok bool) {
	n, d := v.Normal(f), v.D[f]
	over, under := n.Dot(tail)-d, n.Dot(head)-d
	if !(over > clear && under < -clear) {
		return 0, false
	}
	fall := over - under
	t = over / fall
	x := tail.AddScaled(t, head.Sub(tail))
	first := int(v.LoopFirst[f])
	rims := v.Rims[first : first+int(v.LoopLen[f])]
	for i := range rims {
		if !(float64((rims[i].In.Dot(x)-rims[i].Offset)*fall) > clear2) {
			return 0, false
		}
	}
	return t, true
}
