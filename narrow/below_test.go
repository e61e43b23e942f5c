package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestBelow calls Below with random directions. The result must be a facet of K that is no deeper
// than K along the direction. A descent from there must end no deeper, and mostly at a facet.
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
			if !s.in.Load(a, pa, b, pb) {
				return
			}
			n := randomUnit(r)
			i, high := s.in.HullA.Highest(n)
			j, low := s.in.HullB.Lowest(n)
			h := high - low
			if h < 1e-6 {
				return // apart, or nearly: a descent then passes facets of greater height
			}
			at := s.in.Below(&proof.Probe{Found: true, N: n, A: soa.Vertex(i), B: soa.Vertex(j)})
			on := s.in.Evaluate(&at)
			if !on.OK || on.CapSine == 0 {
				return // coplanar with other facets, as those of nearly parallel edges
			}
			asked++
			_, high = s.in.HullA.Highest(on.N)
			_, low = s.in.HullB.Lowest(on.N)
			close := 1e-12 * s.in.LengthScale
			if at.Kind > soa.EdgeEdge || math.Abs(high-low+on.Gap) > close || -on.Gap > h+close {
				t.Fatalf("from depth %g to %v, depth %g, where K is %g deep\npa=%+v pb=%+v n=%+v", h, on.ID, -on.Gap, high-low, pa, pb, n)
			}
			if -on.Gap < h-close {
				falling++
			}
			if end, ok := s.in.Down(at); ok && end.Kind <= soa.EdgeEdge {
				if last := s.in.Evaluate(&end); last.OK && -last.Gap > h+close {
					t.Fatalf("from depth %g a descent ends at %v, depth %g\npa=%+v pb=%+v n=%+v", h, last.ID, -last.Gap, pa, pb, n)
				}
			}
		})
	}
	if asked < rounds || falling < asked/2 {
		t.Errorf("%d of %d are shallower, expected more", falling, asked)
	}
	t.Logf("%d of %d are shallower", falling, asked)
}
