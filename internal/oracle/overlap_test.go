package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// common returns volume and centroid of the intersection of two bodies.
func common(t *testing.T, a, b ConvexBody) (volume float64, centroid vec.Vec3) {
	t.Helper()
	m := NewOverlap(shape(t, a), vec.IdentityPose, shape(t, b), vec.IdentityPose).At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
	if m == nil {
		return 0, vec.Vec3{}
	}
	volume, _ = m.Volume.Float64()
	return volume, m.Centroid.rounded()
}

func TestOverlapKnown(t *testing.T) {
	cube := box(1, 1, 1)
	floor := box(8, 8, 4).Moved(vec.V(0, 0, -2))
	const h = 0.1
	for _, c := range []struct {
		name     string
		a, b     ConvexBody
		volume   float64
		centroid vec.Vec3
	}{
		{"V1 cubes offset", cube, cube.Moved(vec.V(0.3, 0.2, 0.1)), 0.504, vec.V(0.15, 0.1, 0.05)},
		{"V2 turned by 30", cube, cube.Placed(about(vec.V(0, 0, 1), 30), vec.Vec3{}), 0.84529946162074954, vec.Vec3{}},
		{"V2 turned by 45", cube, cube.Placed(about(vec.V(0, 0, 1), 45), vec.Vec3{}), 0.82842712474619029, vec.Vec3{}},
		{"V4 tetra and its negative", tetra(), Hull([]vec.Vec3{vec.V(-1, -1, -1), vec.V(-1, 1, 1), vec.V(1, -1, 1), vec.V(1, 1, -1)}),
			4.0 / 3, vec.Vec3{}},
		{"V5 corner", cornerDown().Moved(vec.V(0, 0, -h)), floor, math.Sqrt(3) / 2 * h * h * h, vec.V(0, 0, -h/4)},
		{"V6 edge", bar(2, 1, true).Moved(vec.V(0, 0, 1-h)), floor, 2 * h * h, vec.V(0, 0, -h/3)},
		{"V7 crossed bars", bar(6, 1, true).Moved(vec.V(0, 0, 1-h)), bar(6, 1, false).Moved(vec.V(0, 0, -1)), 2.0 / 3 * h * h * h,
			vec.V(0, 0, -h/2)},
		{"the same box twice", cube, cube, 1, vec.Vec3{}},
		{"inside", box(0.1, 0.1, 0.1).Moved(vec.V(0.2, 0.1, 0)), cube, 0.001, vec.V(0.2, 0.1, 0)},
		{"faces graze", cube, cube.Moved(vec.V(1, 0.25, 0)), 0, vec.Vec3{}},
		{"face aligned, one ulp deep", cube, cube.Moved(vec.V(1-0x1p-52, 0, 0)), 0x1p-52, vec.V(0.5, 0, 0)},
		{"apart", cube, cube.Moved(vec.V(3, 0, 0)), 0, vec.Vec3{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, m := common(t, c.a, c.b)
			near(t, "volume", v, c.volume, 1e-15+1e-14*c.volume)
			nearVec(t, "centroid", m, c.centroid, 1e-14)
			w, m2 := common(t, c.b, c.a)
			near(t, "swapped volume", w, v, 1e-15)
			nearVec(t, "swapped centroid", m2, m, 1e-14)
		})
	}
}

// TestSection compares sections with known ones, and integrates them to the common volume.
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
	v, _ := common(t, a, b)
	low, high := -a.Support(vec.V(0, 0, -1)), a.Support(vec.V(0, 0, 1))
	n, sum := 400, 0.0
	dz := (high - low) / float64(n)
	for i := range n {
		area, _, ok := Section(vec.V(0, 0, 1), low+(float64(i)+0.5)*dz, a, b)
		if ok {
			sum += area * dz
		}
	}
	near(t, "volume by sections", sum, v, 1e-4*v)
}
