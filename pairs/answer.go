package pairs

import (
	"errors"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/section"
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

// errTwoFacets is the fault of a row with two facets.
var errTwoFacets = errors.New("pairs: both bodies are facets of walls, expected one block or ball at least")

// solver is the workspace of one worker.
type solver struct {
	search narrow.Search
	cutter section.Cutter
	clip   *overlap.Clipper // nil until the first overlap
	dual   section.Dual
	answer narrow.Answer
	memory narrow.Memory // for rows without a track
	list   narrow.ContactList

	middle  soa.View    // of the current row, with Options.FacetCentre
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

// solve answers a question. k is its track, or nil without a track.
//
// On a track with method auto, solve first makes the query that the engine makes: do the bodies
// touch? The reported level is that of this query. If a certificate proves the pair apart, solve
// then measures the distance.
func (s *solver) solve(q *question, o *Options, k *track, r *result) {
	*r = result{contacts: r.contacts[:0]}
	var memory *narrow.Memory
	if k != nil {
		memory = &k.memory
	}
	if q.a.view.Kind.IsFlat() && q.b.view.Kind.IsFlat() {
		r.fault = errTwoFacets
		return
	}
	// Package narrow requires the ball first, and the facet last.
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
	asked := b
	if o.FacetCentre && b.Kind.IsFlat() {
		asked = s.centred(q, swapped, b.Round)
	}
	r.exhaustive = s.search.By(o.Method, a, pa, asked, pb, reach, dtol, kept, ans)
	if asked != b && ans.Facet.Kind == soa.FaceVertex && int(ans.Facet.B) >= b.NVerts {
		r.exhaustive = s.search.By(o.Method, a, pa, b, pb, reach, dtol, kept, ans) // Rounding named the middle, which has no features.
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
		r.kind = r.kind.Mirrored()
	}
}

// centred returns the view of B's facet with its middle as a vertex.
func (s *solver) centred(q *question, swapped bool, round float64) *soa.View {
	of := q.b
	if swapped {
		of = q.a
	}
	s.middle = *of.centred
	s.middle.Round = round
	return &s.middle
}

// locate returns where the contact of the last answer acts, m, in the frame of the poses. For rounded
// blocks it computes the overlap of the cores, moved along the normal by equal lengths until they
// overlap by the depth of the rounded blocks (Itasca, PFC, rounded rigid blocks).
func (s *solver) locate(where LocationChoice, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, k *track, r *result) vec.Vec3 {
	ans := &s.answer
	if (where == Full || where == Dual) && a.Kind.IsPolyhedron() {
		var kept *section.DualKept
		if k != nil {
			kept = &k.kept().dual
		}
		at, ok := s.overlapOf(where, a, pa, b, pb, kept, r)
		if ok {
			return at
		}
		r.noOverlap = true
	}
	at, _, ok := s.cutter.Reduced(a, pa, b, pb, ans.Normal, ans.Gap, ans.ArmA, ans.ArmB)
	r.noSection = !ok
	return pa.Pos.Add(at)
}

// overlapOf writes the volume of the overlap to r, and returns the centroid as locate does. ok is false if
// none was found.
func (s *solver) overlapOf(where LocationChoice, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, kept *section.DualKept, r *result) (at vec.Vec3, ok bool) {
	ans := &s.answer
	moved, n := 0.5*(a.Round+b.Round), ans.Normal
	armA, armB := ans.ArmA.AddScaled(-a.Round, n), ans.ArmB.AddScaled(b.Round, n)
	pa.Pos, pb.Pos = pa.Pos.AddScaled(moved, n), pb.Pos.AddScaled(-moved, n)
	if b.Kind.IsFlat() {
		was := pb.Pos
		b, pb = extruded(a, b, pb, section.Behind(b, vec.Pose{Pos: pb.Pos.Sub(pa.Pos), Rot: pb.Rot}, n))
		if armB = armB.Add(was.Sub(pb.Pos)); b == nil {
			return at, false
		}
	}
	if where == Dual {
		var how section.DualResult
		r.volume, at, how = s.dual.Overlap(a, pa, b, pb, n, ans.Gap, armA, armB, kept)
		ok, r.reused = how != section.DualNone, how == section.DualReuse
	} else {
		if s.clip == nil {
			s.clip = overlap.NewClipper()
		}
		r.volume, at, ok = s.clip.Volume(a, pa, b, pb, n)
	}
	return pa.Pos.Add(at), ok
}

// extruded returns the block that replaces a facet, and its pose: the facet extruded behind it, by the
// diameter of block a (Itasca, PFC, rigid block contacts with wall facets). It returns nil for a facet
// too narrow to make a block.
func extruded(a, facet *soa.View, pose vec.Pose, behind vec.Vec3) (*soa.View, vec.Pose) {
	behind = pose.Rot.RotateInv(behind).Scale(2 * a.Radius)
	var corners []vec.Vec3
	for k := range facet.NVerts {
		p := facet.Vert(soa.Vertex(k))
		corners = append(corners, p, p.Add(behind))
	}
	p, err := geometry.FromPoints("facet", corners)
	if err != nil {
		return nil, pose
	}
	h := enter(p.Template())
	return h.view, framed(h, pose, vec.Vec3{})
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
