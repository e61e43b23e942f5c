package geometry

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Superquadric returns the convex hull of n points of the superellipsoid (Barr 1981)
//
//	(|x/a|^(2/e2) + |y/b|^(2/e2))^(e2/e1) + |z/c|^(2/e1) = 1
//
// with half axes a, b, c, m, and exponents e1, e2 from 0.1 (nearly a box) over 1 (an ellipsoid) to
// 2 (an octahedron). The points lie along the directions of a Fibonacci lattice (González 2010), so
// they are evenly spread and no two directions are equal. The hull drops points on flat parts, so
// the result has up to n vertices. It is moved so that its centroid is the origin; the centroid of
// the superellipsoid is the origin already. Errors wrap ErrValue and those of FromPoints.
func Superquadric(a, b, c, e1, e2 float64, n int) (*Polyhedron, error) {
	if err := checkLengths("superquadric", a, b, c); err != nil {
		return nil, err
	}
	if n < minSuperquadric || n > soa.MaxVerts {
		return nil, mark.Errorf(ErrValue, "geometry: superquadric: %d points, expected %d to %d", n, minSuperquadric, soa.MaxVerts)
	}
	for _, e := range []float64{e1, e2} {
		if !(e >= 0.1 && e <= 2) {
			return nil, mark.Errorf(ErrValue, "geometry: superquadric: exponent %g, expected 0.1 to 2", e)
		}
	}
	points := make([]vec.Vec3, n)
	for k := range points {
		// The k-th point is in the middle of the k-th of n slices of equal area. The azimuth
		// advances by the golden angle.
		z := 1 - float64(2*k+1)/float64(n)
		_, turns := math.Modf(float64(float64(k) * (2 - golden)))
		s, co := vec.Sincos(2 * math.Pi * turns)
		rho := math.Sqrt(1 - float64(z*z))
		u := vec.V(float64(rho*co), float64(rho*s), z)
		xy := vec.Pow(math.Abs(u.X), 2/e2) + vec.Pow(math.Abs(u.Y), 2/e2)
		f := vec.Pow(xy, e2/e1) + vec.Pow(math.Abs(z), 2/e1)
		points[k] = u.Scale(vec.Pow(f, -e1/2)).Mul(vec.V(a, b, c))
	}
	p, err := FromPoints("superquadric", points)
	if err != nil {
		return nil, err
	}
	return p.Translated(p.Mass.Centroid.Neg())
}

// minSuperquadric is the least number of points that surround the centre well.
const minSuperquadric = 8
