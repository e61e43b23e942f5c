package surface

import (
	"fmt"
	"slices"
)

// Facets that meet at one corner may each end the material of all others there. The work then grows
// with a power of their number between two and four. looks counts it, and ends it at a bound.
type looks struct{ made, most int64 }

const (
	// freeLooks is the number of looks allowed for any wall: some seconds of work. Of random facets
	// about one corner, it allows about a thousand.
	freeLooks = 1 << 26
	// looksEach is the additional number for each facet. A facet of rough ground, at whose corners
	// six facets meet, takes less than a hundred.
	looksEach = 1 << 10
	// cutLooks is the number of looks that a cut of a polygon, or a side of a prism, counts as.
	cutLooks = 16
	// ridgeLooks is the number of looks that a further region of a ridge counts as, for its memory.
	ridgeLooks = 64
)

func looksFor(facets int) looks { return looks{most: freeLooks + looksEach*int64(facets)} }

// add counts n looks.
func (l *looks) add(n int) { l.made += int64(n) }

// spent reports whether there were more looks than allowed.
func (l *looks) spent() bool { return l.made > l.most }

// refusal returns the error for a wall that takes too many looks. It names the corner at which the
// most facets meet.
func (p *backingMaker) refusal() error {
	v, most := p.MostTouching()
	at := p.Vert(v)
	return fmt.Errorf("%d facets meet at the corner (%.6g, %.6g, %.6g) m of the wall's frame, expected fewer: "+
		"where they end the material behind each other takes more than %d comparisons", most, at.X, at.Y, at.Z, p.looks.most)
}

// touch reports whether two facets have a corner in common.
func (p *backingMaker) touch(i, k int) bool {
	return slices.ContainsFunc(p.Loop(i), func(v int32) bool { return slices.Contains(p.Loop(k), v) })
}
