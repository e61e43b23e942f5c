package pair

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// EdgeNumber returns the index of the edge of half-edge h. Edges are sorted by their lower
// half-edge, so it is a binary search. The search has no branches, because they would be
// mispredicted.
func EdgeNumber(v *soa.View, h soa.HalfEdge) uint16 {
	h = min(h, v.Twin[h])
	lo, n := 0, len(v.Edge)
	for n > 1 {
		half := n / 2
		// The mask is −1 if the half-edge of the middle edge is at most h, otherwise 0.
		lo += half & ((int(v.Edge[lo+half]) - int(h) - 1) >> 63)
		n -= half
	}
	return uint16(lo)
}

// FaceAround returns the face at vertex k whose normal has the largest component along d, frame of
// the view.
func (s *Frame) FaceAround(v *soa.View, k soa.Vertex, d vec.Vec3) int {
	best, at := math.Inf(-1), 0
	for _, h := range RingOf(v, k) {
		if along := v.Normal(v.Face[h]).Dot(d); along > best {
			best, at = along, int(v.Face[h])
		}
	}
	return at
}

// RingOf returns the half-edges that leave vertex k.
func RingOf[K ~uint16](v *soa.View, k K) []soa.HalfEdge {
	first := v.RingFirst[k]
	return v.Ring[first : first+v.RingLen[k]]
}

// InRange reports whether the two shapes have the features that id names.
func InRange(a, b *soa.View, id soa.FacetID) bool {
	nA, nB := a.NVerts, b.NVerts
	switch id.Kind {
	case soa.FaceVertex:
		nA = a.NFaces
	case soa.VertexFace:
		nB = b.NFaces
	case soa.VertexEdge:
		nB = len(b.Edge)
	case soa.EdgeVertex:
		nA = len(a.Edge)
	case soa.EdgeEdge:
		nA, nB = len(a.Edge), len(b.Edge)
	}
	return int(id.A) < nA && int(id.B) < nB
}

// NoVertex stands for no vertex.
const NoVertex = ^soa.Vertex(0)

// EndOf returns the head of half-edge h if head is true, otherwise its tail.
func EndOf(v *soa.View, h soa.HalfEdge, head bool) soa.Vertex {
	if head {
		return v.Head(h)
	}
	return v.Tail[h]
}

// fewFaces is the number of faces up to which testing all faces is as fast as testing those at a
// vertex.
const fewFaces = 12

// A body with more than climbTo vertices, whose vertices fit into registersAsked vector registers,
// is tested vertex by vertex: one or two steps of a climb take as long.
const (
	climbTo        = 8
	registersAsked = 16
)

// ranked returns an integer that orders like x, to a relative precision of about 2⁻³⁶, and holds
// rank, less than 2¹⁶, in its low bits. The maximum of many such integers needs no branches, which
// would be mispredicted.
func ranked(x float64, rank int) int64 {
	b := int64(math.Float64bits(x))
	b ^= int64(uint64(b>>63) >> 1)
	return b&^0xffff | int64(rank)
}

// FaceAlong returns the face at vertex k whose normal has the largest component along d, and that
// component. If the body has few faces, all of them are tested. Frame of the view.
func FaceAlong(v *soa.View, k soa.Vertex, d vec.Vec3) (at soa.Face, best float64) {
	if v.NFaces <= fewFaces {
		at = soa.Face(farthest(v.NX[:v.NFaces], v.NY, v.NZ, d))
		return at, v.Normal(at).Dot(d)
	}
	outEdges := v.Around(k)
	most := int64(math.MinInt64)
	x := v.NX
	y, z := v.NY[:len(x)], v.NZ[:len(x)]
	for i := range outEdges {
		f := outEdges[i].Face
		most = max(most, ranked(float64(x[f]*d.X)+float64(y[f]*d.Y)+float64(z[f]*d.Z), i))
	}
	if len(outEdges) == 0 {
		return 0, math.Inf(-1) // a vertex without faces
	}
	at = outEdges[most&0xffff].Face
	return at, v.Normal(at).Dot(d)
}

// FaceBefore returns the face at vertex k above whose plane point p lies farthest, and the height.
// If the body has few faces, all of them are tested. Frame of the view.
func FaceBefore(v *soa.View, k soa.Vertex, p vec.Vec3) (at soa.Face, best float64) {
	best = math.Inf(-1)
	x := v.NX
	y, z, d := v.NY[:len(x)], v.NZ[:len(x)], v.D[:len(x)]
	if v.NFaces <= fewFaces {
		most := int64(math.MinInt64)
		for f := range v.NFaces {
			most = max(most, ranked(float64(x[f]*p.X)+float64(y[f]*p.Y)+float64(z[f]*p.Z)-d[f], f))
		}
		at = soa.Face(most & 0xffff)
		return at, v.Normal(at).Dot(p) - d[at]
	}
	for _, h := range RingOf(v, k) {
		f := v.Face[h]
		if before := float64(x[f]*p.X) + float64(y[f]*p.Y) + float64(z[f]*p.Z) - d[f]; before > best {
			best, at = before, f
		}
	}
	return at, best
}

