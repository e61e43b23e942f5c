package fileio

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/weld"
)

// weldRelative is the default welding distance, relative to the longest side of the bounding
// box. Programs that write STL print a shared vertex identically in each triangle, or with the
// rounding error of float32, 1.2e-7 of the coordinate. All shared vertices are therefore found
// up to 8 sizes from the origin. A larger value would remove small edges of real blocks; a
// smaller one would leave cracks. The value is relative, so that blocks of 5 mm and of 5 m are
// treated alike.
const weldRelative = 1e-6

// Welded reports what Weld did.
type Welded struct {
	Tolerance float64 // welding distance, in the unit of the mesh
	Merged    int     // vertices merged into an earlier one
	Dropped   int     // faces dropped because fewer than three corners were left
}

// WeldTolerance returns the default tolerance of a mesh: 1e-6 of the longest side of its box.
func WeldTolerance(m *geometry.Mesh) float64 {
	if m == nil || len(m.Verts) == 0 {
		return 0
	}
	return 4 * weldRelative * weld.Quarter(m.Box())
}

// Weld returns a copy of the mesh in which vertices at most tol apart are merged, and a report. The
// given mesh is unchanged. With tol = 0 only equal vertices are merged. Weld panics if tol is
// negative, NaN or infinite.
//
// Vertices are processed in order. Each is merged into the kept vertex of lowest index within tol,
// or is kept. Kept vertices are therefore more than tol apart, no vertex moves by more than tol,
// and the result depends only on the order of the vertices. Repeated consecutive corners of a face
// are removed, and then faces with fewer than three corners. The two other edges of a triangle with
// a collapsed edge become one edge, so a closed surface stays closed. Indices in faces must be in
// range.
//
// Cost: see weld.Points.
func Weld(m *geometry.Mesh, tol float64) (*geometry.Mesh, Welded) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		panic("fileio: Weld: the tolerance is negative or not finite")
	}
	m = cmp.Or(m, &geometry.Mesh{})
	kept, index := weld.Points(m.Verts, tol)
	report := Welded{Tolerance: tol, Merged: len(m.Verts) - len(kept)}
	b := meshBuilder{verts: kept, ends: make([]int, 0, len(m.Faces))}
	dropped := []int{} // faces of m
	for f, face := range m.Faces {
		first := len(b.corners)
		for _, v := range face {
			if w := int(index[v]); len(b.corners) == first || b.corners[len(b.corners)-1] != w {
				b.corners = append(b.corners, w)
			}
		}
		for len(b.corners) > first+1 && b.corners[len(b.corners)-1] == b.corners[first] {
			b.corners = b.corners[:len(b.corners)-1]
		}
		if len(b.corners)-first < 3 {
			b.corners = b.corners[:first]
			report.Dropped++
			dropped = append(dropped, f)
			continue
		}
		b.endFace()
	}
	welded := b.mesh(m.Name)
	welded.Numbers = without(m, dropped)
	return welded, report
}

// without returns the numbers of the faces of a mesh without some of them, in rising order; nil if face i has the number i.
func without(m *geometry.Mesh, dropped []int) (numbers []int) {
	if len(dropped) == 0 {
		return m.Numbers
	}
	numbers = make([]int, 0, len(m.Faces)-len(dropped))
	for f := range m.Faces {
		switch {
		case len(dropped) > 0 && dropped[0] == f:
			dropped = dropped[1:]
		case m.Numbers != nil:
			numbers = append(numbers, m.Numbers[f])
		default:
			numbers = append(numbers, f)
		}
	}
	return numbers
}
