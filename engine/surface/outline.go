package surface

import (
	"cmp"
	"math"
	"slices"

	"github.com/scree-dem/scree/vec"
)

// mostLines is how many sides the outline of a flat piece may have.
const mostLines = 64

// findOutline finds the outline of a flat piece of several facets, and whether it is convex. It
// has a side for each line that facets end at, so it is the same however the piece is cut into
// facets.
func (p *prismMaker) findOutline(flat *flatPiece) {
	var lines []facetEdge
	even := true
	for _, i := range flat.facets {
		for _, e := range p.edges[i] {
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
			even = even && math.Abs(l.rate-e.rate) <= evenRate && l.open == e.open && p.likeBeyond(l, &e)
			l.join(&e)
		}
	}
	for k := range lines {
		for j := range lines {
			if l := &lines[k]; l.outward.Dot(lines[j].a.Sub(l.a)) > p.seam || l.outward.Dot(lines[j].b.Sub(l.a)) > p.seam {
				return
			}
		}
	}
	if len(lines) < 3 || !even {
		return
	}
	// Around the normal, from one direction on.
	n := p.facets[flat.facets[0]].side()
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

// inLine reports whether an edge lies on a line, and ends the same way.
func (p *prismMaker) inLine(l, e *facetEdge) bool {
	return l.outward.Dot(e.outward) > 0.5 && math.Abs(l.outward.Dot(e.a.Sub(l.a))) <= p.seam && math.Abs(l.outward.Dot(e.b.Sub(l.a))) <= p.seam &&
		math.Abs(e.outward.Dot(l.a.Sub(e.a))) <= p.seam && math.Abs(e.outward.Dot(l.b.Sub(e.a))) <= p.seam
}

// join makes a side as long as it is with another edge on its line, and takes the direction of the
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
