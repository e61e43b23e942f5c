package narrow

import (
	"fmt"
	"strings"
)

// maxShapes is at least the number of shapes of a pool.
const maxShapes = 64

// maxFaults is the number of faults after which a worker stops.
const maxFaults = 5

// agreeCount holds statistics of the answers to one query, or for one kind of pairs.
type agreeCount struct {
	pairs      int
	worst      float64 // largest error of an exact gap, over the size
	bounds     int     // answers that are lower bounds of a gap beyond reach
	exhaustive int     // pairs answered by the exhaustive search
	other      int     // pairs in contact with another, equally shallow facet than Exhaustive's
	planes     int     // depths along a common plane that are not Exact
	deeper     int     // depths along a common plane that exceed the depth
	levels     [NAnsweredBy]int
}

// agreeSum holds the results of TestAgreement. It contains only sums and maxima, so the order of
// blocks does not matter.
type agreeSum struct {
	pairs       int
	asked       []agreeCount // by query
	shaped      []agreeCount // by shape of either body
	placed      [nPlacements]agreeCount
	exact       int     // pairs answered in exact arithmetic
	oracleWorst float64 // largest error of allFacets on these pairs, over the size
	faults      []string
}

func newAgreeSum() *agreeSum {
	return &agreeSum{asked: make([]agreeCount, len(questions)), shaped: make([]agreeCount, maxShapes)}
}

func (c *agreeCount) add(d *agreeCount) {
	c.pairs += d.pairs
	c.worst = max(c.worst, d.worst)
	c.bounds += d.bounds
	c.exhaustive += d.exhaustive
	c.other += d.other
	c.planes += d.planes
	c.deeper += d.deeper
	for i, n := range d.levels {
		c.levels[i] += n
	}
}

func (s *agreeSum) add(o *agreeSum) {
	s.pairs += o.pairs
	for i := range s.asked {
		s.asked[i].add(&o.asked[i])
	}
	for i := range s.shaped {
		s.shaped[i].add(&o.shaped[i])
	}
	for i := range s.placed {
		s.placed[i].add(&o.placed[i])
	}
	s.exact += o.exact
	s.oracleWorst = max(s.oracleWorst, o.oracleWorst)
	s.faults = append(s.faults, o.faults...)
}

// note records the error of an answer, over the size.
func (s *agreeSum) note(p *agreePair, question int, err float64) {
	for _, c := range []*agreeCount{&s.asked[question], &s.placed[p.place], &s.shaped[p.a.row], &s.shaped[p.b.row]} {
		c.worst = max(c.worst, err)
	}
}

// noteOracle records the error of allFacets, over the size, on a pair answered in exact arithmetic.
func (s *agreeSum) noteOracle(err float64) {
	s.exact++
	s.oracleWorst = max(s.oracleWorst, err)
}

func (s *agreeSum) worst() (w float64) {
	for i := range s.asked {
		w = max(w, s.asked[i].worst)
	}
	return w
}

// report returns the tables that the test prints.
func (s *agreeSum) report(pool *agreePool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pairs, %d in exact arithmetic; the truth in float64 errs there by at most %.2g of the size\n",
		s.pairs, s.exact, s.oracleWorst)
	fmt.Fprintf(&b, "%-16s %9s %9s %8s %10s %11s %7s %7s  %s\n", "method", "pairs", "worst", "bounds", "exhaustive", "other facet", "planes", "deeper", "by odometer, axis, feature, walk, search")
	for i, q := range questions {
		c := &s.asked[i]
		fmt.Fprintf(&b, "%-16s %9d %9.2g %8d %10d %11d %7d %7d  %v\n", q.name, c.pairs, c.worst, c.bounds, c.exhaustive, c.other, c.planes, c.deeper, c.levels)
	}
	fmt.Fprintf(&b, "%-16s %9s %9s\n", "either shape", "pairs", "worst")
	for i, k := range pool.shapes {
		fmt.Fprintf(&b, "%-16s %9d %9.2g\n", k.name, s.shaped[i].pairs, s.shaped[i].worst)
	}
	fmt.Fprintf(&b, "%-16s %9s %9s\n", "placement", "pairs", "worst")
	for i, name := range placeNames {
		fmt.Fprintf(&b, "%-16s %9d %9.2g\n", name, s.placed[i].pairs, s.placed[i].worst)
	}
	return b.String()
}
