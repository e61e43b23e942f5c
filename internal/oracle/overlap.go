package oracle

import (
	"math/big"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bits is the precision of an Overlap's arithmetic: five times that of float64, so that no cancellation in a thin overlap
// shows, nor in a difference quotient over 1e-10 of its depth.
const bits = 256

// num is a number of Overlap's arithmetic; spot a point or a vector.
type num = *big.Float

type spot [3]num

func number(x float64) num     { return new(big.Float).SetPrec(bits).SetFloat64(x) }
func zero() num                { return new(big.Float).SetPrec(bits) }
func plus(a, b num) num        { return zero().Add(a, b) }
func minus(a, b num) num       { return zero().Sub(a, b) }
func times(a, b num) num       { return zero().Mul(a, b) }
func over(a, b num) num        { return zero().Quo(a, b) }
func spotOf(v vec.Vec3) spot   { return spot{number(v.X), number(v.Y), number(v.Z)} }
func (a spot) add(b spot) spot { return spot{plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2])} }
func (a spot) sub(b spot) spot { return spot{minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])} }
func (a spot) mul(s num) spot  { return spot{times(a[0], s), times(a[1], s), times(a[2], s)} }
func (a spot) dot(b spot) num {
	return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))
}
func (a spot) cross(b spot) spot {
	return spot{
		minus(times(a[1], b[2]), times(a[2], b[1])),
		minus(times(a[2], b[0]), times(a[0], b[2])),
		minus(times(a[0], b[1]), times(a[1], b[0])),
	}
}

// halfSpace is all x with n·x ≤ d; corners are three points of its plane.
type halfSpace struct {
	n       spot
	d       num
	corners [3]spot
}

// turned returns q·v·q*/|q|² for the quaternion (w, u).
func turned(w num, u, v spot) spot {
	// v + 2 u×(u×v + w v)/|q|²
	inner := u.cross(v).add(v.mul(w))
	norm2 := plus(times(w, w), u.dot(u))
	return v.add(u.cross(inner).mul(over(number(2), norm2)))
}

// Overlap is the common part of two bodies, each the half-spaces of its faces in a pose taken as the exact numbers that
// it is given in.
type Overlap struct {
	a, b []halfSpace
}

// NewOverlap places two shapes; B may be a plane.
func NewOverlap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) *Overlap {
	o := &Overlap{}
	o.a = spaces(a, pa, pa.Pos)
	o.b = spaces(b, pb, pa.Pos)
	return o
}

// spaces returns the half-spaces of a posed shape, relative to origin.
func spaces(v *soa.View, p vec.Pose, origin vec.Vec3) []halfSpace {
	w, u := number(p.Rot.W), spot{number(p.Rot.X), number(p.Rot.Y), number(p.Rot.Z)}
	at := spotOf(p.Pos).sub(spotOf(origin))
	place := func(x vec.Vec3) spot { return turned(w, u, spotOf(x)).add(at) }
	if v.Kind == soa.Plane {
		return []halfSpace{through(place(vec.Vec3{}), place(vec.V(1, 0, 0)), place(vec.V(0, 1, 0)))}
	}
	var all []halfSpace
	for _, loop := range loops(v) {
		// Of the corners those three that are furthest apart say best where the face lies.
		n := len(loop)
		vert := func(k int) spot { return place(v.Vert(soa.Vertex(loop[k%n]))) }
		all = append(all, through(vert(0), vert((n+1)/3), vert((2*n+1)/3)))
	}
	return all
}

// through returns the half-space under the plane through three points, which are counter-clockwise from above.
func through(p, q, r spot) halfSpace {
	n := q.sub(p).cross(r.sub(p))
	length := zero().Sqrt(n.dot(n))
	n = n.mul(over(number(1), length))
	return halfSpace{n, n.dot(p), [3]spot{p, q, r}}
}

// Moments are those of an overlap, and λ = (tr C⁻²)^(-1/2) of its covariance C.
type Moments struct {
	Volume, Variance num
	Centroid         spot // relative to the position of A as placed
}

// At returns the moments after A has moved by shift and turned by the rotation whose quaternion is (1, half) about a
// point relative to its position as placed; nil where the bodies share no volume.
//
// Each face of the overlap is the triangle of a face's plane, far enough enlarged, cut by all other half-spaces; nothing
// knows how faces are joined.
func (o *Overlap) At(shift, half, about vec.Vec3) *Moments {
	var moved []halfSpace
	u, centre := spotOf(half), spotOf(about)
	for _, s := range o.a {
		var p [3]spot
		for k, c := range s.corners {
			p[k] = turned(number(1), u, c.sub(centre)).add(centre).add(spotOf(shift))
		}
		moved = append(moved, through(p[0], p[1], p[2]))
	}
	var faces [][]spot
	for side, own := range [2][]halfSpace{moved, o.b} {
		other := o.b
		if side == 1 {
			other = moved
		}
		for i, s := range own {
			p := s.enlarged()
			for _, t := range other {
				p = t.cut(p, side == 1 && same(s, t))
			}
			for j, t := range own {
				if j != i {
					p = t.cut(p, false)
				}
			}
			if len(p) > 2 {
				faces = append(faces, p)
			}
		}
	}
	return moments(faces)
}

