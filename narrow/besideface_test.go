package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestLowestBudgetBesideTheFace lays a slab on a small cube, nearly parallel, with vertices beyond
// the cube's top, and rotates the cube by the whole budget. These vertices move with a lever longer
// than the cube's radius. The batch must return the search's answer.
func TestLowestBudgetBesideTheFace(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	s, o := narrow.NewSearch(), narrow.NewSearch()
	taken := 0
	for _, ratio := range []float64{1, 2, 4, 10, 40} {
		shapes := &soa.Shapes{}
		for _, x := range []float64{1, ratio} {
			p, err := geometry.Box(x, 0.8*x, 1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := shapes.Add(p.Template()); err != nil {
				t.Fatal(err)
			}
		}
		a, b := shapes.View(0), shapes.View(1)
		level := func(turn float64) vec.Quat {
			at := 2 * math.Pi * r.Float64()
			return vec.FromRotationVector(vec.V(math.Cos(at), math.Sin(at), 0).Scale(turn))
		}
		for range 3000 {
			rot := level(math.Pow(10, -6+4*r.Float64())).Mul(vec.FromRotationVector(vec.V(0, 0, 6*r.Float64())))
			low := vec.V(0, 0, math.Inf(1))
			for i := range b.NVerts {
				if p := rot.Rotate(b.Vert(soa.Vertex(i))); p.Z < low.Z {
					low = p
				}
			}
			pa := vec.IdentityPose
			pb := vec.Pose{Rot: rot, Pos: vec.V(r.Float64()-0.5, 0.8*r.Float64()-0.4, 0.5-math.Pow(10, -5+3*r.Float64())).Sub(low)}
			var was, warm, got, want narrow.Answer
			o.Resolve(a, pa, b, pb, 0, &was)
			if was.Status != narrow.Penetrating || !s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
				continue
			}
			proof := s.Budget(1 / min(a.Radius, b.Radius))
			if proof.Motion == 0 {
				continue
			}
			var con soa.Contacts
			var bodies soa.Bodies
			con.Resize(1)
			bodies.Resize(2)
			con.Facet[0] = warm.Facet
			proof.Store(&con, 0, 1, shapes, 0, 1, warm.Facet)
			pa.Rot = level(0.999 * proof.Motion / a.Radius)
			for i, p := range [2]vec.Pose{pa, pb} {
				bodies.Pos.Set(i, p.Pos)
				bodies.Rot.Set(i, p.Rot)
			}
			var batch narrow.ProvenBatch
			batch.Resize(1)
			batch.Begin(1)
			pair := narrow.ProvenPair{BodyA: 0, BodyB: 1, PoseA: 0, PoseB: 1, ShapeA: 0, ShapeB: 1}
			batch.Set(0, 0, &con, &bodies, &bodies.PoseColumns, &pair, 0, 0, 0)
			batch.Solve(shapes, &bodies.PoseColumns)
			if !batch.Answer(0, 0, &con, shapes, &bodies.PoseColumns, &pair, 0, &got) {
				continue
			}
			taken++
			if o.Resolve(a, pa, b, pb, 0, &want); got.Gap != want.Gap || got.Facet != want.Facet {
				t.Fatalf("ratio %g, budget %g: the batch says %v, gap %g, the search %v, gap %g\npb=%+v", ratio, proof.Motion, got.Facet, got.Gap, want.Facet, want.Gap, pb)
			}
		}
	}
	if taken < 1000 {
		t.Errorf("%d answers, expected more", taken)
	}
}
