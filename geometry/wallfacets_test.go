package geometry

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// mergeFacets returns the polygons that MergeFacets makes.
func mergeFacets(m *Mesh) (polygons [][]vec.Vec3, flat int, err error) {
	facets, flat, err := MergeFacets(m)
	if err != nil {
		return nil, flat, err
	}
	for k := range facets.Len() {
		polygons = append(polygons, facets.Polygon(k))
	}
	return polygons, flat, nil
}

// TestFacetsKeepBits checks that facets keep the bits of their corners, those of -0 too, and that their
// templates are those of FacetPolygonTemplate.
func TestFacetsKeepBits(t *testing.T) {
	negative := math.Copysign(0, -1)
	polygons := [][]vec.Vec3{
		{vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0)},
		{vec.V(1, 0, negative), vec.V(1, 1, 0), vec.V(0, 1, negative)},
		{vec.V(0, 0, 2), vec.V(1, 0, 2), vec.V(1, 1, 2), vec.V(0, 1, 2)},
	}
	f, err := NewWallFacets(polygons)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range polygons {
		if !slices.EqualFunc(f.Polygon(k), p, func(a, b vec.Vec3) bool { return bits(a) == bits(b) }) {
			t.Errorf("facet %d is %v, expected %v", k, f.Polygon(k), p)
		}
		want := must[*soa.Template](t)(FacetPolygonTemplate(p))
		if got := f.Template(k); !reflect.DeepEqual(got, want) || f.Radius(k) != want.Radius || f.Normal(k) != want.Normals[0] {
			t.Errorf("facet %d has the template %+v, expected %+v", k, got, want)
		}
	}
	if _, verts := f.Weld(1e-9); f.Len() != 3 || f.NCorners() != 10 || len(verts) != 8 {
		t.Errorf("%d facets of %d corners at %d places, expected 3, 10 and 8", f.Len(), f.NCorners(), len(verts))
	}
	if _, err := NewWallFacets([][]vec.Vec3{polygons[0], {vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(2, 0, 0)}}); !errors.Is(err, ErrFlat) || !strings.Contains(err.Error(), "polygon 1") {
		t.Errorf("error %v, expected one of polygon 1 that is flat", err)
	}
}
