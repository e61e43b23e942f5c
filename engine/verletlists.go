package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/broad"
	"github.com/scree-dem/scree/engine/broad/multilevel"
	"github.com/scree-dem/scree/engine/broad/vl"
	"github.com/scree-dem/scree/internal/mark"
)

// search returns the method that finds candidate pairs, nil for the cell spaces.
func (c *Config) search() broad.Method {
	if c.SearchRadius == 0 && c.SearchEvery == 0 {
		return newSearch(c.Search)
	}
	return vl.New(vl.Options{Radius: c.SearchRadius, Every: c.SearchEvery, Build: multilevel.New()})
}

// checkLists refuses Verlet lists that cannot be made, or that no method has.
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
