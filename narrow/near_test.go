package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// sameAsSearch calls Feature with features of an earlier answer and reports whether it succeeds.
// The answer must be the search's.
func sameAsSearch(t *testing.T, s, oracle *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, reach float64, id soa.FacetID) (level AnsweredBy, ok bool) {
	t.Helper()
	var warm, slow Answer
	if !s.Feature(a, pa, b, pb, reach, id, &warm) {
		return BySearch, false
	}
	coldOracle(oracle, a, pa, b, pb, reach, &slow)
	level = warm.AnsweredBy
	if warm.AnsweredBy = slow.AnsweredBy; warm != slow {
		t.Fatalf("%d on %d vertices, reach %g, from %v:\n%+v\nthe search\n%+v\npa=%+v\npb=%+v", a.NVerts, b.NVerts, reach, id, warm, slow, pa, pb)
	}
	return level, true
}

// TestNearIsTheSearch moves pairs apart a little from step to step, within reach and out of it. The
// features of the step before must nearly always answer, with the bits of GJK.
func TestNearIsTheSearch(t *testing.T) {
	names, shapes := capped(t)
	shapes, names = append(shapes[:7:7], geometryRock(t, 5, 128), shapes[7]), append(names[:7:7], "rock128", names[7])
	r := rand.New(rand.NewPCG(11, 1))
	s, oracle := NewSearch(), NewSearch()
	pairs := 40
	if require.Quick() {
		pairs = 8
	}
	asked, answered, walked := 0, 0, 0
	for i, a := range shapes[:len(shapes)-1] {
		for j, b := range shapes {
			n, near := 0, 0
			for range pairs {
				pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
				gap := math.Pow(10, -6+5*r.Float64())
				pb.Pos = firstContact(a, pa, b, pb, randomUnit(r), gap)
				reach := 2 * gap
				if r.IntN(3) == 0 {
					reach = math.Inf(1)
				}
				var was Answer
				s.Resolve(a, pa, b, pb, reach, &was)
				for range 20 {
					step := 0.1 * gap
					if r.IntN(4) == 0 {
						step = 0.03
					}
					pb.Pos = pb.Pos.AddScaled(step, randomUnit(r))
					pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(0.3 * step)).Mul(pb.Rot).Normalized()
					level, ok := sameAsSearch(t, s, oracle, a, pa, b, pb, reach, was.Facet)
					s.Resolve(a, pa, b, pb, reach, &was)
					if was.Gap <= 0 || !was.Exact {
						break
					}
					n++
					if ok {
						near++
					}
					if level == ByWalk {
						walked++
					}
				}
			}
			t.Logf("%s on %s: %d of %d", names[i], names[j], near, n)
			asked, answered = asked+n, answered+near
		}
	}
	t.Logf("%d of %d, %d of them by a walk", answered, asked, walked)
	if float64(answered) < 0.98*float64(asked) || asked < 100*pairs || walked < asked/100 {
		t.Errorf("%d of %d pairs apart answered by features, %d of them by a walk", answered, asked, walked)
	}
}

// firstContact returns the position of b when it first reaches a gap from a, moving along a line
// from outside.
func firstContact(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dir vec.Vec3, gap float64) vec.Vec3 {
	way := 2 * (a.Radius + b.Radius)
	var out Answer
	for range 60 {
		pb.Pos = pa.Pos.AddScaled(way, dir)
		if quick.Resolve(a, pa, b, pb, math.Inf(1), &out); !(out.Gap > gap*(1+1e-6)) {
			break
		}
		way -= out.Gap - gap
	}
	return pb.Pos
}

// TestNearFromAnywhere passes all pairs of features of pairs of all kinds to Feature, right or
// wrong.
func TestNearFromAnywhere(t *testing.T) {
	sizes := coldKinds(t)
	r := rand.New(rand.NewPCG(12, 1))
	s, oracle := NewSearch(), NewSearch()
	rounds := require.Rounds(3000, 9000, 30_000)
	answered := 0
	for range rounds {
		shapes := sizes[0]
		if r.IntN(4) == 0 {
			shapes = sizes[r.IntN(len(sizes))]
		}
		a, b := shapes[r.IntN(len(shapes)-1)], shapes[r.IntN(len(shapes))]
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			reach := math.Inf(1)
			if r.IntN(2) == 0 {
				reach = 0.02 * a.Radius * r.Float64()
			}
			id := anyFeatures(r, a, b)
			if r.IntN(3) > 0 {
				var out Answer
				s.Resolve(a, pa, b, pb, reach, &out)
				id = out.Facet
			}
			if _, ok := sameAsSearch(t, s, oracle, a, pa, b, pb, reach, id); ok {
				answered++
			}
		})
	}
	t.Logf("%d of %d answered", answered, 10*rounds)
	if answered < 3*rounds {
		t.Errorf("%d of %d answered", answered, 10*rounds)
	}
}

