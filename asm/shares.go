package asm

// How many answers a row of Shares has, and how many numbers the types have.
const (
	ShareAnswers = 24
	ShareNumbers = 88

	ShareCornerNumbers   = 40 // and three for each edge
	ShareCrossingNumbers = 53
)

// SharePrismOthers is how many faces of V and G, both, a prism may have beside it: those of bricks
// that are not a prism's own.
func SharePrismOthers(sides int) int { return 11 - sides }

// SharePrismNumbers is how many numbers a prism of up to so many sides has.
func SharePrismNumbers(sides int) int { return 15 + 5*(2+sides+SharePrismOthers(sides)) + sides - 3 }

const (
	// ShareSlender is the least of twice a base's area over its moments about a corner: one a
	// hundred times as long as wide. The moments across lose so many digits, squared, and the
	// force a share of them. Smaller: forces of slivers err by more than 10⁻¹³ of stiffness and
	// size.
	ShareSlender = 0x1p-4
	// ShareSine2 is the least square of the sine of two edges that cross: 0.9°. The vectors
	// reciprocal to their directions lose as many digits, and the overlap is not deeper than the
	// sine lets it be. Smaller: as ShareSlender.
	ShareSine2 = 0x1p-12
	// ShareNarrow is the least length of an edge's part in a tetrahedron over the distances that
	// it is the difference of. Smaller: the part loses more than six of its bits.
	ShareNarrow = 0x1p-6
	// ShareLevel is the least square of the area of V's part of a prism's surface over the sum of
	// its triangles' squares: the frame's third axis points along that area. Smaller: the axis may
	// be rounding.
	ShareLevel = 0x1p-12
	// ShareFlat is the least determinant of the correlations of a prism. Smaller: their inverse
	// loses more than ten bits.
	ShareFlat = 0x1p-10
	// ShareTurn2 is the largest square of the difference of the normals of two faces that count as
	// lying in one plane, and ShareFlush, over the margin of rounding, the largest distance: 2⁻⁴⁸ and
	// 2⁻⁴⁷ of both bodies' radii. Smaller: rounding parts the faces of bricks in a wall.
	// Larger: anywhere on the bodies the faces may be further apart than 2⁻⁴⁵ of the radii, and
	// engine/overlap take them for two.
	ShareTurn2 = 0x1p-96
	ShareFlush = 0x1p-7
)

// Shares is a batch of overlaps of one type: of two convex polyhedra V and G, of whose overlap it
// is known which features make it, or supposed. Of each overlap there are ShareAnswers answers and
// the numbers of the type.
//
// Answers: volume; centroid, relative to the position of V; spread XX YY ZZ XY XZ YZ; variance;
// and, as V moves, how the variance grows per length and per angle about the centroid, and how the
// volume does. World axes. The last is 1 where the overlap is proven to be of the type, and 0
// where the others are undefined.
//
// Numbers: the position of V and its rotation w, x, y, z, body frame to world frame, unit; the
// same of G; then what the type has.
type Shares struct {
	columns [ShareAnswers + ShareNumbers][]float64 // of Cells, in the order of asm/gen/share.go; the kernels take it for the whole

	Rows, Columns int
	Cells         []float64 // column after column, Rows each: the answers, then the numbers
}

// NewShares returns a batch of a number of rows, for a type of so many numbers.
func NewShares(rows, numbers int) *Shares {
	s := &Shares{Rows: rows, Columns: ShareAnswers + numbers}
	s.Cells = make([]float64, s.Rows*s.Columns)
	for k := range s.columns[:s.Columns] {
		s.columns[k] = s.Cells[k*rows:][:rows:rows]
	}
	return s
}

