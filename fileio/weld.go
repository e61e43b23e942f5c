package fileio

import (
	"cmp"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

const (
	// weldRelative is the default welding distance, relative to the longest side of the bounding
	// box. Programs that write STL print a shared vertex identically in each triangle, or with the
	// rounding error of float32, 1.2e-7 of the coordinate. All shared vertices are therefore found
	// up to 8 sizes from the origin. A larger value would remove small edges of real blocks; a
	// smaller one would leave cracks. The value is relative, so that blocks of 5 mm and of 5 m are
	// treated alike.
	weldRelative = 1e-6
	// weldCells limits the number of cells along the longest side to 2⁴⁰. Cell indices are then
	// exact in float64 and fit an int64, whatever the tolerance. Cells larger than the tolerance
	// requires cost time but do not change the result.
	weldCells = 1 << 40
)

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
	return 4 * weldRelative * quarterSize(m.Box())
}

// quarterSize returns a quarter of the longest side of the box. Quarters keep sums and differences
// of two coordinates finite, however large the coordinates are.
func quarterSize(b vec.Box) float64 {
	return b.Max.Scale(0.25).Sub(b.Min.Scale(0.25)).MaxAbs()
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
// Cost: O(n) lookups in a hash of cells, whose side is at least 2⁻⁴⁰ of the size of the mesh. If n
// different vertices share one such cell: O(n²).
func Weld(m *geometry.Mesh, tol float64) (*geometry.Mesh, Welded) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		panic("fileio: Weld: the tolerance is negative or not finite")
	}
	m = cmp.Or(m, &geometry.Mesh{})
	kept, index := weldPoints(m.Verts, tol)
	report := Welded{Tolerance: tol, Merged: len(m.Verts) - len(kept)}
	b := meshBuilder{verts: kept, ends: make([]int, 0, len(m.Faces))}
	dropped := []int{} // faces of m
	for f, face := range m.Faces {
		first := len(b.corners)
		for _, v := range face {
			if w := index[v]; len(b.corners) == first || b.corners[len(b.corners)-1] != w {
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

// weldPoints returns the kept points, in order, and for each given point the index of the kept
// point that it was merged into.
func weldPoints(points []vec.Vec3, tol float64) (kept []vec.Vec3, index []int) {
	index = make([]int, len(points))
	box := vec.EmptyBox()
	for _, p := range points {
		box = box.With(p)
	}
	const slack = 1.001 // The searched cube is slightly too large, against rounding errors.
	size := quarterSize(box)
	g := weldGrid{
		origin: box.Min.Scale(0.25),
		reach:  min(0.25*slack*tol, size),
		// Eight tolerances, limited by the size of the box: a query visits few cells.
		cell:  max(min(2*tol, size), size/weldCells, math.SmallestNonzeroFloat64),
		first: make(map[[3]int64]int32, len(points)),
	}
	for i, p := range points {
		k := g.lowest(kept, p, tol)
		if k < 0 {
			k = len(kept)
			kept = append(kept, p)
			g.insert(p)
		}
		index[i] = k
	}
	return kept, index
}

// weldGrid is a hash of cells, each with a list of its kept points. Its lengths are quarters.
type weldGrid struct {
	origin vec.Vec3
	cell   float64
	reach  float64            // half the side of the searched cube
	first  map[[3]int64]int32 // 1 + the point inserted last into the cell
	next   []int32            // by point: 1 + the point inserted into the same cell before it
}

// cellAt returns the cell at the offset d from the origin.
func (g *weldGrid) cellAt(d vec.Vec3) [3]int64 {
	return [3]int64{
		int64(math.Floor(d.X / g.cell)), int64(math.Floor(d.Y / g.cell)), int64(math.Floor(d.Z / g.cell)),
	}
}

// insert adds the next kept point.
func (g *weldGrid) insert(p vec.Vec3) {
	c := g.cellAt(p.Scale(0.25).Sub(g.origin))
	g.next = append(g.next, g.first[c])
	g.first[c] = int32(len(g.next))
}

// lowest returns the lowest index of a kept point within tol of p, or -1. It searches all cells
// that the cube around p intersects.
func (g *weldGrid) lowest(kept []vec.Vec3, p vec.Vec3, tol float64) int {
	d, reach := p.Scale(0.25).Sub(g.origin), vec.Vec3{X: g.reach, Y: g.reach, Z: g.reach}
	lo, hi := g.cellAt(d.Sub(reach)), g.cellAt(d.Add(reach))
	best := -1
	for x := lo[0]; x <= hi[0]; x++ {
		for y := lo[1]; y <= hi[1]; y++ {
			for z := lo[2]; z <= hi[2]; z++ {
				for k := g.first[[3]int64{x, y, z}]; k != 0; k = g.next[k-1] {
					if i := int(k - 1); (best < 0 || i < best) && within(kept[i], p, tol) {
						best = i
					}
				}
			}
		}
	}
	return best
}

// within reports whether p and q are at most tol apart. It computes in units of tol, so that very
// small or large distances neither underflow nor overflow.
func within(p, q vec.Vec3, tol float64) bool {
	if p == q {
		return true // for any tolerance
	}
	d := p.Sub(q)
	d = vec.Vec3{X: d.X / tol, Y: d.Y / tol, Z: d.Z / tol}
	return d.Norm2() <= 1
}
