package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// onOpenEdge draws a pose of a block on a wall near the open edge of pit: flat, tilted or random.
func onOpenEdge(w *World, id int, r *rand.Rand) vec.Pose {
	for {
		pose := vec.Pose{Pos: vec.V(0.4*r.NormFloat64(), 0.4*r.NormFloat64(), 0), Rot: vec.Identity}
		if tilt := []float64{0, 0.1, 0.6}[r.IntN(3)]; tilt > 0 {
			pose.Rot = vec.FromRotationVector(vec.V(tilt*r.NormFloat64(), tilt*r.NormFloat64(), r.NormFloat64()))
		}
		if pose.Pos.Z = w.touchdown(id, pose); pose.Pos.Z > -0.9 {
			return pose // outside the pit
		}
	}
}

// TestPressOnRoughOpenEdges presses blocks on the open edges of pits with rough floors, where the
// sides of the pit have an uneven border. The stiffness F²/2Φ may be at most that of a face. With
// -soak.press it also counts exceptions on floors as rough as their facets are large.
func TestPressOnRoughOpenEdges(t *testing.T) {
	steep := func(noise float64, poses int) (count, of int, most float64) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, shape := range []*soa.Template{box(t, 0.6, 0.6, 0.6), box(t, 0.9, 0.7, 0.5)} {
			w, id := pressWorld(t, pit().bent(noise), shape)
			for range poses {
				touch := onOpenEdge(w, id, r)
				for _, depth := range []float64{1e-5, 1e-3, 0.01} {
					pose := touch
					pose.Pos.Z -= depth
					f, _ := w.pressAt(id, pose)
					stiffness := f.Norm2() / (2 * storedIn(w))
					if of, most = of+1, max(most, stiffness); !(stiffness < 1.5) {
						count++
					}
				}
			}
		}
		return count, of, most
	}
	for _, noise := range []float64{2e-3, 0.02} {
		if count, of, most := steep(noise, 7+*soakPress); count > 0 {
			t.Errorf("noise %g: in %d of %d poses the stiffness is above that of a face, %.3g of it at most", noise, count, of, most)
		}
	}
	for _, noise := range []float64{0.1, 0.2} {
		if *soakPress > 0 {
			count, of, most := steep(noise, *soakPress)
			t.Logf("noise %g: in %d of %d poses the stiffness is above that of a face, %.3g of it at most", noise, count, of, most)
		}
	}
}

// TestPressMovedWall presses blocks on steep ground and on a rough open edge, and on the same walls
// with all corners moved by 1000 m. Only the rounding of the corners may change the result, and
// only slightly.
func TestPressMovedWall(t *testing.T) {
	by := vec.V(1000, -333, 777)
	worst := 0.0
	for name, wall := range map[string]triangles{"ground": roughFloor(8, 0.3, 1), "pit": pit().bent(0.02)} {
		r := rand.New(rand.NewPCG(1, 2))
		for _, shape := range []*soa.Template{box(t, 0.6, 0.6, 0.6)} {
			w, id := pressWorld(t, wall, shape)
			far, other := pressWorld(t, wall.moved(by), shape)
			for range 25 {
				pose := onOpenEdge(w, id, r)
				pose.Pos.Z -= math.Pow(10, -4+2*r.Float64())
				f, _ := w.pressAt(id, pose)
				depth := math.Sqrt(2 * storedIn(w))
				pose.Pos = pose.Pos.Add(by)
				g, _ := far.pressAt(other, pose)
				off := g.Sub(f).Norm() / depth
				if worst = max(worst, off); !(off < 1e-6) {
					t.Errorf("%s: at %v the force is %v, expected %v", name, pose.Pos.Sub(by), g, f)
				}
			}
		}
	}
	t.Logf("the force changes by %.2g of stiffness and depth at most", worst)
}
