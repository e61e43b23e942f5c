package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/internal/weld"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// WallFacets is the facets of a wall: planar convex polygons in the frame of the wall, which share their
// corners. A triangle of a large mesh takes about 55 bytes. It is a soa.FacetSource. Lengths are in m.
type WallFacets struct {
	corners []vec.Vec3 // distinct
	loop    []int32    // the corners of all facets
	first   []int32    // where each facet starts in loop; one more than there are facets
	normals []vec.Vec3

	numbers map[vec.Vec3]int32 // of corners; nil once all facets are there
}

// NewWallFacets returns polygons as the facets of a wall, in their order. A polygon must be a facet for
// FacetPolygonTemplate, whose errors NewWallFacets returns.
func NewWallFacets(polygons [][]vec.Vec3) (*WallFacets, error) {
	f := newFacets(len(polygons))
	for k, p := range polygons {
		if err := f.add(p); err != nil {
			return nil, fmt.Errorf("polygon %d: %w", k, err)
		}
	}
	return f.closed(), nil
}

func newFacets(n int) *WallFacets {
	return &WallFacets{first: append(make([]int32, 0, n+1), 0), normals: make([]vec.Vec3, 0, n), numbers: make(map[vec.Vec3]int32, n/2)}
}

// add adds a polygon.
func (f *WallFacets) add(polygon []vec.Vec3) error {
	normal, err := facetNormal(polygon)
	if err == nil {
		f.append(polygon, normal)
	}
	return err
}

// append adds a polygon that is a facet.
func (f *WallFacets) append(polygon []vec.Vec3, normal vec.Vec3) {
	for _, v := range polygon {
		k, ok := f.numbers[v]
		if !ok || bits(f.corners[k]) != bits(v) { // -0 and 0 are one key
			k = int32(len(f.corners))
			f.corners = append(f.corners, v)
			f.numbers[v] = k
		}
		f.loop = append(f.loop, k)
	}
	f.first, f.normals = append(f.first, int32(len(f.loop))), append(f.normals, normal)
}

// bits returns the bits of a vector.
func bits(v vec.Vec3) [3]uint64 {
	return [3]uint64{math.Float64bits(v.X), math.Float64bits(v.Y), math.Float64bits(v.Z)}
}

// closed ends the adding of facets.
func (f *WallFacets) closed() *WallFacets {
	f.numbers = nil
	f.corners, f.loop = slices.Clip(f.corners), slices.Clip(f.loop)
	return f
}

// Len returns the number of facets.
func (f *WallFacets) Len() int { return len(f.normals) }

// Corners appends the corners of facet k, counter-clockwise about its normal, m.
func (f *WallFacets) Corners(to []vec.Vec3, k int) []vec.Vec3 {
	for _, c := range f.loop[f.first[k]:f.first[k+1]] {
		to = append(to, f.corners[c])
	}
	return to
}

// Polygon returns the corners of facet k, counter-clockwise about its normal, m.
func (f *WallFacets) Polygon(k int) []vec.Vec3 { return f.Corners(nil, k) }

// Normal returns the unit normal of facet k.
func (f *WallFacets) Normal(k int) vec.Vec3 { return f.normals[k] }

// Radius returns the radius of a ball about the origin that contains facet k, m.
func (f *WallFacets) Radius(k int) float64 {
	var few [8]vec.Vec3
	return boundingRadius(f.Corners(few[:0], k))
}

// Template returns the template of facet k, that of FacetPolygonTemplate.
func (f *WallFacets) Template(k int) *soa.Template { return facetTemplate(f.Polygon(k), f.normals[k]) }

// NCorners returns the number of corners of all facets together.
func (f *WallFacets) NCorners() int { return len(f.loop) }

// Loop returns the corners of facet k, as indices of the distinct corners.
func (f *WallFacets) Loop(k int) []int32 { return f.loop[f.first[k]:f.first[k+1]] }

// Box returns the box around all corners, m.
func (f *WallFacets) Box() vec.Box { return vec.BoxAround(f.corners) }

// Weld merges corners that are within tol, m, of each other: each with the lowest earlier vertex. It
// returns the vertex of each distinct corner, and the places of the vertices.
func (f *WallFacets) Weld(tol float64) (vertex []int32, verts []vec.Vec3) {
	verts, vertex = weld.Points(f.corners, tol)
	return vertex, verts
}

// Placed returns facets that are placed in another frame. place returns the corners and the normal of
// facet k in that frame.
func Placed(n int, place func(k int) (corners []vec.Vec3, normal vec.Vec3)) *WallFacets {
	f := newFacets(n)
	for k := range n {
		f.append(place(k))
	}
	return f.closed()
}
