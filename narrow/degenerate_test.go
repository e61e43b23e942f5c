package narrow

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// answered runs both methods on a pair, compares them with brute force and each other, and returns
// the answer of Pair. Pair must converge without the fallback.
func answered(t *testing.T, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) Answer {
	t.Helper()
	s := NewSearch()
	if checkPair(t, s, a, pa, b, pb) {
		t.Fatalf("did not converge: %+v %+v", pa, pb)
	}
	var out, swapped Answer
	s.Pair(a, pa, b, pb, math.Inf(1), &out)
	if a.Kind == b.Kind {
		s.Pair(b, pb, a, pa, math.Inf(1), &swapped)
		if d := math.Abs(out.Gap - swapped.Gap); d > 1e-13*max(a.Radius, b.Radius) {
			t.Errorf("swapped, the gap is %g instead of %g", swapped.Gap, out.Gap)
		}
	}
	return out
}

func posed(x, y, z float64, q vec.Quat) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: q} }

// matrixPose returns the pose of a 3×4 matrix by rows, as FCL prints it.
func matrixPose(m [12]float64) vec.Pose {
	r := vec.Mat3{R0: vec.V(m[0], m[1], m[2]), R1: vec.V(m[4], m[5], m[6]), R2: vec.V(m[8], m[9], m[10])}
	return vec.Pose{Pos: vec.V(m[3], m[7], m[11]), Rot: r.Quat()}
}

