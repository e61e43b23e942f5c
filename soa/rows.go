package soa

// CopyRows sets rows at to at+n-1, every column, from rows first to first+n-1 of other contacts.
func (c *Contacts) CopyRows(at int, from *Contacts, first, n int) {
	c.Axis.copyRows(at, &from.Axis, first, n)
	copyRows(c.AxisSupport, at, from.AxisSupport, first, n)
	for k := range c.History {
		copyRows(c.History[k], at, from.History[k], first, n)
	}
	c.Normal.copyRows(at, &from.Normal, first, n)
	copyRows(c.Relief, at, from.Relief, first, n)
	copyRows(c.Gap, at, from.Gap, first, n)
	c.Location.copyRows(at, &from.Location, first, n)
	c.Force.copyRows(at, &from.Force, first, n)
	c.TorqueA.copyRows(at, &from.TorqueA, first, n)
	c.TorqueB.copyRows(at, &from.TorqueB, first, n)
	c.Damping.copyRows(at, &from.Damping, first, n)
	c.Moment.copyRows(at, &from.Moment, first, n)
	c.Friction.copyRows(at, &from.Friction, first, n)
	c.FrictionMoment.copyRows(at, &from.FrictionMoment, first, n)
	copyRows(c.Shear, at, from.Shear, first, n)
	copyRows(c.Facet, at, from.Facet, first, n)
	copyRows(c.Proven, at, from.Proven, first, n)
	copyRows(c.Claim, at, from.Claim, first, n)
	copyRows(c.Held, at, from.Held, first, n)
	copyRows(c.Prism, at, from.Prism, first, n)
	copyRows(c.PrismHolds, at, from.PrismHolds, first, n)
	copyRows(c.Active, at, from.Active, first, n)
	copyRows(c.Level, at, from.Level, first, n)
}

// ClearRows sets rows lo to hi-1 to zero, every column.
func (c *Contacts) ClearRows(lo, hi int) {
	for _, v := range [...]*Vec3s{
		&c.Axis, &c.Normal, &c.Location, &c.Force, &c.TorqueA, &c.TorqueB, &c.Damping, &c.Moment, &c.Friction, &c.FrictionMoment,
	} {
		clear(v.X[lo:hi])
		clear(v.Y[lo:hi])
		clear(v.Z[lo:hi])
	}
	for _, f := range c.History {
		clear(f[lo:hi])
	}
	for _, f := range [...][]float64{
		c.AxisSupport, c.Relief, c.Gap, c.Shear, c.Proven, c.PrismHolds,
	} {
		clear(f[lo:hi])
	}
	clear(c.Facet[lo:hi])
	clear(c.Claim[lo:hi])
	clear(c.Held[lo:hi])
	clear(c.Prism[lo:hi])
	clear(c.Active[lo:hi])
	clear(c.Level[lo:hi])
}

func (c *Vec3s) copyRows(at int, from *Vec3s, first, n int) {
	copyRows(c.X, at, from.X, first, n)
	copyRows(c.Y, at, from.Y, first, n)
	copyRows(c.Z, at, from.Z, first, n)
}

func copyRows[T any](to []T, at int, from []T, first, n int) {
	copy(to[at:at+n], from[first:first+n])
}
