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

// tiedClass is a kind of placement at which facets of K tie, or lie next to each other's rims.
// place returns the poses of two shapes at their first contact, and the direction, A to B, that
// separates them.
type tiedClass struct {
	name  string
	types []Type
	place func(r *rand.Rand, want Type) placement
	// tied is true if facets tie that are at an angle to each other. If these tie only up to
	// rounding, a search answers.
	tied bool
}

func tiedClasses(t testing.TB) []tiedClass {
	_, shapes := capped(t)
	tetra, cube, brick, rock8, rock20, prism := shapes[0], shapes[1], shapes[2], shapes[3], shapes[4], shapes[6]
	of := func(of ...*soa.View) func(r *rand.Rand, want Type) placement {
		return func(r *rand.Rand, want Type) placement {
			return posedAs(r, want, of[r.IntN(len(of))], of[r.IntN(len(of))])
		}
	}
	return []tiedClass{
		{"edge on parallel edge, bricks", []Type{TypeEdgeParallel}, of(cube, brick), true},
		{"edge on parallel edge, tetra", []Type{TypeEdgeParallel}, of(tetra), true},
		{"edge on parallel edge, rock8", []Type{TypeEdgeParallel}, of(rock8), true},
		{"edge on parallel edge, rock20", []Type{TypeEdgeParallel}, of(rock20), true},
		{"edge on parallel edge, prism", []Type{TypeEdgeParallel}, of(prism, cube), true},
		{"corner on corner, cubes", []Type{TypeVertexVertex}, of(cube), true},
		{"corner on corner, bricks", []Type{TypeVertexVertex}, of(brick, cube), true},
		{"corner on corner, tetra", []Type{TypeVertexVertex}, of(tetra), true},
		{"corner on corner, rock20", []Type{TypeVertexVertex}, of(rock20), true},
		{"corner on corner, level cubes", []Type{TypeVertexVertex}, func(r *rand.Rand, _ Type) placement {
			return placement{TypeVertexVertex, cube, cube, at(0, 0, 0), at(1, 1, 1), vec.V(1, 1, 1).Unit()}
		}, true},
		{"corner on edge, bricks", []Type{TypeVertexEdge, TypeEdgeVertex}, of(cube, brick), false},
		{"corner on edge, tetra", []Type{TypeVertexEdge, TypeEdgeVertex}, of(tetra), true},
		{"edge on face, bricks", []Type{TypeFaceEdge, TypeEdgeFace}, of(cube, brick), false},
		{"edge on face, rock8", []Type{TypeFaceEdge, TypeEdgeFace}, of(rock8), false},
		{"edge on face, prism", []Type{TypeFaceEdge, TypeEdgeFace}, of(prism), false},
		{"face on face, rock8", []Type{TypeFaceFace}, of(rock8), false},
		{"face on face, bricks", []Type{TypeFaceFace}, of(cube, brick), false},
		{"diagonal neighbours", []Type{TypeEdgeParallel}, func(r *rand.Rand, _ Type) placement {
			return placement{TypeEdgeParallel, brick, brick, at(0, 0, 0), at(1, 0.2*r.Float64(), 0.5), vec.V(1, 0, 1).Unit()}
		}, true},
		{"level boxes near a corner", []Type{TypeVertexVertex}, func(r *rand.Rand, _ Type) placement {
			return placement{TypeVertexVertex, brick, cube, at(0, 0, 0), at(1, 0.75, 0.75), vec.V(1, 1+r.Float64(), 1+r.Float64()).Unit()}
		}, false},
	}
}

// drawn returns pair n of a class with a tilt and a depth.
func (c *tiedClass) drawn(r *rand.Rand, n int, tilt, depth float64) placement {
	p := c.place(r, c.types[n%len(c.types)])
	p.pb.Pos = p.pb.Pos.AddScaled(-depth*p.a.Radius, p.n)
	if tilt > 0 {
		p.pb.Rot = vec.FromRotationVector(randomUnit(r).Scale(tilt)).Mul(p.pb.Rot).Normalized()
	}
	return p
}

var tilts = []float64{0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3}

// leastTied returns the least shares of pairs of a tilt that Feature and Cold must prove. At a tilt
// of 1e-12 facets differ by about a tie, so a search must decide. A search may also decide between
// corners on each other.
func (c *tiedClass) leastTied(tilt float64, short bool) (warm, cold float64) {
	switch {
	case c.tied && (tilt <= 1e-12 || c.types[0] == TypeVertexVertex):
		return 0, 0
	case c.tied:
		return 0.5, 0.4
	case tilt == 1e-12 || short && tilt >= 1e-12:
		return 0.3, 0.3
	case tilt == 1e-9 || tilt == 1e-6 || c.types[0] == TypeVertexVertex:
		return 0.7, 0.7
	}
	return 0.95, 0.95
}

