package asm

// ColdNumbers is how many numbers of a row of the tables of tetrahedra and of bricks are read here, in the order of soa's.
// Of a tetrahedron: four corners, of which the last three go round counter-clockwise seen from the first's outside. Of a
// brick: its centre and three vectors from it, half as long as its edges and right-handed: a corner is the centre plus
// or minus each. Then the radius.
const ColdNumbers = 13

// Constants of TetraFacet and BrickFacet. Lengths are multiples of the unit of package engine/narrow: the larger of the two radii and of the
// distance of the two bodies along an axis of A's frame.
const (
	// coldMargin is by how much deeper all other facets must be, and how far below the features all other corners must lie:
	// eight times what narrow.Feature asks for, as faces are here known by their corners to 2⁻⁴⁴ units.
	coldMargin = 0x1p-40
	// coldSure and coldClear are narrow's sureLean and clearGap: how much the nearest features must lean from others and
	// hold their foot, and how far apart the bodies must be.
	coldSure  = 0x1p-36
	coldClear = 0x1p-28
	// coldApart and coldClose are the least gap and depth that are no matter of rounding: twice clearGap, sixteen times
	// closeTol.
	coldApart = 0x1p-27
	coldClose = 0x1p-38
	// coldWide is the least squared sine of two edges: twice that of narrow's wideSine. Below it the order of a product of theirs
	// decides bits, and kernels.Facets has none.
	coldWide = 0x1p-11
	// coldRange is the unit beyond which products of ten lengths would overflow.
	coldRange = 0x1p60
	// coldNever is more than any height.
	coldNever = 1e100
)

// ColdPairs is a batch of pairs of tetrahedra, or of bricks, about which nothing is known. All columns of a group have one
// length; A and B are rows of poses.
//
// The order of the fields is that of asm/gen/cold.go.
type ColdPairs struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table, once for each number of a row: Rows[j] is the table without its first j numbers. The index of a shape is
	// where its row starts.
	Rows [ColdNumbers][]float64

	A, B, RowA, RowB []uint32

	// Facet names the features, see TetraFacet and BrickFacet, 0 where a search has to answer.
	Facet []float64
}

func (f *ColdPairs) check(lo, hi int) {
	n := len(f.A)
	if lo < 0 || hi < lo || hi > n {
		panic("asm: ColdPairs: range outside the pairs")
	}
	poses, numbers := len(f.PosX), len(f.Rows[0])
	for j := range f.Rows {
		if len(f.Rows[j]) != numbers-j {
			panic("asm: ColdPairs: columns of unequal length")
		}
	}
	if len(f.PosY) != poses || len(f.PosZ) != poses ||
		len(f.RotW) != poses || len(f.RotX) != poses || len(f.RotY) != poses || len(f.RotZ) != poses ||
		len(f.B) != n || len(f.RowA) != n || len(f.RowB) != n || len(f.Facet) != n {
		panic("asm: ColdPairs: columns of unequal length")
	}
}
