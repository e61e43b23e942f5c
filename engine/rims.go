package engine

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/engine/surface"
	"github.com/scree-dem/scree/vec"
)

// flat is a point of a sheet's plane, m, in the plane's frame.
type flat struct{ x, y float64 }

// rim is a straight piece of where a sheet ends. The sheet lies to the left of the way from a to b.
type rim struct{ a, b flat }

// left returns how far a point lies to the left of a rim's line, m; negative to the right.
func (r *rim) left(p flat) float64 {
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	return (float64(dx*(p.y-r.a.y)) - float64(dy*(p.x-r.a.x))) / math.Sqrt(float64(dx*dx)+float64(dy*dy))
}

// along returns how far along a rim, from a, the foot of a point lies, m, and the length of the rim.
func (r *rim) along(p flat) (at, length float64) {
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	length = math.Sqrt(float64(dx*dx) + float64(dy*dy))
	return (float64(dx*(p.x-r.a.x)) + float64(dy*(p.y-r.a.y))) / length, length
}

// at returns the point of a rim at a share of its length.
func (r *rim) at(t float64) flat {
	return flat{r.a.x + float64(t*(r.b.x-r.a.x)), r.a.y + float64(t*(r.b.y-r.a.y))}
}

// near says whether a point lies within tol of a rim.
func (r *rim) near(p flat, tol float64) bool {
	at, length := r.along(p)
	return math.Abs(r.left(p)) <= tol && at >= -tol && at <= length+tol
}

// outline returns a convex polygon in the plane of a pose, counter-clockwise.
func outline(corners []vec.Vec3, plane vec.Pose) []flat {
	p := make([]flat, len(corners))
	twice := 0.0
	for k, v := range corners {
		q := plane.PointInv(v)
		p[k] = flat{q.X, q.Y}
		if k > 1 {
			twice += (rim{p[0], p[k-1]}).cross(p[k])
		}
	}
	if twice < 0 {
		slices.Reverse(p)
	}
	return p
}

// cross returns twice the area of the triangle of a rim and a point.
func (r rim) cross(p flat) float64 {
	return float64((r.b.x-r.a.x)*(p.y-r.a.y)) - float64((r.b.y-r.a.y)*(p.x-r.a.x))
}

// rimsOf returns the rims of a sheet. Corners that rounding made go first: which of the others,
// nearly straight ones, stay then does not hang on where facets have corners between. Where the
// work says that something is too much, there are none.
func rimsOf(polygons [][]flat, seam float64, work *rimWork) []rim {
	tol, fine := float64(seam*(sheetRel/surface.SeamRel)), float64(seam*(straightRel/surface.SeamRel))
	pieces := rims(polygons, tol, fine, seam, work)
	work.meeting(pieces, seam) // Straight ones that go on across a point meet there too.
	whole := straight(straight(pieces, tol, work), fine, work)
	if work.tangle != "" {
		return nil
	}
	return whole
}

// rims returns where the union of convex polygons ends: what of their edges no other covers. An edge covers of another what
// lies along it, within tol, with its polygon on the other side; of edges with their polygons on one side the first stays. So
// it does not matter whether facets meet corner to corner. What lies within a polygon is covered too: facets that overlap are
// one. What is left closes where it bounds a slit narrower than a seam. Cost: a look-up for edges that meet; each of the
// others looks at edges that share some x with it, and at polygons until it is covered.
func rims(polygons [][]flat, tol, fine, seam float64, work *rimWork) []rim {
	var edges []rim
	for _, p := range polygons {
		for k := range p {
			if r := (rim{p[k], p[(k+1)%len(p)]}); r.a != r.b {
				edges = append(edges, r)
			}
		}
	}
	there := make(map[rim]bool, len(edges))
	for _, r := range edges {
		there[r] = true
	}
	if work.overlapping(polygons, there, seam); work.tangle != "" {
		return nil
	}
	edges = slices.DeleteFunc(edges, func(r rim) bool { return there[rim{r.b, r.a}] })
	slices.SortStableFunc(edges, byLowest)
	covered := make([]spans, len(edges))
	overlaid(covered, edges, polygons, tol, work)
	pairs(covered, edges, tol, tol, work, func(r, q *rim) (first, second bool) {
		second = beside(r, q, tol)
		return second && !sameWay(r, q), second
	})
	edges = rest(edges, covered, tol, fine, work)
	slices.SortStableFunc(edges, byLowest)
	covered = make([]spans, len(edges))
	pairs(covered, edges, seam, tol, work, func(r, q *rim) (first, second bool) {
		if !beside(r, q, seam) {
			return false, false
		}
		return slit(r, q, tol, fine, seam), slit(q, r, tol, fine, seam)
	})
	return rest(edges, covered, tol, seam, work)
}

