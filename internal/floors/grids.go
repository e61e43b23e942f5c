package floors

import (
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// Facets are convex polygons. The corners may be in either orientation.
type Facets = [][]vec.Vec3

// Grid returns n×n cells of two triangles each; the second triangle has the opposite orientation.
// Inner vertices are shifted at random by up to the share shift of a cell.
func Grid(n int, shift float64, seed uint64) Facets {
	r := geometry.NewRand(seed)
	v := make([]vec.Vec3, (n+1)*(n+1))
	for i := range v {
		x, y := i%(n+1), i/(n+1)
		v[i] = vec.V(2*float64(x)/float64(n)-1, 2*float64(y)/float64(n)-1, 0)
		if x > 0 && x < n && y > 0 && y < n {
			v[i] = v[i].Add(vec.V(r.Range(-shift, shift), r.Range(-shift, shift), 0).Scale(2 / float64(n)))
		}
	}
	var out Facets
	for y := range n {
		for x := range n {
			a, b := v[y*(n+1)+x], v[y*(n+1)+x+1]
			c, d := v[(y+1)*(n+1)+x+1], v[(y+1)*(n+1)+x]
			turns := func(a, b, c vec.Vec3) bool { return b.Sub(a).Cross(c.Sub(a)).Z > 0 }
			if r.Float64() < 0.5 && shift > 0 && turns(b, c, d) && turns(b, d, a) || !turns(a, b, c) || !turns(a, c, d) {
				a, b, c, d = b, c, d, a // use the other diagonal; a cell that is not convex has only one valid diagonal
			}
			out = append(out, []vec.Vec3{a, b, c}, []vec.Vec3{a, d, c})
		}
	}
	return out
}

// Bricks returns n rows of bricks in running bond, so corners lie on the sides of other bricks.
func Bricks(n int) Facets {
	var out Facets
	at := func(x, y int) vec.Vec3 { return vec.V(2*float64(x)/float64(2*n)-1, 2*float64(y)/float64(n)-1, 0) }
	for y := range n {
		for x := -(y % 2); x < 2*n; x += 2 {
			from, to := max(x, 0), min(x+2, 2*n)
			out = append(out, []vec.Vec3{at(from, y), at(to, y), at(to, y+1), at(from, y+1)})
		}
	}
	return out
}

// Merged returns the facets that geometry.MergeFacets makes of a floor.
func Merged(f Facets) (Facets, error) {
	m := &geometry.Mesh{}
	for _, p := range f {
		var face []int
		for _, v := range p {
			face = append(face, len(m.Verts))
			m.Verts = append(m.Verts, v)
		}
		m.Faces = append(m.Faces, face)
	}
	facets, _, err := geometry.MergeFacets(m)
	if err != nil {
		return nil, err
	}
	var out Facets
	for k := range facets.Len() {
		out = append(out, facets.Polygon(k))
	}
	return out, nil
}
