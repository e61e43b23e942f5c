package narrow

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/narrow/internal/search"
	"github.com/scree-dem/scree/vec"
)

// TestMeasureOfSlivers measures triangles of all thicknesses next to the origin. The key must be
// their distance in exact arithmetic, up to a few roundings of their size. It is a bound, so it may
// not be larger. If it is smaller, no depth next to it is proven.
func TestMeasureOfSlivers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	s := NewSearch()
	s.in.Tol.Set(1)
	for range require.Rounds(5000, 6000, 20_000) {
		long := randomUnit(r)
		across := long.Cross(randomUnit(r)).Unit()
		n := long.Cross(across).Unit()
		height, away := math.Pow(10, -13*r.Float64()), math.Pow(10, -12*r.Float64())
		if height < 1e-9 {
			away = min(away, height) // for a point farther away, rounding would move the projection out of the triangle
		}
		p, q, u := long.Scale(-1-r.Float64()), long.Scale(1+r.Float64()), long.Scale(r.Float64()-0.5).AddScaled(height, across)
		// The projection is the centroid.
		x := n.Scale(away).Sub(p.Add(q).Add(u).Scale(1.0 / 3))
		s.in.Corners = []facets.Corner{{P: p.Add(x)}, {P: q.Add(x)}, {P: u.Add(x)}}
		tri := search.Triangle{V: [3]uint16{0, 1, 2}}
		if s.in.Measure(&tri); tri.Key < 0 {
			tri = search.Triangle{V: [3]uint16{0, 2, 1}}
			s.in.Measure(&tri)
		}
		plane := tri.Key
		if tri.Bound {
			s.in.FindNearest(&tri)
		}
		if !(tri.Key >= plane) {
			t.Fatalf("height %g: key %.17g of a triangle, %.17g of its plane", height, tri.Key, plane)
		}
		if exact := exactHeight(s.in.Corners); !(math.Abs(tri.Key-exact) <= 2e-14) {
			t.Fatalf("height %g: key %.17g of a triangle %.17g away", height, tri.Key, exact)
		}
	}
}

// exactHeight returns the distance of the plane of three corners from the origin, rounded once or
// twice.
func exactHeight(c []facets.Corner) float64 {
	rat := func(p vec.Vec3) [3]*big.Rat {
		return [3]*big.Rat{new(big.Rat).SetFloat64(p.X), new(big.Rat).SetFloat64(p.Y), new(big.Rat).SetFloat64(p.Z)}
	}
	p, q, r := rat(c[0].P), rat(c[1].P), rat(c[2].P)
	var e, f [3]*big.Rat
	for k := range 3 {
		e[k], f[k] = new(big.Rat).Sub(q[k], p[k]), new(big.Rat).Sub(r[k], p[k])
	}
	h, nn := new(big.Rat), new(big.Rat)
	for k := range 3 {
		i, j := (k+1)%3, (k+2)%3
		n := new(big.Rat).Sub(new(big.Rat).Mul(e[i], f[j]), new(big.Rat).Mul(e[j], f[i]))
		h.Add(h, new(big.Rat).Mul(n, p[k]))
		nn.Add(nn, new(big.Rat).Mul(n, n))
	}
	square, _ := h.Mul(h, h).Quo(h, nn).Float64()
	return math.Sqrt(square)
}

// TestEPAOnASliver tests a pair whose first polytope has a triangle 3e-9 thin. Its plane, and the
// bound of the depth, once were off by more than the depth.
func TestEPAOnASliver(t *testing.T) {
	_, shapes := capped(t)
	a := shapes[3]
	pa := vec.Pose{Pos: vec.V(1.677536899076582, -0.6256728671275081, 2.407156707731544),
		Rot: vec.Quat{W: .18009730049080885, X: .9802076136277488, Y: .08076893793256633, Z: .015309317664817787}}
	pb := vec.Pose{Pos: vec.V(1.960587605913739, -0.009300888227058358, 3.464126528218057),
		Rot: vec.Quat{W: .03604561999038265, X: .08585373274935162, Y: -.9597990475451458, Z: .2647935765534033}}
	var out Answer
	exhaustive := NewSearch().Iterate(a, pa, a, pb, 0, &out)
	if want := oracle.ExactGap(a, pa, a, pb); exhaustive || math.Abs(out.Gap-want) > 1e-14 {
		t.Errorf("gap %.17g, expected %.17g; exhaustive %v", out.Gap, want, exhaustive)
	}
}

// TestOctahedronIsClosed checks the polytope from which EPA starts for bodies at one place. If it
// exists, it must be a closed surface about the origin, whose triangles have the right neighbours.
// For the bodies that it is meant for it must exist.
func TestOctahedronIsClosed(t *testing.T) {
	s := NewSearch()
	for _, shape := range []string{"rock12", "rock20", "rock64", "cube"} {
		made, n := 0, 40
		for _, p := range insidePool(t, shape, 1e-9, 1e-9, n) {
			if !s.in.Load(p.a, p.pa, p.b, p.pb) {
				t.Fatal("the pair has no answer")
			}
			s.in.N, s.in.TooFar = 0, math.Inf(1)
			s.in.Corners, s.in.From, s.in.Tris, s.in.Heap = s.in.Corners[:0], s.in.From[:0], s.in.Tris[:0], s.in.Heap[:0]
			if !s.in.Octahedron() {
				if len(s.in.Corners)+len(s.in.From)+len(s.in.Tris)+len(s.in.Heap) > 0 {
					t.Fatalf("%s: something is left of no octahedron", shape)
				}
				continue
			}
			made++
			if len(s.in.Heap) != 8 || len(s.in.From) != 6 {
				t.Fatalf("%s: %d open triangles of %d corners", shape, len(s.in.Heap), len(s.in.From))
			}
			for f := range s.in.Tris {
				u := &s.in.Tris[f]
				for i, o := range u.Other {
					a, b, found := u.V[i], u.V[(i+1)%3], false
					for k, back := range s.in.Tris[o].Other {
						found = found || int(back) == f && s.in.Tris[o].V[k] == b && s.in.Tris[o].V[(k+1)%3] == a
					}
					if !found {
						t.Fatalf("%s: triangle %d has no neighbour across its edge from %d to %d", shape, f, a, b)
					}
				}
				for k, c := range s.in.Corners {
					if h := u.N.Dot(c.P) - u.D; h > s.in.Tol.Visible || !(u.D > 0) {
						t.Fatalf("%s: corner %d lies %g above triangle %d, which is %g from the origin", shape, k, h, f, u.D)
					}
				}
			}
		}
		if few := shape == "cube"; few && made > 0 || !few && made < n/2 {
			t.Errorf("%s: %d of %d pairs have an octahedron", shape, made, n)
		}
	}
}

// TestFewTrianglesAreMeasured tests a polytope about two bodies at one place. Nearly all of its
// triangles lie beyond the shallowest facet, and EPA must not compute their own distance.
func TestFewTrianglesAreMeasured(t *testing.T) {
	s := NewSearch()
	var out Answer
	left, alive := 0, 0
	for _, p := range insidePool(t, "rock20", 1e-9, 1e-9, 40) {
		s.Resolve(p.a, p.pa, p.b, p.pb, math.Inf(1), &out)
		for i := range s.in.Tris {
			if u := &s.in.Tris[i]; !u.Gone {
				alive++
				if u.Bound {
					left++
				}
			}
		}
	}
	if left < alive*3/4 || left == 0 {
		t.Errorf("%d of %d triangles have the key of their plane", left, alive)
	}
}
