package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/ball"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// overFaces returns the answer of the loop over all faces, the oracle of the walk.
func overFaces(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64) (out Answer) {
	out.AnsweredBy = ByWalk
	c, unit, ok := ball.BallIn(a, pa, b, pb)
	if !ok {
		out.Status = Degenerate
		return out
	}
	ball.BallOverFaces(a, pa, b, pb, c, unit, reach, &out)
	return out
}

// ballKinds returns shapes from a facet to 1020 faces, thin and sharp ones included.
func ballKinds(t testing.TB) []*soa.View {
	_, shapes := menagerie(t)
	_, more := capped(t)
	shapes = append(append(shapes, more...), geometryRock(t, 7, 128), geometryRock(t, 8, 512),
		box(t, 1, 1, 1e-7), box(t, 1, 1e-6, 1e-6), // a plate and a needle
		hullOf(t, []vec.Vec3{vec.V(-1, 0, 0), vec.V(1, 0, 0), vec.V(0, 1, 1e-7), vec.V(0, 1, -1e-7)}), // a blade
		facetOf(t, vec.V(0, 0, 0), vec.V(1, 0, 0), vec.V(0.4, 0.001, 0)))
	lid, err := geometry.Prism(100, 1, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	shapes = append(shapes, addTemplate(t, lid.Template()))
	for _, k := range []float64{1e-6, 1e6} {
		shapes = append(shapes, scaled(t, shapes[6], k), scaled(t, shapes[12], k))
	}
	return shapes
}

// pointAbout returns a point next to the surface: a weighted mean of the corners of a face, moved
// by between nothing and the size.
func pointAbout(r *rand.Rand, b *soa.View) vec.Vec3 {
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
	switch by := []float64{0, 1e-16, 1e-13, 1e-9, 1e-7, 1e-5, 1e-3, 0.3, 2}[r.IntN(9)] * b.Radius; r.IntN(3) {
	case 0: // straight out of the face, over a side or a corner
		return c.AddScaled(by, b.Normal(soa.Face(f))).AddScaled([]float64{0, 1e-15, 1e-9, 1e-7, 1e-6}[r.IntN(5)]*b.Radius, randomUnit(r))
	default:
		return c.AddScaled(by, randomUnit(r))
	}
}

// TestBallWalkIsTheLoop compares the answers of balls with the loop over all faces, bit by bit, and
// for small shapes with brute force. The walk starts without features, from the right ones, and
// from wrong ones.
func TestBallWalkIsTheLoop(t *testing.T) {
	shapes := ballKinds(t)
	r := rand.New(rand.NewPCG(41, 1))
	s := NewSearch()
	n := require.Rounds(20_000, 60_000, 200_000)
	outside, cold, warm, kept := 0, 0, 0, 0
	for range n {
		b := shapes[r.IntN(len(shapes))]
		a := &soa.View{Kind: soa.Ball, Radius: 0.1 * b.Radius * r.Float64()}
		pa, pb := vec.Pose{Pos: pointAbout(r, b), Rot: vec.Identity}, vec.IdentityPose
		if r.IntN(2) == 0 {
			q := randomRot(r)
			shift := randomUnit(r).Scale([]float64{0, 1, 1e6}[r.IntN(3)])
			pa.Pos, pb = q.Rotate(pa.Pos).Add(shift), vec.Pose{Pos: shift, Rot: q}
		}
		reach := math.Inf(1)
		if r.IntN(3) == 0 {
			reach = 0.05 * b.Radius * r.Float64()
		}
		want := overFaces(a, pa, b, pb, reach)
		var out Answer
		s.Pair(a, pa, b, pb, reach, &out)
		if out.Exact && !want.Exact {
			// The walk computes the gap where the loop only computes a bound.
			bound := want.Gap
			if want = overFaces(a, pa, b, pb, math.Inf(1)); !(want.Gap > reach && bound <= want.Gap) {
				t.Fatalf("the loop says that a gap of %g is more than %g", want.Gap, bound)
			}
		}
		if out != want {
			t.Fatalf("%d faces, reach %g:\n%+v\nthe loop\n%+v\nball %+v, body %+v", b.NFaces, reach, out, want, pa, pb)
		}
		c, unit, _ := ball.BallIn(a, pa, b, pb)
		if want.Exact && want.Gap > -a.Radius+1e-6*b.Radius {
			outside++
			if _, _, ok := ball.NearFrom(b, c, unit, ball.StartFor(b, c)); ok {
				cold++
			}
		}
		id := want.Facet
		right := want.Exact && r.IntN(2) == 0
		if !right {
			id = soa.FacetID{Kind: []soa.FacetKind{soa.VertexFace, soa.VertexEdge, soa.VertexVertex}[r.IntN(3)]}
			id.B = uint16(r.IntN([]int{b.NFaces, len(b.Edge), b.NVerts}[map[soa.FacetKind]int{soa.VertexFace: 0, soa.VertexEdge: 1, soa.VertexVertex: 2}[id.Kind]]))
		}
		if !s.Feature(a, pa, b, pb, reach, id, &out) {
			continue
		}
		warm++
		if out.AnsweredBy == ByFeature {
			kept++
			if out.Facet != id {
				t.Fatalf("from %v to %v is no walk", id, out.Facet)
			}
		}
		if out.AnsweredBy = want.AnsweredBy; out != want {
			t.Fatalf("%d faces, from %v:\n%+v\nthe loop\n%+v\nball %+v, body %+v", b.NFaces, id, out, want, pa, pb)
		}
	}
	t.Logf("%d outside, %d by the walk; %d of %d from features, %d kept", outside, cold, warm, n, kept)
	// The points are drawn near borders, and some bodies consist of borders only.
	if cold < outside*2/3 || warm < n/4 || kept < n/10 {
		t.Errorf("%d outside, %d by the walk; %d of %d from features, %d kept", outside, cold, warm, n, kept)
	}
}

// TestBallRolls rolls a ball around bodies. The features of the step before must answer each step.
// The loop over all faces may run only where the ball passes a border.
func TestBallRolls(t *testing.T) {
	s := NewSearch()
	for i, b := range ballKinds(t) {
		r := rand.New(rand.NewPCG(42, uint64(i)))
		sphere := &soa.View{Kind: soa.Ball, Radius: 0.1 * b.Radius}
		dir, axis := randomUnit(r), randomUnit(r)
		turn := vec.FromRotationVector(axis.Scale(0.01))
		var was Answer
		levels := [NAnsweredBy]int{}
		for range 2000 {
			pa := vec.Pose{Pos: dir.Scale(1.05 * b.Radius), Rot: vec.Identity}
			var out Answer
			if !s.Feature(sphere, pa, b, vec.IdentityPose, math.Inf(1), was.Facet, &out) {
				s.Pair(sphere, pa, b, vec.IdentityPose, math.Inf(1), &out)
				out.AnsweredBy = BySearch
			}
			levels[out.AnsweredBy]++
			want := overFaces(sphere, pa, b, vec.IdentityPose, math.Inf(1))
			if want.AnsweredBy = out.AnsweredBy; out != want {
				t.Fatalf("%d faces:\n%+v\nthe loop\n%+v", b.NFaces, out, want)
			}
			was, dir = out, turn.Rotate(dir)
		}
		if levels[BySearch] > 20 && thick(b) {
			t.Errorf("%d faces: levels %v", b.NFaces, levels)
		}
	}
}

// thick reports whether all sides of a body's faces are longer than the margin from them that the
// walk requires.
func thick(b *soa.View) bool {
	for i := range b.Edge {
		if b.Rims[b.Edge[i]].Length < 1e-4*b.Radius {
			return false
		}
	}
	return true
}

func FuzzBallWalk(f *testing.F) {
	f.Add([]byte{1, 0, 136, 136, 136, 9, 128, 128, 128, 8}, uint16(0), uint8(0))
	f.Add([]byte{9, 3, 40, 128, 100, 128, 30, 1, 2, 3, 4}, uint16(3), uint8(1))
	s := NewSearch()
	f.Fuzz(func(t *testing.T, data []byte, k uint16, kind uint8) {
		_, _, _, _ = fuzzPair(t, nil) // fills fuzzShapes
		src := &byteSource{b: data}
		b := fuzzShapes[src.next()%len(fuzzShapes)]
		q := src.rotation()
		c := vec.V(src.grid(), src.grid(), src.grid()).Scale(0.5)
		fine := src.next()
		c = c.Add(vec.V(src.grid(), src.grid(), src.grid()).Scale(math.Ldexp(1, -fine/4)))
		a := &soa.View{Kind: soa.Ball, Radius: float64(src.next()) / 64}
		pa, pb := vec.Pose{Pos: q.Rotate(c), Rot: vec.Identity}, vec.Pose{Rot: q}
		want := overFaces(a, pa, b, pb, math.Inf(1))
		unit := max(b.Radius, pa.Pos.MaxAbs())
		local := pb.Rot.RotateInv(pa.Pos)
		var out Answer
		if near, _, ok := ball.NearFrom(b, local, unit, ball.StartFor(b, local)); ok {
			if ball.WriteBall(a, pa, b, pb, local, near, &out); out.Facet != want.Facet || out.Gap != want.Gap || out.ArmB != want.ArmB {
				t.Fatalf("walk\n%+v\nthe loop\n%+v", out, want)
			}
		}
		id := soa.FacetID{Kind: []soa.FacetKind{soa.VertexFace, soa.VertexEdge, soa.VertexVertex, soa.EdgeEdge}[kind%4], B: k % 64}
		if id.Kind != soa.EdgeEdge && s.Feature(a, pa, b, pb, 1, id, &out) {
			if out.AnsweredBy = want.AnsweredBy; out != want {
				t.Fatalf("from %v\n%+v\nthe loop\n%+v", id, out, want)
			}
		}
	})
}

// BenchmarkBallWalk reports ns for a ball next to a block, by number of faces: the loop over all
// faces, the walk without features, and the walk from the feature of the step before.
func BenchmarkBallWalk(b *testing.B) {
	for _, verts := range []int{8, 14, 34, 66, 130, 252, 502} {
		v := geometryRock(b, uint64(verts), verts)
		r := rand.New(rand.NewPCG(43, 1))
		const n = 2048
		var pa [2][n]vec.Pose
		var was [2][n]soa.FacetID
		pb := vec.Pose{Rot: randomRot(r)}
		sphere := &soa.View{Kind: soa.Ball, Radius: 0.1}
		for k := range n {
			// Anywhere around the block, at a gap of 0 to 1 %.
			p := randomUnit(r).Scale(1.5)
			var out Answer
			ball.BallOverFaces(sphere, vec.Pose{Pos: p, Rot: vec.Identity}, v, pb, pb.Rot.RotateInv(p), v.Radius, math.Inf(1), &out)
			p = p.AddScaled(out.Gap-0.01*r.Float64(), out.Normal)
			for step := range 2 {
				ball.BallOverFaces(sphere, vec.Pose{Pos: p, Rot: vec.Identity}, v, pb, pb.Rot.RotateInv(p), v.Radius, math.Inf(1), &out)
				pa[step][k], was[1-step][k] = vec.Pose{Pos: p, Rot: vec.Identity}, out.Facet
				p = p.AddScaled(1e-3, randomUnit(r))
			}
		}
		for _, way := range []string{"loop", "cold", "warm"} {
			b.Run(fmt.Sprintf("faces=%d/way=%s", v.NFaces, way), func(b *testing.B) {
				s := NewSearch()
				sum, k, missed := 0.0, 0, 0
				for b.Loop() {
					step, m := k/n&1, k%n
					k++
					p := pa[step][m]
					var out Answer
					c, unit, _ := ball.BallIn(sphere, p, v, pb)
					switch way {
					case "loop":
						ball.BallOverFaces(sphere, p, v, pb, c, unit, math.Inf(1), &out)
					case "cold":
						near, _, ok := ball.NearFrom(v, c, unit, ball.StartFor(v, c))
						if ball.WriteBall(sphere, p, v, pb, c, near, &out); !ok {
							missed++
						}
					default:
						if !s.Feature(sphere, p, v, pb, math.Inf(1), was[step][m], &out) {
							missed++
						}
					}
					sum += out.Gap
				}
				b.ReportMetric(float64(missed)/float64(k), "missed")
				if sum != sum {
					b.Fatal("no gap")
				}
			})
		}
	}
}
