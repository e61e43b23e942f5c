package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// PlaneTemplate returns the shape of an infinite wall: the half-space z ≤ 0 of its frame. Only
// walls may have this shape. Such a wall may move but not turn, because a turning plane would sweep
// over all bodies at once.
func PlaneTemplate() *soa.Template { return &soa.Template{Kind: soa.Plane, Name: "plane"} }

// PlanePose returns the pose of a plane through a point with a normal, which need not be unit. If
// the normal is zero or not finite, it returns a pose that AddWall rejects.
func PlanePose(point, normal vec.Vec3) vec.Pose {
	n := normal.Unit()
	if n == (vec.Vec3{}) {
		return vec.Pose{Pos: vec.V(math.NaN(), math.NaN(), math.NaN())}
	}
	u := n.Perpendicular()
	if n == (vec.Vec3{Z: 1}) {
		return vec.Pose{Pos: point, Rot: vec.Identity}
	}
	return vec.Pose{Pos: point, Rot: vec.Mat3{R0: u, R1: n.Cross(u), R2: n}.T().Quat()}
}

func (w bodyAdder) checkPlane(id soa.ID, v *WallSpec) error {
	for i, p := range v.Parts {
		if w.space.Shapes.Kind[p.Shape].IsEndless() && v.Motion.turns() {
			return mark.Errorf(ErrBody, "engine: wall %d %q part %d is a plane that turns, expected one that only moves",
				id, v.Name, i)
		}
	}
	return nil
}
