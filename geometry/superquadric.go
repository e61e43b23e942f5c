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
// with half axes a, b, c, m, and exponents from 0.1 (nearly a box) over 1 (an ellipsoid) to 2 (an
// octahedron). The points lie along the directions of a Fibonacci lattice (González 2010), so they
// are evenly spread and no two alike; those on flat parts are left out by the hull, so up to n
// vertices remain. It is moved to its centroid, which for the exact body is the origin.
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
		// The middle of the k-th of n slices of equal area; the azimuth turns by the golden angle.
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
