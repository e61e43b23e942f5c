package coplanar

import (
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// point is a point in a group's plane, m, in the plane's frame.
type point struct{ x, y float64 }

// segment is a line segment from a to b. If it belongs to the boundary of a group or of a polygon,
// the interior lies to its left.
type segment struct{ a, b point }

// left returns the distance of a point to the left of a segment's line, m; it is negative to the
// right.
func (r *segment) left(p point) float64 {
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	return (float64(dx*(p.y-r.a.y)) - float64(dy*(p.x-r.a.x))) / math.Sqrt(float64(dx*dx)+float64(dy*dy))
}

// along returns the position along the segment, m from a, of a point's projection, and the
// segment's length.
func (r *segment) along(p point) (at, length float64) {
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	length = math.Sqrt(float64(dx*dx) + float64(dy*dy))
	return (float64(dx*(p.x-r.a.x)) + float64(dy*(p.y-r.a.y))) / length, length
}

// at returns the point of a segment at the fraction t of its length.
func (r *segment) at(t float64) point {
	return point{r.a.x + float64(t*(r.b.x-r.a.x)), r.a.y + float64(t*(r.b.y-r.a.y))}
}

// near reports whether a point lies within tol of a segment.
func (r *segment) near(p point, tol float64) bool {
	at, length := r.along(p)
	return math.Abs(r.left(p)) <= tol && at >= -tol && at <= length+tol
}

// cross returns twice the signed area of the triangle of a segment and a point.
func (r segment) cross(p point) float64 {
	return float64((r.b.x-r.a.x)*(p.y-r.a.y)) - float64((r.b.y-r.a.y)*(p.x-r.a.x))
}

// sameWay reports whether two parallel edges run in the same direction, with their polygons on the
// same side.
func sameWay(r, q *segment) bool {
	return float64((r.b.x-r.a.x)*(q.b.x-q.a.x))+float64((r.b.y-r.a.y)*(q.b.y-q.a.y)) > 0
}

// cutBy appends to to the part of a convex, counter-clockwise polygon to the left of a segment's
// line (Sutherland and Hodgman 1974).
func (r *segment) cutBy(to, polygon []point) []point {
	if len(polygon) == 0 {
		return to
	}
	p := polygon[len(polygon)-1]
	hp := r.left(p)
	for _, q := range polygon {
		hq := r.left(q)
		if hp < 0 != (hq < 0) {
			t := hp / (hp - hq)
			to = append(to, point{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))})
		}
		if hq >= 0 {
			to = append(to, q)
		}
		p, hp = q, hq
	}
	return to
}

// window is an axis-aligned rectangle in a group's plane.
type window struct{ lo, hi point }

// with returns the smallest window that contains the window and a point.
func (v window) with(p point) window {
	return window{point{min(v.lo.x, p.x), min(v.lo.y, p.y)}, point{max(v.hi.x, p.x), max(v.hi.y, p.y)}}
}

// enlarged returns the window extended by d on all sides.
func (v window) enlarged(d float64) window {
	return window{point{v.lo.x - d, v.lo.y - d}, point{v.hi.x + d, v.hi.y + d}}
}

// clip returns the part of a segment inside a window (Liang and Barsky 1984), and whether there is
// one.
func (v window) clip(r segment) (segment, bool) {
	from, to := 0.0, 1.0
	dx, dy := r.b.x-r.a.x, r.b.y-r.a.y
	for _, s := range [4][2]float64{{-dx, r.a.x - v.lo.x}, {dx, v.hi.x - r.a.x}, {-dy, r.a.y - v.lo.y}, {dy, v.hi.y - r.a.y}} {
		switch p, q := s[0], s[1]; {
		case p < 0:
			from = max(from, q/p)
		case p > 0:
			to = min(to, q/p)
		case q < 0:
			return segment{}, false
		}
	}
	if !(from <= to) {
		return segment{}, false
	}
	return segment{r.at(from), r.at(to)}, true
}

// outline returns the corners of a convex polygon in the frame of a plane, counter-clockwise.
func outline(corners []vec.Vec3, plane vec.Pose) []point {
	p := make([]point, len(corners))
	twice := 0.0
	for k, v := range corners {
		q := plane.PointInv(v)
		p[k] = point{q.X, q.Y}
		if k > 1 {
			twice += (segment{p[0], p[k-1]}).cross(p[k])
		}
	}
	if twice < 0 {
		slices.Reverse(p)
	}
	return p
}

// away returns the distance of two points.
func away(p, q point) float64 {
	return math.Sqrt(float64((p.x-q.x)*(p.x-q.x)) + float64((p.y-q.y)*(p.y-q.y)))
}

// boxOf returns the bounding window of some points.
func boxOf(points []point) window {
	box := window{points[0], points[0]}
	for _, p := range points[1:] {
		box = box.with(p)
	}
	return box
}
