package asm

// CrownNumbers is how many numbers a row of the table of crowns has: of each of four legs the tail, x, y, z, and the
// way to its head, then the radius of the body.
const CrownNumbers = 25

// Locations is a batch of pairs of rigid convex polyhedra A and B that touch, of each of which the plane midway
// between the deepest points leaves a crown: a vertex, an edge or a face, from which four legs lead down. All
// columns of a group have one length; A and B are rows of poses.
type Locations struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of crowns, once for each number of a row: Crowns[j] is the table without its first j numbers. A crown's
	// index is where its row starts.
	Crowns [CrownNumbers][]float64 `asm:"shifted"`

	// One row a pair. The gap is that between the bodies as the law sees them; the normal is unit and points from A to B;
	// the arms lead from the bodies' positions to the witness points on A and on B. World axes.
	A, B, CrownA, CrownB      []uint32
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64

	// Answers. The location is relative to A's position; the width is the second moments of the common section about
	// it, over the area. World axes. Known is 1 where both are answers, 0 where others have to answer.
	X, Y, Z                []float64
	XX, YY, ZZ, XY, XZ, YZ []float64
	Known                  []float64
}

// Locate answers where the contacts lo ≤ i < hi act. For each, with out the normal for A, its opposite for B:
//
//	mid := ArmA + ½(posB - posA + ArmB - ArmA)
//	depth := max(½|gap|, 2⁻²⁶·radius)
//	corners of a section: where the legs meet the plane depth below the crown's highest tail, on two axes
//	    at right angles to the normal, relative to mid
//	location := mid + centroid of the common part of both sections
//
// The common part is that of two convex quadrangles: the sides of each within the other, summed up. The program
// in asm/gen/location.go has the operations. Known are rows whose legs all lead through the plane, none of whose corners lies
// near a line through a side of the other section, no two sides of which are nearly parallel, and whose
// common part is not small against its length: what is known then is right but for rounding.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, CrownA[i], CrownB[i] starts of rows for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func Locate(l *Locations, lo, hi int) {
	locate(l, lo, hi)
}
