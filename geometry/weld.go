package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/internal/mark"
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
	to := s.weld(points, file, len(m.Verts))
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

// weld merges each vertex into the lowest earlier one within weldTol, and returns the new vertex of
// each vertex of the file. A grid limits the search to a few cells. Equal points, the usual case,
// are found by a map.
func (s *weldedMesh) weld(points []vec.Vec3, file []int, nFile int) []int {
	to := make([]int, nFile)
	g := newWeldGrid(boxOf(points).Min, s.weldTol, len(points))
	equal := make(map[vec.Vec3]int, len(points))
	for i, v := range points {
		if k, ok := equal[v]; ok {
			to[file[i]] = k
			continue
		}
		found := g.lowest(s.verts, v)
		if found < 0 {
			found = len(s.verts)
			s.verts = append(s.verts, v)
			s.fileVert = append(s.fileVert, file[i])
			g.insert(v)
		}
		s.moved = max(s.moved, v.Sub(s.verts[found]).Norm())
		equal[v] = found
		to[file[i]] = found
	}
	return to
}

// weldGrid is a hash grid. Each cell is weldCell tolerances wide and has a list of its vertices.
type weldGrid struct {
	origin     vec.Vec3
	tol, reach float64             // reach is half the side of the cube that is searched
	first      map[weldPlace]int32 // 1 + the last vertex inserted into a cell
	next       []int32             // of each vertex: 1 + the vertex inserted into its cell before it
}

// weldPlace has the integer coordinates of a cell.
type weldPlace struct{ x, y, z int64 }

const (
	// weldCell is the side of a cell in tolerances. A cube of two tolerances about a point then
	// overlaps two cells on average, and a cell contains few vertices that are more than one
	// tolerance apart.
	weldCell = 8
	// weldSlack is the ratio of the cube's size to the tolerance; it covers rounding.
	weldSlack = 1.001
)

func newWeldGrid(origin vec.Vec3, tol float64, points int) *weldGrid {
	return &weldGrid{origin: origin, tol: tol, reach: float64(weldSlack * tol), first: make(map[weldPlace]int32, points)}
}

func (g *weldGrid) cellAt(d vec.Vec3) weldPlace {
	side := float64(weldCell * g.tol)
	return weldPlace{int64(math.Floor(d.X / side)), int64(math.Floor(d.Y / side)), int64(math.Floor(d.Z / side))}
}

// insert enters the next vertex into the grid.
func (g *weldGrid) insert(v vec.Vec3) {
	at := g.cellAt(v.Sub(g.origin))
	g.next = append(g.next, g.first[at])
	g.first[at] = int32(len(g.next))
}

// lowest returns the lowest inserted vertex within the tolerance of a point, or -1.
func (g *weldGrid) lowest(verts []vec.Vec3, v vec.Vec3) int {
	d, reach := v.Sub(g.origin), vec.Vec3{X: g.reach, Y: g.reach, Z: g.reach}
	lo, hi := g.cellAt(d.Sub(reach)), g.cellAt(d.Add(reach))
	found := -1
	for x := lo.x; x <= hi.x; x++ {
		for y := lo.y; y <= hi.y; y++ {
			for z := lo.z; z <= hi.z; z++ {
				for k := g.first[weldPlace{x, y, z}]; k != 0; k = g.next[k-1] {
					if i := int(k - 1); (found < 0 || i < found) && v.Sub(verts[i]).Norm() <= g.tol {
						found = i
					}
				}
			}
		}
	}
	return found
}
