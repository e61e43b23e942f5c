package oracle

import (
	"math"
	"math/big"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// point is an exact vector. All points of one ExactGap have the same denominator, so integers
// suffice.
type point [3]*big.Int

// ExactGap returns the signed gap of two posed shapes. It takes the float64 vertices, positions and
// quaternions as exact numbers. A quaternion q rotates by v ↦ q·v·q*/|q|², which is exactly
// orthogonal for any length of q. A comparison with ExactGap therefore shows the cost of a rounded
// rotation.
//
// It tries the directions of Gap, and also all triangles and diagonals of every face. In exact
// arithmetic a face with four vertices is not planar, and the facets and edges of its hull are
// among these. It compares h_K(n)/|n| exactly, as signed squares over the squared length of n. Only
// the square root of the best value is rounded, from 200 bits to float64. Directions whose rounded
// value is far above the lowest are not compared exactly; see sieve. Cost, for small bodies: E²
// products of some thousand bits, where E counts edges and diagonals; some ms for two boxes. For a
// quaternion of length 0, a position that is not finite, or a ball, the result is NaN.
func ExactGap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) float64 {
	if a.NVerts == 0 || b.NVerts == 0 || !finite(pa) || !finite(pb) {
		return math.NaN()
	}
	e := newExact(a, pa, b, pb)
	e.facets()
	e.settle()
	if e.num.Sign() < 0 {
		e.corners()
		e.settle()
	}
	return e.gap()
}

func finite(p vec.Pose) bool { return p.Pos.Finite() && p.Rot.Finite() && p.Rot.Norm() > 0 }

// exact holds two bodies as integers in units of 1/denominator, and the best direction so far.
// num/den is the signed square of h_K/|n| for this direction, times the squared denominator.
type exact struct {
	a, b           []point
	edgesA, edgesB [][2]int
	facesA, facesB [][]int
	denominator    *big.Rat
	num, den       *big.Int

	// Data for the sieve of try: the points relative to the first point of A, rounded and scaled so
	// that the largest component is 1 to 2, and the directions that are still to be compared.
	roundA, roundB []vec.Vec3
	directions     []point
	heights        []float64
}

// sieve is the margin above the lowest rounded height, in units of the rounded points, within which
// a direction is compared exactly. Directions and points are rounded by 2^-53 of the largest
// component. A height is at most 8, so it is accurate to 2^-46.
const sieve = 0x1p-40

// newExact scales all numbers by powers of two to integers, rotates both bodies, and expresses them
// with the common denominator |qa|²·|qb|².
func newExact(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) *exact {
	coords := []float64{pa.Pos.X, pa.Pos.Y, pa.Pos.Z, pb.Pos.X, pb.Pos.Y, pb.Pos.Z}
	for _, v := range []*soa.View{a, b} {
		coords = append(coords, v.X[:v.NVerts]...)
		coords = append(coords, v.Y[:v.NVerts]...)
		coords = append(coords, v.Z[:v.NVerts]...)
	}
	shift := lowestBit(coords)
	qa, qb := integerQuat(pa.Rot), integerQuat(pb.Rot)
	na, nb := qa.norm2(), qb.norm2()
	e := &exact{
		a: placed(a, qa, na, nb, pa.Pos, shift), b: placed(b, qb, nb, na, pb.Pos, shift),
		facesA: loops(a), facesB: loops(b),
	}
	e.edgesA, e.edgesB = chords(e.facesA), chords(e.facesB)
	var relative []point
	for _, p := range append(slices.Clone(e.a), e.b...) {
		relative = append(relative, p.sub(e.a[0]))
	}
	round := rounded(relative)
	e.roundA, e.roundB = round[:len(e.a)], round[len(e.a):]
	e.denominator = new(big.Rat).SetInt(new(big.Int).Mul(na, nb))
	two := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(shift, -shift))))
	if shift < 0 {
		two.Inv(two)
	}
	e.denominator.Quo(e.denominator, two) // The unit of the integers is 2^shift m.
	return e
}

