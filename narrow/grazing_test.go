package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// grazingClass is a kind of placement at which two shapes touch, and the least share of parallel
// placements that Feature must prove.
type grazingClass struct {
	tiedClass
	least float64
}

func grazingClasses(t testing.TB) []grazingClass {
	_, shapes := capped(t)
	names := []string{"tetra", "cube", "brick", "rock32"}
	shapes = append(shapes[:3:3], geometryRock(t, 32, 32))
	var all []grazingClass
	for _, want := range []struct {
		name  string
		types []Type
		least float64
	}{
		{"vertex on face", []Type{TypeVertexFace, TypeFaceVertex}, 0.99},
		{"edge across edge", []Type{TypeEdgeEdge}, 0.99},
		{"edge on face", []Type{TypeEdgeFace, TypeFaceEdge}, 0.99},
		{"face on face", []Type{TypeFaceFace}, 0.99},
		{"edge on parallel edge", []Type{TypeEdgeParallel}, 0},
		{"corner on edge", []Type{TypeVertexEdge, TypeEdgeVertex}, 0},
		{"corner on corner", []Type{TypeVertexVertex}, 0},
	} {
		for i, v := range shapes {
			all = append(all, grazingClass{tiedClass{want.name + ", " + names[i], want.types, func(r *rand.Rand, as Type) placement {
				return posedAs(r, as, v, v)
			}, false}, want.least})
		}
	}
	brick := shapes[2]
	laid := func(name string, least float64, x, y, z float64, n vec.Vec3) {
		all = append(all, grazingClass{tiedClass{name, []Type{TypeFaceFace}, func(r *rand.Rand, _ Type) placement {
			shift := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(50)
			return placement{TypeFaceFace, brick, brick, vec.Pose{Rot: vec.Identity, Pos: shift}, vec.Pose{Rot: vec.Identity, Pos: shift.Add(vec.V(x, y, z))}, n}
		}, false}, least})
	}
	laid("bed joint, running bond", 0.99, 0.5, 0, 0.5, vec.V(0, 0, 1))
	laid("bed joint, stack bond", 0.99, 0, 0, 0.5, vec.V(0, 0, 1))
	laid("head joint", 0.99, 1, 0, 0, vec.V(1, 0, 0))
	laid("diagonal neighbours", 0, 1, 0, 0.5, vec.V(1, 0, 1).Unit())
	return all
}

var grazingGaps = []float64{0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-14, -1e-14, 1e-13, -1e-13, 1e-12, -1e-12, 1e-11, 1e-10, 1e-9}

// TestGrazingIsTheSearch puts shapes on each other with gaps close to zero, and compares Feature
// and Cold with the search, to the bit. The search is GJK and EPA, or the exhaustive one: for a
// pair apart by a rounding, EPA may not return the facet that separates most.
func TestGrazingIsTheSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 2))
	s, oracle := NewSearch(), NewSearch()
	rounds := require.Rounds(10, 20, 60)
	classes := grazingClasses(t)
	for i := range classes {
		c := &classes[i]
		line := ""
		for _, tilt := range []float64{0, 1e-15, 1e-12, 1e-9} {
			pairs, warmly, coldly := 0, 0, 0
			for n := range rounds * len(grazingGaps) {
				p := c.drawn(r, n/len(grazingGaps), tilt, -grazingGaps[n%len(grazingGaps)])
				reach := []float64{0, 0.01, math.Inf(1)}[n%3]
				var was, want, warm, cold Answer
				coldOracle(oracle, p.a, p.pa, p.b, p.pb, reach, &was)
				within := was.Exact && was.Gap <= 1e-9*p.a.Radius
				count := func(answered *int) {
					if within {
						*answered++
					}
				}
				count(&pairs)
				oracle.Exhaustive(p.a, p.pa, p.b, p.pb, reach, &want)
				same := func(who string, out Answer) {
					t.Helper()
					if out.AnsweredBy = want.AnsweredBy; out != want && out != was {
						t.Fatalf("%s, tilt %g, reach %g: %s says\n%+v\nthe exhaustive search\n%+v\nGJK\n%+v\npa=%+v pb=%+v",
							c.name, tilt, reach, who, out, want, was, p.pa, p.pb)
					}
				}
				if s.Feature(p.a, p.pa, p.b, p.pb, reach, want.Facet, &warm) {
					count(&warmly)
					same("Feature", warm)
				}
				from := soa.FacetID{Kind: soa.FaceVertex, A: uint16(r.IntN(p.a.NFaces)), B: uint16(r.IntN(p.b.NVerts))}
				if s.Feature(p.a, p.pa, p.b, p.pb, reach, from, &warm) {
					same("Feature from elsewhere", warm)
				}
				s.in.ForgetProof()
				if s.in.Place(p.a, p.pa, p.b, p.pb); s.in.Cold(reach, &cold) {
					count(&coldly)
					same("cold", cold)
				}
			}
			if tilt == 0 && float64(warmly) < c.least*float64(pairs) {
				t.Errorf("%s: of %d pairs %d are proven by Feature, %d cold", c.name, pairs, warmly, coldly)
			}
			line += fmt.Sprintf(" %5.1f/%5.1f", 100*float64(warmly)/float64(pairs), 100*float64(coldly)/float64(pairs))
		}
		t.Logf("%-32s%s", c.name, line)
	}
}

