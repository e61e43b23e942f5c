package winding

import (
	"math"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

// Triangles has triangles prepared for sums of solid angles, in the order of the surface. Its
// methods may be called from several goroutines.
type Triangles struct {
	corners []corner
}

// corner is a prepared triangle: its corners, twice its area vector (b-a)×(c-a), and the largest
// product lb·lc for which Add calls near instead. 104 bytes.
type corner struct {
	a, b, c, n vec.Vec3
	apart      float64
}

// nearCorner times the product of the two shorter edges is the product of the distances to two
// corners below which Add calls near. With a smaller value, the rounding of the area vector affects
// the angle at a point next to a corner too much. With a larger one, Add calls near more often.
const nearCorner = 0.25

// New prepares the triangles of a surface, which may be open.
func New(s *tri.Surface) *Triangles {
	w := &Triangles{corners: make([]corner, len(s.Tris))}
	for t := range w.corners {
		a, b, c := s.Corners(t)
		n, edges := areaVector(a, b, c)
		w.corners[t] = corner{a, b, c, n, float64(nearCorner * edges)}
	}
	return w
}

// areaVector returns (b-a)×(c-a), computed from the two shorter edges, and the product of their
// lengths. The error is 2^-50 of that product.
func areaVector(a, b, c vec.Vec3) (n vec.Vec3, edges float64) {
	ab, bc, ca := b.Sub(a), c.Sub(b), a.Sub(c)
	lab, lbc, lca := ab.Norm(), bc.Norm(), ca.Norm()
	switch max(lab, lbc, lca) {
	case lab:
		return bc.Cross(ca), float64(lbc * lca)
	case lbc:
		return ca.Cross(ab), float64(lca * lab)
	}
	return ab.Cross(bc), float64(lab * lbc)
}

// Bytes returns the memory of the prepared triangles.
func (w *Triangles) Bytes() int { return 104 * cap(w.corners) }

// Angle is a sum of signed solid angles about a point, as a fraction of the whole sphere. The zero
// value is an empty sum.
type Angle struct {
	sum, low float64 // sum of half solid angles, rad, and its rounding error
	re, im   float64 // the product of the factors not yet in sum; its argument is less than π/2
	n        int     // number of factors in the product
	On       bool    // the point lies on one of the triangles
}

// factors is how many triangles are multiplied before the argument is computed. The absolute value
// of each factor is between nearLevel and 4, so 16 factors neither overflow nor underflow.
const factors = 16

// nearLevel is the real part of a factor, at most 4, below which Add calls near. There, the
// rounding of the factor matters, and the point may lie on the triangle. Few triangles subtend so
// large an angle at one point. With a smaller value, angles near edges lose digits. With a larger
// one, Add calls near more often.
const nearLevel = 0.25

// Add adds the solid angles of triangles from <= t < to about the point x.
//
// Let a, b, c be the vectors from x to the corners. Half the solid angle is the argument of
// |a||b||c| + (a·b)|c| + (b·c)|a| + (c·a)|b| + i a·(b×c), and a·(b×c) = a·n. Arguments add when
// complex numbers are multiplied, so one arc tangent serves several triangles. No turn is lost as
// long as the real part of the product stays positive.
//
// Rounding: a·n has an error of 2^-49 of |a| times the two shorter edges. So the error of an angle
// is 2^-49 of their product over |b||c|, and at most 2^-47 beyond nearCorner. Close to b or c the
// error would have no bound, so Add calls near.
func (s *Angle) Add(w *Triangles, x vec.Vec3, from, to int) {
	re, im, n := s.re, s.im, s.n
	if n == 0 {
		re, im = 1, 0
	}
	for t := from; t < to; t++ {
		k := &w.corners[t]
		ax, ay, az := k.a.X-x.X, k.a.Y-x.Y, k.a.Z-x.Z
		bx, by, bz := k.b.X-x.X, k.b.Y-x.Y, k.b.Z-x.Z
		cx, cy, cz := k.c.X-x.X, k.c.Y-x.Y, k.c.Z-x.Z
		la := math.Sqrt(float64(ax*ax) + float64(ay*ay) + float64(az*az))
		lb := math.Sqrt(float64(bx*bx) + float64(by*by) + float64(bz*bz))
		lc := math.Sqrt(float64(cx*cx) + float64(cy*cy) + float64(cz*cz))
		ab := float64(ax*bx) + float64(ay*by) + float64(az*bz)
		bc := float64(bx*cx) + float64(by*cy) + float64(bz*cz)
		ca := float64(cx*ax) + float64(cy*ay) + float64(cz*az)
		volume := float64(ax*k.n.X) + float64(ay*k.n.Y) + float64(az*k.n.Z)
		apart := float64(lb * lc)
		whole := float64(la * apart)
		inverse := 1 / whole
		p := 1 + float64((float64(ab*lc)+float64(bc*la)+float64(ca*lb))*inverse)
		q := float64(volume * inverse)
		// This also holds if lengths overflow, underflow or vanish, so that p or q is NaN or
		// infinite.
		if !(p > nearLevel && math.Abs(q) <= 8 && apart > k.apart) {
			half, on := near(k, x)
			s.On = s.On || on
			s.sumUp(half)
			continue
		}
		re, im = float64(re*p)-float64(im*q), float64(re*q)+float64(im*p)
		if n++; n == factors || re <= 0 {
			s.sumUp(vec.Atan2(im, re))
			re, im, n = 1, 0, 0
		}
	}
	s.re, s.im, s.n = re, im, n
}

// sumUp adds an angle to the sum without loss (Knuth's two-sum).
func (s *Angle) sumUp(half float64) {
	sum := s.sum + half
	part := sum - s.sum
	s.low += (s.sum - (sum - part)) + (half - part)
	s.sum = sum
}

// Value returns the sum as a fraction of the whole sphere. If all triangles were added, the value
// is the winding number.
func (s *Angle) Value() float64 {
	half := s.sum + s.low
	if s.n > 0 {
		half += vec.Atan2(s.im, s.re)
	}
	return half / (2 * math.Pi)
}

// blockTriangles is how many triangles are summed before the next point is processed. They occupy
// 26 kB, which stay in the first-level cache.
const blockTriangles = 256

// Range locates points. It stores in places where they lie and, if values is not nil, in values
// their winding numbers. The slices have one length. Cost: points times triangles.
func (w *Triangles) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	const group = 64
	var sums [group]Angle
	for len(points) > 0 {
		n := min(group, len(points))
		sums = [group]Angle{}
		for from := 0; from < len(w.corners); from += blockTriangles {
			to := min(from+blockTriangles, len(w.corners))
			for i, x := range points[:n] {
				sums[i].Add(w, x, from, to)
			}
		}
		for i := range sums[:n] {
			value := sums[i].Value()
			places[i] = tri.ByValue(value, sums[i].On)
			if values != nil {
				values[i] = value
			}
		}
		points, places = points[n:], places[n:]
		if values != nil {
			values = values[n:]
		}
	}
}
