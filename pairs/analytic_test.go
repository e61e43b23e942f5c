package pairs

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/vec"
)

// turned returns a pose rotated about an axis.
func turned(x, y, z float64, axis vec.Vec3, angle float64) vec.Pose {
	return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.FromRotationVector(axis.Scale(angle))}
}

// TestAnalytic compares all methods with results computed by hand.
func TestAnalytic(t *testing.T) {
	dir := folder(t, map[string]string{"cube.obj": cubeOBJ(0)})
	shapes := shapesOf(t, filepath.Join(dir, "cube.obj"))
	half := math.Sqrt2 / 2
	x, z := vec.V(1, 0, 0), vec.V(0, 0, 1)
	for _, c := range []struct {
		name      string
		a, b      string
		pa, pb    vec.Pose
		gap       float64
		normal    vec.Vec3
		location  *vec.Vec3 // for touching pairs
		onA       *vec.Vec3 // if unique
		tolerance float64
	}{
		{name: "faces apart", a: "box:1x1x1", b: "box:1x1x1", pa: at(0, 0, 0), pb: at(3, 0, 0), gap: 2, normal: x},
		{name: "faces touching", a: "box:1x1x1", b: "box:1x1x1", pa: at(0, 0, 0), pb: at(1, 0, 0), gap: 0, normal: x, location: &vec.Vec3{X: 0.5}},
		{name: "faces overlapping", a: "box:1x1x1", b: "box:1x1x1", pa: at(0, 0, 0), pb: at(0.25, 0.25, 0.875), gap: -0.125, normal: z,
			location: &vec.Vec3{X: 0.125, Y: 0.125, Z: 0.4375}},
		{name: "bricks of sizes", a: "box:2x2x2", b: "box:1x4x1", pa: at(0, 0, 0), pb: at(0, 0, -1.5), gap: 0, normal: z.Neg(), location: &vec.Vec3{Z: -1}},
		{name: "far away", a: "box:1x1x1", b: "box:1x1x1", pa: at(1e6, -1e6, 1e6), pb: at(1e6+1.5, -1e6, 1e6), gap: 0.5, normal: x},
		{name: "edge on face", a: "box:1x1x1", b: "box:1x1x1", pa: at(0, 0, 0), pb: turned(0, 0, 0.5+half-0.01, x, math.Pi/4), gap: -0.01, normal: z,
			location: &vec.Vec3{Z: 0.495}},
		{name: "crossing edges", a: "box:1x1x1", b: "box:1x1x1", pa: turned(0, 0, 0, x, math.Pi/4), pb: turned(0, 0, 2*half-0.01, vec.V(0, 1, 0), math.Pi/4),
			gap: -0.01, normal: z, location: &vec.Vec3{Z: half - 0.005}, onA: &vec.Vec3{Z: half}},
		{name: "corner in face", a: "octa:1", b: "box:2x2x2", pa: at(0, 0, 0), pb: at(0, 0, 1+half-0.01), gap: -0.01, normal: z,
			location: &vec.Vec3{Z: half - 0.005}, onA: &vec.Vec3{Z: half}},
		{name: "corner apart from face", a: "octa:1", b: "box:2x2x2", pa: at(0, 0, 0), pb: at(0, 0, 1+half+0.5), gap: 0.5, normal: z, onA: &vec.Vec3{Z: half}},
		{name: "corners apart", a: "octa:1", b: "octa:1", pa: at(0, 0, 0), pb: at(0, 0, 3), gap: 3 - 2*half, normal: z, onA: &vec.Vec3{Z: half}},
		// The origin of the file's frame is at a corner of the cube.
		{name: "frame of the file", a: "cube", b: "box:1x1x1", pa: at(0, 0, 0), pb: at(0.5, 0.5, 1.4), gap: -0.1, normal: z, location: &vec.Vec3{X: 0.5, Y: 0.5, Z: 0.95}},
		{name: "turned about the file's origin", a: "cube", b: "box:1x1x1", pa: turned(0, 0, 0, x, math.Pi), pb: at(0.5, -0.5, -2), gap: 0.5, normal: z.Neg()},
		{name: "balls", a: "ball:1", b: "ball:0.5", pa: at(0, 0, 0), pb: at(0, 3, 0), gap: 1.5, normal: vec.V(0, 1, 0), onA: &vec.Vec3{Y: 1}},
		{name: "ball and box", a: "ball:0.5", b: "box:1x1x1", pa: at(0, 0, 0.9), pb: at(0, 0, 0), gap: -0.1, normal: z.Neg(),
			location: &vec.Vec3{Z: 0.45}, onA: &vec.Vec3{Z: 0.4}},
		{name: "box and ball", a: "box:1x1x1", b: "ball:0.5", pa: at(0, 0, 0), pb: at(0, 0, 0.9), gap: -0.1, normal: z,
			location: &vec.Vec3{Z: 0.45}, onA: &vec.Vec3{Z: 0.5}},
		{name: "one inside the other", a: "box:4x4x4", b: "box:1x1x1", pa: at(0, 0, 0), pb: at(1, 0, 0), gap: -1.5, normal: x, location: nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, m := range narrow.Methods() {
				o := defaults()
				o.Method = m
				list, stats := run(t, head+"\n"+row(c.a, c.b, c.pa, c.pb), o, shapes)
				a := list[0]
				if stats.Pairs != 1 || a.status == failed {
					t.Fatalf("%v: %+v", m, a)
				}
				if want := map[bool]string{true: apart, false: touching}[c.gap > 0]; a.status != want {
					t.Errorf("%v: status %s, expected %s", m, a.status, want)
				}
				bound := !m.Measures() && !a.hasPoints && a.gap > 0 && a.gap <= c.gap
				if bound {
					continue
				}
				const tol = 1e-9 // for coordinates up to 1e6
				if math.Abs(a.gap-c.gap) > 1e-12 || a.normal.Sub(c.normal).Norm() > 1e-12 {
					t.Errorf("%v: gap %v along %v, expected %v along %v", m, a.gap, a.normal, c.gap, c.normal)
				}
				if off := a.onB.Sub(a.onA.AddScaled(a.gap, a.normal)).Norm(); off > tol {
					t.Errorf("%v: wb is %g off wa + gap·n", m, off)
				}
				if c.onA != nil && a.onA.Sub(*c.onA).Norm() > 1e-12 {
					t.Errorf("%v: witness point %v, expected %v", m, a.onA, *c.onA)
				}
				if a.hasAt != (c.gap <= 0) || c.location != nil && a.at.Sub(*c.location).Norm() > 1e-8 {
					t.Errorf("%v: location %v %v, expected %v", m, a.hasAt, a.at, c.location)
				}
			}
		})
	}
}

