package narrow

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// wideFrom is the number of vertices from which a call into asm beats the loop here, whose branches no direction foresees: below, in a
// chain of dependent supports, the call costs more than it saves.
const wideFrom = 12

// highest returns the lowest index that maximises d·p over a column of points, and that maximum.
//
//	0 < len(x) == len(y) == len(z)
//
// Exact: sums in the order x, y, z, no FMA.
func highest(x, y, z []float64, d vec.Vec3) (k int, best float64) {
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

// lowest returns the lowest index that minimises d·p over a column of points, and that minimum, as
// highest does.
func lowest(x, y, z []float64, d vec.Vec3) (k int, best float64) {
	y, z = y[:len(x)], z[:len(x)]
	best = float64(x[0]*d.X) + float64(y[0]*d.Y) + float64(z[0]*d.Z)
	for i := 1; i < len(x); i++ {
		v := float64(x[i]*d.X) + float64(y[i]*d.Y) + float64(z[i]*d.Z)
		if v < best {
			best, k = v, i
		}
	}
	return k, best
}

// hull is a convex body in the frame and unit of the search.
type hull struct {
	// Vertices without their pads, which stand behind them up to the capacity; aligned.
	x, y, z []float64
}

// at returns vertex k.
func (h *hull) at(k int) vec.Vec3 { return vec.Vec3{X: h.x[k], Y: h.y[k], Z: h.z[k]} }

// highest returns the support vertex along d and its d·p.
func (h *hull) highest(d vec.Vec3) (int, float64) {
	if len(h.x) < wideFrom {
		return highest(h.x, h.y, h.z, d)
	}
	m := soa.Pad(len(h.x))
	return asm.Support(h.x[:m], h.y[:m], h.z[:m], d.X, d.Y, d.Z)
}

// lowest returns the support vertex against d and its d·p.
func (h *hull) lowest(d vec.Vec3) (int, float64) {
	if len(h.x) < wideFrom {
		return lowest(h.x, h.y, h.z, d)
	}
	k, high := h.highest(d.Neg())
	return k, -high
}

// pad repeats the last vertex behind it, where it can never win.
func (h *hull) pad() {
	n := len(h.x)
	for i := n; i < soa.Pad(n); i++ {
		h.x[:i+1][i], h.y[:i+1][i], h.z[:i+1][i] = h.x[n-1], h.y[n-1], h.z[n-1]
	}
}

// firstBelow returns the lowest index whose d·p is at most limit. There is one: limit is at least
// the minimum.
func (h *hull) firstBelow(d vec.Vec3, limit float64) int {
	for i := range h.x {
		if float64(h.x[i]*d.X)+float64(h.y[i]*d.Y)+float64(h.z[i]*d.Z) <= limit {
			return i
		}
	}
	return 0
}
