package asm

// RimNumbers is how many numbers a row of the table of rims has, in the order of soa.Rim: the direction into the face,
// x, y, z, then offset, length, from tail, from head, rise.
const RimNumbers = 8

// Crossings is a batch of pairs of rigid convex polyhedra A and B that touch with an edge each. All columns of a
// group have one length; indices are rows of the tables.
type Crossings struct {
	// Poses, body frame to world frame, the rotation unit, and points, in the frame of their body.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64
	X, Y, Z                []float64

	// The table of rims, once for each number of a row: Rims[j] is the table without its first j numbers. A rim's index
	// is where its row starts.
	Rims [RimNumbers][]float64 `asm:"shifted"`

	// One row a pair: bodies, the points at the tails and heads of the edges, the rims of both half-edges of each, the one
	// from tail to head first, and the bodies' radii. The others are as in Locations.
	A, B, TailA, HeadA, TailB, HeadB []uint32
	NearA, FarA, NearB, FarB         []uint32
	RadiusA, RadiusB                 []float64
	Gap                              []float64
	NormalX, NormalY, NormalZ        []float64
	ArmAX, ArmAY, ArmAZ              []float64
	ArmBX, ArmBY, ArmBZ              []float64

	// Answers, as in Locations.
	LocationX, LocationY, LocationZ []float64
	XX, YY, ZZ, XY, XZ, YZ          []float64
	Known                           []float64
}

// LocateCrossings answers where the contacts lo ≤ i < hi act: at the middle of the parallelogram that the strips along
// both edges have in common, if no other feature can have a part in it. Method crossing of engine/overlap's Cutter
// says why; asm/gen/locationcrossing.go is the program.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	indices are rows of their tables, or starts of rows, for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func LocateCrossings(c *Crossings, lo, hi int) {
	locateCrossings(c, lo, hi)
}
