package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Flat floors that are not a single convex piece: concave corners, holes, steps on them, edges at
// which three facets meet.

// ell returns an L of three squares of 4 m; the one with positive x and y is missing.
func ell() (wall triangles) {
	for _, c := range [3]vec.Vec3{{X: -4, Y: -4}, {Y: -4}, {X: -4}} {
		p := [4]vec.Vec3{c, c.Add(vec.V(4, 0, 0)), c.Add(vec.V(4, 4, 0)), c.Add(vec.V(0, 4, 0))}
		wall = append(wall, []vec.Vec3{p[0], p[1], p[2]}, []vec.Vec3{p[0], p[2], p[3]})
	}
	return wall
}

// disc returns a flat ring of n edges with a hole.
func disc(n int, inner, outer float64) (wall triangles) {
	at := func(k int, r float64) vec.Vec3 {
		s, c := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
		return vec.V(r*c, r*s, 0)
	}
	for k := range n {
		wall = append(wall, []vec.Vec3{at(k, inner), at(k, outer), at(k+1, outer)}, []vec.Vec3{at(k, inner), at(k+1, outer), at(k+1, inner)})
	}
	return wall
}

// curbed returns a square floor of 4 m with a curb in its middle.
func curbed(height float64) triangles {
	v := vec.V
	at := func(z float64) [4]vec.Vec3 {
		return [4]vec.Vec3{v(0, -.2, z), v(.1, -.2, z), v(.1, .2, z), v(0, .2, z)}
	}
	low, high := at(0), at(height)
	wall := triangles{{v(-2, -2, 0), v(2, -2, 0), v(2, 2, 0), v(-2, 2, 0)}, high[:]}
	for k := range 4 {
		wall = append(wall, []vec.Vec3{low[k], low[(k+1)%4], high[(k+1)%4], high[k]})
	}
	return wall
}

// ribbed returns a floor of two rectangles with a rib under their common edge.
func ribbed(bend float64) triangles {
	v, z := vec.V, -2*math.Tan(bend)
	return triangles{{v(0, -2, 0), v(0, 2, 0), v(0, 2, -0.5), v(0, -2, -0.5)}, {v(-2, -2, z), v(0, -2, 0), v(0, 2, 0), v(-2, 2, z)}, {v(0, -2, 0), v(2, -2, z), v(2, 2, z), v(0, 2, 0)}}
}

// TestPressFlatFloors presses cubes on flat parts of floors by a face, an edge and a corner, far
// from their boundaries. The force must be that on a square floor, along the normal.
func TestPressFlatFloors(t *testing.T) {
	const depth, side = 1e-3, 0.1
	square := triangles{{vec.V(-4, -4, 0), vec.V(4, -4, 0), vec.V(4, 4, 0), vec.V(-4, 4, 0)}}
	edge := vec.FromRotationVector(vec.V(0, math.Pi/4, 0))
	corner := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	for name, c := range map[string]struct {
		wall triangles
		y    float64
	}{
		"on the line of a side that turns in": {ell(), -3},
		"beyond the end of a low curb":        {curbed(0.01), 1.5},
		"beyond the end of a high curb":       {curbed(0.07), 1.5},
		"beside a round hole":                 {disc(64, 0.5, 3), -1.2},
	} {
		whole, id := pressWorld(t, square, box(t, side, side, side))
		// A larger block elsewhere makes the material deeper.
		w := newWorld(t, Config{}, force.Thickness{Stiffness: 1, Restitution: 1})
		c.wall.wall(t, w, vec.IdentityPose, Motion{})
		addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(50, 0, 1e3), vec.Vec3{}, vec.Vec3{})
		other := int(addMoving(t, w, addShape(t, w, box(t, side, side, side)), at(0, 0, 1e3), vec.Vec3{}, vec.Vec3{}))
		w.Measure()
		for way, rot := range map[string]vec.Quat{"face": vec.Identity, "edge": edge, "corner": corner} {
			view := w.space.Shapes.View(w.space.Pieces.Shape[w.bodies.FirstPiece[other]])
			low := 0.0
			for k := range view.NVerts {
				low = min(low, rot.Rotate(view.Vert(soa.Vertex(k))).Z)
			}
			for _, x := range []float64{-0.3, -0.05, -0.02, -1e-3, -1e-6, 0, 1e-3, 0.02, 0.05, 0.085, 0.1, 0.2} {
				pose := vec.Pose{Pos: vec.V(x, c.y, -low-depth), Rot: rot}
				want, _ := whole.pressAt(id, pose)
				if got, _ := w.pressAt(other, pose); got.Sub(want).Norm() > 1e-9*depth {
					t.Errorf("%s, at x = %g by a %s: the force is %v, on a square %v", name, x, way, got, want)
				}
			}
		}
	}
}

