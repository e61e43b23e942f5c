package narrow

import (
	"fmt"
	"strings"
)

// maxShapes is no less than the shapes of a pool.
const maxShapes = 64

// maxFaults is after how many faults a worker stops.
const maxFaults = 5

// agreeCount is what is known of the answers to one question, or about one kind of pairs.
type agreeCount struct {
	pairs      int
	worst      float64 // error of a gap said to be exact, over the size
	bounds     int     // answers that are lower bounds of a gap beyond the reach
	exhaustive int     // pairs that the exhaustive search had to answer
	other      int     // pairs in contact, answered by another facet equally shallow than Exhaustive's
	planes     int     // depths along a common plane, not said to be exact
	deeper     int     // of them those that are not the depth
	levels     [NAnsweredBy]int
}

// agreeSum is what a run of TestAgreement has seen. Sums and largest values: the order of blocks does not matter.
type agreeSum struct {
	pairs       int
	asked       []agreeCount // by question
	shaped      []agreeCount // by shape of either
	placed      [nPlacements]agreeCount
	batched     int     // pairs answered in a batch as well
	exact       int     // pairs answered in exact arithmetic
	oracleWorst float64 // error of the truth in float64 on them, over the size
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
	s.batched += o.batched
	s.exact += o.exact
	s.oracleWorst = max(s.oracleWorst, o.oracleWorst)
	s.faults = append(s.faults, o.faults...)
}

// note takes the error of an answer, over the size.
func (s *agreeSum) note(p *agreePair, question int, err float64) {
	for _, c := range []*agreeCount{&s.asked[question], &s.placed[p.place], &s.shaped[p.a.row], &s.shaped[p.b.row]} {
		c.worst = max(c.worst, err)
	}
}

// noteOracle takes the error of allFacets on a pair that exact arithmetic has answered, over the size.
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

// report is the tables that people read.
func (s *agreeSum) report(pool *agreePool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pairs, %d of them in a batch as well, %d in exact arithmetic; the truth in float64 errs there by at most %.2g of the size\n",
		s.pairs, s.batched, s.exact, s.oracleWorst)
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
