package kernels

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// ColdPairs is a batch of pairs of tetrahedra, or of bricks, without any earlier result. Solve
// finds the facet of the Minkowski difference at which each pair touches, or the features at which
// it is nearest. These are the features that a search of package engine/narrow would name. Rows
// that are too close to call have no result.
//
// The pose of a piece must be that of its body. A worker keeps one batch for each kind and fills it
// again.
type ColdPairs struct {
	Bricks bool // else tetrahedra

	PairRows // of the table of tetrahedra or bricks

	facet []float64 // see asm.TetraFacet and asm.BrickFacet
}

// Resize sets the number of pairs to n. New rows are zero: set them.
func (t *ColdPairs) Resize(n int) {
	t.resize(n)
	t.facet = soa.Resize(t.facet, n)
}

// Solve finds the features of the rows lo ≤ i < hi. table is soa.Shapes.Tetras or Bricks, or
// consists of such rows. Solve allocates nothing.
func (t *ColdPairs) Solve(table []float64, bodies *soa.Bodies, lo, hi int) {
	if lo == hi {
		return
	}
	pos, rot := &bodies.Pos, &bodies.Rot
	c := asm.ColdPairs{
		PosX: pos.X, PosY: pos.Y, PosZ: pos.Z, RotW: rot.W, RotX: rot.X, RotY: rot.Y, RotZ: rot.Z,
		A: t.A, B: t.B, RowA: t.RowA, RowB: t.RowB, Facet: t.facet,
	}
	for j := range c.Rows {
		c.Rows[j] = table[j:]
	}
	if t.Bricks {
		asm.BrickFacet(&c, lo, hi)
	} else {
		asm.TetraFacet(&c, lo, hi)
	}
}

// Facet returns the features of row i, and for two edges the sign that Facets needs. known is false
// if a search must find the features. table is as for Solve.
func (t *ColdPairs) Facet(i int, table []float64) (id soa.FacetID, sign float64, known bool) {
	code := int(t.facet[i])
	if code == 0 {
		return id, 0, false
	}
	if t.Bricks {
		id, sign = brickFeatures(uint(code-1), table[t.RowA[i]:][:soa.BrickSize], table[t.RowB[i]:][:soa.BrickSize])
	} else {
		id, sign = tetraFeatures(code, table[t.RowA[i]:][:soa.TetraSize], table[t.RowB[i]:][:soa.TetraSize])
	}
	return id, sign, true
}
