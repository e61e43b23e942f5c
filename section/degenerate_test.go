package section

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// prismBody returns a right prism of n sides, radius 1 and height 1, made without a hull.
func prismBody(n int) oracle.ConvexBody {
	var b oracle.ConvexBody
	var top, bottom []int
	for k := range n {
		s, c := math.Sincos(2 * math.Pi * float64(k) / float64(n))
		b.Verts = append(b.Verts, vec.V(c, s, -0.5), vec.V(c, s, 0.5))
		next := (k + 1) % n
		b.Faces = append(b.Faces, []int{2 * k, 2 * next, 2*next + 1, 2*k + 1})
		top, bottom = append(top, 2*k+1), append(bottom, 2*k)
	}
	slices.Reverse(bottom)
	b.Faces = append(b.Faces, top, bottom)
	return b
}

// TestGrazingFaces is V11 for faces. Cubes have coplanar sides and corners, or are offset by half,
// at gaps from an ulp to 1e-3 on both sides of zero. The scene is rotated at random or not, near
// and far.
func TestGrazingFaces(t *testing.T) {
	cube := view(t, boxBody(1, 1, 1))
	c := NewCutter()
	r := rand.New(rand.NewPCG(41, 42))
	gaps := []float64{0, 0x1p-53, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3}
	for _, far := range []float64{0, 1e5} {
		for _, g := range gaps {
			for _, gap := range []float64{g, -g} {
				for _, x := range []float64{-0.5, 0, 0.5} {
					for _, y := range []float64{-0.5, 0, 0.5} {
						q := turn(r)
						if x == y {
							q = vec.Identity
						}
						n := q.Rotate(vec.V(0, 0, 1))
						p := pair{a: cube, b: cube, normal: n, gap: gap, armA: n.Scale(0.5), armB: n.Scale(-0.5)}
						p.pa = vec.Pose{Pos: vec.V(far, -far, far), Rot: q}
						p.pb = vec.Pose{Pos: p.pa.Pos.Add(q.Rotate(vec.V(x, y, 1+gap))), Rot: q.Mul(about(n, 0))}
						loc, area := p.must(t, c)
						want := q.Rotate(vec.V(x/2, y/2, 0.5+gap/2))
						tol := 1e-14
						if far > 0 {
							tol = 4 * 0x1p-36 // the grid of positions at 1e5
						}
						nearVec(t, "location", loc, want, tol)
						near(t, "area", area, (1-math.Abs(x))*(1-math.Abs(y)), 4*tol)
					}
				}
			}
		}
	}
}

// TestPlaneThroughVertices: the plane passes exactly through vertices, edges and a whole equator,
// where several corners of the section coincide.
func TestPlaneThroughVertices(t *testing.T) {
	octa := view(t, oracle.Hull([]vec.Vec3{vec.V(1, 0, 0), vec.V(-1, 0, 0), vec.V(0, 1, 0), vec.V(0, -1, 0), vec.V(0, 0, 1), vec.V(0, 0, -1)}))
	slab := view(t, boxBody(8, 8, 4))
	c := NewCutter()
	for _, k := range []struct {
		name      string
		gap, area float64
	}{
		// At a depth of 2 the mid-plane is the equator, exactly or up to an ulp.
		{"equator", -2, 2},
		{"an ulp above", -2 + 0x1p-52, 2},
		{"an ulp below", -2 - 0x1p-51, 2},
		{"far vertex", -4, 0},
	} {
		t.Run(k.name, func(t *testing.T) {
			p := pair{a: octa, b: slab, pa: at(0.5, 0, 1+k.gap), pb: at(0, 0, -2), normal: vec.V(0, 0, -1), gap: k.gap,
				armA: vec.V(0, 0, -1), armB: vec.V(0.5, 0, 2)}
			loc, area := p.must(t, c)
			nearVec(t, "location", loc, vec.V(0, 0, -1-k.gap/2), 4*tolSection)
			near(t, "area", area, k.area, 1e-14)
		})
	}
}

