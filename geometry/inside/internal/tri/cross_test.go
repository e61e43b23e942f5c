package tri

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// octahedron returns |x| + |y| + |z| = 4, each face as four triangles with vertices on the lattice.
func octahedron() *Surface {
	s := &Surface{}
	row := map[vec.Vec3]uint32{}
	at := func(v vec.Vec3) uint32 {
		if _, ok := row[v]; !ok {
			row[v] = uint32(len(s.Verts))
			s.Verts = append(s.Verts, v)
		}
		return row[v]
	}
	for k := range 8 {
		x, y, z := vec.V(4, 0, 0), vec.V(0, 4, 0), vec.V(0, 0, 4)
		if k&1 == 1 {
			x = x.Neg()
		}
		if k&2 == 2 {
			y = y.Neg()
		}
		if k&4 == 4 {
			z = z.Neg()
		}
		if k == 1 || k == 2 || k == 4 || k == 7 {
			x, y = y, x
		}
		u, v, w := x.Add(y).Scale(0.5), y.Add(z).Scale(0.5), z.Add(x).Scale(0.5)
		for _, t := range [][3]vec.Vec3{{x, u, w}, {u, y, v}, {w, v, z}, {u, v, w}} {
			s.Tris = append(s.Tris, [3]uint32{at(t[0]), at(t[1]), at(t[2])})
		}
	}
	return s
}

// level returns -1, 0 or 1 for a point inside, on and outside the octahedron.
func level(p vec.Vec3) int {
	switch d := math.Abs(p.X) + math.Abs(p.Y) + math.Abs(p.Z) - 4; {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

func lattice(n int) (points []vec.Vec3) {
	for x := -n; x <= n; x++ {
		for y := -n; y <= n; y++ {
			for z := -n; z <= n; z++ {
				points = append(points, vec.V(float64(x), float64(y), float64(z)))
			}
		}
	}
	return points
}

// TestCrossX checks that half-lines along x from all points of the lattice count the winding
// number. They meet vertices and run along edges.
func TestCrossX(t *testing.T) {
	s := octahedron()
	for _, p := range lattice(6) {
		sum, on := 0, false
		for k := range s.Tris {
			a, b, c := s.Corners(k)
			n, o := CrossX(a, b, c, p)
			sum, on = sum+n, on || o
		}
		want := level(p)
		if on != (want == 0) || !on && sum != (1-want)/2 {
			t.Errorf("%v: winding number %d, on the surface %v, expected level %d", p, sum, on, want)
		}
	}
}

// moved returns level for a point that is displaced by (ε³, ε, ε²). A point of the surface moves
// off it: inwards if y is negative.
func moved(p vec.Vec3) int {
	if l := level(p); l != 0 {
		return l
	}
	if p.Y < 0 {
		return -1
	}
	return 1
}

// TestSegments checks that segments between points of the lattice, through vertices and along
// edges, cross the surface an odd number of times if one end lies inside. The second end is
// displaced, and may lie on the surface.
func TestSegments(t *testing.T) {
	s := octahedron()
	points := lattice(5)
	rng := rand.New(rand.NewPCG(1, 1))
	degenerate := 0
	for n := 0; n < 4000; {
		p, q := points[rng.IntN(len(points))], points[rng.IntN(len(points))]
		if level(p) == 0 {
			continue
		}
		n++
		crossings := 0
		for k := range s.Tris {
			a, b, c := s.Corners(k)
			side := vec.Orient3D(a, b, c, p)
			if vec.Orient3D(a, b, c, q) == 0 {
				degenerate++
			}
			if side != 0 && side != SideMoved(a, b, c, q) && SegmentPasses(a, b, c, p, q) {
				crossings++
			}
		}
		if (crossings%2 == 1) != (level(p) != moved(q)) {
			t.Errorf("%v to %v: %d crossings", p, q, crossings)
		}
	}
	if degenerate < 1000 {
		t.Errorf("only %d ends lie in planes of triangles: the test tests too little", degenerate)
	}
}

// TestLineCrossesOnce checks that a line along x through the lattice crosses the octahedron in
// pairs, in and out, even if it meets edges and vertices.
func TestLineCrossesOnce(t *testing.T) {
	s := octahedron()
	for y := -5.0; y <= 5; y++ {
		for z := -5.0; z <= 5; z++ {
			in, out := 0, 0
			for k := range s.Tris {
				a, b, c := s.Corners(k)
				switch LineCrosses(a, b, c, y, z) {
				case 1:
					out++
				case -1:
					in++
				}
			}
			// Displaced by (ε, ε²), the line through a border point of the shadow passes inside or
			// outside.
			ay, az := math.Abs(y), math.Abs(z)
			inside := ay+az < 4 || ay+az == 4 && y < 0
			if in != out || in > 1 || (in == 1) != inside {
				t.Errorf("line y %g, z %g: %d in, %d out", y, z, in, out)
			}
		}
	}
}