// pairs adds what each of the edges, which are by least x, has along others, as covers says of two that are near: of the
// first, of the second.
func pairs(covered []spans, edges []rim, near, tol float64, work *rimWork, covers func(r, q *rim) (first, second bool)) {
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
		if !work.look(int64(j - i)) {
			return
		}
	}
}

// rest returns what of edges is not covered, longer than tol, and longer than bit where it is less
// than half of an edge; nothing where something is too much.
func rest(edges []rim, covered []spans, tol, bit float64, work *rimWork) (out []rim) {
	for i := range edges {
		if !work.pieces(len(out)) {
			return nil
		}
		r := &edges[i]
		if covered[i].full {
			continue
		}
		out = uncovered(out, r, covered[i].parts, max(tol, min(bit, 0.5*away(r.a, r.b))))
	}
	return out
}

// slit says whether an edge borders a slit that another, along it, borders too: whether they go opposite ways, and what lies
// between them, in the middle of what they share, is not a part of the sheet as narrow as that. Of an edge no longer than a seam it
// does not matter which; of a finer one nor which way.
func slit(r, q *rim, tol, fine, seam float64) bool {
	from, length := r.along(q.a)
	to, _ := r.along(q.b)
	if length > fine && from-to < float64(alike*away(q.a, q.b)) {
		return false
	}
	middle := float64(0.5 * (max(min(from, to), 0) + min(max(from, to), length)))
	return length <= seam || r.left(q.at((middle-from)/(to-from))) <= tol
}

func (r *rim) lowest() float64 { return min(r.a.x, r.b.x) }

func byLowest(r, q rim) int { return cmp.Compare(r.lowest(), q.lowest()) }

// sameWay says whether two edges have their polygons on one side.
func sameWay(r, q *rim) bool {
	return float64((r.b.x-r.a.x)*(q.b.x-q.a.x))+float64((r.b.y-r.a.y)*(q.b.y-q.a.y)) > 0
}

// beside says whether two edges run along each other.
func beside(r, q *rim, seam float64) bool {
	if min(r.a.y, r.b.y) > max(q.a.y, q.b.y)+seam || min(q.a.y, q.b.y) > max(r.a.y, r.b.y)+seam {
		return false
	}
	return aligned(r, q, seam)
}

// aligned says whether the shorter of two edges lies on the line of the longer, which knows its direction best.
func aligned(r, q *rim, seam float64) bool {
	long, short := r, q
	if away(q.a, q.b) > away(r.a, r.b) {
		long, short = q, r
	}
	return math.Abs(long.left(short.a)) <= seam && math.Abs(long.left(short.b)) <= seam
}

// part is a piece of a rim, and the number of this.
type part struct {
	rim
	of uint32
}

// shorter cuts rims into parts, by least x, none longer along x than the width of all over the root of their number: then
// a search by x looks at few that lie elsewhere, be it a sieve of a thousand holes with four long sides.
func shorter(whole []rim) (parts []part, longest float64) {
	if len(whole) == 0 {
		return nil, 0
	}
	first, last := math.Inf(1), math.Inf(-1)
	for i := range whole {
		first, last = min(first, whole[i].lowest()), max(last, whole[i].a.x, whole[i].b.x)
	}
	most := (last - first) / math.Sqrt(float64(len(whole)))
	for i, r := range whole {
		n := max(int(math.Ceil(math.Abs(r.b.x-r.a.x)/most)), 1)
		from := r.a
		for k := 1; k <= n; k++ {
			to := r.b
			if k < n {
				to = r.at(float64(k) / float64(n))
			}
			parts = append(parts, part{rim{from, to}, uint32(i)})
			longest = max(longest, math.Abs(to.x-from.x))
			from = to
		}
	}
	slices.SortStableFunc(parts, func(p, q part) int { return byLowest(p.rim, q.rim) })
	return parts, longest
}

