package kernels

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

// tetraEdge is the number of the edge between two corners in a row of the table.
var tetraEdge = [4][4]int{{0, 0, 1, 2}, {0, 0, 3, 4}, {1, 3, 0, 5}, {2, 4, 5, 0}}

// tetraFeatures names the features of a code of asm.TetraFacet from the rows of A and B.
func tetraFeatures(code int, a, b []float64) (soa.FacetID, float64) {
	if code > tetraCorners {
		return cornersOf(code-tetraCorners-1, a, b), 1
	}
	code--
	at, k, l := code>>4, code>>2&3, code&3
	switch {
	case at < 4:
		return soa.FacetID{Kind: soa.FaceVertex, A: uint16(a[soa.TetraFace+at]), B: uint16(b[soa.TetraVertex+k])}, 1
	case at < 8:
		return soa.FacetID{Kind: soa.VertexFace, A: uint16(a[soa.TetraVertex+k]), B: uint16(b[soa.TetraFace+at-4])}, 1
	}
	e, f := a[soa.TetraEdge+at-8], b[soa.TetraEdge+tetraEdge[k][l]]
	if k > l {
		f = -f
	}
	return soa.FacetID{Kind: soa.EdgeEdge, A: uint16(math.Abs(e) - 1), B: uint16(math.Abs(f) - 1)},
		math.Copysign(1, e) * math.Copysign(1, f)
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

// brickFree is how many half edges of a brick's feature have neither end: none of a vertex, one of an edge, two of a face.
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

// brickKind is the kind of two features by how many half edges of each have neither end.
var brickKind = [3][3]soa.FacetKind{
	{soa.VertexVertex, soa.VertexEdge, soa.VertexFace}, {soa.EdgeVertex, soa.EdgeEdge}, {soa.FaceVertex},
}

// brickFeatures names the features of a code of asm.BrickFacet, less 1, from the rows of A and B.
func brickFeatures(code uint, a, b []float64) (soa.FacetID, float64) {
	i, j, flip := code%27, code/27%27, code/(27*27)
	sign := a[soa.BrickSign+i] * b[soa.BrickSign+j] * (1 - 2*float64(flip))
	return soa.FacetID{Kind: brickKind[brickFree[i]][brickFree[j]], A: uint16(a[soa.BrickFeature+i]), B: uint16(b[soa.BrickFeature+j])}, sign
}
