package oracle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// shape adds a body to an arena. Its planes are those of no body, because the oracle does not use them.
func shape(t testing.TB, b ConvexBody) *soa.View {
	t.Helper()
	tpl := &soa.Template{Kind: soa.Block, Verts: b.Verts, LoopFirst: []soa.HalfEdge{0}}
	at := map[[2]int]int{}
	for _, loop := range b.Faces {
		for i, v := range loop {
			at[[2]int{v, loop[(i+1)%len(loop)]}] = len(tpl.Tail)
			tpl.Tail = append(tpl.Tail, soa.Vertex(v))
		}
		tpl.LoopFirst = append(tpl.LoopFirst, soa.HalfEdge(len(tpl.Tail)))
	}
	tpl.Twin = make([]soa.HalfEdge, len(tpl.Tail))
	for e, h := range at {
		tpl.Twin[h] = soa.HalfEdge(at[[2]int{e[1], e[0]}])
	}
	tpl.Normals, tpl.Offsets = slices.Repeat([]vec.Vec3{{Z: 1}}, len(b.Faces)), make([]float64, len(b.Faces))
	var s soa.Shapes
	i, err := s.Add(tpl)
	if err != nil {
		t.Fatal(err)
	}
	return s.View(i)
}

func TestExactKnown(t *testing.T) {
	cube := shape(t, box(1, 1, 1))
	large := shape(t, box(8, 8, 4))
	at := func(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }
	// A half turn about (1,1,0), with a quaternion far from unit length.
	half := vec.Quat{X: 3, Y: 3}
	for _, c := range []struct {
		name   string
		a, b   *soa.View
		pa, pb vec.Pose
		gap    float64
	}{
		{"depth", cube, cube, at(0, 0, 0), at(0.75, 0, 0), -0.25},
		{"0.7 is the float64 next to it", cube, cube, at(0, 0, 0), at(0.7, 0, 0), -0.30000000000000004},
		{"graze", cube, cube, at(0, 0, 0), at(1, 0.5, 0), 0},
		{"one ulp apart", cube, cube, at(0, 0, 0), at(math.Nextafter(1, 2), 0.5, 0), 0x1p-52},
		{"one ulp deep", cube, cube, at(0, 0, 0), at(math.Nextafter(1, 0), 0.5, 0), -0x1p-53},
		{"far away, one ulp", cube, cube, at(0x1p40, 0, 0), at(0x1p40+1+0x1p-12, 0, 0), 0x1p-12},
		{"edges apart", cube, cube, at(0, 0, 0), at(1.75, 2, 0), 1.25},
		{"vertices apart", cube, cube, at(0, 0, 0), at(2, 3, 3), 3},
		{"concentric", cube, large, at(0, 0, 0), at(0, 0, 0), -2.5},
		{"half turn", large, cube, vec.Pose{Rot: half}, at(0, 0, 2.25), -0.25},
		{"tiny", cube, cube, at(0, 0, 0), at(1+0x1p-52, 0x1p-1000, 0), 0x1p-52},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "gap", ExactGap(c.a, c.pa, c.b, c.pb), c.gap, 0)
			near(t, "swapped gap", ExactGap(c.b, c.pb, c.a, c.pa), c.gap, 0)
		})
	}
	if g := ExactGap(cube, vec.Pose{}, cube, at(0, 0, 0)); !math.IsNaN(g) {
		t.Errorf("a quaternion of zero length gives %g", g)
	}
}

// TestExactAgainstGap is case V9: the float64 result is within 1e-13·size of the exact one.
func TestExactAgainstGap(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	worst := 0.0
	for i := range 60 {
		a, b := rock(r, 4+r.IntN(4)), rock(r, 4+r.IntN(4))
		if i%4 == 0 {
			b = box(1, 0.5, 0.75)
		}
		if i%6 == 0 {
			b = facet(vec.V(1, 0, 0), vec.V(-0.5, 0.9, 0.2), vec.V(-0.5, -0.9, 0))
		}
		va, vb := shape(t, a), shape(t, b)
		pa := vec.Pose{Pos: vec.V(1e6, -1e6, 1e6), Rot: turn(r)}
		pb := vec.Pose{Pos: pa.Pos.Add(unit(r).Scale(2.2 * r.Float64())), Rot: turn(r)}
		exact := ExactGap(va, pa, vb, pb)
		g := Gap(FromView(va, pa, pa.Pos), FromView(vb, pb, pa.Pos))
		worst = max(worst, math.Abs(g.Gap-exact))
		// The sums differ: bodies of side 1.2 have about a dozen roundings of 1.1e-16 each,
		// quaternions included.
		near(t, "gap", g.Gap, exact, 4e-15)
	}
	t.Logf("worst difference %.3g", worst)
}
