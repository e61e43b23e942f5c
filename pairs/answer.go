package pairs

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/engine/narrow"
	"github.com/scree-dem/scree/engine/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// result is the result of a row, in the world frame.
type result struct {
	fault      error // why the row has no answer
	touching   bool
	exhaustive bool // the method proved no answer, so the exhaustive search ran
	hasPoints  bool // onA and onB are valid; false if gap is only a bound
	located    bool
	noSection  bool // location is the midpoint of the witness points
	noOverlap  bool // Options.Location asks for the overlap, and the location is the reduced one
	reused     bool // the dual hull of the row before holds
	level      narrow.AnsweredBy
	kind       narrow.Type
	gap        float64  // m
	volume     float64  // m³, of the overlap; 0 if it was not computed
	normal     vec.Vec3 // unit, from A to B
	location   vec.Vec3 // m
	onA, onB   vec.Vec3 // m, witness points
	contacts   []basic  // if Options.Contacts is set
}

// errNoGap is the fault of a row that can be read but not answered.
var errNoGap = errors.New("pairs: no gap is proven: the bodies are too far apart, or of sizes too different, or not convex")

// solver is the workspace of one worker.
type solver struct {
	search narrow.Search
	lot    narrow.Batch
	rows   [narrow.BatchPairs]int // by row of the current task: its index in lot, or -1
	cutter overlap.Cutter
	clip   *overlap.Clipper // nil until the first overlap
	dual   overlap.Dual
	answer narrow.Answer
	memory narrow.Memory // for rows without a track
	list   narrow.ContactList

	rounded [2]soa.View // views of the current row if its shapes are rounded
}

// view returns the view of a shape with a rounding radius. k is 0 for A and 1 for B.
func (s *solver) view(k int, of *shape, round float64) *soa.View {
	if round == 0 {
		return of.view
	}
	v := &s.rounded[k]
	*v = *of.view
	v.Round = round
	return v
}

// solveAll answers up to BatchPairs questions without a track. With method auto, it answers the
// pairs that narrow.Batch accepts together.
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

// solve answers a question. k is its track, or nil without a track. row is its index in the batch
// s.lot, or -1.
//
// On a track with method auto, solve first makes the query that the engine makes: do the bodies
// touch? The reported level is that of this query. If a certificate proves the pair apart, solve
// then measures the distance.
func (s *solver) solve(q *question, o *Options, k *track, row int, r *result) {
	*r = result{contacts: r.contacts[:0]}
	var memory *narrow.Memory
	if k != nil {
		memory = &k.memory
	}
	// Package narrow requires the ball first.
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
	if o.AutoDTol {
		forget := false
		if dtol, forget = autoDTol(q, k); forget {
			memory.Reset()
		}
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
	var list *narrow.ContactList // contacts that the method has found
	if o.Method.Lists() {
		list = &memory.List
	}
	if !ans.Exact && ans.Status == narrow.Separated && (o.Method.Measures() || !(ans.Gap > 0)) {
		exhaustive := s.search.Measure(a, pa, b, pb, memory, ans)
		r.exhaustive = r.exhaustive || exhaustive
		list = nil
	}
	if ans.Status > narrow.Penetrating || !finite(ans) {
		r.fault = errNoGap
		return
	}
	r.gap, r.normal = ans.Gap, ans.Normal
	r.touching = r.gap <= 0
	if r.hasPoints = ans.Exact || ans.Status == narrow.Penetrating; r.hasPoints {
		r.onA, r.onB = world.Add(pa.Pos.Add(ans.ArmA)), world.Add(pb.Pos.Add(ans.ArmB))
	}
	if r.touching && o.Location != None {
		r.located = true
		r.location = world.Add(s.locate(o.Location, a, pa, b, pb, k, r))
	}
	if r.touching || (r.hasPoints || list != nil && list.Type != narrow.NoType) && r.gap <= dtol {
		if list != nil {
			r.kind = list.Type
		} else {
			r.kind = s.search.TypeOf(a, pa, b, pb, dtol, ans)
		}
	}
	if o.Contacts != nil {
		if list == nil {
			list = &s.list
			s.search.Contacts(a, pa, b, pb, dtol, ans, list)
		}
		r.listed(list, world.Add(pa.Pos), swapped, q.pa, q.pb, k, o.Friction)
	}
	if swapped {
		r.normal = r.normal.Neg()
		r.onA, r.onB = r.onB, r.onA
		r.kind = mirrored(r.kind)
	}
}

// locate returns where the contact of the last answer acts, m, in the frame of the poses. For rounded
// blocks it computes the overlap of the cores, moved along the normal by equal lengths until they
// overlap by the depth of the rounded blocks (Itasca, PFC, rounded rigid blocks).
func (s *solver) locate(where Location, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, k *track, r *result) vec.Vec3 {
	ans := &s.answer
	if (where == Full || where == Dual) && a.Kind == soa.Block && b.Kind == soa.Block {
		moved, n := 0.5*(a.Round+b.Round), ans.Normal
		qa, qb := vec.Pose{Pos: pa.Pos.AddScaled(moved, n), Rot: pa.Rot}, vec.Pose{Pos: pb.Pos.AddScaled(-moved, n), Rot: pb.Rot}
		var at vec.Vec3
		ok := false
		if where == Full {
			if s.clip == nil {
				s.clip = overlap.NewClipper()
			}
			r.volume, at, ok = s.clip.Volume(a, qa, b, qb, n)
		} else {
			var kept *overlap.DualKept
			if k != nil {
				if k.dual == nil {
					k.dual = &overlap.DualKept{}
				}
				kept = k.dual
			}
			var how overlap.DualResult
			r.volume, at, how = s.dual.Overlap(a, qa, b, qb, n, ans.Gap, ans.ArmA.AddScaled(-a.Round, n), ans.ArmB.AddScaled(b.Round, n), soa.FacetID{}, kept)
			ok, r.reused = how != overlap.DualNone, how == overlap.DualReuse
		}
		if ok {
			return qa.Pos.Add(at)
		}
		r.volume, r.noOverlap = 0, true
	}
	at, _, ok := s.cutter.Reduced(a, pa, b, pb, ans.Normal, ans.Gap, ans.ArmA, ans.ArmB, ans.Facet)
	r.noSection = !ok
	return pa.Pos.Add(at)
}

// framed returns the pose of the view's frame, whose origin is the centroid, relative to the point
// world.
func framed(s *shape, p vec.Pose, world vec.Vec3) vec.Pose {
	return vec.Pose{Pos: p.Pos.Sub(world).Add(p.Rot.Rotate(s.origin)), Rot: p.Rot}
}

// finite reports whether all numbers of an answer are finite. Distances near the largest float64
// may have no finite witness points.
func finite(ans *narrow.Answer) bool {
	return ans.Gap-ans.Gap == 0 && ans.Normal.Finite() && ans.ArmA.Finite() && ans.ArmB.Finite()
}

// mirrored returns the type with the roles of A and B exchanged.
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