// TestKnownGaps is V10, and poses that other libraries answered wrongly, with the answer where it
// is known.
func TestKnownGaps(t *testing.T) {
	p := []vec.Vec3{{Y: 5.5}, {X: 2.3, Y: 1, Z: -2}, {X: 8.1, Y: 4, Z: 2.4}, {X: 4.3, Y: 5, Z: 2.2},
		{X: 2.5, Y: 1, Z: 2.3}, {X: 7.1, Y: 1, Z: 2.4}, {X: 1, Y: 1.5, Z: 0.3}, {X: 3.3, Y: 0.5, Z: 0.3}, {X: 6, Y: 1.4, Z: 0.2}}
	var q []vec.Vec3
	for _, v := range p {
		q = append(q, v.Neg())
	}
	tilt := vec.Mat3{
		R0: vec.V(0.94096063217417758, 0.29296840037289501, 0.16959541586174812),
		R1: vec.V(-0.23569836841299879, 0.92661523595848427, -0.29296840037289507),
		R2: vec.V(-0.2429801799032639, 0.23569836841299885, 0.94096063217417758)}.Quat()
	steep := vec.Mat3{
		R0: vec.V(0.96193976625564348, 0.15401279915737359, 0.2257253725032892),
		R1: vec.V(-0.19134171618254486, 0.96936494951283914, 0.15401279915737359),
		R2: vec.V(-0.19509032201612822, -0.19134171618254486, 0.96193976625564348)}.Quat()
	unknown := math.NaN()
	hull := func(pts []vec.Vec3) *soa.View { return hullOf(t, pts) }
	cases := []struct {
		name   string
		a, b   *soa.View
		pa, pb vec.Pose
		gap    float64
		tol    float64
		n      vec.Vec3
	}{
		{name: "openGJK sample bodies", a: hull(p), b: hull(q), pa: at(0, 0, 0), pb: at(0, 0, 0), gap: 3.653650, tol: 5e-7},
		{name: "openGJK EPA sample", a: box(t, 2, 2, 2), b: box(t, 2, 2, 2), pa: at(0, 0, 0), pb: at(0.5, 0, 0), gap: -1.5, n: vec.V(1, 0, 0)},
		{name: "libccd 25, cubes stacked", a: box(t, 2, 2, 2), b: box(t, 2, 2, 2), pa: at(0, 0, 0), pb: at(0, 0, 1.9), gap: -0.1, tol: 1e-15, n: vec.V(0, 0, 1)},
		{name: "FCL 398", a: box(t, 0.614, 3, 0.37), b: box(t, 0.494, 0.552, 0.01), pa: at(-0.675, 0, 0.9115), pb: at(-0.692, 0, 0.935), gap: -0.1665, tol: 1e-13, n: vec.V(0, 0, 1)},
		{name: "FCL 398 as printed", a: box(t, 0.614, 3, 0.037), b: box(t, 0.494, 0.552, 0.01), pa: at(-0.675, 0, 0.9115), pb: at(-0.692, 0, 0.935), gap: 0, tol: 1e-13, n: vec.V(0, 0, 1)},
		{name: "FCL 493", a: box(t, 0.5, 0.5, 0.5), b: box(t, 0.5, 0.5, 0.5),
			pa: posed(2.0770063995786869, 0.48468247475641951, 1.1543291419087276, steep), pb: posed(2, 0, 1.25, steep), gap: 0, tol: 1e-10},
		{name: "FCL 495", a: box(t, 0.25, 0.25, 0.25), b: box(t, 0.25, 0.25, 0.25),
			pa: posed(0.073242100093223822, 0.23165380898962123, 1.3089245921032497, tilt), pb: posed(0, 0, 1.25, tilt), gap: 0, tol: 1e-10},
		{name: "FCL 395, tilted slab", a: box(t, 0.46, 0.48, 0.01), b: box(t, 0.049521, 0.146, 0.0725), pa: at(-0.721, -0.772, 0.81),
			pb: matrixPose([12]float64{0.10758262492983037, -0.66248818500152129, -0.74130653817877357, -0.42677133002999479,
				0.22682184885125473, -0.70961404077525347, 0.66708302483147863, -0.76596851247746789,
				-0.96797615037608542, -0.23991106241273435, 0.07392465377049165, 0.80746731400091054}), gap: unknown},
		{name: "FCL 445, boxes a nanoradian off", a: box(t, 0.3165, 0.2276, 0.1768), b: box(t, 0.4943, 0.3546, 0.0752),
			pa: matrixPose([12]float64{0.44540578475530235, 0.895328814964934, -8.8937407685638679e-09, 1.2652949075960072,
				-0.89532881496493377, 0.4454057847553019, -2.8948680226084145e-08, 1.455101242321021,
				-2.1957263975186326e-08, 2.0856732016652919e-08, 0.9999999999999996, 0.49480006232932938}),
			pb: matrixPose([12]float64{0.4417112291348586, 0.8971572827861191, -1.6227645149e-09, 1.1304016226141906,
				-0.8971572827861191, 0.4417112291348586, -5.16210539520596e-09, 1.8410802645284281,
				-3.914427141383e-09, 3.7360349218094348e-09, 1, 0.44400006232932493}), gap: unknown},
		{name: "MuJoCo Warp 1526, origin on a face of the simplex", a: box(t, 0.2, 0.2, 0.2), b: box(t, 0.2, 0.2, 0.2),
			pa: at(0, 0, 0.2), pb: at(0, 0, 0.4-2.5e-4), gap: -2.5e-4, tol: 1e-15, n: vec.V(0, 0, 1)},
		{name: "YADE, 5 mm blocks", a: box(t, 0.005, 0.005, 0.005), b: box(t, 0.005, 0.005, 0.005),
			pa: at(12, 7, 3), pb: at(12.004, 7.0045, 3.001), gap: -0.0005, tol: 1e-14, n: vec.V(0, 1, 0)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := answered(t, c.a, c.pa, c.b, c.pb)
			if !math.IsNaN(c.gap) && !(math.Abs(out.Gap-c.gap) <= c.tol) {
				t.Errorf("gap %.17g, expected %.17g", out.Gap, c.gap)
			}
			if c.n != (vec.Vec3{}) && out.Normal.Sub(c.n).Norm() > 1e-15 {
				t.Errorf("normal %v, expected %v", out.Normal, c.n)
			}
		})
	}
}

