package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func TestBallBall(t *testing.T) {
	a, b := ballOf(t, 1), ballOf(t, 0.5)
	s := NewSearch()
	for _, c := range []struct {
		name   string
		at     vec.Vec3
		gap    float64
		n      vec.Vec3
		status Status
	}{
		{"apart", vec.V(0, 3, 0), 1.5, vec.V(0, 1, 0), Separated},
		{"touching", vec.V(0, 0, -1.5), 0, vec.V(0, 0, -1), Touching},
		{"overlapping", vec.V(0.75, 0, 0), -0.75, vec.V(1, 0, 0), Penetrating},
		{"concentric", vec.V(0, 0, 0), -1.5, vec.V(1, 0, 0), Penetrating},
		{"almost concentric", vec.V(0, 0, 1e-300), -1.5, vec.V(0, 0, 1), Penetrating},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out Answer
			s.Pair(a, at(0, 0, 0), b, vec.Pose{Pos: c.at, Rot: vec.Identity}, 0, &out)
			if out.Gap != c.gap || out.Normal != c.n || out.Status != c.status || !out.Exact {
				t.Errorf("%+v", out)
			}
			if e := out.ArmA.AddScaled(out.Gap, out.Normal).Sub(c.at.Add(out.ArmB)); e.Norm() > 1e-15 {
				t.Errorf("arms miss each other by %v", e)
			}
		})
	}
}

// TestBallOnCube compares a ball against a face, an edge and a corner of a cube, inside it and on
// its surface, with the analytic gap and normal. It repeats the test against facets where the
// block's face is a facet.
func TestBallOnCube(t *testing.T) {
	const r = 0.25
	ball, cube := ballOf(t, r), box(t, 2, 2, 2)
	h := math.Sqrt(0.5)
	d := 1 / math.Sqrt(3)
	s := NewSearch()
	for _, c := range []struct {
		name string
		at   vec.Vec3
		gap  float64
		n    vec.Vec3
		kind soa.FacetKind
	}{
		{"face, apart", vec.V(1.5, 0.3, -0.2), 0.25, vec.V(-1, 0, 0), soa.VertexFace},
		{"face, touching", vec.V(0.3, 0.4, -1.25), 0, vec.V(0, 0, 1), soa.VertexFace},
		{"face, overlapping", vec.V(0.3, -1.125, 0), -0.125, vec.V(0, 1, 0), soa.VertexFace},
		{"face, over its edge", vec.V(1.125, 1, 0), -0.125, vec.V(-1, 0, 0), soa.VertexFace},
		{"edge", vec.V(1+0.2*h, 1+0.2*h, 0.1), -0.05, vec.V(-h, -h, 0), soa.VertexEdge},
		{"corner", vec.V(1+0.3*d, -1-0.3*d, 1+0.3*d), 0.05, vec.V(-d, d, -d), soa.VertexVertex},
		{"centre on a face", vec.V(0.2, 0.3, 1), -r, vec.V(0, 0, -1), soa.VertexFace},
		{"centre on an edge", vec.V(1, 1, 0.5), -r, vec.Vec3{}, soa.VertexFace},
		{"centre on a corner", vec.V(1, 1, 1), -r, vec.Vec3{}, soa.VertexFace},
		{"centre inside", vec.V(0, 0.75, 0), -r - 0.25, vec.V(0, -1, 0), soa.VertexFace},
		{"centre at the centre", vec.V(0, 0, 0), -r - 1, vec.Vec3{}, soa.VertexFace},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, q := range []vec.Quat{vec.Identity, vec.FromRotationVector(vec.V(0.3, -0.5, 0.7))} {
				pa := vec.Pose{Pos: q.Rotate(c.at).Add(vec.V(1000, -2000, 500)), Rot: vec.FromRotationVector(vec.V(1, 2, 3))}
				pb := vec.Pose{Pos: vec.V(1000, -2000, 500), Rot: q}
				var out Answer
				s.Pair(ball, pa, cube, pb, 1, &out)
				if !(math.Abs(out.Gap-c.gap) < 2e-12) || out.Facet.Kind != c.kind && q == vec.Identity && c.name != "face, over its edge" {
					t.Fatalf("%+v", out)
				}
				if c.n != (vec.Vec3{}) && out.Normal.Sub(q.Rotate(c.n)).Norm() > 5e-12 {
					t.Errorf("normal %v, expected %v", out.Normal, q.Rotate(c.n))
				}
				checkBall(t, ball, pa, cube, pb, out)
			}
		})
	}
}

// checkBall checks the invariants of every answer of a ball.
func checkBall(t *testing.T, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, out Answer) {
	t.Helper()
	dx := pb.Pos.Sub(pa.Pos)
	unit := max(a.Radius, b.Radius, dx.Norm())
	if math.Abs(out.Normal.Norm()-1) > 1e-14 {
		t.Fatalf("normal %v of length %g", out.Normal, out.Normal.Norm())
	}
	if !out.Exact {
		return
	}
	if e := out.ArmA.AddScaled(out.Gap, out.Normal).Sub(dx.Add(out.ArmB)).Norm(); !(e <= 2e-12*unit) {
		t.Fatalf("arms miss each other by %g: %+v", e, out)
	}
	if e := outside(b, pb.Rot.RotateInv(out.ArmB)); math.Abs(e) > 1e-12*unit {
		t.Fatalf("the witness is %g off the surface: %+v", e, out)
	}
	if out.Status == Separated {
		// At a small distance d the direction errs by an ulp of the coordinates over d. The bound
		// stays a bound, and is lower by that error times the size.
		loose := 1e-12*unit + 0x1p-50*unit*unit/(out.Gap+a.Radius)
		if g := pair.AxisGap(pa, b, pb, out.Axis, out.AxisSupport); g > out.Gap+1e-15*unit || g < out.Gap-loose {
			t.Fatalf("the axis proves %g of %g: %+v", g, out.Gap, out)
		}
	}
}

