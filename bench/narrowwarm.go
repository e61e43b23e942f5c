package bench

import (
	"github.com/scree-dem/scree/kernels"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// warmTile is the number of pairs that go through the stages together, as in a tile of the engine.
const warmTile = 512

// warmSet is a moving set of pairs, computed as in the engine's contact loop and in batches. The
// stages are the odometer sweep, separating axes and proven facets, then feature and search for the
// remaining pairs. Locations and forces are left out. Pair i has the bodies 2i and 2i+1, of one
// piece each.
type warmSet struct {
	shapes *soa.Shapes
	shape  []soa.Shape // by body
	bodies soa.Bodies
	pairs  soa.Pairs
	con    soa.Contacts // witnesses, gap, normal; Active if the gap is at most reach
	reach  float64      // m
	level  []narrow.AnsweredBy

	search  *narrow.Search
	out     narrow.Answer
	expired []uint32
	axis    narrow.AxisBatch
	proven  narrow.ProvenBatch
}

// newWarmSet returns a set of the pairs at rest, without any witness.
func newWarmSet(s *soa.Shapes, pool []blockPair, reach float64) *warmSet {
	w := &warmSet{shapes: s, reach: reach, search: narrow.NewSearch(), level: make([]narrow.AnsweredBy, len(pool))}
	w.bodies.Resize(2 * len(pool))
	w.pairs.Resize(len(pool))
	w.con.Resize(len(pool))
	w.expired = make([]uint32, warmTile)
	w.axis.Resize(warmTile)
	w.proven.Resize(warmTile)
	for i := range pool {
		p := &pool[i]
		w.shape = append(w.shape, p.shapeA, p.shapeB)
		w.pairs.A[i], w.pairs.B[i] = soa.Piece(2*i), soa.Piece(2*i+1)
		w.bodies.Radius[2*i], w.bodies.Radius[2*i+1] = p.a.Radius, p.b.Radius
	}
	w.reset(pool)
	return w
}

// reset discards all witnesses and sets the poses of a pool.
func (w *warmSet) reset(pool []blockPair) {
	for i := range pool {
		w.setPose(2*i, pool[i].pa)
		w.setPose(2*i+1, pool[i].pb)
		w.bodies.Odometer[2*i], w.bodies.Odometer[2*i+1] = 0, 0
		w.pairs.Expiry[i] = soa.Expired
		w.con.Unprove(i)
		w.pairs.DropAxis(i)
		w.con.Facet[i] = soa.FacetID{}
	}
}

func (w *warmSet) setPose(i int, p vec.Pose) {
	w.bodies.Pos.Set(i, p.Pos)
	w.bodies.Rot.Set(i, p.Rot)
}

// move sets the poses of the next step and advances the odometers.
func (w *warmSet) move(pool []blockPair) {
	for i := range pool {
		for k, to := range [2]vec.Pose{pool[i].pa, pool[i].pb} {
			kernels.Move(&w.bodies, soa.Body(2*i+k), to)
		}
	}
}

// step computes all pairs at their poses.
func (w *warmSet) step() {
	for lo := 0; lo < w.pairs.Len(); lo += warmTile {
		hi := min(lo+warmTile, w.pairs.Len())
		for i := lo; i < hi; i++ {
			w.level[i] = narrow.ByOdometer
		}
		n := kernels.Sweep(&w.pairs, w.bodies.Odometer, lo, hi, w.expired)
		rest := w.axes(w.expired[:n])
		w.solveProven(rest)
		for k, i := range rest {
			if !w.takeProven(k, int(i)) {
				w.solveAlone(int(i))
			}
		}
	}
}

func (w *warmSet) odometers(i int) (a, b float64) {
	return w.bodies.Odometer[2*i], w.bodies.Odometer[2*i+1]
}

// expiry returns the expiry of certificate C1 of pair i; see narrow.Expiry.
func (w *warmSet) expiry(i int, gap, reach float64) float64 {
	a, b := w.odometers(i)
	return narrow.Expiry(gap, reach, a, b, 0)
}

// axes tries the stored axes of the expired pairs, and returns the pairs that they do not separate.
func (w *warmSet) axes(expired []uint32) []uint32 {
	pairs := w.axis.Select(expired, &w.pairs)
	if len(pairs) == 0 {
		return expired
	}
	for k, i := range pairs {
		w.axis.Set(k, &w.pairs, w.shapes, w.shape[2*i], w.bodies.Pose(soa.Body(2*i)), w.shape[2*i+1], w.bodies.Pose(soa.Body(2*i+1)), w.reach)
	}
	w.axis.Solve(w.shapes)
	for k, i := range pairs {
		if gap, reach, ok := w.axis.Apart(k, expired); ok {
			w.pairs.Expiry[i] = w.expiry(int(i), gap, reach)
			w.level[i], w.con.Active[i] = narrow.ByAxis, false
		}
	}
	return w.axis.Unproven(expired)
}

// provenPair returns pair i in the form that batches of proven features read.
func (w *warmSet) provenPair(i int) *narrow.ProvenPair {
	return &narrow.ProvenPair{BodyA: soa.Body(2 * i), BodyB: soa.Body(2*i + 1), ShapeA: w.shape[2*i], ShapeB: w.shape[2*i+1]}
}

// solveProven computes the pairs whose features are within their motion budget.
func (w *warmSet) solveProven(rest []uint32) {
	w.proven.Begin(len(rest))
	for k, i := range rest {
		a, b := w.odometers(int(i))
		w.proven.Set(k, int(i), &w.con, w.shapes, &w.bodies, w.provenPair(int(i)), a, b)
	}
	w.proven.Solve(w.shapes, &w.bodies)
}

// takeProven stores the result of pair i, number k of the rest of a tile, if the batch of proven
// features has one. It reports whether it does.
func (w *warmSet) takeProven(k, i int) bool {
	out := &w.out
	if !w.proven.Answer(k, i, &w.con, w.shapes, &w.bodies, w.provenPair(i), w.reach, out) {
		return false
	}
	w.con.Gap[i], w.con.Active[i], w.con.Facet[i], w.level[i] = out.Gap, !(out.Gap > w.reach), out.Facet, narrow.ByFeature
	w.con.Normal.Set(i, out.Normal)
	if w.con.Active[i] {
		w.pairs.DropAxis(i)
	}
	return true
}

// solveAlone computes pair i alone.
func (w *warmSet) solveAlone(i int) {
	out := &w.out
	va, vb := w.shapes.View(w.shape[2*i]), w.shapes.View(w.shape[2*i+1])
	pa, pb := w.bodies.Pose(soa.Body(2*i)), w.bodies.Pose(soa.Body(2*i+1))
	w.pairs.Expiry[i] = soa.Expired
	w.con.Unprove(i)
	if !w.search.Feature(va, pa, vb, pb, w.reach, w.con.Facet[i], out) &&
		!w.search.WalkAxis(va, pa, vb, pb, w.reach, w.pairs.Axis.At(i), out) {
		w.search.Resolve(va, pa, vb, pb, w.reach, out)
	}
	if proof := w.search.Budget(1 / min(w.bodies.Radius[2*i], w.bodies.Radius[2*i+1])); proof.Motion > 0 {
		proof.Store(&w.con, i, w.expiry(i, proof.Motion, 0), w.shapes, w.shape[2*i], w.shape[2*i+1], out.Facet)
	}
	w.level[i], w.con.Gap[i], w.con.Active[i] = out.AnsweredBy, out.Gap, !(out.Gap > w.reach)
	w.con.Normal.Set(i, out.Normal)
	w.con.Facet[i] = out.Facet
	w.pairs.Axis.Set(i, vec.Vec3{})
	if !w.con.Active[i] {
		w.pairs.Axis.Set(i, out.Axis)
		w.pairs.AxisSupport[i] = out.AxisSupport
		w.pairs.Expiry[i] = w.expiry(i, narrow.LowerGap(out.Gap, pb.Pos.Sub(pa.Pos), va.Radius, vb.Radius), w.reach)
	}
}

// read returns the result of pair i in the last step. For a pair that is apart, it sets only Status,
// AnsweredBy, and as a bound of the gap the reach.
func (w *warmSet) read(i int) narrow.Answer {
	out := narrow.Answer{Status: narrow.Separated, AnsweredBy: w.level[i], Gap: w.reach}
	if w.level[i] == narrow.ByOdometer || !w.con.Active[i] {
		return out
	}
	out.Exact, out.Gap, out.Normal = true, w.con.Gap[i], w.con.Normal.At(i)
	switch {
	case out.Gap < 0:
		out.Status = narrow.Penetrating
	case out.Gap == 0:
		out.Status = narrow.Touching
	}
	return out
}
