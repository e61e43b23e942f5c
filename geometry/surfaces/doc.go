// Package surfaces makes surfaces of triangles that are not convex, or that can be refined at will:
// spheres by subdivision, tori, and foams of high genus, all closed, and open ground. They serve
// studies, tests and scenes. Random surfaces are seeded. All surfaces have the same bits on every machine. Lengths are
// in m. Each surface is centred on the origin; its triangles are counter-clockwise seen from
// outside. Read foam.go first.
package surfaces

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// wrong returns an error about a size or number out of range. The error wraps geometry.ErrValue.
func wrong(format string, args ...any) error {
	return mark.Errorf(geometry.ErrValue, "surfaces: "+format, args...)
}

// mesh returns a mesh of triangles.
func mesh(name string, verts []vec.Vec3, tris [][3]int) *geometry.Mesh {
	m := &geometry.Mesh{Name: name, Verts: verts, Faces: make([][]int, len(tris))}
	for t := range tris {
		m.Faces[t] = tris[t][:]
	}
	return m
}

// Genus returns the number of handles of a closed connected surface of triangles without unused
// vertices: 1 - (V - E + F)/2, where each of the E edges has two triangles.
func Genus(m *geometry.Mesh) int {
	return 1 - (len(m.Verts)-len(m.Faces)/2)/2
}
