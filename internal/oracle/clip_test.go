package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

func TestClipKnown(t *testing.T) {
	cube := box(1, 1, 1)
	floor := box(8, 8, 4).Moved(vec.V(0, 0, -2))
	const h = 0.1
	unset := vec.V(math.NaN(), 0, 0)
	for _, c := range []struct {
		name           string
		a, b           Body
		volume         float64
		centroid, area vec.Vec3
	}{
		{"V1 cubes offset", cube, cube.Moved(vec.V(0.3, 0.2, 0.1)), 0.504, vec.V(0.15, 0.1, 0.05), vec.V(0.72, 0.63, 0.56)},
		{"V2 turned by 30", cube, cube.Placed(about(vec.V(0, 0, 1), 30), vec.Vec3{}), 0.84529946162074954, vec.Vec3{}, unset},
		{"V2 turned by 45", cube, cube.Placed(about(vec.V(0, 0, 1), 45), vec.Vec3{}), 0.82842712474619029, vec.Vec3{}, unset},
		{"V4 tetra and its negative", tetra(), Hull([]vec.Vec3{vec.V(-1, -1, -1), vec.V(-1, 1, 1), vec.V(1, -1, 1), vec.V(1, 1, -1)}),
			4.0 / 3, vec.Vec3{}, vec.Vec3{}},
		{"V5 corner", cornerDown().Moved(vec.V(0, 0, -h)), floor, math.Sqrt(3) / 2 * h * h * h, vec.V(0, 0, -h/4), vec.V(0, 0, -1.5*math.Sqrt(3)*h*h)},
		{"V6 edge", bar(2, 1, true).Moved(vec.V(0, 0, 1-h)), floor, 2 * h * h, vec.V(0, 0, -h/3), vec.V(0, 0, -2*h*2)},
		{"V7 crossed bars", bar(6, 1, true).Moved(vec.V(0, 0, 1-h)), bar(6, 1, false).Moved(vec.V(0, 0, -1)), 2.0 / 3 * h * h * h,
			vec.V(0, 0, -h/2), vec.V(0, 0, -2*h*h)},
		{"the same box twice", cube, cube, 1, vec.Vec3{}, unset},
		{"inside", box(0.1, 0.1, 0.1).Moved(vec.V(0.2, 0.1, 0)), cube, 0.001, vec.V(0.2, 0.1, 0), vec.Vec3{}},
		{"faces kiss", cube, cube.Moved(vec.V(1, 0.25, 0)), 0, vec.Vec3{}, unset},
		{"face aligned, one ulp deep", cube, cube.Moved(vec.V(1-0x1p-52, 0, 0)), 0x1p-52, vec.V(0.5, 0, 0), unset},
		{"apart", cube, cube.Moved(vec.V(3, 0, 0)), 0, vec.Vec3{}, vec.Vec3{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, m, s := Clip(c.a, c.b)
			near(t, "volume", v, c.volume, 1e-15+1e-14*c.volume)
			nearVec(t, "centroid", m, c.centroid, 1e-14)
			if c.area.Finite() {
				nearVec(t, "area", s, c.area, 1e-14)
			}
			w, m2, _ := Clip(c.b, c.a)
			near(t, "swapped volume", w, v, 1e-15)
			nearVec(t, "swapped centroid", m2, m, 1e-14)
		})
	}
}

// TestClipArea is V8: the area vector of A's surface in B is the derivative of the common volume when
// B moves, and that of B's surface in A is its negative.
func TestClipArea(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tried := 0
	for range 60 {
		a, b := rock(r, 4+r.IntN(10)), rock(r, 4+r.IntN(10))
		b = b.Placed(turn(r), unit(r).Scale(1.2*r.Float64()))
		v, _, s := Clip(a, b)
		if v == 0 {
			continue
		}
		tried++
		_, _, sb := Clip(b, a)
		nearVec(t, "area of B's part", sb, s.Neg(), 1e-13)
		const step = 1e-5
		for _, e := range []vec.Vec3{vec.V(1, 0, 0), vec.V(0, 1, 0), vec.V(0, 0, 1)} {
			more, _, _ := Clip(a, b.Moved(e.Scale(step)))
			less, _, _ := Clip(a, b.Moved(e.Scale(-step)))
			near(t, "dV/dx", (more-less)/(2*step), -s.Dot(e), 1e-8)
		}
		_, _, ok := Section(vec.V(0, 0, 1), a.Middle().Z, a)
		if !ok {
			t.Error("a plane through the middle has no section")
		}
	}
	if tried < 40 {
		t.Errorf("only %d pairs overlap", tried)
	}
}

// TestSection integrates sections to the volume of Clip: Simpson's rule is exact on the two smooth
// halves of an octahedron, and sampling bounds the general case.
func TestSection(t *testing.T) {
	octa := Hull([]vec.Vec3{vec.V(1, 0, 0), vec.V(-1, 0, 0), vec.V(0, 1, 0), vec.V(0, -1, 0), vec.V(0, 0, 1), vec.V(0, 0, -1)})
	for _, z := range []float64{0, 0.25, -0.5} {
		area, mid, ok := Section(vec.V(0, 0, 1), z, octa)
		near(t, "area", area, 2*(1-math.Abs(z))*(1-math.Abs(z)), 1e-15)
		nearVec(t, "centroid", mid, vec.V(0, 0, z), 1e-15)
		if !ok {
			t.Error("no section")
		}
	}
	area, mid, _ := Section(vec.V(0, 0, 1), 0.1, box(1, 1, 1), box(1, 1, 1).Moved(vec.V(0.3, 0.2, 0.1)))
	near(t, "common area", area, 0.56, 1e-15)
	nearVec(t, "common centroid", mid, vec.V(0.15, 0.1, 0.1), 1e-15)
	if _, _, ok := Section(vec.V(0, 0, 1), 0.75, box(1, 1, 1)); ok {
		t.Error("a plane above the box has a section")
	}

	r := rand.New(rand.NewPCG(9, 10))
	a, b := rock(r, 12), rock(r, 12).Moved(vec.V(0.4, 0.2, 0.1))
	v, _, _ := Clip(a, b)
	est, sigma := InsideMonteCarlo(a.BoxOf(), func(p vec.Vec3) bool { return a.Inside(p) && b.Inside(p) }, 20000, 11)
	near(t, "sampled volume", est, v, 5*sigma)
	if !(sigma > 0 && sigma < 0.05*v) {
		t.Errorf("sigma %g of volume %g", sigma, v)
	}
	box := a.BoxOf()
	n, sum := 400, 0.0
	dz := box.Size().Z / float64(n)
	for i := range n {
		area, _, ok := Section(vec.V(0, 0, 1), box.Min.Z+(float64(i)+0.5)*dz, a, b)
		if ok {
			sum += area * dz
		}
	}
	near(t, "volume by sections", sum, v, 1e-4*v)
}

func TestBoxes(t *testing.T) {
	unitBox := func(x float64) vec.Box { return vec.Box{Min: vec.V(x, 0, 0), Max: vec.V(x+1, 1, 1)} }
	got := Boxes([]vec.Box{unitBox(0), unitBox(3), unitBox(1), unitBox(2.5)})
	want := [][2]int{{0, 2}, {1, 3}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("pairs %v, want %v", got, want)
	}
}
