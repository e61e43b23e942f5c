package inside

import (
	"math/big"
	"math/rand/v2"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// The oracle computes places in rational numbers. It shares no code with the predicates.

type ratVec [3]*big.Rat

func rational(v vec.Vec3) ratVec {
	return ratVec{new(big.Rat).SetFloat64(v.X), new(big.Rat).SetFloat64(v.Y), new(big.Rat).SetFloat64(v.Z)}
}

func (a ratVec) sub(b ratVec) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Sub(a[k], b[k])
	}
	return c
}

func (a ratVec) add(b ratVec) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Add(a[k], b[k])
	}
	return c
}

func (a ratVec) scale(s *big.Rat) (c ratVec) {
	for k := range c {
		c[k] = new(big.Rat).Mul(a[k], s)
	}
	return c
}

func (a ratVec) dot(b ratVec) *big.Rat {
	sum := new(big.Rat)
	for k := range a {
		sum.Add(sum, new(big.Rat).Mul(a[k], b[k]))
	}
	return sum
}

func (a ratVec) cross(b ratVec) (c ratVec) {
	for k := range c {
		i, j := (k+1)%3, (k+2)%3
		c[k] = new(big.Rat).Sub(new(big.Rat).Mul(a[i], b[j]), new(big.Rat).Mul(a[j], b[i]))
	}
	return c
}

// barycentric returns the signs of the three areas into which a point divides a triangle. The point
// lies in the triangle's plane.
func barycentric(tri [3]ratVec, n, x ratVec) (signs [3]int) {
	for k := range 3 {
		a, b := tri[k], tri[(k+1)%3]
		signs[k] = b.sub(a).cross(x.sub(a)).dot(n).Sign()
	}
	return signs
}

// truth returns the place of a point, by the crossings of a half-line in a random direction of
// small whole numbers. A direction that meets an edge or runs in a plane is drawn again. Faces must
// be triangles.
func truth(m *geometry.Mesh, point vec.Vec3, rng *rand.Rand) Place {
	x := rational(point)
next:
	for {
		dir := ratVec{}
		for k := range dir {
			dir[k] = big.NewRat(rng.Int64N(20001)-10000, 1)
		}
		crossings := 0
		for _, f := range m.Faces {
			t := [3]ratVec{rational(m.Verts[f[0]]), rational(m.Verts[f[1]]), rational(m.Verts[f[2]])}
			n := t[1].sub(t[0]).cross(t[2].sub(t[0]))
			if n.dot(n).Sign() == 0 {
				continue
			}
			height := t[0].sub(x).dot(n)
			if height.Sign() == 0 {
				if s := barycentric(t, n, x); s[0] >= 0 && s[1] >= 0 && s[2] >= 0 {
					return On
				}
			}
			speed := dir.dot(n)
			if speed.Sign() == 0 {
				continue next
			}
			along := new(big.Rat).Quo(height, speed)
			if along.Sign() <= 0 {
				continue
			}
			s := barycentric(t, n, x.add(dir.scale(along)))
			if s[0] < 0 || s[1] < 0 || s[2] < 0 {
				continue
			}
			if s[0]*s[1]*s[2] == 0 {
				continue next
			}
			crossings++
		}
		return Place(crossings % 2)
	}
}
