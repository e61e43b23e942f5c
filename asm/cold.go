package asm

// ColdNumbers is how many numbers of a row of the tables of tetrahedra and of bricks the kernels
// read, in the order of package soa. A row of a tetrahedron has four corners. Its last three are
// counter-clockwise, seen from outside of the face that they span. A row of a brick has the centre
// and three half edges, right-handed: each corner is the centre plus or minus each half edge. The
// last number that is read is the bounding radius.
const ColdNumbers = 13

// ColdPairs holds pairs of tetrahedra, or of bricks, without any earlier result. All columns of a
// group have one length. A and B are rows of the poses.
type ColdPairs struct {
	// Poses, body frame to world frame. The rotation is a unit quaternion.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// Rows[j] is the table of shapes without its first j numbers. The index of a shape is where its
	// row starts.
	Rows [ColdNumbers][]float64 `asm:"shifted"`

	A, B, RowA, RowB []uint32

	// Facet is the result: a code of the features, see TetraFacet and BrickFacet, or 0 if a search
	// must find them.
	Facet []float64
}
