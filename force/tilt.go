package force

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// tiltDamping is the damping of a tilt in multiples of that of a dashpot spread evenly over the
// overlap. With 2 the moment about the centroid would have the ratio of damping to stiffness of the
// normal force. Below 1.5, cubes of high restitution creep on slopes; from 1.75 on, they keep a tail
// of slow rocking.
// Smaller: cubes of high restitution creep on slopes (up to 1.25). Larger: slow rocking stays
// behind (from 1.75).
const tiltDamping = 1.5

// dampTilt returns the moment, N·m, on A that damps the tilt of the two faces that bound the
// overlap, and stores the normal of the overlap's middle plane in history. arm, m, is the elastic
// moment over the elastic force, damping, N·s/m, the coefficient of the dashpot, and least, N, the
// smaller of the normal force with and without the dashpot.
//
// The moment is −g·β·damping·(C·u)×n, where C is the covariance of the overlap and u = n×Ω the rate
// at which the slope of one body against the other changes. The power is never positive: −g·β·
// damping·u·C·u.
//
// The factor g, from 0 to 1, is 1 only if the faces turn. Then the middle plane turns with the mean
// spin of both bodies. If the block slides along a bent wall, or rolls, the middle plane turns by
// half of Ω against the mean spin. On a few bumps the share is a quarter. g is 1 up to there and 0
// from 3/8 on. C weights the share as it weights the power: across a narrow overlap, which a block
// turned over a bend has, the middle plane turns anyhow. Only g reads the history, so an outdated
// history makes no energy.
//
// The moment is limited to (1−r)·least times the width of the overlap. r is 0 under even pressure
// and 1 if the overlap bears on an edge or a tip. A body that rocks on its edge tilts without a
// change of the overlap, and must not be braked.
func dampTilt(c *Contact, o *Overlap, n, arm vec.Vec3, damping, least float64, history []float64) vec.Vec3 {
	middle := adjugate(&o.Spread).MulVec(n)
	size := middle.Norm()
	if size > 0 {
		size = 1 / size
	}
	middle = middle.Scale(size)
	before := middleOf(history)
	history[middleX], history[middleX+1], history[middleX+2] = middle.X, middle.Y, middle.Z

	u := n.Cross(c.Spin)
	cu := o.Spread.MulVec(u)
	whole, gate := float64(c.Dt*u.Dot(cu)), 0.0
	if before != (vec.Vec3{}) && whole > 0 {
		turned := middle.Sub(before).AddScaled(-c.Dt, c.MeanSpin.Cross(before)).Dot(cu)
		gate = clamp(3-float64(8*(math.Abs(turned)/whole)), 0, 1)
	}
	d, r := n.Cross(arm), 0.0
	long := d.Norm2()
	if long = float64(o.EdgeFactor * float64(long*long)); long > 0 {
		r = math.Sqrt(float64(3*long) / (float64(4*d.Dot(o.Spread.MulVec(d))) + long))
	}
	m := cu.Cross(n).Scale(-tiltDamping * float64(gate*damping))
	most := float64(max(1-r, 0) * float64(least*math.Sqrt(max(o.Spread.XX+o.Spread.YY+o.Spread.ZZ, 0))))
	if size := m.Norm(); size > most {
		m = m.Scale(most / size)
	}
	return m
}

// adjugate returns the adjugate of a symmetric matrix: its determinant times its inverse.
func adjugate(w *vec.Sym3) vec.Sym3 {
	return vec.Sym3{
		XX: float64(w.YY*w.ZZ) - float64(w.YZ*w.YZ),
		YY: float64(w.XX*w.ZZ) - float64(w.XZ*w.XZ),
		ZZ: float64(w.XX*w.YY) - float64(w.XY*w.XY),
		XY: float64(w.XZ*w.YZ) - float64(w.XY*w.ZZ),
		XZ: float64(w.XY*w.YZ) - float64(w.XZ*w.YY),
		YZ: float64(w.XY*w.XZ) - float64(w.XX*w.YZ),
	}
}

func middleOf(history []float64) vec.Vec3 {
	return vec.Vec3{X: history[middleX], Y: history[middleX+1], Z: history[middleX+2]}
}