// TestRounding: the radii reduce the gap and move the witness points along the normal, whether the
// cores are apart, touch or overlap.
func TestRounding(t *testing.T) {
	shapes := shapesOf(t)
	o := defaults()
	for _, c := range []struct {
		z, ra, rb, gap float64
		onA            float64
	}{
		{3, 0.1, 0.2, 1.7, 0.6}, {1.3, 0.1, 0.2, 0, 0.6}, {1.25, 0.1, 0.2, -0.05, 0.6}, {1, 0.1, 0.2, -0.3, 0.6}, {0.9, 0.1, 0.2, -0.4, 0.6},
		{1.5, 0, 0, 0.5, 0.5}, {1.5, 0.5, 0, 0, 1}, {1.5, 0, 0.75, -0.25, 0.5},
	} {
		table := roundsHead + row("box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0.2, 0, c.z), c.ra, c.rb)
		list, _ := run(t, table, o, shapes)
		a := list[0]
		if math.Abs(a.gap-c.gap) > 1e-15 && c.gap != 0 || math.Abs(a.gap) > 1e-15 && c.gap == 0 || a.normal != vec.V(0, 0, 1) ||
			math.Abs(a.onA.Z-c.onA) > 1e-15 || math.Abs(a.onB.Z-c.onA-c.gap) > 1e-15 {
			t.Errorf("%+v: %+v", c, a)
		}
		if a.hasAt != (a.gap <= 0) {
			t.Errorf("%+v: location %v", c, a.at)
		}
		if a.hasAt {
			if want := vec.V(0.1, 0, c.onA+0.5*c.gap); a.at.Sub(want).Norm() > 1e-8 {
				t.Errorf("%+v: location %v, expected %v", c, a.at, want)
			}
		}
	}
	// A ball equals a point with a rounding radius, up to the last digit.
	list, _ := run(t, roundsHead+row("octa:1", "ball:0.3", at(0, 0, 0), at(0.5, 0.6, 0.7), 0.1, 0)+
		row("octa:1", "ball:0.1", at(0, 0, 0), at(0.5, 0.6, 0.7), 0.1, 0.2), o, shapes)
	if math.Abs(list[0].gap-list[1].gap) > 1e-15 || list[0].onB.Sub(list[1].onB).Norm() > 1e-15 {
		t.Errorf("%+v and %+v", list[0], list[1])
	}
}

// TestRoundingIsContinuous moves the cores through contact, face on face, edge on edge and corner
// on corner. Gap, normal and location must not jump.
func TestRoundingIsContinuous(t *testing.T) {
	shapes := shapesOf(t)
	x, y := vec.V(1, 0, 0), vec.V(0, 1, 0)
	for name, c := range map[string]struct {
		a, b   string
		pa, pb vec.Pose // the cores just touch
	}{
		"faces":  {"box:1x1x1", "box:1x1x1", at(0, 0, 0), at(0.2, 0.1, 1)},
		"edges":  {"box:1x1x1", "box:1x1x1", turned(0, 0, 0, x, math.Pi/4), turned(0.1, 0, math.Sqrt2, y, math.Pi/4)},
		"corner": {"octa:1", "box:2x2x2", at(0, 0, 0), at(0.1, 0.2, 1+math.Sqrt2/2)},
	} {
		table := roundsHead
		const n, step = 41, 1e-7
		for i := range n {
			p := c.pb
			p.Pos.Z += float64(step * float64(n/2-i))
			table += row(c.a, c.b, c.pa, p, 0.125, 0.25)
		}
		list, _ := run(t, table, defaults(), shapes)
		for i := 1; i < n; i++ {
			was, now := list[i-1], list[i]
			if d := was.gap - now.gap; math.Abs(d-step) > 1e-12 {
				t.Errorf("%s: the gap falls by %g, expected %g", name, d, step)
			}
			if was.normal.Sub(now.normal).Norm() > 1e-9 || was.at.Sub(now.at).Norm() > 20*step || !now.hasAt {
				t.Errorf("%s: from %+v to %+v", name, was, now)
			}
		}
	}
}
