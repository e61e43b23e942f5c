package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Measure is the state of the world at one instant, as history files record it. Energies are in J.
type Measure struct {
	Step         int64   // steps made
	Time         float64 // s
	Translation  float64 // ½mv², summed over the bodies
	Rotation     float64 // ½ω·L, summed over the bodies
	Potential    float64 // of gravity, relative to the lowest point of the world at the start
	Ledger       Ledger  // the energy balance since the start
	LeftOver     float64 // Balance now minus Balance at the start: what the ledger does not explain
	Contacts     int     // candidate pairs; for a restored world its active contacts, until its first step
	Active       int     // contacts that the law acts on
	Penetration  float64 // m, the largest, ≥ 0
	MaxSpeed     float64 // m/s, of a centre of mass
	StartedAbove float64 // J, potential energy at the start
}

// Kinetic returns the kinetic energy.
func (m Measure) Kinetic() float64 { return m.Translation + m.Rotation }

// Balance returns the sum of all energies that the ledger accounts for. It stays at its initial
// value except for the error of the time integration.
func (m Measure) Balance() float64 {
	l := &m.Ledger
	return m.Kinetic() + m.Potential + l.Elastic + l.Shear + l.Damping + l.Friction - l.Walls - l.LawExcess - l.Applied - l.Inserted - l.Changed
}

// NormalLeftOver returns the size of LeftOver, J, that the integration error explains for steps of
// dt, s. It is the sum of three terms:
//
//   - (ω·dt)² of a quarter of the kinetic energy, of dashpotShare of the work of dashpots, and of a
//     tenth of this share of the work of friction, walls and loads. ω = π/t belongs to the shortest
//     impact, of duration t; dt counts as at most advisedShare·t.
//   - dt²/8·Fᵀ·M⁻¹·F, with the net forces F and the masses M: (ω·dt)² of a quarter of the energy of a
//     spring that throws a body back. Verlet's own error during an impact is at most as large. Springs
//     of bodies at rest have none.
//   - the rounding, roundingShare of the potential energy at the start and of the energy at work.
func (w *World) NormalLeftOver(m Measure, dt float64) float64 {
	l, t, b := &m.Ledger, w.TimeStep(), &w.bodies
	work := math.Abs(l.Friction) + math.Abs(l.Walls) + math.Abs(l.Applied)
	share := float64(0.25*m.Kinetic()) + float64(dashpotShare*(math.Abs(l.Damping)+float64(0.1*work)))
	swing := math.Pi * min(dt/min(t.pathwise, t.fine), advisedShare)
	thrown := 0.0 // Fᵀ·M⁻¹·F
	for i := range b.Len() {
		if b.InvMass[i] == 0 {
			continue
		}
		if c := w.constraint(soa.Body(i)); c != nil {
			thrown += b.Force.At(i).Dot(c.Inverse.MulVec(b.Force.At(i))) + b.Torque.At(i).Dot(c.Turn.MulVec(b.Torque.At(i)))
			continue
		}
		torque := b.Rot.At(i).RotateInv(b.Torque.At(i))
		thrown += float64(b.InvMass[i]*b.Force.At(i).Norm2()) + torque.Dot(b.InvInertia.At(i).MulVec(torque))
	}
	return float64(float64(swing*swing)*share) + float64(float64(dt*dt)/8*thrown) +
		float64(roundingShare*(math.Abs(m.StartedAbove)+m.Kinetic()+l.Elastic+l.Shear+math.Abs(l.Damping)+work))
}

// dashpotShare bounds the error of the work of dashpots, in units of (ω·dt)². The runs of examples/
// have 0.04 to 0.08, those of the wall, which hardly moves, 0.005:
//
//	scree run examples/drop.toml --json
//
// Another value: only what a run calls normal.
const dashpotShare = 0.1

// roundingShare bounds the relative rounding of the ledger after ten million steps, if each step
// errs by 2⁻⁵³ in the same direction.
// Another value: only a warning at the end.
const roundingShare = 1e-9

// Measure returns the energies, counts and extremes of the present state. Before the first step, and
// after poses or velocities have been set, it first computes the forces, as ActiveContacts does.
// Measure sums in the order of the bodies. The results are for reporting only and never affect the
// state.
func (w *World) Measure() Measure {
	w.begin()
	m := w.measure()
	m.LeftOver = m.Balance() - w.start
	return m
}

func (w *World) measure() Measure {
	b := &w.bodies
	n := b.Len()
	m := Measure{Step: w.step, Time: w.time, Ledger: w.ledger, Contacts: w.space.Candidates(), StartedAbove: w.potential0}
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
	for i := range w.walls {
		if v := &w.walls[i]; v.Load != nil {
			m.Translation += float64(0.5 * float64(v.Load.Mass*v.Speed) * v.Speed)
		}
	}
	m.MaxSpeed = math.Sqrt(fastest)
	active, gap := w.space.Deepest()
	m.Active, m.Penetration = active, max(0, -gap)
	return m
}

// datumOf returns the zero of the potential, g·x at the lowest point of the world, over bodies, walls, and
// the points of planes' poses.
func datumOf(sp *contact.Space, gravity vec.Vec3) float64 {
	lowest := math.Inf(-1) // the lowest point has the largest g·x
	var corners []vec.Vec3
	for p := range sp.Pieces.Len() {
		pose := sp.Pieces.Pose(sp.Bodies, soa.Piece(p))
		shape := sp.Pieces.Shape[p]
		kind, round := sp.Shapes.Kind[shape], float64(gravity.Norm()*sp.Shapes.Round[shape])
		switch {
		case kind.IsRound():
			lowest = max(lowest, gravity.Dot(pose.Pos)+float64(gravity.Norm()*sp.Shapes.Radius[shape])+round)
		case kind.IsEndless():
			if n := pose.Rot.Rotate(vec.Vec3{Z: 1}); n.Dot(gravity) < -steep*gravity.Norm() {
				lowest = max(lowest, gravity.Dot(pose.Pos))
			}
		default:
			corners = sp.Shapes.AppendCorners(corners[:0], shape)
			for _, v := range corners {
				lowest = max(lowest, gravity.Dot(pose.Point(v))+round)
			}
		}
	}
	if math.IsInf(lowest, -1) {
		return 0
	}
	return lowest
}

// steep is the sine of the angle to the vertical below which a plane counts as upright. An upright
// plane has no lowest point on which a body could rest. Rounding of a plane's rotation contributes
// about 1e-16.
const steep = 1e-6

// first records the initial energies once the first forces are known, and warns of bodies that
// start deep inside each other.
func (w *World) first() {
	m := w.measure()
	w.start, w.potential0 = m.Balance(), m.Potential
	warnings{w}.warnDeep()
	warnings{w}.warnThrough(0)
	w.began = true
}

// WallForce returns the force, N, and the torque about the wall's origin, N·m, on a wall. Like
// Measure, it first computes forces that are not those of the present state. It returns an error that wraps ErrBody if
// there is no such wall.
func (w *World) WallForce(id soa.ID) (f, t vec.Vec3, err error) {
	row, ok := w.bodies.Row(id)
	if !ok || w.bodies.InvMass[row] != 0 {
		return f, t, mark.Errorf(ErrBody, "engine: body %d is no wall, expected an id of Walls", id)
	}
	w.begin()
	row, _ = w.bodies.Row(id) // rows may have closed up
	return w.bodies.Force.At(int(row)), w.bodies.Torque.At(int(row)), nil
}
