package geometry

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// radiusRoom makes a computed radius an upper bound. It covers two roundings of the squared radius
// and one of the root.
// Smaller: a radius that is no bound.
const radiusRoom = 1 + 0x1p-51

// Template returns the polyhedron as the arena stores it. Vertices are relative to the centroid,
// and Origin is the centroid. Radius bounds the vertices' distances from the centroid. Offsets are
// those of supporting planes: no vertex is outside a plane. Inner is the radius of a ball about the
// centroid that no face cuts, even if its vertices are spread along its normal.
func (p *Polyhedron) Template() *soa.Template {
	c := p.Mass.Centroid
	t := &soa.Template{
		Kind: soa.Block, Name: p.Name, Origin: c, Inner: math.Inf(1),
		Volume: p.Mass.Volume, Inertia: p.Mass.Inertia,
		Verts:     make([]vec.Vec3, len(p.Verts)),
		Normals:   append([]vec.Vec3(nil), p.Normals...),
		Offsets:   make([]float64, len(p.Normals)),
		LoopFirst: append([]soa.HalfEdge(nil), p.LoopFirst...),
		Tail:      append([]soa.Vertex(nil), p.Tail...),
		Twin:      append([]soa.HalfEdge(nil), p.Twin...),
	}
	for k, v := range p.Verts {
		t.Verts[k] = v.Sub(c)
	}
	copy(t.Verts, p.local)
	t.Radius = boundingRadius(t.Verts)
	t.Label, t.Bend = append([]soa.Face(nil), p.Label...), p.bend(t)
	for f, n := range t.Normals {
		t.Offsets[f] = support(t.Verts, n)
		for _, k := range p.Loop(f) {
			t.Inner = min(t.Inner, n.Dot(t.Verts[k]))
		}
	}
	t.Caps = p.caps(t)
	// The margin covers the rounding of n, of the products and of the centroid.
	t.Inner = max(0, t.Inner-float64(t.Radius*0x1p-49))
	return t
}

// planarTol, in units of the radius, is the largest spread of heights at which a face counts as
// planar: a few roundings of its vertices and plane. Merging may make faces with a larger spread.
const planarTol = 0x1p-49

// caps returns for each face the sine of its cap's half angle: how far a direction may turn away
// from the face's normal n before a vertex outside the face becomes the support. Faces that are not
// planar within planarTol have 0.
//
// For an edge from a vertex u of the face to a vertex w outside it, n·(w−u) ≤ −|w−u|·sin r. The
// smallest r over all such edges is the half angle, because a vertex of a convex body is the
// support if it is higher than all its neighbours.
func (p *Polyhedron) caps(t *soa.Template) []float64 {
	caps := make([]float64, len(t.Normals))
	in := make([]int, len(t.Verts)) // the last face, plus one, whose loop contains the vertex
	out := make([][]soa.Vertex, len(t.Verts))
	for h, k := range t.Tail {
		out[k] = append(out[k], p.Head(soa.HalfEdge(h)))
	}
	for f, n := range t.Normals {
		loop := p.Loop(f)
		least := 1.0
		for _, u := range loop {
			in[u] = f + 1
			if t.Offsets[f]-n.Dot(t.Verts[u]) > float64(planarTol*t.Radius) {
				least = 0
			}
		}
		for _, u := range loop {
			for _, w := range out[u] {
				if in[w] == f+1 {
					continue
				}
				e := t.Verts[w].Sub(t.Verts[u])
				least = min(least, -n.Dot(e)/e.Norm())
			}
		}
		caps[f] = max(least, 0)
	}
	return caps
}

func boundingRadius(verts []vec.Vec3) float64 {
	r2 := 0.0
	for _, v := range verts {
		r2 = max(r2, v.Norm2())
	}
	return math.Sqrt(r2) * radiusRoom
}

// BallTemplate returns a ball of radius r, m, about the origin.
func BallTemplate(r float64) (*soa.Template, error) {
	v := float64(4*math.Pi/3*r) * r * r
	i := float64(0.4*v) * r * r
	return roundTemplate("ball", r, v, vec.Sym3{XX: i, YY: i, ZZ: i})
}

