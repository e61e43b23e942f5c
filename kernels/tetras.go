package kernels

import (
	"math"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// Tetras is a batch of pairs of tetrahedra about which nothing is known. Solve finds the facet of the Minkowski difference
// at which each touches, or the features at which it is nearest: those that a search of package engine/narrow would name.
// Rows at which that is too close to call are not known.
//
// The pose of a piece is that of its body. A worker keeps one and fills it again.
type Tetras struct {
	// Questions, a row a pair, set by Set.
	A, B       []uint32 // bodies
	RowA, RowB []uint32 // of the table of tetrahedra

	facet []float64 // see asm.TetraFacet
}

// Len returns the number of pairs.
func (t *Tetras) Len() int { return len(t.facet) }

// Resize sets the number of pairs to n. Rows added are zero: set them.
func (t *Tetras) Resize(n int) {
	for _, c := range []*[]uint32{&t.A, &t.B, &t.RowA, &t.RowB} {
		*c = resizeWords(*c, n)
	}
	t.facet = soa.Resize(t.facet, n)
}

// Set writes row i: bodies a and b are tetrahedra p and q of a table.
func (t *Tetras) Set(i int, a, b soa.Body, p, q soa.Tetra) {
	t.A[i], t.B[i], t.RowA[i], t.RowB[i] = uint32(a), uint32(b), uint32(p), uint32(q)
}

// Fill repeats row n-1 up to the end of a register of pairs and returns that end, so that none is answered alone. There
// must be soa.Pad(n) rows.
func (t *Tetras) Fill(n int) int {
	end := soa.Pad(n)
	for i := n; i < end && n > 0; i++ {
		t.A[i], t.B[i], t.RowA[i], t.RowB[i] = t.A[n-1], t.B[n-1], t.RowA[n-1], t.RowB[n-1]
	}
	return end
}

// Solve finds the facets of the rows lo ≤ i < hi. table is that of soa.Shapes.Tetras, or rows of such. It allocates nothing.
func (t *Tetras) Solve(table []float64, bodies *soa.Bodies, lo, hi int) {
	if lo == hi {
		return
	}
	pos, rot := &bodies.Pos, &bodies.Rot
	c := asm.Tetras{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		A: t.A, B: t.B, RowA: t.RowA, RowB: t.RowB, Facet: t.facet,
	}
	for j := range c.Rows {
		c.Rows[j] = table[j:]
	}
	asm.TetraFacet(&c, lo, hi)
}

// tetraEdge is the number of the edge between two corners in a row of the table.
var tetraEdge = [4][4]int{{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}}

// Facet returns the facet of row i, and for two edges the sign that Facets asks for; false where a search has to
// answer. table is as for Solve.
func (t *Tetras) Facet(i int, table []float64) (id soa.FacetID, sign float64, known bool) {
	code := int(t.facet[i])
	if code == 0 {
		return id, 0, false
	}
	a, b := table[t.RowA[i]:][:soa.TetraSize], table[t.RowB[i]:][:soa.TetraSize]
	if code > tetraCorners {
		return cornersOf(code-tetraCorners-1, a, b), 1, true
	}
	code--
	at, k, l := code>>4, code>>2&3, code&3
	switch {
	case at < 4:
		return soa.FacetID{Kind: soa.FaceVertex, A: uint16(a[soa.TetraFace+at]), B: uint16(b[soa.TetraVertex+k])}, 1, true
	case at < 8:
		return soa.FacetID{Kind: soa.VertexFace, A: uint16(a[soa.TetraVertex+k]), B: uint16(b[soa.TetraFace+at-4])}, 1, true
	}
	e, f := a[soa.TetraEdge+at-8], b[soa.TetraEdge+tetraEdge[k][l]]
	if k > l {
		f = -f
	}
	return soa.FacetID{Kind: soa.EdgeEdge, A: uint16(math.Abs(e) - 1), B: uint16(math.Abs(f) - 1)},
		math.Copysign(1, e) * math.Copysign(1, f), true
}

// tetraCorners is the code of facets below which they are not of corners and edges alone.
const tetraCorners = 256

// cornersOf returns a vertex or edge of A and one of B from the numbers of their corners.
func cornersOf(code int, a, b []float64) soa.FacetID {
	of := func(row []float64, from, to int) (i uint16, isEdge int) {
		if from == to {
			return uint16(row[soa.TetraVertex+from]), 0
		}
		return uint16(math.Abs(row[soa.TetraEdge+tetraEdge[from][to]]) - 1), 1
	}
	i, edgeOfA := of(a, code&3, code>>2&3)
	j, edgeOfB := of(b, code>>4&3, code>>6)
	return soa.FacetID{Kind: soa.VertexVertex + soa.FacetKind(edgeOfB+2*edgeOfA), A: i, B: j}
}