// TestGrazingInvariance scales grazing pairs by powers of two, which changes only exponents, and by
// 1e±6. It moves them a million sizes away, rotates them, and swaps them.
func TestGrazingInvariance(t *testing.T) {
	r := rand.New(rand.NewPCG(54, 2))
	s := NewSearch()
	classes := grazingClasses(t)
	for i := range classes {
		c := &classes[i]
		for n := range 2 * len(grazingGaps) {
			p := c.drawn(r, n, 0, -grazingGaps[n%len(grazingGaps)])
			var was, out Answer
			s.Resolve(p.a, p.pa, p.b, p.pb, 0.01, &was)
			for _, k := range []float64{0x1p20, 0x1p-20, 1e6, 1e-6} {
				a, b := scaled(t, p.a, k), scaled(t, p.b, k)
				copy(a.Caps, p.a.Caps)
				copy(b.Caps, p.b.Caps)
				a.Inner, b.Inner = p.a.Inner*k, p.b.Inner*k
				pa, pb := p.pa, p.pb
				pa.Pos, pb.Pos = pa.Pos.Scale(k), pb.Pos.Scale(k)
				exact := k == 0x1p20 || k == 0x1p-20
				if answered := s.Feature(a, pa, b, pb, 0.01*k, was.Facet, &out); !answered && c.least > 0 && exact {
					t.Fatalf("%s, scale %g: not answered", c.name, k)
				} else if !answered {
					s.Resolve(a, pa, b, pb, 0.01*k, &out)
				}
				if exact && (out.Facet != was.Facet || out.Gap != was.Gap*k || out.Normal != was.Normal) ||
					math.Abs(out.Gap-was.Gap*k) > 1e-14*k*(1+pa.Pos.Norm()/k) {
					t.Fatalf("%s, scale %g:\n%+v\n%+v", c.name, k, out, was)
				}
			}
			// At that distance the poses are rounded to a bit of a million.
			far := vec.V(1e6, -2e6, 1e6)
			pa, pb := p.pa, p.pb
			pa.Pos, pb.Pos = pa.Pos.Add(far), pb.Pos.Add(far)
			if s.Resolve(p.a, pa, p.b, pb, 0.01, &out); math.Abs(out.Gap-was.Gap) > 2e-9 {
				t.Errorf("%s, far away: gap %g instead of %g", c.name, out.Gap, was.Gap)
			}
			turn := randomRot(r)
			pa, pb = vec.Pose{Rot: turn.Mul(p.pa.Rot), Pos: turn.Rotate(p.pa.Pos)}, vec.Pose{Rot: turn.Mul(p.pb.Rot), Pos: turn.Rotate(p.pb.Pos)}
			if s.Resolve(p.a, pa, p.b, pb, 0.01, &out); math.Abs(out.Gap-was.Gap) > 1e-13*(1+p.pa.Pos.Norm()) {
				t.Errorf("%s, turned: gap %g instead of %g", c.name, out.Gap, was.Gap)
			}
			if s.Resolve(p.b, p.pb, p.a, p.pa, 0.01, &out); math.Abs(out.Gap-was.Gap) > 1e-13 {
				t.Errorf("%s, swapped: gap %g instead of %g", c.name, out.Gap, was.Gap)
			}
		}
	}
}