// ShareCorners4 finds the overlaps lo ≤ i < hi of a corner of V, of up to four edges, with a face
// of G of up to four sides. Numbers: the corner; the face's normal and offset; of each side the
// direction into the face, unit, and how far along it the side is; what a point at depth d must be
// away from the sides, over d, and up to which d, to be inside G; the margin of rounding, a
// length; and the ways along the edges to their other ends. Body frames.
//
// The overlap is a pyramid. Its base has the corners q_k = (u·e_k, w·e_k)/(n·e_k) in units of the
// tip's depth H, where n is the face's normal and u and w are at right angles to it. With the
// base's area a, centroid g, moments B about g, over the area, and h = (g, 1):
//
//	volume H³a/3, centroid tip + ¾Hh, C = H²(0.6·B + 3/80·hhᵀ), G = ∂λ/∂C = λ³C⁻³
//	push on G = 3·mean of p over the base, p(y) = yᵀGy - λ; the mean of p·y makes the turn
//
// Known are those whose edges all pierce the face's plane, whose base is within the face by what
// the depth asks for, and not slender. Exact: every backend gives the bits of the Go loop, which
// is generated from the same program.
//
//	0 <= lo <= hi <= Rows, of a batch made for the type
func ShareCorners4(s *Shares, lo, hi int) {
	s.check(lo, hi, ShareCornerNumbers+3*4)
	shareCorners4Generic(s, lo, hi)
}

// ShareCorners8 is ShareCorners4 for corners of up to eight edges.
func ShareCorners8(s *Shares, lo, hi int) {
	s.check(lo, hi, ShareCornerNumbers+3*8)
	shareCorners8Generic(s, lo, hi)
}

// ShareCrossings finds the overlaps of an edge of V that crosses an edge of G. Numbers: of V's
// edge the tail, the head, and the length; of its left face and of the other the direction into
// it, unit, and three numbers of soa.Rim: FromTail, FromHead and Rise; the same of G; and the
// margin of rounding, a length. Body frames.
//
// The overlap is a tetrahedron: V's edge meets G's faces at s₁ and s₂, G's edge V's faces at t₁
// and t₂, along the edges from where they are nearest and in units of the depth H there. With a
// and b along the edges, h from the middle of one to that of the other, l = s₁ - s₂ and k = t₁ -
// t₂:
//
//	volume H³·|l·k·sin|/6, C = H²/20·(hhᵀ + l²/2·aaᵀ + k²/2·bbᵀ)
//
// C⁻¹ is the sum of the dyads of the reciprocal vectors: so no digits are lost. Known are those
// whose four points lie within the edges, and within the faces next to these. Otherwise as
// ShareCorners4.
func ShareCrossings(s *Shares, lo, hi int) {
	s.check(lo, hi, ShareCrossingNumbers)
	shareCrossingsGeneric(s, lo, hi)
}

// SharePrisms4 finds the overlaps of two faces that lie on each other, or of an edge that lies on
// a face: prisms of up to four sides, of which one at least is not V's and one is. Numbers: the
// margin of rounding, a length; then planes, each with normal, offset, and 0 where it is V's face,
// 1 where it is G's: the base, the top, the sides in turning order as seen from outside the base,
// of which those from the fourth on are followed by 1, and where there are fewer by 0 and have a
// normal of 0 and the largest offset; last all other faces of both, SharePrismOthers of them,
// filled up in the same way.
//
// Three planes meet in each corner. Moments are sums over tetrahedra from a corner of the base, in
// a frame with an axis along the area of V's part of the surface; the slopes are sums over that
// part's triangles. Known are those all of whose corners lie inside all planes but their own.
// Another plane of G may be that of one of V's faces, by ShareTurn2 and ShareFlush. Otherwise as
// ShareCorners4.
func SharePrisms4(s *Shares, lo, hi int) {
	s.check(lo, hi, SharePrismNumbers(4))
	sharePrisms4(s, lo, hi)
}

// SharePrisms6 is SharePrisms4 for prisms of up to six sides.
func SharePrisms6(s *Shares, lo, hi int) {
	s.check(lo, hi, SharePrismNumbers(6))
	sharePrisms6(s, lo, hi)
}

// SharePrisms8 is SharePrisms4 for prisms of up to eight sides.
func SharePrisms8(s *Shares, lo, hi int) {
	s.check(lo, hi, SharePrismNumbers(8))
	sharePrisms8(s, lo, hi)
}

func (s *Shares) check(lo, hi, numbers int) {
	if lo < 0 || hi < lo || hi > s.Rows {
		panic("asm: Shares: range outside the overlaps")
	}
	if s.Columns != ShareAnswers+numbers {
		panic("asm: Shares: the batch is of another type")
	}
}
