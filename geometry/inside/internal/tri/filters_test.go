package tri

import (
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestFiltersAreRight checks that LineCrosses and SegmentPasses agree with the exact signs if they
// decide by floating point. The lines and segments pass an edge within rounding. With lineBound or
// edgeBound 0 the test would fail.
func TestFiltersAreRight(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	at := func() vec.Vec3 { return vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1) }
	crossings, passes := 0, 0
	for range 200000 {
		a, b, c := at(), at(), at()
		m := a.AddScaled(r.Float64(), b.Sub(a)) // on the edge, except for rounding
		want := LineSide(a, b, m.Y, m.Z)
		if want != LineSide(b, c, m.Y, m.Z) || want != LineSide(c, a, m.Y, m.Z) {
			want = 0
		}
		if got := LineCrosses(a, b, c, m.Y, m.Z); got != want {
			t.Fatalf("line along x through %v, triangle %v %v %v: %d, expected %d", m, a, b, c, got, want)
		}
		if want != 0 {
			crossings++
		}
		p := at()
		q := p.AddScaled(2, m.Sub(p))
		side := vec.Orient3D(a, b, c, p)
		if side == 0 || side == SideMoved(a, b, c, q) {
			continue
		}
		s := SideMoved(p, a, b, q)
		through := s == SideMoved(p, b, c, q) && s == SideMoved(p, c, a, q)
		if got := SegmentPasses(a, b, c, p, q); got != through {
			t.Fatalf("segment %v %v, triangle %v %v %v: %v, expected %v", p, q, a, b, c, got, through)
		}
		if through {
			passes++
		}
	}
	if crossings < 50000 || crossings > 150000 || passes < 50000 || passes > 150000 {
		t.Errorf("%d lines cross, %d segments pass, expected about half of them", crossings, passes)
	}
}