// TestGrazingAllocations answers grazing pairs repeatedly, which must not allocate.
func TestGrazingAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(55, 2))
	s := NewSearch()
	classes := grazingClasses(t)
	var out Answer
	for i := range classes {
		for n := range len(grazingGaps) {
			p := classes[i].drawn(r, n, 0, -grazingGaps[n])
			s.Resolve(p.a, p.pa, p.b, p.pb, 0, &out)
			id := out.Facet
			if k := testing.AllocsPerRun(3, func() {
				s.Feature(p.a, p.pa, p.b, p.pb, 0, id, &out)
				s.Resolve(p.a, p.pa, p.b, p.pb, 0, &out)
			}); k != 0 {
				t.Errorf("%s: %g allocations", classes[i].name, k)
			}
		}
	}
}

// FuzzGrazing compares Feature with the search on shapes that touch, tilted and moved by anything.
func FuzzGrazing(f *testing.F) {
	classes := grazingClasses(f)
	s, oracle := NewSearch(), NewSearch()
	f.Add(uint64(1), 0.0, 0.0, 0.0, 0.0)
	f.Add(uint64(13), 1e-12, 1e-13, 1e-13, 0.01)
	f.Add(uint64(30), 1e-9, -1e-12, 1e-9, 1.0)
	f.Fuzz(func(t *testing.T, seed uint64, tilt, gap, shift, reach float64) {
		if !(tilt >= 0 && tilt < 0.1) || !(math.Abs(gap) < 1e-6) || !(math.Abs(shift) < 0.1) || !(reach >= 0) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 1))
		c := &classes[seed%uint64(len(classes))]
		p := c.drawn(r, int(seed%2), tilt, -gap)
		var was, slow, out Answer
		s.Resolve(p.a, p.pa, p.b, p.pb, reach, &was)
		id := was.Facet
		// Along the plane of contact.
		side := randomUnit(r).Cross(p.n)
		p.pb.Pos = p.pb.Pos.AddScaled(shift, side)
		for _, ask := range []func() bool{
			func() bool { return s.Feature(p.a, p.pa, p.b, p.pb, reach, id, &out) },
			func() bool {
				out = Answer{}
				s.in.ForgetProof()
				return s.in.Place(p.a, p.pa, p.b, p.pb) && s.in.Cold(reach, &out)
			},
		} {
			if !ask() {
				continue
			}
			coldOracle(oracle, p.a, p.pa, p.b, p.pb, reach, &was)
			oracle.Exhaustive(p.a, p.pa, p.b, p.pb, reach, &slow)
			was.AnsweredBy, slow.AnsweredBy = out.AnsweredBy, out.AnsweredBy
			if out != was && out != slow {
				t.Errorf("proven\n%+v\nthe search\n%+v\nexhaustive\n%+v", out, was, slow)
			}
		}
	})
}

func BenchmarkGrazing(b *testing.B) {
	classes := grazingClasses(b)
	for i := range classes {
		c := &classes[i]
		r := rand.New(rand.NewPCG(57, 9))
		s := NewSearch()
		var pairs []placement
		var ids []soa.FacetID
		for n := range 256 {
			p := c.drawn(r, n, 0, -grazingGaps[n%9])
			var was Answer
			s.Resolve(p.a, p.pa, p.b, p.pb, 0.01, &was)
			pairs, ids = append(pairs, p), append(ids, was.Facet)
		}
		for _, way := range []string{"warm", "cold"} {
			b.Run(fmt.Sprintf("class=%s/way=%s", c.name, way), func(b *testing.B) {
				var out Answer
				sum, k := 0.0, 0
				for b.Loop() {
					p := &pairs[k&255]
					if way == "cold" || !s.Feature(p.a, p.pa, p.b, p.pb, 0.01, ids[k&255], &out) {
						s.Resolve(p.a, p.pa, p.b, p.pb, 0.01, &out)
					}
					k++
					sum += out.Gap
				}
				if !(math.Abs(sum) < float64(k)) {
					b.Fatal("no gaps")
				}
			})
		}
	}
}
