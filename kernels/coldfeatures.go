package kernels

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

// tetraEdge holds the number of the edge between two corners, in a row of the table.
var tetraEdge = [4][4]int{{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}}

// tetraName is the meaning of a code of asm.TetraFacet. kind is the kind of the features, and a and
// b are the places of their numbers in the rows of A and B. lessA and lessB are subtracted from
// these numbers. sign is the sign of two edges that run as in the table.
type tetraName struct {
	kind         soa.FacetKind
	a, b         uint8
	lessA, lessB uint16 // 1 for edges
	sign         float64
}

// tetraNames has the meaning of each code. A look-up avoids branches that a processor could not
// predict.
var tetraNames = func() (names [tetraCorners + 257]tetraName) {
	for at := range 14 {
		for k := range 4 {
			for l := range 4 {
				n := &names[1+16*at+4*k+l]
				switch {
				case at < 4:
					*n = tetraName{soa.FaceVertex, uint8(soa.TetraFace + at), uint8(soa.TetraVertex + k), 0, 0, 1}
				case at < 8:
					*n = tetraName{soa.VertexFace, uint8(soa.TetraVertex + k), uint8(soa.TetraFace + at - 4), 0, 0, 1}
				default:
					*n = tetraName{soa.EdgeEdge, uint8(soa.TetraEdge + at - 8), uint8(soa.TetraEdge + tetraEdge[k][l]), 1, 1, 1}
					if k > l {
						n.sign = -1
					}
				}
			}
		}
	}
	of := func(from, to int) (at uint8, edge uint16) {
		if from == to {
			return uint8(soa.TetraVertex + from), 0
		}
		return uint8(soa.TetraEdge + tetraEdge[from][to]), 1
	}
	for code := range 256 {
		n := &names[tetraCorners+1+code]
		n.a, n.lessA = of(code&3, code>>2&3)
		n.b, n.lessB = of(code>>4&3, code>>6)
		n.kind, n.sign = soa.VertexVertex+soa.FacetKind(n.lessB+2*n.lessA), 1
	}
	return names
}()

// tetraFeatures returns the features of a code of asm.TetraFacet, from the rows of A and B. The
// sign is meaningful for two edges only.
func tetraFeatures(code int, a, b []float64) (soa.FacetID, float64) {
	n := &tetraNames[code]
	e, f := a[n.a], b[n.b]
	id := soa.FacetID{Kind: n.kind, A: uint16(math.Abs(e)) - n.lessA, B: uint16(math.Abs(f)) - n.lessB}
	return id, math.Copysign(1, e) * math.Copysign(1, f) * n.sign
}

// tetraCorners is the largest code of a facet. Larger codes are of nearest corners and edges.
const tetraCorners = 256

// brickFree holds how many half edges of a feature of a brick have neither end: 0 for a vertex, 1
// for an edge, 2 for a face.
var brickFree = func() (free [27]uint8) {
	for number := range free {
		for _, digit := range [3]int{number % 3, number / 3 % 3, number / 9} {
			if digit == 1 {
				free[number]++
			}
		}
	}
	return free
}()

// brickKind holds the kind of two features, by how many half edges of each have neither end.
var brickKind = [3][3]soa.FacetKind{
	{soa.VertexVertex, soa.VertexEdge, soa.VertexFace}, {soa.EdgeVertex, soa.EdgeEdge}, {soa.FaceVertex},
}

// brickFeatures returns the features of a code of asm.BrickFacet minus 1, from the rows of A and B.
func brickFeatures(code uint, a, b []float64) (soa.FacetID, float64) {
	i, j, flip := code%27, code/27%27, code/(27*27)
	sign := a[soa.BrickSign+i] * b[soa.BrickSign+j] * (1 - 2*float64(flip))
	return soa.FacetID{Kind: brickKind[brickFree[i]][brickFree[j]], A: uint16(a[soa.BrickFeature+i]), B: uint16(b[soa.BrickFeature+j])}, sign
}
