package oracle

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// OverlapVolume is the intersection of two bodies. Each body is the intersection of the half-spaces of
// its faces, in a pose whose float64 numbers are taken as exact.
type OverlapVolume struct {
	a, b  []halfSpace
	faced [2][]bool // by half-space: contributed a face when At last tried all half-spaces
}

// NewOverlap places two shapes; B may be a plane.
func NewOverlap(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) *OverlapVolume {
	o := &OverlapVolume{}
	o.a = spaces(a, pa, pa.Pos)
	o.b = spaces(b, pb, pa.Pos)
	return o
}

// spaces returns the half-spaces of a posed shape, relative to origin.
func spaces(v *soa.View, p vec.Pose, origin vec.Vec3) []halfSpace {
	w, u := number(p.Rot.W), exactPoint{number(p.Rot.X), number(p.Rot.Y), number(p.Rot.Z)}
	at := pointOf(p.Pos).sub(pointOf(origin))
	place := func(x vec.Vec3) exactPoint { return turned(w, u, pointOf(x)).add(at) }
	if v.Kind.IsEndless() {
		return []halfSpace{through(place(vec.Vec3{}), place(vec.V(1, 0, 0)), place(vec.V(0, 1, 0)))}
	}
	var all []halfSpace
	for _, loop := range loops(v) {
		// Three corners that are far apart determine the plane of the face most accurately.
		n := len(loop)
		vert := func(k int) exactPoint { return place(v.Vert(soa.Vertex(loop[k%n]))) }
		all = append(all, through(vert(0), vert((n+1)/3), vert((2*n+1)/3)))
	}
	return all
}

// ExactMoments are the moments of an overlap. Variance is λ = (tr C⁻²)^(-1/2) of its covariance C.
type ExactMoments struct {
	Volume, Variance num
	Centroid         exactPoint // relative to the position of A in NewOverlap
}

// At returns the moments after a motion of A: a rotation with quaternion (1, half) about a point
// relative to the position of A in NewOverlap, then a translation by shift. It returns nil if the
// bodies share no volume.
//
// Each face of the overlap starts as a large triangle in a plane of a face, and is clipped by all
// other half-spaces. No adjacency of faces is used. Rounded numbers decide only if their error
// cannot change the result.
func (o *OverlapVolume) At(shift, half, about vec.Vec3) *ExactMoments {
	m := motion{pointOf(shift), pointOf(half), pointOf(about), half != vec.Vec3{}}
	// First try only the half-spaces that contributed a face in an earlier pose. If all corners of
	// the result lie inside the other half-spaces, the result is the overlap.
	if o.faced[0] != nil {
		faces, _ := facesOf([2][]halfSpace{m.moved(pick(o.a, o.faced[0], true)), pick(o.b, o.faced[1], true)})
		if len(faces) > 3 && insideAll(m.undone(faces), pick(o.a, o.faced[0], false)) && insideAll(faces, pick(o.b, o.faced[1], false)) {
			return moments(faces)
		}
	}
	faces, faced := facesOf([2][]halfSpace{m.moved(o.a), o.b})
	o.faced = faced
	return moments(faces)
}

// pick returns the half-spaces whose mark equals want.
func pick(all []halfSpace, marked []bool, want bool) (some []halfSpace) {
	for i, s := range all {
		if marked[i] == want {
			some = append(some, s)
		}
	}
	return some
}

// motion is a rotation with quaternion (1, half) about a point, followed by a translation.
type motion struct {
	shift, half, about exactPoint
	turns              bool
}

// moved returns the half-spaces after the motion.
func (m *motion) moved(all []halfSpace) (moved []halfSpace) {
	for _, s := range all {
		if !m.turns {
			moved = append(moved, s.shifted(m.shift))
			continue
		}
		var p [3]exactPoint
		for k, c := range s.corners {
			p[k] = turned(number(1), m.half, c.sub(m.about)).add(m.about).add(m.shift)
		}
		moved = append(moved, through(p[0], p[1], p[2]))
	}
	return moved
}

// undone returns the faces before the motion.
func (m *motion) undone(faces [][]corner) (before [][]corner) {
	for _, p := range faces {
		var q []corner
		for _, c := range p {
			x := c.at.sub(m.shift)
			if m.turns {
				x = turned(number(-1), m.half, x.sub(m.about)).add(m.about)
			}
			q = append(q, cornerOf(x))
		}
		before = append(before, q)
	}
	return before
}

