package asm

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// brickPair is two bricks in the frame of A, of half edges u and w, and the facets of their difference tried so far.
type brickPair struct {
	coldPlaces
	u, w  [3]vec.Vec3
	t     vec.Vec3 // from A's centre to B's
	doubt float64

	tried [15]tetraTried
	count int
	best  int // three faces of A, three of B, nine pairs of edges
}

func brickFacetGeneric(f *ColdPairs, lo, hi int) {
	for i := lo; i < hi; i++ {
		f.Facet[i] = float64(f.brick(i))
	}
}

// brick answers row i.
func (f *ColdPairs) brick(i int) int {
	b := brickPair{coldPlaces: f.places(i)}
	if !b.sound() {
		return 0
	}
	b.t = b.rot.MulVec(f.at(0, f.RowB[i])).Add(b.coldPlaces.t).Sub(f.at(0, f.RowA[i]))
	for k := range b.u {
		b.u[k], b.w[k] = f.at(3*k+3, f.RowA[i]), b.rot.MulVec(f.at(3*k+3, f.RowB[i]))
	}
	var n, m [3]vec.Vec3
	for k := range n {
		n[k], m[k] = b.u[(k+1)%3].Cross(b.u[(k+2)%3]), b.w[(k+1)%3].Cross(b.w[(k+2)%3])
	}
	var across, along [3][3]float64 // of B's half edges over A's faces, of A's over B's
	for k := range n {
		for j := range m {
			across[k][j], along[j][k] = math.Abs(n[k].Dot(b.w[j])), math.Abs(m[j].Dot(b.u[k]))
		}
	}
	face := func(n vec.Vec3, volume float64, over *[3]float64) {
		b.offer(volume+(over[0]+over[1]+over[2])-math.Abs(n.Dot(b.t)), n.Dot(n))
	}
	volA, volB := math.Abs(b.u[0].Dot(n[0])), math.Abs(b.w[0].Dot(m[0]))
	for k := range n {
		face(n[k], volA, &across[k])
	}
	for j := range m {
		face(m[j], volB, &along[j])
	}
	b.doubt = b.radA * b.radB * b.unit * brickErr
	for i := range n {
		for j := range m {
			c := b.u[i].Cross(b.w[j])
			height := (across[(i+1)%3][j] + across[(i+2)%3][j]) + (along[(j+1)%3][i] + along[(j+2)%3][i])
			b.offer(height-math.Abs(c.Dot(b.t))-b.doubt, c.Dot(c))
		}
	}
	return b.answer()
}

// offer takes a facet, as tetraSearch does.
func (b *brickPair) offer(height, square float64) {
	t := tetraTried{height * math.Abs(height), square}
	if best := b.tried[b.best]; t.depth*best.square < best.depth*square {
		b.best = b.count
	}
	b.tried[b.count] = t
	if b.count++; b.count == 1 {
		b.best = 0
	}
}

// brickCorner is which corner, edge or face of a brick is highest along a direction: for each half edge one, minus one, or
// zero where neither end is.
type brickCorner [3]float64

// highest returns the features of A that are highest along d and those of B that are lowest, from d times the half edges;
// neither end is where twice that is no more than drop.
func highestOf(over, under *[3]float64, drop float64) (ofA, ofB brickCorner) {
	end := func(h, high float64) float64 {
		twice := math.Abs(h)
		if twice+twice <= drop {
			return 0
		}
		if h > 0 {
			return high
		}
		return -high
	}
	for k := range over {
		ofA[k], ofB[k] = end(over[k], 1), end(under[k], -1)
	}
	return ofA, ofB
}

// along returns d times the half edges, and the sum of how large these are.
func (b *brickPair) along(d vec.Vec3) (over, under [3]float64, sum float64) {
	for k := range over {
		over[k], under[k] = d.Dot(b.u[k]), d.Dot(b.w[k])
	}
	total := func(h *[3]float64) float64 { return math.Abs(h[0]) + math.Abs(h[1]) + math.Abs(h[2]) }
	return over, under, total(&over) + total(&under)
}

// free returns how many half edges have neither end.
func (c *brickCorner) free() (n int) {
	for _, e := range c {
		if e == 0 {
			n++
		}
	}
	return n
}

// brickCode numbers two features.
func brickCode(ofA, ofB *brickCorner) int {
	code, scale := 1, 1
	for k := range ofA {
		code += (1+int(ofA[k]))*scale + (1+int(ofB[k]))*27*scale
		scale *= 3
	}
	return code
}

