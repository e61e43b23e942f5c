package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/pair"
	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// isClear is proof.Clear, where a proof is named proof.
var isClear = proof.Clear

// TestBudgetHolds moves the bodies of a proven pair, in many small steps or one large one, up to
// the budget of the proof. Wherever they overlap, a new search must return the same facet, and the
// answer the same bits.
func TestBudgetHolds(t *testing.T) {
	names, shapes := capped(t)
	r := rand.New(rand.NewPCG(5, 1))
	s := NewSearch()
	pairs := require.Rounds(12, 16, 40)
	proofs, budgets, steps := 0, 0, 0
	for i, a := range shapes[:len(shapes)-1] {
		for j, b := range shapes {
			for n := range pairs {
				pa, pb := placed(r, a, b, 0)
				if n%2 == 1 {
					pa, pb = faceOnFace(r, a, b)
				}
				depth := math.Pow(10, -4+3*r.Float64())
				var was, warm, cold Answer
				s.Resolve(a, pa, b, pb, 0, &was)
				pb.Pos = pb.Pos.AddScaled(-was.Gap-depth, was.Normal)
				s.Resolve(a, pa, b, pb, 0, &was)
				if was.Status != Penetrating || !s.Feature(a, pa, b, pb, 0, was.Facet, &warm) {
					continue
				}
				proofs++
				turn := 1 / min(a.Radius, b.Radius)
				proof := s.in.FacetBudget(turn)
				if proof.Motion == 0 {
					continue
				}
				budgets++
				id := warm.Facet
				left := proof.Motion
				for left > 0 {
					// Each step splits a body's motion at random into a translation and a rotation
					// about its centre. The last step uses all that remains.
					m := left * r.Float64()
					if m < 0.05*proof.Motion || r.IntN(3) == 0 {
						m = left
					}
					left -= m
					share := r.Float64()
					pa = moved(r, pa, m*share, a.Radius)
					pb = moved(r, pb, m*(1-share), b.Radius)
					s.Resolve(a, pa, b, pb, 0, &cold)
					if cold.Status != Penetrating {
						break
					}
					steps++
					warm = ofFacet(s, a, pa, b, pb, id, proof.Flip)
					if !isClear(warm.Gap, false, a.Radius, b.Radius) {
						if cold.Gap < -16*pair.CloseTol*(a.Radius+b.Radius+pb.Pos.Sub(pa.Pos).Norm()) {
							t.Fatalf("%s on %s: not clear at gap %g", names[i], names[j], cold.Gap)
						}
						break
					}
					if warm.AnsweredBy = cold.AnsweredBy; warm != cold {
						t.Fatalf("%s on %s, budget %g: the proven facet gives\n%+v, the search\n%+v",
							names[i], names[j], proof.Motion, warm, cold)
					}
				}
			}
		}
	}
	t.Logf("%d proofs, %d with a budget, %d steps", proofs, budgets, steps)
	if proofs < 5*pairs || float64(budgets) < 0.8*float64(proofs) || steps < budgets {
		t.Errorf("%d proofs, %d with a budget, %d steps", proofs, budgets, steps)
	}
}

// ofFacet returns the answer of a facet, right or wrong, with the normal oriented by flip instead
// of by Finalise.
func ofFacet(s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, id soa.FacetID, flip bool) (out Answer) {
	s.in.Load(a, pa, b, pb)
	gap, n, _ := s.in.Finalise(id)
	if id.Kind == soa.EdgeEdge {
		p, p1 := s.in.EdgeA(int(id.A))
		q, q1 := s.in.EdgeB(int(id.B))
		n, _ = pair.Crossing(p, p1, q, q1)
		if flip {
			n = n.Neg()
		}
		gap = n.Dot(q.Sub(p))
	}
	wa, _ := s.in.Witness(id, gap, n)
	s.in.Write(id, gap, n, wa, &out)
	return out
}

// faceOnFace places b with one of its faces on a face of a, tilted a little and shifted by a part
// of the smaller radius.
func faceOnFace(r *rand.Rand, a, b *soa.View) (pa, pb vec.Pose) {
	f, g := soa.Face(r.IntN(a.NFaces)), soa.Face(r.IntN(b.NFaces))
	n := a.Normal(f)
	axis := b.Normal(g).Cross(n.Neg())
	turn := vec.FromRotationVector(axis.Unit().Scale(math.Atan2(axis.Norm(), -b.Normal(g).Dot(n))))
	tilt := vec.FromRotationVector(randomUnit(r).Scale(math.Pow(10, -4+3*r.Float64())))
	twist := vec.FromRotationVector(n.Scale(2 * math.Pi * r.Float64()))
	pb.Rot = tilt.Mul(twist).Mul(turn).Normalized()
	shift := n.Cross(randomUnit(r)).Scale(0.3 * min(a.Radius, b.Radius) * r.Float64())
	pb.Pos = n.Scale(a.D[f] + b.D[g]).Add(shift)
	q := vec.FromRotationVector(randomUnit(r))
	return vec.Pose{Rot: q}, vec.Pose{Pos: q.Rotate(pb.Pos), Rot: q.Mul(pb.Rot).Normalized()}
}

// moved returns a pose whose odometer has advanced by m for a body of the given radius.
func moved(r *rand.Rand, p vec.Pose, m, radius float64) vec.Pose {
	m *= 1 - 1e-9
	turn := m * r.Float64()
	if r.IntN(3) == 0 {
		turn = m * float64(r.IntN(2))
	}
	p.Rot = vec.FromRotationVector(randomUnit(r).Scale(turn / radius)).Mul(p.Rot).Normalized()
	p.Pos = p.Pos.AddScaled(m-turn, randomUnit(r))
	return p
}

// TestBudgetNeedsAProof checks that there is no budget without a proof of a single facet.
func TestBudgetNeedsAProof(t *testing.T) {
	_, shapes := capped(t)
	s := NewSearch()
	if p := s.Budget(1); p != (Proof{}) {
		t.Errorf("a fresh workspace has %+v", p)
	}
	// Cubes with faces on each other are proven as a pair of faces, but no single facet of these
	// is.
	cube := shapes[1]
	pb := vec.Pose{Pos: vec.V(0.25, 0, 0.99), Rot: vec.IdentityPose.Rot}
	var out Answer
	s.Resolve(cube, vec.IdentityPose, cube, pb, 0, &out)
	if !s.Feature(cube, vec.IdentityPose, cube, pb, 0, out.Facet, &out) {
		t.Fatal("faces on each other are not proven")
	}
	if p := s.in.FacetBudget(1); p != (Proof{}) {
		t.Errorf("a facet of faces on each other has %+v", p)
	}
	if p := s.Budget(1); p.QuadA == 0 || p.QuadB == 0 || !(p.Motion > 1e-3) {
		t.Errorf("faces on each other have %+v", p)
	}
}

func TestBudgetDoesNotAllocate(t *testing.T) {
	_, shapes := capped(t)
	r := rand.New(rand.NewPCG(6, 1))
	s := NewSearch()
	a, b := shapes[3], shapes[4]
	pa, pb := placed(r, a, b, -0.01)
	var out Answer
	s.Resolve(a, pa, b, pb, 0, &out)
	id := out.Facet
	if n := testing.AllocsPerRun(100, func() {
		s.Feature(a, pa, b, pb, 0, id, &out)
		s.Budget(1)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
