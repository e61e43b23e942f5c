package ray

import (
	"math"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/inside/internal/tri"
	"github.com/scree-dem/scree/vec"
)

const (
	// batch is how many rays are tested against a block of faces before the next block.
	batch = 64
	// block is how many faces stay in the first-level cache during a batch: 24 KiB.
	block = 512
	// maxRays is the largest number of rays for one point. Each ray is longer and finer in
	// direction than the previous one. So a second ray is rare, and a tenth occurs only for a
	// surface of a few representable numbers.
	maxRays = 256
)

// Caster locates points relative to a surface. It is safe for concurrent use.
type Caster struct {
	surface *tri.Surface
	seed    uint64
	box     vec.Box
	reach   float64 // m, length of a point's first ray: more than the box's diagonal
	// Of each face: the center of its box, and half its sides, enlarged for rounding, m.
	x, y, z    []float64
	hx, hy, hz []float64
}

// New prepares the boxes of the faces. seed selects the directions; results do not depend on it.
func New(s *tri.Surface, seed uint64) *Caster {
	n := len(s.Tris)
	c := &Caster{surface: s, seed: seed, box: s.Box()}
	size := c.box.Size()
	c.reach = 2 * (size.X + size.Y + size.Z) // A norm would underflow for tiny sides.
	memory := make([]float64, 6*n)
	for i, column := range []*[]float64{&c.x, &c.y, &c.z, &c.hx, &c.hy, &c.hz} {
		*column = memory[i*n : (i+1)*n : (i+1)*n]
	}
	for t := range s.Tris {
		p, q, r := s.Corners(t)
		c.x[t], c.hx[t] = middle(min(p.X, q.X, r.X), max(p.X, q.X, r.X))
		c.y[t], c.hy[t] = middle(min(p.Y, q.Y, r.Y), max(p.Y, q.Y, r.Y))
		c.z[t], c.hz[t] = middle(min(p.Z, q.Z, r.Z), max(p.Z, q.Z, r.Z))
	}
	return c
}

// middle returns the middle of an interval, and half its length enlarged by the rounding error of
// the box test.
func middle(lo, hi float64) (at, half float64) {
	at = float64(0.5*lo) + float64(0.5*hi)
	return at, max(hi-at, at-lo) * (1 + halfRounding)
}

// Range locates points. It stores in places where they lie and, if values is not nil, in values 1
// for inside, 0 for outside, and 0.5 for points on the surface. If maxRays rays each met an edge or
// a vertex, the value is NaN and the place is On.
func (c *Caster) Range(points []vec.Vec3, places []tri.Place, values []float64) {
	var list [batch]ray
	var answers [batch]float64
	for len(points) > 0 {
		n := min(batch, len(points))
		c.locate(points[:n], answers[:n], &list)
		for i, v := range answers[:n] {
			places[i] = tri.ByValue(v, v != 0 && v != 1)
		}
		if values != nil {
			copy(values, answers[:n])
			values = values[n:]
		}
		points, places = points[n:], places[n:]
	}
}

// Bytes returns the memory of the boxes and of the surface.
func (c *Caster) Bytes() int {
	return 8*6*len(c.x) + 24*len(c.surface.Verts) + 12*len(c.surface.Tris)
}

// locate locates a batch, and returns how many rays it cast.
func (c *Caster) locate(points []vec.Vec3, values []float64, list *[batch]ray) (rays int) {
	n := 0
	for i, p := range points {
		values[i] = 0
		if !c.box.Holds(p) {
			continue // The surface lies in its box.
		}
		// The rays of a point depend on nothing but the point and the seed.
		list[n] = ray{point: i, from: p, random: *geometry.NewRand(c.seed ^ tri.Hash(p))}
		n++
	}
	for tried := 0; n > 0; tried++ {
		rays += n
		for i := range n {
			c.aim(&list[i], math.Ldexp(c.reach, tried))
		}
		c.cast(list[:n])
		left := 0
		for i := range n {
			switch r := &list[i]; {
			case r.state == onSurface:
				values[r.point] = 0.5
			case r.state == crossing && r.number != 0:
				values[r.point] = 1
			case r.state == crossing:
			case tried+1 == maxRays:
				values[r.point] = math.NaN()
			default:
				list[left] = *r
				left++
			}
		}
		n = left
	}
	return rays
}

// state is the state of a ray.
type state uint8

const (
	crossing   state = iota
	onSurface        // its point lies on a face
	degenerate       // the ray meets an edge or a vertex, or runs along a face; it is not counted
)