// anyFeatures draws the id of a pair of features, of any kind.
func anyFeatures(r *rand.Rand, a, b *soa.View) soa.FacetID {
	id := soa.FacetID{Kind: soa.FaceVertex + soa.FacetKind(r.IntN(6))}
	nA, nB := a.NVerts, b.NVerts
	switch id.Kind {
	case soa.FaceVertex:
		nA = a.NFaces
	case soa.VertexFace:
		nB = b.NFaces
	case soa.EdgeEdge:
		nA, nB = len(a.Edge), len(b.Edge)
	case soa.VertexEdge:
		nB = len(b.Edge)
	case soa.EdgeVertex:
		nA = len(a.Edge)
	}
	id.A, id.B = uint16(r.IntN(nA)), uint16(r.IntN(nB))
	return id
}

// TestParallelFacesApart lays bricks and prisms over each other, exactly parallel, a gap apart.
func TestParallelFacesApart(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(13, 1))
	s, oracle := NewSearch(), NewSearch()
	for _, c := range []struct {
		name   string
		v      *soa.View
		height float64
		turned bool
	}{{"bricks in running bond", shapes[2], 0.5, false}, {"bricks turned", shapes[2], 0.5, true}, {"prisms turned", shapes[6], 1, true}} {
		answered, n := 0, 400
		for range n {
			gap := math.Pow(10, -6+5*r.Float64())
			pb := at(0.5+0.1*r.Float64(), 0.02*r.Float64(), c.height+gap)
			if c.turned {
				pb = vec.Pose{Pos: vec.V(0.2*r.Float64(), 0.2*r.Float64(), c.height+gap), Rot: vec.FromRotationVector(vec.V(0, 0, 6*r.Float64()))}
			}
			pa := vec.IdentityPose
			if r.IntN(2) == 0 {
				q := randomRot(r)
				pa, pb = vec.Pose{Rot: q}, vec.Pose{Pos: q.Rotate(pb.Pos), Rot: q.Mul(pb.Rot).Normalized()}
			}
			var was Answer
			s.Resolve(c.v, pa, c.v, pb, 1, &was)
			if _, ok := sameAsSearch(t, s, oracle, c.v, pa, c.v, pb, 1, was.Facet); ok {
				answered++
			}
		}
		t.Logf("%s: %d of %d", c.name, answered, n)
		if answered < n*9/10 {
			t.Errorf("%s: %d of %d answered", c.name, answered, n)
		}
	}
}

// TestMemoryAcrossReach moves pairs to and fro through gap = reach and gap = 0. The answers from
// memory must be those of a new search, and agree with brute force.
func TestMemoryAcrossReach(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(14, 1))
	s := NewSearch()
	const reach = 0.01
	rounds := require.Rounds(12, 20, 60)
	levels := [NAnsweredBy]int{}
	for i := range rounds {
		a, b := shapes[r.IntN(6)], shapes[r.IntN(len(shapes))]
		shift, k := vec.Vec3{}, 1.0
		if i%3 == 1 {
			shift = randomUnit(r).Scale(1e6)
		}
		if i%3 == 2 {
			k = []float64{1e-6, 1e6}[i/3%2]
			va, vb := scaled(t, a, k), scaled(t, b, k)
			copy(va.Caps, a.Caps)
			copy(vb.Caps, b.Caps)
			va.Inner, vb.Inner = a.Inner*k, b.Inner*k
			a, b = va, vb
		}
		pa, pb := vec.Pose{Pos: shift, Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		dir := randomUnit(r)
		rest := firstContact(a, pa, b, pb, dir, 0.5*reach*k)
		spin := randomUnit(r)
		var mem, back Memory
		for step := range 240 {
			// A swing of 1.5 times the reach leaves the reach on one side, and overlaps on the
			// other.
			sway := 1.5 * reach * k * (2*math.Abs(float64(step%80)/40-1) - 1)
			pb.Pos = rest.AddScaled(sway, dir)
			pb.Rot = vec.FromRotationVector(spin.Scale(1e-3)).Mul(pb.Rot).Normalized()
			var warm, cold Answer
			s.By(Auto, a, pa, b, pb, reach*k, 0, &mem, &warm)
			s.Resolve(a, pa, b, pb, reach*k, &cold)
			levels[warm.AnsweredBy]++
			truth := bruteGap(a, pa, b, pb)
			if tol := 1e-12 * max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm()); cold.Exact && math.Abs(cold.Gap-truth) > tol || !cold.Exact && truth < reach*k-tol {
				t.Fatalf("step %d: gap %v, brute force %g", step, cold, truth)
			}
			if warm.AnsweredBy <= ByAxis {
				if cold.Exact && !(cold.Gap > reach*k) {
					t.Fatalf("step %d: %v says apart, the gap is %g", step, warm.AnsweredBy, cold.Gap)
				}
				continue
			}
			if !warm.Exact {
				// A walk from the last axis may find another bound than a search.
				tol := 1e-12 * max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm())
				if cold.Exact || !(warm.Gap > reach*k) || !(warm.Gap < truth+tol) {
					t.Fatalf("step %d: bound\n%+v\nfrom nothing\n%+v\ngap %g", step, warm, cold, truth)
				}
				continue
			}
			if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
				t.Fatalf("step %d:\n%+v\nfrom nothing\n%+v", step, warm, cold)
			}
			// Measure has stored data of its own.
			s.Measure(a, pa, b, pb, &back, &warm)
			s.Resolve(a, pa, b, pb, math.Inf(1), &cold)
			if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
				t.Fatalf("step %d, measured:\n%+v\nfrom nothing\n%+v", step, warm, cold)
			}
		}
	}
	t.Logf("levels %v", levels)
	if levels[ByFeature] < 2*levels[BySearch] || levels[ByWalk] == 0 {
		t.Errorf("levels %v: the search answers too often", levels)
	}
}

