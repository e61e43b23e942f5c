package coplanar

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// onFacets returns a Finder with the group of some coplanar facets, all of whose edges are in its window.
func onFacets(t *testing.T, f floors.Facets) *WallFinder {
	var groups WallGroups
	if err := groups.Add(0, meshOf(f), func(k int) soa.Piece { return soa.Piece(k) }); err != nil {
		t.Fatal(err)
	}
	c := &WallFinder{group: &groups.all[0]}
	c.findEdges(window{}.enlarged(9))
	return c
}

// TestCommonOfCoplanarFacets checks that the common area of a polygon and a group equals the sum
// over the cells, which do not overlap.
func TestCommonOfCoplanarFacets(t *testing.T) {
	r := geometry.NewRand(12)
	for name, g := range floors.Regions(0.3) {
		for _, cut := range []string{"slivers", "rows"} {
			c := onFacets(t, g.Cuts()[cut])
			s := c.group
			var cells [][]point
			for _, p := range g.Cuts()["diagonal"] {
				cells = append(cells, outline(p, s.pose))
			}
			for range 50 {
				about := point{r.Range(-1, 1) - s.pose.Pos.X, r.Range(-1, 1) - s.pose.Pos.Y}
				var polygon []point
				size, turn := vec.Pow(10, -4*r.Float64()), 2*math.Pi*r.Float64()
				for k := range 5 {
					sin, cos := math.Sincos(turn + 2*math.Pi*float64(k)/5)
					polygon = append(polygon, point{size * cos, size * sin})
				}
				var want moments
				for _, cell := range cells {
					part := polygon
					for k := range cell {
						a, b := cell[k], cell[(k+1)%len(cell)]
						side := segment{point{a.x - about.x, a.y - about.y}, point{b.x - about.x, b.y - about.y}}
						part = side.cutBy(nil, part)
					}
					want.add(part, 1)
				}
				got := c.common(polygon, about)
				for _, d := range []float64{got.area - want.area, (got.x - want.x) / size, (got.y - want.y) / size,
					(got.xx - want.xx) / size / size, (got.xy - want.xy) / size / size, (got.yy - want.yy) / size / size} {
					if !(math.Abs(d) < 1e-14*size*(size+1)) {
						t.Fatalf("%s, %s: %v about %v has in common %+v, expected %+v", name, cut, polygon, about, got, want)
					}
				}
			}
		}
	}
}