// farthest returns the index of the point, or normal, that is farthest along d, to a relative
// precision of 2⁻³⁶.
func farthest(x, y, z []float64, d vec.Vec3) int {
	y, z = y[:len(x)], z[:len(x)]
	best := int64(math.MinInt64)
	for i := range x {
		best = max(best, ranked(float64(x[i]*d.X)+float64(y[i]*d.Y)+float64(z[i]*d.Z), i))
	}
	return int(best & 0xffff)
}

// Climb returns the support vertex along d, or a vertex lower by the rounding of a height. d may
// have any length. If the vertices fit into a few registers, Climb tests all of them. Otherwise it
// climbs from vertex k along edges. The climb ends because every vertex is higher than the one
// before.
func Climb(v *soa.View, k soa.Vertex, d vec.Vec3) soa.Vertex {
	if v.NVerts > climbTo && v.NVerts <= registersAsked*asm.Lanes() {
		i, _ := asm.Support(v.X, v.Y, v.Z, d.X, d.Y, d.Z)
		return soa.Vertex(i)
	}
	height := v.Vert(k).Dot(d)
	for {
		outEdges, best := v.Around(k), int64(math.MinInt64)
		for i := range outEdges {
			e := &outEdges[i].Edge
			best = max(best, ranked(float64(e.X*d.X)+float64(e.Y*d.Y)+float64(e.Z*d.Z), i))
		}
		if len(outEdges) == 0 {
			return k // a vertex without faces
		}
		to := outEdges[best&0xffff].Head
		above := v.Vert(to).Dot(d)
		if !(above > height) {
			return k
		}
		k, height = to, above
	}
}

// Inset returns how far inside face f the point p lies, seen along the face's normal and reduced by
// a relative 2⁻³⁴. If p lies outside, Inset returns 0 and the side beyond which p lies farthest.
// Frame of the view.
func Inset(v *soa.View, f soa.Face, p vec.Vec3) (side soa.HalfEdge, inset float64) {
	first := v.LoopFirst[f]
	rims := v.Rims[first : first+v.LoopLen[f]]
	least := int64(math.MaxInt64)
	for i := range rims {
		r := &rims[i]
		least = min(least, ranked(float64(r.In.X*p.X)+float64(r.In.Y*p.Y)+float64(r.In.Z*p.Z)-r.Offset, i))
	}
	r := &rims[least&0xffff]
	if inset = r.In.Dot(p) - r.Offset; inset > 0 {
		return first, float64(inset * (1 - 0x1p-34))
	}
	return first + soa.HalfEdge(least&0xffff), 0
}

// isVertex returns a mask: all ones if k equals w, otherwise 0.
func isVertex(k, w soa.Vertex) int64 { return (int64(k^w) - 1) >> 63 }

// TurnsTo returns the edge at which vertex k stops being the support while the direction turns from
// n to m. Vertex k must be the support along n. The edge from k to vertex except is ignored. found
// is false if k stays the support. Frame of the view.
//
// The result is the edge with the least c0/c1. c0 is how far the other end of the edge lies below k
// along n, and c1 > 0 how far it lies above k along m.
func TurnsTo(v *soa.View, k, except soa.Vertex, n, m vec.Vec3) (at soa.HalfEdge, found bool) {
	const none = math.MaxInt64
	outEdges, least := v.Around(k), int64(none)
	for i := range outEdges {
		s := &outEdges[i]
		e := &s.Edge
		c1 := float64(m.X*e.X) + float64(m.Y*e.Y) + float64(m.Z*e.Z)
		c0 := math.Float64bits(-(float64(n.X*e.X) + float64(n.Y*e.Y) + float64(n.Z*e.Z)))
		c0 &^= uint64(int64(c0) >> 63) // at least 0
		turn := int64(math.Float64bits(math.Float64frombits(c0) / c1))
		turn |= (int64(math.Float64bits(c1))>>63 | isVertex(s.Head, except)) & none
		least = min(least, turn&^0xffff&none|int64(i))
	}
	if least >= int64(math.Float64bits(math.Inf(1))&^0xffff) {
		return 0, false
	}
	return outEdges[least&0xffff].Half, true
}

// CapSineAt returns the least sine at which the edges at vertex u rise along d, without the edge to
// vertex except. It returns 0 if an edge does not rise by more than rise. Frame of the view.
func CapSineAt(v *soa.View, u, except soa.Vertex, d vec.Vec3, rise float64) float64 {
	least := math.Float64bits(1)
	lowest := int64(math.MaxInt64)
	outEdges := v.Around(u)
	for i := range outEdges {
		s := &outEdges[i]
		e := &s.Edge
		up := float64(d.X*e.X) + float64(d.Y*e.Y) + float64(d.Z*e.Z)
		skip := isVertex(s.Head, except)
		// Negative numbers are all below rise, so the order of their bits does not matter.
		lowest = min(lowest, int64(math.Float64bits(up))&^skip|skip&math.MaxInt64)
		least = min(least, math.Float64bits(float64(up*up)/e.Norm2())|uint64(skip)>>1)
	}
	if !(math.Float64frombits(uint64(lowest)) > rise) {
		return 0
	}
	return math.Sqrt(math.Float64frombits(least))
}
