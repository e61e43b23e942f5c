package engine

import (
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Ledger is the energy balance since the start, J. It is for reporting only and never affects the
// state.
type Ledger struct {
	Elastic  float64 // stored in the normal springs now
	Shear    float64 // stored in the friction springs now
	Damping  float64 // dissipated by dashpots
	Friction float64 // dissipated by sliding, and by friction springs of contacts that end
	Walls    float64 // work done by moving walls
	// LawExcess is the energy created by laws without a potential: the work of their forces other
	// than dashpots and friction, plus the rise of the energy that they store. Contacts with relief
	// count here, because a relieved force depends on more than the poses. So does the energy that a
	// friction spring gains or loses as its contact passes to a facet with another law.
	LawExcess float64
	Applied   float64 // work done by the loads of World.SetLoad
	// Inserted is the energy that bodies have brought, less what they have taken away, as they came and went
	// (AddBody, AddWall, RemoveBody). Changes that a program makes together with these, before the forces are next
	// computed, count here, too.
	Inserted float64
	// Changed is the energy that a program has added, less what it has taken away, by poses, velocities and motions
	// that it has set.
	Changed float64
}

// ledgerSum is the share of one tile.
type ledgerSum struct {
	elastic, shear, pathwise  twofold // J, stored now; pathwise is the part of elastic in laws without a potential
	released                  twofold // J, dissipated when friction springs ended or were shortened
	passed                    twofold // J, rise of the energy of friction springs whose contacts have passed to a facet with another law
	damping, friction, pushed twofold // W, of dashpots, of friction, and of all other forces of laws without a potential
}

// instant is what the ledger stores from one step to the next: the power of forces, W, and the
// energy stored in laws without a potential, J.
type instant struct {
	damping, friction, pushed, walls float64
	pathwise                         float64
}

// twofold is a sum with twice the digits of a float64 (Knuth's TwoSum). The order of the terms
// depends on the tiles and on which other pairs are candidates. It affects only the 32nd digit, so
// value returns the same bits for any order; a restarted world, which finds its candidates at other
// steps, gets them, too.
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

// account adds the work of the forces in this step to the ledger. Each force acts in two half
// kicks, one before and one after the instant at which it is computed. With the velocities of that
// instant, the sum of both is the work done, to rounding, for translation and rotation alike
// (docs/numerics.md). A step therefore adds half of the power at its start and half of the power at
// its end, times dt.
func (c *accountStage) account() {
	w := c.w
	if w.cfg.NoLedger {
		return
	}
	l, half, was := &w.ledger, 0.5*c.dt, w.instant
	sum := c.sumPowers()
	sum.released.join(w.dropped)
	w.dropped = twofold{}
	now := &w.instant
	l.Elastic, l.Shear = sum.elastic.value(), sum.shear.value()
	l.Damping -= float64(half * (was.damping + now.damping))
	l.Friction += sum.released.value() - float64(half*(was.friction+now.friction))
	l.Walls -= float64(half*(was.walls+now.walls)) - w.carried()
	loads, local := w.loads.power, w.local.power
	w.power(w.time+c.dt, c.dt)
	w.loads.work += float64(half * (loads + w.loads.power))
	l.Applied = w.loads.work
	l.Damping -= float64(half * (local + w.local.power))
	l.LawExcess += float64(half*(was.pushed+now.pushed)) + (now.pathwise - was.pathwise) + sum.passed.value()
}

// sumPowers returns the sum over the tiles, and stores what the next step needs of it.
func (c *accountStage) sumPowers() ledgerSum {
	w := c.w
	w.pool.ForTasks(w.space.Costs(), c)
	sum := c.totalSums()
	w.instant = instant{sum.damping.value(), sum.friction.value(), sum.pushed.value(), c.wallPower(), sum.pathwise.value()}
	return sum
}

// wallPower returns the power, W, of the contacts on all walls, but not along the axis of a wall with a load,
// which has an energy of its own.
func (c *accountStage) wallPower() (power float64) {
	w, b := c.w, &c.w.bodies
	for i := range w.walls {
		id, vel := int(w.walls[i].body), b.Vel.At(int(w.walls[i].body))
		if v := &w.walls[i]; v.Load != nil {
			vel = v.across(vel)
		}
		power += b.Force.At(id).Dot(vel) + b.Torque.At(id).Dot(b.Spin.At(id)) + c.powerOutOfPlane(id)
	}
	return power + w.cellPower()
}

// totalSums returns the sum over the tiles.
func (c *accountStage) totalSums() ledgerSum {
	all := ledgerSum{}
	for i := range c.w.sums {
		s := &c.w.sums[i]
		all.elastic.join(s.elastic)
		all.shear.join(s.shear)
		all.pathwise.join(s.pathwise)
		all.released.join(s.released)
		all.passed.join(s.passed)
		all.damping.join(s.damping)
		all.friction.join(s.friction)
		all.pushed.join(s.pushed)
	}
	return all
}

// Task adds the powers of the active contacts of one tile.
func (c *accountStage) Task(tile, _ int) {
	w, con := c.w, &c.w.forces
	sum := w.sums[tile]
	for _, k := range w.space.ActiveIn(tile) {
		i := int(k)
		a, b := w.space.PiecesOf(i)
		at := w.space.Contacts.Location.At(i)
		ia, ib := w.space.Pieces.Body[a], w.space.Pieces.Body[b]
		v := c.velocityAt(ia, at).Sub(c.velocityAt(ib, at))
		if w.cell.periodic {
			shift, image := w.imageOf(i)
			v = c.velocityAt(ia, at).Sub(c.velocityAt(ib, at.Sub(shift)).Add(image))
		}
		spin := w.bodies.Spin.At(int(ia)).Sub(w.bodies.Spin.At(int(ib)))
		damping := con.Damping.At(i).Dot(v) + con.Moment.At(i).Dot(spin)
		friction := con.Friction.At(i).Dot(v) + con.FrictionMoment.At(i).Dot(spin)
		sum.damping.add(damping)
		sum.friction.add(friction)
		sum.released.add(-con.Shear[i])
		if c.isPathwise(i) {
			sum.pushed.add(c.powerOf(i) - damping - friction)
		}
	}
	w.sums[tile] = sum
}

// isPathwise reports whether the work of pair i's contact may depend on the path of the bodies, so
// that it has no potential. A ball on a wall of several facets may have such a contact. Between
// facets of two materials the stiffness jumps; with a reference gap, a contact with the side of a
// valley ends at any depth. In a world with relief every contact with a facet counts: contacts of one
// piece and one wall share a potential, and some may have relief while others have none.
func (c *accountStage) isPathwise(i int) bool {
	w := c.w
	needs := w.law.NeedsAt(w.space.LawOf(i))
	if w.forces.Relief[i] != 0 || !needs.Potential {
		return true
	}
	a, b := w.space.PiecesOf(i)
	if !w.space.Pieces.Kind[b].IsFlat() {
		return false
	}
	wall := w.space.Pieces.Body[b]
	return w.cfg.Relief != (Relief{}) || w.space.Pieces.Kind[a].IsRound() && w.space.Groups.IsFacetWall(wall) && (needs.Unloaded != 0 || !w.space.Groups.IsUniform(wall))
}

// powerOf returns the power, W, of the forces and torques of pair i on its two bodies.
func (c *accountStage) powerOf(i int) float64 {
	w := c.w
	con, b := &w.forces, &w.bodies
	pa, pb := w.space.PiecesOf(i)
	ia, ib := int(w.space.Pieces.Body[pa]), int(w.space.Pieces.Body[pb])
	_, image := w.imageOf(i)
	return con.Force.At(i).Dot(b.Vel.At(ia).Sub(b.Vel.At(ib)).Sub(image)) +
		con.TorqueA.At(i).Dot(b.Spin.At(ia)) + con.TorqueB.At(i).Dot(b.Spin.At(ib))
}

// velocityAt returns the velocity of a body's material at a point in the world.
func (c *accountStage) velocityAt(id soa.Body, at vec.Vec3) vec.Vec3 {
	b := &c.w.bodies
	i := int(id)
	return b.Vel.At(i).Add(b.Spin.At(i).Cross(at.Sub(b.Pos.At(i))))
}

// walk declares the accesses of Task for the tiles lo to hi-1.
func (c *accountStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	sums, described := access.Of(a, "tiles", w.sums), w.space.DescribedPairs(a)
	pairs, contacts, pieces := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts), access.Fields(a, "Pieces", &w.space.Pieces)
	forces, bodies := access.Fields(a, "Forces", &w.forces), w.columnsOf(a, "Pos", "Vel", "Spin")
	access.Seldom(false, forces["Force"], forces["TorqueA"], forces["TorqueB"]) // of laws without a potential
	for tile := lo; tile < hi; tile++ {
		sums.Update(tile)
		w.space.WalkActive(a, tile)
		for _, k := range w.space.ActiveIn(tile) {
			row, i := int(k), int(w.space.Contacts.Pair[k])
			contacts["Pair"].Read(row)
			contacts["Location"].Read(row)
			pairs["A"].Read(i)
			pairs["B"].Read(i)
			described.Read(i)
			p, q := w.space.PiecesOf(row)
			for _, piece := range [...]int{int(p), int(q)} {
				pieces["Body"].Read(piece)
				pieces["Kind"].Read(piece)
				for _, c := range bodies {
					c.Read(int(w.space.Pieces.Body[piece]))
				}
			}
			for _, name := range [...]string{"Damping", "Moment", "Friction", "FrictionMoment", "Shear", "Relief"} {
				forces[name].Read(row)
			}
		}
	}
}
