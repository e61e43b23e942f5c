package engine

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// seamRel, relative to the largest coordinate of a wall, is how wide a seam between two of its facets may be and still be none:
// what geometry.MergeFacets leaves where it drops corners that lie on an edge within its own tolerance, a millionth.
const seamRel = 0x1p-18

// levelFacet is a facet of a wall, in the frame of the wall. Its area is twice what it covers.
type levelFacet struct {
	piece          soa.Piece
	corners        []vec.Vec3
	normal, middle vec.Vec3
	area           float64 // m²
	material       soa.Material
	round          float64 // m
}

// nowhere is a direction of a wall's frame in which no wall is built: what is ordered along it ties by accident only, and its order
// does not hang on rounding.
var nowhere = vec.Vec3{X: 0.2718281828, Y: 0.5772156649, Z: 0.7701635}
