package surface

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// mostLines is the largest number of sides of an outline of a flat piece.
const mostLines = 64

// findOutline sets the outline of a flat piece of several facets if the piece is convex and ends
// uniformly along each line. The outline has one side for each line at which facets end, so it does
// not depend on how the piece is cut into facets.
func (p *backingMaker) findOutline(flat *flatPiece) {
	var lines []facetEdge
	even := true
	for _, i := range flat.facets {
		for _, e := range p.facet(i).edges {
			if e.inner {
				continue
			}
			at := slices.IndexFunc(lines, func(l facetEdge) bool { return p.inLine(&l, &e) })
			if at < 0 {
				if lines = append(lines, e); len(lines) > mostLines {
					return
				}
				continue
			}
			l := &lines[at]
			even = even && math.Abs(l.rate-e.rate) <= evenRate && l.open == e.open && p.sameMaterialBeyond(l, &e)
			l.join(&e)
		}
	}
	for k := range lines {
		for j := range lines {
			if l := &lines[k]; l.outward.Dot(lines[j].a.Sub(l.a)) > p.Seam() || l.outward.Dot(lines[j].b.Sub(l.a)) > p.Seam() {
				return
			}
		}
	}
	if len(lines) < 3 || !even {
		return
	}
	// Sort the lines counter-clockwise around the normal.
	n := p.Outward(flat.facets[0], 0)
	x := lines[0].outward
	y := n.Cross(x)
	slices.SortStableFunc(lines, func(a, b facetEdge) int {
		return cmp.Compare(vec.Atan2(a.outward.Dot(y), a.outward.Dot(x)), vec.Atan2(b.outward.Dot(y), b.outward.Dot(x)))
	})
	for k := range lines {
		if l := &lines[k]; l.outward.Cross(l.b.Sub(l.a)).Dot(n) < 0 {
			l.a, l.b = l.b, l.a
		}
	}
	flat.outline, flat.convex = lines, true
}

// inLine reports whether edge e lies on the line of edge l, and ends in the same direction.
func (p *backingMaker) inLine(l, e *facetEdge) bool {
	return l.outward.Dot(e.outward) > 0.5 && math.Abs(l.outward.Dot(e.a.Sub(l.a))) <= p.Seam() && math.Abs(l.outward.Dot(e.b.Sub(l.a))) <= p.Seam() &&
		math.Abs(e.outward.Dot(l.a.Sub(e.a))) <= p.Seam() && math.Abs(e.outward.Dot(l.b.Sub(e.a))) <= p.Seam()
}

// join extends a side by another edge on its line. The side takes the direction and rate of the
// longer one.
func (l *facetEdge) join(e *facetEdge) {
	if e.b.Sub(e.a).Norm2() > l.b.Sub(l.a).Norm2() {
		l.outward, l.rate, l.open, l.other = e.outward, e.rate, e.open, e.other
	}
	along := l.b.Sub(l.a)
	low, high, from := 0.0, along.Norm2(), *l
	for _, x := range [2]vec.Vec3{e.a, e.b} {
		if t := along.Dot(x.Sub(from.a)); t < low {
			low, l.a = t, x
		} else if t > high {
			high, l.b = t, x
		}
	}
}
