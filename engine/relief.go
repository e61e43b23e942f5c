package engine

// forgive returns the part of an overlap at the start that is not felt.
func (w *World) forgive(overlap float64) float64 {
	if w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-w.cfg.Relief.Cap, 0)
}

// relievedShare is the share of an overlap forgiven at the start that is still not felt.
func (w *World) relievedShare() float64 {
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
