package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/narrow/internal/proof"
	"github.com/scree-dem/scree/vec"
)

// TestProofsChangeNoBit switches each kind of proof off. A run of pairs in motion close to contact
// must have the same hash, because other proofs or a search answer. At least one pair must be
// answered differently.
func TestProofsChangeNoBit(t *testing.T) {
	want, levels := proofsRun(t, 0)
	for off := proof.Proofs(1); off <= proof.AllProofs; off <<= 1 {
		got, other := proofsRun(t, off)
		if got != want {
			t.Errorf("without way %b: hash %x, expected %x", off, got, want)
		}
		t.Logf("way %14b off: %v of %v", off, other, levels)
		if other == levels {
			t.Errorf("without way %b the same answers iterate: nothing feels it", off)
		}
	}
	all, other := proofsRun(t, proof.AllProofs)
	if t.Logf("all off: %v", other); all != want {
		t.Errorf("without any way: hash %x, expected %x", all, want)
	}
}

// proofsCount is the number of pairs by AnsweredBy, the number of pairs that needed GJK or EPA, and
// the sum of the bits of their budgets.
type proofsCount struct {
	level    [NAnsweredBy]int
	iterated int
	budgets  uint64
}

// proofsRun moves pairs of the classes at which facets tie, and random ones, and returns the hash
// of all exact answers.
func proofsRun(t *testing.T, off proof.Proofs) (hash uint64, count proofsCount) {
	r := rand.New(rand.NewPCG(47, 3))
	s := NewSearch()
	s.in.Off = off
	add := func(x uint64) { hash = (hash ^ x) * 0x100000001b3 }
	point := func(v vec.Vec3) { add(math.Float64bits(v.X)); add(math.Float64bits(v.Y)); add(math.Float64bits(v.Z)) }
	_, shapes := capped(t)
	classes := tiedClasses(t)
	for n := range 15 * len(classes) {
		c := &classes[n%len(classes)]
		depth := [6]float64{1e-3, 1e-4, 3e-2, -1e-2, 3e-13, -0.0201}[n%6]
		p := c.drawn(r, n, []float64{0, 1e-6, 1e-3}[n%3], depth)
		if n%4 == 1 {
			p.a, p.b = shapes[r.IntN(len(shapes)-1)], shapes[r.IntN(len(shapes))]
			p.pa, p.pb = placed(r, p.a, p.b, -depth)
		}
		reach := 0.02
		var mem Memory
		for step := range 6 {
			var out Answer
			s.in.N = -1
			s.By(Auto, p.a, p.pa, p.b, p.pb, reach, 0, &mem, &out)
			add(uint64(out.Status))
			if out.Exact {
				add(math.Float64bits(out.Gap))
				point(out.Normal)
				point(out.ArmA)
				point(out.ArmB)
				add(uint64(out.Facet.Kind)<<32 | uint64(out.Facet.A)<<16 | uint64(out.Facet.B))
			}
			count.level[out.AnsweredBy]++
			if s.in.N >= 0 {
				count.iterated++
			}
			count.budgets += math.Float64bits(mem.proof.Motion) >> 20
			m := [3]float64{1e-6, 1e-4, 1e-2}[step%3]
			p.pb = moved(r, p.pb, m, p.b.Radius)
		}
	}
	return hash, count
}
