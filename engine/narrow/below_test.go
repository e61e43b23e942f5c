package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestBelow goes on from directions drawn at random: what it finds is a facet of K and no deeper than K is along the direction,
// and a descent from there ends no deeper, at facets the most.
func TestBelow(t *testing.T) {
	shapes := coldKinds(t)[0]
	r := rand.New(rand.NewPCG(15, 7))
	s := NewSearch()
	rounds := 3000
	if require.Quick() {
		rounds = 500
	}
	asked, falling := 0, 0
	for range rounds {
		a, b := shapes[r.IntN(len(shapes)-1)], shapes[r.IntN(len(shapes))]
		coldPlaced(r, a, b, func(pa, pb vec.Pose) {
			if !s.load(a, pa, b, pb) {
				return
			}
			n := randomUnit(r)
			i, high := s.a.highest(n)
			j, low := s.b.lowest(n)
			h := high - low
			if h < 1e-6 {
				return // apart, or all but: what a descent passes is higher then
			}
			at := s.below(&coverProbe{true, n, soa.Vertex(i), soa.Vertex(j)})
			on := s.stand(&at)
			if !on.ok || on.lean == 0 {
				return // level with others, as of edges next to parallel
			}
			asked++
			_, high = s.a.highest(on.n)
			_, low = s.b.lowest(on.n)
			close := 1e-12 * s.unit
			if at.kind > soa.EdgeEdge || math.Abs(high-low+on.gap) > close || -on.gap > h+close {
				t.Fatalf("from depth %g to %v, depth %g, where K is %g deep\npa=%+v pb=%+v n=%+v", h, on.id, -on.gap, high-low, pa, pb, n)
			}
			if -on.gap < h-close {
				falling++
			}
			if end, ok := s.down(at); ok && end.kind <= soa.EdgeEdge {
				if last := s.stand(&end); last.ok && -last.gap > h+close {
					t.Fatalf("from depth %g a descent ends at %v, depth %g\npa=%+v pb=%+v n=%+v", h, last.id, -last.gap, pa, pb, n)
				}
			}
		})
	}
	if asked < rounds || falling < asked/2 {
		t.Errorf("%d of %d are shallower, expected more", falling, asked)
	}
	t.Logf("%d of %d are shallower", falling, asked)
}
