package hull

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// cloud is the input in canonical form, and the data that all steps share.
type cloud struct {
	pts   []vec.Vec3 // scaled by 2^-exp to at most 1, sorted by x, y, z, all different
	index []int      // of each point: its lowest index in the input
	// Of each point: the points that were welded into it, directly or with another point. welded is
	// nil before the first welding.
	welded [][]vec.Vec3
	exp    int
	box    vec.Box
	size   float64 // longest side of the box, scaled
	tol    float64 // merging tolerance, scaled
	exact  bool    // merge only what is exactly coplanar
}

// prepare checks, scales and sorts the points. Scaling by a power of two is exact and keeps the
// products of later steps in range. Sorting makes the result independent of the input's order.
func prepare(points []vec.Vec3, opt Options) (*cloud, error) {
	if math.IsNaN(opt.Merge) || opt.Merge > math.MaxFloat64 {
		return nil, mark.Errorf(ErrNotFinite, "hull: merging tolerance %g, expected a finite one", opt.Merge)
	}
	largest := 0.0
	for i, p := range points {
		if !p.Finite() {
			return nil, mark.Errorf(ErrNotFinite, "hull: point %d is %v, expected finite coordinates", i, p)
		}
		largest = max(largest, p.MaxAbs())
	}
	if len(points) < 4 {
		return nil, mark.Errorf(ErrTooFew, "hull: %d points, expected at least 4", len(points))
	}
	_, exp := math.Frexp(largest)
	c := &cloud{exp: exp, index: make([]int, len(points)), exact: opt.Merge < 0}
	scaled := make([]vec.Vec3, len(points))
	for i, p := range points {
		// Adding zero turns -0 into 0, so that equal points have equal bits.
		scaled[i] = vec.V(math.Ldexp(p.X, -exp)+0, math.Ldexp(p.Y, -exp)+0, math.Ldexp(p.Z, -exp)+0)
		c.index[i] = i
	}
	slices.SortFunc(c.index, func(i, j int) int {
		a, b := scaled[i], scaled[j]
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y), cmp.Compare(a.Z, b.Z), cmp.Compare(i, j))
	})
	c.index = slices.CompactFunc(c.index, func(i, j int) bool { return scaled[i] == scaled[j] })
	c.pts = make([]vec.Vec3, len(c.index))
	c.box = vec.EmptyBox()
	for k, i := range c.index {
		c.pts[k] = scaled[i]
		c.box = c.box.With(scaled[i])
	}
	c.size = c.box.Size().MaxAbs()
	if !c.exact {
		c.tol = max(float64(opt.Merge*c.size), float64(RoundingLevel*math.Ldexp(largest, -exp)))
	}
	return c, nil
}

// unscaled returns the length x in the unit of the input.
func (c *cloud) unscaled(x float64) float64 { return math.Ldexp(x, c.exp) }

// simplex returns four points that span a volume, the fourth below the plane of the first three. It
// prefers distant points. It returns an error if all points lie in a plane, on a line, or at one
// place.
func (c *cloud) simplex() (s [4]int32, err error) {
	p := c.pts
	if len(p) < 2 || c.within(c.size) {
		return s, mark.Errorf(ErrCoincident, "hull: %d different points within %.3g, tolerance %.3g, expected points that span a volume",
			len(p), c.unscaled(c.size), c.unscaled(c.tol))
	}
	a := int32(0)
	b := c.farthest(func(v vec.Vec3) float64 { return v.Sub(p[a]).Norm2() })
	ab := p[b].Sub(p[a])
	third := func(v vec.Vec3) float64 { return ab.Cross(v.Sub(p[a])).Norm2() }
	t := c.farthest(third)
	if vec.Collinear(p[a], p[b], p[t]) {
		// Rounding may hide a point off the line.
		for i := range p {
			if !vec.Collinear(p[a], p[b], p[i]) {
				t = int32(i)
				break
			}
		}
	}
	if w := math.Sqrt(third(p[t])) / ab.Norm(); c.within(w) || vec.Collinear(p[a], p[b], p[t]) {
		return s, mark.Errorf(ErrCollinear, "hull: %d points within %.3g of a line %.3g long, tolerance %.3g, expected points that span a volume",
			len(p), c.unscaled(w), c.unscaled(ab.Norm()), c.unscaled(c.tol))
	}
	n := ab.Cross(p[t].Sub(p[a])).Unit()
	fourth := func(v vec.Vec3) float64 { return math.Abs(n.Dot(v.Sub(p[a]))) }
	d := c.farthest(fourth)
	side := vec.Orient3D(p[a], p[b], p[t], p[d])
	for i := 0; side == 0 && i < len(p); i++ {
		d = int32(i)
		side = vec.Orient3D(p[a], p[b], p[t], p[d])
	}
	if w := fourth(p[d]); c.within(w) || side == 0 {
		return s, mark.Errorf(ErrCoplanar, "hull: %d points within %.3g of a plane, size %.3g, tolerance %.3g, expected points that span a volume",
			len(p), c.unscaled(w), c.unscaled(c.size), c.unscaled(c.tol))
	}
	if side > 0 {
		b, t = t, b
	}
	return [4]int32{a, b, t, d}, nil
}

// within reports whether the width w, which has rounding errors, counts as zero. Without a
// tolerance only the exact predicates decide.
func (c *cloud) within(w float64) bool { return !c.exact && w <= c.tol }

// farthest returns the lowest index of a point that maximises f.
func (c *cloud) farthest(f func(vec.Vec3) float64) int32 {
	best, at := math.Inf(-1), 0
	for i, v := range c.pts {
		if x := f(v); x > best {
			best, at = x, i
		}
	}
	return int32(at)
}
