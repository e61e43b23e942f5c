package engine

import "math"

// forgive returns the part of an initial overlap that is not felt at first.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// wallOverlap is the share of one contact with a wall of facets in an overlap. It is thinner than the
// depth in the contact's gap.
type wallOverlap struct {
	row      uint32
	variance float64 // m²
}

// relieve sets what is forgiven of the overlaps of a tile's contacts, when the world computes its first
// forces. Later, a contact that only an interaction distance keeps active loses its relief.
func (w *World) relieve(ws *workspace) {
	con := &w.contacts
	defer func() { ws.wallOverlaps = ws.wallOverlaps[:0] }()
	if w.cfg.Relief == (Relief{}) {
		return
	}
	for _, i := range ws.active {
		needs := w.law.NeedsAt(w.described[i].law)
		if !w.began {
			con.Relief[i] = w.forgive(needs.Unloaded - con.Gap[i])
		}
		if needs.Overlap && con.Gap[i] > max(needs.Unloaded, 0) {
			con.Relief[i] = 0
		}
	}
	if w.began {
		return
	}
	for _, o := range ws.wallOverlaps {
		con.Relief[o.row] = w.forgive(math.Sqrt(12 * o.variance))
	}
}

// relievedShare returns the share of the forgiven initial overlaps that is still not felt.
func (w *World) relievedShare() float64 {
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
