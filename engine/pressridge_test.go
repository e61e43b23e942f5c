package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/vec"
)

// zigzag returns alternating ridges and valleys along y, two units of slope apart. The ridge of a
// bend is at the origin.
func zigzag(bend float64) (wall triangles) {
	s, c := math.Sincos(bend / 2)
	at := func(k int, y float64) vec.Vec3 { return vec.V(2*c*float64(k), y, -2*s*float64(k&1)) }
	for k := -2; k < 2; k++ {
		wall = append(wall, []vec.Vec3{at(k, -2), at(k+1, -2), at(k+1, 2), at(k, 2)})
	}
	return wall
}

// overRidge is a block across a ridge at the origin, 1 mm deep. Its face is parallel to the middle
// of the ridge's slopes if lean is 0, and to the left slope if lean is 1.
type overRidge struct {
	w    *World
	id   int
	bend float64
	lean float64
}

const ridgeDepth = 1e-3

// at returns the force on the block in units of its stiffness and depth. past is the distance of
// its side beyond the place where its lowest edge comes under the other slope.
func (o *overRidge) at(past float64) vec.Vec3 {
	half := o.lean * o.bend / 2
	rot := vec.FromRotationVector(vec.V(0, -half, 0))
	up, along := rot.Rotate(vec.V(0, 0, 1)), rot.Rotate(vec.V(1, 0, 0))
	pos := up.Scale(0.5-ridgeDepth).AddScaled(past-ridgeDepth*math.Tan(half)-0.5, along)
	f, _ := o.w.pressAt(o.id, vec.Pose{Pos: pos.Add(vec.V(0, 0.1, 0)), Rot: rot})
	return f.Scale(1 / ridgeDepth)
}

// TestPressOverARidge slides a cube over ridges of any bend, with and without valleys beside them,
// and over the joint of two materials. Its side lies past the ridge by a rounding error up to ten
// times its depth. The force must stay about stiffness times depth. It may change little over a
// hundredth of the depth, which is more than the path of one step.
func TestPressOverARidge(t *testing.T) {
	bound := [2]float64{1.1, 1.6} // for one material and for two
	most, change := [2]float64{}, 0.0
	for _, bend := range []float64{0, 1e-6, 1e-3, 0.0489, 0.09, 0.12, 0.175, 0.25, 0.35, 0.5, 0.7, 1, math.Pi / 2} {
		for name, wall := range map[string]triangles{"roof": zigzag(bend)[1:3], "zigzag": zigzag(bend)} {
			for materials := range 2 {
				w := ridgeWorld(t, wall, materials == 1)
				for lean := 0.0; lean <= 1; lean += 0.25 {
					o := overRidge{w: w, id: w.Bodies().Len() - 1, bend: bend, lean: lean}
					for exponent := -16.0; exponent <= -2; exponent += 0.25 {
						past := math.Pow(10, exponent)
						f := o.at(past)
						next := o.at(past + 0.01*ridgeDepth).Sub(f).Norm()
						most[materials], change = max(most[materials], f.Norm()), max(change, next)
						if f.Norm() > bound[materials] || next > 0.25 || !(f.Z > 0) {
							t.Fatalf("%s of %g, %d more materials, leaning by %g: with its side %g past the ridge the force is %v, a hundredth of the depth on it is off by %g",
								name, bend, materials, lean, past, f, next)
						}
					}
				}
			}
		}
	}
	t.Logf("force up to %.3f of stiffness and depth, over the joint of two materials %.3f; it changes by up to %.2g of it over a hundredth of the depth", most[0], most[1], change)
}

// ridgeWorld returns a world of a wall and a cube. With materials, the right half of the wall has
// its own material.
func ridgeWorld(t *testing.T, wall triangles, materials bool) *World {
	t.Helper()
	law, err := force.NewTable(3, force.Thickness{Stiffness: 1, Restitution: 1})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Law: law, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	parts := wall.parts(t, w)
	for k := range parts {
		parts[k].Material = 1
		if materials && k >= len(parts)/2 {
			parts[k].Material = 2
		}
	}
	addWall(t, w, WallSpec{Pose: vec.IdentityPose, Parts: parts})
	addMoving(t, w, addShape(t, w, box(t, 1, 1, 1)), at(0, 0, 1e3), vec.Vec3{}, vec.Vec3{})
	w.Measure()
	return w
}
