package pair

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Bottom returns the least d·p over the vertices: that of lowest, without the vertex and without branches.
func (h *Hull) Bottom(d vec.Vec3) float64 {
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

// Top returns the largest d·p, as bottom does the least.
func (h *Hull) Top(d vec.Vec3) float64 { return -h.Bottom(d.Neg()) }

// Body is one of the two, in the frame and scale of the search.
type Body struct {
	V *soa.View
	H *Hull
}

// Flattest returns the neighbour of vertex k that rises least along d, by the sine of its edge, and that sine.
func (b Body) Flattest(k soa.Vertex, d vec.Vec3) (w soa.Vertex, slope float64) {
	from := b.H.At(int(k))
	slope = math.Inf(1)
	first := b.V.RingFirst[k]
	for _, h := range b.V.Ring[first : first+b.V.RingLen[k]] {
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

// Beside returns the way from the tail of a half-edge to the vertex behind its head, and to that
// behind the head of its twin.
func (b Body) Beside(h soa.HalfEdge) (to [2]vec.Vec3) {
	from := b.H.At(int(b.V.Tail[h]))
	for i, k := range [2]soa.HalfEdge{h, b.V.Twin[h]} {
		first := b.V.LoopFirst[b.V.Face[k]]
		next := first + (k-first+2)%soa.HalfEdge(b.V.LoopLen[b.V.Face[k]])
		to[i] = b.H.At(int(b.V.Tail[next])).Sub(from)
	}
	return to
}

// BesideAlong returns the height along d of the highest of some vertices of the faces beside an
// edge.
func (b Body) BesideAlong(h soa.HalfEdge, d vec.Vec3) float64 {
	high := d.Dot(b.H.At(int(b.V.Tail[h])))
	for _, k := range [2]soa.HalfEdge{h, b.V.Twin[h]} {
		first, count := b.V.LoopFirst[b.V.Face[k]], soa.HalfEdge(b.V.LoopLen[b.V.Face[k]])
		for _, on := range [2]soa.HalfEdge{2, count / 2} {
			high = max(high, d.Dot(b.H.At(int(b.V.Tail[first+(k-first+on)%count]))))
		}
	}
	return high
}

// wideFrom is the number of vertices from which a call into asm beats the loop here, whose branches no direction foresees: below, in a
// chain of dependent supports, the call costs more than it saves.
const wideFrom = 12

// Highest returns the lowest index that maximises d·p over a column of points, and that maximum.
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

// Hull is a convex body in the frame and unit of the search.
type Hull struct {
	// Vertices without their pads, which stand behind them up to the capacity; aligned.
	X, Y, Z []float64
}

// At returns vertex k.
func (h *Hull) At(k int) vec.Vec3 { return vec.Vec3{X: h.X[k], Y: h.Y[k], Z: h.Z[k]} }

// Highest returns the support vertex along d and its d·p.
func (h *Hull) Highest(d vec.Vec3) (int, float64) {
	if len(h.X) < wideFrom {
		return Highest(h.X, h.Y, h.Z, d)
	}
	m := soa.Pad(len(h.X))
	return asm.Support(h.X[:m], h.Y[:m], h.Z[:m], d.X, d.Y, d.Z)
}

// Lowest returns the support vertex against d and its d·p.
func (h *Hull) Lowest(d vec.Vec3) (int, float64) {
	k, high := h.Highest(d.Neg())
	return k, -high
}

// Pad repeats the last vertex behind it, where it can never win.
func (h *Hull) Pad() {
	n := len(h.X)
	for i := n; i < soa.Pad(n); i++ {
		h.X[:i+1][i], h.Y[:i+1][i], h.Z[:i+1][i] = h.X[n-1], h.Y[n-1], h.Z[n-1]
	}
}

// FirstBelow returns the lowest index whose d·p is at most limit. There is one: limit is at least
// the minimum.
func (h *Hull) FirstBelow(d vec.Vec3, limit float64) int {
	for i := range h.X {
		if float64(h.X[i]*d.X)+float64(h.Y[i]*d.Y)+float64(h.Z[i]*d.Z) <= limit {
			return i
		}
	}
	return 0
}