// TestFlatBodies tests the polygons of openGJK 3, the blocks of openGJK 52 and the hull of dolfinx
// 3653, whose vertices are far from the origin. Flat bodies are thin prisms, which have volume.
func TestFlatBodies(t *testing.T) {
	prism := func(h float64, xy ...float64) *soa.View {
		var p []vec.Vec3
		var c vec.Vec3
		for i := 0; i < len(xy); i += 2 {
			c = c.Add(vec.V(xy[i], xy[i+1], 0).Scale(2 / float64(len(xy))))
		}
		for i := 0; i < len(xy); i += 2 {
			p = append(p, vec.V(xy[i]-c.X, xy[i+1]-c.Y, -h/2), vec.V(xy[i]-c.X, xy[i+1]-c.Y, h/2))
		}
		return hullOf(t, p)
	}
	mean := func(xy ...float64) (c vec.Vec3) {
		for i := 0; i < len(xy); i += 2 {
			c = c.Add(vec.V(xy[i], xy[i+1], 0).Scale(2 / float64(len(xy))))
		}
		return c
	}
	a3 := []float64{0.795121, -0.727851, -0.178424, -0.989183, -0.412644, -0.770664, 0.566564, 0.548772}
	b3 := []float64{-0.211223, -0.511346, -0.347973, 0.45872, 0.277308, 0.969689}
	out := answered(t, prism(1, a3...), vec.Pose{Pos: mean(a3...), Rot: vec.Identity}, prism(1, b3...), vec.Pose{Pos: mean(b3...), Rot: vec.Identity})
	if out.Status != Penetrating {
		t.Errorf("openGJK 3: %v, expected penetrating", out.Status)
	}
	a52 := []float64{90945.08, 54122.54, 91077.46, 53745.082, 91454.92, 53877.46, 91322.54, 54254.918}
	b52 := []float64{90919.64, 54037.383, 91162.62, 53719.637, 91480.36, 53962.617, 91237.38, 54280.363}
	out = answered(t, prism(300, a52...), vec.Pose{Pos: mean(a52...), Rot: vec.Identity}, prism(300, b52...), vec.Pose{Pos: mean(b52...), Rot: vec.Identity})
	if out.Status != Penetrating || out.Gap > -100 {
		t.Errorf("openGJK 52: %v %g, expected deep", out.Status, out.Gap)
	}
	// A point becomes a cube far smaller than the distance.
	pts := []vec.Vec3{{X: 46.0659, Y: 38.6251, Z: 16.3637}, {X: 44.2764, Y: 42.3867, Z: 18.239}, {X: 50.0397, Y: 38.4649, Z: 19.9843},
		{X: 47.1963, Y: 40.4563, Z: 19.1057}, {X: 48.0266, Y: 38.5593, Z: 18.2475}, {X: 45.1735, Y: 40.495, Z: 17.3336}, {X: 48.0415, Y: 40.4456, Z: 18.1963}}
	for i := range pts {
		pts[i] = pts[i].Sub(vec.V(47, 40, 18))
	}
	out = answered(t, box(t, 1e-3, 1e-3, 1e-3), at(44.2919, 39.7508, 18.8208), hullOf(t, pts), at(47, 40, 18))
	if out.Status != Separated {
		t.Errorf("dolfinx 3653: %v", out.Status)
	}
}

