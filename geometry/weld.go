package geometry

import (
	"fmt"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/internal/weld"
	"github.com/scree-dem/scree/vec"
)

// weldedMesh is a mesh after welding: facets of distinct vertices, with their numbers in the file.
type weldedMesh struct {
	verts     []vec.Vec3
	fileVert  []int // of each vertex: the first vertex of the file that was welded into it
	facets    [][]int
	fileFacet []int

	weldTol, mergeTol float64
	moved             float64 // m, the largest distance from a vertex of the file to the one it was welded into
}

// weldMesh checks the counts, coordinates and size of a mesh, and welds its vertices.
func weldMesh(m *Mesh) (*weldedMesh, error) {
	used, err := m.check()
	if err != nil {
		return nil, err
	}
	var points []vec.Vec3
	var file []int
	for k, v := range m.Verts {
		if !used[k] {
			continue
		}
		if err := checkCoordinate(v); err != nil {
			return nil, fmt.Errorf("geometry: mesh %q: vertex %d: %w", m.Name, k, err)
		}
		points = append(points, v)
		file = append(file, k)
	}
	e, err := checkPoints(fmt.Sprintf("mesh %q", m.Name), points)
	if err != nil {
		return nil, err
	}
	s := &weldedMesh{weldTol: e.tolerance(weldRel), mergeTol: e.tolerance(mergeRel)}
	if err := checkThickness(fmt.Sprintf("mesh %q", m.Name), points, s.mergeTol); err != nil {
		return nil, err
	}
	verts, index := weld.Points(points, s.weldTol)
	s.verts = verts
	to := make([]int, len(m.Verts))
	for i, k := range index {
		if int(k) == len(s.fileVert) {
			s.fileVert = append(s.fileVert, file[i])
		}
		s.moved = max(s.moved, points[i].Sub(verts[k]).Norm())
		to[file[i]] = int(k)
	}
	for f, face := range m.Faces {
		facet := renamed(face, func(k int) int { return to[k] })
		if len(facet) < 3 {
			continue
		}
		if k, twice := repeated(facet); twice {
			return nil, mark.Errorf(ErrSelfIntersecting, "geometry: mesh %q: face %d passes vertex %d twice, expected once", m.Name, f, s.fileVert[k])
		}
		s.facets = append(s.facets, facet)
		s.fileFacet = append(s.fileFacet, f)
	}
	if len(s.facets) < 4 {
		return nil, mark.Errorf(ErrNotClosed, "geometry: mesh %q: %d faces with an area: it is not closed, expected 4 or more", m.Name, len(s.facets))
	}
	kept := renumber(s.facets, len(s.verts)) // the other vertices belonged to collapsed facets only
	s.verts, s.fileVert = inOrder(s.verts, kept), inOrder(s.fileVert, kept)
	return s, nil
}

// renamed maps the vertices of a loop by to, and drops vertices that repeat their neighbour.
func renamed(loop []int, to func(k int) int) (out []int) {
	for _, k := range loop {
		if k = to(k); len(out) == 0 || out[len(out)-1] != k {
			out = append(out, k)
		}
	}
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	return out
}

// renumber gives consecutive numbers to those of n vertices that loops use. used has the old number
// of each.
func renumber(loops [][]int, n int) (used []int) {
	to := make([]int, n)
	for _, loop := range loops {
		for _, k := range loop {
			to[k] = 1
		}
	}
	for k, uses := range to {
		if uses > 0 {
			to[k] = len(used)
			used = append(used, k)
		}
	}
	for _, loop := range loops {
		for j, k := range loop {
			loop[j] = to[k]
		}
	}
	return used
}

// repeated returns a vertex that occurs twice in a facet.
func repeated(facet []int) (vertex int, twice bool) {
	seen := make(map[int]bool, len(facet))
	for _, k := range facet {
		if seen[k] {
			return k, true
		}
		seen[k] = true
	}
	return 0, false
}
