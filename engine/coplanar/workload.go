package coplanar

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/vec"
)

// workload counts what finding the groups of a wall and their boundary edges looks at, and stops
// it at the first bound that is passed. Facets that lie on each other may make as many looks as
// the square of their number, and so may boundary edges that meet in one point, in every step
// that a body is there.
type workload struct {
	looks, paired int64 // at edges, and at pairs of facets
	most          int64 // of each of the two
	overlaps      int   // pairs of facets that overlap
	mostOverlaps  int
	mostPieces    int
	tangle        string // what is too much, "" for nothing
	at            point  // where, in the plane of the group
	found         bool   // whether at was found
}

const (
	// freeLooks is how many looks any wall has: 20 000 edges that all share some x; a second or
	// two.
	freeLooks = 1 << 28
	// looksEach is how many more it has for each edge and the root of the number of edges: a
	// sieve looks at four.
	looksEach = 32
	// withinLooks is how many looks one at a polygon is.
	withinLooks = 8
	// maxOverlaps is how many pairs of facets of one wall may overlap: those of 2896 facets that
	// all do. A body on these is compared with each of them in each step.
	maxOverlaps = 1 << 22
	// freePieces is how many pieces the boundary edges of any group may have before straight ones
	// are joined, as of 128 bars across 128 others; piecesEach is how many more for each edge.
	// Facets that cross each other make as many as the square of their number.
	freePieces, piecesEach = 1 << 16, 8
	// freeGroupLooks and groupLooksEach are how many groups of facets in one plane may be looked
	// at, for any wall and for each facet: slivers, which do not know their normal, look at all
	// groups of nearly their normal.
	freeGroupLooks, groupLooksEach = 1 << 24, 1 << 10
	// maxMeeting is how many boundary edges may end in one point. Each pair of them that turns in
	// is asked for a part of the group.
	maxMeeting = 32
)

// newWorkload returns the bounds for a number of edges.
func newWorkload(edges int) *workload {
	n := float64(edges)
	return &workload{
		most:         freeLooks + int64(looksEach*n*math.Sqrt(n)),
		mostOverlaps: maxOverlaps,
		mostPieces:   freePieces + piecesEach*edges,
	}
}

// look counts n looks and reports whether there may be more.
func (w *workload) look(n int64) bool {
	if w.looks += n; w.looks > w.most && w.tangle == "" {
		w.tangle = fmt.Sprintf("their outline takes more than %d comparisons", w.most)
	}
	return w.tangle == ""
}

// pieces reports whether boundary edges may be of so many pieces.
func (w *workload) pieces(n int) bool {
	if n > w.mostPieces && w.tangle == "" {
		w.tangle = fmt.Sprintf("they cross so often that their outline is of more than %d pieces", w.mostPieces)
	}
	return w.tangle == ""
}

// meeting refuses boundary edges of which too many end in one point, within two seams or less.
// Cost: nine look-ups for each.
func (w *workload) meeting(edges []segment, seam float64) {
	type cell struct{ x, y int64 }
	in := make(map[cell]int)
	at := func(p point) cell { return cell{int64(math.Floor(p.x / seam)), int64(math.Floor(p.y / seam))} }
	for i := range edges {
		in[at(edges[i].b)]++
	}
	for i := range edges {
		c, n := at(edges[i].b), 0
		for k := range int64(9) {
			n += in[cell{c.x + k%3 - 1, c.y + k/3 - 1}]
		}
		if n > maxMeeting && w.tangle == "" {
			w.tangle = fmt.Sprintf("%d corners of their outline meet in that point only, expected at most %d", n, maxMeeting)
			w.at, w.found = edges[i].b, true
		}
	}
}

// refusal is the error of a group of some facets, or of facets that nearly lie in one plane, that
// take too much. at is a place in the frame of the wall.
func (w *workload) refusal(facets int, at vec.Vec3) error {
	return fmt.Errorf("%d facets in one plane are too tangled about (%.6g, %.6g, %.6g) m of the wall's frame: %s; "+
		"leave out facets that others cover, cut those that cross, and close gaps that nothing fits into",
		facets, at.X, at.Y, at.Z, w.tangle)
}
