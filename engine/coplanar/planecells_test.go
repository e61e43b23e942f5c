package coplanar

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/floors"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
	"github.com/scree-dem/scree/wall/mesh"
)

// bruteGroups is a brute-force byPlane: each facet is compared with every group, and joins the
// first that is coplanar and whose normal is within about a coarse cell.
func bruteGroups(m *mesh.WallMesh) (members [][]int) {
	var all [][]int
	for i := range m.Len() {
		to := -1
		for g, group := range all {
			n, of := m.OwnNormal(i), m.OwnNormal(group[0])
			middle, _ := m.Middle(group[0])
			on := min(n.Sub(of).MaxAbs(), n.Add(of).MaxAbs()) < 0.5/normalCells
			for _, v := range m.Corners(nil, i) {
				on = on && math.Abs(of.Dot(v.Sub(middle))) <= planeRel*m.Extent()
			}
			if on {
				to = g
				break
			}
		}
		if to < 0 {
			to, all = len(all), append(all, nil)
		}
		all[to] = append(all[to], i)
	}
	for _, group := range all {
		if len(group) > 1 {
			members = append(members, group)
		}
	}
	return members
}

// meshOf returns the mesh of some polygons.
func meshOf(floor floors.Facets) *mesh.WallMesh {
	return mesh.New(geometry.Placed(len(floor), func(k int) ([]vec.Vec3, vec.Vec3) {
		c := floor[k]
		return c, c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Unit()
	}), func(int) (soa.Material, float64) { return 0, 0 })
}

// inOrder returns the numbers of the facets of a mesh.
func inOrder(m *mesh.WallMesh) (order []int32) {
	for k := range m.Len() {
		order = append(order, int32(k))
	}
	return order
}

// raised moves each vertex of a floor to its own height.
func raised(floor floors.Facets, height func(vec.Vec3) float64) floors.Facets {
	for _, f := range floor {
		for k, v := range f {
			f[k].Z = height(v)
		}
	}
	return floor
}

