package engine

import (
	"math"

	"github.com/scree-dem/scree/engine/contact"
	"github.com/scree-dem/scree/soa"
)

// thickShare is the thickness of an overlap, as a share of the smaller piece's inscribed radius,
// above which the world warns. Up to this share, the potential of an overlap is that of rigid
// bodies. In a much deeper overlap a body may be pulled in, or may lie inside and feel no force.
// Another value: only the warning.
const thickShare = 0.3

// throughShare is a share of the slope of the variance of a slab of that variance. Below it, the
// overlap hardly changes as the bodies move: one goes through the other, or lies inside it. On faces
// the share is 1, on edges and corners above ½. It is below a tenth on tips of a few degrees, too.
// Another value: only the warning.
const throughShare = 0.1

// deepPair is a pair of pieces whose overlap is thicker than thickShare allows.
type deepPair struct {
	pair      uint64  // contact.KeyOf; contact.NoPair if there is no such pair
	thickness float64 // m
	share     float64 // of the smaller inscribed radius
}

// thickVariance returns the variance, m², above which the space lists an overlap: no overlap once the world
// has given both warnings.
func (c *contactReader) thickVariance() float64 {
	w := c.w
	const both = warnedThick | warnedThrough
	if w.thin == 0 {
		w.thin = thinFor(&w.space.Shapes)
	}
	if w.warned&both == both {
		return math.Inf(1)
	}
	return w.thin
}

// noteThick records the first pair of a step whose overlap is too thick: among those with a force, where
// thickness that relief forgives does not count, and among those almost without.
func (c *contactReader) noteThick(thick []contact.Thick, ws *workspace) {
	w := c.w
	for k := range thick {
		o := &thick[k]
		a, b := w.space.PiecesOf(o.Row)
		size := smallerInner(w.space, a, b)
		pair, thickness := contact.KeyOf(a, b), math.Sqrt(12*o.Variance)
		noted := &ws.through
		if !(o.Gradient.Norm2() < float64(throughShare*throughShare*o.Variance)/3) {
			noted = &ws.deep
			thickness -= float64(w.forces.Relief[o.Row] * c.relieved)
		}
		if thickness > thickShare*size && (warnings{w}).before(pair, noted.pair) {
			*noted = deepPair{pair, thickness, thickness / size}
		}
	}
}

// thinFor returns a variance, m², below which no overlap of two shapes of an arena is too thick:
// half of the least variance that thickShare allows.
func thinFor(shapes *soa.Shapes) float64 {
	least := math.Inf(1)
	for h, kind := range shapes.Kind {
		if kind.IsSolid() {
			least = min(least, shapes.Inner[h])
		}
	}
	return float64(thickShare*least) * float64(thickShare*least) / 24
}

// smallerInner returns the smaller inscribed radius of two pieces, m. Planes and facets have none
// and are ignored. The inscribed radius is that of a ball about the centroid, which may be smaller
// than the largest ball inside.
func smallerInner(sp *contact.Space, a, b soa.Piece) float64 {
	size := innerRadius(sp, a)
	if s := innerRadius(sp, b); s > 0 && (size == 0 || s < size) {
		return s
	}
	return size
}

// innerRadius returns the inscribed radius of a piece, m, or 0.
func innerRadius(sp *contact.Space, p soa.Piece) float64 { return sp.Shapes.Inner[sp.Pieces.Shape[p]] }
