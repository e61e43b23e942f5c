package asm

// RimNumbers is how many numbers a row of the table of rims has, in the order of soa.Rim: the direction into the face,
// x, y, z, then offset, length, from tail, from head, rise.
const RimNumbers = 8

// Crossings is a batch of pairs of rigid convex polyhedra A and B that touch with an edge each. All columns of a
// group have one length; indices are rows of the tables.
//
// The order of the fields is that of asm/gen/locationcrossing.go.
type Crossings struct {
	// Poses, body frame to world frame, the rotation unit, and points, in the frame of their body.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64
	X, Y, Z                []float64

	// The table of rims, once for each number of a row: Rims[j] is the table without its first j numbers. A rim's index
	// is where its row starts.
	Rims [RimNumbers][]float64

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
// says why; crossingGeneric is the loop.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	indices are rows of their tables, or starts of rows, for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func LocateCrossings(c *Crossings, lo, hi int) {
	c.check(lo, hi)
	locateCrossings(c, lo, hi)
}

func (c *Crossings) check(lo, hi int) {
	n := len(c.A)
	if lo < 0 || hi < lo || hi > n {
		panic("asm: Crossings: range outside the pairs")
	}
	if !c.tables() || !c.questions(n) || !c.answers(n) {
		panic("asm: Crossings: columns of unequal length")
	}
}

func (c *Crossings) tables() bool {
	poses, points, numbers := len(c.PosX), len(c.X), len(c.Rims[0])
	for j := range c.Rims {
		if len(c.Rims[j]) != numbers-j {
			return false
		}
	}
	return len(c.PosY) == poses && len(c.PosZ) == poses &&
		len(c.RotW) == poses && len(c.RotX) == poses && len(c.RotY) == poses && len(c.RotZ) == poses &&
		len(c.Y) == points && len(c.Z) == points
}

func (c *Crossings) questions(n int) bool {
	return len(c.B) == n && len(c.TailA) == n && len(c.HeadA) == n && len(c.TailB) == n && len(c.HeadB) == n &&
		len(c.NearA) == n && len(c.FarA) == n && len(c.NearB) == n && len(c.FarB) == n &&
		len(c.RadiusA) == n && len(c.RadiusB) == n && len(c.Gap) == n &&
		len(c.NormalX) == n && len(c.NormalY) == n && len(c.NormalZ) == n &&
		len(c.ArmAX) == n && len(c.ArmAY) == n && len(c.ArmAZ) == n &&
		len(c.ArmBX) == n && len(c.ArmBY) == n && len(c.ArmBZ) == n
}

func (c *Crossings) answers(n int) bool {
	return len(c.LocationX) == n && len(c.LocationY) == n && len(c.LocationZ) == n &&
		len(c.XX) == n && len(c.YY) == n && len(c.ZZ) == n &&
		len(c.XY) == n && len(c.XZ) == n && len(c.YZ) == n && len(c.Known) == n
}
