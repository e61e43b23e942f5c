package scene

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// remove is a checked [[remove]] table: a region whose bodies go.
type remove struct {
	count
	outside bool // of the box
	every   int64
}

// takes reports whether a body with its centre of mass at p goes.
func (m *remove) takes(p vec.Vec3) bool { return m.in(p) != m.outside }

// String returns the region, with all digits.
func (m *remove) String() string { return fmt.Sprint(m.count.String(), m.outside, m.every) }

// sourcePlaces is the number of places of a pour that are compared with the region of a remove.
const sourcePlaces = 1000

// checkRemoves reads the [[remove]] tables. It rejects one whose region holds places of a pour.
func (s *checks) checkRemoves(d *document) {
	for i := range d.Removes {
		t, m, key := &d.Removes[i], remove{every: d.Removes[i].Every}, fmt.Sprintf("remove[%d]", i)
		region := "box"
		switch {
		case t.Below != nil:
			region, m.plane, m.point, m.normal = "below", true, t.Below[0], t.Below[1]
			s.demand(key+".below", [][]float64{asList(m.point), asList(m.normal)}, m.normal != (vec.Vec3{}), "a normal that is not zero")
		case t.Box != nil:
			m.box = s.box(key+".box", t.Box)
		default:
			region, m.outside = "outside", true
			m.box = s.box(key+".outside", t.Outside)
		}
		for k := range s.groups {
			if g := &s.groups[k]; g.kind == "pour" && s.first == nil && s.takesFrom(&m, g) {
				s.fault(key+"."+region, fmt.Sprintf("holds places of the pour %s, expected a region away from its %s: its bodies would go as they come", g.key, g.region.key))
			}
		}
		s.removes = append(s.removes, m)
	}
}

// takesFrom reports whether bodies of a pour would go as they come.
func (s *Scene) takesFrom(m *remove, g *bodyEntry) bool {
	for k := range int64(sourcePlaces) {
		h := g.shapes[k%int64(len(g.shapes))]
		if c, ok := s.place(g, s.boundOf(h), drawn(g.seed, k)); ok && m.takes(c) {
			return true
		}
	}
	return false
}

// comesOrGoes reports whether bodies come or go in the course of the run.
func (s *Scene) comesOrGoes() bool {
	return len(s.removes) > 0 || slices.ContainsFunc(s.groups, func(g bodyEntry) bool { return g.kind == "pour" })
}

// digestComings adds what determines which bodies come and go.
func (s *Scene) digestComings(d *digester) {
	for i := range s.groups {
		if g := &s.groups[i]; g.kind == "pour" {
			d.whole(uint64(i))
			for _, h := range g.shapes {
				d.whole(uint64(h))
			}
			solid := ""
			if g.region.solid != nil {
				solid = g.region.solid.String()
			}
			r := g.region
			d.text(fmt.Sprint(r.key, r.box, r.from, r.axis, r.length, r.radius, solid, g.weights, g.rotation, g.turned, g.vel, g.spin, g.seed, g.inflow))
		}
	}
	for i := range s.removes {
		d.text(s.removes[i].String())
	}
}

// comings is what a run remembers of bodies that come and go. A checkpoint has it.
type comings struct {
	Poured  []poured `json:"poured"`  // by entry of bodies
	Removed []amount `json:"removed"` // by [[remove]]

	facets []facet
	planes []facet
	ids    []soa.ID
}

// amount is a number of bodies, and their mass, kg.
type amount struct {
	Bodies int64   `json:"bodies"`
	Mass   float64 `json:"mass"`
}

// poured is what has come of a pour.
type poured struct {
	amount
	Tries int64    `json:"tries"` // places tried for the next body
	Walls bool     `json:"walls"` // the last of them was taken by a wall, not by a body
	There []soa.ID `json:"there"` // bodies that were not removed

	near *balls // bounding balls of the bodies around
}

// facet is a facet of a wall, or a plane: its corners or a point on it and its normal.
type facet struct {
	box     vec.Box
	corners []vec.Vec3
}

