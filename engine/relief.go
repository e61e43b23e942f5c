package engine

// forgive returns the part of an initial overlap that is not felt at first.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// relievedShare returns the share of the forgiven initial overlaps that is still not felt.
func (w *World) relievedShare() float64 {
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
