package asm

// FanEdges is how many edges a row of the table of fans has, after its vertex; FaceSides how many sides of a face are
// looked at.
const (
	FanEdges  = 8
	FaceSides = 4
)

// Corners is a batch of pairs of rigid convex polyhedra that touch with a vertex of V on a face of G, one of which is
// the body A of the contact and the other its body B. All columns of a group have one length.
type Corners struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of fans, once for each number of a row, a vertex and the ways along its edges: Fans[j] is the table
	// without its first j numbers. That of rims likewise, up to what a side needs.
	Fans [3 + 3*FanEdges][]float64 `asm:"shifted"`
	Rims [4][]float64              `asm:"shifted"`

	// One row a pair: bodies, where the rows of the fan and of the rims of the face's sides start (a side may stand
	// there twice), the bodies' radii, and the face: its normal in its frame, and what soa.Room says of it. Sign is 1 where
	// V is A, -1 where it is B. The others are as in Locations.
	A, B, V, G, Fan           []uint32
	Sides                     [FaceSides][]uint32
	RadiusV, RadiusG          []float64
	FaceX, FaceY, FaceZ       []float64
	Cot, Deepest              []float64
	Sign                      []float64
	Gap                       []float64
	NormalX, NormalY, NormalZ []float64
	ArmAX, ArmAY, ArmAZ       []float64
	ArmBX, ArmBY, ArmBZ       []float64

	// Answers, as in Locations.
	X, Y, Z                []float64
	XX, YY, ZZ, XY, XZ, YZ []float64
	Known                  []float64
}

// LocateCorners answers where the contacts lo ≤ i < hi act: at the centroid of the section of the vertex's edges, if no
// other feature can have a part in it. Method onFace of engine/overlap's Cutter says why; asm/gen/locationcorner.go
// is the program.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	indices are rows of their tables, or starts of rows, for each i of the range
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func LocateCorners(c *Corners, lo, hi int) {
	locateCorners(c, lo, hi)
}
