package scene

import (
	"fmt"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// comesOrGoes reports whether bodies come or go in the course of the run.
func (s *Scene) comesOrGoes() bool {
	return len(s.removes) > 0 || s.generates("pour")
}

// generates reports whether an entry of bodies has the given generator.
func (s *Scene) generates(kind string) bool {
	return slices.ContainsFunc(s.groups, func(g bodyEntry) bool { return g.kind == kind })
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
		mass := p.Mass + r.s.shapes[h].kilograms()
		if !g.inflow.isDue(k, mass, r.w.Time()) {
			return nil
		}
		if first {
			r.lookAround(g, p)
		}
		radius, free := r.s.shapes[h].radius, false
		var at vec.Vec3
		for try := 0; try < pourTries && !free; try++ {
			at, _ = r.s.place(g, radius, drawn(g.seed, k, p.Tries))
			p.Tries++
			free = p.near.free(at, radius)
			if p.Walls = free && !r.clear(at, radius); p.Walls {
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

// pours reports whether a pour has begun and has not brought all of its bodies.
func (r *runner) pours() bool {
	t := r.b.comings
	for i := range r.s.groups {
		g := &r.s.groups[i]
		if t == nil || g.kind != "pour" || r.w.Time()*(1+1e-12) < g.inflow.from {
			continue
		}
		h, _ := g.next(t.Poured[i].Bodies)
		if g.inflow.isDue(t.Poured[i].Bodies, t.Poured[i].Mass+r.s.shapes[h].kilograms(), math.Inf(1)) {
			return true
		}
	}
	return false
}
