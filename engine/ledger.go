package engine

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Ledger is the account of energy since the start, J. It is for people: it never reaches state.
type Ledger struct {
	Elastic  float64 // in the normal springs now, from the gaps
	Shear    float64 // in the friction springs now
	Damping  float64 // taken by dashpots
	Friction float64 // taken by sliding, and by friction springs let go
	Walls    float64 // put in by walls that move
}

// ledgerSum is one tile's share.
type ledgerSum struct {
	elastic, shear, damping, friction twofold
	worst                             float64 // m, the least gap, at most 0
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

// account adds up what this step's forces did, with the velocities of the full step: then the sum over
// the steps is the work of the two half kicks, to the last order for translation.
func (w *World) account() {
	if w.cfg.NoLedger {
		return
	}
	w.pool.ForTasks(w.tiles.costs, (*accountStage)(&w.ctx))
	l := &w.ledger
	sum := w.tiles.total()
	sum.friction.join(w.old.released)
	w.old.released = twofold{}
	l.Elastic, l.Shear = sum.elastic.value(), sum.shear.value()
	l.Damping += sum.damping.value()
	l.Friction += sum.friction.value()
	for i := range w.walls {
		id := int(w.walls[i].body)
		b := &w.bodies
		power := b.Force.At(id).Dot(b.Vel.At(id)) + b.Torque.At(id).Dot(b.Spin.At(id))
		l.Walls -= float64(power * w.ctx.dt)
	}
}

// total joins what the tiles hold.
func (t *tiles) total() ledgerSum {
	all := ledgerSum{}
	for i := range t.sums {
		s := &t.sums[i]
		all.elastic.join(s.elastic)
		all.shear.join(s.shear)
		all.damping.join(s.damping)
		all.friction.join(s.friction)
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
		sum.damping.add(-float64((con.Damping.At(i).Dot(v) + con.Moment.At(i).Dot(spin)) * c.dt))
		sum.friction.add(-(float64((con.Friction.At(i).Dot(v)+con.FrictionMoment.At(i).Dot(spin))*c.dt) + con.Shear[i]))
	}
	w.tiles.sums[tile] = sum
}

// velocityAt returns the velocity of a body's material at a point of the world.
func (w *World) velocityAt(id soa.Body, at vec.Vec3) vec.Vec3 {
	b := &w.bodies
	i := int(id)
	return b.Vel.At(i).Add(b.Spin.At(i).Cross(at.Sub(b.Pos.At(i))))
}
