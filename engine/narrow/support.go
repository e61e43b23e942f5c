package narrow

import "github.com/scree-dem/scree/vec"

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
	x, y, z []float64 // vertices, without pads
}

// at returns vertex k.
func (h *hull) at(k int) vec.Vec3 { return vec.Vec3{X: h.x[k], Y: h.y[k], Z: h.z[k]} }

// highest returns the support vertex along d and its d·p.
func (h *hull) highest(d vec.Vec3) (int, float64) { return highest(h.x, h.y, h.z, d) }

// lowest returns the support vertex against d and its d·p.
func (h *hull) lowest(d vec.Vec3) (int, float64) { return lowest(h.x, h.y, h.z, d) }

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
