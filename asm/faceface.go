package asm

// QuadNumbers is how many numbers a row of the table of quads has, in the order of soa's: plane, two axes, corners,
// corners on the axes, lengths of sides, indices of corners, radius, and one more that is not read here.
const QuadNumbers = 40

// Places in a row of the table of quads.
const (
	quadNormal = 0
	quadOffset = 3
	quadU      = 4
	quadV      = 7
	quadCorner = 10
	quadFlat   = 22
	quadLength = 30
	quadVertex = 34
	quadRadius = 38
)

// Constants of FaceFace. Lengths are multiples of the unit of package engine/narrow: the larger of the two radii and of
// the distance of the two bodies along an axis of A's frame.
const (
	// faceTie is narrow.TieTol: A's face is the answer where it is no deeper than B's by more.
	faceTie = 0x1p-46
	// faceSurely, in ties, is how much deeper A's face must be for B's to be the answer. Between a
	// tie and this it is too close to call: smaller, and rounding would decide.
	faceSurely = 1.125
	// faceLevel is how level corners must be for the disc that they make with the face to count as
	// level: a quarter of a tie.
	faceLevel = faceTie / 4
	// faceFoot and faceInset say how far inside the part of the difference that the level corners
	// make with the face the origin must lie: by the depth times one, and by the unit times the
	// other. See narrow.Search.Budget.
	faceFoot  = 0.125
	faceInset = 0x1p-30
	// faceBroad, faceHinge and faceRound are those of FlatQuads.proven for a foot next to a side of
	// what the level corners make, as that of bricks end to end is. With a difference wider than
	// faceBroad times depth and spread, five quarters of spread·depth/2R are enough, of which one
	// is for the squares left out and for what a tilt alters in R; faceRound, in units, is for
	// rounding.
	faceBroad = 8
	faceHinge = 1.25 / 2
	faceRound = 0x1p-44
	// faceSlip, in units, is by how much a facet may be shallower than the face that is the answer:
	// an eighth of a tie. Two across of the level corners make half a tie at most, and a quarter is
	// for what a search errs by. Larger: a search may find that the face does not tie with it.
	faceSlip = faceTie / 8
	// flatTol is how far outside a polygon a corner may lie and still count as inside: the rounding of its place.
	flatTol = 0x1p-48
	// flatMiss, in units, is by how much bodies moved together may miss each other at a point where
	// they are said to meet: half of narrow's footTol, as their planes are tilted.
	flatMiss = 0x1p-43
	// never is more than any number that is compared with it.
	never = 1e300
)

// FaceFaces is a batch of pairs of rigid convex polyhedra A and B that touch with a face of four corners each, which are
// nearly parallel. All columns of a group have one length; A and B are rows of poses.
//
// The order of the fields is that of asm/gen/faceface.go.
type FaceFaces struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of quads, once for each number of a row: Quads[j] is the table without its first j numbers. A quad's index
	// is where its row starts.
	Quads [QuadNumbers][]float64

	A, B, QuadA, QuadB []uint32

	// Answers, as in Facets. Vertex is the index of the vertex that the face meets; OfB is 1 where the face is B's and
	// the vertex A's, 0 where it is the other way round. Known is 1 where all are answers, 0 where a search has to
	// answer.
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64
	Vertex, OfB, Known        []float64
}

// FaceFace answers the pairs lo ≤ i < hi. For each, in the frame of A, with the plane n·p = d of A's face and
// m·p = e of B's:
//
//	hA, hB := d - min n·b, e - min m·a over the corners b of B's face and a of A's
//	W := A's face if hA is the less or the same, else B's
//	gap := -hW, as the first by index of the other's corners that are lowest has it
//	Normal := rotA(n), or rotA(-m)
//	ArmA, ArmB := the witness points: that corner if it is alone, and else the mean of the corners of what W and the
//	    edge or face of the lowest corners have in common (FlatQuads)
//
// Known are rows at which it is beyond doubt which face it is and which corners are lowest, and whose
// origin lies well inside the part of the difference that they make, so that no crossing of two edges
// is shallower. That all other features are deeper is for the caller to know. See faceFaceGeneric for the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, QuadA[i], QuadB[i] starts of rows for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func FaceFace(f *FaceFaces, lo, hi int) {
	f.check(lo, hi)
	faceFace(f, lo, hi)
}

func (f *FaceFaces) check(lo, hi int) {
	n := len(f.A)
	if lo < 0 || hi < lo || hi > n {
		panic("asm: FaceFaces: range outside the pairs")
	}
	if !f.tables() || !f.sized(n) {
		panic("asm: FaceFaces: columns of unequal length")
	}
}

func (f *FaceFaces) tables() bool {
	poses, numbers := len(f.PosX), len(f.Quads[0])
	for j := range f.Quads {
		if len(f.Quads[j]) != numbers-j {
			return false
		}
	}
	return len(f.PosY) == poses && len(f.PosZ) == poses &&
		len(f.RotW) == poses && len(f.RotX) == poses && len(f.RotY) == poses && len(f.RotZ) == poses
}

func (f *FaceFaces) sized(n int) bool {
	return len(f.B) == n && len(f.QuadA) == n && len(f.QuadB) == n && len(f.Gap) == n &&
		len(f.NormalX) == n && len(f.NormalY) == n && len(f.NormalZ) == n &&
		len(f.ArmAX) == n && len(f.ArmAY) == n && len(f.ArmAZ) == n &&
		len(f.ArmBX) == n && len(f.ArmBY) == n && len(f.ArmBZ) == n &&
		len(f.Vertex) == n && len(f.OfB) == n && len(f.Known) == n
}
