package broad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/sched"
	"github.com/scree-dem/scree/soa"
)

// TestMergedLists checks that merge merges two sorted lists of pairs. Either list may be longer or
// empty. It tests one chunk and many, and one worker and three.
func TestMergedLists(t *testing.T) {
	pool := sched.New(3)
	defer pool.Close()
	r := rand.New(rand.NewPCG(5, 31))
	for _, n := range []int{0, 1, 7, minChunk, minChunk + 1, 10 * minChunk} {
		for _, rest := range []int{1, 2, 40, 5000} {
			for _, span := range []uint64{1 << 8, 1 << 40} { // keys that lie close together, and far apart
				used := map[uint64]bool{}
				keys := func(n int) (list []uint64) {
					for len(list) < n {
						if key := r.Uint64N(max(span, uint64(4*n)+1<<14)); !used[key] {
							used[key] = true
							list = append(list, key)
						}
					}
					slices.Sort(list)
					return list
				}
				c := CandidateSearch{}
				split := func(list []uint64) (a, b []soa.Piece) {
					for _, key := range list {
						a, b = append(a, soa.Piece(key>>12)), append(b, soa.Piece(key&(1<<12-1)))
					}
					return a, b
				}
				one, other := keys(n), keys(rest)
				c.others.found.A, c.others.found.B = split(one)
				c.others.a, c.others.b = split(other)
				all := append(one, other...)
				slices.Sort(all)
				wantA, wantB := split(all)
				for _, c.pool = range []*sched.Pool{nil, pool} {
					c.out = &soa.Pairs{}
					if c.merge(); !slices.Equal(c.out.A, wantA) || !slices.Equal(c.out.B, wantB) {
						t.Fatalf("%d and %d pairs of keys to %d: %d merged, not in order or not those", n, rest, span, len(c.out.A))
					}
				}
			}
		}
	}
}
