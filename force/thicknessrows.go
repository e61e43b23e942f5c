package force

import (
	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/vec"
)

// overlapColumns is the number of float64 columns for the overlaps of a batch: the fields of
// Overlap in order, with A's arm after the volume, and the normal in place of the edge factor.
const overlapColumns = 26

// Indices of columns.
const (
	armOfA     = 1
	varianceOf = 10
	normalOf   = overlapColumns - 3
)

// thicknessInputs is the number of columns of thicknessRows: those for overlaps, B's arm, and the
// edge factor.
const thicknessInputs = overlapColumns + 4

// thicknessRows holds the contacts of a batch whose law is Thickness. The kernels that compute
// overlaps write to the columns, and the kernels of the law read them.
type thicknessRows struct {
	rows
	c asm.ThicknessLaw // inputs and outputs of the kernel for blockRows contacts
}

// take makes the next row a contact. A kernel must have written the row's overlap columns.
func (r *thicknessRows) take(t *WrittenContact) (centroid vec.Vec3, variance float64) {
	i, c := r.next(t.A, t.B, t.Row, t.Law), (*[thicknessInputs][]float64)(r.columns)
	x, y, z := &c[armOfA][i], &c[armOfA+1][i], &c[armOfA+2][i]
	centroid = vec.Vec3{X: *x, Y: *y, Z: *z}
	a, b := centroid.Add(t.FromA), centroid.Sub(t.Between).Add(t.FromB)
	*x, *y, *z = a.X, a.Y, a.Z
	c[overlapColumns][i], c[overlapColumns+1][i], c[overlapColumns+2][i] = b.X, b.Y, b.Z
	c[overlapColumns+3][i] = 1
	return centroid, c[varianceOf][i]
}

// add appends a contact.
func (r *thicknessRows) add(t *LawContact) {
	r.extend(1, thicknessInputs)
	i := r.next(t.A, t.B, t.Row, t.Law)
	for k, v := range t.numbers() {
		r.columns[k][i] = v
	}
}

// numbers returns the values of a contact in the order of the columns.
func (t *LawContact) numbers() [thicknessInputs]float64 {
	o := &t.Overlap
	return [thicknessInputs]float64{
		o.Volume, t.ArmA.X, t.ArmA.Y, t.ArmA.Z, o.Spread.XX, o.Spread.YY, o.Spread.ZZ, o.Spread.XY, o.Spread.XZ, o.Spread.YZ, o.Variance,
		o.VarianceGradient.X, o.VarianceGradient.Y, o.VarianceGradient.Z, o.VarianceTurn.X, o.VarianceTurn.Y, o.VarianceTurn.Z,
		o.VolumeGradient.X, o.VolumeGradient.Y, o.VolumeGradient.Z, o.VolumeTurn.X, o.VolumeTurn.Y, o.VolumeTurn.Z, t.Normal.X, t.Normal.Y, t.Normal.Z,
		t.ArmB.X, t.ArmB.Y, t.ArmB.Z, o.EdgeFactor,
	}
}

// open allocates the kernel's output columns on the first call.
func (r *thicknessRows) open() {
	if c := &r.c; c.ForceX == nil {
		growRows(blockRows, 0, []*[]float64{
			&c.NewNormalX, &c.NewNormalY, &c.NewNormalZ, &c.SlipX, &c.SlipY, &c.SlipZ, &c.Angle, &c.Width, &c.Growth,
			&c.MiddleX, &c.MiddleY, &c.MiddleZ,
			&c.ForceX, &c.ForceY, &c.ForceZ, &c.TorqueAX, &c.TorqueAY, &c.TorqueAZ, &c.TorqueBX, &c.TorqueBY, &c.TorqueBZ,
			&c.DampingX, &c.DampingY, &c.DampingZ, &c.MomentX, &c.MomentY, &c.MomentZ,
			&c.RubX, &c.RubY, &c.RubZ, &c.RubMomentX, &c.RubMomentY, &c.RubMomentZ, &c.ShearRise,
		})
	}
}

// read sets the kernel's input columns to the rows from lo on.
func (r *thicknessRows) read(lo int) {
	c, end := &r.c, lo+blockRows
	c.A, c.B, c.Row, c.Law = r.a[lo:end], r.b[lo:end], r.row[lo:end], r.law[lo:end]
	for k, column := range [thicknessInputs]*[]float64{
		&c.Volume, &c.ArmAX, &c.ArmAY, &c.ArmAZ, &c.SpreadXX, &c.SpreadYY, &c.SpreadZZ, &c.SpreadXY, &c.SpreadXZ, &c.SpreadYZ, &c.Variance,
		&c.VarianceGradientX, &c.VarianceGradientY, &c.VarianceGradientZ, &c.VarianceTurnX, &c.VarianceTurnY, &c.VarianceTurnZ,
		&c.VolumeGradientX, &c.VolumeGradientY, &c.VolumeGradientZ, &c.VolumeTurnX, &c.VolumeTurnY, &c.VolumeTurnZ, &c.NormalX, &c.NormalY, &c.NormalZ,
		&c.ArmBX, &c.ArmBY, &c.ArmBZ, &c.EdgeFactor,
	} {
		*column = r.columns[k][lo:end]
	}
	c.Stored, c.Shear = r.stored[lo:end], r.shear[lo:end]
}

