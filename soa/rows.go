package soa

// CarryRows copies the columns that are remembered from step to step. It sets rows at to at+n-1 of
// c from rows first to first+n-1 of from, which may be c itself, with overlapping rows. The columns
// that hold results of a single step keep their values: a step writes them for every active contact
// before it reads them.
func (c *Contacts) CarryRows(at int, from *Contacts, first, n int) {
	c.Axis.copyRows(at, &from.Axis, first, n)
	copyRows(c.AxisSupport, at, from.AxisSupport, first, n)
	c.Normal.copyRows(at, &from.Normal, first, n)
	copyRows(c.Facet, at, from.Facet, first, n)
	copyRows(c.Proven, at, from.Proven, first, n)
	copyRows(c.ProofRecord, at, from.ProofRecord, first, n)
	if c == from {
		copyRows(c.PoseBounds, at, from.PoseBounds, first, n)
	} else {
		copyPoseBounds(c.PoseBounds[at:at+n], from.PoseBounds[first:first+n])
	}
	copyRows(c.Prism, at, from.Prism, first, n)
	copyRows(c.PrismHolds, at, from.PrismHolds, first, n)
	copyRows(c.PrismCoplanars, at, from.PrismCoplanars, first, n)
	copyRows(c.Active, at, from.Active, first, n)
	copyRows(c.AnsweredBy, at, from.AnsweredBy, first, n)
}

// copyPoseBounds copies pose bounds. If a bound is none, it only sets Motion to 0.
func copyPoseBounds(to, from []PoseBound) {
	for k := range from {
		if h := &from[k]; h.Motion == 0 {
			to[k].Motion = 0
		} else {
			to[k] = *h
		}
	}
}

// ClearRows sets rows lo to hi-1 to zero, in the columns that CarryRows copies.
func (c *Contacts) ClearRows(lo, hi int) {
	for _, v := range [...]*Vec3s{&c.Axis, &c.Normal} {
		clear(v.X[lo:hi])
		clear(v.Y[lo:hi])
		clear(v.Z[lo:hi])
	}
	for _, f := range [...][]float64{c.AxisSupport, c.Proven, c.PrismHolds} {
		clear(f[lo:hi])
	}
	clear(c.Facet[lo:hi])
	clear(c.ProofRecord[lo:hi])
	clear(c.PoseBounds[lo:hi])
	clear(c.Prism[lo:hi])
	clear(c.PrismCoplanars[lo:hi])
	clear(c.Active[lo:hi])
	clear(c.AnsweredBy[lo:hi])
}

func (c *Vec3s) copyRows(at int, from *Vec3s, first, n int) {
	copyRows(c.X, at, from.X, first, n)
	copyRows(c.Y, at, from.Y, first, n)
	copyRows(c.Z, at, from.Z, first, n)
}

func copyRows[T any](to []T, at int, from []T, first, n int) {
	copy(to[at:at+n], from[first:first+n])
}
