package scene

import (
	"context"
	"fmt"
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// inflow says when the bodies of a pour come.
type inflow struct {
	rate, massRate float64 // 1/s and kg/s; one of them is 0
	from, to       float64 // s; to = 0: no end
	count          int64   // bodies, at most
	every          int64   // steps
}

// pourTries is the number of places that a pour tries for a body, each time that bodies come.
const pourTries = 20

// isDue reports whether body k of a pour is due at a time. mass is that of the bodies 0 to k, kg.
func (p *inflow) isDue(k int64, mass, t float64) bool {
	const late = 1 + 1e-12 // Sums of time steps round.
	if k >= p.count {
		return false
	}
	if t = float64(t * late); p.to > 0 {
		t = min(t, p.to)
	}
	since := t - p.from
	if p.rate > 0 {
		return since >= 0 && float64(k) <= float64(float64(p.rate*since)*late)
	}
	return mass <= float64(float64(p.massRate*since)*late)
}

// inflow checks when the bodies of a pour come, and that they have room.
func (s *checks) inflow(t *bodyTable, g *bodyEntry) {
	p := &g.inflow
	*p = inflow{rate: t.Rate, massRate: t.MassRate, from: t.From, to: t.To, count: maxBodies + 1, every: t.Every}
	s.demand(g.key+".to", p.to, p.to == 0 || p.to > p.from, fmt.Sprintf("a time after from, %g s", p.from))
	if t.Count != nil {
		p.count = g.count[0]
	}
	if p.to > 0 && p.to > p.from {
		lightest := math.Inf(1)
		for _, h := range g.shapes {
			lightest = min(lightest, s.shapes[h].kilograms())
		}
		// One more than the quotient, as the first body of a rate is due at from.
		n := (p.rate + p.massRate/lightest) * (p.to - p.from)
		p.count = min(p.count, int64(min(n*(1+1e-9), maxBodies))+1)
	}
	s.roomy(g)
}

// largestOf returns the shape of an entry with the largest bounding ball, the first of them.
func (s *Scene) largestOf(g *bodyEntry) (largest int) {
	largest = g.shapes[0]
	for _, h := range g.shapes {
		if s.shapes[h].radius > s.shapes[largest].radius {
			largest = h
		}
	}
	return largest
}

// roomy rejects a region without a place for the largest body of its entry.
func (s *checks) roomy(g *bodyEntry) {
	largest := s.largestOf(g)
	if _, err := s.room(g, largest); err != nil {
		s.fail(err)
		return
	}
	if _, ok := s.place(g, s.shapes[largest].radius, drawn(g.seed)); !ok {
		s.fault(g.key+"."+g.region.key, fmt.Sprintf("is too thin, expected room for the bounding ball of shape %q, of radius %.3g m",
			s.shapes[largest].name, s.shapes[largest].radius))
	}
}

// room returns the box of the places of shape h in the region of an entry, or an error if it has none.
func (s *Scene) room(g *bodyEntry, h int) (vec.Box, error) {
	room := s.placesOf(g, s.shapes[h].radius)
	if !(room.Min.X <= room.Max.X && room.Min.Y <= room.Max.Y && room.Min.Z <= room.Max.Z) {
		sides := g.region.box.Size()
		return room, s.at.fault(g.key+"."+g.region.key, fmt.Sprintf("sides %v, expected at least %s m, the bounding ball of shape %q",
			sides, above(s.sizeOf(h), min(sides.X, sides.Y, sides.Z)), s.shapes[h].name))
	}
	return room, nil
}

// placesOf returns the box of the places of a ball in the region of an entry. It is turned inside out if there is none.
func (s *Scene) placesOf(g *bodyEntry, radius float64) vec.Box {
	room := g.region.box.Enlarged(-radius)
	return vec.Box{Min: s.flat(room.Min), Max: s.flat(room.Max)}
}

// drawIn draws a point of a box.
func drawIn(room vec.Box, r *geometry.Rand) vec.Vec3 {
	return vec.V(r.Range(room.Min.X, room.Max.X), r.Range(room.Min.Y, room.Max.Y), r.Range(room.Min.Z, room.Max.Z))
}

// drawn returns the stream of random numbers of a seed and of numbers. Streams of different numbers are independent.
func drawn(seed uint64, of ...int64) *geometry.Rand {
	seed = geometry.NewRand(seed).Uint64()
	for _, n := range of {
		seed = geometry.NewRand(seed ^ uint64(n)).Uint64()
	}
	return geometry.NewRand(seed)
}

// place draws a place for a ball in the region of an entry. It returns false if it finds none.
func (s *Scene) place(g *bodyEntry, radius float64, r *geometry.Rand) (c vec.Vec3, ok bool) {
	room := s.placesOf(g, radius)
	for range outsideTries {
		if c = drawIn(room, r); g.region.holds(c, radius) {
			return c, true
		}
	}
	return c, false
}

// next returns the shape and the rotation of body k of a pour, which depend on its seed and on k alone.
func (g *bodyEntry) next(k int64) (shape int, rotation vec.Quat) {
	r := drawn(g.seed, k)
	return g.pick(r, int(k)), g.turn(r)
}

// fillable rejects a fill of more bodies than a scene may have, before they are counted.
func (s *checks) fillable(g *bodyEntry) {
	s.roomy(g)
	g.count[0] = 0 // until they are counted
	largest := s.shapes[s.largestOf(g)].radius
	size, volume, ball := g.region.box.Size(), 0.0, 4*math.Pi/3*largest*largest*largest
	switch {
	case s.planar:
		volume, ball = float64(size.X*size.Y), float64(math.Pi*largest*largest)
	case g.region.solid != nil:
		volume = g.region.solid.in.Report.Volume
	case g.region.length > 0:
		volume = float64(math.Pi * g.region.radius * g.region.radius * g.region.length)
	default:
		volume = float64(size.X * size.Y * size.Z)
	}
	// Balls at random places fill a region that is much wider than they are to 30 % at least.
	if n := fillShare * volume / ball; n > maxBodies {
		s.fault(g.key+"."+g.region.key, fmt.Sprintf("holds about %.3g bodies, expected at most %d: a smaller region, or larger bodies", n, maxBodies))
	}
}

// fillShare is the share of the volume of a region that balls at random places fill, about.
// Another value: other fills are refused before their bodies are counted.
const fillShare = 0.3

// countFills finds how many bodies the fills make: it makes all bodies of the scene. The
// first build takes them.
func (s *checks) countFills() {
	if s.first != nil || !s.generates("fill") {
		return
	}
	all, err := s.generate(context.Background())
	if err != nil {
		s.fail(err)
		return
	}
	if s.moving = int64(len(all)); s.moving > maxBodies {
		s.fault("bodies", fmt.Sprintf("makes %d bodies in all, expected at most %d", s.moving, maxBodies))
	}
	s.made.Store(&all)
}
