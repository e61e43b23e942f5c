package bench

import (
	"math"
	"time"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// replay is a sequence of pairs at the poses of sampled steps. Every method computes them in the
// same order, with a memory for each pair.
type replay struct {
	shapes *soa.Shapes
	pairs  int     // number of different pairs
	reach  float64 // m, gap up to which gaps are computed
	steps  []step
}

// step is the pairs of a step, and the index of each pair among all different pairs.
type step struct {
	fresh bool // nothing is known from earlier steps
	timed bool // if not, the step only fills the memories
	pairs []blockPair
	row   []int
}

// size returns the number of pairs in timed steps.
func (r *replay) size() int {
	n := 0
	for i := range r.steps {
		if r.steps[i].timed {
			n += len(r.steps[i].pairs)
		}
	}
	return n
}

// first returns the replay of the first n pairs of each step.
func (r *replay) first(n int) *replay {
	some := *r
	some.steps = nil
	for _, s := range r.steps {
		s.pairs, s.row = s.pairs[:n], s.row[:n]
		some.steps = append(some.steps, s)
	}
	return &some
}

// told receives a result, and its contact type if the answerer lists contacts.
type told func(k, i int, out *narrow.Answer, kind narrow.Type)

// answerer computes the steps of a replay in their order.
type answerer interface {
	// begin prepares step k, outside the timing. If initial, it discards everything known.
	begin(k int, initial bool)
	// answer computes the pairs of step k; if initial, each with nothing known. If tell is not nil,
	// answer calls it with each result.
	answer(k int, initial bool, tell told)
	// close ends the use of the answerer.
	close()
}

// turns returns a function that computes the next step each time, over and over. The function returns the duration and
// the number of answers, or 0 and 0 for a step that is not timed.
func (r *replay) turns(p answerer, initial bool) func() (time.Duration, int) {
	next := 0
	return func() (time.Duration, int) {
		k := next
		next = (next + 1) % len(r.steps)
		p.begin(k, initial)
		took := timed(func() { p.answer(k, initial, nil) })
		if !r.steps[k].timed {
			return 0, 0
		}
		return took, len(r.steps[k].pairs)
	}
}

// each computes all steps once, and calls tell with the results of the timed steps.
func (r *replay) each(p answerer, initial bool, tell told) {
	for k := range r.steps {
		p.begin(k, initial)
		if r.steps[k].timed {
			p.answer(k, initial, tell)
		} else {
			p.answer(k, initial, func(int, int, *narrow.Answer, narrow.Type) {})
		}
	}
}

// player computes a replay with one method, pair by pair.
type player struct {
	contender
	*replay
	search    *narrow.Search
	memories  []narrow.Memory
	out       narrow.Answer
	list      narrow.ContactList
	checks    narrow.Checks // of all results that were told, as fallbacks
	fallbacks int           // to the exhaustive search
}

func newPlayer(e *Env, c contender, r *replay) answerer {
	if c.detector {
		return newDetectorPlayer(e, r)
	}
	return &player{contender: c, replay: r, search: narrow.NewSearch(), memories: make([]narrow.Memory, r.pairs)}
}

func (p *player) close() {}

func (p *player) begin(k int, _ bool) {
	if p.steps[k].fresh {
		for i := range p.memories {
			p.memories[i].Reset()
		}
	}
}

func (p *player) answer(k int, initial bool, tell told) {
	s := &p.steps[k]
	for i := range s.pairs {
		q, mem := &s.pairs[i], &p.memories[s.row[i]]
		if p.alone {
			mem = nil
		} else if initial {
			mem.Reset()
		}
		dtol, reach := narrow.Dtol(q.a, q.b), p.reach
		if p.contender.list {
			reach = dtol // Contacts finds none if only a bound of the gap is known.
		}
		fell, kind := p.search.By(p.method, q.a, q.pa, q.b, q.pb, reach, dtol, mem, &p.out), narrow.Type(0)
		if p.contender.list {
			p.search.Contacts(q.a, q.pa, q.b, q.pb, dtol, &p.out, &p.list)
			kind = p.list.Type
		} else if p.method.Lists() && mem != nil {
			kind = mem.List.Type
		}
		if tell == nil {
			continue
		}
		if p.fallbacks += b2i(fell); counts(p.method) {
			p.checks.Add(p.search.Checks())
		}
		tell(k, i, &p.out, kind)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// burstSteps is the number of steps of a burst. A longer one has more pairs that are no candidates.
const burstSteps = 50

// detectorPlayer computes a replay with a Detector. It has a moving set for each
// burst, with all pairs that are candidates in one of the burst's steps. In a step in which a pair
// is no candidate, the pair stays at rest and is computed with the others.
type detectorPlayer struct {
	*replay
	env  *Env
	sets []*warmSet              // by step, the same for all steps of a burst
	by   [narrow.NAnsweredBy]int // how many of the results that were told each certificate answered
}

// warmSet is a moving set of pairs that an engine.Detector computes. Pair i has the bodies 2i and 2i+1. The pairs are
// moved apart, each into a cell of a grid, so that they do not meet each other.
type warmSet struct {
	pool  []blockPair
	place map[int]int // from the replay's row to the index in pool
	shift []vec.Vec3
	d     *engine.Detector
	poses []float64 // poseColumns for each body
	found *engine.DetectorContacts
	row   []int   // by pair: one more than its row in found, or 0
	reach float64 // m
	// Counts of the Detector that by has, and the number of steps since.
	before engine.AnswerCounts
	steps  int
}

// poseColumns is the number of columns of a pose in engine.Poses.
const poseColumns = 7

func newDetectorPlayer(e *Env, r *replay) *detectorPlayer {
	p := &detectorPlayer{replay: r, env: e}
	var w *warmSet
	for k := range r.steps {
		s := &r.steps[k]
		if s.fresh || k%burstSteps == 0 {
			w = &warmSet{reach: r.reach, place: map[int]int{}}
		}
		p.sets = append(p.sets, w)
		for i, row := range s.row {
			if _, known := w.place[row]; !known {
				w.place[row] = len(w.pool)
				w.pool = append(w.pool, s.pairs[i])
			}
		}
	}
	return p
}

func (p *detectorPlayer) close() {
	for _, w := range p.sets {
		if w.d != nil {
			w.d.Close()
			w.d = nil
		}
	}
}

// begin sets the poses of a step. If initial, or in the first step of a burst, it discards
// everything known about the pool.
func (p *detectorPlayer) begin(k int, initial bool) {
	w, s := p.sets[k], &p.steps[k]
	for i, row := range s.row {
		w.pool[w.place[row]] = s.pairs[i]
	}
	if w.shift == nil {
		w.spread()
	}
	if initial || k == 0 || w != p.sets[k-1] {
		p.build(w)
	}
	for i := range w.pool {
		for k, to := range [2]vec.Pose{w.pool[i].pa, w.pool[i].pb} {
			at := to.Pos.Add(w.shift[i])
			copy(w.poses[poseColumns*(2*i+k):], []float64{at.X, at.Y, at.Z, to.Rot.W, to.Rot.X, to.Rot.Y, to.Rot.Z})
		}
	}
}

func (p *detectorPlayer) answer(k int, _ bool, tell told) {
	w, s, q := p.sets[k], &p.steps[k], p.sets[k].poses
	found, err := w.d.Detect(engine.Poses{X: q, Y: q[1:], Z: q[2:], QW: q[3:], QX: q[4:], QY: q[5:], QZ: q[6:], Stride: poseColumns})
	p.env.check(err)
	w.found = found
	if w.steps++; tell == nil {
		return
	}
	// A pair that is no candidate counts as one that its odometers prove apart.
	now := w.d.AnsweredBy()
	if s.timed {
		p.by[narrow.ByOdometer] += w.steps*len(w.row) - int(now.Pairs-w.before.Pairs)
		for level := range p.by {
			p.by[level] += int(now.By[level] - w.before.By[level])
		}
	}
	w.steps, w.before = 0, now
	clear(w.row)
	for k := range found.Len() {
		w.row[found.A[k]/2] = k + 1
	}
	for i, row := range s.row {
		out := w.read(w.place[row])
		tell(k, i, &out, 0)
	}
}

// spread finds the cells of the pairs.
func (w *warmSet) spread() {
	far := 0.0
	for i := range w.pool {
		far = max(far, w.pool[i].pb.Pos.Sub(w.pool[i].pa.Pos).Norm()+w.pool[i].a.Radius+w.pool[i].b.Radius)
	}
	side := int(math.Ceil(math.Cbrt(float64(len(w.pool)))))
	pitch := math.Exp2(math.Ceil(math.Log2(2*far + 1))) // twice as far, and room for the motion
	for i := range w.pool {
		w.shift = append(w.shift, site(i, side).Scale(pitch).Sub(w.pool[i].pa.Pos))
	}
	w.row, w.poses = make([]int, len(w.pool)), make([]float64, 2*poseColumns*len(w.pool))
}

// build gives a set a new Detector, which knows nothing.
func (p *detectorPlayer) build(w *warmSet) {
	if w.d != nil {
		w.d.Close()
	}
	w.before = engine.AnswerCounts{}
	var err error
	w.d, err = engine.NewDetector(engine.DetectorConfig{Needs: force.Needs{Reach: w.reach}, Location: engine.Witness, Workers: 1})
	p.env.check(err)
	for h := range p.shapes.Len() {
		_, err := w.d.AddShape(p.shapes.Template(soa.Shape(h)))
		p.env.check(err)
	}
	for i := range w.pool {
		for _, shape := range [2]soa.Shape{w.pool[i].shapeA, w.pool[i].shapeB} {
			// The file's frame need not be about the centroid, as the poses of a pool are.
			local := vec.Pose{Pos: p.shapes.Origin(shape).Neg(), Rot: vec.Identity}
			_, err := w.d.Add(engine.Part{Shape: shape, Local: local})
			p.env.check(err)
		}
	}
}

// read returns the result of pair i in the last step that was told. For a pair that is apart, it sets only Status, and as
// a bound of the gap the reach.
func (w *warmSet) read(i int) narrow.Answer {
	k := w.row[i] - 1
	if k < 0 {
		return narrow.Answer{Status: narrow.Separated, Gap: w.reach}
	}
	out := narrow.Answer{Status: narrow.Separated, Exact: true, Gap: w.found.Gap[k], Normal: w.found.Normal.At(k)}
	switch {
	case out.Gap < 0:
		out.Status = narrow.Penetrating
	case out.Gap == 0:
		out.Status = narrow.Touching
	}
	return out
}
