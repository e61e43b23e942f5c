package bench

import (
	"math"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow"
)

// truths are the gaps of a pool, m, from three sources: exact arithmetic for the first pairs, the
// exhaustive search in float64 for the next ones, and the proven search for the rest.
type truths struct {
	gap               []float64
	exact, exhaustive int
}

// sampleOf returns how many pairs of shapes with this many vertices the two slow sources compute:
// at most about a second of work for each pool.
func sampleOf(verts int) (exact, exhaustive int) {
	switch {
	case verts <= 8:
		return 16, 512
	case verts <= 12:
		return 2, 256
	case verts <= 32:
		return 0, 128
	case verts <= 64:
		return 0, 32
	case verts <= 128:
		return 0, 8
	}
	return 0, 1
}

// truthsOf returns the gaps of a pool.
func truthsOf(s *shapeSet, pool []blockPair) truths {
	exact, exhaustive := sampleOf(s.verts)
	t := truths{gap: make([]float64, len(pool)), exact: min(exact, len(pool))}
	t.exhaustive = min(exhaustive, len(pool)-t.exact)
	search := narrow.NewSearch()
	var out narrow.Answer
	for i := range pool {
		p := &pool[i]
		switch {
		case i < t.exact:
			t.gap[i] = oracle.ExactGap(p.a, p.pa, p.b, p.pb)
			continue
		case i < t.exact+t.exhaustive:
			search.Exhaustive(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		default:
			search.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		}
		t.gap[i] = out.Gap
	}
	return t
}

// undecided, m at a size of 1 m, is the gap within which the rounding of poses decides whether a
// pair touches.
const undecided = 1e-12

// boundRounding, m at a size of 1 m, is how far a bound may exceed the gap by rounding.
const boundRounding = 1e-12

// tally compares results with the truth.
type tally struct {
	wrong  int     // touching although the pair is apart, or the converse, or a bound above the gap
	worst  float64 // the largest error of exact gaps, and of depths along a plane, over the size
	by     [narrow.NAnsweredBy]int
	levels int
	sum    hash
}

// add adds the result of a pair with a known gap. size is the size of the pair, m.
func (t *tally) add(out *narrow.Answer, gap, size float64) {
	apart := out.Status == narrow.Separated
	switch {
	case out.Status == narrow.NotConverged || out.Status == narrow.Degenerate,
		apart != (gap > 0) && math.Abs(gap) > undecided*size,
		!out.Exact && !(out.Gap <= gap+float64(boundRounding*size)):
		t.wrong++
	case out.Exact || !apart:
		t.worst = max(t.worst, math.Abs(out.Gap-gap)/size)
	}
	t.by[out.AnsweredBy]++
	t.levels++
	t.sum.word(uint64(out.Status))
	t.sum.float(out.Gap)
	if out.Exact {
		t.sum.float(out.Normal.X)
		t.sum.float(out.Normal.Y)
		t.sum.float(out.Normal.Z)
	}
}

// share returns the share of the results that l answered.
func (t *tally) share(l narrow.AnsweredBy) float64 { return per(float64(t.by[l]), float64(t.levels)) }