// bruteBall returns the gap of a ball by definition: the distance of its centre to the nearest
// face, edge or corner, or minus the depth of the centre.
func bruteBall(b *soa.View, c vec.Vec3) float64 {
	verts := worldVerts(b, vec.Identity, vec.Vec3{})
	d, deepest := math.Inf(1), math.Inf(-1)
	for f := range b.NFaces {
		d = min(d, faceDistance(b, verts, f, c))
		deepest = max(deepest, b.Normal(soa.Face(f)).Dot(c)-b.D[f])
	}
	for _, h := range b.Edge {
		d = min(d, pointToSegment(c, verts[b.Tail[h]], verts[b.Head(h)]))
	}
	if b.Kind == soa.Block && deepest <= 0 {
		return deepest
	}
	return d
}

func checkBallPair(t *testing.T, s *Search, b *soa.View, c vec.Vec3, q vec.Quat, r float64) {
	t.Helper()
	ball := &soa.View{Kind: soa.Ball, Radius: r, Inner: r}
	pa := vec.Pose{Pos: q.Rotate(c), Rot: vec.Identity}
	pb := vec.Pose{Rot: q}
	var out Answer
	s.Pair(ball, pa, b, pb, math.Inf(1), &out)
	want := bruteBall(b, q.RotateInv(pa.Pos)) - r
	unit := max(b.Radius, c.Norm(), r)
	if !out.Exact || !(math.Abs(out.Gap-want) <= 1e-12*unit) {
		t.Fatalf("gap %g, brute force %g, ball at %v: %+v", out.Gap, want, c, out)
	}
	checkBall(t, ball, pa, b, pb, out)
}

// TestRandomBalls compares balls near the surface, on it, inside and outside with brute force.
func TestRandomBalls(t *testing.T) {
	_, shapes := menagerie(t)
	shapes = append(shapes, facetOf(t, vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 1, 0.5)),
		facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0.4, 0.001, 0)))
	r := rand.New(rand.NewPCG(31, 32))
	s := NewSearch()
	for range 20000 {
		b := shapes[r.IntN(len(shapes))]
		// A weighted mean of the corners of a face, moved by between nothing and the size.
		f := r.IntN(b.NFaces)
		var c vec.Vec3
		sum := 0.0
		for i := range b.LoopLen[f] {
			w := []float64{0, 0, 1, r.Float64()}[r.IntN(4)]
			c = c.AddScaled(w, b.Vert(b.Tail[b.LoopFirst[f]+i]))
			sum += w
		}
		if sum > 0 {
			c = c.Scale(1 / sum)
		}
		c = c.AddScaled([]float64{0, 1e-16, 1e-13, 1e-9, 1e-3, 0.3, 2}[r.IntN(7)]*b.Radius, randomUnit(r))
		q := vec.Identity
		if r.IntN(2) == 0 {
			q = randomRot(r)
		}
		checkBallPair(t, s, b, c, q, r.Float64())
	}
}

// TestBallOnFacet tests both sides of a facet, its plane, its edges and its corners.
func TestBallOnFacet(t *testing.T) {
	f, ball := facetOf(t, vec.V(-1, -1, 0), vec.V(2, -1, 0), vec.V(-1, 2, 0)), ballOf(t, 0.5)
	s := NewSearch()
	for _, c := range []struct {
		name string
		at   vec.Vec3
		gap  float64
		n    vec.Vec3
	}{
		{"in front", vec.V(0.1, 0.1, 0.75), 0.25, vec.V(0, 0, -1)},
		{"behind", vec.V(0.1, 0.1, -0.25), -0.25, vec.V(0, 0, 1)},
		{"in the triangle: the side of face 0", vec.V(0.1, 0.1, 0), -0.5, vec.V(0, 0, -1)},
		{"beside an edge, in the plane", vec.V(0, -1.25, 0), -0.25, vec.V(0, 1, 0)},
		{"beyond an edge", vec.V(0, -1.3, 0.4), 0, vec.V(0, 0.6, -0.8)},
		{"beyond a corner", vec.V(2.5, -1, 0), 0, vec.V(-1, 0, 0)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out Answer
			s.Pair(ball, vec.Pose{Pos: c.at, Rot: vec.Identity}, f, at(0, 0, 0), 1, &out)
			if math.Abs(out.Gap-c.gap) > 1e-15 || out.Normal.Sub(c.n).Norm() > 1e-15 {
				t.Errorf("%+v", out)
			}
			checkBall(t, ball, vec.Pose{Pos: c.at, Rot: vec.Identity}, f, at(0, 0, 0), out)
		})
	}
}

func FuzzBallBlock(f *testing.F) {
	f.Add([]byte{1, 0, 136, 136, 136, 9, 128, 128, 128, 8})
	f.Add([]byte{9, 3, 40, 128, 100, 128, 30, 1, 2, 3, 4})
	s := NewSearch()
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _, _ = fuzzPair(t, nil) // fills fuzzShapes
		src := &byteSource{b: data}
		b := fuzzShapes[src.next()%len(fuzzShapes)]
		q := src.rotation()
		c := vec.V(src.grid(), src.grid(), src.grid()).Scale(0.5)
		k := src.next()
		c = c.Add(vec.V(src.grid(), src.grid(), src.grid()).Scale(math.Ldexp(1, -k/4)))
		checkBallPair(t, s, b, c, q, float64(src.next())/64)
	})
}
