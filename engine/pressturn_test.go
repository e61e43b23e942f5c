package engine

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestPressTurnedWall presses a cube on rough ground, and on the same ground with all corners
// rotated, in the rotated pose. The bins of directions do not rotate. The forces must agree to 3 %
// of stiffness times depth, and to 0.6 % on average.
func TestPressTurnedWall(t *testing.T) {
	worst, sum, count := 0.0, 0.0, 0
	for _, noise := range []float64{0.02, 0.1} {
		r := rand.New(rand.NewPCG(1, 2))
		wall, shape := roughFloor(6, noise, 1), box(t, 0.6, 0.6, 0.6)
		w, id := pressWorld(t, wall, shape)
		turns, turned, ids := make([]vec.Quat, 4), make([]*World, 4), make([]int, 4)
		for k := range turns {
			turns[k] = vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
			other := triangles{}
			for _, f := range wall {
				other = append(other, []vec.Vec3{turns[k].Rotate(f[0]), turns[k].Rotate(f[1]), turns[k].Rotate(f[2])})
			}
			turned[k], ids[k] = pressWorld(t, other, shape)
		}
		for range 15 {
			pose := vec.Pose{Pos: vec.V(0.4*r.NormFloat64(), 0.4*r.NormFloat64(), 0), Rot: vec.FromRotationVector(vec.V(0.3*r.NormFloat64(), 0.3*r.NormFloat64(), r.NormFloat64()))}
			pose.Pos.Z = w.touchdown(id, pose) - math.Pow(10, -4+2.5*r.Float64())
			f, _ := w.pressAt(id, pose)
			depth := math.Sqrt(2 * storedIn(w))
			for k, turn := range turns {
				g, _ := turned[k].pressAt(ids[k], vec.Pose{Pos: turn.Rotate(pose.Pos), Rot: turn.Mul(pose.Rot)})
				off := g.Sub(turn.Rotate(f)).Norm() / depth
				worst, sum, count = max(worst, off), sum+off*off, count+1
			}
		}
	}
	mean := math.Sqrt(sum / float64(count))
	t.Logf("the force changes by %.2g of stiffness and depth at most, in the mean by %.2g", worst, mean)
	if !(worst < 0.03 && mean < 0.006) {
		t.Errorf("the force on turned ground changes by %.2g of stiffness and depth, in the mean by %.2g, expected 0.03 and 0.006 at most", worst, mean)
	}
}
