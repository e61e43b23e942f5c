package engine

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Ledger is the account of energy since the start, J. It is for people: it never reaches state.
type Ledger struct {
	Elastic  float64 // in the normal springs now
	Shear    float64 // in the friction springs now
	Damping  float64 // taken by dashpots
	Friction float64 // taken by sliding, and by friction springs that end
	Walls    float64 // put in by walls that move
	// LawExcess was made by laws that have no potential: the work of their force without dashpots
	// and friction, and by how much the energy they hold rose. Relief of initial overlaps counts
	// among them, for it takes a force from the poses.
	LawExcess float64
	Applied   float64 // put in by the loads of World.SetLoad
}

// ledgerSum is one tile's share.
type ledgerSum struct {
	elastic, shear, pathwise  twofold // J, held now; pathwise is the part of elastic that laws without a potential hold
	released                  twofold // J, lost to friction where springs were let go or were shortened
	damping, friction, pushed twofold // W, of dashpots, of friction, and of the rest where the law has no potential
	worst                     float64 // m, the least gap, at most 0
}

// instant is what the account keeps from one step to the next: the power of forces, W, and what
// laws without a potential hold, J.
type instant struct {
	damping, friction, pushed, walls float64
	pathwise                         float64
}

// twofold is a sum with twice the digits of a float64 (Knuth's TwoSum). How pairs are cut into tiles, and which
// other pairs are candidates, changes the order of its terms. That shows in the 32nd digit only, so the value is
// the same, of a restarted world too, that finds its candidates at other steps.
type twofold struct{ high, low float64 }

func (t *twofold) add(x float64) {
	s := t.high + x
	grown := s - t.high
	t.low += (t.high - (s - grown)) + (x - grown)
	t.high = s
}

func (t *twofold) join(o twofold) {
	t.add(o.high)
	t.low += o.low
}

func (t twofold) value() float64 { return t.high + t.low }

type accountStage stepContext

// account adds up what the forces did in this step. Each force acts in two half kicks, one before
// and one after the instant it belongs to. With the velocities of that instant their sum is the
// work they did, to rounding, moved and turned alike (docs/numerics.md). So a step takes half of
// what it began with and half of what it ends with.
func (w *World) account() {
	if w.cfg.NoLedger {
		return
	}
	l, half, was := &w.ledger, 0.5*w.ctx.dt, w.instant
	sum := w.sumPowers()
	sum.released.join(w.old.released)
	w.old.released = twofold{}
	now := &w.instant
	l.Elastic, l.Shear = sum.elastic.value(), sum.shear.value()
	l.Damping -= float64(half * (was.damping + now.damping))
	l.Friction += sum.released.value() - float64(half*(was.friction+now.friction))
	l.Walls -= float64(half * (was.walls + now.walls))
	if loads := &w.loads; loads.force.Len() > 0 {
		power := w.powerOfLoads()
		loads.work += float64(half * (loads.power + power))
		loads.power, l.Applied = power, loads.work
	}
	l.LawExcess += float64(half*(was.pushed+now.pushed)) + (now.pathwise - was.pathwise)
}

// sumPowers returns the sum of the tiles, and keeps what the next step needs of it.
func (w *World) sumPowers() ledgerSum {
	w.pool.ForTasks(w.tiles.costs, (*accountStage)(&w.ctx))
	sum := w.tiles.total()
	walls := 0.0
	for i := range w.walls {
		id := int(w.walls[i].body)
		b := &w.bodies
		walls += b.Force.At(id).Dot(b.Vel.At(id)) + b.Torque.At(id).Dot(b.Spin.At(id))
	}
	w.instant = instant{sum.damping.value(), sum.friction.value(), sum.pushed.value(), walls, sum.pathwise.value()}
	return sum
}

// total joins what the tiles hold.
func (t *tiles) total() ledgerSum {
	all := ledgerSum{}
	for i := range t.sums {
		s := &t.sums[i]
		all.elastic.join(s.elastic)
		all.shear.join(s.shear)
		all.pathwise.join(s.pathwise)
		all.released.join(s.released)
		all.damping.join(s.damping)
		all.friction.join(s.friction)
		all.pushed.join(s.pushed)
		all.worst = min(all.worst, s.worst)
	}
	return all
}

// Task accounts for the active contacts of one tile.
func (c *accountStage) Task(tile, _ int) {
	w, con := c.w, &c.w.contacts
	sum := w.tiles.sums[tile]
	for _, k := range w.tiles.list(tile) {
		i := int(k)
		a, b := w.pairs.A[i], w.pairs.B[i]
		at := con.Location.At(i)
		ia, ib := w.pieces.Body[a], w.pieces.Body[b]
		v := w.velocityAt(ia, at).Sub(w.velocityAt(ib, at))
		spin := w.bodies.Spin.At(int(ia)).Sub(w.bodies.Spin.At(int(ib)))
		damping := con.Damping.At(i).Dot(v) + con.Moment.At(i).Dot(spin)
		friction := con.Friction.At(i).Dot(v) + con.FrictionMoment.At(i).Dot(spin)
		sum.damping.add(damping)
		sum.friction.add(friction)
		sum.released.add(-con.Shear[i])
		if w.isPathwise(i) {
			sum.pushed.add(w.powerOf(i) - damping - friction)
		}
	}
	w.tiles.sums[tile] = sum
}

// isPathwise reports whether what the contact of pair i takes and gives depends on the way the bodies
// go. That of a ball with one of several facets may: between facets of two materials stiffness changes
// at once, and with a reference gap a contact with the side of a valley ends however deep it is.
func (w *World) isPathwise(i int) bool {
	needs := w.needsOf(i)
	if w.contacts.Relief[i] != 0 || !needs.Potential {
		return true
	}
	a, b := w.pairs.A[i], w.pairs.B[i]
	wall := w.pieces.Body[b]
	return w.pieces.Kind[a] == soa.Ball && w.pieces.Kind[b] == soa.Facet && w.groups.Several(wall) && (needs.Unloaded != 0 || !w.groups.Even(wall))
}

// powerOf returns the power, W, of all that pair i does to its two bodies.
func (w *World) powerOf(i int) float64 {
	con, b := &w.contacts, &w.bodies
	ia, ib := int(w.pieces.Body[w.pairs.A[i]]), int(w.pieces.Body[w.pairs.B[i]])
	return con.Force.At(i).Dot(b.Vel.At(ia).Sub(b.Vel.At(ib))) +
		con.TorqueA.At(i).Dot(b.Spin.At(ia)) + con.TorqueB.At(i).Dot(b.Spin.At(ib))
}

// velocityAt returns the velocity of a body's material at a point of the world.
func (w *World) velocityAt(id soa.Body, at vec.Vec3) vec.Vec3 {
	b := &w.bodies
	i := int(id)
	return b.Vel.At(i).Add(b.Spin.At(i).Cross(at.Sub(b.Pos.At(i))))
}
