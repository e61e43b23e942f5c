package asm

// FacetColumns holds pairs of rigid convex polyhedra A and B that touch at known features: the tables,
// the rows to look up in them, and the results. All columns of a group have one length. Indices are
// rows of the tables.
type FacetColumns struct {
	// Tables. Poses: body frame to world frame, the rotation a unit quaternion. Planes n·p = d and
	// points: in the frame of their body.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64
	NX, NY, NZ, D          []float64
	X, Y, Z                []float64

	// One row a pair. A and B are rows of the poses. Each kernel says what P and Q are. Only the
	// kernels of edges read P1 and Q1, and only EdgeEdge reads Sign.
	A, B, P, Q []uint32
	P1, Q1     []uint32
	Sign       []float64 // 1 or -1

	// Results, in world axes. The gap is negative if the bodies overlap. The normal is a unit
	// vector from A to B. The arms lead from the position of each body to its witness point.
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64
}

// FaceVertex computes the results of the pairs lo ≤ i < hi at which a face of A, plane P[i], meets
// a vertex of B, point Q[i]. For each pair, in the frame of A:
//
//	q, t := rotA⁻¹·rotB, rotA⁻¹(posB - posA)
//	b := q·point + t
//	gap := n·b - d
//	w := b - gap·n
//	Gap, Normal = gap+0, rotA(n)
//	ArmA, ArmB = rotA(w), rotA(w + gap·n - t)
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i], P[i], Q[i] are rows of their tables for each i of the range
//
// Exact: sums and products round in the order of package vec. Adding 0 makes the sign of a zero gap
// positive. All columns share one unit of length. FaceVertex panics if an index is not a row; it
// may have written rows before that one.
func FaceVertex(f *FacetColumns, lo, hi int) {
	faceVertex(f, lo, hi)
}

// VertexFace computes the results of the pairs at which a vertex of A, point P[i], meets a face of
// B, plane Q[i]. For each pair, in the frame of A, with a the vertex, and q and t as in FaceVertex:
//
//	m := q·n
//	gap := m·a - (d + m·t)
//	Gap, Normal = gap+0, rotA(-m)
//	ArmA, ArmB = rotA(a), rotA(a - gap·m - t)
//
// The rest is as in FaceVertex.
func VertexFace(f *FacetColumns, lo, hi int) {
	vertexFace(f, lo, hi)
}

// EdgeEdge computes the results of the pairs at which an edge of A, from point P[i] to P1[i],
// crosses an edge of B, from Q[i] to Q1[i]. Sign is 1 if the cross product of the two edges points
// from A to B, else -1. For each pair, in the frame of A, with p, p1 the points of A, q, q1 the
// points of B in this frame, and t as in FaceVertex:
//
//	e, f, w := p1-p, q1-q, q-p
//	c := e×f
//	n := Sign·c/|c|
//	at := ((w×f)·c)/(c·c), clamped to the range from 0 to 1
//	gap := n·w
//	Gap, Normal = gap+0, rotA(n)
//	ArmA, ArmB = rotA(p + at·e), rotA(p + at·e + gap·n - t)
//
//	len(P1) == len(Q1) == len(Sign) == len(A), and P1[i], Q1[i] are rows of the points
//
// If the edges are parallel, the results are not finite, or the normal is a direction of rounding
// errors. The rest is as in FaceVertex.
func EdgeEdge(f *FacetColumns, lo, hi int) {
	edgeEdge(f, lo, hi)
}
