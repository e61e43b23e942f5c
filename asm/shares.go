package asm

// RimNumbers is how many numbers a row of the table of rims has, in the order of soa.Rim: the direction into the face,
// x, y, z, then offset, length, from tail, from head, rise.
const RimNumbers = 8

// PoseNumbers is how many numbers a row of the table of poses has.
const PoseNumbers = 8

// CornerEdges is how many edges a row of the table of corners has, after its vertex.
const CornerEdges = 8

// How many planes a prism's row names, numbers a row of Shares has, and answers.
const (
	SharePlanes  = 13
	ShareNumbers = 20
	ShareAnswers = 28
)

// Where the numbers of a row stand, by type.
const (
	ShareClear  = 0  // the margin of rounding, a length
	ShareSign   = 1  // of corners: 1 where the answers are told as V moves and relative to its position, -1 where as G does and to its
	ShareFace   = 2  // of corners, of the face: normal, x, y, z, offset; two numbers of soa.Room, Cot and Depth
	ShareOfG    = 1  // of prisms, by plane: 1 where it is G's, and else 0
	ShareSpare  = 14 // of prisms, by side from the fourth on: 0 where there is such a side, and else the largest number
	ShareRadius = 19 // of prisms: the smaller one of both bodies' radii
)

// Where answers of a row stand.
const (
	ShareVolume           = 0
	ShareCentroid         = 1  // relative to the position of V, unless ShareSign says otherwise
	ShareSpread           = 4  // XX YY ZZ XY XZ YZ
	ShareVariance         = 10 // λ = (tr Spread⁻²)^(-1/2)
	ShareVarianceGradient = 11 // how it grows as V moves, per length
	ShareVarianceTurn     = 14 // and as V turns about the centroid, per angle
	ShareVolumeGradient   = 17 // the same of the volume
	ShareVolumeTurn       = 20
	ShareKnown            = 23 // 1 where the overlap is proven to be of the type, and 0 where the other answers are undefined
	ShareThickness        = 24 // √(12·variance)
	ShareAlong            = 25 // the unit vector along which it grows fastest; zero where it grows no way
)

// SharePrismOthers is how many faces of V and G, both, a prism may have beside it: those of bricks
// that are not a prism's own.
func SharePrismOthers(sides int) int { return SharePlanes - 2 - sides }

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
	// ShareLevel is the least square of the area of one body's part of a prism's surface over the sum of
	// its triangles' squares: the frame's third axis points along that area. Smaller: the axis may
	// be rounding.
	ShareLevel = 0x1p-12
	// ShareFlat is the least determinant of the correlations of a prism. Smaller: their inverse
	// loses more than ten bits.
	ShareFlat = 0x1p-10
	// ShareTurn2 is the largest square of the difference of the normals of two faces that count as
	// lying in one plane, and ShareCoplanar, over the margin of rounding, the largest distance: 2⁻⁴⁸ and
	// 2⁻⁴⁷ of both bodies' radii. Smaller: rounding parts the faces of bricks in a wall.
	// Larger: anywhere on the bodies the faces may be further apart than 2⁻⁴⁵ of the radii, and
	// engine/overlap take them for two.
	ShareTurn2    = 0x1p-96
	ShareCoplanar = 0x1p-7

	// ShareHeldMargin is how many times the margin of rounding must be left of a height for it to
	// hold while the bodies move: SharePrismsHeld4 explains that 9/7 suffice but for rounding,
	// which is a hundredth of a margin. Smaller: a prism may be held that would not be proven.
	ShareHeldMargin = 2
	// ShareHeldTurn is by how much the bodies may turn, rad, times the product of the normals of a
	// corner. Larger: the corner may move by more than ShareHeldSlope allows.
	ShareHeldTurn = 0x1p-3
	// ShareHeldSlope is how far a corner moves at most, over one over the product of its normals
	// before the motion: 1/(1 - ShareHeldTurn) and a twelfth for rounding. Smaller: as
	// ShareHeldMargin.
	ShareHeldSlope = 1.25
)