// facesOf returns the faces of the overlap, and which half-spaces contribute one.
func facesOf(bodies [2][]halfSpace) (faces [][]corner, faced [2][]bool) {
	for side, own := range bodies {
		other := bodies[1-side]
		faced[side] = make([]bool, len(own))
		for i, s := range own {
			p := s.enlarged()
			// Clip by neighbours first, which leave only the face. Then clip by the half-spaces
			// that the face is farthest outside of. Few clippings then need exact arithmetic.
			for _, j := range sortedBy(own, func(t *halfSpace) float64 { return t.near.Dot(s.near) }) {
				if j != i {
					p = own[j].cut(p, false)
				}
			}
			mid := s.corners[0].rounded()
			for _, j := range sortedBy(other, func(t *halfSpace) float64 { return t.near.Dot(mid) - t.nearD }) {
				p = other[j].cut(p, side == 1 && same(s, other[j]))
			}
			if faced[side][i] = len(p) > 2; faced[side][i] {
				faces = append(faces, p)
			}
		}
	}
	return faces, faced
}

// sortedBy returns the indices of the half-spaces, largest key first.
func sortedBy(all []halfSpace, key func(*halfSpace) float64) []int {
	order, keys := make([]int, len(all)), make([]float64, len(all))
	for i := range all {
		order[i], keys[i] = i, key(&all[i])
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(keys[j], keys[i]) })
	return order
}

// insideAll reports whether rounded numbers prove that all faces lie strictly inside all
// half-spaces.
func insideAll(faces [][]corner, all []halfSpace) bool {
	for k := range all {
		for _, p := range faces {
			if inside, _ := all[k].side(p); !inside {
				return false
			}
		}
	}
	return true
}

// moments sums tetrahedra from the first corner of the first face. It returns nil if there is no
// volume.
func moments(faces [][]corner) *ExactMoments {
	if len(faces) < 4 {
		return nil
	}
	o := faces[0][0].at
	six := zero()
	first := exactPoint{zero(), zero(), zero()}
	var second [3][3]num
	for i := range 3 {
		second[i] = [3]num{zero(), zero(), zero()}
	}
	for _, p := range faces {
		for k := 2; k < len(p); k++ {
			x, y, z := p[0].at.sub(o), p[k-1].at.sub(o), p[k].at.sub(o)
			d, s := x.dot(y.cross(z)), x.add(y).add(z)
			six = plus(six, d)
			first = first.add(s.mul(d))
			for i := range 3 {
				for j := range 3 {
					sum := times(s[i], s[j])
					for _, c := range []exactPoint{x, y, z} {
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
	return &ExactMoments{Volume: over(six, number(6)), Variance: variance(cov), Centroid: c.add(o)}
}

// variance returns (tr C⁻²)^(-1/2), computed as the determinant over the norm of the cofactors.
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
	return over(det, new(big.Float).Sqrt(norm2))
}

// Slope returns the derivatives of λ with respect to the translation of A, and to its rotation
// about a point relative to its position. It uses central differences with the given step, m; the
// step of the angle is step/arm, with arm in m.
func (o *OverlapVolume) Slope(about vec.Vec3, step, arm float64) (gradient, turn vec.Vec3, ok bool) {
	diff := func(move func(sign float64) *ExactMoments, width float64) float64 {
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
		p = diff(func(s float64) *ExactMoments { return o.At(axis.Scale(s*step), vec.Vec3{}, about) }, 2*step)
		angle := step / arm
		t = diff(func(s float64) *ExactMoments { return o.At(vec.Vec3{}, axis.Scale(s*angle/2), about) }, 2*angle)
		return p, t
	}
	gradient.X, turn.X = slope(vec.V(1, 0, 0))
	gradient.Y, turn.Y = slope(vec.V(0, 1, 0))
	gradient.Z, turn.Z = slope(vec.V(0, 0, 1))
	return gradient, turn, ok
}

// Centre returns the centroid, rounded, relative to the position of A in NewOverlap.
func (m *ExactMoments) Centre() vec.Vec3 { return m.Centroid.rounded() }
