package geometry

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// ringPoint is a corner of a polygon in a plane.
type ringPoint struct{ x, y float64 }

// faceOf is a mesh of one face, rotated and translated.
func faceOf(ring []ringPoint, q vec.Quat, by vec.Vec3) *Mesh {
	m := &Mesh{Name: "polygon", Faces: [][]int{nil}}
	for k, p := range ring {
		m.Verts = append(m.Verts, q.Rotate(vec.V(p.x, p.y, 0)).Add(by))
		m.Faces[0] = append(m.Faces[0], k)
	}
	return m
}

// cutMesh cuts the only face of a mesh. Of equal vertices it uses the first.
func cutMesh(m *Mesh) (triangles [][3]int, looks int, err error) {
	c := faceCutter{verts: m.Verts}
	var vertex []int
	for _, k := range m.Faces[0] {
		vertex = append(vertex, slices.Index(m.Verts, m.Verts[k]))
	}
	triangles, err = c.cut(vertex, m.Faces[0])
	return triangles, c.compared + c.ears.Compared, err
}

// rat is an exact point of a plane.
type rat struct{ x, y *big.Rat }

func exactly(p ringPoint) rat { return rat{new(big.Rat).SetFloat64(p.x), new(big.Rat).SetFloat64(p.y)} }

// twiceRat returns twice the area of a polygon.
func twiceRat(p []rat) *big.Rat {
	sum := new(big.Rat)
	for k, a := range p {
		b := p[(k+1)%len(p)]
		sum.Add(sum, new(big.Rat).Sub(new(big.Rat).Mul(a.x, b.y), new(big.Rat).Mul(b.x, a.y)))
	}
	return sum
}

// winding returns how often a polygon goes around a point, and whether the point is on one of its
// sides.
func winding(p []rat, at rat) (turns int, on bool) {
	for k, a := range p {
		b := p[(k+1)%len(p)]
		side := twiceRat([]rat{a, b, at}).Sign()
		if side == 0 && new(big.Rat).Mul(new(big.Rat).Sub(a.x, at.x), new(big.Rat).Sub(b.x, at.x)).Sign() <= 0 &&
			new(big.Rat).Mul(new(big.Rat).Sub(a.y, at.y), new(big.Rat).Sub(b.y, at.y)).Sign() <= 0 {
			return 0, true
		}
		switch above := b.y.Cmp(at.y) > 0; {
		case a.y.Cmp(at.y) <= 0 && above && side > 0:
			turns++
		case a.y.Cmp(at.y) > 0 && !above && side < 0:
			turns--
		}
	}
	return turns, false
}

// isSimple reports whether the sides of a polygon meet only in corners. It compares each pair
// exactly.
func isSimple(p []rat) bool {
	n := len(p)
	on := func(a, b, v rat) bool {
		_, on := winding([]rat{a, b}, v)
		return on
	}
	for i := range n {
		a, b := p[i], p[(i+1)%n]
		for j := i + 1; j < n; j++ {
			c, d := p[j], p[(j+1)%n]
			switch {
			case j == i+1 && on(a, b, d) || j == i+1 && on(c, d, a):
				return false
			case (j+1)%n == i && (on(a, b, c) || on(c, d, b)):
				return false
			case j == i+1 || (j+1)%n == i:
				continue
			}
			s := func(a, b, c rat) int { return twiceRat([]rat{a, b, c}).Sign() }
			if s(a, b, c)*s(a, b, d) < 0 && s(c, d, a)*s(c, d, b) < 0 || on(a, b, c) || on(a, b, d) || on(c, d, a) || on(c, d, b) {
				return false
			}
		}
	}
	return true
}

