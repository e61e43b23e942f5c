// Package surfaces makes closed surfaces of triangles that are not convex, or that are refined at
// will: spheres by subdivision, tori, and foams of high genus. They serve studies, tests and
// scenes. All are seeded or have no random part, and have the same bits on every machine. Lengths
// in m; each surface stands about the origin, triangles counter-clockwise seen from outside. Read
// foam.go first.
package surfaces

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// wrong makes the error of a size or number that no surface has. It wraps geometry.ErrValue.
func wrong(format string, args ...any) error {
	return mark.Errorf(geometry.ErrValue, "surfaces: "+format, args...)
}

// mesh makes a mesh of triangles.
func mesh(name string, verts []vec.Vec3, tris [][3]int) *geometry.Mesh {
	m := &geometry.Mesh{Name: name, Verts: verts, Faces: make([][]int, len(tris))}
	for t := range tris {
		m.Faces[t] = tris[t][:]
	}
	return m
}

// Genus returns the number of handles of a closed connected surface of triangles without stray
// vertices: 1 - (V - E + F)/2, where each of the E edges has two triangles.
func Genus(m *geometry.Mesh) int {
	return 1 - (len(m.Verts)-len(m.Faces)/2)/2
}