// TestLevelGroups checks byPlane against bruteGroups on floors that are flat, nearly flat, stepped,
// tilted, far from the origin, or made of slivers. It also bounds the number of comparisons.
func TestLevelGroups(t *testing.T) {
	const n = 24
	r := rand.New(rand.NewPCG(4, 4))
	rough := func(slope float64) func(vec.Vec3) float64 {
		at := map[vec.Vec3]float64{}
		return func(v vec.Vec3) float64 {
			v.Z = 0
			if _, ok := at[v]; !ok {
				at[v] = slope / n * r.Float64()
			}
			return at[v]
		}
	}
	steps := func(most int) floors.Facets {
		floor := floors.Grid(n, 0, 1)
		for i := 0; i < len(floor); i += 2 {
			z := float64(r.IntN(most)) / float64(most)
			for _, f := range floor[i : i+2] {
				for k := range f {
					f[k].Z = z
				}
			}
		}
		return floor
	}
	moved := func(floor floors.Facets, by vec.Vec3, turn vec.Quat) floors.Facets {
		for _, f := range floor {
			for k, v := range f {
				f[k] = turn.Rotate(v).Add(by)
			}
		}
		return floor
	}
	thin := func() (floor floors.Facets) {
		for range 300 {
			a, w := vec.V(r.Float64(), r.Float64(), float64(r.IntN(3))/8), math.Exp2(-45*r.Float64())
			floor = append(floor, []vec.Vec3{a, a.Add(vec.V(1, 0.3, 0)), a.Add(vec.V(0.5, 0.15+w, w*float64(r.IntN(2)-1)*0x1p-20))})
		}
		return floor
	}
	cases := []struct {
		name  string
		floor floors.Facets
		most  float64 // comparisons with groups per facet
	}{
		{"level", floors.Grid(n, 0.3, 1), 2},
		{"slope 1", raised(floors.Grid(n, 0.3, 1), rough(1)), 2},
		{"slope 1e-2", raised(floors.Grid(n, 0.3, 1), rough(1e-2)), 2},
		{"slope 1e-4", raised(floors.Grid(n, 0.3, 1), rough(1e-4)), 2},
		{"slope of single precision", raised(floors.Grid(n, 0.3, 1), rough(n*0x1p-24)), 120},
		{"slope 1e-7", raised(floors.Grid(n, 0.3, 1), rough(1e-7)), 2 * crowded},
		{"slope 1e-9", raised(floors.Grid(n, 0.3, 1), rough(1e-9)), math.Inf(1)},
		{"slope of rounding", raised(floors.Grid(n, 0.3, 1), rough(n*planeRel)), 2 * crowded},
		{"a few steps", steps(5), 3},
		{"many steps", steps(1 << 20), 2},
		{"tilted steps", moved(steps(9), vec.V(3, 5, -2), vec.FromRotationVector(vec.V(0.4, 1, 0.2))), 3},
		{"tilted and far", moved(floors.Grid(n, 0.3, 1), vec.V(1e3, -1e3, 1e2), vec.FromRotationVector(vec.V(1, 1, 0.2))), 3},
		{"slivers", thin(), math.Inf(1)},
		{"turned over", func() floors.Facets {
			floor := moved(steps(4), vec.V(1, 0, 0), vec.FromRotationVector(vec.V(0.3, 0, 0)))
			for i := 0; i < len(floor); i += 3 {
				slices.Reverse(floor[i])
			}
			return floor
		}(), 3},
	}
	for _, c := range cases {
		m := meshOf(c.floor)
		got, looks := byPlane(m, inOrder(m), math.MaxInt)
		want := bruteGroups(m)
		if !slices.EqualFunc(got, want, slices.Equal[[]int]) {
			t.Errorf("%s: %d groups of %d facets, expected %d", c.name, len(got), m.Len(), len(want))
		}
		t.Logf("%s: %d facets, %d groups, %d looks", c.name, m.Len(), len(got), looks)
		if float64(looks) > c.most*float64(m.Len()) {
			t.Errorf("%s: %d looks at groups for %d facets, expected at most %g each", c.name, looks, m.Len(), c.most)
		}
	}
}

// TestTiltedFacetsLookAtFew checks facets on top of each other, each slightly tilted: the number of
// comparisons grows linearly with their number. Slivers find the same groups as by brute force.
func TestTiltedFacetsLookAtFew(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for _, c := range []struct {
		n     int
		width float64
		most  int // comparisons per facet
	}{{600, 1, 8 * crowded}, {8000, 1, 8 * crowded}, {600, 1e-2, math.MaxInt32}, {600, 1e-4, math.MaxInt32}, {600, 1e-6, math.MaxInt32}} {
		for _, tilt := range []float64{1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4} {
			var floor floors.Facets
			height := func() float64 { return tilt * (2*r.Float64() - 1) }
			for range c.n {
				a := vec.V(2*r.Float64()-1, 2*r.Float64()-1, height())
				floor = append(floor, []vec.Vec3{a, a.Add(vec.V(1, 0, height())), a.Add(vec.V(0, c.width, height()))})
			}
			m := meshOf(floor)
			got, looks := byPlane(m, inOrder(m), math.MaxInt)
			if looks > c.most*c.n {
				t.Errorf("%d facets %g wide, tilted by %g: %d looks at groups, expected at most %d each", c.n, c.width, tilt, looks, c.most)
			}
			if c.n == 600 && !slices.EqualFunc(got, bruteGroups(m), slices.Equal[[]int]) {
				t.Errorf("%d facets %g wide, tilted by %g: other groups than a look at all finds", c.n, c.width, tilt)
			}
			if _, looks := byPlane(m, inOrder(m), 100); looks > 100+c.n {
				t.Errorf("%d facets %g wide, tilted by %g: %d looks, expected to stop after 100", c.n, c.width, tilt, looks)
			}
		}
	}
}
