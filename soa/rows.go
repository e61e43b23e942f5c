package soa

import "github.com/scree-dem/scree/vec"

// Order gives the contacts as many rows as order has entries: row k becomes row order[k] of before, and a
// free row if order[k] is NoRow. Gap and Location are undefined then.
func (c *Contacts) Order(order []uint32) {
	for _, v := range [...]*[]float64{&c.Normal.X, &c.Normal.Y, &c.Normal.Z, &c.Proven, &c.PrismHolds} {
		*v = Ordered(*v, order)
	}
	c.Facet, c.ProofRecord, c.PoseBounds = Ordered(c.Facet, order), Ordered(c.ProofRecord, order), Ordered(c.PoseBounds, order)
	c.Prism, c.PrismCoplanars = Ordered(c.Prism, order), Ordered(c.PrismCoplanars, order)
	c.Pair, c.Active, c.AnsweredBy = Ordered(c.Pair, order), Ordered(c.Active, order), Ordered(c.AnsweredBy, order)
	for k, row := range order {
		if row == NoRow {
			c.Pair[k] = NoRow
		}
	}
	c.Gap = Resize(c.Gap, len(order))
	c.Location.Resize(len(order))
}

// Ordered returns a column whose value k is value order[k] of a column, or zero if order[k] is NoRow.
func Ordered[T any](c []T, order []uint32) []T {
	to := Resize[T](nil, len(order))
	for k, row := range order {
		if row != NoRow {
			to[k] = c[row]
		}
	}
	return to
}

// ClearRow makes row i one of which nothing is known.
func (c *Contacts) ClearRow(i int) {
	c.Normal.Set(i, vec.Vec3{})
	c.Facet[i], c.Proven[i], c.ProofRecord[i], c.PoseBounds[i] = FacetID{}, 0, ProofRecord{}, PoseBound{}
	c.Prism[i], c.PrismHolds[i], c.PrismCoplanars[i], c.Active[i], c.AnsweredBy[i] = Prism{}, 0, 0, false, 0
}

func (c *Vec3s) copyRows(at int, from *Vec3s, first, n int) {
	copyRows(c.X, at, from.X, first, n)
	copyRows(c.Y, at, from.Y, first, n)
	copyRows(c.Z, at, from.Z, first, n)
}

func copyRows[T any](to []T, at int, from []T, first, n int) {
	copy(to[at:at+n], from[first:first+n])
}
