package surfaces

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

const (
	// MaxSphere is the largest refinement of a sphere: 8·4⁹ = 2 097 152 triangles.
	MaxSphere = 9
	// maxTorus is the largest number of points of a torus.
	maxTorus = 1 << 21
)

// Sphere returns the approximation of a sphere that Muth et al. 2006 study in section 3.1: an
// octahedron of radius r, m. Each triangle is divided into four, k times; new vertices are
// projected onto the sphere. The result has 8·4ᵏ triangles; the four parts of a triangle are
// consecutive. Errors wrap geometry.ErrValue.
func Sphere(r float64, k int) (*geometry.Mesh, error) {
	if !length(r) {
		return nil, wrong("radius of the sphere is %g, expected a length from %g to %g m", r, minLength, maxLength)
	}
	if k < 0 || k > MaxSphere {
		return nil, wrong("refinement of the sphere is %d, expected 0 to %d", k, MaxSphere)
	}
	verts := []vec.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	tris := [][3]int{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
	for range k {
		middles := make(map[[2]int]int, len(tris)*3/2)
		middle := func(a, b int) int {
			edge := [2]int{min(a, b), max(a, b)}
			m, known := middles[edge]
			if !known {
				m = len(verts)
				middles[edge] = m
				verts = append(verts, verts[edge[0]].Add(verts[edge[1]]).Unit())
			}
			return m
		}
		finer := make([][3]int, 0, 4*len(tris))
		for _, t := range tris {
			a, b, c := middle(t[0], t[1]), middle(t[1], t[2]), middle(t[2], t[0])
			finer = append(finer, [3]int{t[0], a, c}, [3]int{a, t[1], b}, [3]int{c, b, t[2]}, [3]int{a, b, c})
		}
		tris = finer
	}
	for i, v := range verts {
		verts[i] = v.Scale(r)
	}
	return mesh(fmt.Sprintf("sphere:%g,%d", r, k), verts, tris), nil
}

// Torus returns a torus about the z axis. Its tube has the radius small, m, and its axis is at the
// distance large, m. The torus has n points around each of m sections, and 2·m·n triangles. Errors
// wrap geometry.ErrValue.
func Torus(large, small float64, m, n int) (*geometry.Mesh, error) {
	switch {
	case !length(large) || !length(small):
		return nil, wrong("radii of the torus are %g and %g, expected lengths from %g to %g m", large, small, minLength, maxLength)
	case !(small < large):
		return nil, wrong("radius of the tube is %g, expected less than that of the torus, %g m", small, large)
	case m < 3 || n < 3 || m > maxTorus || n > maxTorus || m*n > maxTorus:
		return nil, wrong("the torus has %d × %d points, expected at least 3 × 3 and at most %d", m, n, maxTorus)
	}
	verts := make([]vec.Vec3, 0, m*n)
	tris := make([][3]int, 0, 2*m*n)
	for i := range m {
		s, c := vec.Sincos(2 * math.Pi * float64(i) / float64(m))
		for j := range n {
			sj, cj := vec.Sincos(2 * math.Pi * float64(j) / float64(n))
			rho := large + float64(small*cj)
			verts = append(verts, vec.V(float64(rho*c), float64(rho*s), float64(small*sj)))
			a, b := i*n+j, (i+1)%m*n+j
			d, e := i*n+(j+1)%n, (i+1)%m*n+(j+1)%n
			tris = append(tris, [3]int{a, b, e}, [3]int{a, e, d})
		}
	}
	return mesh(fmt.Sprintf("torus:%g,%g,%d,%d", large, small, m, n), verts, tris), nil
}

// minLength and maxLength limit lengths, m, so that no square and no product of three overflows or
// is denormal.
const (
	minLength = 1e-90
	maxLength = 1e90
)

func length(x float64) bool { return x >= minLength && x <= maxLength }