// cover adds the part of r that lies beside q.
func (s *spans) cover(r, q *rim, tol float64) {
	from, _ := r.along(q.a)
	end, length := r.along(q.b)
	from, end = max(min(from, end), 0), min(max(from, end), length)
	if from < end {
		s.add([2]float64{from, end}, length, tol)
	}
}

// uncovered appends the parts of r that are longer than least and in none of the intervals.
func uncovered(to []rim, r *rim, in [][2]float64, least float64) []rim {
	_, length := r.along(r.b)
	slices.SortFunc(in, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	from := 0.0
	for _, c := range append(in, [2]float64{length, length}) {
		if c[0]-from > least {
			part := rim{r.at(from / length), r.at(c[0] / length)}
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

// window is a rectangle of a sheet's plane.
type window struct{ lo, hi flat }

// with returns the smallest window that also holds a point.
func (v window) with(p flat) window {
	return window{flat{min(v.lo.x, p.x), min(v.lo.y, p.y)}, flat{max(v.hi.x, p.x), max(v.hi.y, p.y)}}
}

// clip returns the part of a rim within a window (Liang and Barsky 1984), and whether there is one.
func (v window) clip(r rim) (rim, bool) {
	from, to := 0.0, 1.0
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	for _, s := range [4][2]float64{{-dx, r.a.x - v.lo.x}, {dx, v.hi.x - r.a.x}, {-dy, r.a.y - v.lo.y}, {dy, v.hi.y - r.a.y}} {
		switch p, q := s[0], s[1]; {
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		case q < 0:
			return rim{}, false
		}
	}
	if !(from <= to) {
		return rim{}, false
	}
	return rim{r.at(from), r.at(to)}, true
}

// rimsIn fills run.whole with the rims that reach into a window, in their order, and run.inside with what of them is in it.
func (s *sheet) rimsIn(v window, run *wallRun) {
	run.which, run.whole, run.inside = run.which[:0], run.whole[:0], run.inside[:0]
	for _, p := range s.between(v.lo.x, v.hi.x) {
		if _, ok := v.clip(p.rim); ok {
			run.which = append(run.which, p.of)
		}
	}
	slices.Sort(run.which)
	for _, i := range slices.Compact(run.which) {
		if in, ok := v.clip(s.rims[i]); ok {
			run.whole, run.inside = append(run.whole, s.rims[i]), append(run.inside, in)
		}
	}
}

// between returns the parts of rims that may reach between two values of x, and others.
func (s *sheet) between(low, high float64) []part {
	byX := func(p part, x float64) int { return cmp.Compare(p.lowest(), x) }
	from, _ := slices.BinarySearchFunc(s.border, low-s.longest, byX)
	n, _ := slices.BinarySearchFunc(s.border[from:], math.Nextafter(high, math.Inf(1)), byX)
	return s.border[from : from+n]
}

// cutBy appends to to the part of a convex polygon, counter-clockwise, to the left of a rim's line (Sutherland and
// Hodgman 1974).
func (r *rim) cutBy(to, polygon []flat) []flat {
	if len(polygon) == 0 {
		return to
	}
	p := polygon[len(polygon)-1]
	hp := r.left(p)
	for _, q := range polygon {
		hq := r.left(q)
		if hp < 0 != (hq < 0) {
			t := hp / (hp - hq)
			to = append(to, flat{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))})
		}
		if hq >= 0 {
			to = append(to, q)
		}
		p, hp = q, hq
	}
	return to
}
