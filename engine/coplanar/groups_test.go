package coplanar

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

// TestFaceWithDentsIsOneGroup checks that a group of one face with many dents ends where the face
// does.
func TestFaceWithDentsIsOneGroup(t *testing.T) {
	const teeth = 60
	comb := &geometry.Mesh{Name: "comb", Faces: [][]int{nil}}
	around := 0.0
	for k := range 4 * teeth {
		comb.Verts = append(comb.Verts, vec.V(float64((k+1)/2), 5*float64((k+1)/2%2), 0))
	}
	comb.Verts = append(comb.Verts, vec.V(2*teeth, -1, 0), vec.V(0, -1, 0))
	for k, v := range comb.Verts {
		comb.Faces[0] = append(comb.Faces[0], k)
		around += comb.Verts[(k+1)%len(comb.Verts)].Sub(v).Norm()
	}
	facets, _, err := geometry.MergeFacets(comb)
	if err != nil {
		t.Fatal(err)
	}
	var groups WallGroups
	m := mesh.New(facets, func(int) (soa.Material, float64) { return 0, 0 })
	if err := groups.Add(0, m, func(k int) soa.Piece { return soa.Piece(k) }); err != nil || len(groups.all) != 1 {
		t.Fatalf("%d groups, expected 1; error %v", len(groups.all), err)
	}
	length := 0.0
	for _, r := range groups.all[0].edges {
		length += away(r.a, r.b)
	}
	if math.Abs(length-around) > 1e-9*around {
		t.Errorf("open edges of %.12g m, expected %.12g", length, around)
	}
}
