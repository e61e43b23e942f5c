package narrow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bricks returns an arena of boxes and a frustum, whose faces are quadrangles, and of a prism and a
// rock, which have other faces too.
func bricks(t testing.TB, scale float64) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	add := func(p *geometry.Polyhedron, err error) {
		t.Helper()
		if err == nil {
			_, err = shapes.Add(p.Template())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(geometry.Box(scale, 0.5*scale, 0.5*scale))
	add(geometry.Box(scale, scale, scale))
	add(geometry.Box(0.3*scale, 0.7*scale, 0.4*scale))
	add(geometry.Prism(12, 0.5*scale, scale))
	return shapes
}

// onTop lays a face of b on a face of a, at the given depth: parallel, tilted about an axis of a's
// face by an angle, or tilted at random. b is rotated by quarter turns or at random, and not
// shifted relative to an axis.
func onTop(r *rand.Rand, a, b *soa.View, depth, tilt float64) (pa, pb vec.Pose) {
	f, g := soa.Face(r.IntN(a.NFaces)), soa.Face(r.IntN(b.NFaces))
	n, m := a.Normal(f), b.Normal(g)
	turn := vec.Identity
	if axis := m.Cross(n.Neg()); axis.Norm() > 1e-9 {
		turn = vec.FromRotationVector(axis.Unit().Scale(math.Atan2(axis.Norm(), -m.Dot(n))))
	} else if m.Dot(n) > 0 {
		turn = vec.FromRotationVector(n.Perpendicular().Scale(math.Pi))
	}
	twist := math.Pi / 2 * float64(r.IntN(4))
	if r.IntN(4) == 0 {
		twist = 6 * r.Float64()
	}
	u := a.Vert(a.Tail[a.LoopFirst[f]]).Sub(a.Vert(a.Head(a.LoopFirst[f]))).Unit()
	switch r.IntN(4) {
	case 0:
		u = u.AddScaled(r.Float64(), n.Cross(u)).Unit()
	case 1:
		tilt = 0
	}
	pb.Rot = vec.FromRotationVector(u.Scale(tilt)).Mul(vec.FromRotationVector(n.Scale(twist))).Mul(turn).Normalized()
	small := min(a.Radius, b.Radius)
	pb.Pos = n.Scale(a.D[f]+b.D[g]-depth).AddScaled(small*(0.8*r.Float64()-0.4), u)
	if r.IntN(2) == 0 {
		pb.Pos = pb.Pos.AddScaled(small*(0.8*r.Float64()-0.4), n.Cross(u))
	}
	pa.Rot = vec.Identity
	return pa, pb
}

// endToEnd stands b beside a like bricks of a course: a face on a face, tilted about an axis of a's
// face, with the lowest edge along a side of it. The edge lies inside by about as little as the
// facet needs to be the shallowest, or as far outside.
func endToEnd(r *rand.Rand, a, b *soa.View, depth, tilt float64) (pa, pb vec.Pose) {
	pa, pb = onTop(r, a, b, depth, tilt)
	var n, side vec.Vec3
	var d float64
	for f := range a.NFaces {
		if m := a.Normal(soa.Face(f)); m.Dot(pb.Pos)-a.D[f] > d || f == 0 {
			n, d = m, m.Dot(pb.Pos)-a.D[f]
			h := a.LoopFirst[f] + soa.HalfEdge(r.IntN(int(a.LoopLen[f])))
			side = n.Cross(a.Vert(a.Head(h)).Sub(a.Vert(a.Tail[h]))).Unit()
		}
	}
	pb.Rot = vec.FromRotationVector(n.Cross(side).Scale(tilt)).Mul(vec.FromRotationVector(n.Scale(math.Pi / 2 * float64(r.IntN(4)))))
	low, reach, far := vec.Vec3{}, math.Inf(-1), math.Inf(-1)
	for k := range b.NVerts {
		if p := pb.Rot.Rotate(b.Vert(soa.Vertex(k))); k == 0 || n.Dot(p) < n.Dot(low) {
			low = p
		}
	}
	for k := range a.NVerts {
		reach, far = max(reach, side.Dot(a.Vert(soa.Vertex(k)))), max(far, n.Dot(a.Vert(soa.Vertex(k))))
	}
	if side.Dot(low) < 0 {
		reach = -reach
	}
	inside := tilt * depth * math.Pow(10, 2*r.Float64()-1.5)
	if r.IntN(3) == 0 {
		inside = -inside
	}
	pb.Pos = n.Scale(far-depth-n.Dot(low)).AddScaled(reach-math.Copysign(inside, reach)-side.Dot(low), side)
	if r.IntN(2) == 0 {
		pb.Pos = pb.Pos.AddScaled(0.2*min(a.Radius, b.Radius)*r.NormFloat64(), n.Cross(side))
	}
	return pa, pb
}

// within returns how far a point, frame of the shape, lies outside the shape.
func within(v *soa.View, p vec.Vec3) float64 {
	worst := math.Inf(-1)
	for f := range v.NFaces {
		worst = max(worst, v.Normal(soa.Face(f)).Dot(p)-v.D[f])
	}
	return worst
}

// clearOf is proof.Clear, where a proof is named proof.
var clearOf = proof.Clear

// TestCoplanarWitness checks that the witness points of faces on faces lie on both bodies, each on
// the plane of the facet. Swapping the bodies keeps them up to rounding, and a power of two scales
// them to the bit.
func TestCoplanarWitness(t *testing.T) {
	const k = 0x1p-20
	shapes, small := bricks(t, 1), bricks(t, k)
	r := rand.New(rand.NewPCG(16, 1))
	s := narrow.NewSearch()
	flat, same := 0, 0
	for range 3000 {
		p, q := soa.Shape(r.IntN(shapes.Len())), soa.Shape(r.IntN(shapes.Len()))
		a, b := shapes.View(p), shapes.View(q)
		pa, pb := onTop(r, a, b, math.Pow(10, -6+4*r.Float64()), math.Pow(10, -6+4*r.Float64()))
		var ans, swapped, scaled narrow.Answer
		s.Resolve(a, pa, b, pb, 0, &ans)
		if ans.Status != narrow.Penetrating || ans.Facet.Kind > soa.VertexFace {
			continue
		}
		flat++
		unit := max(a.Radius, b.Radius, pb.Pos.Norm())
		onA, onB := pa.Rot.RotateInv(ans.ArmA), pb.Rot.RotateInv(ans.ArmB)
		if d := max(within(a, onA), within(b, onB)); d > 0x1p-42*unit {
			t.Errorf("shapes %d on %d, %v: a witness lies %g outside", q, p, ans.Facet, d)
		}
		if ans.Facet.Kind == soa.FaceVertex {
			f := soa.Face(ans.Facet.A)
			if d := math.Abs(a.Normal(f).Dot(onA) - a.D[f]); d > 1e-15*unit {
				t.Errorf("shapes %d on %d: A's witness is %g off its face", q, p, d)
			}
		}
		s.Resolve(b, pb, a, pa, 0, &swapped)
		if swapped.Facet.Kind != ans.Facet.Kind && math.Abs(ans.Gap-swapped.Gap) < 0x1p-48*unit {
			same++
			if d := swapped.ArmB.Sub(ans.ArmA).Norm(); d > 1e-9*unit {
				t.Errorf("shapes %d on %d, %v and %v: changed over, the witness moves by %g", q, p, ans.Facet, swapped.Facet, d)
			}
		}
		pa.Pos, pb.Pos = pa.Pos.Scale(k), pb.Pos.Scale(k)
		s.Resolve(small.View(p), pa, small.View(q), pb, 0, &scaled)
		if scaled.ArmA != ans.ArmA.Scale(k) || scaled.ArmB != ans.ArmB.Scale(k) || scaled.Gap != ans.Gap*k {
			t.Errorf("shapes %d on %d: scaled\n%+v, not\n%+v", q, p, scaled, ans)
		}
	}
	if flat < 1000 || same < 300 {
		t.Errorf("%d faces in contact, %d of them the same changed over: too few to prove anything", flat, same)
	}
}

// TestCoplanarExactly tests cubes with a simple common region.
func TestCoplanarExactly(t *testing.T) {
	cube := bricks(t, 1).View(1)
	s := narrow.NewSearch()
	for _, test := range []struct{ pos, arm vec.Vec3 }{
		{vec.V(0.25, 0, 0.99), vec.V(0.125, 0, 0.5)},
		{vec.V(-0.5, 0.25, 0.99), vec.V(-0.25, 0.125, 0.5)},
		{vec.V(0, 0, 0.99), vec.V(0, 0, 0.5)},
	} {
		var ans narrow.Answer
		s.Resolve(cube, vec.IdentityPose, cube, vec.Pose{Pos: test.pos, Rot: vec.Identity}, 0, &ans)
		if d := ans.ArmA.Sub(test.arm).Norm(); d > 1e-15 {
			t.Errorf("%v: the witness is %v, want %v", test.pos, ans.ArmA, test.arm)
		}
	}
}

// TestFaceBudgetHolds moves the bodies of two faces proven as a pair up to the budget of the proof.
// Wherever the bodies overlap and package kernels answers, the answer is that of a new search, to
// the bit, on every backend.
func TestFaceBudgetHolds(t *testing.T) {
	const scale = 1
	shapes := bricks(t, scale)
	r := rand.New(rand.NewPCG(16, 3))
	s := narrow.NewSearch()
	pairs := 6000
	if require.Quick() {
		pairs = 1500
	}
	type touch struct {
		a, b  soa.PoseRow
		want  narrow.Answer
		proof narrow.Proof
		p, q  soa.Shape
	}
	bodies := &soa.Bodies{}
	place := func(pose vec.Pose) soa.PoseRow {
		i := bodies.Len()
		bodies.Resize(i + 1)
		bodies.Pos.Set(i, pose.Pos)
		bodies.Rot.Set(i, pose.Rot)
		return soa.PoseRow(i)
	}
	var touches []touch
	proofs, budgets := 0, 0
	for range pairs {
		p, q := soa.Shape(r.IntN(shapes.Len())), soa.Shape(r.IntN(shapes.Len()))
		a, b := shapes.View(p), shapes.View(q)
		lay, shortest := onTop, 3.0
		if r.IntN(3) == 0 {
			lay, shortest = endToEnd, 9
		}
		pa, pb := lay(r, a, b, math.Pow(10, -5+3.5*r.Float64()), math.Pow(10, -9+8*r.Float64()))
		var was, warm, cold narrow.Answer
		s.Resolve(a, pa, b, pb, 0, &was)
		if was.Status != narrow.Penetrating || !s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
			continue
		}
		proofs++
		proof := s.Budget(1 / min(a.Radius, b.Radius))
		if proof.QuadA == 0 {
			continue
		}
		budgets++
		for left := proof.Motion; left > 0; {
			m := left * math.Pow(10, -shortest*r.Float64())
			if r.IntN(4) == 0 {
				m = left
			}
			left -= m
			share := r.Float64()
			along := r.IntN(3) == 0 // rotations about an axis of A keep edges parallel
			pa, pb = shifted(r, pa, m*share, a.Radius, false), shifted(r, pb, m*(1-share), b.Radius, along)
			s.Resolve(a, pa, b, pb, 0, &cold)
			if cold.Status != narrow.Penetrating || !clearOf(cold.Gap, true, a.Radius, b.Radius) {
				break
			}
			touches = append(touches, touch{place(pa), place(pb), cold, proof, p, q})
		}
	}
	for backend := range backends.Each(t) {
		var f kernels.FaceFaces
		f.Resize(len(touches))
		for i, c := range touches {
			f.Set(i, c.a, c.b, uint32(c.proof.QuadA), uint32(c.proof.QuadB))
		}
		f.Solve(shapes, &bodies.PoseColumns, 0, f.Len())
		known, flush := 0, 0
		for i, c := range touches {
			if !f.Known(i) {
				continue
			}
			known++
			if id := f.Facet(i, shapes); id != c.want.Facet {
				t.Fatalf("%s, shapes %d and %d, budget %g: facet %v, the search says %v, gaps %g and %g",
					backend, c.p, c.q, c.proof.Motion, id, c.want.Facet, f.Gap[i], c.want.Gap)
			}
			got := [4]vec.Vec3{{X: f.Gap[i]}, f.Normal.At(i), f.ArmA.At(i), f.ArmB.At(i)}
			want := [4]vec.Vec3{{X: c.want.Gap}, c.want.Normal, c.want.ArmA, c.want.ArmB}
			if got != want {
				t.Fatalf("%s, shapes %d and %d, %v: gap, normal, arms\n%v, the search\n%v", backend, c.p, c.q, c.want.Facet, got, want)
			}
			if c.want.Facet.Kind == soa.VertexFace {
				flush++
			}
		}
		t.Logf("%s: %d proofs, %d budgets of faces, %d steps, %d known, %d of them by B's face",
			backend, proofs, budgets, len(touches), known, flush)
		if budgets < pairs/8 || known < len(touches)/4 || flush < known/20 {
			t.Errorf("%s: %d proofs, %d budgets of faces, %d steps, %d known, %d by B's face: too few to prove anything",
				backend, proofs, budgets, len(touches), known, flush)
		}
	}
}

