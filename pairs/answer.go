package pairs

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// result is the answer of a row, world frame.
type result struct {
	fault      error // why there is none
	touching   bool
	exhaustive bool // the method did not prove its answer
	hasPoints  bool // witness points; not where gap is a bound
	located    bool
	noSection  bool // location is the middle of the witness points
	level      narrow.AnsweredBy
	kind       narrow.Type
	gap        float64  // m
	normal     vec.Vec3 // unit, from A to B
	location   vec.Vec3 // m
	onA, onB   vec.Vec3 // m, witness points
}

// Why a pair has no answer although its row can be read.
var errDegenerate = errors.New("pairs: the bodies are too far apart, or of sizes too different, for float64")

// solver is the workspace of a worker.
type solver struct {
	search narrow.Search
	lot    narrow.Batch
	rows   [narrow.BatchPairs]int // of the rows of a lot, their number in it, or -1
	cutter overlap.Cutter
	answer narrow.Answer
	memory narrow.Memory // of rows without a track

	rounded [2]soa.View // the views of a row whose shapes are rounded
}

// view returns a shape's view with a rounding radius. k is 0 or 1.
func (s *solver) view(k int, of *shape, round float64) *soa.View {
	if round == 0 {
		return of.view
	}
	v := &s.rounded[k]
	*v = *of.view
	v.Round = round
	return v
}

// solveAll answers questions without a track, no more than a batch takes. Where the method is free what a batch
// knows is answered together.
func (s *solver) solveAll(order []int32, questions []question, results []result, o *Options) {
	s.lot.Reset()
	for k, i := range order {
		s.rows[k] = -1
		if q := &questions[i]; o.Method == narrow.Auto && q.roundA == 0 && q.roundB == 0 {
			n := s.lot.Len()
			if s.lot.Add(q.a.view, framed(q.a, q.pa, q.pa.Pos), q.b.view, framed(q.b, q.pb, q.pa.Pos)) {
				s.rows[k] = n
			}
		}
	}
	s.lot.Solve()
	for k, i := range order {
		s.solve(&questions[i], o, nil, s.rows[k], &results[i])
	}
}

// solve answers a question. memory is that of its track, or nil; row its number in the lot, or -1.
//
// On a track, Auto is asked first what an engine asks, whether the pair has come to touch, and the level is
// that of this answer. Where it is a certificate that the pair is apart, the distance is measured besides.
func (s *solver) solve(q *question, o *Options, memory *narrow.Memory, row int, r *result) {
	*r = result{}
	// Narrow wants a ball first.
	swapped := q.a.view.Kind > q.b.view.Kind
	pa, pb := q.pa, q.pb
	a, b := s.view(0, q.a, q.roundA), s.view(1, q.b, q.roundB)
	world := pa.Pos
	if swapped {
		world = pb.Pos
	}
	pa, pb = framed(q.a, pa, world), framed(q.b, pb, world)
	if swapped {
		a, b, pa, pb = b, a, pb, pa
	}
	dtol := o.DTol
	if dtol < 0 {
		dtol = narrow.Dtol(a, b)
	}
	reach := math.Inf(1)
	if memory != nil && o.Method == narrow.Auto || !o.Method.Measures() {
		reach = 0
	}
	kept := memory
	if memory == nil {
		memory = &s.memory
		memory.Reset()
		if o.Method != narrow.Auto {
			kept = memory
		}
	}
	ans := &s.answer
	if row < 0 || !s.lot.Take(row, reach, ans) {
		r.exhaustive = s.search.By(o.Method, a, pa, b, pb, reach, dtol, kept, ans)
	}
	r.level = ans.AnsweredBy
	var list *narrow.ContactList // which the method has found
	if o.Method.Lists() {
		list = &memory.List
	}
	if !ans.Exact && ans.Status == narrow.Separated && (o.Method.Measures() || !(ans.Gap > 0)) {
		exhaustive := s.search.Measure(a, pa, b, pb, memory, ans)
		r.exhaustive = r.exhaustive || exhaustive
		list = nil
	}
	if ans.Status == narrow.Degenerate || ans.Status == narrow.NotConverged || !finite(ans) {
		r.fault = errDegenerate
		return
	}
	r.gap, r.normal = ans.Gap, ans.Normal
	r.touching = r.gap <= 0
	if r.hasPoints = ans.Exact || ans.Status == narrow.Penetrating; r.hasPoints {
		r.onA, r.onB = world.Add(pa.Pos.Add(ans.ArmA)), world.Add(pb.Pos.Add(ans.ArmB))
	}
	if r.touching && o.Location == Reduced {
		at, _, ok := s.cutter.Reduced(a, pa, b, pb, ans.Normal, ans.Gap, ans.ArmA, ans.ArmB, ans.Facet)
		r.location, r.located, r.noSection = world.Add(pa.Pos.Add(at)), true, !ok
	}
	if r.touching || r.hasPoints && r.gap <= dtol {
		if list != nil {
			r.kind = list.Type
		} else {
			r.kind = s.search.TypeOf(a, pa, b, pb, dtol, ans)
		}
	}
	if swapped {
		r.normal = r.normal.Neg()
		r.onA, r.onB = r.onB, r.onA
		r.kind = mirrored(r.kind)
	}
}

// framed returns the pose of a shape's own frame, about the centroid, relative to a point of the world.
func framed(s *shape, p vec.Pose, world vec.Vec3) vec.Pose {
	return vec.Pose{Pos: p.Pos.Sub(world).Add(p.Rot.Rotate(s.origin)), Rot: p.Rot}
}

// finite reports whether an answer can be written: distances near the largest float64 can have no witness.
func finite(ans *narrow.Answer) bool {
	return ans.Gap-ans.Gap == 0 && ans.Normal.Finite() && ans.ArmA.Finite() && ans.ArmB.Finite()
}

// mirrored is the type as seen from the other body.
func mirrored(t narrow.Type) narrow.Type {
	for _, pair := range [][2]narrow.Type{
		{narrow.TypeVertexEdge, narrow.TypeEdgeVertex}, {narrow.TypeVertexFace, narrow.TypeFaceVertex}, {narrow.TypeEdgeFace, narrow.TypeFaceEdge},
	} {
		switch t {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return t
}
