package asm

// QuadNumbers is how many numbers a row of the table of quads (faces of four corners) has, in the
// order of package soa: plane, two axes, corners, corners on the axes, lengths of sides, indices of
// corners, bounding radius, and one number that is not read here.
const QuadNumbers = 40

// FaceFaceColumns holds pairs of rigid convex polyhedra A and B that touch at two nearly parallel faces
// of four corners. All columns of a group have one length. A and B are rows of the poses.
type FaceFaceColumns struct {
	// Poses, body frame to world frame. The rotation is a unit quaternion.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// Quads[j] is the table of quads without its first j numbers. The index of a quad is where its
	// row starts.
	Quads [QuadNumbers][]float64 `asm:"shifted"`

	A, B, QuadA, QuadB []uint32

	// Results, as in Facets. Vertex is the index of the vertex that supports the face. OfB is 1 if
	// the face is B's and the vertex A's, and 0 if the face is A's and the vertex B's. Known is 1
	// if the row holds results, and 0 if a search must find them.
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64
	Vertex, OfB, Known        []float64
}

// FaceFace computes the results of the pairs lo ≤ i < hi. For each pair, in the frame of A, let n·p
// = d be the plane of A's face and m·p = e the plane of B's face:
//
//	hA, hB := d - min n·b, e - min m·a over the corners b of B's face and a of A's
//	W := A's face if hA ≤ hB, else B's
//	gap := -hW, computed with the other face's lowest corner that has the least index
//	Normal := rotA(n), or rotA(-m) if W is B's face
//	ArmA, ArmB := the witness points: that corner if it alone is lowest, else the mean of the corners of the region that W
//	    shares with the edge or face of the lowest corners (FlatQuads)
//
// Known is 1 if two conditions hold. It is certain which face W is and which corners are lowest.
// And the origin lies well inside the part of the Minkowski difference that W and these corners
// make, so no crossing of two edges is shallower. The caller must know that all other features are
// deeper. The program in asm/gen/faceface.go has the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, QuadA[i], QuadB[i] starts of rows for each i of the range
//
// Exact: sums and products round in the order of package vec. All columns share one unit of length.
// FaceFace panics if an index is not a row; it may have written rows before that one.
func FaceFace(f *FaceFaceColumns, lo, hi int) {
	faceFace(f, lo, hi)
}