// TestTiedFacets puts corners, edges and faces on each other so that facets of K tie, exactly
// parallel and tilted. It compares Feature and Cold with the search, to the bit. The search is GJK
// and EPA, or the exhaustive one: between facets that differ by about a tie the two do not always
// agree.
func TestTiedFacets(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 2))
	s, oracle := NewSearch(), NewSearch()
	rounds := 100
	if require.Quick() {
		rounds = 20
	}
	classes := tiedClasses(t)
	for i := range classes {
		c := &classes[i]
		line := ""
		for _, tilt := range tilts {
			pairs, warmly, coldly := 0, 0, 0
			for n := range rounds {
				p := c.drawn(r, n, tilt, math.Pow(10, -5+3*r.Float64()))
				var was, want, warm, cold Answer
				coldOracle(oracle, p.a, p.pa, p.b, p.pb, 0, &was)
				if was.Status != Penetrating || was.Gap > -1e-9 {
					continue
				}
				pairs++
				oracle.Exhaustive(p.a, p.pa, p.b, p.pb, 0, &want)
				same := func(who string, out Answer) {
					t.Helper()
					if out.AnsweredBy = want.AnsweredBy; out != want && out != was {
						t.Fatalf("%s, tilt %g: %s says\n%+v\nthe exhaustive search\n%+v\npa=%+v pb=%+v", c.name, tilt, who, out, want, p.pa, p.pb)
					}
				}
				if s.Feature(p.a, p.pa, p.b, p.pb, 0, was.Facet, &warm) {
					warmly++
					same("Feature", warm)
				}
				from := soa.FacetID{Kind: soa.FaceVertex, A: uint16(r.IntN(p.a.NFaces)), B: uint16(r.IntN(p.b.NVerts))}
				if s.Feature(p.a, p.pa, p.b, p.pb, 0, from, &warm) {
					same("Feature from elsewhere", warm)
				}
				s.in.ForgetProof()
				if s.in.Place(p.a, p.pa, p.b, p.pb); s.in.Cold(0, &cold) {
					coldly++
					same("cold", cold)
				}
			}
			warm, cold := c.leastTied(tilt, require.Quick())
			if pairs == 0 || float64(warmly) < warm*float64(pairs) || float64(coldly) < cold*float64(pairs) {
				t.Errorf("%s, tilt %g: of %d pairs %d are proven by Feature, %d cold", c.name, tilt, pairs, warmly, coldly)
			}
			line += fmt.Sprintf(" %5.1f/%5.1f", 100*float64(warmly)/float64(pairs), 100*float64(coldly)/float64(pairs))
		}
		t.Logf("%-30s%s", c.name, line)
	}
}

// TestCloseCalls moves pairs of the same placements apart and together by amounts below the
// tolerances, and compares Resolve with GJK, EPA and the exhaustive search.
func TestCloseCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 2))
	s, oracle := NewSearch(), NewSearch()
	rounds := 60
	if require.Quick() {
		rounds = 12
	}
	classes := tiedClasses(t)
	for i := range classes {
		c := &classes[i]
		for _, depth := range []float64{0, 1e-16, -1e-15, 1e-14, -1e-14, 1e-13, -1e-13, 5e-13, 2e-12} {
			for n := range rounds {
				p := c.drawn(r, n, 0, depth)
				reach := []float64{0, 0.01, math.Inf(1)}[n%3]
				var was, slow, out Answer
				s.Resolve(p.a, p.pa, p.b, p.pb, reach, &out)
				coldOracle(oracle, p.a, p.pa, p.b, p.pb, reach, &was)
				if oracle.Exhaustive(p.a, p.pa, p.b, p.pb, reach, &slow); out != was && out != slow {
					t.Fatalf("%s, depth %g:\n%+v, expected\n%+v\npa=%+v pb=%+v", c.name, depth, out, was, p.pa, p.pb)
				}
			}
		}
	}
}

