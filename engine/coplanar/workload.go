package coplanar

import (
	"fmt"
	"math"

	"github.com/scree-dem/scree/vec"
)

// workload counts the comparisons made while finding the groups of a wall and their boundary edges,
// and stops the work at the first bound exceeded. Facets that overlap may cause a number of
// comparisons that is the square of their number. Boundary edges that meet at one point may do so,
// too, in every step in which a body is there.
type workload struct {
	looks, paired int64 // comparisons of edges, and of pairs of facets
	most          int64 // bound of each of the two
	overlaps      int   // number of pairs of facets that overlap
	mostOverlaps  int
	mostPieces    int
	tangle        string // which bound was exceeded; "" if none was
	at            point  // where, in the plane of the group
	found         bool   // at is set
}

const (
	// freeLooks is the number of comparisons allowed for any wall: those of 20 000 edges that all
	// share some x, one or two seconds of work.
	freeLooks = 1 << 28
	// looksEach is the number of additional comparisons allowed for each edge, times the square
	// root of the number of edges. A sieve needs four.
	looksEach = 32
	// withinLooks is the number of comparisons that one comparison with a polygon counts as.
	withinLooks = 8
	// maxOverlaps is the largest number of overlapping pairs of facets of one wall: those of 2896
	// facets that all overlap. A body on such facets is compared with each of them in each step.
	maxOverlaps = 1 << 22
	// freePieces is the largest number of pieces of the boundary edges of any group before straight
	// ones are joined, as of 128 bars across 128 others. piecesEach is the additional number for
	// each edge. Facets that cross each other make a number of pieces that is the square of their
	// number.
	freePieces, piecesEach = 1 << 16, 8
	// freeGroupLooks and groupLooksEach are the numbers of comparisons with groups that byPlane may
	// make: for any wall, and additionally for each facet. Slivers have inaccurate normals and are
	// compared with all groups of similar normals.
	freeGroupLooks, groupLooksEach = 1 << 24, 1 << 10
	// maxMeeting is the largest number of boundary edges that may end at one point. Each pair of
	// them with a concave corner is evaluated as a part of the group.
	maxMeeting = 32
)

// newWorkload returns a workload with the bounds for a number of edges.
func newWorkload(edges int) *workload {
	n := float64(edges)
	return &workload{
		most:         freeLooks + int64(looksEach*n*math.Sqrt(n)),
		mostOverlaps: maxOverlaps,
		mostPieces:   freePieces + piecesEach*edges,
	}
}

// count counts n comparisons and reports whether more are allowed.
func (w *workload) count(n int64) bool {
	if w.looks += n; w.looks > w.most && w.tangle == "" {
		w.tangle = fmt.Sprintf("their outline takes more than %d comparisons", w.most)
	}
	return w.tangle == ""
}

// pieces reports whether the boundary edges may have n pieces.
func (w *workload) pieces(n int) bool {
	if n > w.mostPieces && w.tangle == "" {
		w.tangle = fmt.Sprintf("they cross so often that their outline is of more than %d pieces", w.mostPieces)
	}
	return w.tangle == ""
}

// meeting records a refusal if too many boundary edges end at one point, within at most two seams.
// Cost: nine look-ups for each edge.
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

// refusal returns the error for a group of facets, or for nearly coplanar facets, that exceed a
// bound. at is a point in the frame of the wall.
func (w *workload) refusal(facets int, at vec.Vec3) error {
	return fmt.Errorf("%d facets in one plane are too tangled about (%.6g, %.6g, %.6g) m of the wall's frame: %s; "+
		"leave out facets that others cover, cut those that cross, and close gaps that nothing fits into",
		facets, at.X, at.Y, at.Z, w.tangle)
}
