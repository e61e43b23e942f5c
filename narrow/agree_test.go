package narrow

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scree-dem/scree/internal/require"
)

// Set by make soak, which tests more pairs than a normal test run.
var (
	soakPairs = flag.Int("soak.pairs", 0, "pairs of TestAgreement; 0 for the 60 000 of the ordinary run")
	soakSeed  = flag.Uint64("soak.seed", 1, "what its pairs are drawn from")
	soakFrom  = flag.Int("soak.from", 0, "its first block of 1000 pairs, to go on from where a run has ended")
)

const (
	agreeBlock = 1000 // pairs drawn from one random stream: a task for one worker
	agreeBatch = 100  // blocks between two reports of a soak
	agreeTol   = 1e-12
	truthTol   = 1e-14 // of allFacets, far above its error
)

// TestAgreement compares all methods on 60 000 pairs of all shapes, sizes and relative poses,
// degenerate ones included. The size of a pair is the larger bounding radius. All methods must
// return the same status if the gap is more than 1e-12 of the size. For one pair in a hundred an
// exact gap must agree with exact arithmetic; for the others with a test of all facets of K in
// float64, within ProofTol of the pair's length scale. A bound must not exceed the gap. The depth
// along a common plane must not be less than the depth. Stored data from the step before must
// change nothing, and every pair must have an answer.
//
//	go test ./narrow -run Agreement -v    # prints how many of each
//	make soak SOAK=100000000                     # the same on more
func TestAgreement(t *testing.T) {
	pairs := require.Rounds(20_000, 60_000, 150_000)
	if *soakPairs > 0 {
		pairs = *soakPairs
	}
	pool := newAgreePool(t)
	first, last := *soakFrom, *soakFrom+(pairs+agreeBlock-1)/agreeBlock
	start := time.Now()
	sum := newAgreeSum()
	for from := first; from < last && len(sum.faults) == 0; from += agreeBatch {
		to := min(from+agreeBatch, last)
		sum.add(agreeBlocks(pool, from, to))
		if *soakPairs > 0 {
			t.Logf("%d pairs in %v, worst error %.2g; go on with -soak.seed %d -soak.from %d",
				sum.pairs, time.Since(start).Round(time.Second), sum.worst(), *soakSeed, to)
		}
	}
	t.Logf("seed %d, blocks %d to %d, %v on %d workers\n%s",
		*soakSeed, first, last, time.Since(start).Round(time.Second), runtime.GOMAXPROCS(0), sum.report(pool))
	// Facets tie by rounding, and EPA evaluates only those that it passes: it may return another
	// than the lowest.
	for i, q := range questions {
		if n := sum.asked[i].other; n > 20+sum.asked[i].pairs/2000 {
			t.Errorf("%s names %d times in %d another facet than the lowest that ties", q.name, n, sum.asked[i].pairs)
		}
	}
	// One in 3800 of these pairs needs the exhaustive search, nearly all with bodies that differ in
	// size by 1e9 or more.
	for i, q := range questions {
		if n := sum.asked[i].exhaustive; n > 20+sum.asked[i].pairs/1000 && (q.method == Auto || q.method == GJKEPA) {
			t.Errorf("%s falls back to the exhaustive search %d times in %d", q.name, n, sum.asked[i].pairs)
		}
	}
	for _, f := range sum.faults {
		t.Error(f)
	}
}

// agreeBlocks tests the pairs of some blocks on all processors. The result does not depend on the
// number of processors, except for the faults at which it stops.
func agreeBlocks(pool *agreePool, from, to int) *agreeSum {
	var next atomic.Int64
	next.Store(int64(from))
	sums := make([]*agreeSum, min(runtime.GOMAXPROCS(0), to-from))
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			k := newAgreeAsker(pool)
			sums[w] = k.sum
			for b := int(next.Add(1)) - 1; b < to && len(k.sum.faults) < maxFaults; b = int(next.Add(1)) - 1 {
				k.block(b, rand.New(rand.NewPCG(*soakSeed, uint64(b))))
			}
		})
	}
	wg.Wait()
	sum := newAgreeSum()
	for _, s := range sums {
		sum.add(s)
	}
	return sum
}