// TestNearSwapped swaps A and B. The gap must be the same, and the normal must only change sign.
func TestNearSwapped(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(15, 1))
	s := NewSearch()
	n := 0
	for range 400 {
		a, b := shapes[r.IntN(7)], shapes[r.IntN(7)]
		pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
		pb.Pos = firstContact(a, pa, b, pb, randomUnit(r), 0.01)
		var one, two Answer
		s.Resolve(a, pa, b, pb, 1, &one)
		if !s.Feature(a, pa, b, pb, 1, one.Facet, &one) {
			continue
		}
		s.Resolve(b, pb, a, pa, 1, &two)
		if !s.Feature(b, pb, a, pa, 1, two.Facet, &two) {
			t.Fatal("proven one way alone")
		}
		n++
		if math.Abs(one.Gap-two.Gap) > 4e-15 || one.Normal.Add(two.Normal).Norm() > 1e-12 {
			t.Fatalf("%+v\nswapped\n%+v", one, two)
		}
	}
	if n < 300 {
		t.Errorf("%d of 400 answered", n)
	}
}

func FuzzNear(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 180, 128, 128, 0}, uint16(0), uint16(0), uint8(0))
	f.Add([]byte{1, 2, 0x15, 0x2a, 190, 128, 130, 0x81, 3, 9, 200}, uint16(3), uint16(1), uint8(4))
	s, oracle := NewSearch(), NewSearch()
	f.Fuzz(func(t *testing.T, b []byte, i, j uint16, kind uint8) {
		a, pa, c, pc := fuzzPair(t, b)
		var out Answer
		s.Resolve(a, pa, c, pc, 3, &out)
		sameAsSearch(t, s, oracle, a, pa, c, pc, 3, out.Facet)
		sameAsSearch(t, s, oracle, a, pa, c, pc, 3, soa.FacetID{A: i % 16, B: j % 16, Kind: soa.FacetKind(kind % 7)})
	})
}

// BenchmarkNear reports ns per pair for pairs in motion, 0 to 1 % of the size apart, within reach:
// without stored data, and from the features of the step before.
func BenchmarkNear(b *testing.B) {
	names, shapes := capped(b)
	shapes, names = append(shapes[:7:7], geometryRock(b, 5, 128)), append(names[:7:7], "rock128")
	for i, v := range shapes {
		r := rand.New(rand.NewPCG(16, 1))
		s := NewSearch()
		const n = 2048
		var pa, pb [2][n]vec.Pose
		var was [2][n]soa.FacetID
		const reach = 0.02
		for k := range n {
			p, q := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
			q.Pos = firstContact(v, p, v, q, randomUnit(r), 0.01*r.Float64())
			for step := range 2 {
				pa[step][k], pb[step][k] = p, q
				var out Answer
				s.Resolve(v, p, v, q, reach, &out)
				was[1-step][k] = out.Facet
				q.Pos = q.Pos.AddScaled(1e-4, randomUnit(r))
				q.Rot = vec.FromRotationVector(randomUnit(r).Scale(1e-4)).Mul(q.Rot).Normalized()
			}
		}
		for _, way := range []string{"cold", "warm"} {
			b.Run("shape="+names[i]+"/way="+way, func(b *testing.B) {
				sum, searched, k := 0.0, 0, 0
				for b.Loop() {
					step, m := k/n&1, k%n
					k++
					var out Answer
					if way == "cold" || !s.Feature(v, pa[step][m], v, pb[step][m], reach, was[step][m], &out) {
						s.Resolve(v, pa[step][m], v, pb[step][m], reach, &out)
						searched++
					}
					sum += out.Gap
				}
				b.ReportMetric(float64(searched)/float64(k), "searched")
				if !(sum > 0) {
					b.Fatal("no gap")
				}
			})
		}
	}
}
