package broad

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestCandidatesAreSettledOnTheLattice counts the candidates that the lattice leaves undecided.
// There must be few in a cloud of any seed, even if some rows lie far away. This is a regression
// test: the lattice once covered only the bulk of 128 sampled rows, so all candidates of rows
// beyond were compared in float64.
func TestCandidatesAreSettledOnTheLattice(t *testing.T) {
	const n = 2 * FewRows
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 40))
		box := make([]vec.Box, n)
		for i := range box {
			at := vec.V(r.Float64(), r.Float64(), r.Float64()).Scale(18)
			if seed%2 == 1 && i%1000 == 17 {
				at = at.Scale(math.Pow(10, float64(seed)))
			}
			if seed%2 == 0 && i%(n/sampled) == 0 {
				at.Y = float64(0.5*at.Y) + 4 // sampled rows lie in the middle
			}
			box[i] = vec.Box{Min: at, Max: at.Add(vec.V(1, 1, 1))}
		}
		// Each row is paired with the next twenty. The lattice must decide most of these pairs.
		all := func(_ *Rows, p *PairList) error {
			for i := range n {
				for j := i + 1; j < min(i+20, n); j++ {
					p.A, p.B = append(p.A, soa.Piece(i)), append(p.B, soa.Piece(j))
				}
			}
			return nil
		}
		c, found := &Candidates{}, &PairList{}
		if err := c.Search(&Rows{Box: box, Margin: 0.03, Most: MaxPairs}, found, all); err != nil {
			t.Fatal(err)
		}
		want, open := 0, 0
		for i := range c.pairs.A {
			if Overlap(&box[c.pairs.A[i]], &box[c.pairs.B[i]]) {
				want++
			}
		}
		a, b := namesOf(c.pairs.A), namesOf(c.pairs.B)
		out := make([]uint32, len(a))
		for i := 0; i < len(a); i++ {
			if i, _ = asm.LatticePairs(c.corner, a, b, i, 0, out, out); i < len(a) {
				open++
			}
		}
		if found.Len() != want || open > len(a)/2000 {
			t.Errorf("seed %d: %d pairs of %d, %d left open of %d", seed, found.Len(), want, open, len(a))
		}
	}
}
