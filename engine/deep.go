package engine

import (
	"math"

	"github.com/scree-dem/scree/soa"
)

// thickShare is how thick an overlap may be, of the inscribed radius of the smaller piece, before
// it is warned of. The potential of an overlap is that of rigid bodies up to there. Much deeper a
// body may be pulled in, or be inside and feel nothing.
const thickShare = 0.3

// deepPair is two pieces whose overlap is thicker than thickShare allows.
type deepPair struct {
	pair      uint64  // keyOf, afterAll for none
	thickness float64 // m
	share     float64 // of the inscribed radius of the smaller one
}

// lookDeep notes a contact whose overlap is too thick, if it is the first of the step. What relief
// forgives does not count. variance, m², is that of the overlap of pair i, and above World.thinForAll.
func (c *contactStage) lookDeep(i int, variance float64, ws *workspace) {
	w := c.w
	a, b := w.pairs.A[i], w.pairs.B[i]
	size := w.smallerInner(a, b)
	thickness := math.Sqrt(12*variance) - float64(w.contacts.Relief[i]*c.relieved)
	if pair := keyOf(a, b); thickness > thickShare*size && pair < ws.deep.pair {
		ws.deep = deepPair{pair, thickness, thickness / size}
	}
}

// thinFor returns a variance, m², up to which no overlap of two shapes of an arena is too thick:
// half of what the least of them allows.
func thinFor(shapes *soa.Shapes) float64 {
	least := math.Inf(1)
	for h, kind := range shapes.Kind {
		if kind == soa.Ball || kind == soa.Block {
			least = min(least, shapes.Inner[h])
		}
	}
	return float64(thickShare*least) * float64(thickShare*least) / 24
}

// smallerInner returns the smaller inscribed radius of two pieces, m, of those that have one: a
// plane and a facet have none. It is that of the ball about the centroid, which the largest ball
// inside may exceed.
func (w *World) smallerInner(a, b soa.Piece) float64 {
	size := w.innerRadius(a)
	if s := w.innerRadius(b); s > 0 && (size == 0 || s < size) {
		return s
	}
	return size
}