// TestManySides: prisms of 500 sides, face on face and side on side.
func TestManySides(t *testing.T) {
	round := view(t, prismBody(500))
	c := NewCutter()
	area := 250 * math.Sin(2*math.Pi/500)
	p := pair{a: round, b: round, pa: at(0, 0, 0), pb: turned(about(vec.V(0, 0, 1), 0.1), 0, 0, 0.99), normal: vec.V(0, 0, 1), gap: -0.01,
		armA: vec.V(0, 0, 0.5), armB: vec.V(0, 0, -0.5)}
	loc, got := p.must(t, c)
	nearVec(t, "face on face", loc, vec.V(0, 0, 0.495), 1e-13)
	// At a rotation of 0.1° of the 0.72° between vertices, the common polygon has 1000 sides and a
	// slightly smaller area.
	near(t, "area", got, area, 1e-4)
	if !(got < area) {
		t.Errorf("common area %g, each face has %g", got, area)
	}

	// Side by side along their axes: the section is a rectangle, and the walk goes around the long
	// faces.
	p = pair{a: round, b: round, pa: at(0, 0, 0), pb: at(1.99, 0, 0.25), normal: vec.V(1, 0, 0), gap: -0.01,
		armA: vec.V(1, 0, 0), armB: vec.V(-1, 0, 0)}
	loc, _ = p.must(t, c)
	slow, slowArea, ok := p.slow()
	_, got, _ = p.reduced(c)
	if !ok {
		t.Fatal("no slow section")
	}
	nearVec(t, "side by side", loc, slow, 1e-12)
	nearVec(t, "side by side, by symmetry", loc, vec.V(0.995, 0, 0.125), 1e-12)
	near(t, "area", got, slowArea, 1e-12)
}

// TestVertexOrder: the same points in another order give the same location.
func TestVertexOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	c := NewCutter()
	for range 20 {
		p := randomPair(t, r, 1e-2)
		loc, area := p.must(t, c)
		q := p
		for _, v := range []**soa.View{&q.a, &q.b} {
			var points []vec.Vec3
			for k := range (*v).NVerts {
				points = append(points, (*v).Vert(soa.Vertex(k)))
			}
			slices.Reverse(points)
			*v = view(t, oracle.Hull(points))
		}
		got, gotArea := q.must(t, c)
		nearVec(t, "location", got, loc, 1e-13)
		near(t, "area", gotArea, area, 1e-13)
	}
}

