package asm

// TetraNumbers is how many numbers of a row of the table of tetrahedra are read here, in the order of soa's: four
// corners, of which the last three go round counter-clockwise seen from the first's outside, and the radius.
const TetraNumbers = 13

// Constants of TetraFacet. Lengths are multiples of the unit of package engine/narrow: the larger of the two radii and of the
// distance of the two bodies along an axis of A's frame.
const (
	// tetraMargin is by how much deeper all other facets must be, and how far below the features all other corners must lie:
	// eight times what narrow.Feature asks for, as faces are here known by their corners to 2⁻⁴⁴ units.
	tetraMargin = 0x1p-40
	// tetraArcErr times the fourth power of A's radius and the square of the unit bounds the rounding of the height of two
	// edges times the length of their normal: 16·8 for the four products of two normals of up to 4·radius² with
	// heights of up to 4 units, each right to 2⁻⁵⁰, and as much again for the direction of the edges' own product.
	tetraArcErr = 0x1p-39
	// tetraSure and tetraClear are narrow's sureLean and clearGap: how much the nearest features must lean from others and
	// hold their foot, and how far apart the bodies must be.
	tetraSure  = 0x1p-36
	tetraClear = 0x1p-28
	// tetraApart and tetraClose are the least gap and depth that are no matter of rounding: twice clearGap, sixteen times
	// closeTol.
	tetraApart = 0x1p-27
	tetraClose = 0x1p-38
	// tetraRange is the unit beyond which products of ten lengths would overflow.
	tetraRange = 0x1p60
	// tetraNever is more than any height.
	tetraNever = 1e100
	// tetraCorners is the first code of nearest corners and edges.
	tetraCorners = 257
)

// Tetras is a batch of pairs of tetrahedra about which nothing is known. All columns of a group have one length; A and
// B are rows of poses.
//
// The order of the fields is that of asm/gen/tetra.go.
type Tetras struct {
	// Poses, body frame to world frame, the rotation unit.
	PosX, PosY, PosZ       []float64
	RotW, RotX, RotY, RotZ []float64

	// The table of tetrahedra, once for each number of a row: Rows[j] is the table without its first j numbers. The index
	// of a tetrahedron is where its row starts.
	Rows [TetraNumbers][]float64

	A, B, RowA, RowB []uint32

	// Facet names the facet, see TetraFacet, 0 where a search has to answer.
	Facet []float64
}

// TetraFacet finds the facets of the Minkowski difference at which the pairs lo ≤ i < hi touch, or, where they are apart,
// are nearest. It answers 1 + 16·s + 4·k + l, with corners counted in the order of the rows:
//
//	s = 0 … 3: the face of A opposite corner s, and corner k of B
//	s = 4 … 7: corner k of A, and the face of B opposite corner s-4
//	s = 8 … 13: edge 01, 02, 03, 12, 13 or 23 of A, and the edge of B from corner k to l; the normal from A to B is
//	    the product of the two edges, each from its first corner to its second
//
// or, where corners and edges are nearest, 257 + i + 4·j + 16·k + 64·l for the edge from corner i to j of A, or corner i =
// j, and k and l of B. It answers 0 where that is not beyond doubt: where another facet is as deep but for tetraMargin, or
// other features as near, or the nearest do not lie on the rim of the facet that separates most. See
// tetraFacetGeneric for the operations.
//
//	all columns of a group have one length; 0 <= lo <= hi <= len(A)
//	A[i], B[i] are rows of the poses, RowA[i], RowB[i] starts of rows for each i of the range
//
// All facets are tried. Those of edges are found by walking: while a direction turns from one face's normal to the next's over
// an edge of A, the corner of B that is lowest changes at most three times, each time over an edge that makes a facet
// with A's. So no pair of edges is tried that makes none: of 36 there are some twelve facets.
//
// Exact. Sums and products round in the order of package vec. Unit: whatever the columns share. An index that is no row
// panics, and rows before it may have been written.
func TetraFacet(f *Tetras, lo, hi int) {
	f.check(lo, hi)
	tetraFacet(f, lo, hi)
}

func (f *Tetras) check(lo, hi int) {
	n := len(f.A)
	if lo < 0 || hi < lo || hi > n {
		panic("asm: Tetras: range outside the pairs")
	}
	poses, numbers := len(f.PosX), len(f.Rows[0])
	for j := range f.Rows {
		if len(f.Rows[j]) != numbers-j {
			panic("asm: Tetras: columns of unequal length")
		}
	}
	if len(f.PosY) != poses || len(f.PosZ) != poses ||
		len(f.RotW) != poses || len(f.RotX) != poses || len(f.RotY) != poses || len(f.RotZ) != poses ||
		len(f.B) != n || len(f.RowA) != n || len(f.RowB) != n || len(f.Facet) != n {
		panic("asm: Tetras: columns of unequal length")
	}
}