// apply evaluates the contacts and stores the results, blockRows at a time.
func (r *thicknessRows) apply(s *Step, l *thicknessColumns) {
	if r.n == 0 {
		return
	}
	r.open()
	c, bodies, contacts, slip := &r.c, s.Bodies, &s.From, vectors(&s.From, slipX)
	c.VelX, c.VelY, c.VelZ = bodies.Vel.X, bodies.Vel.Y, bodies.Vel.Z
	c.SpinX, c.SpinY, c.SpinZ = bodies.Spin.X, bodies.Spin.Y, bodies.Spin.Z
	c.InvMass = bodies.InvMass
	inverse := &bodies.InvInertia
	c.InverseXX, c.InverseYY, c.InverseZZ = inverse.XX, inverse.YY, inverse.ZZ
	c.InverseXY, c.InverseXZ, c.InverseYZ = inverse.XY, inverse.XZ, inverse.YZ
	c.RotW, c.RotX, c.RotY, c.RotZ = bodies.Rot.W, bodies.Rot.X, bodies.Rot.Y, bodies.Rot.Z
	c.OldSlipX, c.OldSlipY, c.OldSlipZ = slip.X, slip.Y, slip.Z
	c.OldAngle, c.OldWidth = contacts.History[twistAngle], contacts.History[twistWidth]
	middle := vectors(&s.From, middleX)
	c.OldMiddleX, c.OldMiddleY, c.OldMiddleZ = middle.X, middle.Y, middle.Z
	byArea := l.byArea > 0
	c.OldGrowth = c.OldWidth // not read if no law has an area exponent
	if byArea {
		c.OldGrowth = contacts.History[slipGrowth]
	}
	c.OldNormalX, c.OldNormalY, c.OldNormalZ = contacts.Normal.X, contacts.Normal.Y, contacts.Normal.Z
	c.Relief = contacts.Relief
	c.Stiffness, c.Tangential, c.Friction, c.Zeta, c.AreaExponent = l.stiffness, l.tangential, l.friction, l.zeta, l.areaExponent
	end := r.pad()
	for lo := 0; lo < end; lo += blockRows {
		n := min(end-lo, blockRows)
		if r.read(lo); byArea {
			asm.ApplyThicknessByArea(c, s.Dt, s.Forgiven, 0, n)
		} else {
			asm.ApplyThickness(c, s.Dt, s.Forgiven, 0, n)
		}
		r.store(c.Row[:min(r.n-lo, blockRows)], &s.To, byArea, s.Accounted)
	}
}

// store copies the results of the present rows to the rows of contacts.
func (r *thicknessRows) store(rows []uint32, contacts *ContactRows, byArea, accounted bool) {
	c, slip, middle := &r.c, vectors(contacts, slipX), vectors(contacts, middleX)
	scatter3(rows, &slip, c.SlipX, c.SlipY, c.SlipZ)
	scatter3(rows, &middle, c.MiddleX, c.MiddleY, c.MiddleZ)
	scatter(rows, contacts.History[twistAngle], c.Angle)
	scatter(rows, contacts.History[twistWidth], c.Width)
	if byArea {
		scatter(rows, contacts.History[slipGrowth], c.Growth)
	}
	scatter3(rows, contacts.Normal, c.NewNormalX, c.NewNormalY, c.NewNormalZ)
	scatter3(rows, &contacts.Force, c.ForceX, c.ForceY, c.ForceZ)
	scatter3(rows, &contacts.TorqueA, c.TorqueAX, c.TorqueAY, c.TorqueAZ)
	scatter3(rows, &contacts.TorqueB, c.TorqueBX, c.TorqueBY, c.TorqueBZ)
	if !accounted {
		return
	}
	scatter3(rows, &contacts.Damping, c.DampingX, c.DampingY, c.DampingZ)
	scatter3(rows, &contacts.Moment, c.MomentX, c.MomentY, c.MomentZ)
	scatter3(rows, &contacts.Friction, c.RubX, c.RubY, c.RubZ)
	scatter3(rows, &contacts.FrictionMoment, c.RubMomentX, c.RubMomentY, c.RubMomentZ)
	scatter(rows, contacts.Shear, c.ShearRise)
}