// TestTiedInvariance scales tied pairs by powers of two, which changes only exponents, moves them a
// million sizes away, and swaps them.
func TestTiedInvariance(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 2))
	s := NewSearch()
	classes := tiedClasses(t)
	for i := range classes {
		c := &classes[i]
		for n := range 20 {
			p := c.drawn(r, n, 0, 0x1p-9)
			var was, out Answer
			s.Resolve(p.a, p.pa, p.b, p.pb, 0, &was)
			for _, k := range []float64{0x1p20, 0x1p-20} {
				a, b := scaled(t, p.a, k), scaled(t, p.b, k)
				copy(a.Caps, p.a.Caps)
				copy(b.Caps, p.b.Caps)
				a.Inner, b.Inner = p.a.Inner*k, p.b.Inner*k
				pa, pb := p.pa, p.pb
				pa.Pos, pb.Pos = pa.Pos.Scale(k), pb.Pos.Scale(k)
				if c.tied {
					s.Resolve(a, pa, b, pb, 0, &out)
				} else if !s.Feature(a, pa, b, pb, 0, was.Facet, &out) {
					t.Fatalf("%s, scale %g: not proven by Feature", c.name, k)
				}
				if out.Facet != was.Facet || out.Gap != was.Gap*k || out.Normal != was.Normal {
					t.Fatalf("%s, scale %g:\n%+v\n%+v", c.name, k, out, was)
				}
			}
			// At that distance the poses are rounded to a bit of a million.
			far := vec.V(1e6, -2e6, 1e6)
			pa, pb := p.pa, p.pb
			pa.Pos, pb.Pos = pa.Pos.Add(far), pb.Pos.Add(far)
			if s.Resolve(p.a, pa, p.b, pb, 0, &out); math.Abs(out.Gap-was.Gap) > 1e-9 {
				t.Errorf("%s, far away: gap %g instead of %g", c.name, out.Gap, was.Gap)
			}
			if s.Resolve(p.b, p.pb, p.a, p.pa, 0, &out); math.Abs(out.Gap-was.Gap) > 1e-13 {
				t.Errorf("%s, swapped: gap %g instead of %g", c.name, out.Gap, was.Gap)
			}
		}
	}
}

// TestTiedAllocations answers tied pairs repeatedly, which must not allocate.
func TestTiedAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 2))
	s := NewSearch()
	classes := tiedClasses(t)
	var out Answer
	for i := range classes {
		for n := range 10 {
			p := classes[i].drawn(r, n, tilts[n%len(tilts)], 1e-3)
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

// FuzzTied compares Feature with the search on placements at which facets tie, tilted and moved by
// anything.
func FuzzTied(f *testing.F) {
	classes := tiedClasses(f)
	s, oracle := NewSearch(), NewSearch()
	f.Add(uint64(1), 0.0, 1e-3, 0.0)
	f.Add(uint64(5), 1e-9, 1e-4, 1e-5)
	f.Add(uint64(9), 1e-13, 1e-13, 0.0)
	f.Fuzz(func(t *testing.T, seed uint64, tilt, depth, shift float64) {
		if !(tilt >= 0 && tilt < 0.1) || !(math.Abs(depth) < 0.1) || !(math.Abs(shift) < 0.1) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 1))
		p := classes[seed%uint64(len(classes))].drawn(r, int(seed%2), tilt, depth)
		var was, slow, out Answer
		s.Resolve(p.a, p.pa, p.b, p.pb, 0, &was)
		id := was.Facet
		p.pb.Pos = p.pb.Pos.AddScaled(shift, randomUnit(r))
		if !s.Feature(p.a, p.pa, p.b, p.pb, 0, id, &out) {
			return
		}
		coldOracle(oracle, p.a, p.pa, p.b, p.pb, 0, &was)
		oracle.Exhaustive(p.a, p.pa, p.b, p.pb, 0, &slow)
		if out.AnsweredBy = was.AnsweredBy; out != was && out != slow {
			t.Errorf("Feature says\n%+v\nthe search\n%+v\n%+v", out, was, slow)
		}
	})
}

func BenchmarkTied(b *testing.B) {
	classes := tiedClasses(b)
	for i := range classes {
		c := &classes[i]
		for _, tilt := range tilts {
			r := rand.New(rand.NewPCG(7, 9))
			s := NewSearch()
			var pairs []placement
			var ids []soa.FacetID
			for n := 0; len(pairs) < 256; n++ {
				p := c.drawn(r, n, tilt, math.Pow(10, -4+2*r.Float64()))
				var was Answer
				if s.Resolve(p.a, p.pa, p.b, p.pb, 0, &was); was.Status == Penetrating {
					pairs, ids = append(pairs, p), append(ids, was.Facet)
				}
			}
			for _, way := range []string{"warm", "cold"} {
				b.Run(fmt.Sprintf("class=%s/tilt=%g/way=%s", c.name, tilt, way), func(b *testing.B) {
					var out Answer
					sum, k := 0.0, 0
					for b.Loop() {
						p := &pairs[k&255]
						if way == "cold" || !s.Feature(p.a, p.pa, p.b, p.pb, 0, ids[k&255], &out) {
							s.Resolve(p.a, p.pa, p.b, p.pb, 0, &out)
						}
						k++
						sum += out.Gap
					}
					if !(sum < 0) {
						b.Fatal("no depth")
					}
				})
			}
		}
	}
}