// TestGrazing slides cubes along each axis through contact in steps from an ulp to 1e-3, with
// faces, edges and corners that meet. Offsets that are exact in binary must have the exact gap and
// status.
func TestGrazing(t *testing.T) {
	c := box(t, 1, 1, 1)
	shifts := []vec.Vec3{{X: 1}, {X: 1, Y: 0.25, Z: 0.125}, {X: 1, Y: 1}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 0.5}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	steps := []float64{0, 0x1p-52, -0x1p-53, 1e-15, -1e-15, 1e-14, -1e-13, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3}
	for _, shift := range shifts {
		for _, h := range steps {
			t.Run(fmt.Sprintf("%v by %g", shift, h), func(t *testing.T) {
				pb := vec.Pose{Pos: shift.Scale(1 + h), Rot: vec.Identity}
				out := answered(t, c, at(0, 0, 0), c, pb)
				ones := shift.MaxAbs()*(1+h) - 1
				if len := shift.Norm2(); len == 1 || h <= 0 {
					if out.Gap != ones && h >= -0x1p-53 {
						t.Errorf("gap %g, expected exactly %g", out.Gap, ones)
					}
				}
				if h == 0 && out.Status != Touching {
					t.Errorf("%v, expected touching", out.Status)
				}
				if h < -1e-14 && out.Status != Penetrating || h > 1e-14 && out.Status != Separated {
					t.Errorf("%v at %g", out.Status, h)
				}
			})
		}
	}
}

// TestDegeneracyPack is the rest of V11: concentric bodies, bodies inside others, slivers, parallel
// edges, nearly coplanar faces, bodies far from the origin. The gap is compared with brute force
// and exact rational arithmetic.
func TestDegeneracyPack(t *testing.T) {
	turn := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	cube, tetra, needle := box(t, 1, 1, 1), hullOf(t, tetraPoints()), box(t, 1, 0.001, 0.001)
	plate := box(t, 1, 1, 0.001)
	// A dome of facets at angles of about a microradian, as scanned blocks have them.
	dome := []vec.Vec3{{X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}}
	for i := range 12 {
		s, c := math.Sincos(float64(i) * math.Pi / 6)
		dome = append(dome, vec.V(0.5*c, 0.5*s, 0.1), vec.V(0.25*c, 0.25*s, 0.1+1e-7))
	}
	scan := hullOf(t, dome)
	pent := func() *soa.View {
		var p []vec.Vec3
		for i := range 5 {
			s, c := math.Sincos(float64(i) * 2 * math.Pi / 5)
			p = append(p, vec.V(0.5*c, 0.5*s, -0.5), vec.V(0.5*c, 0.5*s, 0.5))
		}
		return hullOf(t, p)
	}()
	cases := []struct {
		name   string
		a, b   *soa.View
		pa, pb vec.Pose
	}{
		{"cubes concentric, aligned", cube, cube, at(0, 0, 0), at(0, 0, 0)},
		{"cubes concentric, turned", cube, cube, at(0, 0, 0), posed(0, 0, 0, turn(0.1, 0.2, 0.3))},
		{"tetrahedra concentric", tetra, tetra, at(0, 0, 0), at(0, 0, 0)},
		{"tetrahedron in its negative", tetra, tetra, at(0, 0, 0), posed(0, 0, 0, turn(0, 0, math.Pi/2))},
		{"small cube inside", box(t, 4, 4, 4), cube, at(0, 0, 0), posed(0.5, 0.25, 0, turn(0.3, 0, 0.1))},
		{"needle through a cube", cube, needle, at(0, 0, 0), at(0.1, 0.2, 0.3)},
		{"needle against needle, crossed", needle, needle, at(0, 0, 0), posed(0, 0, 0.0009, turn(0, 0, 1))},
		{"needle against needle, a nanoradian off", needle, needle, at(0, 0, 0), posed(0.1, 0, 0.00099, turn(0, 0, 1e-9))},
		{"plate on plate, a nanoradian off", plate, plate, at(0, 0, 0), posed(0.2, 0.3, 0.001, turn(1e-9, 2e-9, 0))},
		{"plate through plate", plate, plate, at(0, 0, 0), posed(0, 0, 0.3, turn(math.Pi/2, 0, 0))},
		{"edges parallel, crossing by 1e-8", cube, cube, posed(0, 0, 0, turn(0, math.Pi/4, 0)), posed(0, 0, math.Sqrt2-1e-8, turn(0, math.Pi/4, 0))},
		{"edges parallel, apart by 1e-8", cube, cube, posed(0, 0, 0, turn(0, math.Pi/4, 0)), posed(0, 0.3, math.Sqrt2+1e-8, turn(0, math.Pi/4, 0))},
		{"edges crossing at right angles", cube, cube, posed(0, 0, 0, turn(0, math.Pi/4, 0)), posed(0, 0, math.Sqrt2-0.01, turn(math.Pi/4, 0, 0))},
		{"corner on face", cube, tetra, at(0, 0, 0), at(1.4, 1.3, 1.2)},
		{"bricks, tilt 1e-12", cube, cube, at(0, 0, 0), posed(0.5, 0, 1-1e-6, turn(1e-12, 0, 0))},
		{"bricks, tilt 1e-10", cube, cube, at(0, 0, 0), posed(0.5, 0.25, 1-1e-6, turn(1e-10, -1e-10, 1e-3))},
		{"bricks, tilt 1e-8", cube, cube, at(0, 0, 0), posed(0.5, 0, 1-1e-6, turn(1e-8, 1e-9, 0))},
		{"near-coplanar faces", scan, cube, at(0, 0, 0), posed(0, 0, 0.6-1e-9, turn(1e-8, 1e-8, 0.2))},
		{"near-coplanar faces on each other", scan, scan, at(0, 0, 0), posed(0.1, 0, 0.2-1e-4, turn(math.Pi, 0, 0))},
		{"prisms overlapping (bepu 417)", pent, pent, at(0, 0, 0), at(0.3, 0.45, 0)},
		{"prisms overlapping, touching caps", pent, pent, at(0, 0, 0), at(0.3, 0.45, 1)},
		{"far from the origin", cube, tetra, at(1e5, 1e5, -1e5), posed(1e5+1.2, 1e5, -1e5, turn(0.2, 0.1, 0.4))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := answered(t, c.a, c.pa, c.b, c.pb)
			if c.a.NVerts*c.b.NVerts > 100 {
				return // exact arithmetic would take seconds
			}
			exact := oracle.ExactGap(c.a, c.pa, c.b, c.pb)
			if d := math.Abs(out.Gap - exact); !(d <= 1e-12*max(c.a.Radius, c.b.Radius)) {
				t.Errorf("gap %.17g, exactly %.17g", out.Gap, exact)
			}
		})
	}
}

