package asm

import "github.com/scree-dem/scree/vec"

const (
	// flatTol, in length scales, is how far a corner may lie outside of a polygon and still count
	// as inside: the rounding of its coordinates.
	// Smaller: corners on a side come and go. Larger: the witness point may lie as far outside a
	// face.
	flatTol = 0x1p-48
	// flatMiss, in length scales, is the largest gap at a meeting point after one body has moved
	// along the normal until both meet: half of projectionTol of narrow, because the planes
	// are tilted.
	// Smaller: more pairs declined. Larger: witness points off the body.
	flatMiss = 0x1p-43
	// never is larger than any number that is compared with it.
	never = 1e300
)

// FlatQuads holds two convex quadrangles in a plane. Each is the projection of a quadrangle that
// lies nearly in this plane, or of a face of which only one corner or side counts. A runs
// counter-clockwise, B clockwise.
type FlatQuads struct {
	AX, AY, BX, BY   [4]float64 // corners
	LengthA, LengthB [4]float64 // of the sides that begin at each corner
	UseA, UseB       [4]float64 // 1 for corners that count, else 0: all corners of one quadrangle; of the other all, two neighbours, or one
	SlopeX, SlopeY   float64    // gradient of the height of B over A, along both axes
	LengthScale      float64    // the length scale: tolerances are multiples of it
}

// insets holds how far each corner of one quadrangle lies inside of each side of the other, times
// the length of the side.
type insets struct {
	a, b [4][4]float64 // a: side of A, corner of B; b: side of B, corner of A
}

// inPlay holds which corners and sides of two quadrangles count.
type inPlay struct {
	a, b         [4]float64 // 1 for corners that count, else 0
	edgeA, edgeB [4]float64 // 1 for sides that count, else 0
	fullA, fullB float64    // 1 if all corners count
}

// common holds the region that two quadrangles share. x and y are the sums of the coordinates of
// its corners, for the parts that count, and count is the number of these corners. lowX and lowY
// are a corner of the region that both whole quadrangles share: the corner at which B is lowest
// over A. higher is how much higher B lies over A there than at B's lowest corner, or with ofB than
// at A's highest corner.
type common struct {
	x, y, count        float64
	lowX, lowY, higher float64
}

// Meet returns a point at which the quadrangles meet. If the parts that count share a region, the
// point is the mean of its corners, mean is true and ok is true. Else the point is the corner at
// which B is lowest over A, of the region that both whole quadrangles share. ok is then false if
// the whole quadrangles share nothing. ok is also false if B lies more than flatMiss higher over A
// at this point than at B's lowest corner, or with ofB than at A's highest corner.
//
// Corners of the shared region are the corners of each quadrangle inside of the other, to flatTol.
// They are also the crossings of sides that lie inside of both by more than flatTol. So a corner on
// a side of the other quadrangle is found once, and coinciding sides have no crossings. The mean of
// any of these points lies in both quadrangles. Cost: 32 distances and 16 quotients; machine code
// has no branches.
//
// Exact: corners of B first, then of A, then crossings in the order of A's sides, then of B's.
func (q *FlatQuads) Meet(ofB bool) (x, y float64, mean, ok bool) {
	s, p := q.sides(), playing(q.UseA, q.UseB)
	c := q.common(&s, &p, ofB)
	x, y, ok = c.meet(q.LengthScale)
	return x, y, c.count > 0, ok
}

func (q *FlatQuads) sides() (s insets) {
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

func (q *FlatQuads) common(s *insets, p *inPlay, ofB bool) (c common) {
	tol := q.LengthScale * flatTol
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

// height returns how much higher B lies over A at a point than at the origin of the axes.
func (q *FlatQuads) height(x, y float64) float64 { return float64(x*q.SlopeX) + float64(y*q.SlopeY) }

func (c *common) meet(unit float64) (x, y float64, ok bool) {
	if c.count > 0 {
		return c.x / c.count, c.y / c.count, true
	}
	return c.lowX, c.lowY, c.higher <= unit*flatMiss
}

// Lifted returns the point above the coordinates x and y on the axes u and v of A's face. A's plane
// is n·p = d. The point lies in A's plane, or with ofB in the plane m·p = height, which is nearly
// parallel to A's.
//
// Exact.
func Lifted(x, y float64, u, v, n, m vec.Vec3, d, height float64, ofB bool) vec.Vec3 {
	z := d
	if ofB {
		z = (height - float64(x*m.Dot(u)) - float64(y*m.Dot(v))) / m.Dot(n)
	}
	return u.Scale(x).AddScaled(y, v).AddScaled(z, n)
}