// DiscTemplate returns a disc of radius r, m, about the z axis, for bodies that stay in the plane z
// = 0. In that plane a disc has the contacts of a ball, so the template is a ball with the mass of
// a disc. Its volume, m³, is that of a disc one metre thick, π·r². Its inertia about x and y is
// that of a thin disc; motion in the plane does not depend on it.
func DiscTemplate(r float64) (*soa.Template, error) {
	v := float64(math.Pi*r) * r
	i := float64(float64(0.25*v) * r * r)
	return roundTemplate("disc", r, v, vec.Sym3{XX: i, YY: i, ZZ: 2 * i})
}

func roundTemplate(name string, r, volume float64, inertia vec.Sym3) (*soa.Template, error) {
	if !(r >= minSize && r <= maxCoordinate) {
		return nil, mark.Errorf(ErrValue, "geometry: %s: radius %g, expected %g to %g", name, r, minSize, maxCoordinate)
	}
	return &soa.Template{Kind: soa.Ball, Name: name, Radius: r, Inner: r, Volume: volume, Inertia: inertia}, nil
}

// FacetTemplate returns the triangle a, b, c, m, like FacetPolygonTemplate.
func FacetTemplate(a, b, c vec.Vec3) (*soa.Template, error) {
	return FacetPolygonTemplate([]vec.Vec3{a, b, c})
}

// FacetPolygonTemplate returns a planar convex polygon, m, as a dihedron: a closed polyhedron of n
// vertices, n edges and two faces of opposite normals. The vertices run counter-clockwise seen from
// outside face 0. A dihedron has no volume and no inertia. The vertices are copied.
//
// The vertices keep their coordinates, and Origin is zero: all facets of a wall share the wall's
// frame, so one pose moves all of them. Radius is that of a ball about the wall's origin that
// contains the polygon. This bound is loose for a polygon far from the origin, so searches should
// use the piece's Extent, not Radius.
//
// Errors wrap ErrNotFinite and ErrValue; ErrTruncated for fewer than 3 vertices; ErrTooLarge for
// more than soa.MaxVerts; ErrSelfIntersecting for a polygon that passes one place twice;
// ErrNotPlanar and ErrNotConvex. The width of a polygon is twice its area over its longest edge or
// diagonal from the first vertex. ErrFlat is returned if the width is not above 1e-14 of that
// length; ErrNotPlanar and ErrNotConvex have the same tolerance.
func FacetPolygonTemplate(polygon []vec.Vec3) (*soa.Template, error) {
	normal, err := facetNormal(polygon)
	if err != nil {
		return nil, err
	}
	return facetTemplate(append([]vec.Vec3(nil), polygon...), normal), nil
}

// facetNormal returns the normal of a polygon, counter-clockwise seen from outside. Errors are those of
// FacetPolygonTemplate.
func facetNormal(verts []vec.Vec3) (normal vec.Vec3, err error) {
	n := len(verts)
	switch {
	case n < 3:
		return normal, mark.Errorf(ErrTruncated, "geometry: facet: %d vertices, expected 3 or more", n)
	case n > soa.MaxVerts:
		return normal, mark.Errorf(ErrTooLarge, "geometry: facet: %d vertices, expected at most %d", n, soa.MaxVerts)
	}
	loop := make([]uint16, n)
	for k, v := range verts {
		if err := checkCoordinate(v); err != nil {
			return normal, fmt.Errorf("geometry: facet: vertex %d: %w", k, err)
		}
		loop[k] = uint16(k)
	}
	area := hull.AreaVector(verts, loop)
	longest := longestSide(verts)
	if width := area.Norm() / longest; !(width > longest*planeRel) || longest < minSize {
		return normal, mark.Errorf(ErrFlat, "geometry: facet %v %v %v: height %.3g over an edge of %.3g, expected more than %.3g",
			verts[0], verts[1], verts[2], width, longest, longest*planeRel)
	}
	normal = area.Unit()
	if n > 3 {
		e := extent{longest, extentOf(vec.BoxAround(verts)).coordinate}
		if err := checkPolygon(verts, normal, e.tolerance(planeRel)); err != nil {
			return normal, err
		}
	}
	return normal, nil
}