// TestPressHolesGrowLinearly checks that a hole with twice as many edges has twice the prisms, or
// slightly more if more of them are close together.
func TestPressHolesGrowLinearly(t *testing.T) {
	sides := func(n int) (count int) {
		w, _ := pressWorld(t, disc(n, 0.4, 1.5), box(t, 0.1, 0.1, 0.1))
		w.makeFacets()
		for i := range w.space.Sides.Facets {
			for _, s := range w.space.Sides.Facets[i].Side {
				for _, p := range s.Prisms {
					count += len(p.Sides)
				}
			}
		}
		return count
	}
	if few, many := sides(32), sides(128); many > 8*few {
		t.Errorf("a hole of 32 edges makes %d sides of prisms, one of 128 %d", few, many)
	}
}

// TestPressWhereThreeFacetsMeet lays cubes on floors and roofs with a rib under the common edge.
// The force may be at most a tenth larger than without the rib, and the cube must come to rest.
func TestPressWhereThreeFacetsMeet(t *testing.T) {
	const depth = 1e-3
	w, id := pressWorld(t, ribbed(0), box(t, 0.4, 0.4, 0.4))
	for _, x := range []float64{-0.3, -0.2001, -0.199, -0.19, -0.1, -1e-3, 0, 1e-3, 0.1, 0.199} {
		if f, _ := w.pressAt(id, at(x, 0.1, 0.2-depth)); !(f.Z >= 0.999*depth && f.Z <= 1.11*depth) || math.Abs(f.X)+math.Abs(f.Y) > 1e-9*depth {
			t.Errorf("over a rib at x = %g the force is %v of stiffness and depth", x, f.Scale(1/depth))
		}
	}
	for _, bend := range []float64{0, 0.1} {
		w := newWorld(t, Config{Gravity: down}, force.Thickness{Stiffness: 1e6, Tangential: 8e5, Friction: 0.5, Restitution: 0.3})
		ribbed(bend).wall(t, w, vec.IdentityPose, Motion{})
		addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 0.4, 0.4, 0.4)), 100), Pose: at(0.05, 0.1, 0.201)})
		steps(t, w, 4000, 1e-4)
		if m := w.Measure(); !(m.Kinetic() < 1e-4) || math.Abs(m.LeftOver) > 1e-4 {
			t.Errorf("bend %g: a cube on a rib moves with %g J, %g J are left over", bend, m.Kinetic(), m.LeftOver)
		}
	}
}

// TestPressFarFromTheOrigin checks that the distance of a wall from the origin of its frame changes
// its force by rounding only.
func TestPressFarFromTheOrigin(t *testing.T) {
	const far = 0x1p19 // m
	ground := roughFloor(8, 0.02, 1)
	w, id := pressWorld(t, ground, box(t, 0.5, 0.5, 0.5))
	moved := triangles{}
	for _, f := range ground {
		var p []vec.Vec3
		for _, x := range f {
			p = append(p, vec.V(x.X+far, x.Y, x.Z))
		}
		moved = append(moved, p)
	}
	v, other := pressWorld(t, moved, box(t, 0.5, 0.5, 0.5))
	for _, x := range []float64{-0.3, 0, 0.2} {
		pose := at(x, 0.1, 0.25)
		pose.Pos.Z = w.touchdown(id, pose) - 1e-3
		want, _ := w.pressAt(id, pose)
		pose.Pos.X += far
		if got, _ := v.pressAt(other, pose); got.Sub(want).Norm() > 1e-4*want.Norm() {
			t.Errorf("at x = %g the force is %v, %g m off %v", x, want, far, got)
		}
	}
}
