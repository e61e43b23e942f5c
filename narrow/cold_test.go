package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// coldOracle answers by GJK and EPA, and by the exhaustive search if these do not converge, without
// any shortcut.
func coldOracle(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, out *Answer) {
	*out = Answer{AnsweredBy: BySearch}
	if !s.in.Load(a, pa, b, pb) {
		out.Status = Degenerate
		return
	}
	if s.in.RunGJKEPA(reach, out); out.Status == NotConverged {
		s.in.Exhaustive(a, pa, b, pb, reach, out)
	}
}

// coldKinds returns capped with large rocks, a plate, and a shape with unknown caps, each in three
// sizes.
func coldKinds(t testing.TB) [][]*soa.View {
	_, shapes := capped(t)
	facet := shapes[len(shapes)-1]
	shapes = shapes[:len(shapes)-1]
	for _, n := range []int{64, 128} {
		shapes = append(shapes, geometryRock(t, uint64(n), n))
	}
	p, err := geometry.Box(1, 1, 0.001)
	if err != nil {
		t.Fatal(err)
	}
	shapes = append(shapes, addTemplate(t, p.Template()), hullOf(t, tetraPoints()), facet)
	sizes := [][]*soa.View{shapes, nil, nil, nil}
	for i, k := range []float64{1e-6, 1e6, 0x1p-200} {
		for _, v := range shapes {
			w := scaled(t, v, k)
			// scaled does not set the caps, which are those of the unscaled shape.
			copy(w.Caps, v.Caps)
			w.Inner = v.Inner * k
			sizes[i+1] = append(sizes[i+1], w)
		}
	}
	return sizes
}

// coldPlaced calls f with poses of two shapes about a first contact along a random line: apart,
// touching and deep, of random, parallel and nearly parallel orientation, with coplanar faces,
// edges or corners.
func coldPlaced(r *rand.Rand, a, b *soa.View, f func(pa, pb vec.Pose)) {
	pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
	dir := randomUnit(r)
	size := max(a.Radius, b.Radius)
	switch r.IntN(6) {
	case 0: // parallel faces
		pb.Rot = pa.Rot
	case 1: // nearly parallel faces
		tilt := vec.FromRotationVector(randomUnit(r).Scale(math.Pow(10, -14+14*r.Float64())))
		pb.Rot = pa.Rot.Mul(tilt).Normalized()
	case 2: // an edge of B along a face of A: a turn about one of its edges
		e := a.Edge[r.IntN(len(a.Edge))]
		axis := a.Vert(a.Head(e)).Sub(a.Vert(a.Tail[e])).Unit()
		pb.Rot = pa.Rot.Mul(vec.FromRotationVector(axis.Scale(3 * r.Float64()))).Normalized()
	}
	if r.IntN(3) == 0 {
		dir = pa.Rot.Rotate(a.Normal(soa.Face(r.IntN(a.NFaces))))
	}
	if b.Kind == soa.Facet && r.IntN(2) == 0 {
		dir = pb.Rot.Rotate(b.Normal(0))
	}
	// Find the first contact from outside: the gap along the line decreases no faster than the
	// distance moved.
	way := 2 * (a.Radius + b.Radius)
	var out Answer
	for range 40 {
		pb.Pos = dir.Scale(way)
		if quick.Resolve(a, pa, b, pb, math.Inf(1), &out); !(out.Gap > 1e-14*size) {
			break
		}
		way -= out.Gap
	}
	for range 10 {
		by := size * math.Pow(10, -10+10*r.Float64())
		switch r.IntN(4) {
		case 0:
			by = 0.1 * size * r.Float64()
		case 1:
			by = 0
		}
		if r.IntN(3) == 0 {
			by = -0.2 * by
		}
		pb.Pos = dir.Scale(way - by)
		f(pa, pb)
	}
}

// TestColdIsTheSearch compares the answers of Resolve, certificates first, with those of GJK, EPA
// and the exhaustive search, bit by bit.
func TestColdIsTheSearch(t *testing.T) {
	sizes := coldKinds(t)
	r := rand.New(rand.NewPCG(15, 4))
	s, oracle := NewSearch(), NewSearch()
	want := 100_000
	if require.Quick() {
		want = 10_000
	}
	pairs, bad, short := 0, 0, 0
	for pairs < want {
		shapes := sizes[0]
		if r.IntN(4) == 0 {
			shapes = sizes[r.IntN(len(sizes))]
		}
		a, b := shapes[r.IntN(len(shapes)-1)], shapes[r.IntN(len(shapes))]
		if r.IntN(4) == 0 {
			b = shapes[len(shapes)-1] // a facet
		}
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			reach := math.Inf(1)
			if r.IntN(2) == 0 {
				reach = 0.02 * a.Radius * r.Float64()
			}
			var out, slow, answer Answer
			s.Resolve(a, pa, b, pb, reach, &out)
			coldOracle(oracle, a, pa, b, pb, reach, &slow)
			same := out == slow
			if s.in.Place(a, pa, b, pb) && s.in.Cold(reach, &answer) {
				short++
				if r.IntN(16) == 0 && a.NVerts+b.NVerts < 50 {
					oracle.Exhaustive(a, pa, b, pb, reach, &slow)
					same = same && out == slow
				}
			}
			if !same {
				if bad++; bad < 5 {
					t.Errorf("%d on %d vertices, reach %g:\n%+v\nexpected\n%+v\npa=%+v\npb=%+v", a.NVerts, b.NVerts, reach, out, slow, pa, pb)
				}
			}
			pairs++
		})
	}
	if bad > 0 {
		t.Errorf("%d of %d answers differ", bad, pairs)
	}
	if short < pairs/3 {
		t.Errorf("certificates answered %d of %d pairs, expected a third", short, pairs)
	}
	t.Logf("%d pairs, %d by certificates", pairs, short)
}

