package engine

import (
	"math"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// thickShare is the thickness of an overlap, as a share of the smaller piece's inscribed radius,
// above which the world warns. Up to this share, the potential of an overlap is that of rigid
// bodies. In a much deeper overlap a body may be pulled in, or may lie inside and feel no force.
const thickShare = 0.3

// throughShare is a share of the slope of the variance of a slab of that variance. Below it, the
// overlap hardly changes as the bodies move: one goes through the other, or lies inside it. On faces
// the share is 1, on edges and corners above ½. It is below a tenth on tips of a few degrees, too.
const throughShare = 0.1

// deepPair is a pair of pieces whose overlap is thicker than thickShare allows.
type deepPair struct {
	pair      uint64  // keyOf; afterAll if there is no such pair
	thickness float64 // m
	share     float64 // of the smaller inscribed radius
}

// thickOverlap is a contact whose overlap may be too thick.
type thickOverlap struct {
	row      int
	variance float64  // m², along the overlap's normal
	gradient vec.Vec3 // m, of the variance
}

// listThick tells the contact loop which overlaps to list: none once the world has given both warnings.
func (w *World) listThick() {
	const both = warnedThick | warnedThrough
	if w.thin == 0 {
		w.thin = thinFor(&w.shapes)
	}
	if w.thick = w.thin; w.warned&both == both {
		w.thick = math.Inf(1)
	}
}

// noteThick records the first pair of a step whose overlap is too thick: among those with a force, where
// thickness that relief forgives does not count, and among those almost without.
func (w *World) noteThick(ws *workspace) {
	for k := range ws.thick {
		o := &ws.thick[k]
		a, b := w.pairs.A[o.row], w.pairs.B[o.row]
		size := w.smallerInner(a, b)
		pair, thickness := keyOf(a, b), math.Sqrt(12*o.variance)
		noted := &ws.through
		if !(o.gradient.Norm2() < float64(throughShare*throughShare*o.variance)/3) {
			noted = &ws.deep
			thickness -= float64(w.contacts.Relief[o.row] * w.ctx.relieved)
		}
		if thickness > thickShare*size && pair < noted.pair {
			*noted = deepPair{pair, thickness, thickness / size}
		}
	}
	ws.thick = ws.thick[:0]
}

// thinFor returns a variance, m², below which no overlap of two shapes of an arena is too thick:
// half of the least variance that thickShare allows.
func thinFor(shapes *soa.Shapes) float64 {
	least := math.Inf(1)
	for h, kind := range shapes.Kind {
		if kind == soa.Ball || kind == soa.Block {
			least = min(least, shapes.Inner[h])
		}
	}
	return float64(thickShare*least) * float64(thickShare*least) / 24
}

// smallerInner returns the smaller inscribed radius of two pieces, m. Planes and facets have none
// and are ignored. The inscribed radius is that of a ball about the centroid, which may be smaller
// than the largest ball inside.
func (w *World) smallerInner(a, b soa.Piece) float64 {
	size := w.innerRadius(a)
	if s := w.innerRadius(b); s > 0 && (size == 0 || s < size) {
		return s
	}
	return size
}