// shifted returns a pose whose odometer has advanced by m for a body of the given radius. The
// rotation is about an axis of the world if along is true, otherwise about any axis.
func shifted(r *rand.Rand, p vec.Pose, m, radius float64, along bool) vec.Pose {
	unit := func() vec.Vec3 { return vec.V(r.NormFloat64(), r.NormFloat64(), r.NormFloat64()).Unit() }
	m *= 1 - 1e-9
	turn := m * r.Float64()
	if r.IntN(3) == 0 {
		turn = m * float64(r.IntN(2))
	}
	axis := unit()
	if along {
		axis = [3]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[r.IntN(3)]
	}
	if r.IntN(4) > 0 {
		p.Rot = vec.FromRotationVector(axis.Scale(turn / radius)).Mul(p.Rot).Normalized()
	}
	p.Pos = p.Pos.AddScaled(m-turn, unit())
	return p
}

func TestCoplanarDoesNotAllocate(t *testing.T) {
	cube := bricks(t, 1).View(1)
	s := narrow.NewSearch()
	pb := vec.Pose{Pos: vec.V(0.25, 0, 0.99), Rot: vec.Identity}
	var out narrow.Answer
	s.Resolve(cube, vec.IdentityPose, cube, pb, 0, &out)
	id := out.Facet
	if n := testing.AllocsPerRun(100, func() {
		if !s.Feature(cube, vec.IdentityPose, cube, pb, 0, id, &out) || s.Budget(1).QuadA == 0 {
			t.Error("two cubes are not proven")
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
