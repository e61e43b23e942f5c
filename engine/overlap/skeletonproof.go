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

// ofSkeleton writes the overlap if it is proven to have a skeleton, or to be of the types that this supposes. is says so, ok that the overlap has
// a volume.
func (c *Clipper) ofSkeleton(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, along vec.Vec3, guess *Features, s *Shared) (is, ok bool) {
	k := guess.Skeleton
	if k.types.Prism.Sides > 0 && k.types.Prism != guess.Prism && c.ofPrism(va, pa, vb, pb, &k.types.Prism, s) ||
		k.types.Facet != guess.Facet && c.ofType(va, pa, vb, pb, k.types.Facet, s) {
		return true, true
	}
	if !c.place(k, va, pa, vb, pb) {
		return false, false
	}
	c.outlined = k
	return true, c.measurePlaced(va, pa, along, s)
}

// measurePlaced measures what place made.
func (c *Clipper) measurePlaced(va *soa.View, pa vec.Pose, along vec.Vec3, s *Shared) (ok bool) {
	*s, ok = c.measure(pa.Rot.Rotate(c.outlined.origin(va)), pa.Rot.RotateInv(along), pa.Rot)
	return ok
}

// origin returns where the coordinates of corners that are placed start, in A's frame: at a vertex of A near the overlap.
func (k *Skeleton) origin(va *soa.View) vec.Vec3 {
	// Vertices of B come last, and there is an edge that pierces a face.
	first := k.names[0]
	if first.by == edgeOfB {
		return va.Vert(va.Tail[va.LoopFirst[first.face]])
	}
	return va.Vert(first.tail)
}

// place makes body of a skeleton, from two bodies that have its features. It leaves body as it is and returns false if the
// overlap is not proven to have the skeleton.
func (c *Clipper) place(k *Skeleton, va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose) bool {
	p := newPlacer(va, pa, vb, pb, k.origin(va))
	b := &c.next
	b.reset()
	for i := range k.names[:k.verts] {
		x, ok := p.corner(&k.names[i])
		if !ok {
			return false
		}
		b.verts = append(b.verts, x)
	}
	for f, end := range k.end[:k.n] {
		b.end, b.isCap = append(b.end, int(end)), append(b.isCap, f >= int(k.nA))
	}
	for _, v := range k.loop[:k.end[k.n-1]] {
		b.loop = append(b.loop, uint16(v))
	}
	c.body, c.next = c.next, c.body
	return true
}

// placer places corners.
type placer struct {
	a, b          *soa.View
	r0, r1, r2    vec.Vec3 // the rows of the rotation from B's axes to A's
	originA       vec.Vec3 // of the coordinates, in A's frame
	offset        vec.Vec3 // of B's frame from there, A's axes
	offsetB       vec.Vec3 // of A's frame from B's, B's axes
	clear, clear2 float64
}

func newPlacer(va *soa.View, pa vec.Pose, vb *soa.View, pb vec.Pose, origin vec.Vec3) placer {
	p := placer{a: va, b: vb, originA: origin}
	p.r0, p.r1, p.r2 = pa.Rot.Conj().Mul(pb.Rot).Rows()
	to := pa.Rot.RotateInv(pb.Pos.Sub(pa.Pos))
	p.offset = to.Sub(origin)
	p.offsetB = p.toB(to).Neg()
	size := va.Radius + vb.Radius
	p.clear = float64(skeletonClear * size)
	p.clear2 = float64(p.clear * size)
	return p
}

// toB turns a vector from A's axes to B's.
func (p *placer) toB(x vec.Vec3) vec.Vec3 {
	return p.r0.Scale(x.X).AddScaled(x.Y, p.r1).AddScaled(x.Z, p.r2)
}

// vertA returns a vertex of A in B's frame.
func (p *placer) vertA(k soa.Vertex) vec.Vec3 { return p.toB(p.a.Vert(k)).Add(p.offsetB) }

// vertB returns a vertex of B in A's axes, from the origin.
func (p *placer) vertB(k soa.Vertex) vec.Vec3 {
	x := p.b.Vert(k)
	return vec.Vec3{X: p.r0.Dot(x), Y: p.r1.Dot(x), Z: p.r2.Dot(x)}.Add(p.offset)
}

// corner returns a corner, in A's axes, from the origin, if it is proven to be one of the overlap.
func (p *placer) corner(n *cornerName) (x vec.Vec3, ok bool) {
	switch n.by {
	case vertexOfA:
		_, over := kernels.PlaneDistance(p.b, p.vertA(n.tail))
		return p.a.Vert(n.tail).Sub(p.originA), over < -p.clear
	case edgeOfA:
		tail, head := p.vertA(n.tail), p.vertA(n.head)
		t, ok := p.pierces(p.b, n.face, tail, head)
		from, to := p.a.Vert(n.tail), p.a.Vert(n.head)
		return from.Sub(p.originA).AddScaled(t, to.Sub(from)), ok
	case edgeOfB:
		tail, head := p.vertB(n.tail), p.vertB(n.head)
		t, ok := p.pierces(p.a, n.face, tail.Add(p.originA), head.Add(p.originA))
		return tail.AddScaled(t, head.Sub(tail)), ok
	default:
		x = p.vertB(n.tail)
		_, over := kernels.PlaneDistance(p.a, x.Add(p.originA))
		return x, over < -p.clear
	}
}

// pierces says whether an edge pierces a face of v from outside, clear of its sides, and where along it. Its ends are given in
// the shape's frame.
func (p *placer) pierces(v *soa.View, f soa.Face, tail, head vec.Vec3) (t float64, ok bool) {
	n, d := v.Normal(f), v.D[f]
	over, under := n.Dot(tail)-d, n.Dot(head)-d
	if !(over > p.clear && under < -p.clear) {
		return 0, false
	}
	fall := over - under
	t = over / fall
	x := tail.AddScaled(t, head.Sub(tail))
	inside := p.clear2 / fall
	rims := v.Rims[v.LoopFirst[f]:][:v.LoopLen[f]]
	for i := range rims {
		if !(rims[i].In.Dot(x)-rims[i].Offset > inside) {
			return 0, false
		}
	}
	return t, true
}