// lowestBit returns a k such that every value is an integer times 2^k: the lowest exponent minus
// 53.
func lowestBit(values []float64) int {
	low := math.MaxInt
	for _, x := range values {
		if x == 0 {
			continue
		}
		_, exp := math.Frexp(x)
		low = min(low, exp-53)
	}
	if low == math.MaxInt {
		return 0
	}
	return low
}

// integer returns x·2^-k, which must be an integer.
func integer(x float64, k int) *big.Int {
	if x == 0 {
		return new(big.Int)
	}
	m, exp := math.Frexp(x)
	i := big.NewInt(int64(math.Ldexp(m, 53)))
	return i.Lsh(i, uint(exp-53-k))
}

type quat [4]*big.Int

func integerQuat(q vec.Quat) quat {
	k := lowestBit([]float64{q.W, q.X, q.Y, q.Z})
	return quat{integer(q.W, k), integer(q.X, k), integer(q.Y, k), integer(q.Z, k)}
}

func (q quat) norm2() *big.Int {
	return sum(mul(q[0], q[0]), mul(q[1], q[1]), mul(q[2], q[2]), mul(q[3], q[3]))
}

// placed returns the vertices rotated by q with |q|² = own and translated by at, times own·other:
// (q·v·q*)·other + at·own·other.
func placed(v *soa.View, q quat, own, other *big.Int, at vec.Vec3, shift int) []point {
	pos := point{integer(at.X, shift), integer(at.Y, shift), integer(at.Z, shift)}.scale(mul(own, other))
	points := make([]point, v.NVerts)
	w, u := q[0], point{q[1], q[2], q[3]}
	for k := range points {
		x := point{integer(v.X[k], shift), integer(v.Y[k], shift), integer(v.Z[k], shift)}
		// q·x·q* = (w² - u²)x + 2(u·x)u + 2w(u×x).
		turned := x.scale(new(big.Int).Sub(mul(w, w), u.dot(u))).
			add(u.scale(twice(u.dot(x)))).
			add(u.cross(x).scale(twice(w)))
		points[k] = turned.scale(other).add(pos)
	}
	return points
}

// chords returns every pair of vertices that share a face, once.
func chords(faces [][]int) [][2]int {
	var pairs [][2]int
	seen := map[[2]int]bool{}
	for _, loop := range faces {
		for i := range loop {
			for j := range i {
				p := [2]int{min(loop[i], loop[j]), max(loop[i], loop[j])}
				if !seen[p] {
					seen[p] = true
					pairs = append(pairs, p)
				}
			}
		}
	}
	return pairs
}

// try stores n with its rounded height. Most directions are far above the lowest and need no exact
// comparison.
func (e *exact) try(n point) {
	if n[0].Sign() == 0 && n[1].Sign() == 0 && n[2].Sign() == 0 {
		return
	}
	f := rounded([]point{n})[0].Unit()
	h := ConvexBody{Verts: e.roundA}.Support(f) + ConvexBody{Verts: e.roundB}.Support(f.Neg())
	e.directions, e.heights = append(e.directions, n), append(e.heights, h)
}

// settle compares the directions that pass the sieve exactly, and keeps the lowest h_K(n)/|n|,
// where h_K(n) = h_A(n) + h_B(-n).
func (e *exact) settle() {
	least := slices.Min(e.heights)
	for i, n := range e.directions {
		if e.heights[i] > least+sieve {
			continue
		}
		h, length2 := sum(highest(e.a, n), highest(e.b, n.neg())), n.dot(n)
		signed := mul(h, new(big.Int).Abs(h))
		if e.num == nil || mul(signed, e.den).Cmp(mul(e.num, length2)) < 0 {
			e.num, e.den = signed, length2
		}
	}
	e.directions, e.heights = e.directions[:0], e.heights[:0]
}

