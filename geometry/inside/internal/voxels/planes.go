package voxels

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// plane is the plane of a triangle, scaled so that the error of its evaluation is at most 1. A
// point p of the surface's box is on the outer side if n·p + d > 1, and on the inner side if n·p +
// d < -1. Only the set-up uses plane.
type plane struct {
	n vec.Vec3
	d float64
}

// planeBound·M·P exceeds the error of the evaluated plane. M is the sum of the absolute products in
// the components of the area vector, and P the largest coordinate. The error of the area vector is
// 4·2^-53·M in total, and is multiplied by a difference of at most 2P. Products and sums of n·p + d
// add 8·2^-53·M·P. The division by the bound adds 2·2^-53 of |n·p + d|, which the bound also
// covers. With a smaller value, a point may get the wrong side. With a larger one, more calls use
// exact arithmetic.
const planeBound = 0x1p-48

// newPlane returns the plane of a triangle with area vector n, sum m of its absolute products, and
// a corner a. If the bound overflows or underflows, newPlane returns a plane that decides nothing.
func newPlane(n vec.Vec3, m float64, a vec.Vec3, reach float64) plane {
	bound := float64(float64(planeBound*m) * reach)
	if !inRange(bound) {
		return plane{}
	}
	d := n.Dot(a)
	return plane{vec.Vec3{X: n.X / bound, Y: n.Y / bound, Z: n.Z / bound}, -d / bound}
}

// areaVector returns (b-a)×(c-a), and the sum of the absolute products in it.
func areaVector(a, b, c vec.Vec3) (n vec.Vec3, m float64) {
	u, v := b.Sub(a), c.Sub(a)
	xy, yx := float64(u.X*v.Y), float64(u.Y*v.X)
	yz, zy := float64(u.Y*v.Z), float64(u.Z*v.Y)
	zx, xz := float64(u.Z*v.X), float64(u.X*v.Z)
	m = math.Abs(xy) + math.Abs(yx) + math.Abs(yz) + math.Abs(zy) + math.Abs(zx) + math.Abs(xz)
	return vec.Vec3{X: yz - zy, Y: zx - xz, Z: xy - yx}, m
}

// inRange reports whether a bound is far from overflow and underflow, and not NaN.
func inRange(bound float64) bool { return bound > 0x1p-900 && bound < 0x1p900 }

// at returns n·p + d.
func (k *plane) at(p vec.Vec3) float64 {
	return float64(k.n.X*p.X) + float64(k.n.Y*p.Y) + float64(k.n.Z*p.Z) + k.d
}

// outer reports whether the displaced reference point q lies on the outer side of triangle t, whose
// plane is k.
func (c *VoxelGrid) outer(t uint32, k *plane, q vec.Vec3) bool {
	s := k.at(q)
	if math.Abs(s) > 1 {
		return s > 0
	}
	a, b, d := c.surface.Corners(int(t))
	return tri.SideMoved(a, b, d, q) > 0
}

// shortPlane is a plane for points relative to the middle of the box, also scaled so that the error
// of its evaluation is at most 1. It takes 16 bytes, because the cost of locating is the memory
// that is read.
type shortPlane struct{ x, y, z, d float32 }

// shortBound·|n|·H exceeds the error of an evaluated shortPlane. |n| is the sum of the absolute
// components of the normal, and H is half the largest side of the box. Normal, point and products
// are rounded by 2^-24 each, and so are three sums: 6·2^-24·|n|·H in all. d adds 2·2^-24 of |d| ≤
// |n|·H. The rest is a margin. The bound of the float64 plane is added. With a smaller value, a
// point may get the wrong side. With a larger one, the corners of more triangles are read.
const shortBound = 0x1p-20

// leastReach is the least half of the largest side of the box, m, for which a shortPlane fits
// float32. Its inverse is the largest half for which a point does. Components are at most 2^20/H,
// and digits below the least float32 are far below the error bound. With a smaller value,
// components overflow. With a larger one, more corners are read.
const leastReach = 0x1p-80

// newShortPlane returns the plane, relative to the middle of the box, of a triangle with area
// vector n, sum m of its absolute products and a corner a. reach is half the largest side of the
// box. If the bound or reach is out of range, newShortPlane returns a plane that decides nothing.
func (c *VoxelGrid) newShortPlane(n vec.Vec3, m float64, a vec.Vec3, reach float64) shortPlane {
	if !(reach > leastReach && reach < 1/leastReach) {
		return shortPlane{}
	}
	// The middle is rounded, so the bound uses twice the half.
	bound := float64((float64(planeBound*m)+float64(shortBound*(math.Abs(n.X)+math.Abs(n.Y)+math.Abs(n.Z))))*2) * reach
	if !inRange(bound) {
		return shortPlane{}
	}
	d := n.Dot(a.Sub(c.middle))
	return shortPlane{float32(n.X / bound), float32(n.Y / bound), float32(n.Z / bound), float32(-d / bound)}
}

// shortPoint is a point relative to the middle of the box.
type shortPoint struct{ x, y, z float32 }

func (c *VoxelGrid) short(p *vec.Vec3) shortPoint {
	return shortPoint{float32(p.X - c.middle.X), float32(p.Y - c.middle.Y), float32(p.Z - c.middle.Z)}
}

// at evaluates the plane at p.
func (k *shortPlane) at(p shortPoint) float32 {
	return float32(k.x*p.x) + float32(k.y*p.y) + float32(k.z*p.z) + k.d
}

// sure reports whether the value s of a shortPlane decides on which side the point lies.
func sure(s float32) bool { return s > 1 || s < -1 }