// answer returns the code of the best facet, or what is nearest on its rim, or 0.
func (b *brickPair) answer() int {
	// The two half edges that span it.
	var s, q vec.Vec3
	wanted := [2]int{1, 1}
	switch k := b.best; {
	case k < 3:
		s, q, wanted = b.u[(k+1)%3], b.u[(k+2)%3], [2]int{2, 0}
	case k < 6:
		s, q, wanted = b.w[(k+1)%3], b.w[(k+2)%3], [2]int{0, 2}
	default:
		s, q = b.u[(k-6)/3], b.w[(k-6)%3]
	}
	normal := s.Cross(q)
	back := normal.Dot(b.t) < 0
	if back {
		normal = normal.Neg()
	}
	toward, nn := normal.Dot(b.t), normal.Dot(normal)
	length := math.Sqrt(nn)
	margin := float64(b.unit*coldMargin) * length
	over, under, sum := b.along(normal)
	height := sum - toward
	depth := height / length
	gap, apart := -depth, height < 0
	drop, far := 0.0, b.unit*coldClose
	if apart {
		drop, far = b.room(gap, length, nn), b.unit*coldApart
	}
	ofA, ofB := highestOf(&over, &under, greater(drop, margin))
	wide := wanted != [2]int{1, 1} || nn > wideOf(s.Dot(s), q.Dot(q))
	if wide && wanted == [2]int{ofA.free(), ofB.free()} && math.Abs(depth) > far && toward > margin {
		code := brickCode(&ofA, &ofB)
		if back {
			code += brickFlip
		}
		if !apart && b.alone(depth, length) || apart && b.holdsFoot(s, q, normal, nn, gap, b.way(&ofA, &ofB)) {
			return code
		}
	}
	if !apart {
		return 0
	}
	return b.nearest(s, q, normal, back, b.way(&ofA, &ofB))
}

// way is from the middle of A's features to that of B's.
func (b *brickPair) way(ofA, ofB *brickCorner) vec.Vec3 {
	way := b.t
	for k := range ofA {
		way = way.Add(b.w[k].Scale(ofB[k]).Sub(b.u[k].Scale(ofA[k])))
	}
	return way
}

// alone says whether all other facets of a pair that overlaps are deeper.
func (b *brickPair) alone(depth, length float64) bool {
	limit := depth + float64(b.unit*coldMargin) + (b.doubt+b.doubt)/length
	limit *= math.Abs(limit)
	rivals := 0
	for _, t := range b.tried {
		if t.depth < float64(limit*t.square) {
			rivals++
		}
	}
	return rivals == 1
}

// holdsFoot says whether the foot of a pair apart lies inside the facet that s and q span, well enough.
func (b *brickPair) holdsFoot(s, q, normal vec.Vec3, nn, gap float64, way vec.Vec3) bool {
	inset := b.inset(gap) * nn
	beyond := func(in, square float64) bool { return float64(in*math.Abs(in))-float64(inset*square) > 0 }
	return beyond(nn-math.Abs(way.Cross(q).Dot(normal)), q.Dot(q)) && beyond(nn-math.Abs(way.Cross(s).Dot(normal)), s.Dot(s))
}

// nearest returns the code of what is nearest on the rim of the facet, along either side beyond which its foot lies, or 0
// if that is not beyond doubt.
func (b *brickPair) nearest(s, q, normal vec.Vec3, back bool, way vec.Vec3) int {
	inS, inQ := way.Cross(q).Dot(normal), way.Cross(s).Dot(normal)
	if back {
		inS, inQ = -inS, -inQ
	}
	side := func(end float64, p0, p1 vec.Vec3) (rest vec.Vec3, rr, t float64) {
		rest = way.AddScaled(-end, p0)
		t = lesser(greater(rest.Dot(p1)/p1.Dot(p1), -1), 1)
		rest = rest.AddScaled(-t, p1)
		return rest, rest.Dot(rest), t
	}
	endS, endQ := -1.0, 1.0
	if inS > 0 {
		endS = 1
	}
	if inQ > 0 {
		endQ = -1
	}
	r, rr, t := side(endS, s, q)
	square := q.Dot(q)
	if r2, rr2, t2 := side(endQ, q, s); rr2 < rr {
		r, rr, t, square = r2, rr2, t2, s.Dot(s)
	}
	gap := math.Sqrt(rr)
	slack := float64(b.unit*coldMargin) * gap
	over, under, sum := b.along(r)
	ofA, ofB := highestOf(&over, &under, greater(b.room(gap, gap, rr), slack))
	in, foot, wanted := 1-math.Abs(t), 1.0, 0
	if in > 0 {
		foot, wanted = float64(in*in*square)-b.inset(gap), 1
	}
	if !(foot > 0) || ofA.free()+ofB.free() != wanted || !(r.Dot(b.t)-sum >= rr-float64(slack)) || !(gap > b.unit*coldApart) {
		return 0
	}
	return brickCode(&ofA, &ofB)
}
