package oracle

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestWay tests cases with a known result, and steps too small for float64.
func TestWay(t *testing.T) {
	z := func(angle float64) vec.Quat { return vec.FromRotationVector(vec.V(0, 0, angle)) }
	far := vec.V(1e9, 0, 0)
	for _, c := range []struct {
		name      string
		p         vec.Vec3
		from, to  vec.Pose
		way, turn float64
	}{
		{"rest", vec.V(1, 2, 3), vec.Pose{Pos: far, Rot: z(2)}, vec.Pose{Pos: far, Rot: z(2)}, 0, 0},
		{"shift", vec.V(1, 2, 3), vec.Pose{Rot: z(2)}, vec.Pose{Pos: vec.V(0, 3, 4), Rot: z(2)}, 5, 0},
		{"turn", vec.V(2, 0, 7), vec.Pose{Rot: z(0)}, vec.Pose{Rot: z(1)}, 4 * math.Sin(0.5), 1},
		{"half a turn", vec.V(2, 0, 7), vec.Pose{Rot: z(0)}, vec.Pose{Rot: vec.Quat{Z: 1}}, 4, math.Pi},
		{"the same rotation", vec.V(2, 0, 7), vec.Pose{Rot: z(1)}, vec.Pose{Rot: vec.Quat{W: -z(1).W, Z: -z(1).Z}}, 0, 0},
		{"a norm that is not 1", vec.V(2, 0, 7), vec.Pose{Rot: vec.Quat{W: 3}}, vec.Pose{Rot: vec.Quat{W: 5}}, 0, 0},
		{"a small turn far away", vec.V(0, 3, 0), vec.Pose{Pos: far, Rot: vec.Identity}, vec.Pose{Pos: far, Rot: vec.Quat{W: 1, Z: 1e-30}}, 6e-30, 2e-30},
	} {
		way, _ := Way(c.p, c.from, c.to).Float64()
		turn, _ := Turn(c.from.Rot, c.to.Rot).Float64()
		if math.Abs(way-c.way) > 1e-15*c.way || math.Abs(turn-c.turn) > 1e-13*c.turn {
			t.Errorf("%s: way %v, turn %v, expected %v and %v", c.name, way, turn, c.way, c.turn)
		}
	}
}
