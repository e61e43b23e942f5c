package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/vec"
)

// surface is a mesh after welding: facets of distinct vertices, with what they were in the file.
type surface struct {
	verts     []vec.Vec3
	fileVert  []int // first vertex of the file that was welded to each
	facets    [][]int
	fileFacet []int

	weldTol, mergeTol float64
}

// weldMesh checks numbers, coordinates and size of a mesh, and welds its vertices.
func weldMesh(m *Mesh) (*surface, error) {
	if len(m.Verts) == 0 || len(m.Faces) == 0 {
		return nil, mark.Errorf(ErrEmpty, "geometry: mesh %q: %d vertices and %d faces, expected one or more of either", m.Name, len(m.Verts), len(m.Faces))
	}
	used, _, err := m.Used()
	if err != nil {
		return nil, fmt.Errorf("geometry: mesh %q: %w", m.Name, err)
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
	s := &surface{weldTol: e.tolerance(weldRel), mergeTol: e.tolerance(mergeRel)}
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
	kept := renumber(s.facets, len(s.verts)) // the others had collapsed facets only
	s.verts, s.fileVert = inOrder(s.verts, kept), inOrder(s.fileVert, kept)
	return s, nil
}

// renamed returns a loop by other names of its vertices, without those that repeat their neighbour.
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

// renumber gives those of n vertices that loops use numbers in a row, and returns which they were.
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

// weld makes one vertex of those within weldTol of the first of them and returns the vertex of
// each vertex of the file. A grid limits the search to few cells; equal points, the usual case,
// are found at once.
func (s *surface) weld(points []vec.Vec3, file []int, nFile int) []int {
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
		equal[v] = found
		to[file[i]] = found
	}
	return to
}

// weldGrid is a hash of cells of weldCell tolerances, each with a list of the vertices inside.
type weldGrid struct {
	origin     vec.Vec3
	tol, reach float64             // reach is half the side of the cube that is searched
	first      map[weldPlace]int32 // 1 + the vertex last put into a cell
	next       []int32             // by vertex: 1 + the one put into its cell before it
}

// weldPlace is where a cell is.
type weldPlace struct{ x, y, z int64 }

const (
	// weldCell is the side of a cell in tolerances: a cube of two about a point then touches two
	// cells on average, and vertices that are apart by more than one tolerance are few in a cell.
	weldCell = 8
	// weldSlack is how much larger the cube is than the tolerance, against rounding.
	weldSlack = 1.001
)

func newWeldGrid(origin vec.Vec3, tol float64, points int) *weldGrid {
	return &weldGrid{origin: origin, tol: tol, reach: float64(weldSlack * tol), first: make(map[weldPlace]int32, points)}
}

func (g *weldGrid) cellAt(d vec.Vec3) weldPlace {
	side := float64(weldCell * g.tol)
	return weldPlace{int64(math.Floor(d.X / side)), int64(math.Floor(d.Y / side)), int64(math.Floor(d.Z / side))}
}

// insert enters the next vertex.
func (g *weldGrid) insert(v vec.Vec3) {
	at := g.cellAt(v.Sub(g.origin))
	g.next = append(g.next, g.first[at])
	g.first[at] = int32(len(g.next))
}

// lowest returns the lowest of the vertices that were entered within the tolerance of a point, or
// -1.
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