// TestProofsOfOtherFacets starts descents anywhere, so that many end at facets that are not the
// shallowest. No proof may accept such a facet.
func TestProofsOfOtherFacets(t *testing.T) {
	shapes := coldKinds(t)[0]
	r := rand.New(rand.NewPCG(15, 5))
	s, oracle := NewSearch(), NewSearch()
	others, proven := 0, 0
	rounds := 3000
	if require.Quick() {
		rounds = 500
	}
	for range rounds {
		a, b := shapes[r.IntN(len(shapes)-1)], shapes[r.IntN(len(shapes))]
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			var slow Answer
			coldOracle(oracle, a, pa, b, pb, 0, &slow)
			if slow.Status != Penetrating || slow.Gap > -1e-9 {
				return
			}
			s.in.Load(a, pa, b, pb)
			_, _, ok := s.in.LineOfCentres(0)
			n := randomUnit(r)
			at, found := s.in.Descend(n, pair.Climb(a, 0, n), pair.Climb(b, 0, s.in.Rot.TMulVec(n.Neg())))
			if !ok || !found || at.Kind > soa.EdgeEdge {
				return
			}
			id := s.in.FacetOf(&at)
			gap, n, ok := s.in.FinaliseFeatures(&at, id)
			if !ok || !(gap < -1e-9) {
				return
			}
			check := func(by string, id soa.FacetID, ok bool) {
				if ok {
					proven++
				}
				if ok && id != slow.Facet {
					t.Fatalf("%s proves %v, depth %g, expected %v, depth %g\npa=%+v pb=%+v", by, id, -gap, slow.Facet, -slow.Gap, pa, pb)
				}
			}
			if id != slow.Facet {
				others++
			}
			if capSine := s.in.CapSineOf(&at, n); capSine > 0 {
				check("the facet alone", id, s.in.AloneBetween(n, -gap, -gap, -gap, capSine, at.Inset, 0))
				shell := at
				check("a shell", id, s.in.ShelledFacet(&shell, n, gap, capSine))
			}
		})
	}
	if others < rounds/10 || proven < rounds/10 {
		t.Errorf("%d facets that are not the shallowest, %d proofs, expected more", others, proven)
	}
	t.Logf("%d facets that are not the shallowest, %d proofs", others, proven)
}

// TestColdAllocatesNothing answers pools of every regime twice. The second time must not allocate.
func TestColdAllocatesNothing(t *testing.T) {
	s := NewSearch()
	for _, shape := range []string{"tetra", "cube", "rock32", "rock128"} {
		for _, lo := range []float64{-0.2, -0.01, 0.05} {
			pool := coldPool(t, shape, lo, lo+0.01, false, 100)
			run := func() {
				var out Answer
				for _, p := range pool {
					s.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
				}
			}
			if n := testing.AllocsPerRun(2, run); n != 0 {
				t.Errorf("%s from %g on: %g allocations", shape, lo, n)
			}
		}
	}
}

// TestClimbEnds climbs along directions of all lengths, for which rounding makes vertices of equal
// height rise.
func TestClimbEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 6))
	for _, shapes := range coldKinds(t) {
		for _, v := range shapes {
			for range 200 {
				d := randomUnit(r).Scale(math.Pow(10, 30*r.Float64()-15))
				if r.IntN(2) == 0 {
					d = v.Normal(soa.Face(r.IntN(v.NFaces))).Scale(d.Norm())
				}
				k := pair.Climb(v, soa.Vertex(r.IntN(v.NVerts)), d)
				_, high := pair.Highest(v.X[:v.NVerts], v.Y, v.Z, d)
				if low := high - v.Vert(k).Dot(d); low > 1e-13*v.Radius*d.Norm() {
					t.Fatalf("%d vertices: a climb ends %g below the top of %g", v.NVerts, low, high)
				}
			}
		}
	}
}
