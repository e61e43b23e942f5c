package asm

// ColdNumbers is how many numbers of a row of the tables of tetrahedra and of bricks are read here, in the order of soa's.
// Of a tetrahedron: four corners, of which the last three go round counter-clockwise seen from the first's outside. Of a
// brick: its centre and three vectors from it, half as long as its edges and right-handed: a corner is the centre plus
// or minus each. Then the radius.
const ColdNumbers = 13

// ColdPairs is a batch of pairs of tetrahedra, or of bricks, about which nothing is known. All columns of a group have one
// length; A and B are rows of poses.
type ColdPairs struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table, once for each number of a row: Rows[j] is the table without its first j numbers. The index of a shape is
	// where its row starts.
	Rows [ColdNumbers][]float64 `asm:"shifted"`

	A, B, RowA, RowB []uint32

	// Facet names the features, see TetraFacet and BrickFacet, 0 where a search has to answer.
	Facet []float64
}
