package overlap

import (
	"math"
	"math/bits"
	"slices"

	"github.com/scree-dem/scree/asm"
	"github.com/scree-dem/scree/soa"
)

// facesOf returns the number of faces of a body.
func facesOf(v *soa.View) int {
	if v.Kind.IsEndless() {
		return 1
	}
	return v.NFaces
}

// prismShape returns the type of an arranged prism (see arranged), or clipped if it has none. The
// faces of both bodies must fit the row of the type.
func prismShape(va, vb *soa.View, p *soa.Prism) shape {
	m := int(p.Sides)
	if m < 3 || m > soa.PrismSides || !flatFaced(va) || !vb.Kind.IsEndless() && !flatFaced(vb) {
		return clipped
	}
	s := prism4 + sizeOf(m)
	if m == mostSidesOf(s) && !sameBody(p.Side[m-1], p.Top) {
		return clipped // All sides are of one body, and base and top of the other: these faces would mostly cancel.
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

// sizeOf returns the offset from the first type of prisms to the type for m sides.
func sizeOf(m int) shape {
	switch {
	case m > 6:
		return 2
	case m > 4:
		return 1
	}
	return 0
}

// prism writes row i for a prism of the batch's type. a and b are the rows of the poses. The bodies
// have all faces of p. radius is the smaller radius of the two bodies.
func (t *typed) prism(i int, a, b uint32, va, vb *soa.View, p *soa.Prism, clear, radius float64) {
	const rows = BatchRows
	i &= rows - 1
	at, numbers := t.at, t.numbers
	numbers[asm.ShareClear*rows+i], numbers[asm.ShareRadius*rows+i] = clear, radius
	t.held(i, a, b, va, vb, p)
	n, first := 2+mostSidesOf(t.shape), firstPlanes(va, vb)
	for body, left := range othersOf(p, va, vb) {
		for ; left != 0 && n < asm.SharePlanes; left &= left - 1 {
			at[n*rows+i], numbers[(asm.ShareOfG+n)*rows+i] = first[body]+soa.FeatureSize*uint32(bits.TrailingZeros16(left)), float64(body)
			n++
		}
	}
	for ; n < asm.SharePlanes; n++ {
		at[n*rows+i], numbers[(asm.ShareOfG+n)*rows+i] = noPlane, 0
	}
}

// held writes the part of row i that a proven prism needs.
func (t *typed) held(i int, a, b uint32, va, vb *soa.View, p *soa.Prism) {
	const rows = BatchRows
	i &= rows - 1
	at, numbers, first := t.at, t.numbers, firstPlanes(va, vb)
	t.bodies[i], t.bodies[rows+i] = asm.PoseNumbers*a, asm.PoseNumbers*b
	put := func(k int, code uint8) {
		body := code / soa.OfB & 1
		at[k*rows+i], numbers[(asm.ShareOfG+k)*rows+i] = first[body]+soa.FeatureSize*uint32(code%soa.OfB), [2]float64{0, 1}[body]
	}
	put(0, p.Base)
	put(1, p.Top)
	most, m := mostSidesOf(t.shape), min(int(p.Sides), soa.PrismSides)
	for k, code := range p.Side[:m] {
		put(2+k, code)
		if k >= 3 {
			numbers[(asm.ShareAbsent+k-3)*rows+i] = 0
		}
	}
	for k := m; k < min(most, soa.PrismSides); k++ {
		put(2+k, p.Side[0])
		numbers[(asm.ShareAbsent+k-3)*rows+i] = math.MaxFloat64
	}
}

// coplanar writes the planes that coplanars names (see asm.Shares.Coplanars) to row i, after held.
func (t *typed) coplanar(i int, va, vb *soa.View, p *soa.Prism, coplanars uint8, clear float64) {
	const rows = BatchRows
	i &= rows - 1
	t.numbers[asm.ShareClear*rows+i] = clear
	n, first := 2+mostSidesOf(t.shape), firstPlanes(va, vb)
	end := n + asm.ShareCoplanars
	for body, left := range othersOf(p, va, vb) {
		for ; left != 0 && n < end; left &= left - 1 {
			if coplanars&1 != 0 {
				at := first[body] + soa.FeatureSize*uint32(bits.TrailingZeros16(left))
				for k := n; k < end; k++ { // repeats the last plane, unless there are more
					t.at[k*rows+i], t.numbers[(asm.ShareOfG+k)*rows+i] = at, float64(body)
				}
				n++
			}
			coplanars >>= 1
		}
	}
}

// othersOf returns a bit for each face of A and of B that is not a face of the prism.
func othersOf(p *soa.Prism, va, vb *soa.View) usedFaces {
	used := usedFaces{}
	use := func(code uint8) { used[code/soa.OfB] |= 1 << (code % soa.OfB) }
	use(p.Base)
	use(p.Top)
	for _, code := range p.Side[:p.Sides] {
		use(code)
	}
	return usedFaces{^used[0] & (1<<facesOf(va) - 1), ^used[1] & (1<<facesOf(vb) - 1)}
}

// arranged returns a prism in the order that asm.SharePrisms4 demands. If the prism has as many
// sides as its type allows, the last side and the top must be faces of the same body. Prisms
// without a type are not arranged.
func arranged(p soa.Prism) soa.Prism {
	m := int(p.Sides)
	if m < mostSidesOf(prism4+sizeOf(m)) {
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
	default: // all sides are faces of the base's body
		p.Base, p.Top = p.Top, p.Base
		slices.Reverse(p.Side[:m])
	}
	return p
}

// sideOf returns the index of a side that belongs to the same body as face, or -1.
func sideOf(p *soa.Prism, face uint8) int {
	for k, side := range p.Side[:p.Sides] {
		if sameBody(side, face) {
			return k
		}
	}
	return -1
}

func sameBody(f, g uint8) bool { return (f^g)&soa.OfB == 0 }

// mostSidesOf returns the largest number of sides of a prism of a type.
func mostSidesOf(s shape) int {
	switch {
	case s == coplanar4:
		return 4
	case s >= held4:
		s -= held4 - prism4
	}
	return 4 + 2*int(s-prism4)
}

// usedFaces has a bit for each face of A and of B. The bodies of a prism have fewer than sixteen
// faces.
type usedFaces [2]uint16

// byPrism returns the prism that body is, judged by how its faces meet. Of all pairs of opposite
// faces that can be base and top, it chooses the pair with the lowest face number, and returns the
// prism arranged. swapped means that body was cut from B.
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
		if b.of[f] >= soa.OfB { // this includes noFace
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
	return arranged(p), true
}

// face returns the corners of face f.
func (s *polyhedron) face(f int) []uint16 {
	if f == 0 {
		return s.loop[:s.end[0]]
	}
	return s.loop[s.end[f-1]:s.end[f]]
}

// across returns the face with the edge from one corner to another, or 0 if no face has it.
func (s *polyhedron) across(from, to uint16) int {
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

// opposite returns the face with m corners that shares no corner with face f, if all other faces
// have four corners. Otherwise it returns -1.
func (s *polyhedron) opposite(f, m int) int {
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