// rounded returns the points as float64, times a power of two that makes the largest component 1 to
// 2. The bits below 2^-100 of that are truncated first, which is far less than the rounding error.
func rounded(points []point) []vec.Vec3 {
	bits := 0
	for _, p := range points {
		bits = max(bits, p[0].BitLen(), p[1].BitLen(), p[2].BitLen())
	}
	keep := min(bits, 100)
	one := func(i *big.Int) float64 {
		f, _ := new(big.Int).Rsh(i, uint(bits-keep)).Float64()
		return math.Ldexp(f, 1-keep)
	}
	out := make([]vec.Vec3, len(points))
	for k, p := range points {
		out[k] = vec.V(one(p[0]), one(p[1]), one(p[2]))
	}
	return out
}

func (e *exact) tryBoth(n point) {
	e.try(n)
	e.try(n.neg())
}

func (e *exact) facets() {
	for _, side := range []struct {
		points []point
		faces  [][]int
	}{{e.a, e.facesA}, {e.b, e.facesB}} {
		for _, loop := range side.faces {
			for k := range loop {
				for j := range k {
					for i := range j {
						p, q, r := side.points[loop[i]], side.points[loop[j]], side.points[loop[k]]
						e.tryBoth(q.sub(p).cross(r.sub(p)))
					}
				}
			}
		}
	}
	for _, c := range e.edgesA {
		d := e.a[c[1]].sub(e.a[c[0]])
		for _, f := range e.edgesB {
			e.tryBoth(d.cross(e.b[f[1]].sub(e.b[f[0]])))
		}
	}
}

func (e *exact) corners() {
	for _, p := range e.a {
		for _, q := range e.b {
			e.try(q.sub(p))
		}
	}
	for _, c := range e.edgesA {
		for _, q := range e.b {
			e.try(q.squareTo(e.a[c[0]], e.a[c[1]]))
		}
	}
	for _, c := range e.edgesB {
		for _, p := range e.a {
			e.try(p.squareTo(e.b[c[0]], e.b[c[1]]).neg())
		}
	}
}

// gap returns -h_K/|n|, m.
func (e *exact) gap() float64 {
	const bits = 200
	square := new(big.Rat).SetFrac(new(big.Int).Abs(e.num), e.den)
	square.Quo(square, new(big.Rat).Mul(e.denominator, e.denominator))
	root := new(big.Float).SetPrec(bits).SetRat(square)
	root.Sqrt(root)
	g, _ := root.Float64()
	if e.num.Sign() > 0 {
		return -g
	}
	return g
}

func mul(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func twice(a *big.Int) *big.Int { return new(big.Int).Lsh(a, 1) }

func sum(terms ...*big.Int) *big.Int {
	s := new(big.Int)
	for _, t := range terms {
		s.Add(s, t)
	}
	return s
}

func (p point) dot(q point) *big.Int { return sum(mul(p[0], q[0]), mul(p[1], q[1]), mul(p[2], q[2])) }

func (p point) add(q point) point {
	return point{sum(p[0], q[0]), sum(p[1], q[1]), sum(p[2], q[2])}
}

func (p point) neg() point {
	return point{new(big.Int).Neg(p[0]), new(big.Int).Neg(p[1]), new(big.Int).Neg(p[2])}
}

func (p point) sub(q point) point { return p.add(q.neg()) }

func (p point) scale(s *big.Int) point { return point{mul(p[0], s), mul(p[1], s), mul(p[2], s)} }

func (p point) cross(q point) point {
	return point{
		new(big.Int).Sub(mul(p[1], q[2]), mul(p[2], q[1])),
		new(big.Int).Sub(mul(p[2], q[0]), mul(p[0], q[2])),
		new(big.Int).Sub(mul(p[0], q[1]), mul(p[1], q[0])),
	}
}

// squareTo returns |d|² times the part of p-q0 perpendicular to d = q1-q0.
func (p point) squareTo(q0, q1 point) point {
	d, w := q1.sub(q0), p.sub(q0)
	return w.scale(d.dot(d)).sub(d.scale(w.dot(d)))
}

func highest(points []point, n point) *big.Int {
	best := n.dot(points[0])
	for _, p := range points[1:] {
		if h := n.dot(p); h.Cmp(best) > 0 {
			best = h
		}
	}
	return best
}