// Shares is a batch of overlaps of one type: of two convex polyhedra V and G, of whose overlap it
// is known which features make it, or supposed. Its rows say where poses and features stand in tables.
type Shares struct {
	// Tables, once for each number of a row: Corners[j] is the table without its first j numbers. Indices say where a
	// row starts. Poses: position, then rotation, unit, w, x, y, z, body frame to world frame, and a number that is
	// not read. Vertices: x, y, z, and a number that is not read. Planes: normal and offset. Body frames.
	Poses   [PoseNumbers][]float64       `asm:"shifted"`
	Corners [3 + 3*CornerEdges][]float64 `asm:"shifted"`
	Rims    [RimNumbers][]float64        `asm:"shifted"`
	Verts   [4][]float64                 `asm:"shifted"`
	Planes  [4][]float64                 `asm:"shifted"`

	// One row a pair: V and G, where features stand, and numbers. The functions say which.
	Bodies  [2][]uint32
	At      [SharePlanes][]uint32
	Numbers [ShareNumbers][]float64

	// Answers, a row a pair, in world axes.
	Answers [ShareAnswers][]float64

	// Budget is, for prisms that are proven, how far the odometers of both bodies together may
	// advance with the proof; none is left where it is not positive. See SharePrisms4.
	Budget []float64

	// Coplanars is, for prisms that are proven, the sum of 2ᵒ of the planes o beside them in which a corner lies: the first
	// after the sides is 0. Budget is then that of SharePrismsCoplanar4.
	Coplanars []float64
}

// NewShares returns a batch with rows, and without poses and tables. The columns of At lie behind
// each other, and so do those of Numbers.
func NewShares(rows int) *Shares {
	s := &Shares{Budget: make([]float64, rows), Coplanars: make([]float64, rows)}
	for _, columns := range [][][]uint32{s.Bodies[:], s.At[:]} {
		split(columns, rows)
	}
	for _, columns := range [][][]float64{s.Numbers[:], s.Answers[:]} {
		split(columns, rows)
	}
	return s
}

// split makes columns of rows that lie behind each other.
func split[T any](columns [][]T, rows int) {
	all := make([]T, len(columns)*rows)
	for k := range columns {
		columns[k] = all[k*rows:][:rows]
	}
}

// ShareTables are the tables that the rows of a batch say where to look up.
type ShareTables struct{ Poses, Corners, Rims, Verts, Planes []float64 }

// SetTables sets the tables that are not nil.
func (s *Shares) SetTables(t ShareTables) {
	for _, of := range [...]struct {
		columns [][]float64
		table   []float64
	}{{s.Poses[:], t.Poses}, {s.Corners[:], t.Corners}, {s.Rims[:], t.Rims}, {s.Verts[:], t.Verts}, {s.Planes[:], t.Planes}} {
		for j := range of.columns {
			if of.table != nil {
				of.columns[j] = of.table[min(j, len(of.table)):]
			}
		}
	}
}

// ShareCorners4 finds the overlaps lo ≤ i < hi of a corner of V, of up to four edges, with a face
// of G of up to four sides. At: the corner, and the rims of the face's sides, of which one may
// stand there several times. Numbers: ShareClear, ShareSign, ShareFace. A point at depth d is inside G
// if it is Cot·d away from the face's sides and d is at most Depth.
//
// The overlap is a pyramid. Its base has the corners q_k = (u·e_k, w·e_k)/(n·e_k) in units of the
// tip's depth H, where n is the face's normal and u and w are at right angles to it. With the
// base's area a, centroid g, moments B about g, over the area, and h = (g, 1):
//
//	volume H³a/3, centroid tip + ¾Hh, C = H²(0.6·B + 3/80·hhᵀ), G = ∂λ/∂C = λ³C⁻³
//	push on G = 3·mean of p over the base, p(y) = yᵀGy - λ; the mean of p·y makes the turn
//
// Known are those whose edges all pierce the face's plane, whose base is within the face by what
// the depth asks for, and not slender.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(Bodies[0])
//	indices are rows of their tables, or starts of rows
//
// Exact: every backend gives the bits of the Go loop, which is generated from the same program. An
// index that is no row panics, and rows before it may have been written.
func ShareCorners4(s *Shares, lo, hi int) {
	shareCorners4(s, lo, hi)
}

// ShareCorners8 is ShareCorners4 for corners of up to eight edges.
func ShareCorners8(s *Shares, lo, hi int) {
	shareCorners8(s, lo, hi)
}

