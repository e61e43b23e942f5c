package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestFeatureNearTheRim tests pairs whose projection is near the rim of its facet, next to edges
// and corners of K, and compares Feature with the search, to the bit. Then both bodies move by all
// of the budget, each in the directions that change most, and the facet must still be the answer.
func TestFeatureNearTheRim(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(21, 4))
	s := NewSearch()
	rounds := require.Rounds(60, 200, 500)
	near, shells, budgets, moves := 0, 0, 0, 0
	for _, a := range shapes[:len(shapes)-1] {
		for _, b := range shapes {
			turn := 1 / min(a.Radius, b.Radius)
			for range rounds {
				depth := math.Pow(10, -4+2.5*r.Float64())
				pa, pb := cornered(r, s, a, b, depth)
				var was, warm, cold Answer
				s.Resolve(a, pa, b, pb, 0, &was)
				if was.Status != Penetrating {
					continue
				}
				near++
				s.in.Shell.Closed = false
				if !s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
					continue
				}
				if s.in.Shell.Closed {
					shells++
				}
				if warm.AnsweredBy = was.AnsweredBy; warm != was {
					t.Fatalf("the proof gives\n%+v\nthe search\n%+v\npa=%+v pb=%+v", warm, was, pa, pb)
				}
				proof := s.in.FacetBudget(turn)
				if proof.Motion == 0 {
					continue
				}
				budgets++
				for range 12 {
					qa, qb := stirred(r, a, pa, b, pb, &was, proof.Motion)
					s.Resolve(a, qa, b, qb, 0, &cold)
					if cold.Status != Penetrating || !isClear(cold.Gap, false, a.Radius, b.Radius) {
						continue
					}
					moves++
					moved := ofFacet(s, a, qa, b, qb, was.Facet, proof.Flip)
					if moved.AnsweredBy = cold.AnsweredBy; moved != cold {
						t.Fatalf("budget %g, depth %g: the proven facet gives\n%+v, the search\n%+v\npa=%+v pb=%+v\nqa=%+v qb=%+v",
							proof.Motion, -was.Gap, moved, cold, pa, pb, qa, qb)
					}
				}
			}
		}
	}
	t.Logf("%d pairs, %d by a shell, %d with a budget, %d motions", near, shells, budgets, moves)
	if shells < near/10 || budgets < near/2 || moves < 4*budgets {
		t.Errorf("%d pairs, %d by a shell, %d with a budget, %d motions: too few to prove anything", near, shells, budgets, moves)
	}
}

// cornered rotates two bodies at random and brings them together along the line between the
// features that are nearest from afar, mostly vertices, and on to the depth along the normals met.
// The projection is then near the rim of its facet.
func cornered(r *rand.Rand, s *Search, a, b *soa.View, depth float64) (pa, pb vec.Pose) {
	pa, pb = vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r)}
	pb.Pos = randomUnit(r).Scale(1.01 * (a.Radius + b.Radius))
	var out Answer
	for range 4 {
		s.Resolve(a, pa, b, pb, math.Inf(1), &out)
		pb.Pos = pb.Pos.AddScaled(-out.Gap-depth, out.Normal)
	}
	return pa, pb
}

// stirred moves two bodies by m in all: along or against the normal, or in the plane of contact,
// with rotations about axes through their centres that turn the contact most, or about any axis.
func stirred(r *rand.Rand, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, was *Answer, m float64) (vec.Pose, vec.Pose) {
	m *= 1 - 1e-9
	n := was.Normal
	side := n.Cross(randomUnit(r)).Unit()
	ways := []vec.Vec3{n, n.Neg(), side, side.Neg(), randomUnit(r)}
	way := func() vec.Vec3 { return ways[r.IntN(len(ways))] }
	share := float64(r.IntN(3)) / 2
	move := func(p vec.Pose, m, radius float64) vec.Pose {
		turn := float64(r.IntN(3)) / 2
		p.Pos = p.Pos.AddScaled(m*(1-turn), way())
		p.Rot = vec.FromRotationVector(way().Scale(m * turn / radius)).Mul(p.Rot).Normalized()
		return p
	}
	return move(pa, m*share, a.Radius), move(pb, m*(1-share), b.Radius)
}

// TestShellsDoNotAllocate checks that shells do not allocate once the largest shape has been seen.
func TestShellsDoNotAllocate(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(22, 4))
	s := NewSearch()
	a, b := shapes[4], shapes[5]
	turn := 1 / min(a.Radius, b.Radius)
	var out Answer
	found := 0
	for range 200 {
		pa, pb := cornered(r, s, a, b, 0.01)
		s.Resolve(a, pa, b, pb, 0, &out)
		id := out.Facet
		if s.in.Shell.Closed = false; !s.Feature(a, pa, b, pb, 0, id, &out) || !s.in.Shell.Closed {
			continue
		}
		found++
		if n := testing.AllocsPerRun(10, func() {
			s.Feature(a, pa, b, pb, 0, id, &out)
			s.Budget(turn)
		}); n != 0 {
			t.Fatalf("%g allocations", n)
		}
	}
	if found < 20 {
		t.Errorf("%d shells, expected 20", found)
	}
}
