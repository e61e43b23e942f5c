package coplanar

import (
	"cmp"
	"slices"

	"github.com/scree-dem/scree/wall/mesh"
)

// boundaryOf returns the boundary edges of a group. It first joins edges at corners that only
// rounding made. Then the choice among the remaining, nearly straight corners does not depend on
// where facets have corners in between. If the workload exceeds a bound, it returns nil.
func boundaryOf(polygons [][]point, seam float64, work *workload) []segment {
	tol, fine := float64(seam*(planeRel/mesh.SeamRel)), float64(seam*(straightRel/mesh.SeamRel))
	pieces := openEdges(polygons, tol, fine, seam, work)
	work.meeting(pieces, seam) // Straight edges that continue across a point meet there, too.
	whole := straight(straight(pieces, tol, work), fine, work)
	if work.tangle != "" {
		return nil
	}
	return whole
}

// openEdges returns the outline of the union of convex polygons: the parts of their edges that no
// other polygon covers. An edge covers the part of another edge that lies along it, within tol, if
// their polygons are on opposite sides. If the polygons are on the same side, the first edge stays.
// Facets therefore need not meet corner to corner. The interior of a polygon also covers edges, so
// facets that overlap act as one. Finally, edges on both sides of a sliver gap narrower than a seam
// cover each other.
//
// Cost: a map look-up for each edge that has an exact counterpart. Each other edge is compared with
// edges whose range of x overlaps its own, and with polygons until it is covered.
func openEdges(polygons [][]point, tol, fine, seam float64, work *workload) []segment {
	var edges []segment
	for _, p := range polygons {
		edges = slices.AppendSeq(edges, sides(p))
	}
	there := make(map[segment]bool, len(edges))
	for _, r := range edges {
		there[r] = true
	}
	if work.overlapping(polygons, there, seam); work.tangle != "" {
		return nil
	}
	edges = slices.DeleteFunc(edges, func(r segment) bool { return there[segment{r.b, r.a}] })
	slices.SortStableFunc(edges, byLowest)
	covered := make([]coverage, len(edges))
	overlaid(covered, edges, polygons, tol, work)
	pairs(covered, edges, tol, tol, work, func(r, q *segment) (first, second bool) {
		second = beside(r, q, tol)
		return second && !sameWay(r, q), second
	})
	edges = rest(edges, covered, tol, fine, work)
	slices.SortStableFunc(edges, byLowest)
	covered = make([]coverage, len(edges))
	pairs(covered, edges, seam, tol, work, func(r, q *segment) (first, second bool) {
		if !beside(r, q, seam) {
			return false, false
		}
		return isSliver(r, q, tol, fine, seam), isSliver(q, r, tol, fine, seam)
	})
	return rest(edges, covered, tol, seam, work)
}

// pairs adds to covered the parts along which edges cover each other. edges must be sorted by their
// least x. For two nearby edges, covers reports whether the second covers the first, and whether
// the first covers the second.
func pairs(covered []coverage, edges []segment, near, tol float64, work *workload, covers func(r, q *segment) (first, second bool)) {
	for i := range edges {
		r := &edges[i]
		top := max(r.a.x, r.b.x) + near
		j := i + 1
		for ; j < len(edges) && edges[j].lowest() <= top; j++ {
			q := &edges[j]
			if covered[i].full && covered[j].full {
				continue
			}
			first, second := covers(r, q)
			if first {
				covered[i].cover(r, q, tol)
			}
			if second {
				covered[j].cover(q, r, tol)
			}
		}
		if !work.count(int64(j - i)) {
			return
		}
	}
}

// rest returns the uncovered parts of edges that are longer than tol. A part shorter than half of
// its edge must also be longer than bit. rest returns nil if the workload exceeds a bound.
func rest(edges []segment, covered []coverage, tol, bit float64, work *workload) (out []segment) {
	for i := range edges {
		if !work.pieces(len(out)) {
			return nil
		}
		r := &edges[i]
		if covered[i].full {
			continue
		}
		out = uncovered(out, r, covered[i].intervals, max(tol, min(bit, 0.5*away(r.a, r.b))))
	}
	return out
}

// isSliver reports whether edge r borders a sliver gap together with edge q, which lies along it.
// The two edges must run in opposite directions. The region between them, at the middle of their
// common part, must be a gap and not an equally narrow part of the group. For an r no longer than a
// seam, the second condition is dropped; for an r no longer than fine, both are.
func isSliver(r, q *segment, tol, fine, seam float64) bool {
	from, length := r.along(q.a)
	to, _ := r.along(q.b)
	if length > fine && from-to < float64(alike*away(q.a, q.b)) {
		return false
	}
	middle := float64(0.5 * (max(min(from, to), 0) + min(max(from, to), length)))
	return length <= seam || r.left(q.at((middle-from)/(to-from))) <= tol
}

func (r *segment) lowest() float64 { return min(r.a.x, r.b.x) }

func byLowest(r, q segment) int { return cmp.Compare(r.lowest(), q.lowest()) }

// cover adds the part of r that lies beside q.
func (s *coverage) cover(r, q *segment, tol float64) {
	from, _ := r.along(q.a)
	end, length := r.along(q.b)
	from, end = max(min(from, end), 0), min(max(from, end), length)
	if from < end {
		s.add([2]float64{from, end}, length, tol)
	}
}

// uncovered appends the parts of r that are longer than least and outside all intervals.
func uncovered(to []segment, r *segment, in [][2]float64, least float64) []segment {
	_, length := r.along(r.b)
	slices.SortStableFunc(in, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	from := 0.0
	for _, c := range append(in, [2]float64{length, length}) {
		if c[0]-from > least {
			part := segment{r.at(from / length), r.at(c[0] / length)}
			if from == 0 {
				part.a = r.a
			}
			if c[0] == length {
				part.b = r.b
			}
			to = append(to, part)
		}
		from = max(from, c[1])
	}
	return to
}
