package mesh

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

const (
	// SeamRel is a width relative to half the size of a wall (for coplanar facet groups, to its largest
	// coordinate). Two facets that are no farther apart count as connected. geometry.MergeFacets leaves
	// such gaps: it removes corners that lie on an edge within its own tolerance of a millionth.
	// Smaller: such gaps become boundary edges. Larger: true gaps close.
	SeamRel = 0x1p-18
	// roundedAt times a wall's largest coordinate bounds the rounding of its corners. Smaller: corners
	// that only rounding parts stay apart. Larger: the wall's place decides what is a gap.
	roundedAt = 0x1p-46
)

// Nowhere is a direction in the wall's frame along which no wall is likely to be aligned. Ordering
// by it therefore has no ties that rounding could decide.
var Nowhere = vec.Vec3{X: 0.2718281828, Y: 0.5772156649, Z: 0.7701635}

// WallMesh is the facets of a wall with their connections. Corners within a seam of each other are one
// vertex. An edge with corners of other facets on it is a chain of edges between them. A half-edge
// is an edge as a facet passes it: a row of the columns by half-edge.
type WallMesh struct {
	facets *geometry.WallFacets
	extent float64    // m, largest coordinate
	box    vec.Box    // around all corners
	planes []vec.Vec3 // normals of the planes of groups of several facets
	plane  []uint32   // by facet: 1 + its group in planes, or 0; nil if there are no groups
	same   bool       // all facets have one material and one rounding radius
	kinds  []surfaceKind

	// Set by Connect.
	seam    float64        // m
	verts   []vec.Vec3     // the first corner of each vertex
	first   []int32        // by facet, one more than there are facets: its first half-edge
	loop    []int32        // by half-edge: the vertex where it starts
	edge    []uint16       // by half-edge: the edge of the polygon that starts or continues there
	next    []int32        // by half-edge: the half-edge of the facet connected across it, or alone or shared
	owner   []int32        // by half-edge: its facet
	crowded map[int32]bool // half-edges with a connected facet at whose edge more than two facets meet
	part    []int32        // by facet
	flip    []bool         // by facet: its normal points to side 1 of its part
	thin    []bool         // by facet: narrower than a seam, so connected to no other facet
	flat    []int32        // by facet: the first facet of its flat piece
	parts   int
	// Facets by vertex: those of vertex v are touching[touch[v]:touch[v+1]], rising.
	touch, touching []int32
}

// Values of WallMesh.next where no facet is connected.
const (
	alone  = -1 // no other facet has the edge
	shared = -2 // others have it, too, and none is connected
)

// surfaceKind is what the facets of a group have in common besides their plane.
type surfaceKind struct {
	Material soa.Material
	Round    float64 // m
}

// New returns the mesh of some facets. of returns the material and the rounding radius, m, of a facet.
func New(facets *geometry.WallFacets, of func(k int) (soa.Material, float64)) *WallMesh {
	m := &WallMesh{facets: facets, box: facets.Box(), same: true}
	m.extent = max(m.box.Min.MaxAbs(), m.box.Max.MaxAbs())
	m.kinds = make([]surfaceKind, 1)
	for k := range facets.Len() {
		material, round := of(k)
		kind := surfaceKind{material, round}
		switch {
		case k == 0:
			m.kinds[0] = kind
		case m.same && kind != m.kinds[0]:
			m.same = false
			for len(m.kinds) < k {
				m.kinds = append(m.kinds, m.kinds[0])
			}
		}
		if !m.same {
			m.kinds = append(m.kinds, kind)
		}
	}
	return m
}

// Len returns the number of facets.
func (m *WallMesh) Len() int { return m.facets.Len() }

// Extent returns the largest coordinate of a corner, m.
func (m *WallMesh) Extent() float64 { return m.extent }

// IsUniform reports whether all facets have the same material and rounding radius.
func (m *WallMesh) IsUniform() bool { return m.same }

// Kind returns the material and the rounding radius, m, of facet k.
func (m *WallMesh) Kind(k int) (soa.Material, float64) {
	if m.same {
		k = 0
	}
	return m.kinds[k].Material, m.kinds[k].Round
}

// Material returns the material of facet k.
func (m *WallMesh) Material(k int) soa.Material {
	material, _ := m.Kind(k)
	return material
}

// Corners appends the corners of facet k.
func (m *WallMesh) Corners(to []vec.Vec3, k int) []vec.Vec3 { return m.facets.Corners(to, k) }

// Normal returns the normal of facet k about which its corners run counter-clockwise. The facets of a
// group all have that of their plane, which is the most accurate one.
func (m *WallMesh) Normal(k int) vec.Vec3 {
	n := m.facets.Normal(k)
	if g := m.Group(k); g > 0 {
		common := m.planes[g-1]
		return common.Scale(math.Copysign(1, common.Dot(n)))
	}
	return n
}

// OwnNormal returns the normal of facet k by its own corners.
func (m *WallMesh) OwnNormal(k int) vec.Vec3 { return m.facets.Normal(k) }

// NCorners returns the number of corners of all facets together.
func (m *WallMesh) NCorners() int { return m.facets.NCorners() }

// Middle returns the mean of the corners of facet k, and twice its area, m².
func (m *WallMesh) Middle(k int) (middle vec.Vec3, area float64) {
	var few [8]vec.Vec3
	corners := m.facets.Corners(few[:0], k)
	n := m.facets.Normal(k)
	for _, v := range corners {
		middle = middle.Add(v)
	}
	for k := 2; k < len(corners); k++ {
		area += n.Dot(corners[k-1].Sub(corners[0]).Cross(corners[k].Sub(corners[0])))
	}
	return middle.Scale(1 / float64(len(corners))), area
}

// Group returns 1 + the coplanar facet group of facet k among the groups of the wall, or 0 if the
// facet is alone in its plane.
func (m *WallMesh) Group(k int) uint32 {
	if m.plane == nil {
		return 0
	}
	return m.plane[k]
}

// SetGroups makes groups of several facets each coplanar. The normals of their planes are given.
func (m *WallMesh) SetGroups(members [][]int, normals []vec.Vec3) {
	m.plane, m.planes = nil, nil
	for g, facets := range members {
		if m.plane == nil {
			m.plane = make([]uint32, m.Len())
		}
		m.planes = append(m.planes, normals[g])
		for _, k := range facets {
			m.plane[k] = uint32(g + 1)
		}
	}
}
