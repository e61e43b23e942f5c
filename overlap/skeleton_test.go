package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
)

// memory is what a pair remembers of its overlap.
type memory struct {
	features Features
	skeleton Skeleton
}

// of stores what a clipper names of its last overlap, for the next step.
func (m *memory) of(c *Clipper) {
	if k, first := c.Skeleton(); k != nil {
		m.skeleton = *k
		m.features = Features{Facet: first.Facet, Prism: first.Prism, Skeleton: &m.skeleton}
		return
	}
	m.features = c.Named()
}

// TestSkeletonWarmIsCold leads bodies along random paths. It passes the skeletons of each of the
// last steps and of other overlaps of the same bodies. The overlap has the bits that it has with
// nothing remembered.
func TestSkeletonWarmIsCold(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	warm, cold := NewClipper(), NewClipper()
	steps, outlined, held, proven := 0, 0, 0, 0
	shapes := []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.5, 0.5)), view(t, rockBody(r, 4)), view(t, rockBody(r, 8)),
		view(t, rockBody(r, 12)), view(t, rockBody(r, 20)), view(t, rockBody(r, 32)), view(t, rockBody(r, 64)), view(t, prismBody(6)), view(t, pyramidBody(5, 0.7)),
		view(t, boxBody(1, 1, 0.01)), view(t, boxBody(0.02, 0.02, 0.02)), view(t, barBody(2, 0.05)),
	}
	n := 400
	if *soakOverlaps > 0 {
		n = 100 * *soakOverlaps
	}
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		var told [6]memory
		qa, qb, along := anyPlace(r, a, b)
		if r.IntN(3) == 0 {
			qa, qb, along = mixedPlace(r, a, b)
		}
		o := meet(cold, a, b, qa, qb, along, math.Pow(10, -5+4*r.Float64()))
		for step := range 24 {
			want, ok := cold.Share(o.a, o.pa, o.b, o.pb, o.along)
			for k := range told {
				m := &told[k]
				if m.features == (Features{}) {
					continue
				}
				var got Moments
				if okToo := warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &m.features, &got); ok != okToo || got != want {
					t.Fatalf("step %d, supposing %+v: %v, %+v; without %v, %+v", step, m.features, okToo, got, ok, want)
				}
				if by, _ := warm.Skeleton(); by != nil && by == m.features.Skeleton {
					if proven++; k == 0 {
						held++
					}
				}
			}
			steps++
			if by, _ := cold.Skeleton(); by != nil {
				outlined++
			}
			told[0].of(cold)
			if step%4 == 0 {
				told[1+step/4%5].of(cold)
			}
			o = o.stepped(r, math.Pow(10, -8+9*r.Float64()))
		}
	}
	t.Logf("of %d overlaps %d have a skeleton, %d of them that of the step before; %d are proven by one that is remembered", steps, outlined, held, proven)
	if outlined < steps/6 || held < outlined/2 || proven < 2*held {
		t.Errorf("of %d overlaps %d have a skeleton, %d of them that of the step before; %d are proven by one that is remembered", steps, outlined, held, proven)
	}
}
