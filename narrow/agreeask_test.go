package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
)

// questions are the queries for a pair: a method without stored data, or after it answered the pair
// a step before. A slow method answers one pair in share, or one in 8·share if the edges of one
// body times those of the other exceed agreeFew.
var questions = []struct {
	name   string
	method Method // NMethods for Exhaustive
	warm   bool
	share  int
}{
	{"exhaustive", NMethods, false, 1},
	{"auto", Auto, false, 1},
	{"auto, warm", Auto, true, 1},
	{"gjk-epa", GJKEPA, false, 1},
	{"sat", SAT, false, 1},
	{"sat, warm", SAT, true, 4},
	{"fds", FDS, false, 1},
	{"fds, warm", FDS, true, 2},
	{"ds", DS, false, 4},
	{"cp", CP, false, 8},
	{"fcp", FCP, false, 4},
	{"fcp, warm", FCP, true, 8},
	{"slm", SLM, false, 8},
}

const (
	agreeFew   = 400 // edges of A times edges of B up to which a pair is cheap
	exactEvery = 100 // one pair in exactEvery is answered in exact arithmetic
	exactVerts = 36  // limit of vertices of A times vertices of B that exact arithmetic answers within a millisecond
)

// agreeAsker holds what one worker needs.
type agreeAsker struct {
	pool  *agreePool
	place *Search // places bodies; its answers are not tested
	s     *Search
	mem   Memory
	truth allFacets
	pair  agreePair
	due   int // pairs still to be answered in exact arithmetic
	sum   *agreeSum
}

func newAgreeAsker(pool *agreePool) *agreeAsker {
	return &agreeAsker{pool: pool, place: NewSearch(), s: NewSearch(), sum: newAgreeSum()}
}

// block tests the pairs of a block.
func (k *agreeAsker) block(number int, r *rand.Rand) {
	for i := range agreeBlock {
		k.pool.draw(r, k.place, &k.pair)
		if i%exactEvery == 0 {
			k.due++
		}
		if fault := k.ask(i); fault != nil && len(k.sum.faults) < maxFaults {
			p := &k.pair
			k.sum.faults = append(k.sum.faults, fmt.Sprintf("block %d, pair %d: %s and %s, %s, reach %g: %v\npa=%+v pb=%+v\nqa=%+v qb=%+v",
				number, i, p.a.name, p.b.name, placeNames[p.place], p.reach, fault, p.pa, p.pb, p.qa, p.qb))
		}
	}
}

// ask makes all queries that are due for the pair, and compares the answers.
func (k *agreeAsker) ask(number int) error {
	p := &k.pair
	a, b := p.a.view, p.b.view
	gap := k.truth.gap(a, p.pa, b, p.pb) - p.round
	verts := exactVerts
	if number%4 == 0 {
		verts *= 2
	}
	if k.due > 0 && a.Kind != soa.Ball && b.Kind != soa.Plane && a.NVerts*b.NVerts <= verts {
		k.due--
		exact := oracle.ExactGap(a, p.pa, b, p.pb) - p.round
		k.sum.noteOracle(math.Abs(gap-exact) / p.size)
		gap = exact
	}
	k.sum.pairs++
	k.sum.placed[p.place].pairs++
	k.sum.shaped[p.a.row].pairs++
	if p.b.row != p.a.row {
		k.sum.shaped[p.b.row].pairs++
	}
	var first, cold Answer
	for i, q := range questions {
		share := q.share
		if len(a.Edge)*len(b.Edge) > agreeFew {
			share *= 8
		}
		if q.share > 1 && number%share != 0 {
			continue
		}
		var out Answer
		asked := &k.sum.asked[i]
		asked.pairs++
		if k.answer(q.method, q.warm, &out) {
			asked.exhaustive++
		}
		asked.levels[out.AnsweredBy]++
		if err := k.check(q.method, gap, &out, i); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		switch {
		case i == 0:
			first = out
		case out.Exact && first.Exact && out.Facet != first.Facet:
			if out.Gap <= 0 && q.method.Deepens() {
				asked.other++
			}
		case out.Exact && first.Exact && (out.Gap != first.Gap || out.Normal != first.Normal):
			return fmt.Errorf("%s: one facet, two answers:\n%+v\nby all facets\n%+v", q.name, out, first)
		}
		if q.method == Auto && !q.warm {
			cold = out
		}
		if q.method == Auto && q.warm && out.Exact {
			out.AnsweredBy, out.Axis, out.AxisSupport = cold.AnsweredBy, cold.Axis, cold.AxisSupport
			if cold.Exact && out != cold {
				return fmt.Errorf("%s:\n%+v\nfrom nothing\n%+v", q.name, out, cold)
			}
		}
	}
	return nil
}

