package asm

// Facets is a batch of pairs of rigid convex polyhedra A and B that touch at known features: what to look up,
// where, and the answers. All columns of a group have one length; indices are rows of the tables.
type Facets struct {
	// Tables. Poses, body frame to world frame, the rotation unit; planes n·p = d and points, in the frame of
	// their body.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64
	NX, NY, NZ, D          []float64
	X, Y, Z                []float64

	// One row a pair. A and B are poses; what P and Q are is said at each kind. Only EdgeEdge has P1, Q1 and Sign.
	A, B, P, Q []uint32
	P1, Q1     []uint32
	Sign       []float64 // 1 or -1

	// Answers. The gap is negative where the bodies overlap; the normal is unit and points from A to B; the arms
	// lead from the bodies' positions to the witness points on A and on B. World axes.
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64
}

// FaceVertex answers the pairs lo ≤ i < hi at which a face of A, plane P[i], meets a vertex of B, point Q[i].
// For each, in the frame of A:
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
// Exact. Sums and products round in the order of package vec; adding 0 makes the sign of a zero gap positive. Unit:
// whatever the columns share. An index that is no row panics, and rows before it may have been written.
func FaceVertex(f *Facets, lo, hi int) {
	faceVertex(f, lo, hi)
}

// VertexFace answers the pairs at which a vertex of A, point P[i], meets a face of B, plane Q[i]. For each, in the
// frame of A with q and t as in FaceVertex:
//
//	m := q·n
//	gap := m·a - (d + m·t)
//	Gap, Normal = gap+0, rotA(-m)
//	ArmA, ArmB = rotA(a), rotA(a - gap·m - t)
//
// The rest is as in FaceVertex.
func VertexFace(f *Facets, lo, hi int) {
	vertexFace(f, lo, hi)
}

// EdgeEdge answers the pairs at which an edge of A, from point P[i] to P1[i], crosses one of B, from Q[i] to Q1[i].
// Sign reports whether the cross product of the two points from A to B. For each, in the frame of A with q and
// t as in FaceVertex and the points of B brought there:
//
//	e, f, w := p1-p, q1-q, q-p
//	c := e×f
//	n := Sign·c/|c|
//	at := ((w×f)·c)/(c·c), 0 at least and 1 at most
//	gap := n·w
//	Gap, Normal = gap+0, rotA(n)
//	ArmA, ArmB = rotA(p + at·e), rotA(p + at·e + gap·n - t)
//
//	len(P1) == len(Q1) == len(Sign) == len(A), and rows of their tables
//
// Parallel edges have no such normal: what they give is not finite, or the direction of rounding errors. The
// rest is as in FaceVertex.
func EdgeEdge(f *Facets, lo, hi int) {
	edgeEdge(f, lo, hi)
}