func TestConvex(t *testing.T) {
	c := NewCutter()
	square := []point{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, k := range []struct {
		name string
		in   []point
		want []point
	}{
		{"square stays", square, square},
		{"point between", []point{{0, 0}, {0.5, 0}, {1, 0}, {1, 1}, {0, 1}}, square},
		{"corner twice, a rounding apart and turned back", []point{{0, 0}, {1, 0}, {1, 1}, {1 - 0x1p-53, 1 - 0x1p-53}, {0, 1}}, square},
		{"twice around", append(slices.Clone(square), square...), square},
		{"segment", []point{{0, 0}, {1, 1}, {0.5, 0.5}}, []point{{0, 0}, {1, 1}}},
		{"point", []point{{1, 1}, {1, 1}, {1, 1}}, []point{{1, 1}}},
		{"nothing", nil, nil},
	} {
		if got := c.convex(slices.Clone(k.in)); !slices.Equal(got, k.want) {
			t.Errorf("%s: %v, want %v", k.name, got, k.want)
		}
	}
}

func TestCentroid(t *testing.T) {
	for _, k := range []struct {
		name       string
		p          []point
		x, y, area float64
	}{
		{"triangle", []point{{0, 0}, {3, 0}, {0, 3}}, 1, 1, 4.5},
		{"small and far", []point{{1, 1}, {1 + 0x1p-40, 1}, {1 + 0x1p-40, 1 + 0x1p-40}, {1, 1 + 0x1p-40}}, 1 + 0x1p-41, 1 + 0x1p-41, 0x1p-80},
		{"segment", []point{{0, 0}, {2, 4}}, 1, 2, 0},
		{"segment with corners between", []point{{0, 0}, {1, 2}, {2, 4}, {0.5, 1}}, 1, 2, 0},
		{"segment but for rounding", []point{{0, 0}, {1, 1.0 / 3}, {3, 1}, {2, 2.0 / 3}, {1, 1.0/3 + 0x1p-54}}, 1.5, 0.5, 0},
		{"point", []point{{2, 3}}, 2, 3, 0},
		{"point twice", []point{{2, 3}, {2, 3}}, 2, 3, 0},
	} {
		m := measureArea(k.p)
		x, y, area := m.x, m.y, m.area
		near(t, k.name+" x", x, k.x, 4e-16)
		near(t, k.name+" y", y, k.y, 4e-16)
		near(t, k.name+" area", area, k.area, max(1e-15*k.area, 0x1p-54))
	}
}

// FuzzReduced: for any poses, gap and normal, the location is finite and on the mid-plane. If it
// comes from a section, it lies over both bodies. Shapes and rotations with exactly parallel faces
// are as likely as random ones.
func FuzzReduced(f *testing.F) {
	shapes := []*soa.View{
		view(f, boxBody(1, 1, 1)), view(f, boxBody(1, 0.001, 1)), view(f, barBody(6, 1)), view(f, prismBody(7)),
		view(f, rockBody(rand.New(rand.NewPCG(1, 1)), 9)), view(f, facetBody(vec.V(-1, -1, 0), vec.V(1, -1, 0), vec.V(0, 1, 0))),
		view(f, facetBody(vec.V(100, 0, 0), vec.V(100, 1e-3, 0), vec.V(100, 0, 1))),
	}
	f.Add(uint64(0), 0.0, 0.0, 1.0, 0.0)
	f.Add(uint64(0x1234), 0.3, 0.2, 0.1, -0.7)
	f.Add(uint64(0xfffff), 1e5, -1e5, 1e-300, 1e-15)
	f.Add(uint64(0x5a5a5), 1e200, 0.0, 5e-324, -1e200)
	f.Add(uint64(77), 1.0, 1.0, 1.0, math.Inf(1))
	f.Fuzz(func(t *testing.T, pick uint64, x, y, z, gap float64) {
		r := rand.New(rand.NewPCG(pick, 5))
		p := pair{a: shapes[pick%7], b: shapes[pick/7%7], gap: gap, pa: vec.IdentityPose, pb: at(x, y, z)}
		quarter := []vec.Quat{vec.Identity, {W: 1, Z: 1}, {W: 1, X: 1}, {W: 1, X: 1, Y: 1, Z: 1}}
		p.pa.Rot = quarter[pick/49%4].Normalized()
		p.pb.Rot = quarter[pick/196%4].Normalized()
		if pick/784%2 == 1 {
			p.pb.Rot = turn(r)
		}
		p.normal = []vec.Vec3{vec.V(1, 0, 0), vec.V(0, 0, 1), vec.V(0, -1, 0), direction(r)}[pick/1568%4]
		p.armA, p.armB = p.normal.Scale(0.5), p.normal.Scale(-0.5)
		p.id = soa.FacetID{A: uint16(pick / 6272 % 16), B: uint16(pick / 6272 / 16 % 16), Kind: soa.FacetKind(pick / 6272 / 256 % 8)}
		loc, area, ok := p.reduced(NewCutter())
		mid := BallLocation(p.pa, p.pb, p.armA, p.armB)
		if !p.pb.Pos.Finite() || math.IsNaN(gap) || mid.MaxAbs() > 1e300 {
			return
		}
		if !loc.Finite() || !(area >= 0) {
			t.Fatalf("location %v, area %g", loc, area)
		}
		if !ok && loc != mid {
			t.Fatalf("without a section the location is %v, not %v", loc, mid)
		}
		reach := 8 + mid.MaxAbs()
		if h := p.normal.Dot(loc.Sub(mid)); math.Abs(h) > 1e-13*reach {
			t.Fatalf("location %g off the mid-plane", h)
		}
		for _, s := range []struct {
			v  *soa.View
			at vec.Vec3
		}{{p.a, loc}, {p.b, loc.Sub(p.pb.Pos)}} {
			// A prism extends beyond its facet by the other body's diameter.
			limit := s.v.Radius + 2*max(p.a.Radius, p.b.Radius)
			if s.v.Kind == soa.Block {
				limit = s.v.Radius
			}
			if d := s.at.AddScaled(-p.normal.Dot(s.at), p.normal); ok && d.Norm() > limit+1e-12*reach {
				t.Fatalf("location %v is %g beside the axis of a body of radius %g", loc, d.Norm(), limit)
			}
		}
	})
}
