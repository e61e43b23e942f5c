package overlap

import (
	"math"
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// facesOf returns how many faces a body has.
func facesOf(v *soa.View) int {
	if v.Kind == soa.Plane {
		return 1
	}
	return v.NFaces
}

// prismShape returns the type of a prism, if there is room for its bodies' other faces.
func prismShape(va, vb *soa.View, p *soa.Prism) shape {
	m := int(p.Sides)
	if m < 3 || m > soa.PrismSides || !level(va) || vb.Kind != soa.Plane && !level(vb) {
		return clipped
	}
	s := prism4
	if m > 4 {
		s = prism6
	}
	if m > 6 {
		s = prism8
	}
	if m == mostSidesOf(s) && ringed(p) {
		return clipped // no side may be the last; and the faces of either body mostly cancel
	}
	nA, nB := facesOf(va), facesOf(vb)
	if nA+nB > m+2+asm.SharePrismOthers(mostSidesOf(s)) {
		return clipped
	}
	for k := -2; k < m; k++ {
		code := p.Base
		if k == -1 {
			code = p.Top
		} else if k >= 0 {
			code = p.Side[k]
		}
		if int(code) >= nA && (code < soa.OfB || int(code-soa.OfB) >= nB) {
			return clipped
		}
	}
	return s
}

// prism writes row i: two bodies of nA and nB faces and a prism of the batch's type, all of whose faces
// the bodies have. A and B are rows of the poses; the planes of A start at first[0] and those of B at
// first[1], and none is one that bounds nothing.
func (t *typed) prism(i int, a, b uint32, p *soa.Prism, first [2]uint32, none uint32, nA, nB int, clear float64) {
	s := t.shares
	s.Bodies[0][i], s.Bodies[1][i] = a, b
	s.Numbers[asm.ShareClear][i] = clear
	most, m := mostSidesOf(t.shape), int(p.Sides)
	o := arranged(*p, most)

	// The codes of the planes, in order.
	var codes [asm.SharePlanes]uint8
	codes[0], codes[1] = o.Base, o.Top
	var used usedFaces
	used.add(o.Base)
	used.add(o.Top)
	for k := range most {
		code, spare := o.Side[0], math.MaxFloat64
		if k < m {
			code, spare = o.Side[k], 0
			used.add(code)
		}
		codes[2+k] = code
		if k >= 3 {
			s.Numbers[asm.ShareSpare+k-3][i] = spare
		}
	}
	n := 2 + most
	for body, faces := range [2]int{nA, nB} {
		for left := ^used[body] & (1<<faces - 1); left != 0 && n < len(codes); left &= left - 1 {
			codes[n] = uint8(body)*soa.OfB | uint8(bits.TrailingZeros16(left))
			n++
		}
	}

	ofG := [2]float64{0, 1}
	for k, code := range codes[:n] {
		body := code / soa.OfB
		s.At[k][i], s.Numbers[asm.ShareOfG+k][i] = first[body]+uint32(code%soa.OfB), ofG[body]
	}
	for k := n; k < len(codes); k++ {
		s.At[k][i], s.Numbers[asm.ShareOfG+k][i] = none, 0
	}
}

// arranged returns a prism in the order that asm.SharePrisms4 wants: where there are as many sides as
// there may be, the last is a face of the same body as the top.
func arranged(p soa.Prism, most int) soa.Prism {
	m := int(p.Sides)
	if m < most {
		return p
	}
	switch last := sideOf(&p, p.Top); {
	case last >= 0:
		from, k := p.Side, last
		for i := range m {
			if k++; k == m {
				k = 0
			}
			p.Side[i] = from[k]
		}
	default: // All sides are faces of the base's body.
		p.Base, p.Top = p.Top, p.Base
		slices.Reverse(p.Side[:m])
	}
	return p
}

// ringed says whether all sides of a prism are of one body, and base and top of the other.
func ringed(p *soa.Prism) bool { return sameBody(p.Base, p.Top) && sideOf(p, p.Top) < 0 }

// sideOf returns a side that is a face of the same body as another face, or -1.
func sideOf(p *soa.Prism, face uint8) int {
	for k, side := range p.Side[:p.Sides] {
		if sameBody(side, face) {
			return k
		}
	}
	return -1
}

func sameBody(f, g uint8) bool { return (f^g)&soa.OfB == 0 }

// mostSidesOf returns how many sides a prism of a type may have.
func mostSidesOf(s shape) int { return 4 + 2*int(s-prism4) }

// usedFaces has a bit for each face of A and of B, of which a prism's bodies have fewer than sixteen.
type usedFaces [2]uint16

func (u *usedFaces) add(code uint8) { u[code/soa.OfB] |= 1 << (code % soa.OfB) }

// crowded says whether a corner of joined edges is within clear of more than three planes: then no prism is proven, for
// each of its corners has three, and is further inside all others but those of B that lie in a plane of A. So a proof that fails
// costs little. What lies in a plane is taken amply, for here normals are rounded otherwise than in the proof.
func (c *Clipper) crowded(clear float64) bool {
	own, other := c.a.part.planes, c.b.part.planes
	for _, x := range c.body.verts {
		near := 0
		for k := range own {
			if own[k].d-own[k].n.Dot(x) < clear {
				near++
			}
		}
		for k := range other {
			o := &other[k]
			if o.d-o.n.Dot(x) < clear && !slices.ContainsFunc(own, func(p partPlane) bool { return p.n.Sub(o.n).Norm2() <= 16*asm.ShareTurn2 }) {
				near++
			}
		}
		if near > 3 {
			return true
		}
	}
	return false
}

// byPrism returns the prism that body is by how its faces meet: of the pairs of opposite faces
// that have it between them that with the lowest number. swapped says that body was cut from B.
func (c *Clipper) byPrism(swapped bool) (p soa.Prism, ok bool) {
	b := &c.body
	m := len(b.end) - 2
	if m < 3 || m > soa.PrismSides || len(b.verts) != 2*m || len(b.loop) != 6*m {
		return p, false
	}
	code := func(f int) uint8 {
		if b.isCap[f] != swapped {
			return uint8(b.of[f]) | soa.OfB
		}
		return uint8(b.of[f])
	}
	base := -1
	for f := range b.end {
		if b.of[f] >= soa.OfB { // no face among them, either
			return p, false
		}
		if len(b.face(f)) == m && (base < 0 || code(f) < code(base)) && b.opposite(f, m) >= 0 {
			base = f
		}
	}
	if base < 0 {
		return p, false
	}
	p.Sides, p.Base, p.Top = uint8(m), code(base), code(b.opposite(base, m))
	loop := b.face(base)
	first := 0
	for i, v := range loop {
		p.Side[i] = code(b.across(v, loop[(i+m-1)%m]))
		if p.Side[i] < p.Side[first] {
			first = i
		}
	}
	turned := p.Side
	for i := range m {
		p.Side[i] = turned[(first+i)%m]
	}
	return p, true
}

// face returns the corners of face f.
func (s *solid) face(f int) []uint16 {
	if f == 0 {
		return s.loop[:s.end[0]]
	}
	return s.loop[s.end[f-1]:s.end[f]]
}

// across returns the face that has the edge from one corner to another; 0 if none has.
func (s *solid) across(from, to uint16) int {
	for f := range s.end {
		loop := s.face(f)
		for i, v := range loop {
			if v == from && loop[(i+1)%len(loop)] == to {
				return f
			}
		}
	}
	return 0
}

// opposite returns the face of m corners that face f, of as many, shares none with, if all others
// have four; else -1.
func (s *solid) opposite(f, m int) int {
	top := -1
	for g := range s.end {
		loop := s.face(g)
		shared := slices.ContainsFunc(loop, func(v uint16) bool { return slices.Contains(s.face(f), v) })
		switch {
		case g == f:
		case !shared && len(loop) == m && top < 0:
			top = g
		case !shared || len(loop) != 4:
			return -1
		}
	}
	return top
}
