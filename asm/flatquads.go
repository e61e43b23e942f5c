package asm

import "math"

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
// where B is lowest over A. It says false where both have nothing in common, or B is higher there
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

// proven says whether no facet that the two quadrangles make is shallower than depth by more than
// faceSlip. The lowest corners have that depth, and the difference of both as a whole is less deep
// by up to spread. p is what is level with the lowest corners.
//
// With τ the tangent of half the angle between a facet's normal and that of the plane, what is
// known of the difference proves
//
//	by a disc about the foot, rho in radius, that deep         all facets of τ ≤ rho/depth
//	by a disc about the foot, R in radius, spread less deep    those of 2Rτ ≥ spread + (2·depth - spread)τ²
//	by the point over the foot, higher less deep               that one is shallower by higher + 2·depth·τ² at most
//
// No facet of the two has τ ≥ faceFoot. So rho is depth·faceFoot, or no more than leaves no facet
// between the first and the second, which begins at τ₁ with all of both for its disc; or the third
// is asked at τ₁.
func (q *FlatQuads) proven(s *sides, p *inPlay, depth, spread, higher float64) bool {
	in, length := s.whole(q)
	rho := float64(q.Unit*faceInset) + float64(depth*faceFoot)
	broad := in >= float64(greater(greater(spread*faceBroad, depth*faceBroad), q.Unit*faceInset)*length)
	first := float64((spread+float64(q.Unit*faceLevel))*faceHinge) * length / in // τ₁
	if broad {
		rho = lesser(float64(q.Unit*faceRound)+float64(first*depth), rho)
	}
	return q.inset(s, p, rho) >= 0 || broad && higher+float64(2*math.Abs(depth)*first*first) <= float64(q.Unit*faceSlip)
}

// whole returns how far the origin lies inside the difference of both polygons, all of whose corners count, as a quotient:
// times the length of the side it is nearest to, and that length.
func (s *sides) whole(q *FlatQuads) (in, length float64) {
	in, length = never, 1
	nearest := func(side *[4][4]float64, lengths *[4]float64) {
		for e := range 4 {
			high := greater(greater(side[e][0], side[e][1]), greater(side[e][2], side[e][3]))
			if float64(high*length) < float64(in*lengths[e]) {
				in, length = high, lengths[e]
			}
		}
	}
	nearest(&s.a, &q.LengthA)
	nearest(&s.b, &q.LengthB)
	return in, length
}

// inset returns a number that is not negative if the origin lies inside the difference of the parts in play by rho at
// least: beyond every line along a side in play of either that touches the difference.
func (q *FlatQuads) inset(s *sides, p *inPlay, rho float64) float64 {
	least := float64(never)
	oneAgainst := func(side *[4][4]float64, edge, length, use *[4]float64, full float64) {
		for e := range 4 {
			high, low := side[e][0]+float64((use[0]-1)*never), side[e][0]
			for k := 1; k < 4; k++ {
				high = greater(side[e][k]+float64((use[k]-1)*never), high)
				low = lesser(side[e][k], low)
			}
			need := float64((1-edge[e])*never) - float64(rho*length[e])
			least = lesser(high+need, least)
			least = lesser(float64(full*never)-low+need, least)
		}
	}
	oneAgainst(&s.a, &p.edgeA, &q.LengthA, &p.b, p.fullA)
	oneAgainst(&s.b, &p.edgeB, &q.LengthB, &p.a, p.fullB)
	return least
}
