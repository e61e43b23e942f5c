package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/contact"
)

// forgive returns the part of an initial overlap that is not felt at first.
func (c *contactReader) forgive(overlap float64) float64 {
	if c.w.cfg.Relief == (Relief{}) {
		return 0
	}
	return max(overlap-c.w.cfg.Relief.Cap, 0)
}

// relieve sets what is forgiven of the overlaps of a tile's contacts, when the world computes its first
// forces. Later, a contact that only an interaction distance keeps active loses its relief.
func (c *contactReader) relieve(f *contact.TileContacts) {
	w := c.w
	gap, relief := w.space.Contacts.Gap, w.forces.Relief
	if w.cfg.Relief == (Relief{}) {
		return
	}
	for _, i := range f.Active {
		needs := w.law.NeedsAt(w.space.LawOf(int(i)))
		if !w.began {
			relief[i] = c.forgive(needs.Unloaded - gap[i])
		}
		if needs.Overlap && gap[i] > max(needs.Unloaded, 0) {
			relief[i] = 0
		}
	}
	if w.began {
		return
	}
	for _, o := range f.Shares {
		relief[o.Row] = c.forgive(math.Sqrt(12 * o.Variance))
	}
}

// relievedFraction returns the fraction of the forgiven initial overlaps that is still not felt.
func (c *contactReader) relievedFraction() float64 {
	w := c.w
	if w.cfg.Relief == (Relief{}) || w.time >= w.cfg.Relief.Time {
		return 0
	}
	return 1 - w.time/w.cfg.Relief.Time
}
