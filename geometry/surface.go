package geometry

import (
	"iter"
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/boxtree"
	"github.com/scree-dem/scree/internal/disjoint"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// edgeKey is a directed edge between vertices.
type edgeKey struct{ a, b int }

// edges yields the directed edges of loops in their order, each with the index of its loop.
func edges(loops [][]int) iter.Seq2[int, edgeKey] {
	return func(yield func(loop int, e edgeKey) bool) {
		for i, loop := range loops {
			for j, a := range loop {
				if !yield(i, edgeKey{a, loop[(j+1)%len(loop)]}) {
					return
				}
			}
		}
	}
}

// checkEdges returns an error unless each edge has exactly two facets that pass it in opposite
// directions.
func (s *weldedMesh) checkEdges() error {
	by := make(map[edgeKey][]int) // the facets that pass the edge in its direction
	for i, e := range edges(s.facets) {
		by[e] = append(by[e], i)
	}
	for i, e := range edges(s.facets) {
		switch n := len(by[e]) + len(by[edgeKey{e.b, e.a}]); {
		case n > 2:
			return mark.Errorf(ErrNotManifold, "edge from vertex %d to %d is in %d faces, among them %d, expected 2",
				s.fileVert[e.a], s.fileVert[e.b], n, s.fileFacet[i])
		case n < 2:
			return s.openEdge(i, e.a, e.b)
		}
	}
	for i, e := range edges(s.facets) {
		if first := by[e][0]; first != i {
			return mark.Errorf(ErrNotOriented, "faces %d and %d both pass the edge from vertex %d to %d, expected opposite directions",
				s.fileFacet[first], s.fileFacet[i], s.fileVert[e.a], s.fileVert[e.b])
		}
	}
	return nil
}

// openEdge returns the error for an edge with one facet. If a vertex lies on the edge (a
// T-junction), the error names the vertex.
func (s *weldedMesh) openEdge(facet, a, b int) error {
	from, along := s.verts[a], s.verts[b].Sub(s.verts[a])
	length := along.Norm()
	unit := along.Unit()
	for k, v := range s.verts {
		d := v.Sub(from)
		if t := d.Dot(unit); k != a && k != b && t > 0 && t < length && d.Cross(unit).Norm() <= s.mergeTol {
			return mark.Errorf(ErrNotClosed, "vertex %d lies on the edge from vertex %d to %d of face %d, which has no other face "+
				"(a T-junction), expected an edge to each",
				s.fileVert[k], s.fileVert[a], s.fileVert[b], s.fileFacet[facet])
		}
	}
	return mark.Errorf(ErrNotClosed, "edge from vertex %d to %d is in face %d only: it is not closed, expected 2 faces",
		s.fileVert[a], s.fileVert[b], s.fileFacet[facet])
}

// checkVertices returns an error unless the facets around each vertex, linked across shared edges,
// form one ring.
func (s *weldedMesh) checkVertices() error {
	next := make(map[edgeKey]int) // a vertex and its successor in a facet → its predecessor in that facet
	degree := make([]int, len(s.verts))
	start := make([]int, len(s.verts))
	for _, facet := range s.facets {
		n := len(facet)
		for j, k := range facet {
			next[edgeKey{k, facet[(j+1)%n]}] = facet[(j+n-1)%n]
			degree[k]++
			start[k] = facet[(j+1)%n]
		}
	}
	for k, want := range degree {
		got := 0
		for w := start[k]; ; {
			got++
			if w = next[edgeKey{k, w}]; w == start[k] || got > want {
				break
			}
		}
		if got != want {
			return mark.Errorf(ErrNotManifold, "vertex %d has %d faces of which only %d hang together, expected all",
				s.fileVert[k], want, got)
		}
	}
	return nil
}

// checkConnected returns an error unless the surface is connected and of genus 0: V - E + F = 2.
func (s *weldedMesh) checkConnected() error {
	parts := disjoint.New[int](len(s.verts))
	halfEdges := 0
	for _, facet := range s.facets {
		for _, k := range facet {
			parts.Join(facet[0], k)
		}
		halfEdges += len(facet)
	}
	for k := range s.verts {
		if parts.Lowest(k) != parts.Lowest(s.facets[0][0]) {
			return mark.Errorf(ErrNotConnected, "vertex %d is not connected with vertex %d, expected one surface",
				s.fileVert[k], s.fileVert[s.facets[0][0]])
		}
	}
	if euler := len(s.verts) - halfEdges/2 + len(s.facets); euler != 2 {
		return mark.Errorf(ErrNotConvex, "the count V - E + F is %d, expected 2, a body without holes", euler)
	}
	return nil
}

// checkPlanar returns an error unless polygons of more than three vertices are planar.
func (s *weldedMesh) checkPlanar() error {
	for i, facet := range s.facets {
		if len(facet) == 3 {
			continue
		}
		low, high := layer(s.verts, facet, hull.AreaVector(s.verts, facet).Unit())
		if bend := high - low; bend > 2*s.mergeTol {
			return mark.Errorf(ErrNotPlanar, "face %d bends by %.3g, expected at most %.3g", s.fileFacet[i], bend, 2*s.mergeTol)
		}
	}
	return nil
}

// crossing returns the first two facets, in their order, such that an edge of one passes through
// the interior of the other. It uses exact signs of volumes.
func (s *weldedMesh) crossing() (a, b int, ok bool) {
	var triangles [][3]int
	var facets []int // of each triangle
	var boxes []vec.Box
	for i, facet := range s.facets {
		for j := 2; j < len(facet); j++ {
			v := [3]int{facet[0], facet[j-1], facet[j]}
			triangles, facets = append(triangles, v), append(facets, i)
			boxes = append(boxes, vec.BoxAround([]vec.Vec3{s.verts[v[0]], s.verts[v[1]], s.verts[v[2]]}))
		}
	}
	tree := boxtree.New(boxes)
	a, b = math.MaxInt, math.MaxInt
	for t, v := range triangles {
		for u := range tree.Over(boxes[t]) {
			lo, hi, w := facets[t], facets[u], triangles[u]
			if lo < hi && (lo < a || lo == a && hi < b) && (s.pierces(v, w) || s.pierces(w, v)) {
				a, b, ok = lo, hi, true
			}
		}
	}
	return a, b, ok
}

// pierces reports whether an edge of the triangle e passes through the open triangle t.
func (s *weldedMesh) pierces(e, t [3]int) bool {
	side := func(a, b, c, d int) int { return vec.Orient3D(s.verts[a], s.verts[b], s.verts[c], s.verts[d]) }
	for j := range 3 {
		a, b := e[j], e[(j+1)%3]
		if a == t[0] || a == t[1] || a == t[2] || b == t[0] || b == t[1] || b == t[2] {
			continue
		}
		if side(t[0], t[1], t[2], a)*side(t[0], t[1], t[2], b) >= 0 {
			continue
		}
		u, v, w := side(a, b, t[0], t[1]), side(a, b, t[1], t[2]), side(a, b, t[2], t[0])
		if u == v && v == w && u != 0 {
			return true
		}
	}
	return false
}
