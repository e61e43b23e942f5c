package overlap

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// polyhedron is a convex polyhedron whose faces share their vertices.
type polyhedron struct {
	verts []vec.Vec3 // m
	over  []float64  // by vertex: height over the plane of the next cut, m
	loop  []uint16   // the corners of all faces, one face after the other; counter-clockwise seen from outside
	end   []int      // by face: the end of its corners in loop
	isCap []bool     // by face: whether a cut made it
	of    []uint16   // by face: its number in its own body; a cap has the number of the face that cut it
}

// noFace is the face number of a cap that no face of either body made.
const noFace = math.MaxUint16

func (s *polyhedron) reset() {
	s.verts, s.over, s.loop, s.end, s.isCap, s.of = s.verts[:0], s.over[:0], s.loop[:0], s.end[:0], s.isCap[:0], s.of[:0]
}

// close ends the face whose corners were appended to loop.
func (s *polyhedron) close(isCap bool, of uint16) {
	s.end = append(s.end, len(s.loop))
	s.isCap = append(s.isCap, isCap)
	s.of = append(s.of, of)
}

// cutEdge is an edge of body from a vertex that the cut keeps to a vertex that the cut removes.
type cutEdge struct {
	in, out uint16 // numbers in body
	at      uint16 // number in next of the vertex that the cut makes
	next    int    // the next cut edge around the cap; -1 once the cap is made
}

// cut removes the part of body above the plane from which body.over is measured, and closes the
// hole with a cap. Each vertex is classified once, and each edge is cut once for both of its faces.
// Therefore the surface stays closed whatever rounding does.
func (c *Clipper) cut() {
	b, to := &c.body, &c.next
	above := 0
	for _, h := range b.over {
		if h > 0 {
			above++
		}
	}
	if above == 0 {
		return
	}
	to.reset()
	c.cuts = c.cuts[:0]
	if above < len(b.verts) {
		c.kept = c.kept[:0]
		for k, h := range b.over {
			c.kept = append(c.kept, uint16(len(to.verts)))
			if !(h > 0) {
				to.verts = append(to.verts, b.verts[k])
			}
		}
		first := 0
		for f, end := range b.end {
			c.cutFace(b.loop[first:end], b.isCap[f], b.of[f])
			first = end
		}
		c.caps()
	}
	c.body, c.next = c.next, c.body
}

// cutFace appends the remaining part of a face of body to next.
func (c *Clipper) cutFace(loop []uint16, isCap bool, of uint16) {
	b, to := &c.body, &c.next
	from := len(to.loop)
	// left is the cut edge where the loop last left the body. entered is the cut edge where the loop
	// came in before it first left.
	left, entered := -1, -1
	prev := loop[len(loop)-1]
	for _, v := range loop {
		wasOut, isOut := b.over[prev] > 0, b.over[v] > 0
		switch {
		case isOut && !wasOut:
			left = c.cutEdge(prev, v)
			to.loop = append(to.loop, c.cuts[left].at)
		case wasOut && !isOut:
			in := c.cutEdge(v, prev)
			to.loop = append(to.loop, c.cuts[in].at)
			if left < 0 {
				entered = in
			} else {
				c.cuts[in].next, left = left, -1
			}
		}
		if !isOut {
			to.loop = append(to.loop, c.kept[v])
		}
		prev = v
	}
	if entered >= 0 {
		c.cuts[entered].next = left
	}
	if len(to.loop) > from {
		to.close(isCap, of)
	}
}

// cutEdge returns the index in cuts of the edge between two vertices of body, and cuts the edge if
// it is new.
func (c *Clipper) cutEdge(in, out uint16) int {
	for k := range c.cuts {
		if c.cuts[k].in == in && c.cuts[k].out == out {
			return k
		}
	}
	b, to := &c.body, &c.next
	h, g := b.over[in], b.over[out]
	x := b.verts[in].AddScaled(h/(h-g), b.verts[out].Sub(b.verts[in]))
	c.cuts = append(c.cuts, cutEdge{in: in, out: out, at: uint16(len(to.verts))})
	to.verts = append(to.verts, x)
	return len(c.cuts) - 1
}

// caps closes next with one face along each loop of cut edges. A convex body cut without rounding
// has exactly one loop.
func (c *Clipper) caps() {
	to := &c.next
	for k := range c.cuts {
		if c.cuts[k].next < 0 {
			continue
		}
		for e := k; c.cuts[e].next >= 0; {
			to.loop = append(to.loop, c.cuts[e].at)
			e, c.cuts[e].next = c.cuts[e].next, -1
		}
		to.close(true, c.by)
	}
}
