package asm

// QuadNumbers is how many numbers a row of the table of quads has, in the order of soa's: plane, two axes, corners,
// corners on the axes, lengths of sides, indices of corners, radius, and one more that is not read here.
const QuadNumbers = 40

// FaceFaces is a batch of pairs of rigid convex polyhedra A and B that touch with a face of four corners each, which are
// nearly parallel. All columns of a group have one length; A and B are rows of poses.
type FaceFaces struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of quads, once for each number of a row: Quads[j] is the table without its first j numbers. A quad's index
	// is where its row starts.
	Quads [QuadNumbers][]float64 `asm:"shifted"`

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
// is shallower. That all other features are deeper is for the caller to know. The program in
// asm/gen/faceface.go has the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, QuadA[i], QuadB[i] starts of rows for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func FaceFace(f *FaceFaces, lo, hi int) {
	faceFace(f, lo, hi)
}
