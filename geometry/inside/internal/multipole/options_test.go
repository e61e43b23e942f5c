package multipole

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// within fails the test if a value about the points differs from the sum over all triangles by more
// than the bound. It returns the largest difference.
func within(t *testing.T, name string, m *Method, s *tri.Surface, points []vec.Vec3) (worst float64) {
	t.Helper()
	_, values := answers(m, points)
	for i, x := range points {
		e := math.Abs(values[i] - plain(s, x))
		worst = max(worst, e)
		if !(e <= m.Bound+0x1p-36) {
			t.Fatalf("%s, point %v: off by %g, bound %g", name, x, e, m.Bound)
		}
	}
	t.Logf("%s: degree %d, depth %d of which %d extra, %d cells, %d summed, %d all near, bound %.2g, worst %.2g",
		name, m.Degree, m.Depth, m.Extra, m.Cells, m.Summed, m.Near, m.Bound, worst)
	return worst
}

// TestNever checks that no cell's expansion is replaced by a sum, and that every value is within the
// bound all the same. The bound may then exceed 1/2. On spheres of 128 faces and more, few points
// must meet expansions. By default these spheres are summed.
func TestNever(t *testing.T) {
	cases := someSurfaces()
	for k, name := range []string{"sphere 8", "sphere 32", "sphere 128", "sphere 512", "sphere 2048", "sphere 8192"} {
		cases[name] = surfaceOf(must(surfaces.Sphere(1, k)))
	}
	for name, s := range cases {
		points := scattered(11, 400, s.Box())
		for _, o := range []Options{{}, {Points: len(points)}, {Depth: PreChosen}, {Degree: 1}, {Degree: DegreeOfTriangles}} {
			o.Never = true
			m := must(New(s, o, one))
			worst := within(t, name, m, s, points)
			if m.Summed != 0 {
				t.Errorf("%s: %d cells are summed", name, m.Summed)
			}
			if len(s.Tris) >= 128 && (m.conversions == 0 || m.Near == m.Cells || worst < 1e-12) {
				t.Errorf("%s, %+v: %d conversions, %d of %d cells all near, worst error %g: no expansion is used", name, o, m.conversions, m.Near, m.Cells, worst)
			}
		}
		if m := must(New(s, Options{Points: len(points)}, one)); name == "sphere 512" && (m.Near != m.Cells || m.Bound != 0) {
			t.Errorf("%s by default: %d of %d cells are all near, bound %g", name, m.Near, m.Cells, m.Bound)
		}
	}
}

// TestSummed checks the counts of cells at degree 2 on a foam: most cells are summed because of
// their bound. Exactly the points of these cells are exact.
func TestSummed(t *testing.T) {
	s := someSurfaces()["foam"]
	points := scattered(12, 300, s.Box())
	auto, never := must(New(s, Options{Degree: 2, Depth: 3}, one)), must(New(s, Options{Degree: 2, Depth: 3, Never: true}, one))
	within(t, "auto", auto, s, points)
	within(t, "never", never, s, points)
	if auto.Summed == 0 || auto.Summed+auto.Near > auto.Cells || never.Summed != 0 || never.Cells != auto.Cells || !(never.Bound >= 0.5) || !(auto.Bound < 0.5) {
		t.Errorf("auto: %d of %d cells summed, bound %g; never: %d of %d, bound %g", auto.Summed, auto.Cells, auto.Bound, never.Summed, never.Cells, never.Bound)
	}
	_, sums := answers(auto, points)
	_, expansions := answers(never, points)
	for i, x := range points {
		summed := unproven(auto.leaves[auto.leafOf(x.Scale(auto.tree.Scale))].bound)
		if exact := math.Abs(sums[i]-math.Round(sums[i])) < 0x1p-36; exact != summed || summed == (sums[i] == expansions[i]) {
			t.Errorf("point %v: summed %v, values %v and %v", x, summed, sums[i], expansions[i])
		}
	}
}

