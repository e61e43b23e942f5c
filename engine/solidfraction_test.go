package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// solidOf returns the solid volume of one body in a region.
func solidOf(t *testing.T, shape *soa.Template, pose vec.Pose, r Region, err error) float64 {
	t.Helper()
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1), Pose: pose})
	var c presentRegion
	if err == nil {
		err = w.boundCell(&r, &c)
	}
	s := 0.0
	if err == nil {
		s, err = w.SolidFraction(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s * c.volume
}

// TestSolidFractionOfBlocks cuts rocks by the sides of a box, and by Polyhedron.Cut as the oracle.
func TestSolidFractionOfBlocks(t *testing.T) {
	rng := geometry.NewRand(7)
	for i := range 60 {
		p, err := geometry.Rock(uint64(i), 8+i%30, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		pose := vec.Pose{Pos: rng.Unit().Scale(0.5), Rot: rng.Rotation()}
		b := vec.Box{Min: vec.V(-0.5, -0.4, -0.3), Max: vec.V(0.4, 0.35, 0.6)}
		left := p
		for _, side := range []struct {
			n vec.Vec3
			d float64
		}{{vec.V(1, 0, 0), b.Max.X}, {vec.V(-1, 0, 0), -b.Min.X}, {vec.V(0, 1, 0), b.Max.Y}, {vec.V(0, -1, 0), -b.Min.Y}, {vec.V(0, 0, 1), b.Max.Z}, {vec.V(0, 0, -1), -b.Min.Z}} {
			if left != nil {
				n := pose.Rot.RotateInv(side.n)
				if left, _, err = left.Cut(n, side.d-side.n.Dot(pose.Pos)); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := 0.0
		if left != nil {
			want = left.Mass.Volume
		}
		r, err := BoxRegion(b)
		if got := solidOf(t, p.Template(), pose, r, err); math.Abs(got-want) > 1e-13 {
			t.Errorf("rock %d: %.15g m³ in the box, expected %.15g", i, got, want)
		}
	}
}

// TestSolidFractionHasAnalyticValues compares parts that have a formula.
func TestSolidFractionHasAnalyticValues(t *testing.T) {
	r, v := 0.6, 4*math.Pi/3
	octant, octantErr := BoxRegion(vec.Box{Max: vec.V(5, 5, 5)})
	half, halfErr := BoxRegion(vec.Box{Min: vec.V(-5, -5, 0), Max: vec.V(5, 5, 5)})
	inBall, inErr := BallRegion(vec.Vec3{}, r)
	shifted, shiftedErr := BallRegion(vec.V(0, 0.9, 0), r)
	cap := math.Pi * 0.1 * 0.1 * (3*r - 0.1) / 3
	turned := vec.Pose{Rot: vec.FromRotationVector(vec.V(0.3, 0.5, 0.9))}
	rim := math.Pi * (0.16*0.01 - 2*0.005*0.005*0.005/3)
	small, smallErr := BallRegion(vec.Vec3{}, 0.4)
	huge, hugeErr := BallRegion(vec.V(600, 0, 800), 1000) // nearly a half-space through the origin
	for name, c := range map[string]struct {
		shape *soa.Template
		pose  vec.Pose
		r     Region
		err   error
		want  float64
		tol   float64 // relative
	}{
		"an eighth of a ball":       {ball(t, 1), at(0, 0, 0), octant, octantErr, v / 8, 1e-3},
		"half of a ball":            {ball(t, 1), at(0, 0, 0), half, halfErr, v / 2, 1e-14},
		"a cap of a ball":           {ball(t, 1), at(0, 0, -0.5), half, halfErr, math.Pi * 0.25 * 2.5 / 3, 1e-14},
		"a ball outside":            {ball(t, 1), at(0, 0, -1), half, halfErr, 0, 0},
		"a ball around the region":  {ball(t, 1), at(0, 0, 0), inBall, inErr, v * r * r * r, 1e-14},
		"a ball in a ball":          {ball(t, 1), at(0, 0, 0), shifted, shiftedErr, lens(1, r, 0.9), 1e-14},
		"a cube around most of it":  {box(t, 1, 1, 1), at(0, 0, 0), inBall, inErr, v*r*r*r - 6*cap, 1e-3},
		"the same cube, turned":     {box(t, 1, 1, 1), turned, inBall, inErr, v*r*r*r - 6*cap, 1e-3},
		"a thin plate":              {box(t, 1, 0.01, 1), turned, small, smallErr, rim, 1e-3},
		"a needle":                  {box(t, 0.01, 1, 0.01), turned, small, smallErr, 0.8 * 1e-4, 1e-3},
		"half of a block in a ball": {box(t, 0.04, 0.05, 0.06), turned, huge, hugeErr, 0.5 * 1.2e-4, 1e-3},
		"a block wholly in the box": {box(t, 1, 1, 1), at(2, 2, 2), octant, octantErr, 1, 1e-14},
	} {
		if got := solidOf(t, c.shape, c.pose, c.r, c.err); !(math.Abs(got-c.want) <= c.tol*c.want) {
			t.Errorf("%s: %.9g m³, expected %.9g", name, got, c.want)
		}
	}
}

// TestSolidFractionAlongLines compares lines with formulas, for random parts.
func TestSolidFractionAlongLines(t *testing.T) {
	rng, worst := geometry.NewRand(3), 0.0
	w := newWorld(t, Config{}, force.Linear{Kn: 1e5})
	w.solid.clip = overlap.NewClipper()
	shapes := []soa.Shape{addShape(t, w, ball(t, 0.5)), addShape(t, w, rock(t, 1, 12, 0.5)), addShape(t, w, box(t, 0.6, 0.2, 0.4))}
	for i := range 60 {
		r, err := BoxRegion(vec.Box{Min: vec.V(-0.1, -5, -5), Max: vec.V(0.2, 5, 5)})
		if i%2 == 1 {
			r, err = BallRegion(vec.Vec3{}, 0.3)
		}
		var c presentRegion
		if err == nil {
			err = w.boundCell(&r, &c)
		}
		if err != nil {
			t.Fatal(err)
		}
		h, pose := shapes[i%len(shapes)], vec.Pose{Pos: rng.Unit().Scale(0.6), Rot: rng.Rotation()}
		if i%2 == 1 {
			h = shapes[0]
		}
		want := w.partIn(&c, pose, h)
		volume, _ := w.Shapes().Volume(h)
		if want == 0 || want == volume {
			continue
		}
		worst = max(worst, math.Abs(w.lineShare(&c, pose, h)-want/volume))
	}
	if !(worst > 0 && worst < 1e-3) {
		t.Errorf("the worst part along lines is off by %g of the volume, expected at most 1e-3", worst)
	}
	t.Logf("worst part along lines: %.2g of the volume", worst)
}

// TestSolidFractionOfDiscs cuts a disc of a planar world.
func TestSolidFractionOfDiscs(t *testing.T) {
	disc, err := geometry.DiscTemplate(1)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, Config{Planar: true}, force.Linear{Kn: 1e5})
	addBody(t, w, BodySpec{Parts: one(addShape(t, w, disc), 1)})
	r, err := BoxRegion(vec.Box{Min: vec.V(0, 0, -0.5), Max: vec.V(2, 2, 0.5)})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := w.SolidFraction(r); err != nil || !near(s, math.Pi/16, 1e-4) {
		t.Errorf("a quarter of a disc in 4 m²: %g, %v, expected %g", s, err, math.Pi/16)
	}
}

// TestSolidFractionOfRoundedBlocks compares a rounded block, and the parts of it, with formulas: of a cube, of which a
// plane through the centre leaves a half and three an eighth, and beyond a face of the core a slab with
// quarters of cylinders and eighths of balls.
func TestSolidFractionOfRoundedBlocks(t *testing.T) {
	const a, r = 0.6, 0.1
	whole := a*a*a + 6*a*a*r + 3*math.Pi*r*r*a + 4*math.Pi/3*r*r*r
	cap := a*a*r + math.Pi*r*r*a + 2*math.Pi/3*r*r*r // beyond one face of the core
	cube := box(t, a, a, a)
	cube.Round = r
	for name, c := range map[string]struct {
		lo, hi vec.Vec3
		want   float64
	}{
		"whole":  {vec.V(-1, -1, -1), vec.V(1, 1, 1), whole},
		"half":   {vec.V(0, -1, -1), vec.V(1, 1, 1), whole / 2},
		"eighth": {vec.V(0, 0, 0), vec.V(1, 1, 1), whole / 8},
		"cap":    {vec.V(a/2, -1, -1), vec.V(1, 1, 1), cap},
	} {
		region, err := BoxRegion(vec.Box{Min: c.lo, Max: c.hi})
		if got := solidOf(t, cube, vec.IdentityPose, region, err); !(math.Abs(got-c.want) <= 1e-3*whole) || name == "whole" && !near(got, whole, 1e-8) {
			t.Errorf("%s: %.9g m³, expected %.9g within %.2g", name, got, c.want, 1e-3*whole)
		}
	}
}
