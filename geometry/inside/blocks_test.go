package inside

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/vec"
)

// blocks is a set of unit cubes of a 4×4×4 lattice, one bit each. Its surface is closed; it is
// coplanar in many places and touches itself along edges and at corners. The place of a point of
// the lattice of half units follows from the cubes around it, without arithmetic.
type blocks uint64

func (s blocks) has(x, y, z int) bool {
	return x|y|z >= 0 && max(x, y, z) < 4 && s>>(x|y<<2|z<<4)&1 == 1
}

// around returns how many of the eight octants about the point (x, y, z)/2 lie in cubes of the set.
func (s blocks) around(x, y, z int) (n int) {
	for k := range 8 {
		// The octant's cube contains the point moved by a quarter of a half.
		side := func(v, bit int) int {
			if k>>bit&1 == 1 {
				return v >> 1
			}
			return (v - 1) >> 1
		}
		if s.has(side(x, 0), side(y, 1), side(z, 2)) {
			n++
		}
	}
	return n
}

// mesh returns the surface. Each square is one face, or two or four triangles. at maps a point of
// the lattice of half units.
func (s blocks) mesh(at func(x, y, z int) vec.Vec3, cut int) *geometry.Mesh {
	m := &geometry.Mesh{Name: "blocks"}
	add := func(corners ...[3]int) {
		var f []int
		for _, c := range corners {
			f = append(f, len(m.Verts))
			m.Verts = append(m.Verts, at(c[0], c[1], c[2]))
		}
		m.Faces = append(m.Faces, f)
	}
	for i := range 64 {
		x := [3]int{i & 3, i >> 2 & 3, i >> 4}
		if !s.has(x[0], x[1], x[2]) {
			continue
		}
		for axis := range 3 {
			for _, up := range []int{0, 1} {
				y := x
				y[axis] += 2*up - 1
				if s.has(y[0], y[1], y[2]) {
					continue
				}
				u, v := (axis+1)%3, (axis+2)%3
				var c [4][3]int
				for k, d := range [][2]int{{0, 0}, {2, 0}, {2, 2}, {0, 2}} {
					p := [3]int{2 * x[0], 2 * x[1], 2 * x[2]}
					p[axis] += 2 * up
					p[u], p[v] = p[u]+d[0], p[v]+d[1]
					c[k] = p
				}
				if up == 0 {
					c[1], c[3] = c[3], c[1]
				}
				middle := c[0]
				middle[u], middle[v] = 2*x[u]+1, 2*x[v]+1
				switch cut {
				case 0:
					add(c[:]...)
				case 1:
					add(c[0], c[1], c[2])
					add(c[0], c[2], c[3])
				default:
					for k := range 4 {
						add(c[k], c[(k+1)%4], middle)
					}
				}
			}
		}
	}
	return m
}

// sheared maps the lattice of half units by a matrix of small whole numbers, a power of two and a
// translation, all exact.
func sheared(a [3][3]int, scale float64, shift vec.Vec3) func(x, y, z int) vec.Vec3 {
	row := func(r [3]int, x, y, z int) float64 { return float64(r[0]*x + r[1]*y + r[2]*z) }
	return func(x, y, z int) vec.Vec3 {
		return vec.V(row(a[0], x, y, z), row(a[1], x, y, z), row(a[2], x, y, z)).Add(shift).Scale(scale)
	}
}

