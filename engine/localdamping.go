package engine

import (
	"math"

	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// localDamping is the non-viscous damping of Cundall 1987: against each component of the velocity acts a
// share of the size of that component of the sum of all forces, weight included, and likewise of torques.
type localDamping struct {
	share         []float64 // by body; empty until a body is damped
	force, torque soa.Vec3s // N, N·m: of the damping at the last instant
	power         float64   // W, of them
}

// SetLocalDamping sets the share, 0 to 1, of the sum of forces and of torques on a body that acts against its
// velocity and spin, component by component in world axes. It is a tool for finding equilibria: free
// flight is damped, too. The work is in Ledger.Damping. SetLocalDamping returns the errors of SetPose.
func (w *World) SetLocalDamping(id soa.ID, share float64) error {
	row, err := w.maySet(id, "local damping")
	if err != nil {
		return err
	}
	if !(share >= 0 && share < 1) {
		return mark.Errorf(ErrBody, "engine: %s has a local damping of %g, expected ≥ 0 and < 1", w.nameOf(row), share)
	}
	if len(w.local.share) == 0 {
		w.local.resize(w.bodies.Len())
	}
	w.change()
	w.local.share[row] = share
	return nil
}

func (d *localDamping) resize(n int) {
	d.share = soa.Resize(d.share, n)
	d.force.Resize(n)
	d.torque.Resize(n)
}

// dampLocally adds the damping of bodies lo to hi to the sums of forces and torques on them. Components that
// are fixed have none.
func (w *World) dampLocally(lo, hi int) {
	d, b := &w.local, &w.bodies
	if len(d.share) == 0 {
		return
	}
	for i := lo; i < hi; i++ {
		if d.share[i] == 0 {
			continue
		}
		f, t, free := b.Force.At(i), b.Torque.At(i), Fixed(FixAll)
		if h, row := w.nextHeld(i, i+1); row == i {
			free &^= h.Fixed
		}
		d.force.Set(i, free.of(against(d.share[i], f.AddScaled(b.Mass[i], w.gravity), b.Vel.At(i))))
		d.torque.Set(i, free.turns().of(against(d.share[i], t, b.Spin.At(i))))
		b.Force.Set(i, f.Add(d.force.At(i)))
		b.Torque.Set(i, t.Add(d.torque.At(i)))
	}
}

// against returns −share·|f|·sign(v) for each component.
func against(share float64, f, v vec.Vec3) vec.Vec3 {
	one := func(f, v float64) float64 {
		if v == 0 {
			return 0
		}
		return -math.Copysign(share*math.Abs(f), v)
	}
	return vec.Vec3{X: one(f.X, v.X), Y: one(f.Y, v.Y), Z: one(f.Z, v.Z)}
}

// powerOn returns the present power of the damping, W.
func (d *localDamping) powerOn(b *soa.Bodies) (power float64) {
	for i, share := range d.share {
		if share != 0 {
			power += d.force.At(i).Dot(b.Vel.At(i)) + d.torque.At(i).Dot(b.Spin.At(i))
		}
	}
	return power
}
