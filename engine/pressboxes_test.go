package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// boxAt returns the closed surface of a box, from its least and largest corner.
func boxAt(low, high vec.Vec3) (wall triangles) {
	v := func(i int) vec.Vec3 {
		x := low
		if i&1 > 0 {
			x.X = high.X
		}
		if i&2 > 0 {
			x.Y = high.Y
		}
		if i&4 > 0 {
			x.Z = high.Z
		}
		return x
	}
	for _, q := range [][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}} {
		wall = append(wall, []vec.Vec3{v(q[0]), v(q[1]), v(q[2])}, []vec.Vec3{v(q[0]), v(q[2]), v(q[3])})
	}
	return wall
}

// paving returns n·n closed boxes side by side with gaps, 2 m wide together, with their tops in the
// plane z = 0.
func paving(n int, gap float64) (wall triangles) {
	side := 2 / float64(n)
	for i := range n {
		for j := range n {
			low := vec.V(side*float64(i)-1+gap/2, side*float64(j)-1+gap/2, -0.3)
			wall = append(wall, boxAt(low, low.Add(vec.V(side-gap, side-gap, 0.3)))...)
		}
	}
	return wall
}

// TestPressOnPaving lays a cube on closed boxes side by side. They must act as one floor, stiffer
// only by the contribution of the boxes' sides.
func TestPressOnPaving(t *testing.T) {
	const depth = 1e-3
	for _, gap := range []float64{0, 1e-4, 0.05} {
		bound := 1.1
		if gap == 0 {
			bound = 1.2 // sides of neighbouring boxes coincide
		}
		least, most := math.Inf(1), 0.0
		for _, n := range []int{2, 4, 8} {
			w, id := pressWorld(t, paving(n, gap), box(t, 0.9, 0.9, 0.5))
			for x := -0.3; x < 0.3; x += 0.0813 {
				f, _ := w.pressAt(id, vec.Pose{Pos: vec.V(x, 0.1, 0.25-depth), Rot: vec.FromRotationVector(vec.V(0, 0, x))})
				least, most = min(least, f.Z/depth), max(most, f.Z/depth)
				if aside := math.Hypot(f.X, f.Y); !(f.Z >= 0.99*depth && f.Z <= bound*depth) || aside > 1e-3*depth {
					t.Errorf("%d² boxes, gaps of %g, at x = %g: the force is %v of stiffness and depth", n, gap, x, f.Scale(1/depth))
				}
			}
		}
		t.Logf("gaps of %g: force of %.3f to %.3f of stiffness and depth", gap, least, most)
	}
}

// TestPressOnOverlappingParts presses a cube on a closed box with another box inside, a centimetre
// under its top. The inner box must not end the material behind the outer box's top. A hollow box
// of two closed surfaces must be felt from inside and from outside.
func TestPressOnOverlappingParts(t *testing.T) {
	outer, inner := boxAt(vec.V(-1, -1, -1), vec.V(1, 1, 0)), boxAt(vec.V(-0.5, -0.5, -0.5), vec.V(1.5, 0.5, -0.01))
	w, id := pressWorld(t, append(outer, inner...), box(t, 0.5, 0.5, 0.5))
	for _, depth := range []float64{1e-3, 4e-3, 8e-3, 0.02, 0.05} {
		if f, _ := w.pressAt(id, at(0.1, 0.05, 0.25-depth)); !(f.Z >= 0.99*depth && f.Z <= 1.6*depth) {
			t.Errorf("%g m deep on a box with another in it, the force is %v of stiffness and depth", depth, f.Scale(1/depth))
		}
	}
	shell := append(boxAt(vec.V(-1, -1, -1), vec.V(1, 1, 1)), boxAt(vec.V(-0.98, -0.98, -0.98), vec.V(0.98, 0.98, 0.98))...)
	w, id = pressWorld(t, shell, box(t, 0.5, 0.5, 0.5))
	const depth = 1e-3
	for _, z := range []float64{-0.73, 0.73, 1.25} {
		up := 1.0
		if z == 0.73 {
			up = -1
		}
		if f, _ := w.pressAt(id, at(0.1, 0.05, z-up*depth)); f.Sub(vec.V(0, 0, up*depth)).Norm() > 0.01*depth {
			t.Errorf("at %g on a hollow box the force is %v of stiffness and depth, expected %g upright", z, f.Scale(1/depth), up)
		}
	}
}
