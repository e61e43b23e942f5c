package engine

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/broad/vl"
	"github.com/scree-dem/scree/internal/mark"
	"github.com/scree-dem/scree/soa"
)

// LateLists returns a warning if Verlet lists that serve Config.SearchEvery searches may become
// invalid too early. A search runs each time a body has used up its skin, so one fast body may
// cause all of these searches. LateLists returns "" if the lists are safe, before the first search,
// and for other searches. It uses the skins of the last rebuild; bodies that become
// faster get larger ones.
func (w *World) LateLists() string {
	if w.cfg.SearchEvery < 2 || !w.space.Broad().Known(&w.bodies) {
		return ""
	}
	long, diagonal, budget := 0.0, 0.0, 0.0
	for _, p := range w.space.Broad().Moving() {
		box := w.space.Broad().CellExtent(p)
		size := box.Max.Sub(box.Min)
		long, diagonal = max(long, size.X, size.Y, size.Z), max(diagonal, size.Norm())
	}
	for i, inverse := range w.bodies.InvMass {
		if inverse != 0 {
			budget = max(budget, w.space.Broad().Margin(soa.Body(i))-float64(0.5*w.law.Reach()))
		}
	}
	radius, way := vl.Reach(w.cfg.SearchRadius, long, diagonal), float64(float64(w.cfg.SearchEvery-1)*budget)
	if diagonal+float64(2*way) <= radius {
		return ""
	}
	return fmt.Sprintf("Verlet lists of radius %.4g m serve %d searches, until a body has moved %.4g m or more, expected at most %.4g m: the run ends when a list comes too late",
		radius, w.cfg.SearchEvery, way, 0.5*(radius-diagonal))
}

// checkLists rejects Verlet lists with invalid values, or for a search other than "vl".
func (c *Config) checkLists() error {
	switch {
	case !(c.SearchRadius >= 0) || math.IsInf(c.SearchRadius, 0) || c.SearchEvery < 0:
		return mark.Errorf(ErrConfig, "engine: Verlet lists of radius %g m for %d searches, expected ≥ 0", c.SearchRadius, c.SearchEvery)
	case (c.SearchRadius > 0 || c.SearchEvery > 0) && c.Search != "vl":
		return mark.Errorf(ErrConfig, "engine: Verlet lists of radius %g m for %d searches with the neighbour search %q, expected \"vl\"",
			c.SearchRadius, c.SearchEvery, c.Search)
	}
	return nil
}
