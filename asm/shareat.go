package asm

// How many answers a row of SharesAt has, and where in a row those stand that follow those of Shares.
const (
	ShareAtAnswers   = 28
	ShareAtThickness = 24
	ShareAtAlong     = 25
)

// SharesAt is a batch of overlaps of one type, as Shares is, of which the rows say where poses and
// features stand in the engine's tables.
//
// The order of the fields is that of asm/gen/shareat.go.
type SharesAt struct {
	// Poses, body frame to world frame, the rotation unit: w, x, y, z.
	Pos [3][]float64
	Rot [4][]float64

	// The tables of fans and of rims, once for each number of a row: Fans[j] is the table without its
	// first j numbers. And the vertices of all shapes.
	Fans  [3 + 3*FanEdges][]float64
	Rims  [RimNumbers][]float64
	Verts [3][]float64

	// One row a pair: V and G, where features start, and numbers. The functions say which.
	Bodies  [2][]uint32
	At      [8][]uint32
	Numbers [8][]float64

	// Answers, a row a pair: those of Shares; then the thickness √(12·variance) of the overlap, and the
	// unit vector along which it grows fastest, zero where it grows no way.
	Answers [ShareAtAnswers][]float64
}

// NewSharesAt returns a batch with rows, and without poses and tables.
func NewSharesAt(rows int) *SharesAt {
	s := &SharesAt{}
	for _, words := range [][][]uint32{s.Bodies[:], s.At[:]} {
		for k := range words {
			words[k] = make([]uint32, rows)
		}
	}
	for _, numbers := range [][][]float64{s.Numbers[:], s.Answers[:]} {
		for k := range numbers {
			numbers[k] = make([]float64, rows)
		}
	}
	return s
}

// SetTables sets the tables of fans and of rims.
func (s *SharesAt) SetTables(fans, rims []float64) {
	for j := range s.Fans {
		s.Fans[j] = fans[j:]
	}
	for j := range s.Rims {
		s.Rims[j] = rims[j:]
	}
}

// ShareCornersAt4 finds what ShareCorners4 does. At: the corner's fan, and the rims of the face's
// sides, of which one may stand there several times. Numbers: the face's normal, x, y, z, and offset;
// what a point at depth d must be away from the sides, over d, and up to which d, to be inside G; the
// margin of rounding; 1 where the answers are told as V moves and relative to its position, and -1
// where as G does and to its.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(Bodies[0])
//	indices are rows of their tables, or starts of rows
//
// Exact, with the bits of ShareCorners4, with signs changed where G is told. An index that is no row panics, and rows before
// it may have been written.
func ShareCornersAt4(s *SharesAt, lo, hi int) {
	s.check(lo, hi)
	shareCornersAt4(s, lo, hi)
}

// ShareCornersAt8 is ShareCornersAt4 for corners of up to eight edges.
func ShareCornersAt8(s *SharesAt, lo, hi int) {
	s.check(lo, hi)
	shareCornersAt8(s, lo, hi)
}

// ShareCrossingsAt finds what ShareCrossings does. At: the vertices that V's edge leads from and to,
// those of G's; the rims of V's edge, of its left face and of the other, and those of G's. Numbers:
// the seventh is the margin of rounding. Otherwise as ShareCornersAt4.
func ShareCrossingsAt(s *SharesAt, lo, hi int) {
	s.check(lo, hi)
	shareCrossingsAt(s, lo, hi)
}

func (s *SharesAt) check(lo, hi int) {
	n := len(s.Bodies[0])
	if lo < 0 || hi < lo || hi > n {
		panic("asm: SharesAt: range outside the overlaps")
	}
	poses, fans, rims, verts := len(s.Pos[0]), len(s.Fans[0]), len(s.Rims[0]), len(s.Verts[0])
	if !sized(poses, s.Pos[:]...) || !sized(poses, s.Rot[:]...) || !sized(verts, s.Verts[:]...) ||
		!shortened(s.Fans[:]) || !shortened(s.Rims[:]) || !sized(n, s.Numbers[:]...) || !sized(n, s.Answers[:]...) ||
		!wordsSized(n, s.Bodies[:]...) || !wordsSized(n, s.At[:]...) {
		panic("asm: SharesAt: columns of unequal length")
	}
	if max(uint64(poses), uint64(fans), uint64(rims), uint64(verts)) > maxLookUp {
		panic("asm: SharesAt: more rows than an index reaches")
	}
}

// shortened says whether each column is a table without so many of its first numbers.
func shortened(columns [][]float64) bool {
	for j, c := range columns {
		if len(c) != len(columns[0])-j {
			return false
		}
	}
	return true
}

// wordsSized is sized for indices.
func wordsSized(n int, columns ...[]uint32) bool {
	for _, c := range columns {
		if len(c) != n {
			return false
		}
	}
	return true
}
