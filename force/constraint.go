package force

import (
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// Constraint is the inverse mass of a body that cannot move in every direction, or of a wall that can
// move in some. Frame: world axes.
type Constraint struct {
	Inverse vec.Sym3 // 1/kg: acceleration of the centre of mass = Inverse·force
	Turn    vec.Sym3 // 1/(kg·m²): angular acceleration = Turn·torque
}

// Along returns the inverse effective mass, 1/kg, against a force along a unit vector n at the end of an
// arm, m, from the centre of mass.
func (c *Constraint) Along(n, arm vec.Vec3) float64 {
	t := arm.Cross(n)
	return c.along(n, t)
}

// along returns the inverse effective mass against a force along n and a moment of arm t times the force.
func (c *Constraint) along(n, t vec.Vec3) float64 {
	return n.Dot(c.Inverse.MulVec(n)) + t.Dot(c.Turn.MulVec(t))
}

// massOf returns the effective mass, kg, of an inverse one. It is 0 if constraints hold both bodies: then a
// dashpot, whose force grows with the mass, must not act.
func (c *Contact) massOf(inverse float64) float64 {
	if inverse == 0 && (c.A.Constraint != nil || c.B.Constraint != nil) {
		return 0
	}
	return 1 / inverse
}

// divert moves the contacts of constrained bodies, and those with images that move by themselves, from the lanes, which
// know one inverse mass and one velocity a body, to the laws that are evaluated one contact at a time, which return the same bits.
func (b *Batch) divert(s *Step) {
	if len(s.Constrained) == 0 && s.ImageVelocity == nil {
		return
	}
	r := &b.thickness
	kept := 0
	for i := range r.n {
		if s.Constrained[soa.Body(r.a[i])] != nil || s.Constrained[soa.Body(r.b[i])] != nil ||
			s.ImageVelocity != nil && s.ImageVelocity(r.row[i]) != (vec.Vec3{}) {
			b.single.add(r.contact(i))
			continue
		}
		if kept < i {
			r.a[kept], r.b[kept], r.row[kept], r.law[kept] = r.a[i], r.b[i], r.row[i], r.law[i]
			for _, c := range r.columns {
				c[kept] = c[i]
			}
		}
		kept++
	}
	r.n = kept
}

// contact returns row i as Add has received it. The lanes do not read the gap.
func (r *thicknessRows) contact(i int) *LawContact {
	c := r.columns
	v := func(k int) vec.Vec3 { return vec.Vec3{X: c[k][i], Y: c[k+1][i], Z: c[k+2][i]} }
	return &LawContact{
		A: soa.Body(r.a[i]), B: soa.Body(r.b[i]), Row: r.row[i], Law: r.law[i], Normal: v(normalOf), ArmA: v(armOfA), ArmB: v(overlapColumns),
		Overlap: Overlap{
			Volume:   c[0][i],
			Spread:   vec.Sym3{XX: c[4][i], YY: c[5][i], ZZ: c[6][i], XY: c[7][i], XZ: c[8][i], YZ: c[9][i]},
			Variance: c[varianceOf][i], VarianceGradient: v(11), VarianceTurn: v(14), VolumeGradient: v(17), VolumeTurn: v(20),
			EdgeFactor: c[overlapColumns+3][i],
		},
	}
}
