package asm

// FlatQuads is two convex quadrangles in a plane, of which one may be in play with one side only: its corners in play are
// then two neighbours. A turns counter-clockwise, B clockwise.
type FlatQuads struct {
	AX, AY, BX, BY   [4]float64 // corners
	LengthA, LengthB [4]float64 // of the sides from each corner on
	UseA, UseB       [4]float64 // 1 for corners in play, 0 for others
	Unit             float64    // tolerances are multiples of it
}

// sides is by how much, times the side's length, each corner of one polygon lies inside each side of the other.
type sides struct {
	a, b         [4][4]float64 // a: sides of A by corners of B
	edgeA, edgeB [4]float64    // 1 for sides in play, 0 for others
	fullA, fullB float64       // 1 where all corners are in play
}

// Mean returns the mean of the corners of what is common to the parts in play, and how many corners were found, each with
// the coordinates' sum divided. None is found where they have nothing in common.
//
// Candidates are the corners of each inside the other, to flatTol, and the crossings of their sides that lie inside both
// by as much. So a corner of one on a side of the other is found once, and sides that coincide have no crossings. The
// mean of any of them is common to both. Cost: 32 distances, 16 quotients; no branches on a processor with lanes.
//
// Exact: corners of B first, then of A, then crossings in the order of A's sides, then of B's.
func (q *FlatQuads) Mean() (x, y, count float64) {
	s := q.sides()
	return q.mean(&s)
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
		s.edgeA[e], s.edgeB[e] = q.UseA[e]*q.UseA[n], q.UseB[e]*q.UseB[n]
	}
	s.fullA, s.fullB = s.edgeA[0]*s.edgeA[2], s.edgeB[0]*s.edgeB[2]
	return s
}

func (q *FlatQuads) mean(s *sides) (x, y, count float64) {
	tol := q.Unit * flatTol
	var ta, tb [4]float64
	for k := range 4 {
		ta[k], tb[k] = tol*q.LengthA[k], tol*q.LengthB[k]
	}
	add := func(w, px, py float64) {
		x, y, count = x+float64(w*px), y+float64(w*py), count+w
	}
	for k := range 4 {
		least := s.a[0][k] + ta[0]
		for e := 1; e < 4; e++ {
			least = lesser(s.a[e][k]+ta[e], least)
		}
		w := 0.0
		if least >= 0 {
			w = q.UseB[k] * s.fullA
		}
		add(w, q.BX[k], q.BY[k])
	}
	for k := range 4 {
		least := s.b[0][k] + tb[0]
		for e := 1; e < 4; e++ {
			least = lesser(s.b[e][k]+tb[e], least)
		}
		w := 0.0
		if least >= 0 {
			w = q.UseA[k] * s.fullB
		}
		add(w, q.AX[k], q.AY[k])
	}
	for e := range 4 {
		for f := range 4 {
			g, h := (e+1)%4, (f+1)%4
			s0, s1, r0, r1 := s.a[e][f], s.a[e][h], s.b[f][e], s.b[f][g]
			w, at := 0.0, 0.0
			if lesser(s0, s1) < -ta[e] && greater(s0, s1) > ta[e] &&
				lesser(r0, r1) < -tb[f] && greater(r0, r1) > tb[f] {
				w, at = s.edgeA[e]*s.edgeB[f], s0/(s0-s1)
			}
			add(w, q.BX[f]+float64(at*(q.BX[h]-q.BX[f])), q.BY[f]+float64(at*(q.BY[h]-q.BY[f])))
		}
	}
	return x / count, y / count, count
}

// foot returns how far inside the difference of the parts in play the origin has to lie, so that no facet that the two
// quadrangles make is shallower than depth, which that part of the difference has everywhere. The whole is less deep by up to spread.
//
// With τ the tangent of half the angle between a facet's normal and that of the plane, a disc of radius rho at that depth
// proves all facets of τ ≤ rho/depth, and one of radius R, spread less deep, those of 2Rτ ≥ spread + (2·depth - spread)τ². No
// facet of the two has τ ≥ faceFoot. So rho is depth·faceFoot, or no more than leaves no facet between what the two
// discs prove, with the whole difference as the second.
func (q *FlatQuads) foot(s *sides, depth, spread float64) float64 {
	in, length := s.whole(q)
	rho := float64(q.Unit*faceInset) + float64(depth*faceFoot)
	if in >= float64(greater(greater(spread*faceBroad, depth*faceBroad), q.Unit*faceInset)*length) {
		rho = lesser(float64(q.Unit*faceRound)+float64(spread*faceHinge)*depth*length/in, rho)
	}
	return rho
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
func (q *FlatQuads) inset(s *sides, rho float64) float64 {
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
	oneAgainst(&s.a, &s.edgeA, &q.LengthA, &q.UseB, s.fullA)
	oneAgainst(&s.b, &s.edgeB, &q.LengthB, &q.UseA, s.fullB)
	return least
}
