package asm

// CrownNumbers is how many numbers a row of the table of crowns has: of each of four legs the tail, x, y, z, and the
// way to its head, then the radius of the body.
const CrownNumbers = 25

// Locations is a batch of pairs of rigid convex polyhedra A and B that touch, of each of which the plane midway
// between the deepest points leaves a crown: a vertex, an edge or a face, from which four legs lead down. All
// columns of a group have one length; A and B are rows of poses.
//
// The order of the fields is that of asm/gen/location.go.
type Locations struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of crowns, once for each number of a row: Crowns[j] is the table without its first j numbers. A crown's
	// index is where its row starts.
	Crowns [CrownNumbers][]float64

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
// The common part is that of two convex quadrangles: the sides of each within the other, summed up. See
// locateGeneric for the operations. Known are rows whose legs all lead through the plane, none of whose corners lies
// near a line through a side of the other section, no two sides of which are nearly parallel, and whose
// common part is not small against its length: what is known then is right but for rounding.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, CrownA[i], CrownB[i] starts of rows for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func Locate(l *Locations, lo, hi int) {
	l.check(lo, hi)
	locate(l, lo, hi)
}

func (l *Locations) check(lo, hi int) {
	n := len(l.A)
	if lo < 0 || hi < lo || hi > n {
		panic("asm: Locations: range outside the pairs")
	}
	if !l.tables() || !l.questions(n) || !l.answers(n) {
		panic("asm: Locations: columns of unequal length")
	}
}

func (l *Locations) tables() bool {
	poses, numbers := len(l.PosX), len(l.Crowns[0])
	for j := range l.Crowns {
		if len(l.Crowns[j]) != numbers-j {
			return false
		}
	}
	return len(l.PosY) == poses && len(l.PosZ) == poses &&
		len(l.RotW) == poses && len(l.RotX) == poses && len(l.RotY) == poses && len(l.RotZ) == poses
}

func (l *Locations) questions(n int) bool {
	return len(l.B) == n && len(l.CrownA) == n && len(l.CrownB) == n && len(l.Gap) == n &&
		len(l.NormalX) == n && len(l.NormalY) == n && len(l.NormalZ) == n &&
		len(l.ArmAX) == n && len(l.ArmAY) == n && len(l.ArmAZ) == n &&
		len(l.ArmBX) == n && len(l.ArmBY) == n && len(l.ArmBZ) == n
}

func (l *Locations) answers(n int) bool {
	return len(l.X) == n && len(l.Y) == n && len(l.Z) == n &&
		len(l.XX) == n && len(l.YY) == n && len(l.ZZ) == n &&
		len(l.XY) == n && len(l.XZ) == n && len(l.YZ) == n && len(l.Known) == n
}
