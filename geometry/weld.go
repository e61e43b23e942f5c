package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/vec"
)

// surface is a mesh after welding: facets of distinct vertices, with what they were in the file.
type surface struct {
	verts     []vec.Vec3
	fileVert  []int // first vertex of the file that was welded to each
	facets    [][]int
	fileFacet []int

	extent            extent
	weldTol, mergeTol float64
}

// weldMesh checks numbers, coordinates and size of a mesh, and welds its vertices.
func weldMesh(m *Mesh) (*surface, error) {
	if len(m.Verts) == 0 || len(m.Faces) == 0 {
		return nil, fmt.Errorf("geometry: mesh %q: %d vertices and %d faces: %w", m.Name, len(m.Verts), len(m.Faces), ErrEmpty)
	}
	used := make([]bool, len(m.Verts))
	for f, face := range m.Faces {
		if len(face) < 3 {
			return nil, fmt.Errorf("geometry: mesh %q: face %d has %d vertices, expected 3 or more: %w", m.Name, f, len(face), ErrTruncated)
		}
		for _, k := range face {
			if k < 0 || k >= len(m.Verts) {
				return nil, fmt.Errorf("geometry: mesh %q: face %d names vertex %d, expected 0 to %d: %w", m.Name, f, k, len(m.Verts)-1, ErrTruncated)
			}
			used[k] = true
		}
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
	s := &surface{extent: e, weldTol: e.tolerance(weldRel), mergeTol: e.tolerance(mergeRel)}
	if err := checkThickness(fmt.Sprintf("mesh %q", m.Name), points, s.mergeTol); err != nil {
		return nil, err
	}
	to := s.weld(points, file, len(m.Verts))
	for f, face := range m.Faces {
		var facet []int
		for _, k := range face {
			if k = to[k]; len(facet) == 0 || facet[len(facet)-1] != k {
				facet = append(facet, k)
			}
		}
		for len(facet) > 1 && facet[0] == facet[len(facet)-1] {
			facet = facet[:len(facet)-1]
		}
		if len(facet) < 3 {
			continue
		}
		if k, twice := repeated(facet); twice {
			return nil, fmt.Errorf("geometry: mesh %q: face %d passes vertex %d twice: %w", m.Name, f, s.fileVert[k], ErrSelfIntersecting)
		}
		s.facets = append(s.facets, facet)
		s.fileFacet = append(s.fileFacet, f)
	}
	if len(s.facets) < 4 {
		return nil, fmt.Errorf("geometry: mesh %q: %d faces with an area, expected 4 or more: %w", m.Name, len(s.facets), ErrNotClosed)
	}
	s.dropUnused()
	return s, nil
}

// dropUnused drops the vertices that only collapsed facets had.
func (s *surface) dropUnused() {
	to := make([]int, len(s.verts))
	for _, facet := range s.facets {
		for _, k := range facet {
			to[k] = 1
		}
	}
	n := 0
	for k, used := range to {
		if used == 1 {
			s.verts[n], s.fileVert[n], to[k] = s.verts[k], s.fileVert[k], n
			n++
		}
	}
	s.verts, s.fileVert = s.verts[:n], s.fileVert[:n]
	for _, facet := range s.facets {
		for j, k := range facet {
			facet[j] = to[k]
		}
	}
}

// repeated returns a vertex that a facet passes twice.
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

// weld makes one vertex of those within weldTol of the first of them and returns the vertex of each
// vertex of the file. A grid of cells of the tolerance limits the search to 27 cells; equal points,
// the usual case, are found at once.
func (s *surface) weld(points []vec.Vec3, file []int, nFile int) []int {
	to := make([]int, nFile)
	origin := boxOf(points).Min
	type cell struct{ x, y, z int64 }
	cellOf := func(v vec.Vec3) cell {
		d := v.Sub(origin)
		return cell{int64(math.Floor(d.X / s.weldTol)), int64(math.Floor(d.Y / s.weldTol)), int64(math.Floor(d.Z / s.weldTol))}
	}
	equal := make(map[vec.Vec3]int, len(points))
	cells := make(map[cell][]int, len(points))
	for i, v := range points {
		if k, ok := equal[v]; ok {
			to[file[i]] = k
			continue
		}
		at := cellOf(v)
		found := -1
		for dx := int64(-1); dx <= 1; dx++ {
			for dy := int64(-1); dy <= 1; dy++ {
				for dz := int64(-1); dz <= 1; dz++ {
					for _, k := range cells[cell{at.x + dx, at.y + dy, at.z + dz}] {
						if (found < 0 || k < found) && v.Sub(s.verts[k]).Norm() <= s.weldTol {
							found = k
						}
					}
				}
			}
		}
		if found < 0 {
			found = len(s.verts)
			s.verts = append(s.verts, v)
			s.fileVert = append(s.fileVert, file[i])
			cells[at] = append(cells[at], found)
		}
		equal[v] = found
		to[file[i]] = found
	}
	return to
}