// ShareCrossings finds the overlaps of an edge of V that crosses an edge of G. At: the vertices that
// V's edge leads from and to, those of G's; the rims of V's edge, of its left face and of the other,
// and those of G's. Numbers: ShareClear.
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
	shareCrossings(s, lo, hi)
}

// SharePrisms4 finds the overlaps of two faces that lie on each other, or of an edge that lies on
// a face: prisms of up to four sides. At, planes: the base, the top, the sides in turning order as
// seen from outside the base, where there are fewer the first again; last all other faces of both,
// SharePrismOthers of them, filled up with planes that bound nothing. Where there are as many sides
// as there may be, the last is a face of the same body as the top. Numbers: ShareClear, ShareOfG,
// ShareSpare, ShareRadius.
//
// Three planes meet in each corner. Moments are sums over tetrahedra from the last corner of the
// top, in a frame with an axis along the area of the faces that the other body has than the top's.
// The slopes are sums over these faces, V's or G's, which are among the base and the sides but the
// last; those of V and of G are opposite. Known are those all of whose corners lie inside all
// planes but their own. Another plane of G may be that of one of V's faces, by ShareTurn2 and
// ShareCoplanar. Budget is explained at SharePrismsHeld4. Otherwise as ShareCorners4.
func SharePrisms4(s *Shares, lo, hi int) {
	sharePrisms4(s, lo, hi)
}

// SharePrisms6 is SharePrisms4 for prisms of up to six sides.
func SharePrisms6(s *Shares, lo, hi int) {
	sharePrisms6(s, lo, hi)
}

// SharePrisms8 is SharePrisms4 for prisms of up to eight sides.
func SharePrisms8(s *Shares, lo, hi int) {
	sharePrisms8(s, lo, hi)
}

// SharePrismsHeld4 is SharePrisms4 for prisms that it has proven, of bodies whose odometers have
// advanced by less than Budget since. It reads the planes up to the last side alone, and leaves
// Budget as it is.
//
// The answers have the bits of SharePrisms4, for that would prove the prism again. Take a corner
// with one plane of one body and two of the other, which is at rest: the corner of three planes of
// one body does not move in it. As the odometers advance by d, points of the first body move by at
// most d, and its normals turn by at most d/r, r the smaller radius. So the product of the three
// normals, 1/κ, changes by at most d/r, and the corner moves by at most κ'd, with the κ' of then.
// A face of the first body comes closer by at most d more. Hence a height h over another plane is
// then at least h - (1 + κ')d. The budget b is the least of
//
//	min(h - ShareHeldMargin·margin, ShareHeldTurn·r)/(1 + ShareHeldSlope·κ)
//
// over the heights h of the corners, κ the larger one of the ends of an edge. So d/r ≤ 1/(8κ), κ'
// ≤ 8/7·κ, and the margin, which is clear·(1 + κ₁ + κ₂) for both ends of an edge, is at most 8/7
// of what it was; of a plane, whose clear grows with its distance, 9/7. Faces that lie in one
// plane leave no height: Coplanars names them, and there are none.
func SharePrismsHeld4(s *Shares, lo, hi int) {
	sharePrismsHeld4(s, lo, hi)
}

// SharePrismsHeld6 is SharePrismsHeld4 for prisms of up to six sides.
func SharePrismsHeld6(s *Shares, lo, hi int) {
	sharePrismsHeld6(s, lo, hi)
}

// SharePrismsHeld8 is SharePrismsHeld4 for prisms of up to eight sides.
func SharePrismsHeld8(s *Shares, lo, hi int) {
	sharePrismsHeld8(s, lo, hi)
}

// ShareCoplanars is how many planes SharePrismsCoplanar4 proves.
const ShareCoplanars = 2

// SharePrismsCoplanar4 is SharePrismsHeld4 for prisms of which Coplanars names up to ShareCoplanars planes. They follow the
// sides in At and ShareOfG, the same one again where there are fewer. It proves of these planes all that
// SharePrisms4 does: for how long two planes are one within rounding no budget can tell. All other
// heights are in the budget. So it knows those that SharePrisms4 would. It reads ShareClear, and
// leaves Budget and Coplanars as they are.
func SharePrismsCoplanar4(s *Shares, lo, hi int) {
	sharePrismsCoplanar4(s, lo, hi)
}
