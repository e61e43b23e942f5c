package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestGrazingBudgetHolds slides bodies along two grazing faces, rotates them slightly, and moves
// them apart and together, within the budget of their proof. Wherever package kernels answers, the
// answer is the search's, to the bit.
func TestGrazingBudgetHolds(t *testing.T) {
	shapes := bricks(t, 1)
	r := rand.New(rand.NewPCG(61, 3))
	s := narrow.NewSearch()
	pairs := 3000
	if require.Quick() {
		pairs = 700
	}
	type touch struct {
		p, q       soa.Shape
		pa, pb     vec.Pose
		quadA      soa.Quad
		quadB      soa.Quad
		quick, all narrow.Answer
	}
	var touches []touch
	gaps := []float64{0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-14, -1e-14, 5e-14, -1e-13, -4e-13}
	for range pairs {
		p, q := soa.Shape(r.IntN(shapes.Len())), soa.Shape(r.IntN(shapes.Len()))
		a, b := shapes.View(p), shapes.View(q)
		_, pb := onTop(r, a, b, -gaps[r.IntN(len(gaps))], 0)
		q1 := vec.FromRotationVector(vec.V(r.Float64(), r.Float64(), r.Float64()))
		pa := vec.Pose{Rot: q1}
		pb = vec.Pose{Rot: q1.Mul(pb.Rot).Normalized(), Pos: q1.Rotate(pb.Pos)}
		var was narrow.Answer
		if s.Resolve(a, pa, b, pb, 0, &was); !s.Feature(a, pa, b, pb, 0, was.Facet, &was) {
			continue
		}
		proof := s.Budget(1 / min(a.Radius, b.Radius))
		if proof.QuadA == 0 {
			continue
		}
		for range 6 {
			u := was.Normal.Perpendicular().Unit()
			u = u.Scale(r.NormFloat64()).AddScaled(r.NormFloat64(), was.Normal.Cross(u)).Unit()
			at := pb
			at.Pos = at.Pos.AddScaled(0.99*proof.Motion*r.Float64(), u).AddScaled(gaps[r.IntN(len(gaps))]-was.Gap, was.Normal)
			if r.IntN(2) == 0 {
				at.Rot = vec.FromRotationVector(u.Scale(math.Pow(10, -16+6*r.Float64()))).Mul(at.Rot).Normalized()
			}
			c := touch{p, q, pa, at, proof.QuadA, proof.QuadB, narrow.Answer{}, narrow.Answer{}}
			s.Iterate(a, pa, b, at, 0, &c.quick)
			s.Exhaustive(a, pa, b, at, 0, &c.all)
			if clearOf(c.all.Gap, true, a.Radius, b.Radius) {
				touches = append(touches, c)
			}
		}
	}
	bodies := &soa.Bodies{}
	bodies.Resize(2 * len(touches))
	for i, c := range touches {
		bodies.Pos.Set(2*i, c.pa.Pos)
		bodies.Rot.Set(2*i, c.pa.Rot)
		bodies.Pos.Set(2*i+1, c.pb.Pos)
		bodies.Rot.Set(2*i+1, c.pb.Rot)
	}
	for backend := range backends.Each(t) {
		var f kernels.FaceFaces
		f.Resize(len(touches))
		for i, c := range touches {
			f.Set(i, soa.PoseRow(2*i), soa.PoseRow(2*i+1), uint32(c.quadA), uint32(c.quadB))
		}
		f.Solve(shapes, &bodies.PoseColumns, 0, f.Len())
		known := 0
		for i, c := range touches {
			if !f.Known(i) {
				continue
			}
			known++
			id := f.Facet(i, shapes)
			same := func(want *narrow.Answer) bool {
				return id == want.Facet && f.Gap[i] == want.Gap && f.Normal.At(i) == want.Normal && f.ArmA.At(i) == want.ArmA && f.ArmB.At(i) == want.ArmB
			}
			if !same(&c.quick) && !same(&c.all) {
				t.Fatalf("%s, shapes %d and %d: %v %g %v %v %v, the searches\n%+v\n%+v", backend, c.p, c.q,
					id, f.Gap[i], f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i), c.quick, c.all)
			}
		}
		t.Logf("%s: %d pairs, %d known", backend, len(touches), known)
		if len(touches) < 2*pairs || known < len(touches)*6/10 {
			t.Errorf("%s: %d pairs, %d known: too few to prove anything", backend, len(touches), known)
		}
	}
}