// TestNoAnswer tests pairs without an answer.
func TestNoAnswer(t *testing.T) {
	c, b, f := box(t, 1, 1, 1), ballOf(t, 1), facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 0))
	s := NewSearch()
	var out Answer
	for _, bad := range []vec.Pose{at(math.NaN(), 0, 0), at(0, math.Inf(1), 0), posed(0, 0, 0, vec.Quat{W: math.NaN()}), at(1e308, 0, 0),
		posed(-1e308, 0, 0, vec.Quat{W: 1, X: 1}), posed(-1e308, 0, 0, vec.Quat{X: 2}), posed(-1e308, 0, 0, vec.Quat{W: 0.5, Z: 0.5})} {
		for _, pair := range [][2]*soa.View{{c, c}, {c, f}, {b, c}, {b, b}, {b, f}} {
			for _, call := range []func(*soa.View, vec.Pose, *soa.View, vec.Pose, float64, *Answer){s.Pair, s.Resolve, s.Exhaustive} {
				call(pair[0], bad, pair[1], at(-1e308, 0, 0), 1, &out)
				if out.Status != Degenerate {
					t.Errorf("%v against %v at %v: %v", pair[0].Kind, pair[1].Kind, bad, out.Status)
				}
			}
		}
	}
	if s.Pair(f, at(0, 0, 0), f, at(0, 0, 0), 1, &out); out.Status != Degenerate {
		t.Errorf("two facets: %v", out.Status)
	}
	if s.in.Pair(c, posed(0, 0, 0, vec.Quat{}), c, at(0, 0, 0), 1, &out); out.Status != Degenerate {
		t.Errorf("a pose without a rotation: %v", out.Status)
	}
}
