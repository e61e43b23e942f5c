package surface

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SeamRel, relative to half the size of a wall (to its largest coordinate, for coplanar facet groups), is how wide a seam between two of its
// facets may be and still be none: what geometry.MergeFacets leaves where it drops corners that
// lie on an edge within its own tolerance, a millionth.
const SeamRel = 0x1p-18

// Facet is a facet of a wall, in the frame of the wall. Its area is twice what it covers.
type Facet struct {
	Piece          soa.Piece
	Corners        []vec.Vec3
	Normal, Middle vec.Vec3
	Area           float64 // m²
	Material       soa.Material
	Round          float64 // m
}

// Nowhere is a direction of a wall's frame in which no wall is built: what is ordered along it
// ties by accident only, and its order does not hang on rounding.
var Nowhere = vec.Vec3{X: 0.2718281828, Y: 0.5772156649, Z: 0.7701635}
