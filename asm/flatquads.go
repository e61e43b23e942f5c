package asm

import "github.com/scree-dem/scree/vec"

const (
	// flatTol is how far outside a polygon a corner may lie and still count as inside: the rounding of its place.
	flatTol = 0x1p-48
	// flatMiss, in units, is by how much bodies moved together may miss each other at a point where
	// they are said to meet: half of narrow's projectionTol, as their planes are tilted.
	flatMiss = 0x1p-43
	// never is more than any number that is compared with it.
	never = 1e300
)

// FlatQuads is two convex quadrangles in a plane, each the projection of one that lies nearly in
// it, or of which one may be in play with a corner or a side only. A turns counter-clockwise, B
// clockwise.
type FlatQuads struct {
	AX, AY, BX, BY   [4]float64 // corners
	LengthA, LengthB [4]float64 // of the sides from each corner on
	UseA, UseB       [4]float64 // 1 for corners in play, 0 for others: all of one; of the other all, two neighbours, or one
	SlopeX, SlopeY   float64    // by how much B rises from A along either axis
	Unit             float64    // tolerances are multiples of it
}

// sides is by how much, times the side's length, each corner of one polygon lies inside each side of the other.
type sides struct {
	a, b [4][4]float64 // a: sides of A by corners of B
}

// inPlay is what of two quadrangles counts.
type inPlay struct {
	a, b         [4]float64 // 1 for corners that do, 0 for others
	edgeA, edgeB [4]float64 // 1 for sides that do, 0 for others
	fullA, fullB float64    // 1 where all corners do
}

// common is what two quadrangles have in common: the sum of the corners of the parts in play, and
// how many; and of both as a whole the corner where B is lowest over A, and by how much it lies
// higher there than where it is lowest of all.
type common struct {
	x, y, count        float64
	lowX, lowY, higher float64
}

// Meet returns a point at which the quadrangles meet: the mean of the corners of what is common to
// the parts in play, or where these have nothing in common the corner of what is common to both
// where B is lowest over A. It returns false where both have nothing in common, or B is higher there
// than at its lowest corner, or A lower than at its highest if ofB, by flatMiss. mean says that
// it is the mean.
//
// Candidates are the corners of each inside the other, to flatTol, and the crossings of their sides that lie inside both
// by as much. So a corner of one on a side of the other is found once, and sides that coincide have no crossings. The
// mean of any of them is common to both. Cost: 32 distances, 16 quotients; no branches on a processor with lanes.
//
// Exact: corners of B first, then of A, then crossings in the order of A's sides, then of B's.
func (q *FlatQuads) Meet(ofB bool) (x, y float64, mean, ok bool) {
	s, p := q.sides(), playing(q.UseA, q.UseB)
	c := q.common(&s, &p, ofB)
	x, y, ok = c.meet(q.Unit)
	return x, y, c.count > 0, ok
}

func (q *FlatQuads) sides() (s sides) {
	for e := range 4 {
		n := (e + 1) % 4
		ex, ey := q.AX[n]-q.AX[e], q.AY[n]-q.AY[e]
		fx, fy := q.BX[n]-q.BX[e], q.BY[n]-q.BY[e]
		for k := range 4 {
			s.a[e][k] = float64(ex*(q.BY[k]-q.AY[e])) - float64(ey*(q.BX[k]-q.AX[e]))
			s.b[e][k] = float64(fy*(q.AX[k]-q.BX[e])) - float64(fx*(q.AY[k]-q.BY[e]))
		}
	}
	return s
}

func playing(a, b [4]float64) (p inPlay) {
	p.a, p.b = a, b
	for e := range 4 {
		n := (e + 1) % 4
		p.edgeA[e], p.edgeB[e] = a[e]*a[n], b[e]*b[n]
	}
	p.fullA, p.fullB = p.edgeA[0]*p.edgeA[2], p.edgeB[0]*p.edgeB[2]
	return p
}

func (q *FlatQuads) common(s *sides, p *inPlay, ofB bool) (c common) {
	tol := q.Unit * flatTol
	var ta, tb, highA, highB [4]float64
	for k := range 4 {
		ta[k], tb[k] = tol*q.LengthA[k], tol*q.LengthB[k]
		highA[k], highB[k] = q.height(q.AX[k], q.AY[k]), q.height(q.BX[k], q.BY[k])
	}
	low := float64(never)
	add := func(found bool, w, px, py, high float64) {
		if !found {
			w = 0
		}
		c.x, c.y, c.count = c.x+float64(w*px), c.y+float64(w*py), c.count+w
		if found && high < low {
			low, c.lowX, c.lowY = high, px, py
		}
	}
	for k := range 4 {
		least := s.a[0][k] + ta[0]
		for e := 1; e < 4; e++ {
			least = lesser(s.a[e][k]+ta[e], least)
		}
		add(least >= 0, p.b[k]*p.fullA, q.BX[k], q.BY[k], highB[k])
	}
	for k := range 4 {
		least := s.b[0][k] + tb[0]
		for e := 1; e < 4; e++ {
			least = lesser(s.b[e][k]+tb[e], least)
		}
		add(least >= 0, p.a[k]*p.fullB, q.AX[k], q.AY[k], highA[k])
	}
	for e := range 4 {
		for f := range 4 {
			g, h := (e+1)%4, (f+1)%4
			s0, s1, r0, r1 := s.a[e][f], s.a[e][h], s.b[f][e], s.b[f][g]
			hit := lesser(s0, s1) < -ta[e] && greater(s0, s1) > ta[e] &&
				lesser(r0, r1) < -tb[f] && greater(r0, r1) > tb[f]
			at := 0.0
			if hit {
				at = s0 / (s0 - s1)
			}
			px, py := q.BX[f]+float64(at*(q.BX[h]-q.BX[f])), q.BY[f]+float64(at*(q.BY[h]-q.BY[f]))
			add(hit, p.edgeA[e]*p.edgeB[f], px, py, q.height(px, py))
		}
	}
	high := &highB
	if ofB {
		high = &highA
	}
	c.higher = low - lesser(lesser(high[0], high[1]), lesser(high[2], high[3]))
	return c
}

// height is by how much B lies higher over A at a point than at the origin of the axes.
func (q *FlatQuads) height(x, y float64) float64 { return float64(x*q.SlopeX) + float64(y*q.SlopeY) }

func (c *common) meet(unit float64) (x, y float64, ok bool) {
	if c.count > 0 {
		return c.x / c.count, c.y / c.count, true
	}
	return c.lowX, c.lowY, c.higher <= unit*flatMiss
}

// Lifted returns the point with coordinates x and y on the axes u and v of A's face, whose plane is n·p = d, that lies in
// that plane, or if ofB in the plane m·p = height, which is nearly parallel to it.
//
// Exact.
func Lifted(x, y float64, u, v, n, m vec.Vec3, d, height float64, ofB bool) vec.Vec3 {
	z := d
	if ofB {
		z = (height - float64(x*m.Dot(u)) - float64(y*m.Dot(v))) / m.Dot(n)
	}
	return u.Scale(x).AddScaled(y, v).AddScaled(z, n)
}
