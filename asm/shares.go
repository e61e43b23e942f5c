package asm

// RimNumbers is how many numbers a row of the table of rims has, in the order of soa.Rim: the
// direction into the face (x, y, z), offset, length, from tail, from head, rise.
const RimNumbers = 8

// PoseNumbers is how many numbers a row of the table of poses has.
const PoseNumbers = 8

// CornerEdges is how many edges a row of the table of corners has, after its vertex.
const CornerEdges = 8

// SharePlanes is how many planes a row of a prism names, ShareNumbers how many numbers a row of
// Shares has, and ShareAnswers how many results.
const (
	SharePlanes  = 13
	ShareNumbers = 20
	ShareAnswers = 28
)

// Places of the numbers of a row, by type of overlap.
const (
	ShareClear  = 0  // all types: the margin of rounding, a length
	ShareSign   = 1  // corners: 1 if results are derivatives by V's motion and relative to V's position, -1 if by G's motion and relative to G's
	ShareFace   = 2  // corners: the face's normal (x, y, z) and offset, and Cot and Depth of soa.FaceDepth
	ShareOfG    = 1  // prisms, by plane: 1 if the plane is G's, else 0
	ShareAbsent = 14 // prisms, by side from the fourth on: 0 if there is such a side, else the largest number
	ShareRadius = 19 // prisms: the smaller radius of both bodies
)

// Places of the results of a row. Gradients are derivatives by the position of V, turns by its
// rotation about the centroid.
const (
	ShareVolume           = 0
	ShareCentroid         = 1  // relative to the position of V, unless ShareSign is -1
	ShareSpread           = 4  // XX YY ZZ XY XZ YZ
	ShareVariance         = 10 // λ = (tr Spread⁻²)^(-1/2)
	ShareVarianceGradient = 11 // derivative of the variance, per length
	ShareVarianceTurn     = 14 // and per angle
	ShareVolumeGradient   = 17 // derivative of the volume, per length
	ShareVolumeTurn       = 20 // and per angle
	ShareKnown            = 23 // 1 if the overlap is proven to have the type; if 0, the other results are undefined
	ShareThickness        = 24 // √(12·variance)
	ShareAlong            = 25 // unit vector of ShareVarianceGradient; zero if that is zero
)

// SharePrismOthers returns how many other faces of V and G, in sum, the row of a prism of up to so
// many sides can name: enough for all faces of two bricks.
func SharePrismOthers(sides int) int { return SharePlanes - 2 - sides }

const (
	// ShareSlender is the least value of twice a base's area over its moments about a corner: a
	// base a hundred times as long as wide. The moments across lose as many digits as the square of
	// that ratio has, and the force loses a share of them. Smaller: forces of slivers err by more
	// than 10⁻¹³ of stiffness and size.
	ShareSlender = 0x1p-4
	// ShareSine2 is the least squared sine of two crossing edges: 0.9°. The vectors reciprocal to
	// their directions lose as many digits as one over the sine has, and the sine limits the depth
	// of the overlap. Smaller: as ShareSlender.
	ShareSine2 = 0x1p-12
	// ShareNarrow is the least length of an edge's part in a tetrahedron, as a share of the
	// distances whose difference this length is. Smaller: the length loses more than six of its
	// bits.
	ShareNarrow = 0x1p-6
	// ShareNetArea is the least squared area of one body's part of a prism's surface, over the sum of
	// the squared areas of its triangles. The third axis of the frame points along this area.
	// Smaller: the axis may be rounding.
	ShareNetArea = 0x1p-12
	// ShareFlat is the least determinant of the correlations of a prism. Smaller: their inverse
	// loses more than ten bits.
	ShareFlat = 0x1p-10
	// ShareTurn2 is the largest squared difference of the normals of two faces that count as
	// coplanar: 2⁻⁴⁸, squared. ShareCoplanar, in margins of rounding, is their largest distance:
	// 2⁻⁴⁷ of both bodies' radii. Smaller: rounding separates the faces of bricks in a wall.
	// Larger: elsewhere on the bodies the faces may be more than 2⁻⁴⁵ of the radii apart, and
	// overlap counts them as two.
	ShareTurn2    = 0x1p-96
	ShareCoplanar = 0x1p-7

	// ShareHeldMargin is how many margins of rounding must remain of a height if it is to hold
	// while the bodies move. 9/7 suffice, plus a hundredth of a margin for rounding: see
	// SharePrismsHeld4. Smaller: a prism may be held that a new proof would reject.
	ShareHeldMargin = 2
	// ShareHeldTurn is how far the bodies may turn, rad, over the product of the normals of a
	// corner. Larger: the corner may move by more than ShareHeldSlope allows.
	ShareHeldTurn = 0x1p-3
	// ShareHeldSlope bounds how far a corner moves per path length, times the product of its
	// normals before the motion: 1/(1 - ShareHeldTurn), plus a twelfth for rounding. Smaller: as
	// ShareHeldMargin.
	ShareHeldSlope = 1.25
)