// ray is the segment from a point to an end outside the box.
type ray struct {
	point     int
	from, to  vec.Vec3
	direction vec.Vec3 // to - from as computed, over a power of two: up to 1 along each axis
	size      vec.Vec3 // absolute values of direction
	number    int      // crossings so far, exits minus entries: at the end, the winding number
	state     state
	random    geometry.Rand
}

// aim gives the ray a new random direction and a length of about reach. Within the bounds of
// tri.FromMesh, no sum of a coordinate and reach overflows for the first hundred rays. The length
// of later rays is limited to maxReach.
func (c *Caster) aim(r *ray, reach float64) {
	r.number, r.state = 0, crossing
	r.to = r.from.Add(r.random.Unit().Scale(min(reach, maxReach)))
	if c.box.Holds(r.to) {
		r.state = degenerate // Rounding has made it too short.
	}
	r.head()
}

// head computes the scaled direction of the ray.
func (r *ray) head() {
	way := r.to.Sub(r.from)
	_, exponent := math.Frexp(way.MaxAbs())
	r.direction = vec.V(math.Ldexp(way.X, -exponent), math.Ldexp(way.Y, -exponent), math.Ldexp(way.Z, -exponent))
	r.size = r.direction.Abs()
}

// maxReach, m, exceeds what a surface within the bounds of tri.FromMesh needs. Its products are in
// range.
// Larger: products overflow.
const maxReach = 1e152

// cast tests the rays against all faces, block by block.
func (c *Caster) cast(rays []ray) {
	for lo := 0; lo < len(c.x); lo += block {
		hi := min(lo+block, len(c.x))
		for i := range rays {
			if rays[i].state == crossing {
				c.through(&rays[i], lo, hi)
			}
		}
	}
}

// cullBound allows for rounding in the box test; ε = 2⁻⁵³. A product of direction and a difference has
// the relative error 3ε, and the difference of two such products adds ε: 4ε in all, doubled.
// Smaller: a crossing is missed. Larger: more exact tests.
const cullBound = 8 * 0x1p-53

// halfRounding allows for errors of half sides of 2ε. Their products with direction, and the sum, have an
// error of 4ε more. The value doubles that.
// Smaller: a crossing is missed. Larger: more exact tests.
const halfRounding = 16 * 0x1p-53

// underflow exceeds the error of products that underflow: four times 2⁻¹⁰⁷⁵.
// Smaller: a crossing near zero is missed.
const underflow = 0x1p-1070

// through tests the ray against the faces from lo to hi, and counts the crossings. It skips faces
// whose box the ray misses, by separating axes: the three axes and their products with the ray. No
// face that the segment meets is skipped.
func (c *Caster) through(r *ray, lo, hi int) {
	x, y, z := c.x[lo:hi], c.y[lo:hi], c.z[lo:hi]
	hx, hy, hz := c.hx[lo:hi], c.hy[lo:hi], c.hz[lo:hi]
	p, d, a := r.from, r.direction, r.size
	s := vec.V(math.Copysign(1, d.X), math.Copysign(1, d.Y), math.Copysign(1, d.Z))
	for f := range x {
		qx, qy, qz := x[f]-p.X, y[f]-p.Y, z[f]-p.Z
		kx, ky, kz := hx[f], hy[f], hz[f]
		// The box lies behind the point along an axis.
		if float64(qx*s.X) < -kx || float64(qy*s.Y) < -ky || float64(qz*s.Z) < -kz {
			continue
		}
		xy, yx := float64(d.X*qy), float64(d.Y*qx)
		if math.Abs(xy-yx) > float64(a.X*ky)+float64(a.Y*kx)+float64(cullBound*(math.Abs(xy)+math.Abs(yx)))+underflow {
			continue
		}
		yz, zy := float64(d.Y*qz), float64(d.Z*qy)
		if math.Abs(yz-zy) > float64(a.Y*kz)+float64(a.Z*ky)+float64(cullBound*(math.Abs(yz)+math.Abs(zy)))+underflow {
			continue
		}
		zx, xz := float64(d.Z*qx), float64(d.X*qz)
		if math.Abs(zx-xz) > float64(a.Z*kx)+float64(a.X*kz)+float64(cullBound*(math.Abs(zx)+math.Abs(xz)))+underflow {
			continue
		}
		if c.face(r, lo+f); r.state != crossing {
			return
		}
	}
}
