package overlap

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// boundary joins the corners of an overlap to its surface. Each face has a loop of arcs: parts of
// edges, and lines where a face of A meets a face of B. Faces of A have the numbers from 0, faces
// of B the numbers from mostNear.
//
// Signs near zero may contradict each other. A surface is accepted if two conditions hold. Edges of
// the two bodies pass each other clearly. And the surface is a sphere: each face has one loop, the
// loops close, the faces are connected, and Euler's formula holds.
//
// An accepted surface is the overlap's. Its corners are correct up to rounding, so it covers the
// surface of the overlap a whole number of times. This number is not 0, because clear corners
// exist. It is 2 only if the two bodies are the same; the surface then has all faces of both, and
// join rejects it.
type boundary struct {
	arcs  []arc
	first [2 * mostNear]uint16 // by face: one more than the index of its last arc, 0 if it has none
	count [2 * mostNear]uint16

	lines []line   // by face of A and face of B: row length nB
	met   []uint16 // indices of the lines that are not zero
	nB    int
	stack []uint8
}

// arc is a side of a face from corner to corner, counter-clockwise seen from outside.
type arc struct {
	from, to uint16
	next     uint16 // one more than the index of another arc of the face, 0 if there is none
	across   uint8  // the face on the other side
}

// line is where a face of A meets a face of B: from one corner to another, counter-clockwise around
// the face of A. Each entry is one more than the number of the corner, or 0 if there is none yet.
type line struct{ from, to uint16 }

// begin empties the surface. nA and nB are the numbers of near faces of A and B.
func (s *boundary) begin(nA, nB int) {
	s.arcs, s.met, s.nB = s.arcs[:0], s.met[:0], nB
	if len(s.lines) < nA*nB {
		s.lines = make([]line, nA*nB)
	}
	clear(s.first[:nA])
	clear(s.count[:nA])
	clear(s.first[mostNear:][:nB])
	clear(s.count[mostNear:][:nB])
}

// abandon clears all lines.
func (s *boundary) abandon() {
	for _, k := range s.met {
		s.lines[k] = line{}
	}
	s.met = s.met[:0]
}

// meets stores a corner as the start or the end of the line where two faces meet. It returns false
// if this end already has a corner.
func (c *Clipper) meets(a, b int, corner uint16, start bool) bool {
	s := &c.surface
	k := a*s.nB + b
	l := &s.lines[k]
	if l.from == 0 && l.to == 0 {
		s.met = append(s.met, uint16(k))
	}
	end := &l.to
	if start {
		end = &l.from
	}
	if *end != 0 {
		return false
	}
	*end = corner + 1
	return true
}

// arc adds a side to a face.
func (c *Clipper) arc(face, across uint8, from, to uint16) {
	s := &c.surface
	s.arcs = append(s.arcs, arc{from: from, to: to, next: s.first[face], across: across})
	s.first[face] = uint16(len(s.arcs))
	s.count[face]++
}

// close makes body from the corners and the arcs; there must be at least one arc. It returns false
// if they do not make a sphere.
func (c *Clipper) close(ofA, ofB *part) bool {
	s, b := &c.surface, &c.body
	for _, k := range s.met {
		l := s.lines[k]
		if l.from == 0 || l.to == 0 {
			return false
		}
		onA, onB := uint8(int(k)/s.nB), mostNear+uint8(int(k)%s.nB)
		c.arc(onA, onB, l.from-1, l.to-1)
		c.arc(onB, onA, l.to-1, l.from-1)
	}
	start := s.arcs[0].across // has an arc, because arcs are made in pairs
	seen := [2 * mostNear / 64]uint64{}
	seen[start/64] |= 1 << (start % 64)
	s.stack = append(s.stack[:0], start)
	for len(s.stack) > 0 {
		f := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		first := &s.arcs[s.first[f]-1]
		for at, n := first, uint16(1); ; n++ {
			b.loop = append(b.loop, at.from)
			if g := at.across; seen[g/64]>>(g%64)&1 == 0 {
				seen[g/64] |= 1 << (g % 64)
				s.stack = append(s.stack, g)
			}
			if at.to == first.from {
				if n != s.count[f] {
					return false
				}
				break
			}
			k := s.first[f]
			for k != 0 && s.arcs[k-1].from != at.to {
				k = s.arcs[k-1].next
			}
			if k == 0 || n == s.count[f] {
				return false
			}
			at = &s.arcs[k-1]
		}
		if f < mostNear {
			b.close(false, uint16(ofA.faces[f]))
		} else {
			b.close(true, uint16(ofB.faces[f-mostNear]))
		}
	}
	return len(b.loop) == len(s.arcs) && len(b.verts)+len(b.end)-len(s.arcs)/2 == 2
}

// joined is the result of joining edges.
type joined uint8

const (
	contradicts joined = iota // signs near zero contradict each other; body is undefined
	separate                  // no edge of either body reaches into the other
	closed                    // body is the overlap
)

// join sets body to the overlap of two blocks that face each other, made from the edges of both.
// between is the position of B relative to A, world axes.
func (c *Clipper) join(between vec.Vec3) joined {
	a, b := &c.a, &c.b
	top := a.view.Vert(a.top)
	if !a.gather(top) || !b.gather(vec.Vec3{}) {
		return contradicts
	}
	b.part.turn(a.rot.Conj().Mul(b.rot), a.rot.RotateInv(between).Sub(top))
	is := c.enclose(a.view.Radius + b.view.Radius)
	if len(c.body.end) == a.view.NFaces+b.view.NFaces {
		return contradicts // the surface may cover the overlap twice
	}
	return is
}

// joinPlane is join for a plane B: n·x = d relative to A's position, in A's axes.
func (c *Clipper) joinPlane(n vec.Vec3, d float64) joined {
	a, b := &c.a, &c.b.part
	top := a.view.Vert(a.top)
	if !a.gather(top) {
		return contradicts
	}
	b.faces, b.planes = append(b.faces[:0], 0), append(b.planes[:0], partPlane{n, d - n.Dot(top)})
	b.at, b.edges = b.at[:0], b.edges[:0]
	return c.enclose(a.view.Radius + math.Abs(d))
}

// joinCoplanar, relative to both bodies' radii, is how far apart two faces may be that count as
// coplanar: 256 roundings of the coordinates. The overlap then has the face of A. Signs are
// computed as if B were larger by this distance; corners are not moved. Smaller: rounding mixes the
// faces, so that planes have to cut, and faces that asm.SharePrisms4 treats as coplanar would be
// two faces here. Larger: corners have an error of this size.
const joinCoplanar = 0x1p-45

// enclose makes body from the near parts of both bodies.
func (c *Clipper) enclose(size float64) joined {
	a, b, s := &c.a.part, &c.b.part, &c.surface
	s.begin(len(a.faces), len(b.faces))
	c.body.reset()
	c.names = c.names[:0]
	coplanar := float64(joinCoplanar * size)
	a.measureDepths(b.planes, -coplanar)
	b.measureDepths(a.planes, coplanar)
	is := contradicts
	if c.pierce(a, b, true, coplanar) && c.pierce(b, a, false, coplanar) {
		if len(s.arcs) == 0 {
			is = separate
		} else if c.close(a, b) {
			is = closed
		}
	}
	s.abandon()
	return is
}
