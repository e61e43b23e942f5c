package geometry

import "github.com/scree-dem/scree/internal/mark"

// MergeFacets may compare at most freeComparisons + comparisonsEach·n triangles across edges for a mesh
// of n triangles. freeComparisons comparisons take a fraction of a second, and allow about 8000
// triangles to meet at one edge. Most edges have two triangles.
const (
	freeComparisons = 1 << 27
	comparisonsEach = 64
)

// tooManyAtEdge returns the error that names the edge at which the most triangles meet.
func (g *facetMerger) tooManyAtEdge(name string) error {
	at, most := 0, 0
	for h, e := range g.edge {
		if n := int(e.To - e.From); n > most {
			at, most = h, n
		}
	}
	a, b := g.verts[g.tail(at)], g.verts[g.tail(at/3*3+(at%3+1)%3)]
	return mark.Errorf(ErrTooLarge, "geometry: mesh %q: %d triangles meet at the edge from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g), expected fewer: finding "+
		"which lie in one plane takes more than %d comparisons", name, most, a.X, a.Y, a.Z, b.X, b.Y, b.Z, g.most)
}
