package engine

import "math"

// forgive returns the part of an initial overlap that is not felt at first.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// forgiveThickness sets what is forgiven of the overlap of contact i with a wall of facets, under a
// law that acts by overlaps. The law reads the contact's own share of the overlap, which is thinner
// than the depth in the contact's gap.
func (w *World) forgiveThickness(i int, variance float64) {
	if !w.began {
		w.contacts.Relief[i] = w.forgive(math.Sqrt(12 * variance))
	}
}

// relievedShare returns the share of the forgiven initial overlaps that is still not felt.
func (w *World) relievedShare() float64 {
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
