package narrow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// rested is an arena of what things rest on, two boxes and a triangle of a wall, and of what rests on them.
func rested(t testing.TB, scale float64) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	add := func(tpl *soa.Template, err error) {
		t.Helper()
		if err == nil {
			_, err = shapes.Add(tpl)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	solid := func(p *geometry.Polyhedron, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		add(p.Template(), nil)
	}
	solid(geometry.Box(40*scale, 30*scale, scale))
	solid(geometry.Box(1.5*scale, 2*scale, scale))
	add(geometry.FacetTemplate(vec.V(-2, -2, 0).Scale(scale), vec.V(3, -2, 0).Scale(scale), vec.V(0, 4, 0.1).Scale(scale)))
	solid(geometry.Tetra(scale))
	solid(geometry.Box(scale, 0.5*scale, 0.5*scale))
	solid(geometry.Octa(0.7 * scale))
	solid(geometry.Prism(3, 0.4*scale, scale))
	solid(geometry.Prism(6, 0.5*scale, 0.8*scale))
	return shapes
}

const resters = 3 // the first shape of rested that rests on others

// resting lays a face or an edge of b on a face of a, depth deep, tilted by an angle about any axis in the plane, somewhere on
// it. Of a facet it is the upper side.
func resting(r *rand.Rand, a, b *soa.View, depth, tilt float64) (pa, pb vec.Pose) {
	f := soa.Face(r.IntN(a.NFaces))
	if a.Kind == soa.Facet {
		f = 0
	}
	n := a.Normal(f)
	k := soa.HalfEdge(r.IntN(len(b.Tail)))
	down := b.Normal(b.Face[k])
	if r.IntN(2) == 0 {
		down = down.Scale(0.2+r.Float64()).AddScaled(0.2+r.Float64(), b.Normal(b.Face[b.Twin[k]])).Unit()
	}
	turn := vec.Identity
	if axis := down.Cross(n.Neg()); axis.Norm() > 1e-9 {
		turn = vec.FromRotationVector(axis.Unit().Scale(math.Atan2(axis.Norm(), -down.Dot(n))))
	} else if down.Dot(n) > 0 {
		turn = vec.FromRotationVector(n.Perpendicular().Scale(math.Pi))
	}
	u := n.Perpendicular().Unit()
	v := n.Cross(u)
	lean := 2 * math.Pi * r.Float64()
	axis := u.Scale(math.Cos(lean)).AddScaled(math.Sin(lean), v)
	twist := vec.FromRotationVector(n.Scale(6 * r.Float64()))
	pb.Rot = vec.FromRotationVector(axis.Scale(tilt)).Mul(twist).Mul(turn).Normalized()
	low := math.Inf(1)
	for i := range b.NVerts {
		low = min(low, n.Dot(pb.Rot.Rotate(b.Vert(soa.Vertex(i)))))
	}
	// A mean of the face's corners.
	at, sum := vec.Vec3{}, 0.0
	first := a.LoopFirst[f]
	for i := range a.LoopLen[f] {
		w := r.Float64()
		at, sum = at.AddScaled(w, a.Vert(a.Tail[first+i])), sum+w
	}
	at = at.Scale(1 / sum)
	pb.Pos = at.AddScaled(a.D[f]-n.Dot(at)-depth-low, n)
	pa.Rot = vec.Identity
	return pa, pb
}

// TestLowestBudgetHolds moves bodies that rest on a face up to the budget of the face and the vertices that may be the lowest:
// wherever they overlap and package kernels knows the answer, it is that of a search from nothing, to the bit, on every
// backend.
func TestLowestBudgetHolds(t *testing.T) {
	for i, scale := range []float64{1, 1e-6, 1e6} {
		t.Run(fmt.Sprintf("scale=%g", scale), func(t *testing.T) {
			lowestBudgetHolds(t, rand.New(rand.NewPCG(26, uint64(i))), scale)
		})
	}
}

func lowestBudgetHolds(t *testing.T, r *rand.Rand, scale float64) {
	shapes := rested(t, scale)
	s, oracle := narrow.NewSearch(), narrow.NewSearch()
	pairs := 20000
	if require.Quick() {
		pairs = 4000
	}
	type touch struct {
		a, b  soa.Body
		p, q  soa.Shape
		want  narrow.Answer
		was   soa.FacetID
		proof narrow.Proof
	}
	bodies := &soa.Bodies{}
	place := func(pose vec.Pose) soa.Body {
		i := bodies.Len()
		bodies.Resize(i + 1)
		bodies.Pos.Set(i, pose.Pos)
		bodies.Rot.Set(i, pose.Rot)
		return soa.Body(i)
	}
	var touches []touch
	proofs, budgets, longer, onFacets := 0, 0, 0, 0
	for range pairs {
		p, q := soa.Shape(r.IntN(shapes.Len())), soa.Shape(resters+r.IntN(shapes.Len()-resters))
		a, b := shapes.View(p), shapes.View(q)
		pa, pb := resting(r, a, b, scale*math.Pow(10, -4+3*r.Float64()), math.Pow(10, -10+8.5*r.Float64()))
		far := scale // or a million sizes from the origin
		if r.IntN(4) == 0 {
			far *= 1e6
		}
		frame := vec.Pose{Pos: vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Scale(far), Rot: vec.FromRotationVector(vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()))}
		pa, pb = vec.Pose{Pos: frame.Point(pa.Pos), Rot: frame.Rot.Mul(pa.Rot)}, vec.Pose{Pos: frame.Point(pb.Pos), Rot: frame.Rot.Mul(pb.Rot)}
		if a.Kind == soa.Facet || r.IntN(2) == 0 {
			p, q, a, b, pa, pb = q, p, b, a, pb, pa
		}
		var was, warm, cold narrow.Answer
		oracle.Resolve(a, pa, b, pb, 0, &was)
		if was.Status != narrow.Penetrating || !s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
			continue
		}
		proofs++
		proof := s.Budget(1 / min(a.Radius, b.Radius))
		if proof.Lowest.None() {
			continue
		}
		budgets++
		if b.Kind == soa.Facet {
			onFacets++
		}
		for left := proof.Motion; left > 0; {
			m := left * math.Pow(10, -3*r.Float64())
			if m < 0.02*proof.Motion || r.IntN(10) == 0 {
				m = left
			}
			left -= m
			share := r.Float64()
			qa, qb := shifted(r, pa, m*share, a.Radius, false), shifted(r, pb, m*(1-share), b.Radius, false)
			if oracle.Iterate(a, qa, b, qb, 0, &cold); cold.Status != narrow.Penetrating {
				qa.Pos, qb.Pos = pa.Pos.Scale(2).Sub(qa.Pos), pb.Pos.Scale(2).Sub(qb.Pos) // the other way
				oracle.Iterate(a, qa, b, qb, 0, &cold)
			}
			if cold.Status != narrow.Penetrating || !narrow.Clear(cold.Gap, false, a.Radius, b.Radius) {
				continue // they have gone apart, and come back
			}
			pa, pb = qa, qb
			if cold.Facet != was.Facet {
				longer++
			}
			touches = append(touches, touch{place(pa), place(pb), p, q, cold, warm.Facet, proof})
		}
	}
	for backend := range backends.Each(t) {
		known := 0
		for kind := soa.FaceVertex; kind <= soa.VertexFace; kind++ {
			f := kernels.Lowest{Facets: kernels.Facets{Kind: kind}}
			f.Resize(soa.Pad(len(touches)))
			var row []touch
			for _, c := range touches {
				if c.was.Kind == kind {
					f.Set(len(row), shapes, c.a, c.b, c.p, c.q, c.was, c.proof.Lowest)
					row = append(row, c)
				}
			}
			f.Solve(shapes, bodies, 0, f.Fill(len(row)))
			for i, c := range row {
				if !f.Known(i) {
					continue
				}
				known++
				if id := f.Facet(i, c.was, c.proof.Lowest); id != c.want.Facet {
					t.Fatalf("%s, shapes %d and %d, budget %g, was %v: facet %v, the search says %v, gaps %g and %g",
						backend, c.p, c.q, c.proof.Motion, c.was, id, c.want.Facet, f.Gap[i], c.want.Gap)
				}
				got := [4]vec.Vec3{{X: f.Gap[i]}, f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)}
				want := [4]vec.Vec3{{X: c.want.Gap}, c.want.Normal, c.want.ArmA, c.want.ArmB}
				if got != want {
					t.Fatalf("%s, shapes %d and %d, %v: gap, normal, arms\n%v, the search\n%v", backend, c.p, c.q, c.want.Facet, got, want)
				}
			}
		}
		t.Logf("%s: %d proofs, %d budgets, %d of them on a facet of a wall, %d steps, %d of them at another vertex, %d known",
			backend, proofs, budgets, onFacets, len(touches), longer, known)
		if budgets < pairs/8 || onFacets < budgets/20 || longer < len(touches)/8 || len(touches) < budgets*3/2 || known < len(touches)*9/10 {
			t.Errorf("%s: too few to prove anything", backend)
		}
	}
}

func TestLowestDoesNotAllocate(t *testing.T) {
	shapes := rested(t, 1)
	a, b := shapes.View(0), shapes.View(resters)
	r := rand.New(rand.NewPCG(26, 4))
	s := narrow.NewSearch()
	budgets := 0
	for range 20 {
		pa, pb := resting(r, a, b, 0.01, 1e-4)
		var out narrow.Answer
		s.Resolve(a, pa, b, pb, 0, &out)
		id := out.Facet
		if n := testing.AllocsPerRun(20, func() {
			if s.Feature(a, pa, b, pb, 0, id, &out) && !s.Budget(1).Lowest.None() {
				budgets++
			}
		}); n != 0 {
			t.Errorf("%g allocations", n)
		}
	}
	if budgets < 100 {
		t.Errorf("%d budgets of a few vertices: too few to prove anything", budgets)
	}
}
