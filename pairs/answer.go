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
	level      narrow.Level
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
	cutter overlap.Cutter
	answer narrow.Answer
	memory narrow.Memory // of rows without a track
	list   narrow.ContactList
}

// solve answers a question. memory is that of its track, or nil.
//
// The cores are answered, and the rounding radii taken off the gap: the ball about a core's surface moves its
// witness point along the normal and changes nothing else, whether the cores overlap or not.
//
// On a track, Auto is asked first what an engine asks, whether the pair has come to touch, and the level is
// that of this answer. Where it is a certificate that the pair is apart, the distance is measured besides.
func (s *solver) solve(q *question, o *Options, memory *narrow.Memory, r *result) {
	*r = result{}
	// Narrow wants a ball first.
	swapped := q.a.view.Kind > q.b.view.Kind
	a, b, pa, pb, roundA, roundB := q.a, q.b, q.pa, q.pb, q.roundA, q.roundB
	if swapped {
		a, b, pa, pb, roundA, roundB = b, a, pb, pa, roundB, roundA
	}
	world := pa.Pos
	pa, pb = framed(a, pa, world), framed(b, pb, world)
	round := roundA + roundB
	dtol := o.DTol
	if dtol < 0 {
		dtol = narrow.Dtol(a.view, b.view)
	}
	reach := math.Inf(1)
	if memory == nil {
		memory = &s.memory
		memory.Reset()
	} else if o.Method == narrow.Auto {
		reach = round
	}
	if !o.Method.Measures() {
		reach = round
	}
	ans := &s.answer
	r.exhaustive = s.search.By(o.Method, a.view, pa, b.view, pb, reach, dtol, memory, ans)
	r.level = ans.Level
	var list *narrow.ContactList
	if o.Method.Lists() {
		list = &memory.List
	}
	if !ans.Exact && (o.Method.Measures() || !(ans.Gap > round)) && ans.Status != narrow.Degenerate {
		exhaustive := s.search.Measure(a.view, pa, b.view, pb, memory, ans)
		r.exhaustive = r.exhaustive || exhaustive
		list = nil
	}
	if ans.Status == narrow.Degenerate || ans.Status == narrow.NotConverged || !finite(ans, round) {
		r.fault = errDegenerate
		return
	}
	n := ans.Normal
	armA, armB := ans.ArmA.AddScaled(roundA, n), ans.ArmB.AddScaled(-roundB, n)
	r.gap = ans.Gap - round
	r.touching = r.gap <= 0
	r.normal = n
	if r.hasPoints = ans.Exact; r.hasPoints {
		r.onA, r.onB = world.Add(pa.Pos.Add(armA)), world.Add(pb.Pos.Add(armB))
	}
	if r.touching {
		if o.Location == Reduced {
			at, _, ok := s.cutter.Reduced(a.view, pa, b.view, pb, n, r.gap, armA, armB, ans.Facet)
			r.location, r.located, r.noSection = world.Add(pa.Pos.Add(at)), true, !ok
		}
		r.kind = s.typeOf(a.view, pa, b.view, pb, dtol, list)
	}
	if swapped {
		r.normal = n.Neg()
		r.onA, r.onB = r.onB, r.onA
		r.kind = mirrored(r.kind)
	}
}

// framed returns the pose of a shape's own frame, about the centroid, relative to a point of the world.
func framed(s *shape, p vec.Pose, world vec.Vec3) vec.Pose {
	return vec.Pose{Pos: p.Pos.Sub(world).Add(p.Rot.Rotate(s.origin)), Rot: p.Rot}
}

// finite says whether an answer can be written: distances near the largest float64 can have no witness.
func finite(ans *narrow.Answer, round float64) bool {
	sum := ans.Gap - round
	return sum-sum == 0 && ans.Normal.Finite() && ans.ArmA.Finite() && ans.ArmB.Finite()
}

// mirrored is the type as seen from the other body.
func mirrored(t narrow.Type) narrow.Type {
	switch t {
	case narrow.TypeVertexEdge:
		return narrow.TypeEdgeVertex
	case narrow.TypeEdgeVertex:
		return narrow.TypeVertexEdge
	case narrow.TypeVertexFace:
		return narrow.TypeFaceVertex
	case narrow.TypeFaceVertex:
		return narrow.TypeVertexFace
	case narrow.TypeEdgeFace:
		return narrow.TypeFaceEdge
	case narrow.TypeFaceEdge:
		return narrow.TypeEdgeFace
	}
	return t
}

// leastApart times the larger radius is how far apart the cores of rounded bodies are left for their type where dtol
// is next to nothing: a quarter of what narrow takes for touching. Smaller: the direction between two
// corners is rounding.
const leastApart = 1.0 / (1 << 44)

// typeOf returns which features meet in a contact; none for balls. list is what the method has found out, nil where
// it has not.
//
// Rounded bodies touch while their cores are apart. The type is then that of the cores moved together along the
// normal until they are half of dtol apart: near enough to count, and not so near that vertices and edges lose
// their direction. The answer is then theirs.
func (s *solver) typeOf(
	a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, dtol float64, list *narrow.ContactList,
) narrow.Type {
	if near := max(0.5*dtol, leastApart*max(a.Radius, b.Radius)); s.answer.Gap > near {
		pb.Pos = pb.Pos.AddScaled(near-s.answer.Gap, s.answer.Normal)
		s.answer.Gap, list = near, nil
	}
	if list == nil {
		list = &s.list
		list.Reset()
		s.search.Contacts(a, pa, b, pb, dtol, &s.answer, list)
	}
	return list.Type
}
