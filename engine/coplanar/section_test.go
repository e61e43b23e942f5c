package coplanar

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/vec"
)

// onFacets returns a Finder with the group of some coplanar facets, all of whose edges are in its window.
func onFacets(t *testing.T, f floors.Facets) *WallFinder {
	facets, extent := facetsOf(f)
	var groups WallGroups
	if err := groups.Add(0, facets, extent); err != nil {
		t.Fatal(err)
	}
	c := &WallFinder{group: &groups.all[0]}
	c.findEdges(window{}.enlarged(9))
	return c
}

// TestCommonOfCoplanarFacets checks that the common area of a polygon and a group equals the sum
// over the cells, which do not overlap. It also checks that a group covers a point if a cell
// contains the point.
func TestCommonOfCoplanarFacets(t *testing.T) {
	r := geometry.NewRand(12)
	for name, g := range floors.Regions(0.3) {
		for _, cut := range []string{"slivers", "thrice"} {
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
				covered := false
				for _, cell := range cells {
					part, in := polygon, true
					for k := range cell {
						a, b := cell[k], cell[(k+1)%len(cell)]
						side := segment{point{a.x - about.x, a.y - about.y}, point{b.x - about.x, b.y - about.y}}
						part, in = side.cutBy(nil, part), in && side.left(point{}) > 0
					}
					want.add(part, 1)
					covered = covered || in
				}
				got := c.common(polygon, about)
				for _, d := range []float64{got.area - want.area, (got.x - want.x) / size, (got.y - want.y) / size,
					(got.xx - want.xx) / size / size, (got.xy - want.xy) / size / size, (got.yy - want.yy) / size / size} {
					if !(math.Abs(d) < 1e-14*size*(size+1)) {
						t.Fatalf("%s, %s: %v about %v has in common %+v, expected %+v", name, cut, polygon, about, got, want)
					}
				}
				if c.covers(about) != covered {
					t.Fatalf("%s, %s: covers %v %v, expected %v", name, cut, about, !covered, covered)
				}
			}
		}
	}
}

// TestCoversBesideCorners checks that a group covers points that are in line with its corners along y.
// The facets are off their places by a small part of a seam, so the boundary edges that meet at a
// corner do not end in one point.
func TestCoversBesideCorners(t *testing.T) {
	r := geometry.NewRand(12)
	for name, g := range floors.Regions(0.3) {
		turn := vec.FromRotationVector(vec.V(0, 0, r.Range(0, 3)))
		moved := func(f floors.Facets, most float64) (out floors.Facets) {
			for _, p := range f {
				q, off := make([]vec.Vec3, len(p)), vec.V(r.Range(-most, most), r.Range(-most, most), 0)
				for k, x := range p {
					q[k] = turn.Rotate(x).Add(off)
				}
				out = append(out, q)
			}
			return out
		}
		c := onFacets(t, moved(g.Cuts()["thrice"], 1e-7))
		s := c.group
		var xs []float64
		for _, e := range s.edges {
			xs = append(xs, e.a.x, e.b.x)
		}
		slices.Sort(xs)
		for k := 1; k < len(xs); k++ {
			for range 20 {
				p := point{0.5 * (xs[k-1] + xs[k]), r.Range(-1.5, 1.5)}
				if slices.ContainsFunc(s.edges, func(e segment) bool { return e.near(p, 8*s.seam) }) {
					continue
				}
				covered := slices.ContainsFunc(moved(g.Cuts()["diagonal"], 0), func(cell []vec.Vec3) bool {
					for side := range sides(outline(cell, s.pose)) {
						if side.left(p) < -s.seam {
							return false
						}
					}
					return true
				})
				if c.covers(p) != covered {
					t.Fatalf("%s: covers %v %v, expected %v", name, p, !covered, covered)
				}
			}
		}
	}
}
