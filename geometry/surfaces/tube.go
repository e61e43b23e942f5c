package surfaces

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// maxTube is the largest number of sides of a tube.
const maxTube = 4096

// Tube returns a tube about the z axis, open at both ends, of the given number of sides, with edges at the given radius,
// m, and z from −height/2 to height/2, m. A vertex lies in +x. Facets face inwards, towards bodies in the
// tube. Errors wrap geometry.ErrValue.
func Tube(sides int, radius, height float64) (*geometry.Mesh, error) {
	switch {
	case sides < 3 || sides > maxTube:
		return nil, wrong("number of sides of the tube is %d, expected 3 to %d", sides, maxTube)
	case !(radius > 0 && radius <= 1e9 && height > 0 && height <= 1e9):
		return nil, wrong("radius and height of the tube are %g and %g m, expected more than 0 and at most 1e9 m", radius, height)
	}
	var verts []vec.Vec3
	var tris [][3]int
	for k := range sides {
		s, c := vec.Sincos(2 * math.Pi * float64(k) / float64(sides))
		x, y := float64(radius*c), float64(radius*s)
		verts = append(verts, vec.V(x, y, -height/2), vec.V(x, y, height/2))
		low, next := 2*k, 2*((k+1)%sides)
		tris = append(tris, [3]int{low, low + 1, next}, [3]int{next, low + 1, next + 1})
	}
	return mesh("tube", verts, tris), nil
}