// answer makes one query. It reports whether the exhaustive search answered.
func (k *agreeAsker) answer(m Method, warm bool, out *Answer) bool {
	p := &k.pair
	a, b := p.a.view, p.b.view
	if m == NMethods {
		k.s.Exhaustive(a, p.pa, b, p.pb, p.reach, out)
		return false
	}
	dtol := 0.0
	if a.Kind != soa.Ball && b.Kind != soa.Plane {
		dtol = Dtol(a, b)
	}
	k.mem.Reset()
	if warm {
		k.s.By(m, a, p.qa, b, p.qb, p.reach, dtol, &k.mem, out)
	}
	return k.s.By(m, a, p.pa, b, p.pb, p.reach, dtol, &k.mem, out)
}

// check compares an answer with the true gap.
func (k *agreeAsker) check(m Method, gap float64, out *Answer, question int) error {
	p := &k.pair
	a, b, tol := p.a.view, p.b.view, agreeTol*p.size
	if out.Status > Penetrating {
		return fmt.Errorf("no answer: %v", out.Status)
	}
	if !out.Exact && out.Status == Separated {
		k.sum.asked[question].bounds++
		if !(out.Gap > p.reach && out.Gap <= gap+tol) {
			return fmt.Errorf("no bound of %.17g: %+v", gap, *out)
		}
		return nil
	}
	if !out.Exact {
		if excess := gap - out.Gap; m == NMethods || m.Deepens() || gap > tol || excess < -tol {
			return fmt.Errorf("no depth along a plane, expected %.17g: %+v", gap, *out)
		} else if excess > tol {
			k.sum.asked[question].deeper++
		}
		k.sum.asked[question].planes++
		gap = out.Gap
	}
	err := math.Abs(out.Gap-gap) / p.size
	k.sum.note(p, question, err)
	if a.Kind != soa.Ball && b.Kind != soa.Plane {
		if unit := max(p.size, p.pa.Rot.RotateInv(p.pb.Pos.Sub(p.pa.Pos)).MaxAbs()); !(err*p.size <= ProofTol*unit+truthTol*p.size) {
			return fmt.Errorf("gap %.17g, expected %.17g, off by %.3g ProofTol: %+v", out.Gap, gap, err*p.size/(ProofTol*unit), *out)
		}
	}
	if a.Kind != soa.Ball && b.Kind != soa.Plane && p.round == 0 {
		exact := *out
		exact.Exact = true
		return judge(a, p.pa, b, p.pb, gap, p.size, &exact)
	}
	onA, onB := out.ArmA.AddScaled(-a.Round, out.Normal), out.ArmB.AddScaled(b.Round, out.Normal)
	switch miss := p.pb.Pos.Sub(p.pa.Pos).Add(out.ArmB).Sub(out.ArmA.AddScaled(out.Gap, out.Normal)); {
	case !(err <= agreeTol):
		return fmt.Errorf("gap %.17g, expected %.17g: %+v", out.Gap, gap, *out)
	case math.Abs(gap) > tol && (gap > 0) != (out.Status == Separated):
		return fmt.Errorf("status %v of a gap of %g", out.Status, gap)
	case !(math.Abs(out.Normal.Norm()-1) <= 1e-14):
		return fmt.Errorf("normal %v", out.Normal)
	case !(miss.Norm() <= tol):
		return fmt.Errorf("witness points miss each other by %v: %+v", miss, *out)
	case a.Kind != soa.Ball && !(outside(a, p.pa.Rot.RotateInv(onA)) <= tol):
		return fmt.Errorf("a witness point is not on the core of A: %+v", *out)
	case b.Kind != soa.Plane && b.Kind != soa.Ball && !(outside(b, p.pb.Rot.RotateInv(onB)) <= tol):
		return fmt.Errorf("a witness point is not on the core of B: %+v", *out)
	}
	return nil
}
