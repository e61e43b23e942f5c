package kernels

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/internal/backends"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// tumbling returns bodies of different mass and inertia that fly and turn. Every sixth is a wall.
func tumbling(n int) *soa.Bodies {
	r := newRandom(21)
	b := &soa.Bodies{}
	for i := range n {
		body(b, r.pose())
		b.Radius[i] = 1 + r.Float64()
		if i%6 == 5 {
			continue
		}
		b.InvMass[i] = 0.5 + r.Float64()
		inverse, _ := vec.Sym3{XX: 1 + r.Float64(), YY: 1.5, ZZ: 2 + r.Float64(), XY: 0.2, XZ: -0.1, YZ: 0.3}.Inverse()
		b.InvInertia.Set(i, inverse)
		b.Vel.Set(i, r.vec())
		b.AngMom.Set(i, r.vec())
		b.Force.Set(i, r.vec().Scale(10))
		b.Torque.Set(i, r.vec().Scale(10))
	}
	return b
}

// TestDriftAndKick gives each column different numbers, and checks a law for each. A swap of
// columns breaks a law.
func TestDriftAndKick(t *testing.T) {
	const n, dt = 40, 1e-3
	g := vec.V(0.5, -1, -9.81)
	backends.Run(t, func(t *testing.T) {
		b, was := tumbling(n), tumbling(n)
		stops := 0
		for _, move := range []func(lo, hi int) int{
			func(lo, hi int) int { return Drift(b, g, dt, 1e-4, lo, hi) },
			func(lo, hi int) int { return Kick(b, g, dt/2, lo, hi) },
		} {
			for i := 0; i < n; i++ {
				if i = move(i, n); i < n {
					if stops++; b.InvMass[i] != 0 {
						t.Fatalf("stopped at body %d, which is free", i)
					}
				}
			}
		}
		if stops != 2*(n/6) {
			t.Errorf("stopped %d times, want one for each of %d walls in either", stops, n/6)
		}
		for i := range n {
			if b.InvMass[i] == 0 {
				if b.Pose(soa.Body(i)) != was.Pose(soa.Body(i)) || b.Vel.At(i) != was.Vel.At(i) || b.Odometer[i] != 0 {
					t.Errorf("body %d is a wall and has moved", i)
				}
				continue
			}
			within := func(what string, got, want vec.Vec3, tol float64) {
				t.Helper()
				if d := got.Sub(want).Norm(); !(d <= tol) {
					t.Errorf("body %d: %s %v, want %v", i, what, got, want)
				}
			}
			// Two half kicks by the same force, and a straight path between them.
			acceleration := g.AddScaled(b.InvMass[i], was.Force.At(i))
			within("velocity", b.Vel.At(i), was.Vel.At(i).AddScaled(dt, acceleration), 1e-14)
			within("angular momentum", b.AngMom.At(i), was.AngMom.At(i).AddScaled(dt, was.Torque.At(i)), 1e-14)
			half := was.Vel.At(i).AddScaled(dt/2, acceleration)
			within("place", b.Pos.At(i), was.Pos.At(i).AddScaled(dt, half), 1e-14)
			q := b.Rot.At(i)
			if d := math.Abs(q.Norm() - 1); d > 1e-15 {
				t.Errorf("body %d: norm of the rotation is off by %g", i, d)
			}
			spinOf := func(q vec.Quat, l vec.Vec3) vec.Vec3 {
				return q.Rotate(b.InvInertia.At(i).MulVec(q.RotateInv(l)))
			}
			within("spin", b.Spin.At(i), spinOf(q, b.AngMom.At(i)), 1e-14)
			// The error of the midpoint rule of the turn is of order (ω·dt)³.
			l := was.AngMom.At(i).AddScaled(dt/2, was.Torque.At(i))
			first := was.Rot.At(i)
			turn := spinOf(vec.FromRotationVector(spinOf(first, l).Scale(dt/2)).Mul(first), l).Scale(dt)
			within("turn", q.Rotate(vec.V(1, 2, 3)), vec.FromRotationVector(turn).Mul(first).Rotate(vec.V(1, 2, 3)), 1e-7)
			way := float64(half.Norm()*dt) + float64(b.Radius[i]*turn.Norm())
			if math.Abs(b.Odometer[i]-way) > 1e-7 {
				t.Errorf("body %d: odometer %v, want %v", i, b.Odometer[i], way)
			}
		}
	})
}