// TypedOverlaps holds overlaps of one type. Each is the overlap of two convex polyhedra V and G, of which
// the features that bound it are known or supposed. The rows say where poses and features are in
// the tables.
type TypedOverlaps struct {
	// Tables. Corners[j] is the table of corners without its first j numbers, and the other tables
	// likewise. An index says where a row starts. A row of Poses has the position, the rotation
	// from body frame to world frame (unit quaternion w, x, y, z), and a number that is not read. A
	// row of Verts has x, y, z, and a number that is not read. A row of Planes has normal and
	// offset. Features are in body frames.
	Poses   [PoseNumbers][]float64       `asm:"shifted"`
	Corners [3 + 3*CornerEdges][]float64 `asm:"shifted"`
	Rims    [RimNumbers][]float64        `asm:"shifted"`
	Verts   [4][]float64                 `asm:"shifted"`
	Planes  [4][]float64                 `asm:"shifted"`

	// One row a pair: V and G, the places of the features, and numbers. Each kernel says which
	// features and numbers.
	Bodies  [2][]uint32
	At      [SharePlanes][]uint32
	Numbers [ShareNumbers][]float64

	// Results, one row a pair, in world axes.
	Answers [ShareAnswers][]float64

	// Budget is the motion budget of a proven prism: how far the odometers of both bodies, in sum,
	// may advance before the proof expires. There is none if Budget is not positive. See
	// SharePrismsHeld4.
	Budget []float64

	// Coplanars, for a proven prism, is the sum of 2ᵒ over its other planes o in which a corner
	// lies. The first plane after the sides is o = 0. If Coplanars is not 0, SharePrismsCoplanar4
	// proves these planes anew, and Budget covers only the rest.
	Coplanars []float64
}

// NewShares returns a batch with so many rows, without poses and tables. The columns of At lie one
// after the other in memory, and so do those of Numbers and Answers.
func NewShares(rows int) *TypedOverlaps {
	s := &TypedOverlaps{Budget: make([]float64, rows), Coplanars: make([]float64, rows)}
	for _, columns := range [][][]uint32{s.Bodies[:], s.At[:]} {
		split(columns, rows)
	}
	for _, columns := range [][][]float64{s.Numbers[:], s.Answers[:]} {
		split(columns, rows)
	}
	return s
}

// split makes columns of so many rows that lie one after the other in memory.
func split[T any](columns [][]T, rows int) {
	all := make([]T, len(columns)*rows)
	for k := range columns {
		columns[k] = all[k*rows:][:rows]
	}
}

// OverlapTables holds the tables that the rows of a batch index.
type OverlapTables struct{ Poses, Corners, Rims, Verts, Planes []float64 }

