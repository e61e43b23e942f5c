package geometry

import (
	"math"

	"github.com/scree-dem/scree/vec"
)

// Rand is a stream of random numbers that is the same on every machine and in every release. The
// generator is splitmix64 (Steele, Lea & Flood 2014): a mixing function of a 64-bit counter, with
// period 2⁶⁴. The zero value is the stream of seed 0. Streams of different seeds are independent
// enough for packing shapes.
type Rand struct{ state uint64 }

// NewRand returns the stream of a seed.
func NewRand(seed uint64) *Rand { return &Rand{seed} }

// Uint64 returns the next 64 bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Float64 returns a random multiple of 2⁻⁵³, uniform in [0, 1).
func (r *Rand) Float64() float64 { return float64(float64(r.Uint64()>>11) * 0x1p-53) }

// Range returns a random number, uniform between lo and hi.
func (r *Rand) Range(lo, hi float64) float64 { return lo + float64((hi-lo)*r.Float64()) }

// Unit returns a random direction, uniform on the sphere. By Archimedes' theorem its height is
// uniform.
func (r *Rand) Unit() vec.Vec3 {
	z := r.Range(-1, 1)
	s, c := vec.Sincos(2 * math.Pi * r.Float64())
	rho := math.Sqrt(max(0, 1-float64(z*z)))
	return vec.V(float64(rho*c), float64(rho*s), z).Unit()
}

// Rotation returns a random rotation, uniform over all rotations (Shoemake 1992).
func (r *Rand) Rotation() vec.Quat {
	u := r.Float64()
	s1, c1 := vec.Sincos(2 * math.Pi * r.Float64())
	s2, c2 := vec.Sincos(2 * math.Pi * r.Float64())
	a, b := math.Sqrt(1-u), math.Sqrt(u)
	return vec.Quat{W: float64(b * c2), X: float64(a * s1), Y: float64(a * c1), Z: float64(b * s2)}.Normalized()
}
