package multipole

import (
	"math"
	"strconv"
	"sync/atomic"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/clusters"
	"github.com/scree-dem/scree/internal/cpu"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/sched"
)

// A cell's list of near nodes has every node that is about as long as its distance from the cell.
// For slivers these are so many that the lists of a level may exceed the memory. So each level is
// counted before it is made.

// memoryLimit is how much memory the lists of all levels may still take, in bytes.
type memoryLimit struct {
	degree int
	left   int // of the machine or Options.Memory
	chosen int // limit if New chooses the depth; equal on every machine
	given  int // depth that the caller set; 0: New chooses it
	extra  int // levels that the evaluation box adds at the top; depths do not count them
}

// The lists of a depth that New chooses take at most chosenBytes, plus chosenPerTriangle for each
// triangle. With smaller values, trees are too shallow for spheres and foams. With larger ones,
// slivers take more memory, and no depth makes slivers fast.
const (
	chosenBytes       = 1 << 28
	chosenPerTriangle = 1 << 11
)

func newMemoryLimit(m *Method, o *Options) *memoryLimit {
	r := &memoryLimit{degree: m.Degree, left: o.Memory, given: max(o.Depth, 0), extra: m.Extra}
	if r.left <= 0 {
		r.left = cpu.MostThatFit(1, math.MaxInt)
	}
	r.chosen = chosenBytes + chosenPerTriangle*len(m.tree.Tris)
	return r
}

// tally counts cells, near nodes, and the near nodes and pairs that a worker needs for the largest
// chunk.
type tally struct{ cells, near, chunkNear, chunkPairs int }

func (t *tally) add(o tally) {
	t.cells, t.near = t.cells+o.cells, t.near+o.near
	t.chunkNear, t.chunkPairs = max(t.chunkNear, o.chunkNear), max(t.chunkPairs, o.chunkPairs)
}

// cellBytes is the memory of a cell besides its expansion and list: leaf, row and box of Method and
// of children, and the same again for slices that grow.
const cellBytes = 2 * (88 + 4 + 28 + 64)

// lists returns the memory of the lists that the cells keep, in bytes.
func (t *tally) lists(degree int) int { return 4*t.near + t.cells*(cellBytes+8*rowsOf(degree)) }

// working returns the memory of the workers' temporary lists, in bytes: lists that grow, and
// conversions twice.
func (t *tally) working(workers int) int { return workers * (6*t.chunkNear + 32*t.chunkPairs) }

// reserve deducts the memory for the children of a front. It returns false if New chose the depth and the
// lists exceed the limit for such a depth. It returns an error if they exceed the memory.
func (r *memoryLimit) reserve(spreaders []*spreader, f *front, level int, pool *sched.Pool) (fits bool, err error) {
	need := func(t *tally) int { return t.lists(r.degree) + t.working(len(spreaders)) }
	tooDeep := func(t *tally) bool { return r.given == 0 && t.lists(r.degree) > r.chosen }
	most := spreaders[0].atMost(f, level)
	t := most
	if tooDeep(&most) || need(&most) > r.left {
		// New's choice must not depend on memory, so counting continues where memory ends.
		beyond := tooDeep
		if r.given > 0 {
			beyond = func(t *tally) bool { return need(t) > r.left }
		}
		var share float64
		switch t, share = tallyOf(spreaders, f, level, pool, beyond); {
		case tooDeep(&t):
			return false, nil
		case need(&t) > r.left:
			return false, r.fault(level, float64(need(&t))/share)
		}
	}
	r.left -= t.lists(r.degree)
	if !tooDeep(&most) {
		t = most // The limit for chosen depths must not depend on whether memory was short.
	}
	r.chosen -= t.lists(r.degree)
	return true, nil
}

// fault returns the error of a level that does not fit.
func (r *memoryLimit) fault(level int, need float64) error {
	depth := "chosen"
	if r.given > 0 {
		depth = strconv.Itoa(r.given)
	}
	return mark.Errorf(geometry.ErrTooLarge, "depth is %s: its level %d needs about %.2g GB for cells and what is near them, and %.2g GB of memory are left, expected depth %d or less",
		depth, level-r.extra, 1e-9*need, 1e-9*float64(r.left), level-r.extra-1)
}

// atMost returns an upper bound of the tally of a front's children: each child of a node near a
// cell counts as near all children of the cell.
func (s *spreader) atMost(f *front, level int) (t tally) {
	s.level = level
	for lo := 0; lo < len(f.at); lo += chunkParents {
		hi := min(lo+chunkParents, len(f.at))
		n := 0
		for _, near := range f.near[lo:hi] {
			for _, at := range near {
				n += int(max(s.tree.Nodes[at].NChild, 1))
			}
		}
		t.add(tally{8 * (hi - lo), 8 * n, 8 * n, 8 * n})
	}
	return t
}

// tallyOf counts a front's children without making them. It may stop early if beyond returns true.
// share is the fraction of the cells that it counted.
func tallyOf(spreaders []*spreader, f *front, level int, pool *sched.Pool, beyond func(*tally) bool) (sum tally, share float64) {
	chunks := make([]tally, (len(f.at)+chunkParents-1)/chunkParents)
	parts := make([]tally, len(spreaders))
	var stop atomic.Bool
	clusters.Each(pool, len(chunks), 1, func(lo, hi, worker int) {
		s := spreaders[worker]
		s.level = level
		for c := lo; c < hi && !stop.Load(); c++ {
			chunks[c] = s.count(f, c*chunkParents, min((c+1)*chunkParents, len(f.at)))
			parts[worker].add(chunks[c])
			if beyond(&parts[worker]) {
				stop.Store(true)
			}
		}
	})
	for _, c := range chunks {
		sum.add(c)
	}
	return sum, float64(sum.cells) / float64(8*len(f.at))
}

// count returns the tally of the children of the parents lo ≤ i < hi. It makes one child at a time.
func (s *spreader) count(f *front, lo, hi int) tally {
	near, pairs := 0, 0
	for i := lo; i < hi; i++ {
		for k := range 8 {
			bound := 0.0
			s.near, s.pairs = s.near[:0], s.pairs[:0]
			s.meet(childOf(f.cell[i], k), 0, f.near[i], &bound)
			near, pairs = near+len(s.near), pairs+len(s.pairs)
		}
	}
	return tally{8 * (hi - lo), near, near, pairs}
}