// SetTables sets those tables that are not nil.
func (s *TypedOverlaps) SetTables(t OverlapTables) {
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

// ShareCorners4 computes the overlaps lo ≤ i < hi of a corner of V, of up to four edges, with a
// face of G, of up to four sides. At holds the corner, and the rims of the face's sides; a rim may
// be repeated. Numbers are ShareClear, ShareSign and ShareFace. A point at depth d under the face
// is inside G if it is at least Cot·d from all sides of the face, and d is at most Depth.
//
// The overlap is a pyramid. Its base has the corners q_k = (u·e_k, w·e_k)/(n·e_k) in units of the
// tip's depth H. Here e_k are the edges, n is the face's normal, and u and w are at right angles to
// n and to each other. With the base's area a, centroid g, and moments B about g over the area, and
// with h = (g, 1):
//
//	volume H³a/3, centroid tip + ¾Hh, C = H²(0.6·B + 3/80·hhᵀ), G = ∂λ/∂C = λ³C⁻³
//	derivative of λ by the motion of G = 3·mean of p over the base, p(y) = yᵀGy - λ; by its turn: the mean of p·y
//
// C is the covariance (spread) and λ the variance. Known is 1 if three conditions hold: all edges
// pierce the plane of the face, the base lies as far inside the face as its depth demands, and it
// is not slender.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(Bodies[0])
//	indices are rows of their tables, or starts of rows
//
// Exact: every backend returns the bits of the Go loop, which is generated from the same program.
// ShareCorners4 panics if an index is not a row; it may have written rows before that one.
func ShareCorners4(s *TypedOverlaps, lo, hi int) {
	shareCorners4(s, lo, hi)
}

// ShareCorners8 does the same as ShareCorners4 for corners of up to eight edges.
func ShareCorners8(s *TypedOverlaps, lo, hi int) {
	shareCorners8(s, lo, hi)
}

// ShareCrossings computes the overlaps of an edge of V that crosses an edge of G. At holds the
// vertices at the tail and the head of V's edge, then of G's edge; then the rims of V's edge in its
// left face and in its right face, and the two rims of G's edge. Numbers is ShareClear.
//
// The overlap is a tetrahedron. V's edge meets G's faces at s₁ and s₂, and G's edge meets V's faces
// at t₁ and t₂. These are positions along the edges, relative to where the edges are nearest, in
// units of the depth H there. With a and b along the edges, h from the middle of one part to the
// middle of the other, l = s₁ - s₂ and k = t₁ - t₂:
//
//	volume H³·|l·k·sin|/6, C = H²/20·(hhᵀ + l²/2·aaᵀ + k²/2·bbᵀ)
//
// C⁻¹ is the sum of the dyads of the reciprocal vectors, so no digits are lost. Known is 1 if the
// four points lie within the edges, and within the faces next to these edges. The rest is as in
// ShareCorners4.
func ShareCrossings(s *TypedOverlaps, lo, hi int) {
	shareCrossings(s, lo, hi)
}

// SharePrisms4 computes the overlaps of two faces that lie on each other, or of an edge that lies
// on a face: prisms of up to four sides. At holds planes in this order:
//
//   - the base;
//   - the top;
//   - the sides, counter-clockwise as seen from outside of the base; missing sides repeat the
//     first;
//   - all other faces of both bodies, SharePrismOthers of them, padded with planes that bound
//     nothing.
//
// If a prism has all sides, the last is a face of the same body as the top. Numbers are ShareClear,
// ShareOfG, ShareAbsent and ShareRadius.
//
// Three planes meet in each corner. Moments are sums over tetrahedra from the last corner of the
// top. Their frame has an axis along the summed area of the faces that belong to the other body
// than the top. Derivatives are sums over these faces, which are among the base and all sides but
// the last; derivatives by the motion of V and of G are opposite. Known is 1 if every corner lies
// inside all planes but its own three. Another plane of G may be coplanar with one of V's faces,
// within ShareTurn2 and ShareCoplanar. SharePrismsHeld4 explains Budget. The rest is as in
// ShareCorners4.
func SharePrisms4(s *TypedOverlaps, lo, hi int) {
	sharePrisms4(s, lo, hi)
}

// SharePrisms6 does the same as SharePrisms4 for prisms of up to six sides.
func SharePrisms6(s *TypedOverlaps, lo, hi int) {
	sharePrisms6(s, lo, hi)
}

// SharePrisms8 does the same as SharePrisms4 for prisms of up to eight sides.
func SharePrisms8(s *TypedOverlaps, lo, hi int) {
	sharePrisms8(s, lo, hi)
}

// SharePrismsHeld4 does the same as SharePrisms4 for held prisms: SharePrisms4 has proven them, and
// the odometers of their bodies have advanced by less than Budget since. It reads only the planes
// up to the last side, and does not write Budget.
//
// The results have the bits of SharePrisms4, because SharePrisms4 would prove the prism again. Let
// κ be one over the product of the three normals of a corner when it was proven, and κ' the same
// now. Let d be the advance of the odometers, and r the smaller radius.
//
// Take the body with two of the corner's planes as at rest. (A corner of three planes of one body
// does not move in that body.) Points of the other body move by at most d, and its normals turn by
// at most d/r. So the product 1/κ changes by at most d/r, and the corner moves by at most κ'd. A
// face of the other body comes closer by at most d. Hence a height h of the corner under another
// plane is still at least h - (1 + κ')d. The budget is the least value of
//
//	min(h - ShareHeldMargin·margin, ShareHeldTurn·r)/(1 + ShareHeldSlope·κ)
//
// over the heights h of all corners, with κ the larger one of both ends of an edge. So d/r ≤
// 1/(8κ), and κ' ≤ 8/7·κ. The margin, clear·(1 + κ₁ + κ₂) for the ends of an edge, is then at most
// 8/7 of its former value; for a plane, whose clear grows with its distance, 9/7. Coplanar faces
// leave no height: Coplanars names them, and must be 0 here.
func SharePrismsHeld4(s *TypedOverlaps, lo, hi int) {
	sharePrismsHeld4(s, lo, hi)
}

// SharePrismsHeld6 does the same as SharePrismsHeld4 for prisms of up to six sides.
func SharePrismsHeld6(s *TypedOverlaps, lo, hi int) {
	sharePrismsHeld6(s, lo, hi)
}

// SharePrismsHeld8 does the same as SharePrismsHeld4 for prisms of up to eight sides.
func SharePrismsHeld8(s *TypedOverlaps, lo, hi int) {
	sharePrismsHeld8(s, lo, hi)
}

// ShareCoplanars is how many planes SharePrismsCoplanar4 proves.
const ShareCoplanars = 2

// SharePrismsCoplanar4 does the same as SharePrismsHeld4 for prisms of which Coplanars names up to
// ShareCoplanars planes. These planes follow the sides in At and ShareOfG; if there are fewer, one
// is repeated. The kernel proves for these planes all that SharePrisms4 proves, because no budget
// can bound how long two planes stay coplanar within rounding. Budget covers all other heights. So
// Known has the value that SharePrisms4 would compute. The kernel also reads ShareClear, and does
// not write Budget and Coplanars.
func SharePrismsCoplanar4(s *TypedOverlaps, lo, hi int) {
	sharePrismsCoplanar4(s, lo, hi)
}
