package hull

import (
	"math/big"

	"github.com/scree-dem/scree/vec"
)

// AreaVector returns the sum of the cross products around the loop: a vector along the loop's
// normal, twice as long as its area. It is evaluated about the first corner in twofold precision, so
// that slivers whose cross products cancel to the last bit still have a normal. The error is below
// 2^-98 of the loop's length squared, times the number of vertices.
func AreaVector[V ~int | ~int32 | ~uint16](pts []vec.Vec3, loop []V) vec.Vec3 {
	var sum vec.Twofold3
	a := vec.Difference(pts[loop[1]], pts[loop[0]])
	for _, k := range loop[2:] {
		b := vec.Difference(pts[k], pts[loop[0]])
		sum = sum.Add(a.Cross(b))
		a = b
	}
	return sum.Float()
}

// thinArea is a ratio of area vector to the square of the longest distance from the loop's first
// vertex. Below it, AreaVector may have fewer correct bits than a float64.
// Smaller: normals of slivers err.
const thinArea = 0x1p-45

// normal returns the unit normal of the loop, or zero if its area vector underflows, and the length
// of the area vector. Faces as thin as rounding occur if nothing is merged. Only they are computed
// in exact arithmetic, and for them the returned length is 0.
func normal(pts []vec.Vec3, loop []int32) (unit vec.Vec3, area float64) {
	n := AreaVector(pts, loop)
	longest := 0.0
	for _, v := range loop {
		longest = max(longest, pts[v].Sub(pts[loop[0]]).MaxAbs())
	}
	if n.MaxAbs() < float64(thinArea*longest)*longest {
		return exactAreaVector(pts, loop).Unit(), 0
	}
	return n.Unit(), n.Norm()
}

// exactAreaVector is AreaVector with a single rounding at the end.
func exactAreaVector(pts []vec.Vec3, loop []int32) vec.Vec3 {
	rational := func(v vec.Vec3) [3]*big.Rat {
		return [3]*big.Rat{
			new(big.Rat).SetFloat64(v.X), new(big.Rat).SetFloat64(v.Y), new(big.Rat).SetFloat64(v.Z),
		}
	}
	a := rational(pts[loop[0]])
	side := func(v int32) [3]*big.Rat {
		d := rational(pts[v])
		for k := range d {
			d[k].Sub(d[k], a[k])
		}
		return d
	}
	sum := rational(vec.Vec3{})
	for i := 1; i+1 < len(loop); i++ {
		e, f := side(loop[i]), side(loop[i+1])
		for k := range sum {
			y, z := (k+1)%3, (k+2)%3
			sum[k].Add(sum[k], new(big.Rat).Mul(e[y], f[z]))
			sum[k].Sub(sum[k], new(big.Rat).Mul(e[z], f[y]))
		}
	}
	x, _ := sum[0].Float64()
	y, _ := sum[1].Float64()
	z, _ := sum[2].Float64()
	return vec.V(x, y, z)
}