// same says whether two half-spaces are one: then the face counts for A alone.
func same(s, t halfSpace) bool {
	return s.d.Cmp(t.d) == 0 && s.n[0].Cmp(t.n[0]) == 0 && s.n[1].Cmp(t.n[1]) == 0 && s.n[2].Cmp(t.n[2]) == 0
}

// enlarged returns a triangle of the plane, 2^20 times as large as that of its corners, about the first.
func (s *halfSpace) enlarged() []spot {
	far := number(0x1p20)
	mid := s.corners[0].add(s.corners[1]).add(s.corners[2]).mul(over(number(1), number(3)))
	var p []spot
	for _, c := range s.corners {
		p = append(p, mid.add(c.sub(mid).mul(far)))
	}
	return p
}

// cut returns what of a polygon lies in the half-space; nothing of it, if none is asked for.
func (s *halfSpace) cut(p []spot, none bool) []spot {
	if none || len(p) == 0 {
		return nil
	}
	heights := make([]num, len(p))
	for i, x := range p {
		heights[i] = minus(s.n.dot(x), s.d)
	}
	var inside []spot
	for i, x := range p {
		j := (i + 1) % len(p)
		if heights[i].Sign() <= 0 {
			inside = append(inside, x)
		}
		if heights[i].Sign() <= 0 != (heights[j].Sign() <= 0) {
			t := over(heights[i], minus(heights[i], heights[j]))
			inside = append(inside, x.add(p[j].sub(x).mul(t)))
		}
	}
	return inside
}

// moments sums tetrahedra from the first corner of the first face.
func moments(faces [][]spot) *Moments {
	if len(faces) < 4 {
		return nil
	}
	o := faces[0][0]
	six := zero()
	first := spot{zero(), zero(), zero()}
	var second [3][3]num
	for i := range 3 {
		second[i] = [3]num{zero(), zero(), zero()}
	}
	for _, p := range faces {
		for k := 2; k < len(p); k++ {
			x, y, z := p[0].sub(o), p[k-1].sub(o), p[k].sub(o)
			d, s := x.dot(y.cross(z)), x.add(y).add(z)
			six = plus(six, d)
			first = first.add(s.mul(d))
			for i := range 3 {
				for j := range 3 {
					sum := times(s[i], s[j])
					for _, c := range []spot{x, y, z} {
						sum = plus(sum, times(c[i], c[j]))
					}
					second[i][j] = plus(second[i][j], times(d, sum))
				}
			}
		}
	}
	if six.Sign() <= 0 {
		return nil
	}
	c := first.mul(over(number(0.25), six))
	scale := over(over(number(1), number(20)), six)
	var cov [3][3]num
	for i := range 3 {
		for j := range 3 {
			cov[i][j] = minus(times(second[i][j], scale), times(c[i], c[j]))
		}
	}
	return &Moments{Volume: over(six, number(6)), Variance: variance(cov), Centroid: c.add(o)}
}

// variance returns (tr C⁻²)^(-1/2): the determinant over the norm of the cofactors.
func variance(c [3][3]num) num {
	var cofactor [3][3]num
	norm2 := zero()
	for i := range 3 {
		for j := range 3 {
			i1, i2, j1, j2 := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
			cofactor[i][j] = minus(times(c[i1][j1], c[i2][j2]), times(c[i1][j2], c[i2][j1]))
			norm2 = plus(norm2, times(cofactor[i][j], cofactor[i][j]))
		}
	}
	det := plus(plus(times(c[0][0], cofactor[0][0]), times(c[0][1], cofactor[0][1])), times(c[0][2], cofactor[0][2]))
	return over(det, zero().Sqrt(norm2))
}

// Slope returns how λ changes with A's shift and with its turn about a point relative to its position, by differences
// over the given step, m, and the step over arm, m, of angle.
func (o *Overlap) Slope(about vec.Vec3, step, arm float64) (push, turn vec.Vec3, ok bool) {
	diff := func(move func(sign float64) *Moments, width float64) float64 {
		lo, hi := move(-1), move(1)
		if lo == nil || hi == nil {
			ok = false
			return 0
		}
		d, _ := over(minus(hi.Variance, lo.Variance), number(width)).Float64()
		return d
	}
	ok = true
	slope := func(axis vec.Vec3) (p, t float64) {
		p = diff(func(s float64) *Moments { return o.At(axis.Scale(s*step), vec.Vec3{}, about) }, 2*step)
		angle := step / arm
		t = diff(func(s float64) *Moments { return o.At(vec.Vec3{}, axis.Scale(s*angle/2), about) }, 2*angle)
		return p, t
	}
	push.X, turn.X = slope(vec.V(1, 0, 0))
	push.Y, turn.Y = slope(vec.V(0, 1, 0))
	push.Z, turn.Z = slope(vec.V(0, 0, 1))
	return push, turn, ok
}
