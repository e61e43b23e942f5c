package asm

import "unsafe"

// SolidRows is how many solids a Solids has: one for each lane of the widest register.
const SolidRows = 8

// SolidGrowth bounds the derivative of an overlap's thickness √(12λ) by the motion of a body, m/m.
// It is 1 for a slab, and at most 2 for every other overlap that was tried. A larger value is made
// of rounding. Larger: overlaps as thin as rounding may act as if they were thick. Smaller:
// existing overlaps count as none.
const SolidGrowth = 4

const (
	// SolidNumbers is how many input numbers each solid has.
	SolidNumbers = 12

	// SolidCell is the size of a cell, in numbers: a cell has one triangle of each solid.
	// SolidCells is how many cells a kernel reads in one call.
	SolidCell  = 9 * SolidRows
	SolidCells = 2

	solidSums  = ShareAnswers + SolidNumbers // the first of the solidZeros numbers that ShareSolids sets to zero
	solidZeros = 8
)

// polyhedronState names the numbers of a solid while the kernels run, one float64 each.
type polyhedronState struct {
	Answers [ShareAnswers]float64
	Turn    [4]float64
	Origin  [3]float64
	First   [3]float64
	Sign    float64
	Arm     float64

	Area         [3]float64 // twice the area vector of the chosen faces
	Squares      float64    // the sum of the squares of twice their triangles' areas
	Widest       [3]float64 // twice the area vector of their largest triangle
	WidestSquare float64
	Upright      [3]float64
	Reach        [3]float64 // vector to their corner farthest across from Upright
	ReachSquare  float64
	Axes         [9]float64
	Six          float64 // six times the volume
	Mean         [3]float64
	Dyads        [6]float64
	Center       [3]float64
	Lambda       float64
	Slope        [6]float64
	Spread       [6]float64
	Gradient     [3]float64
	Moment       [3]float64
	Swell        [3]float64 // derivative of the volume by the turn of the body
}

// Polyhedra holds overlaps of any kind: convex polyhedra, each with faces of two bodies. The faces of
// one body are called chosen. Each solid has its own coordinates.
//
// The results are those of Shares. The numbers of a solid are, in this order: the rotation w, x, y,
// z from the solid's axes to world axes; the position of the solid's origin relative to A's
// position, in world axes; one corner of the solid, in its own axes; 1 if the chosen faces move
// with A, -1 if the others do; and how far from the centroid the body whose faces move may reach.
//
// A cell has the nine coordinates of a triangle of each row, SolidRows of each coordinate. If a
// solid has fewer triangles than another, the corners of the missing triangles are the corner among
// its numbers.
type Polyhedra struct {
	// The kernels read these two slices as a whole: state has SolidRows of each number of
	// polyhedronState, and part the cells of the current kernel call.
	state, part []float64

	Numbers []float64 // column after column, SolidRows each: the results, then the numbers
	Chosen  []float64 // cells: triangles of chosen faces, counter-clockwise seen from outside
	Rest    []float64 // cells: triangles of the other faces
}

// NewSolids returns a batch with so many cells of chosen faces, and as many of the others.
func NewSolids(cells int) *Polyhedra {
	s := &Polyhedra{state: make([]float64, unsafe.Sizeof(polyhedronState{})/8*SolidRows)}
	s.Numbers = s.state[:solidSums*SolidRows]
	s.Chosen, s.Rest = make([]float64, cells*SolidCell), make([]float64, cells*SolidCell)
	return s
}

// ShareSolids computes the overlaps of the first rows of a batch. chosen and rest are how many
// cells are filled in, multiples of SolidCells. Other faces that contain the corner may be left
// out.
//
// Moments are sums over the tetrahedra between the corner and the triangles abc. With D six times
// the volume of a tetrahedron,
//
//	∫1 = D/6,  ∫x = D/24 (a+b+c),  ∫xxᵀ = D/120 ((a+b)(a+b)ᵀ + (b+c)(b+c)ᵀ + (c+a)(c+a)ᵀ)
//
// The frame has z along the summed area of the chosen faces, and x towards one of their corners
// farthest across. If the squared area is at most ShareNetArea of the sum of the squares of its
// triangles, z is the normal of the largest triangle. If no solid of the batch has chosen faces,
// the largest triangle of the other faces gives z. Among solids with chosen faces, a solid without
// them has no frame and is not known. So a thin overlap keeps its digits in any orientation. λ =
// (tr C⁻²)^(-1/2) and G = ∂λ/∂C = λ³C⁻³.
//
// If the surface moves outwards by u, the volume grows by ∫u dS and λ by ∫p·u dS, where p(x) =
// (xᵀGx - λ) / V with x from the centroid. These derivatives are sums over the triangles of the
// chosen faces: see solidGradient in asm/gen. Known is 1 if volume and λ are positive, and no
// derivative exceeds SolidGrowth.
//
// Exact: every backend returns the bits of the Go loops, which are generated from the same
// programs. The results of a solid never depend on the other solids.
func ShareSolids(s *Polyhedra, rows, chosen, rest int) {
	if rows < 0 || rows > SolidRows {
		panic("asm: Solids: more rows than there are")
	}
	if chosen%SolidCells != 0 || rest%SolidCells != 0 {
		panic("asm: Solids: the kernels take more cells at once")
	}
	// A whole register takes less time than the Go loop for a part of one.
	hi := min((rows+Lanes()-1)/Lanes()*Lanes(), SolidRows)
	if rows <= SolidRows/2 {
		hi = min(hi, SolidRows/2)
	}
	const n = SolidCells * SolidCell
	mine, others := s.Chosen[:chosen*SolidCell], s.Rest[:rest*SolidCell]
	clear(s.state[solidSums*SolidRows:][:solidZeros*SolidRows])
	framed := mine
	if chosen == 0 {
		framed = others
	}
	for k := 0; k < len(framed); k += n {
		s.part = framed[k:][:n]
		solidArea(s, 0, hi)
	}
	if chosen == 0 {
		clear(s.state[solidSums*SolidRows:][:3*SolidRows]) // Area is that of the chosen faces
	}
	solidUpright(s, 0, hi)
	for k := 0; k < len(framed); k += n {
		s.part = framed[k:][:n]
		solidReach(s, 0, hi)
	}
	solidAxes(s, 0, hi)
	for _, cells := range [2][]float64{mine, others} {
		for k := 0; k < len(cells); k += n {
			s.part = cells[k:][:n]
			solidMoments(s, 0, hi)
		}
	}
	solidSlopes(s, 0, hi)
	for k := 0; k < len(mine); k += n {
		s.part = mine[k:][:n]
		solidGradient(s, 0, hi)
	}
	solidShared(s, 0, hi)
}
