package engine

import (
	"math"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/internal/access"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// watchEvery is the number of steps between two checks of the contacts of a body. Each step checks
// another share of the bodies. The checks cost one or two percent of a step. Even an energy that
// doubles in every step cannot grow far in this many steps.
// Smaller: time. Larger: an unstable body is named late or never.
const watchEvery = 16

// watchStage checks whether the step is stable for the contacts that bodies have. It reads the
// state and does not write it.
type watchStage stepContext

// check checks those of the bodies lo to hi whose turn it is.
func (c *watchStage) check(lo, hi, worker int) {
	if c.w.warned&warnedTight != 0 {
		return
	}
	turn := int((int64(lo) + c.w.step) % watchEvery)
	for i := lo + (watchEvery-turn)%watchEvery; i < hi; i += watchEvery {
		// The trace is an upper bound on the largest eigenvalue. For most bodies it is far below
		// the limit.
		if c.w.bodies.InvMass[i] == 0 || c.w.constraint(soa.Body(i)) != nil || c.traceOn(i) <= 4 {
			continue
		}
		if m, _ := c.loadOn(i); m.largest() > 4 {
			ws := &c.w.work[worker]
			ws.tight = min(ws.tight, uint32(i))
		}
	}
}

// stiffnessLoad is the stiffness of the active contacts of a body: the 6×6 matrix M⁻¹·Σ D·g·gᵀ. g
// is the direction of a contact's spring and its moment arm, in the body's frame, and D = dt²·k +
// 2dt·c (see World.TimeStep).
//
// The world is stable if Σ D·(p−q)² < 4·Σ uᵀMu for all velocities u of the bodies, where p and q
// are the velocities of the two bodies along a contact's spring. With s and t the inverse effective
// masses of the two bodies at the contact, (p−q)² ≤ (s+t)·(p²/s + q²/t). So D counts (s+t)/s times
// for one body and (s+t)/t times for the other: twice each for equal bodies, which swing in
// antiphase. It is then sufficient that the largest eigenvalue of each body's own matrix is below
// 4. For two bodies, and for a row of equal bodies, this bound is the exact limit. The spread of a
// dashpot over the section is ignored: it affects rotation no more than the dashpot affects
// translation.
type stiffnessLoad struct {
	g       [6][6]float64 // Σ D·g·gᵀ
	inverse float64       // 1/m
	turn    vec.Sym3      // I⁻¹
}

// add adds a spring with D = d along a unit vector n at r from the centre of mass.
func (m *stiffnessLoad) add(d float64, r, n vec.Vec3) {
	arm := r.Cross(n)
	g := [6]float64{n.X, n.Y, n.Z, arm.X, arm.Y, arm.Z}
	for i := range g {
		for k := range g {
			m.g[i][k] += float64(float64(d*g[i]) * g[k])
		}
	}
}

// loadOn returns the stiffness load of the contacts of body i and their number.
func (c *watchStage) loadOn(i int) (m stiffnessLoad, contacts int) {
	b := &c.w.bodies
	m.inverse, m.turn = b.InvMass[i], b.InvInertia.At(i)
	q := b.Rot.At(i)
	c.each(i, func(s spring) {
		contacts++
		n := q.RotateInv(s.normal)
		u := n.Perpendicular()
		r := q.RotateInv(s.arm)
		m.add(s.dn*(s.own.normal+s.other.normal)/s.own.normal, r, n)
		d := s.dt * (s.own.turning + s.other.turning) / s.own.turning
		m.add(d, r, u)
		m.add(d, r, n.Cross(u))
	})
	return m, contacts
}

// traceOn returns the trace of loadOn(i).
func (c *watchStage) traceOn(i int) (sum float64) {
	c.each(i, func(s spring) {
		sum += float64(s.dn*(s.own.normal+s.other.normal)) + float64(s.dt*(s.own.turning+s.other.turning))
	})
	return sum
}

// spring is an active contact of a body: D along the normal and in tangential directions, and the
// inverse masses of both bodies at the contact. inverseMass.turning is the sum over the two tangential
// directions.
type spring struct {
	dn, dt      float64
	normal, arm vec.Vec3
	own, other  inverseMass
	springs     force.Springs // of the patch that there is
}

// each calls f for every contact of body i that is under compression.
func (c *watchStage) each(i int, f func(spring)) {
	w, con := c.w, &c.w.space.Contacts
	for _, place := range w.space.PairsOf(i) {
		row := w.space.Pairs.Row[place>>1]
		if row == soa.NoRow || !con.Active[row] {
			continue
		}
		if s, pressed := c.springOf(int(row), place&1 != 0); pressed {
			f(s)
		}
	}
}

// springOf returns the spring of active contact row p, as body A has it, or body B if ofB is set, and whether it is under
// compression.
func (c *watchStage) springOf(p int, ofB bool) (s spring, pressed bool) {
	w, con := c.w, &c.w.space.Contacts
	a, b := w.space.PiecesOf(p)
	law := w.law.At(w.space.Pieces.Material[a], w.space.Pieces.Material[b])
	needs := w.law.NeedsOf(w.space.Pieces.Material[a], w.space.Pieces.Material[b])
	overlap := needs.Unloaded - con.Gap[p] - float64(w.forces.Relief[p]*c.relieved)
	if !(overlap > 0) {
		return s, false
	}
	own, other := w.space.Pieces.Body[a], w.space.Pieces.Body[b]
	atOwn := con.Location.At(p)
	atOther := atOwn
	if w.cell.periodic {
		shift, _ := w.imageOf(p)
		atOther = atOwn.Sub(shift)
	}
	if ofB {
		own, other, atOwn, atOther = other, own, atOther, atOwn
	}
	s.normal = con.Normal.At(p)
	s.arm, s.own = c.inverseMassAt(own, atOwn, s.normal)
	_, s.other = c.inverseMassAt(other, atOther, s.normal)
	grown, inverse := stepBounds{w}.growthOf(a, b, needs.Growth, overlap), w.bodies.InvMass[own]+w.bodies.InvMass[other]
	if needs.Overlap {
		inverse = s.own.normal + s.other.normal // as in TimeStep.add
	}
	if w.constraint(own) != nil || w.constraint(other) != nil {
		inverse = s.own.normal + s.other.normal
	}
	mass := 0.0 // of two bodies that are held, between which no dashpot acts
	if inverse > 0 {
		mass = 1 / float64(grown*inverse)
	}
	s.springs = law.Springs(mass, overlap)
	s.dn, s.dt = loadOf(s.springs, c.dt)
	s.dn, s.dt = float64(s.dn*grown), float64(s.dt*grown)
	s.springs.Normal, s.springs.NormalDashpot = float64(s.springs.Normal*grown), float64(s.springs.NormalDashpot*grown)
	return s, true
}

// loadOf returns D of a contact along its normal and in tangential directions, for a step of dt.
func loadOf(s force.Springs, dt float64) (normal, across float64) {
	normal = float64(float64(dt*dt)*s.Normal) + float64(2*dt*s.NormalDashpot)
	across = float64(float64(dt*dt)*s.Tangent) + float64(2*dt*s.TangentDashpot)
	return normal, across
}

// inverseMassAt returns the arm from a body's centre of mass to a point, world axes, and the body's
// inverse effective masses at that point. l.normal is the one along n, and l.turning the sum over
// the two tangential directions.
func (c *watchStage) inverseMassAt(id soa.Body, at, n vec.Vec3) (arm vec.Vec3, l inverseMass) {
	b := &c.w.bodies
	i := int(id)
	inverse := b.InvMass[i]
	if held := c.w.constraint(id); held != nil {
		arm = at.Sub(b.Pos.At(i))
		u := n.Perpendicular()
		l.normal, l.turning = held.Along(n, arm), held.Along(u, arm)+held.Along(n.Cross(u), arm)
		return arm, l
	}
	if inverse == 0 {
		return arm, l
	}
	arm = at.Sub(b.Pos.At(i))
	q := b.Rot.At(i)
	r, turn := q.RotateInv(arm), b.InvInertia.At(i)
	lever := r.Cross(q.RotateInv(n))
	along := lever.Dot(turn.MulVec(lever))
	_, sum := turningAt(r, turn)
	l.normal, l.turning = inverse+along, inverse+inverse+max(sum-along, 0)
	return arm, l
}

// largest returns the largest eigenvalue by the power method. The result is accurate to a few
// hundredths and never too large.
func (m *stiffnessLoad) largest() (value float64) {
	const rounds = 24
	x := m.start()
	for range rounds {
		var y [6]float64 // G·x
		for i := range y {
			for k := range x {
				y[i] += float64(m.g[i][k] * x[k])
			}
		}
		value = dot(&x, &y) // x has xᵀ·M·x = 1
		x = m.inverseTimes(&y)
		size := math.Sqrt(dot(&x, &y))
		if !(size > 0) {
			return value
		}
		for i := range x {
			x[i] /= size
		}
	}
	return value
}

// start returns a velocity of energy about ½ that is parallel to no axis.
func (m *stiffnessLoad) start() [6]float64 {
	t, s := math.Sqrt(m.inverse), &m.turn
	return [6]float64{0.5 * t, 0.45 * t, 0.41 * t, 0.37 * math.Sqrt(s.XX), 0.34 * math.Sqrt(s.YY), 0.31 * math.Sqrt(s.ZZ)}
}

// inverseTimes returns M⁻¹·y.
func (m *stiffnessLoad) inverseTimes(y *[6]float64) [6]float64 {
	r := m.turn.MulVec(vec.Vec3{X: y[3], Y: y[4], Z: y[5]})
	return [6]float64{float64(m.inverse * y[0]), float64(m.inverse * y[1]), float64(m.inverse * y[2]), r.X, r.Y, r.Z}
}

func dot(a, b *[6]float64) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// walk declares the accesses of check.
func (c *watchStage) walk(a *access.Walk, lo, hi int) {
	w := c.w
	list := w.space.WalkPairsOf(a)
	pairs, contacts, pieces := access.Fields(a, "Pairs", &w.space.Pairs), access.Fields(a, "Contacts", &w.space.Contacts), access.Fields(a, "Pieces", &w.space.Pieces)
	relief := access.Fields(a, "Forces", &w.forces)["Relief"]
	bodies := w.columnsOf(a, "InvMass", "Pos", "Rot", "InvInertia")
	turn := int((int64(lo) + w.step) % watchEvery)
	for i := lo + (watchEvery-turn)%watchEvery; i < hi; i += watchEvery {
		bodies[0].Read(i)
		list(i)
		for _, place := range w.space.PairsOf(i) {
			pairs["Row"].Read(int(place >> 1))
			row, active := w.space.ActiveRow(int(place >> 1))
			if row >= 0 {
				contacts["Active"].Read(row)
			}
			if !active {
				continue
			}
			contacts["Pair"].Read(row)
			pairs["A"].Read(int(place >> 1))
			pairs["B"].Read(int(place >> 1))
			relief.Read(row)
			for _, name := range [...]string{"Gap", "Normal", "Location"} {
				contacts[name].Read(row)
			}
			p, q := w.space.PiecesOf(row)
			for _, piece := range [...]int{int(p), int(q)} {
				pieces["Material"].Read(piece)
				pieces["Body"].Read(piece)
				for _, c := range bodies {
					c.Read(int(w.space.Pieces.Body[piece]))
				}
			}
		}
	}
}
