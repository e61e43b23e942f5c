package fileio

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

const (
	// weldRelative times the longest side of the bounding box is the default distance within which
	// vertices are one. Programs that write STL print a shared vertex the same in each triangle, or
	// differing by the rounding of float32: 1.2e-7 of the coordinate, so up to 8 sizes away from the
	// origin all are found. Larger values eat the small edges of real blocks; smaller ones leave
	// cracks. It is relative, so that blocks of 5 mm in metres fare as blocks of 5 m.
	weldRelative = 1e-6
	// weldCells bounds the number of cells along the longest side, to 2⁴⁰, so that the number of a
	// cell is exact in float64 and fits an int64 whatever the tolerance. Cells that are larger than
	// the tolerance asks for cost time, never an answer.
	weldCells = 1 << 40
)

// Welded says what Weld did.
type Welded struct {
	Tolerance float64 // within which vertices were one, unit of the mesh
	Merged    int     // vertices that became an earlier one
	Dropped   int     // faces that were left with fewer than three corners
}

// WeldTolerance returns the default tolerance for the mesh: 1e-6 of the longest side of its box.
func WeldTolerance(m *geometry.Mesh) float64 {
	if len(m.Verts) == 0 {
		return 0
	}
	return 4 * weldRelative * quarterSize(m.Box())
}

// quarterSize returns a quarter of the longest side of the box. Quarters keep sums and differences
// of two coordinates finite, however large they are.
func quarterSize(b vec.Box) float64 {
	return b.Max.Scale(0.25).Sub(b.Min.Scale(0.25)).MaxAbs()
}

// Weld returns the mesh with vertices that are equal, or not further apart than tol, made one, and
// what that changed. The given mesh is not changed. tol 0 merges equal vertices only; a negative one,
// NaN or infinity is a bug of the caller.
//
// Vertices are taken in order: each becomes the one of lowest index among those kept so far that lie
// within tol, or is kept. So kept vertices are more than tol apart, none moves by more than tol, and
// the result depends on the order of the vertices alone. Corners that repeat their neighbour go, and
// so do faces left with fewer than three: across a collapsed edge their two other edges become one,
// so a closed surface stays closed. Indices in faces must be in range.
//
// Cost: O(n) lookups in a hash of cells of 2⁻⁴⁰ of the size at least; of n different vertices in one such cell O(n²).
func Weld(m *geometry.Mesh, tol float64) (*geometry.Mesh, Welded) {
	if !(tol >= 0) || math.IsInf(tol, 1) {
		panic("fileio: Weld: the tolerance is negative or not finite")
	}
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

// weldPoints returns the points that are kept, in order, and for each given point the index of the
// one that stands for it.
func weldPoints(points []vec.Vec3, tol float64) (kept []vec.Vec3, index []int) {
	index = make([]int, len(points))
	box := vec.EmptyBox()
	for _, p := range points {
		box = box.With(p)
	}
	const slack = 1.001 // The cube searched is a little too large, against rounding.
	size := quarterSize(box)
	g := weldGrid{
		origin: box.Min.Scale(0.25),
		reach:  min(0.25*slack*tol, size),
		// Eight tolerances, or less than the reach beyond the box: a query touches few cells.
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

// weldGrid is a hash of cells, each with a list of the kept points inside. Its lengths are quarters.
type weldGrid struct {
	origin vec.Vec3
	cell   float64
	reach  float64            // half the side of the cube that is searched
	first  map[[3]int64]int32 // 1 + the point last put into the cell
	next   []int32            // by point: 1 + the one put into the same cell before it
}

// cellAt returns the cell that holds the place d from the origin.
func (g *weldGrid) cellAt(d vec.Vec3) [3]int64 {
	return [3]int64{
		int64(math.Floor(d.X / g.cell)), int64(math.Floor(d.Y / g.cell)), int64(math.Floor(d.Z / g.cell)),
	}
}

// insert enters the next kept point.
func (g *weldGrid) insert(p vec.Vec3) {
	c := g.cellAt(p.Scale(0.25).Sub(g.origin))
	g.next = append(g.next, g.first[c])
	g.first[c] = int32(len(g.next))
}

// lowest returns the lowest kept point within tol of p, or -1, looking into every cell that the cube
// around p touches.
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

// within reports whether the points are not further apart than tol, in units of tol so that tiny and
// huge ones do not lose the answer to underflow or overflow.
func within(p, q vec.Vec3, tol float64) bool {
	if p == q {
		return true // whatever the tolerance
	}
	d := p.Sub(q)
	d = vec.Vec3{X: d.X / tol, Y: d.Y / tol, Z: d.Z / tol}
	return d.Norm2() <= 1
}
