package surface

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// SeamRel is a width relative to half the size of a wall (for coplanar facet groups, to its largest
// coordinate). Two facets that are no farther apart count as connected. geometry.MergeFacets leaves
// such gaps: it removes corners that lie on an edge within its own tolerance of a millionth.
// Smaller: such gaps become boundary edges. Larger: true gaps close.
const SeamRel = 0x1p-18

// WallFacet is a facet of a wall, in the frame of the wall.
type WallFacet struct {
	Piece          soa.Piece
	Corners        []vec.Vec3
	Normal, Middle vec.Vec3
	Area           float64 // m², twice the area of the facet
	Material       soa.Material
	Round          float64 // m
}

// Nowhere is a direction in the wall's frame along which no wall is likely to be aligned. Ordering
// by it therefore has no ties that rounding could decide.
var Nowhere = vec.Vec3{X: 0.2718281828, Y: 0.5772156649, Z: 0.7701635}