func (s *Scene) newComings() *comings {
	if !s.comesOrGoes() {
		return nil
	}
	return &comings{Poured: make([]poured, len(s.groups)), Removed: make([]amount, len(s.removes))}
}

// comeAndGo removes and pours the bodies that are due before the next step.
func (r *runner) comeAndGo() error {
	t, step := r.b.comings, r.w.Steps()
	if t == nil {
		return nil
	}
	for i := range r.s.removes {
		if step%r.s.removes[i].every == 0 {
			if err := r.remove(i); err != nil {
				return err
			}
		}
	}
	for i := range r.s.groups {
		if g := &r.s.groups[i]; g.kind == "pour" && step%g.inflow.every == 0 {
			if err := r.pour(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove takes the bodies in a region out of the world.
func (r *runner) remove(i int) error {
	t, m, b := r.b.comings, &r.s.removes[i], r.w.Bodies()
	t.ids = t.ids[:0]
	for row := range b.Len() {
		if b.InvMass[row] > 0 && m.takes(r.w.InBox(b.Pos.At(row))) {
			t.ids = append(t.ids, b.ID[row])
			t.Removed[i].Bodies++
			t.Removed[i].Mass += b.Mass[row]
		}
	}
	for _, id := range t.ids {
		if err := r.w.RemoveBody(id); err != nil {
			return r.s.at.because(fmt.Sprintf("remove[%d]", i), err)
		}
	}
	if len(t.ids) > 0 {
		t.forget(r.w)
	}
	return nil
}

// forget drops the bodies that are no longer there.
func (t *comings) forget(w *engine.World) {
	for i := range t.Poured {
		t.Poured[i].There = slices.DeleteFunc(t.Poured[i].There, func(id soa.ID) bool {
			_, there := w.Bodies().Row(id)
			return !there
		})
	}
}

// pour adds the bodies of entry i that are due, in order, until one finds no free place.
func (r *runner) pour(i int) error {
	t, g := r.b.comings, &r.s.groups[i]
	p := &t.Poured[i]
	for first := true; ; first = false {
		k := p.Bodies
		h, rotation := g.next(k)
		mass := p.Mass + r.s.massOf(h)
		if !g.inflow.isDue(k, mass, r.w.Time()) {
			return nil
		}
		if first {
			r.lookAround(g, p)
		}
		radius, free := r.s.boundOf(h), false
		var at vec.Vec3
		for try := 0; try < pourTries && !free; try++ {
			at, _ = r.s.place(g, radius, drawn(g.seed, k, p.Tries))
			p.Tries++
			free = p.near.free(at, radius)
			if p.Walls = free && !t.clear(at, radius); p.Walls {
				free = false
			}
		}
		if !free {
			return nil
		}
		body := r.s.centred(h, at, rotation)
		body.vel, body.spin = g.vel, g.spin
		if g.name != "" {
			body.name = fmt.Sprintf("%s-%d", g.name, k)
		}
		id, err := r.s.addBody(r.w, &body)
		if err == nil {
			err = r.holdPoured(g, id)
		}
		if err != nil {
			return r.s.at.because(g.key, err)
		}
		if len(p.There) == cap(p.There) {
			t.forget(r.w) // A hook may have removed some.
		}
		p.amount, p.Tries, p.There = amount{k + 1, mass}, 0, append(p.There, id)
		for _, at := range r.w.Places(at) {
			p.near.add(at, radius)
		}
	}
}

// holdPoured gives a poured body the fixed components, loads and local damping of its entry.
func (r *runner) holdPoured(g *bodyEntry, id soa.ID) error {
	if g.course.fixed != nil || g.course.force != nil || g.course.torque != nil {
		if err := g.course.apply(r.w, []soa.ID{id}, 0); err != nil {
			return err
		}
	}
	damping := g.damping
	if damping == 0 {
		damping = r.s.localDamping
		if stage := r.present(); stage != nil {
			damping = stage.damping
		}
	}
	if damping == 0 {
		return nil
	}
	return r.w.SetLocalDamping(id, damping)
}

// lookAround notes the bounding balls of all bodies, and the planes and facets of walls, that come near the region of
// an entry, which is a pour.
func (r *runner) lookAround(g *bodyEntry, p *poured) {
	t, b, pieces, shapes := r.b.comings, r.w.Bodies(), r.w.Pieces(), r.w.Shapes()
	largest := 0.0
	for row, inverse := range b.InvMass {
		if inverse > 0 {
			largest = max(largest, b.Radius[row])
		}
	}
	for _, h := range g.shapes {
		largest = max(largest, r.s.boundOf(h))
	}
	if p.near == nil || p.near.width < 2*largest {
		p.near = newBalls(g.region.box, largest)
	}
	p.near.begin()
	t.facets, t.planes = t.facets[:0], t.planes[:0]
	for row := range b.Len() {
		switch {
		case b.Gone[row]:
			continue
		case b.InvMass[row] > 0:
			for _, at := range r.w.Places(b.Pos.At(row)) {
				p.near.add(at, b.Radius[row])
			}
			continue
		}
		for k := b.FirstPiece[row]; k < b.FirstPiece[row+1]; k++ {
			h, pose := pieces.Shape[k], pieces.Pose(b, k)
			if b.Radius[row] == 0 { // a plane
				t.planes = append(t.planes, facet{corners: []vec.Vec3{pose.Pos, pose.Rot.Rotate(vec.V(0, 0, 1))}})
				continue
			}
			if !g.region.box.Overlaps(vec.Box{Min: pose.Pos, Max: pose.Pos}.Enlarged(shapes.Radius[h])) {
				continue
			}
			f := facet{box: vec.EmptyBox(), corners: shapes.AppendCorners(nil, h)}
			for k, c := range f.corners {
				f.corners[k] = pose.Point(c)
				f.box = f.box.With(f.corners[k])
			}
			t.facets = append(t.facets, f)
		}
	}
}

// clear reports whether a ball meets no facet of a wall, and lies on the outer side of all planes.
func (t *comings) clear(c vec.Vec3, radius float64) bool {
	for i := range t.planes {
		if p := t.planes[i].corners; c.Sub(p[0]).Dot(p[1]) < radius {
			return false
		}
	}
	around := vec.Box{Min: c, Max: c}.Enlarged(radius)
	for i := range t.facets {
		if f := &t.facets[i]; f.box.Overlaps(around) && f.distance(c) < radius {
			return false
		}
	}
	return true
}

// distance returns the distance of a point from a convex facet.
func (f *facet) distance(p vec.Vec3) float64 {
	n := vec.Vec3{}
	for k := 2; k < len(f.corners); k++ {
		n = n.Add(f.corners[k-1].Sub(f.corners[0]).Cross(f.corners[k].Sub(f.corners[0])))
	}
	above, least := n != vec.Vec3{}, math.Inf(1)
	for k, a := range f.corners {
		along, d := f.corners[(k+1)%len(f.corners)].Sub(a), p.Sub(a)
		above = above && n.Cross(along).Dot(d) >= 0
		share := 0.0
		if l2 := along.Norm2(); l2 > 0 {
			share = min(max(d.Dot(along)/l2, 0), 1)
		}
		least = min(least, d.AddScaled(-share, along).Norm())
	}
	if above {
		return math.Abs(p.Sub(f.corners[0]).Dot(n)) / n.Norm()
	}
	return least
}

// pours reports whether a pour has begun and has not brought all of its bodies.
func (r *runner) pours() bool {
	t := r.b.comings
	for i := range r.s.groups {
		g := &r.s.groups[i]
		if t == nil || g.kind != "pour" || r.w.Time()*(1+1e-12) < g.inflow.from {
			continue
		}
		h, _ := g.next(t.Poured[i].Bodies)
		if g.inflow.isDue(t.Poured[i].Bodies, t.Poured[i].Mass+r.s.massOf(h), math.Inf(1)) {
			return true
		}
	}
	return false
}

// comingsColumn is the column of bodies that come and go.
const comingsColumn = runPrefix + "comings"

func (r *runner) saveComings() soa.Column {
	r.b.comings.forget(r.w)
	text, _ := json.Marshal(r.b.comings) // Masses are finite.
	return soa.Column{Name: comingsColumn, U8: text}
}

// recallComings restores what saveComings has saved.
func (r *runner) recallComings(kept []uint8) error {
	t := r.s.newComings()
	if t == nil {
		return errors.New("is of a scene in which bodies come or go, expected one without")
	}
	if f := readObject(kept, t); f != nil {
		return fmt.Errorf("has a column %q that cannot be read: %s", comingsColumn, f.what)
	}
	if len(t.Poured) != len(r.s.groups) || len(t.Removed) != len(r.s.removes) {
		return fmt.Errorf("has %d entries of bodies and %d of remove in column %q, expected %d and %d",
			len(t.Poured), len(t.Removed), comingsColumn, len(r.s.groups), len(r.s.removes))
	}
	for i := range t.Poured {
		p, pours := &t.Poured[i], r.s.groups[i].kind == "pour"
		if n := p.Bodies; n < 0 || n > r.s.groups[i].inflow.count || !pours && n > 0 || p.Tries < 0 || !(p.Mass >= 0) || int64(len(p.There)) > n {
			return fmt.Errorf("has %d bodies of %g kg, %d tries and %d ids of %s in column %q, expected at most %d bodies", n, p.Mass, p.Tries, len(p.There), r.s.groups[i].key,
				comingsColumn, r.s.groups[i].inflow.count)
		}
		for _, id := range p.There {
			if _, there := r.w.Bodies().Row(id); !there {
				return fmt.Errorf("has a body %d in column %q, which is not there", id, comingsColumn)
			}
		}
	}
	for _, a := range t.Removed {
		if a.Bodies < 0 || !(a.Mass >= 0) {
			return fmt.Errorf("has %d removed bodies of %g kg in column %q, expected no negative numbers", a.Bodies, a.Mass, comingsColumn)
		}
	}
	r.b.comings = t
	return nil
}

// ComingSummary is a number of bodies of an entry that came, wait or went.
type ComingSummary struct {
	Of     string  `json:"of"`               // name of the pour, or key of the entry
	Bodies int64   `json:"bodies"`           // number of bodies
	Mass   float64 `json:"mass"`             // kg, of them
	Reason string  `json:"reason,omitempty"` // why bodies wait
}

// summariseComings adds to a summary what came, waits and went.
func (r *runner) summariseComings(s *Summary) {
	t := r.b.comings
	if n, mass := r.w.Destroyed(); n > 0 {
		s.Removed = append(s.Removed, ComingSummary{Of: "domain", Bodies: int64(n), Mass: mass})
	}
	if t == nil {
		return
	}
	for i := range r.s.groups {
		g, p := &r.s.groups[i], &t.Poured[i]
		if g.kind != "pour" {
			continue
		}
		of := g.key
		if g.name != "" {
			of = g.name
		}
		s.Poured = append(s.Poured, ComingSummary{Of: of, Bodies: p.Bodies, Mass: p.Mass})
		waits := ComingSummary{Of: of}
		for k, mass := p.Bodies, p.Mass; ; k++ {
			h, _ := g.next(k)
			if mass += r.s.massOf(h); !g.inflow.isDue(k, mass, r.w.Time()) {
				break
			}
			waits.Bodies, waits.Mass = k+1-p.Bodies, mass-p.Mass
		}
		if waits.Bodies == 0 {
			continue
		}
		switch {
		case p.Tries == 0:
			waits.Reason = fmt.Sprintf("due after the last time at which bodies come, every %d steps", g.inflow.every)
		case p.Walls:
			waits.Reason = fmt.Sprintf("no free place for body %d in %d tries: walls are in the region", p.Bodies, p.Tries)
		default:
			waits.Reason = fmt.Sprintf("no free place for body %d in %d tries: bodies are in the region", p.Bodies, p.Tries)
		}
		s.Waiting = append(s.Waiting, waits)
	}
	for i, a := range t.Removed {
		s.Removed = append(s.Removed, ComingSummary{Of: fmt.Sprintf("remove[%d]", i), Bodies: a.Bodies, Mass: a.Mass})
	}
}