// checkTriangles fails unless the triangles have the polygon's orientation and exactly its area,
// and cover random points as often as the polygon goes around them: never or once.
func checkTriangles(t testing.TB, ring []ringPoint, triangles [][3]int, r *rand.Rand, points int) {
	t.Helper()
	var whole []rat
	box := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range ring {
		whole = append(whole, exactly(p))
		box = [4]float64{min(box[0], p.x), min(box[1], p.y), max(box[2], p.x), max(box[3], p.y)}
	}
	way := twiceRat(whole).Sign()
	var parts [][]rat
	sum := new(big.Rat)
	for _, tri := range triangles {
		part := []rat{whole[tri[0]], whole[tri[1]], whole[tri[2]]}
		twice := twiceRat(part)
		if size, _ := twice.Float64(); twice.Sign() == -way && math.Abs(size) > 1e-12 {
			t.Fatalf("triangle %v turns the other way", tri)
		}
		sum.Add(sum, twice)
		parts = append(parts, part)
	}
	if sum.Cmp(twiceRat(whole)) != 0 {
		t.Fatalf("triangles of area %v, expected %v", sum, twiceRat(whole))
	}
	for range points {
		p := exactly(ringPoint{box[0] + r.Float64()*(box[2]-box[0]), box[1] + r.Float64()*(box[3]-box[1])})
		want, on := winding(whole, p)
		got := 0
		for _, part := range parts {
			turns, onSide := winding(part, p)
			got, on = got+turns, on || onSide
		}
		if want*way != 0 && want*way != 1 {
			t.Fatalf("the polygon goes around a point %d times and was taken", want)
		}
		if got != want && !on {
			t.Fatalf("a point lies in %d triangles, and %d times in the polygon", got, want)
		}
	}
}

// combRing has teeth with gaps between them. starRing has spikes around a centre. spiralRing has an
// arm that winds inwards.
func combRing(teeth int) []ringPoint {
	ring := []ringPoint{{0, -1}}
	ring = append(ring, ringPoint{float64(2*teeth - 1), -1})
	for k := teeth - 1; k >= 0; k-- {
		x := float64(2 * k)
		if k < teeth-1 {
			ring = append(ring, ringPoint{x + 1, 0})
		}
		ring = append(ring, ringPoint{x + 1, 5}, ringPoint{x, 5})
		if k > 0 {
			ring = append(ring, ringPoint{x, 0})
		}
	}
	return ring
}

func starRing(spikes int) []ringPoint {
	var ring []ringPoint
	for k := range 2 * spikes {
		s, c := vec.Sincos(math.Pi * float64(k) / float64(spikes))
		radius := 1 - 0.9*float64(k%2)
		ring = append(ring, ringPoint{radius * c, radius * s})
	}
	return ring
}

func spiralRing(corners int) []ringPoint {
	var out, in []ringPoint
	for k := range corners / 2 {
		s, c := vec.Sincos(0.3 * float64(k))
		radius := 2 + 0.1*float64(k)
		out, in = append(out, ringPoint{(radius + 1) * c, (radius + 1) * s}), append(in, ringPoint{radius * c, radius * s})
	}
	slices.Reverse(in)
	return append(out, in...)
}

var letterL = []ringPoint{{2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0, 0}}

// untangled returns random points of a lattice, ordered so that their polygon is simple. If two
// sides cross, the points between them are reversed.
func untangled(r *rand.Rand, n, width int) ([]ringPoint, bool) {
	var ring []ringPoint
	for len(ring) < n {
		p := ringPoint{float64(r.IntN(width)), float64(r.IntN(width))}
		if !slices.Contains(ring, p) {
			ring = append(ring, p)
		}
	}
	turn := func(a, b, c ringPoint) int { return vec.Orient2D(a.x, a.y, b.x, b.y, c.x, c.y) }
	for range 200 {
		crossed := false
		for i := range n {
			for j := i + 2; j < n; j++ {
				a, b, c, d := ring[i], ring[i+1], ring[j], ring[(j+1)%n]
				if (j+1)%n != i && turn(a, b, c)*turn(a, b, d) < 0 && turn(c, d, a)*turn(c, d, b) < 0 {
					slices.Reverse(ring[i+1 : j+1])
					crossed = true
				}
			}
		}
		if !crossed {
			break
		}
	}
	var p []rat
	for _, q := range ring {
		p = append(p, exactly(q))
	}
	return ring, isSimple(p)
}
