package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Measure is what history records of one instant. Energies in J.
type Measure struct {
	Step         int64   // steps made
	Time         float64 // s
	Translation  float64 // ½mv²
	Rotation     float64 // ½ω·L
	Potential    float64 // of gravity, above the lowest point of the world at the start
	Ledger       Ledger  // the account of energies
	LeftOver     float64 // what the account does not explain: total − start; see Balance
	Contacts     int     // candidate pairs; of a restored world its active ones, until its first step
	Active       int     // contacts that the law acts on
	Penetration  float64 // m, the worst, ≥ 0
	MaxSpeed     float64 // m/s, of a centre of mass
	StartedAbove float64 // J, potential energy at the start
}

// Kinetic returns the kinetic energy.
func (m Measure) Kinetic() float64 { return m.Translation + m.Rotation }

// Balance returns all energy that is accounted for: it stays what it was at the start, but for what
// the time step loses or gains.
func (m Measure) Balance() float64 {
	l := &m.Ledger
	return m.Kinetic() + m.Potential + l.Elastic + l.Shear + l.Damping + l.Friction - l.Walls - l.LawExcess - l.Applied
}

// NormalLeftOver returns up to what size, J, LeftOver is the error of steps of dt, s: (ω·dt)² of
// the energy at work, which is what moves, what springs hold, and what dashpots and friction took
// and walls put in. ω = π/t is that of the shortest impact, of a duration t; a step of more than
// advisedShare of t counts as no longer. Verlet's error is a quarter of that while a spring is
// loaded. Rounding adds roundingShare of the potential energy at the start and of the energy at
// work.
func (w *World) NormalLeftOver(m Measure, dt float64) float64 {
	l, t := &m.Ledger, w.TimeStep()
	work := m.Kinetic() + l.Elastic + l.Shear + math.Abs(l.Damping) + math.Abs(l.Friction) + math.Abs(l.Walls) + math.Abs(l.Applied)
	swing := math.Pi * min(dt/min(t.pathwise, t.fine), advisedShare)
	return float64(float64(swing*swing)*work) + float64(roundingShare*(math.Abs(m.StartedAbove)+work))
}

// roundingShare is what rounding leaves of an account over ten million steps, if each errs by 2⁻⁵³
// the same way.
const roundingShare = 1e-9

// Measure takes stock of the world. Sums go in the order of the bodies; they are for people and never reach state.
func (w *World) Measure() Measure {
	w.begin()
	m := w.measure()
	m.LeftOver = m.Balance() - w.start
	return m
}

func (w *World) measure() Measure {
	b := &w.bodies
	n := b.Len()
	m := Measure{Step: w.step, Time: w.time, Ledger: w.ledger, Contacts: w.tiles.pairs, StartedAbove: w.above}
	fastest := 0.0 // m²/s²
	for i := range n {
		if b.InvMass[i] == 0 {
			continue
		}
		v2 := b.Vel.At(i).Norm2()
		m.Translation += float64(0.5 * b.Mass[i] * v2)
		m.Rotation += float64(0.5 * b.Spin.At(i).Dot(b.AngMom.At(i)))
		m.Potential -= float64(b.Mass[i] * (w.gravity.Dot(b.Pos.At(i)) - w.datum))
		fastest = max(fastest, v2)
	}
	m.MaxSpeed = math.Sqrt(fastest)
	for _, count := range w.tiles.count {
		m.Active += count
	}
	m.Penetration = max(0, -w.tiles.total().worst)
	return m
}

// setDatum puts the zero of the potential at the lowest point of the world: of its bodies and walls, and of planes
// where their pose has them.
func (w *World) setDatum() {
	// The datum is g·x at that point: the largest there is.
	w.datum = math.Inf(-1)
	for p := range w.pieces.Len() {
		pose := w.pieces.Pose(&w.bodies, soa.Piece(p))
		view := w.shapes.View(w.pieces.Shape[p])
		round := float64(w.gravity.Norm() * view.Round)
		switch view.Kind {
		case soa.Ball:
			w.datum = max(w.datum, w.gravity.Dot(pose.Pos)+float64(w.gravity.Norm()*view.Radius)+round)
		case soa.Plane:
			if n := pose.Rot.Rotate(vec.Vec3{Z: 1}); n.Dot(w.gravity) < -steep*w.gravity.Norm() {
				w.datum = max(w.datum, w.gravity.Dot(pose.Pos))
			}
		default:
			for k := range view.NVerts {
				w.datum = max(w.datum, w.gravity.Dot(pose.Point(view.Vert(soa.Vertex(k))))+round)
			}
		}
	}
	if math.IsInf(w.datum, -1) {
		w.datum = 0
	}
}

// steep is the sine of the slope's complement below which a plane counts as upright, and so has no lowest point
// that anything could lie on: rounding of a plane's rotation leaves 1e-16.
const steep = 1e-6

// first takes stock at the very beginning, when the first forces are known, and warns of bodies that
// begin deep inside each other.
func (w *World) first() {
	m := w.measure()
	w.start, w.above = m.Balance(), m.Potential
	warnings{w}.warnDeep()
	w.began = true
}

// WallForce returns the force, N, and the torque about the wall's origin, N·m, on a wall. A body that is no wall is an error.
func (w *World) WallForce(id soa.Body) (f, t vec.Vec3, err error) {
	if n := w.bodies.Len(); int(id) >= n || w.bodies.InvMass[id] != 0 {
		return f, t, mark.Errorf(ErrBody, "engine: body %d of %d is no wall", id, n)
	}
	return w.bodies.Force.At(int(id)), w.bodies.Torque.At(int(id)), nil
}