// TestSeparation checks values of d on both sides of 2. Errors must be within the bound, which
// falls as d grows. In every leaf, the near nodes of the leaf's level must be those that satisfy (16), up to
// the largest offset of a conversion.
func TestSeparation(t *testing.T) {
	s := surfaceOf(must(surfaces.Sphere(1, 4)))
	points := scattered(13, 500, s.Box())
	last := math.Inf(1)
	for _, d := range []float64{1.01, 1.5, 2, 3, 5, MaxSeparation} {
		m := must(New(s, Options{Separation: d, Degree: 3, Depth: 4, Leaf: 1, Never: true}, one))
		worst := within(t, "sphere", m, s, points)
		if !(m.Bound < last) || m.conversions == 0 || d > 3 && worst > 1e-4 {
			t.Errorf("d = %g: bound %g, with the smaller d %g; worst error %g; %d conversions", d, m.Bound, last, worst, m.conversions)
		}
		last = m.Bound
		near, far := 0, 0 // by the offset alone
		for i := range m.leaves {
			l := &m.leaves[i]
			side := 1 / l.perSide
			for _, n := range l.near {
				node := &m.tree.Nodes[n]
				by := node.Center.Sub(l.center)
				if node.NChild == 0 || m.tree.CellSide(int(node.Level)) != side {
					continue
				}
				near++
				if by.Norm() > (d+1)*max(node.Radius, side*cornerRadius)*(1+1e-9) {
					if far++; by.MaxAbs() <= side*(float64(maxOffset(d))+0.5) {
						t.Fatalf("d = %g: node %d is %g from cell %v, near up to %g", d, n, by.Norm(), l.center, (d+1)*max(node.Radius, side*cornerRadius))
					}
				}
			}
		}
		if t.Logf("d = %g: %d of %d near nodes by their offset", d, far, near); far > near/20 {
			t.Errorf("d = %g: %d of %d nodes are near only because no operator reaches so far", d, far, near)
		}
	}
}

// TestBox checks evaluation boxes that are larger than the surface, smaller, and beside it. Values
// in the box are within the bound. About points outside the box the surface is summed.
func TestBox(t *testing.T) {
	s := surfaceOf(must(surfaces.Torus(1, 0.4, 40, 20))) // 2.8 by 2.8 by 0.8
	cube := func(x, y, z, half float64) vec.Box {
		return vec.Box{Min: vec.V(x-half, y-half, z-half), Max: vec.V(x+half, y+half, z+half)}
	}
	for _, c := range []struct {
		name  string
		box   vec.Box
		extra int
	}{
		{"its own box", s.Box(), 0},
		{"eight times as long", cube(0, 0, 0, 11.3), 3},
		{"in a corner of a large box", cube(40, 40, 40, 42), 4},
		{"in the tube", cube(1, 0, 0, 0.2), 0},
		{"beside it", cube(4, 1, 1, 1.5), 1},
	} {
		for _, never := range []bool{false, true} {
			m := must(New(s, Options{Box: c.box, Depth: 3, Degree: 4, Never: never, Leaf: 4}, one))
			points := scattered(17, 500, c.box)
			worst := within(t, c.name, m, s, points)
			if m.Extra != c.extra || m.Depth != 3+c.extra || m.Near == m.Cells || worst == 0 {
				t.Errorf("%s: %d extra levels, expected %d; depth %d, %d of %d cells all near, worst %g", c.name, m.Extra, c.extra, m.Depth, m.Near, m.Cells, worst)
			}
			// Points in the box have a cell. Points beside it have the digits of a sum.
			for i, x := range points {
				if m.leafOf(x.Scale(m.tree.Scale)) < 0 {
					t.Fatalf("%s: point %v has no cell", c.name, x)
				}
				points[i] = c.box.Max.Add(vec.V(x.X-c.box.Min.X+1e-9, x.Y-c.box.Min.Y, 0))
			}
			_, values := answers(m, points)
			for i, x := range points {
				if math.Abs(values[i]-math.Round(values[i])) > 1e-12 || math.Abs(values[i]-plain(s, x)) > 1e-9 {
					t.Fatalf("%s: point %v outside: %v", c.name, x, values[i])
				}
			}
		}
	}
}

// TestDegreeOfTriangles compares the degrees with ⌈log N/(2 log d)⌉, and at powers with exact ones.
func TestDegreeOfTriangles(t *testing.T) {
	for _, c := range []struct {
		n    int
		d    float64
		want int
	}{{1, 2, 1}, {4, 2, 1}, {5, 2, 2}, {16, 2, 2}, {17, 2, 3}, {131072, 2, 9}, {485612, 2, 10}, {485612, 4, 5}, {485612, 1.01, MaxDegree}, {256, 4, 2}, {257, 4, 3}} {
		if got := degreeOf(c.n, c.d); got != c.want {
			t.Errorf("%d triangles, d = %g: degree %d, expected %d", c.n, c.d, got, c.want)
		}
	}
	for n := 2; n < 1<<20; n = n*3/2 + 1 {
		if got, want := degreeOf(n, 2), int(math.Ceil(0.5*math.Log2(float64(n)))); got != max(want, 1) {
			t.Errorf("%d triangles: degree %d, expected %d", n, got, want)
		}
	}
	m := must(New(surfaceOf(must(surfaces.Sphere(1, 3))), Options{Degree: DegreeOfTriangles}, one))
	if m.Degree != 5 {
		t.Errorf("degree %d of 512 triangles, expected 5", m.Degree)
	}
}
