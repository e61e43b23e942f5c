package narrow

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// TestFewEdgesAtOnePlace: bodies of few edges that are nearly at one place and turned against each
// other have the answer of all facets, bit by bit, and no polytope is grown for it.
func TestFewEdgesAtOnePlace(t *testing.T) {
	for _, shape := range []string{"tetra", "cube", "hex"} {
		for _, rg := range insideRegimes {
			if rg.turn == 0 {
				continue
			}
			s := NewSearch()
			for k, p := range insidePool(t, shape, rg.off, rg.turn, 60) {
				var out, all Answer
				s.Pair(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
				quick.Exhaustive(p.a, p.pa, p.b, p.pb, math.Inf(1), &all)
				if out != all {
					t.Fatalf("%s, %s, pair %d:\n%+v\nby all facets\n%+v", shape, rg.name, k, out, all)
				}
			}
			if n := len(s.tris); n > 0 {
				t.Errorf("%s, %s: a polytope of %d triangles is grown", shape, rg.name, n)
			}
		}
	}
}

// TestNeedlessEdgesAreNoFacets: no pair of edges that the exhaustive search leaves out is a facet
// of K that is shallow enough, and of bodies turned next to nothing against each other it leaves
// out most of those whose arcs cross to arcTol.
func TestNeedlessEdgesAreNoFacets(t *testing.T) {
	s := NewSearch()
	for _, shape := range []string{"tetra", "cube", "hex", "rock12"} {
		pools := map[string][]coldPair{"apart": coldPool(t, shape, 0.05, 0.1, false, 10), "deep": coldPool(t, shape, -0.2, -0.1, false, 10),
			"touching": coldPool(t, shape, -0.01, 0, true, 10)}
		for _, rg := range insideRegimes {
			pools[rg.name] = insidePool(t, shape, rg.off, rg.turn, 10)
		}
		for name, pool := range pools {
			crossed, left := 0, 0
			for _, p := range pool {
				if !s.load(p.a, p.pa, p.b, p.pb) {
					t.Fatal("the pair has no answer")
				}
				best := s.separating(negInf).h
				for ea := range s.va.Edge {
					for eb := range s.vb.Edge {
						for _, limit := range []float64{best, best + s.tol.tie, best + float64(0.01*s.unit)} {
							h, ok := s.edgePair(ea, eb, limit)
							needless := s.needlessPair(ea, eb, limit)
							if ok && needless {
								t.Fatalf("%s, %s: edges %d and %d, a facet of depth %g, are left out below %g", shape, name, ea, eb, h, limit)
							}
							if limit == best && s.arcsCross(ea, eb) {
								crossed++
								if needless {
									left++
								}
							}
						}
					}
				}
			}
			if shape == "cube" && name == "1e-12,turned" && left < crossed*2/3 {
				t.Errorf("%s, %s: of %d pairs of edges whose arcs cross %d are left out", shape, name, crossed, left)
			}
		}
	}
}

// needlessPair is needless for two edges by their numbers.
func (s *Search) needlessPair(ea, eb int, limit float64) bool {
	p, p1 := s.edgeA(ea)
	q, q1 := s.edgeB(eb)
	h := s.va.Edge[ea]
	out := s.va.Normal(s.va.Face[h]).Add(s.va.Normal(s.va.Face[s.va.Twin[h]]))
	besideA, besideB := body{s.va, &s.a}.beside(h), body{s.vb, &s.b}.beside(s.vb.Edge[eb])
	return s.needless(p1.Sub(p), q1.Sub(q), p.Sub(q), out, &besideA, &besideB, limit)
}

// arcsCross says whether the arcs of normals of two edges cross, to arcTol.
func (s *Search) arcsCross(ea, eb int) bool {
	h, k := s.va.Edge[ea], s.vb.Edge[eb]
	p, p1 := s.edgeA(ea)
	q, q1 := s.edgeB(eb)
	e, f := p1.Sub(p), q1.Sub(q)
	along := func(g soa.Face) float64 { m, _ := s.planeB(int(g)); return e.Dot(m) }
	r1, r2 := along(s.vb.Face[k]), along(s.vb.Face[s.vb.Twin[k]])
	c1, c2 := f.Dot(s.va.Normal(s.va.Face[h])), f.Dot(s.va.Normal(s.va.Face[s.va.Twin[h]]))
	flat := s.tol.arc
	return r1 >= -flat && r2 <= flat && c1 >= -flat && c2 <= flat || r1 <= flat && r2 >= -flat && c1 <= flat && c2 >= -flat
}
