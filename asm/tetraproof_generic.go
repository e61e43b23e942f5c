package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// tetraBest is the best facet of a tetraSearch and its features.
type tetraBest struct {
	*tetraSearch
	edges, ofB bool // two edges; a face of B
	normal     vec.Vec3
	from, to   int         // of two edges, the corners of A's
	side       [3]int      // of a face, its corners, counter-clockwise seen from outside
	sideOf     [4]vec.Vec3 // the corners of its body
	point      vec.Vec3    // the corner at a face
	pointAt    int
	apart      bool
	depth      float64
	margin     float64
}

// decode looks up the features of the best facet.
func (b *tetraBest) decode() {
	s := b.tetraSearch
	b.edges, b.ofB = s.at > 7, s.at > 3 && s.at < 8
	b.margin = s.unit * coldMargin
	switch {
	case b.edges:
		b.from, b.to = tetraEdges[s.at-8].i, tetraEdges[s.at-8].j
		b.normal = s.a[b.to].Sub(s.a[b.from]).Cross(s.b[s.l].Sub(s.b[s.k]))
	case b.ofB:
		b.normal, b.side, b.sideOf = s.m[s.at-4].Neg(), tetraSides[s.at-4], s.b
	default:
		b.normal, b.side, b.sideOf = s.n[s.at], tetraSides[s.at], s.a
	}
}

// along returns the heights of the corners along a direction, and which of A's is highest and which of B's lowest.
func (s *tetraSearch) along(d vec.Vec3) (overA, overB [4]float64, top, low int) {
	for k := range overA {
		overA[k], overB[k] = d.Dot(s.a[k]), d.Dot(s.b[k])
		if overA[k] > overA[top] {
			top = k
		}
		if overB[k] < overB[low] {
			low = k
		}
	}
	return overA, overB, top, low
}

// standing returns 10 for each corner of A and 1 for each of B that lies no more than drop below the highest of A
// or above the lowest of B.
func standing(overA, overB *[4]float64, top, low int, drop float64) (count int) {
	for k := range overA {
		if overA[top]-overA[k] <= drop {
			count += 10
		}
		if overB[k]-overB[low] <= drop {
			count++
		}
	}
	return count
}

// proven returns the code of the facet, or 0.
func (b *tetraBest) proven() int {
	overA, overB, top, low := b.along(b.normal)
	b.point, b.pointAt = b.b[low], low
	if b.ofB {
		b.point, b.pointAt = b.a[top], top
	}
	height, nn := overA[top]-overB[low], b.normal.Dot(b.normal)
	length := math.Sqrt(nn)
	b.depth = height / length
	b.apart = height < 0
	drop, wanted, far := 0.0, 31, b.unit*coldClose
	if b.apart {
		drop, far = b.room(-b.depth, length, nn), b.unit*coldApart
	}
	switch {
	case b.edges:
		wanted = 22
	case b.ofB:
		wanted = 13
	}
	count := standing(&overA, &overB, top, low, greater(drop, b.margin*length))
	if count != wanted || !(math.Abs(b.depth) > far) || b.apart && !b.holdsFoot(nn) || !b.apart && !b.alone(length) {
		return 0
	}
	k := b.pointAt
	if b.edges {
		e, f := b.a[b.to].Sub(b.a[b.from]), b.b[b.l].Sub(b.b[b.k])
		if !(nn > wideOf(e.Dot(e), f.Dot(f))) {
			return 0
		}
		k = b.k
	}
	return 1 + 16*b.at + 4*k + b.l
}

// holdsFoot says whether the foot of a pair apart lies inside the facet, well enough.
func (b *tetraBest) holdsFoot(nn float64) bool {
	inset := b.inset(-b.depth) * nn
	beyond := func(in, square float64) bool { return float64(in*math.Abs(in))-float64(inset*square) > 0 }
	if b.edges {
		e, f, w := b.a[b.to].Sub(b.a[b.from]), b.b[b.l].Sub(b.b[b.k]), b.b[b.k].Sub(b.a[b.from])
		inA, inB := w.Cross(f).Dot(b.normal), w.Cross(e).Dot(b.normal)
		return beyond(lesser(inA, nn-inA), f.Dot(f)) && beyond(lesser(inB, nn-inB), e.Dot(e))
	}
	out := b.normal
	if b.ofB {
		out = out.Neg()
	}
	for k, j := range b.side {
		p := b.sideOf[j]
		u := b.sideOf[b.side[(k+1)%3]].Sub(p)
		if !beyond(out.Cross(u).Dot(b.point.Sub(p)), u.Dot(u)) {
			return false
		}
	}
	return true
}

// alone says whether all other facets of a pair that overlaps are deeper.
func (b *tetraBest) alone(length float64) bool {
	limit := b.depth + b.margin + (b.doubt+b.doubt)/length
	limit *= math.Abs(limit)
	rivals := 0
	for _, d := range b.tried {
		if d.depth < float64(limit*d.square) {
			rivals++
		}
	}
	return rivals == 1
}

// nearest returns the code of the corner and edge, or corner, on the rim of the facet that are nearest, or 0 if that is not
// beyond doubt. What is nearest nearby is so everywhere: features that are the only support along their own distance,
// and hold its feet.
func (b *tetraBest) nearest() int {
	var r vec.Vec3
	var rr, along, uu float64
	var ofA bool
	var at, at0, at1 int
	for c := range 4 {
		// A corner of one and an edge of the other.
		q, q0, q1, own, i, i0, i1 := vec.Vec3{}, vec.Vec3{}, vec.Vec3{}, b.ofB, b.pointAt, 0, 0
		switch {
		case !b.edges:
			i0, i1 = b.side[c%3], b.side[(c%3+1)%3]
			q, q0, q1 = b.point, b.sideOf[i0], b.sideOf[i1]
		case c < 2:
			own, i, i0, i1 = true, [2]int{b.from, b.to}[c], b.k, b.l
			q, q0, q1 = b.a[i], b.b[i0], b.b[i1]
		default:
			own, i, i0, i1 = false, [2]int{b.k, b.l}[c-2], b.from, b.to
			q, q0, q1 = b.b[i], b.a[i0], b.a[i1]
		}
		u, v := q1.Sub(q0), q.Sub(q0)
		square := u.Dot(u)
		t := lesser(greater(v.Dot(u)/square, 0), 1)
		way := v.AddScaled(-t, u)
		if ways := way.Dot(way); c == 0 || ways < rr {
			r, rr, along, uu, ofA, at, at0, at1 = way, ways, t, square, own, i, i0, i1
		}
	}
	wanted := 21
	if ofA {
		r, wanted = r.Neg(), 12
	}
	overA, overB, top, low := b.tetraSearch.along(r)
	gap := math.Sqrt(rr)
	slack := float64(b.margin * gap)
	count := standing(&overA, &overB, top, low, greater(b.room(gap, gap, rr), slack))
	foot := 1.0
	if along > 0 && along < 1 {
		in := lesser(along, 1-along)
		foot = float64(in*in*uu) - b.inset(gap)
	} else {
		wanted = 11
	}
	if !(foot > 0) || count != wanted || !(overB[low]-overA[top] >= rr-slack) || !(gap > b.unit*coldApart) {
		return 0
	}
	if along >= 1 {
		at0 = at1
	}
	if along <= 0 {
		at1 = at0
	}
	point, edge := 5*at, at0+4*at1 // of a corner its number twice
	if ofA {
		return tetraCorners + point + 16*edge
	}
	return tetraCorners + edge + 16*point
}
