package narrow

import (
	"errors"
	"fmt"
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Separation is the gap, normal and witness points of two posed shapes.
type Separation struct {
	Gap      float64  // m, exact: the distance, or minus the penetration depth if the shapes overlap
	Normal   vec.Vec3 // unit, from A to B, world axes
	OnA, OnB vec.Vec3 // m, world axes: witness points on A and B, with OnB = OnA + Gap·Normal
}

// Distance returns the exact gap of two shapes, of any kinds and in any order. A pose maps the
// frame in which the shape was given, that of its file, to the world. The zero pose and a zero
// rotation are the identity.
//
// The error names the shape that is nil, the pose that is not finite or not a rotation, or two
// shapes without a gap: two facets or planes, or shapes that are not convex.
//
// Distance is for a single query: it copies both shapes, which allocates. For many queries keep an
// arena and a Search, and call Search.Resolve with an infinite reach.
func Distance(a *soa.Template, pa vec.Pose, b *soa.Template, pb vec.Pose) (Separation, error) {
	if a == nil || b == nil {
		return Separation{}, errors.New("narrow: a shape is nil, expected two shapes")
	}
	if a.Kind > b.Kind {
		s, err := Distance(b, pb, a, pa)
		return Separation{Gap: s.Gap, Normal: s.Normal.Neg(), OnA: s.OnB, OnB: s.OnA}, err
	}
	var arena soa.Shapes
	shapes, poses := [2]*soa.Template{a, b}, [2]vec.Pose{pa.OrIdentity(), pb.OrIdentity()}
	var rows [2]soa.Shape
	for i, t := range shapes {
		p := &poses[i]
		if norm := p.Rot.Norm(); !p.Pos.Finite() || !(math.Abs(norm-1) <= rotTolerance) {
			return Separation{}, fmt.Errorf("narrow: shape %q has pose %v, expected finite with a unit quaternion", t.Name, *p)
		}
		p.Rot = p.Rot.Normalized()
		p.Pos = p.Point(t.Origin)
		var err error
		if rows[i], err = arena.Add(t); err != nil {
			return Separation{}, fmt.Errorf("narrow: shape %q: %w", t.Name, err)
		}
	}
	var out Answer
	NewSearch().Resolve(arena.View(rows[0]), poses[0], arena.View(rows[1]), poses[1], math.Inf(1), &out)
	if out.Status > Penetrating {
		return Separation{}, fmt.Errorf("narrow: shapes %q and %q, a %v and a %v, have no gap at %v and %v: %v", a.Name, b.Name, a.Kind, b.Kind, pa, pb, out.Status)
	}
	return Separation{Gap: out.Gap, Normal: out.Normal, OnA: poses[0].Pos.Add(out.ArmA), OnB: poses[1].Pos.Add(out.ArmB)}, nil
}

// rotTolerance is how far the norm of a quaternion may differ from 1 before Distance rejects the
// pose. Within the tolerance Distance normalises the quaternion. The file formats use the same
// tolerance.
// Smaller: short input is refused. Larger: mistakes pass.
const rotTolerance = 1e-3