var straight = [3][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

func det(a [3][3]int) int {
	return a[0][0]*(a[1][1]*a[2][2]-a[1][2]*a[2][1]) - a[0][1]*(a[1][0]*a[2][2]-a[1][2]*a[2][0]) + a[0][2]*(a[1][0]*a[2][1]-a[1][1]*a[2][0])
}

var exactMethods = []Method{Auto, Ray, Winding}

// checkBlocks compares methods with the truth at the lattice of half units in and around the
// blocks. Without shear, the winding number of solid angles is the fraction of octants.
func checkBlocks(t *testing.T, methods []Method, s blocks, a [3][3]int, scale float64, shift vec.Vec3, cut int) {
	t.Helper()
	at := sheared(a, scale, shift)
	m := s.mesh(at, cut)
	var points []vec.Vec3
	var octants []int
	for x := -1; x <= 9; x++ {
		for y := -1; y <= 9; y++ {
			for z := -1; z <= 9; z++ {
				points, octants = append(points, at(x, y, z)), append(octants, s.around(x, y, z))
			}
		}
	}
	places, values := make([]Place, len(points)), make([]float64, len(points))
	for _, method := range methods {
		solid, err := New(m, Options{Method: method, Workers: 1})
		if err != nil {
			t.Fatalf("blocks %#x, matrix %v, scale %g, shift %v, by %s: %v", uint64(s), a, scale, shift, method, err)
		}
		if solid.Report.Turned != (det(a) < 0) {
			t.Fatalf("blocks %#x, matrix %v: turned %v", uint64(s), a, solid.Report.Turned)
		}
		if err := solid.Locate(points, places, values); err != nil {
			t.Fatal(err)
		}
		for i, n := range octants {
			want, value, tol := On, 0.5, 0.0
			switch n {
			case 0:
				want, value = Outside, 0
			case 8:
				want, value = Inside, 1
			}
			if method == Winding {
				tol = 1e-14
				if a == straight {
					value = float64(n) / 8
				} else if want == On {
					tol = 1
				}
			}
			if places[i] != want || math.Abs(values[i]-value) > tol {
				t.Fatalf("blocks %#x, matrix %v, scale %g, shift %v, cut %d, by %s: point %v is %v, value %v, expected %v, %v",
					uint64(s), a, scale, shift, cut, method, points[i], places[i], values[i], want, value)
			}
		}
	}
}

// TestBlocks checks points in the planes of vertices, edges and faces, and on them, of surfaces
// that touch themselves, at any scale and far from the origin. All places must be correct.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	for k := range 8 {
		s := blocks(rng.Uint64() | 1<<21)
		if k%3 == 0 {
			s |= blocks(rng.Uint64() | rng.Uint64())
		}
		a, scale, shift := straight, 1.0, vec.Vec3{}
		if k%2 == 1 {
			for a = ([3][3]int{}); det(a) == 0; {
				for i := range a {
					for j := range a[i] {
						a[i][j] = rng.IntN(7) - 3
					}
				}
			}
			scale = math.Ldexp(1, rng.IntN(60)-30)
			shift = vec.V(float64(rng.IntN(1<<30)), float64(-rng.IntN(1<<20)), float64(rng.IntN(1<<10)))
		}
		checkBlocks(t, exactMethods, s, a, scale, shift, k%4%3)
	}
}

// TestExtremeScales checks that all places are correct although products of coordinates overflow or
// underflow.
func TestExtremeScales(t *testing.T) {
	for _, exponent := range []int{290, -290, -400, -1000, -1060} {
		checkBlocks(t, exactMethods, blocks(0x0000_0660_0660_0001), straight, math.Ldexp(1, exponent), vec.V(3, 5, 1), 1)
	}
}

// FuzzBlocks does what TestBlocks does, for any blocks, matrix, scale and place.
func FuzzBlocks(f *testing.F) {
	f.Add(uint64(0x0000_0660_0660_0000), uint64(0x123456789), int8(0), int32(0), int32(0), int32(0), uint8(0))
	f.Add(uint64(0x8421_1248_8421_1248), uint64(0x987654321), int8(-40), int32(1<<30), int32(-5), int32(77), uint8(1))
	f.Add(uint64(1), uint64(0), int8(100), int32(1), int32(2), int32(3), uint8(2))
	f.Fuzz(func(t *testing.T, bits, matrix uint64, exponent int8, x, y, z int32, cut uint8) {
		if bits == 0 {
			return
		}
		var a [3][3]int
		for i := range 9 {
			a[i/3][i%3] = int(matrix>>(4*i)&15) - 7
		}
		if det(a) == 0 {
			a = straight
		}
		checkBlocks(t, exactMethods, blocks(bits), a, math.Ldexp(1, int(exponent)), vec.V(float64(x), float64(y), float64(z)), int(cut)%3)
	})
}
