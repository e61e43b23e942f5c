package pair

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Bottom returns the least d·p over the vertices p. It has the same value as the second result of
// Lowest, without branches.
func (h *PosedHull) Bottom(d vec.Vec3) float64 {
	if len(h.X) >= wideFrom {
		_, low := h.Lowest(d)
		return low
	}
	x, y, z := h.X, h.Y[:len(h.X)], h.Z[:len(h.X)]
	low := math.Inf(1)
	for i := range x {
		low = min(low, float64(x[i]*d.X)+float64(y[i]*d.Y)+float64(z[i]*d.Z))
	}
	return low
}

// Top returns the largest d·p over the vertices p.
func (h *PosedHull) Top(d vec.Vec3) float64 { return -h.Bottom(d.Neg()) }

// PosedBody is one body of a Frame, in the frame of A and scaled.
type PosedBody struct {
	V *soa.View
	H *PosedHull
}

// Flattest returns the neighbour w of vertex k for which the edge from k to w rises least along d,
// by sine, and that sine.
func (b PosedBody) Flattest(k soa.Vertex, d vec.Vec3) (w soa.Vertex, slope float64) {
	from := b.H.At(int(k))
	slope = math.Inf(1)
	for _, h := range RingOf(b.V, k) {
		to := b.V.Head(h)
		e := b.H.At(int(to)).Sub(from)
		if sine := d.Dot(e) / e.Norm(); sine < slope {
			w, slope = to, sine
		}
	}
	return w, slope
}

// NegInf is −∞.
var NegInf = math.Inf(-1)

// Beside returns two vectors from the tail of h: to the vertex after the head of h in the loop of
// its face, and to the vertex after the head of its twin.
func (b PosedBody) Beside(h soa.HalfEdge) (to [2]vec.Vec3) {
	from := b.H.At(int(b.V.Tail[h]))
	for i, k := range [2]soa.HalfEdge{h, b.V.Twin[h]} {
		first := b.V.LoopFirst[b.V.Face[k]]
		next := first + (k-first+2)%soa.HalfEdge(b.V.LoopLen[b.V.Face[k]])
		to[i] = b.H.At(int(b.V.Tail[next])).Sub(from)
	}
	return to
}

// BesideAlong returns the largest height along d of some vertices of the two faces beside edge h.
func (b PosedBody) BesideAlong(h soa.HalfEdge, d vec.Vec3) float64 {
	high := d.Dot(b.H.At(int(b.V.Tail[h])))
	for _, k := range [2]soa.HalfEdge{h, b.V.Twin[h]} {
		first, count := b.V.LoopFirst[b.V.Face[k]], soa.HalfEdge(b.V.LoopLen[b.V.Face[k]])
		for _, on := range [2]soa.HalfEdge{2, count / 2} {
			high = max(high, d.Dot(b.H.At(int(b.V.Tail[first+(k-first+on)%count]))))
		}
	}
	return high
}

// wideFrom is the number of vertices from which a call into asm is faster than the Go loop, whose
// branches are mispredicted. Below it, in a chain of dependent supports, the call costs more than
// it saves.
const wideFrom = 12

// Highest returns the lowest index that maximises d·p over a column of points p, and the maximum.
//
//	0 < len(x) == len(y) == len(z)
//
// Exact: sums in the order x, y, z, no FMA.
func Highest(x, y, z []float64, d vec.Vec3) (k int, best float64) {
	y, z = y[:len(x)], z[:len(x)]
	best = float64(x[0]*d.X) + float64(y[0]*d.Y) + float64(z[0]*d.Z)
	for i := 1; i < len(x); i++ {
		v := float64(x[i]*d.X) + float64(y[i]*d.Y) + float64(z[i]*d.Z)
		if v > best {
			best, k = v, i
		}
	}
	return k, best
}

// PosedHull holds the vertices of a convex body in the frame and scale of the search.
type PosedHull struct {
	// Coordinates without padding; the padding follows, up to the capacity. Aligned.
	X, Y, Z []float64
}

// At returns vertex k.
func (h *PosedHull) At(k int) vec.Vec3 { return vec.Vec3{X: h.X[k], Y: h.Y[k], Z: h.Z[k]} }

// Highest returns the support vertex along d and its d·p.
func (h *PosedHull) Highest(d vec.Vec3) (int, float64) {
	if len(h.X) < wideFrom {
		return Highest(h.X, h.Y, h.Z, d)
	}
	m := soa.Pad(len(h.X))
	return asm.Support(h.X[:m], h.Y[:m], h.Z[:m], d.X, d.Y, d.Z)
}

// Lowest returns the support vertex along −d and its d·p.
func (h *PosedHull) Lowest(d vec.Vec3) (int, float64) {
	k, high := h.Highest(d.Neg())
	return k, -high
}

// Pad fills the padding with copies of the last vertex. Ties go to the lowest index, so a copy is
// never the result of a support query.
func (h *PosedHull) Pad() {
	n := len(h.X)
	for i := n; i < soa.Pad(n); i++ {
		h.X[:i+1][i], h.Y[:i+1][i], h.Z[:i+1][i] = h.X[n-1], h.Y[n-1], h.Z[n-1]
	}
}

// FirstBelow returns the lowest index of a vertex p with d·p ≤ limit. limit must be at least the
// minimum of d·p, so such a vertex exists.
func (h *PosedHull) FirstBelow(d vec.Vec3, limit float64) int {
	for i := range h.X {
		if float64(h.X[i]*d.X)+float64(h.Y[i]*d.Y)+float64(h.Z[i]*d.Z) <= limit {
			return i
		}
	}
	return 0
}
