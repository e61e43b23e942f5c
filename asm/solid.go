package asm

import "unsafe"

// SolidRows is how many solids a Solids has: one for each lane of the widest register.
const SolidRows = 8

// SolidSlope bounds by how much the thickness √(12λ) of an overlap grows as a body moves, m/m: a
// slab's by 1, and that of any other overlap by 2 at most in all that has been tried. A larger
// slope is made of rounding. Larger: overlaps as thin as rounding may push as if they were thick.
// Smaller: overlaps that are there count as none.
const SolidSlope = 4

const (
	// SolidNumbers is how many numbers of a solid Solve reads.
	SolidNumbers = 12

	// SolidCell is the size of a cell, which has a triangle of each solid, and SolidCells how many
	// the kernels take at once.
	SolidCell  = 9 * SolidRows
	SolidCells = 2

	solidSums  = ShareAnswers + SolidNumbers // the first of solidZeros that begin with zero
	solidZeros = 8
)

// solidState is the numbers that there are of a solid while the kernels run, a float64 each.
type solidState struct {
	Answers [ShareAnswers]float64
	Turn    [4]float64
	Origin  [3]float64
	First   [3]float64
	Sign    float64
	Arm     float64

	Area         [3]float64 // twice the area of the chosen faces
	Squares      float64    // the sum of their squares
	Widest       [3]float64 // twice the area of the largest of them
	WidestSquare float64
	Upright      [3]float64
	Reach        [3]float64 // the way to their corner furthest across
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
	Swell        [3]float64 // of the volume as the body turns
}

// Solids is a batch of overlaps of any kind: convex polyhedra whose faces are of two bodies, of
// which those of one are chosen. Each has coordinates of its own.
//
// Answers are those of Shares. Numbers: the rotation w, x, y, z from the solid's axes to the
// world's; the position of the solid's origin, relative to A's, world axes; one of the solid's
// corners, in its own axes; 1 where A's motion takes the chosen faces along, -1 where it takes the
// others; and how far from the centroid the body whose faces move may reach.
//
// A cell has the nine coordinates of a triangle of each row, SolidRows of each. Where a solid has
// fewer than another, all three corners are the one among the numbers.
type Solids struct {
	// The kernels take these two for the whole: what there is of each solid, SolidRows of each number of solidState, and
	// the cells that a kernel is at.
	state, part []float64

	Numbers []float64 // column after column, SolidRows each: the answers, then the numbers
	Chosen  []float64 // cells: triangles of chosen faces, counter-clockwise seen from outside
	Rest    []float64 // those of the other faces
}

// NewSolids returns a batch with so many cells of each sort.
func NewSolids(cells int) *Solids {
	s := &Solids{state: make([]float64, unsafe.Sizeof(solidState{})/8*SolidRows)}
	s.Numbers = s.state[:solidSums*SolidRows]
	s.Chosen, s.Rest = make([]float64, cells*SolidCell), make([]float64, cells*SolidCell)
	return s
}

// ShareSolids finds the overlaps of the first rows of a batch with so many cells filled in,
// multiples of SolidCells. Faces through the corner may be left out of the rest.
//
// Moments are sums over the tetrahedra between the corner and the triangles abc: with D six times
// the volume of one,
//
//	∫1 = D/6,  ∫x = D/24 (a+b+c),  ∫xxᵀ = D/120 ((a+b)(a+b)ᵀ + (b+c)(b+c)ᵀ + (c+a)(c+a)ᵀ)
//
// in a frame with z along the area of the chosen faces, and x towards one of their corners
// furthest across. Where the square of that area is not more than ShareLevel of the sum of
// their triangles' squares, z is the normal of the largest of these. Solids without chosen
// faces have no frame beside others, and that of their largest triangle among themselves. So a
// thin overlap keeps its digits whichever way it lies. λ = (tr C⁻²)^(-1/2) and G = ∂λ/∂C =
// λ³C⁻³.
//
// Where the surface moves outwards by u, the volume grows by ∫u dS and λ by ∫p·u dS, where
// p(x) = (xᵀGx - λ) / V with x from the centroid. These are sums over the chosen faces' triangles:
// see solidGradient in asm/gen. Known are those whose volume and λ are positive and whose slopes are no
// larger than SolidSlope. Exact: every backend gives the bits of the Go loops, which are generated
// from the same programs, and no solid's depend on another's.
func ShareSolids(s *Solids, rows, chosen, rest int) {
	if rows < 0 || rows > SolidRows {
		panic("asm: Solids: more rows than there are")
	}
	if chosen%SolidCells != 0 || rest%SolidCells != 0 {
		panic("asm: Solids: the kernels take more cells at once")
	}
	// A whole register is through sooner than the Go loop with less.
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
		clear(s.state[solidSums*SolidRows:][:3*SolidRows]) // which is the area of chosen faces
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
