package soa

import "github.com/scree-dem/scree/vec"

// Rearrange brings rows of columns into an order, in place: row k becomes row order[k] of the rows that there were, and
// is undefined if order[k] is NoRow. No row appears twice in order. move copies a row. It needs a spare row behind those
// that there were and those of the order. Afterwards order has k in place of order[k].
func Rearrange(order []uint32, rows int, move func(to, from int)) {
	spare := max(rows, len(order))
	kept := make([]bool, spare)
	for _, from := range order {
		if from != NoRow {
			kept[from] = true
		}
	}
	// follow fills row to, whose values nobody needs any more, then the row from which it was filled, and so on. The row
	// last is filled from the spare row.
	follow := func(to, last int) {
		for to < len(order) && order[to] != NoRow && int(order[to]) != to {
			from := int(order[to])
			if order[to] = uint32(to); from == last {
				move(to, spare)
				return
			}
			move(to, from)
			to = from
		}
	}
	for k := range order {
		if !kept[k] {
			follow(k, spare)
		}
	}
	for k, from := range order { // cycles remain
		if from != NoRow && int(from) != k {
			move(spare, k)
			follow(k, k)
		}
	}
}

// CopyRow copies what is known of the contact of row from to row to. Gap and Location are not copied.
func (c *Contacts) CopyRow(to, from int) {
	c.Normal.Set(to, c.Normal.At(from))
	c.Facet[to], c.Proven[to], c.ProofRecord[to], c.PoseBounds[to] = c.Facet[from], c.Proven[from], c.ProofRecord[from], c.PoseBounds[from]
	c.Prism[to], c.PrismHolds[to], c.PrismCoplanars[to] = c.Prism[from], c.PrismHolds[from], c.PrismCoplanars[from]
	c.Pair[to], c.Active[to], c.AnsweredBy[to] = c.Pair[from], c.Active[from], c.AnsweredBy[from]
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
