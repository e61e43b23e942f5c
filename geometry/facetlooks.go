package geometry

import (
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// A mesh may have freeEdgeLooks looks across edges, a fraction of a second, and edgeLooksEach for
// each triangle. Most edges have two triangles, and 8000 may meet at one.
const (
	freeEdgeLooks = 1 << 27
	edgeLooksEach = 64
)

// tooManyAtEdge names the edge at which the most triangles meet.
func (g *facetMerger) tooManyAtEdge(name string) error {
	var a, b vec.Vec3
	most := 0
	for _, v := range g.tris {
		for i := range 3 {
			if n := len(g.around[undirected(v[i], v[(i+1)%3])]); n > most {
				a, b, most = g.verts[v[i]], g.verts[v[(i+1)%3]], n
			}
		}
	}
	return mark.Errorf(ErrTooLarge, "geometry: mesh %q: %d triangles meet at the edge from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g), expected fewer: finding "+
		"which lie in one plane takes more than %d comparisons", name, most, a.X, a.Y, a.Z, b.X, b.Y, b.Z, g.most)
}