// facetTemplate returns the template of a polygon with the given normal. It keeps verts.
func facetTemplate(verts []vec.Vec3, normal vec.Vec3) *soa.Template {
	n := len(verts)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range verts {
		low, high = min(low, normal.Dot(v)), max(high, normal.Dot(v))
	}
	t := &soa.Template{
		Kind: soa.Facet, Name: "facet", Radius: boundingRadius(verts), Verts: verts,
		Normals:   []vec.Vec3{normal, normal.Neg()},
		Caps:      []float64{1, 1}, // a face is the whole body: no edge leaves it
		Offsets:   []float64{high, -low},
		LoopFirst: []soa.HalfEdge{0, soa.HalfEdge(n), soa.HalfEdge(2 * n)},
		Tail:      make([]soa.Vertex, 2*n),
		Twin:      make([]soa.HalfEdge, 2*n),
	}
	// Half-edge h of face 0 runs from k to k+1. Face 1 has the vertices in reverse: a c b for a b
	// c.
	for k := range n {
		t.Tail[k], t.Tail[n+k] = soa.Vertex(k), soa.Vertex((n-k)%n)
		t.Twin[k], t.Twin[n+k] = soa.HalfEdge(2*n-1-k), soa.HalfEdge(n-1-k)
	}
	return t
}

// longestSide returns the length of the longest edge of a polygon, or of the longest diagonal from
// its first vertex if that is longer.
func longestSide(verts []vec.Vec3) float64 {
	longest := 0.0
	for k, v := range verts {
		longest = max(longest, verts[(k+1)%len(verts)].Sub(v).Norm(), v.Sub(verts[0]).Norm())
	}
	return longest
}

// checkPolygon returns an error unless a polygon is planar and convex within tol, m, and all its
// vertices are different. If all corners turn left, and all triangles of the fan about the first
// corner do, then the polygon goes around once.
func checkPolygon(verts []vec.Vec3, normal vec.Vec3, tol float64) error {
	n := len(verts)
	at := make(map[vec.Vec3]int, n)
	for k, v := range verts {
		if first, again := at[v]; again {
			return mark.Errorf(ErrSelfIntersecting, "geometry: facet: vertex %d lies at the place of vertex %d, expected another place", k, first)
		}
		at[v] = k
		if h := normal.Dot(v.Sub(verts[0])); !(math.Abs(h) <= tol) {
			return mark.Errorf(ErrNotPlanar, "geometry: facet: vertex %d lies %.3g off the plane, expected at most %.3g", k, h, tol)
		}
		next, last := verts[(k+1)%n], verts[(k+n-1)%n]
		in, out := v.Sub(last), next.Sub(v)
		left := normal.Dot(in.Cross(out))
		if !(left >= -float64(tol*max(in.Norm(), out.Norm()))) {
			return mark.Errorf(ErrNotConvex, "geometry: facet: vertex %d is a dent, expected a convex polygon", k)
		}
		if turn := normal.Dot(v.Sub(verts[0]).Cross(next.Sub(verts[0]))); !(turn >= -float64(tol*v.Sub(verts[0]).Norm())) {
			return mark.Errorf(ErrNotConvex, "geometry: facet: the edge from vertex %d turns back, expected a convex polygon", k)
		}
	}
	return nil
}

// checkCoordinate returns an error unless a point can be a vertex.
func checkCoordinate(v vec.Vec3) error {
	if !v.Finite() {
		return mark.Errorf(ErrNotFinite, "(%g, %g, %g), expected finite numbers", v.X, v.Y, v.Z)
	}
	if v.MaxAbs() > maxCoordinate {
		return mark.Errorf(ErrValue, "(%g, %g, %g), expected at most %g", v.X, v.Y, v.Z, maxCoordinate)
	}
	return nil
}
