package narrow

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/soa"
)

// TestFewEdgesAtOnePlace tests bodies with few edges that are nearly at one place and rotated
// against each other. The answer must have the bits of a test of all facets, without growing a
// polytope.
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
			if n := len(s.in.Tris); n > 0 {
				t.Errorf("%s, %s: a polytope of %d triangles is grown", shape, rg.name, n)
			}
		}
	}
}

// TestNeedlessEdgesAreNoFacets checks that no edge pair that the exhaustive search skips is a facet
// of K that is shallow enough. For bodies rotated only slightly against each other, the search must
// skip most of the edge pairs whose arcs cross to arcTol.
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
				if !s.in.Load(p.a, p.pa, p.b, p.pb) {
					t.Fatal("the pair has no answer")
				}
				best := s.in.Separating(pair.NegInf).H
				for ea := range s.in.ViewA.Edge {
					for eb := range s.in.ViewB.Edge {
						for _, limit := range []float64{best, best + s.in.Tol.Tie, best + float64(0.01*s.in.LengthScale)} {
							h, ok := s.in.EdgePair(ea, eb, limit)
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

// needlessPair is needless for two edges, given their indices.
func (s *Search) needlessPair(ea, eb int, limit float64) bool {
	p, p1 := s.in.EdgeA(ea)
	q, q1 := s.in.EdgeB(eb)
	h := s.in.ViewA.Edge[ea]
	out := s.in.ViewA.Normal(s.in.ViewA.Face[h]).Add(s.in.ViewA.Normal(s.in.ViewA.Face[s.in.ViewA.Twin[h]]))
	besideA, besideB := pair.PosedBody{V: s.in.ViewA, H: &s.in.HullA}.Beside(h), pair.PosedBody{V: s.in.ViewB, H: &s.in.HullB}.Beside(s.in.ViewB.Edge[eb])
	return s.in.Needless(p1.Sub(p), q1.Sub(q), p.Sub(q), out, &besideA, &besideB, limit)
}

// arcsCross reports whether the arcs of normals of two edges cross, to arcTol.
func (s *Search) arcsCross(ea, eb int) bool {
	h, k := s.in.ViewA.Edge[ea], s.in.ViewB.Edge[eb]
	p, p1 := s.in.EdgeA(ea)
	q, q1 := s.in.EdgeB(eb)
	e, f := p1.Sub(p), q1.Sub(q)
	along := func(g soa.Face) float64 { m, _ := s.in.PlaneB(int(g)); return e.Dot(m) }
	r1, r2 := along(s.in.ViewB.Face[k]), along(s.in.ViewB.Face[s.in.ViewB.Twin[k]])
	c1, c2 := f.Dot(s.in.ViewA.Normal(s.in.ViewA.Face[h])), f.Dot(s.in.ViewA.Normal(s.in.ViewA.Face[s.in.ViewA.Twin[h]]))
	flat := s.in.Tol.Arc
	return r1 >= -flat && r2 <= flat && c1 >= -flat && c2 <= flat || r1 <= flat && r2 >= -flat && c1 <= flat && c2 >= -flat
}
