package narrow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/narrow/internal/facets"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// The tests here and in degenerate_test.go reproduce threads in which users of other libraries report wrong
// answers. Each test is named after its thread. If a thread gives no pose, the test builds the situation that the
// thread describes, and its comment says so.

// TestUsersLammps3816: an absolute epsilon for all lengths fits one system of units only. The same
// pairs in micrometres, millimetres, kilometres and 10⁶ m must have the same status and normal and,
// scaled, the same gap and witness points.
func TestUsersLammps3816(t *testing.T) {
	_, shapes := menagerie(t)
	factors := []float64{1e-6, 1e-3, 1e3, 1e6}
	big := make([][]*soa.View, len(factors))
	for i, k := range factors {
		for _, v := range shapes {
			big[i] = append(big[i], scaled(t, v, k))
		}
	}
	r := rand.New(rand.NewPCG(38, 16))
	s := NewSearch()
	compared, other := 0, 0
	for range 250 {
		i, j := r.IntN(len(shapes)), r.IntN(len(shapes))
		a, b := shapes[i], shapes[j]
		pa, pb := placed(r, a, b, []float64{1e-6, -1e-6, 1e-3, -1e-3, -0.1, 0.2}[r.IntN(6)])
		var one, out Answer
		s.Resolve(a, pa, b, pb, math.Inf(1), &one)
		for f, k := range factors {
			pa, pb := vec.Pose{Pos: pa.Pos.Scale(k), Rot: pa.Rot}, vec.Pose{Pos: pb.Pos.Scale(k), Rot: pb.Rot}
			s.Resolve(big[f][i], pa, big[f][j], pb, math.Inf(1), &out)
			size := max(a.Radius, b.Radius)
			if out.Status != one.Status || !(math.Abs(out.Gap/k-one.Gap) <= 1e-12*size) {
				t.Fatalf("scaled by %g:\n%+v\nexpected\n%+v", k, out, one)
			}
			compared++
			if out.Facet != one.Facet {
				other++ // two facets equally shallow
				continue
			}
			if d := out.Normal.Sub(one.Normal).Norm(); !(d <= 1e-8) {
				t.Fatalf("scaled by %g the normal turns by %g: %+v", k, d, one)
			}
		}
	}
	if other > compared/50 {
		t.Errorf("%d of %d scaled pairs touch with other features", other, compared)
	}
}

// TestUsersOpenGJK13: two of 10 000 pairs of deeply overlapping cubes were reported apart. Each
// cube contains a ball around its centre, which lies in the other cube, so the depth is known
// within bounds.
func TestUsersOpenGJK13(t *testing.T) {
	cube := box(t, 1, 1, 1)
	r := rand.New(rand.NewPCG(13, 1))
	s := NewSearch()
	lost := 0
	const n = 10_000
	for range n {
		at := vec.V(r.Float64()-0.5, r.Float64()-0.5, r.Float64()-0.5).Scale(0.98)
		pa := vec.Pose{Pos: randomUnit(r).Scale(10), Rot: randomRot(r)}
		pb := vec.Pose{Pos: pa.Point(at), Rot: randomRot(r)}
		var out Answer
		if s.Pair(cube, pa, cube, pb, 0, &out); out.Status == NotConverged {
			lost++
			s.Exhaustive(cube, pa, cube, pb, 0, &out)
		}
		// From the centre to the nearest face of A; B reaches 0.5 to √3/2 beyond it.
		height := 0.5 - at.MaxAbs()
		if depth := -out.Gap; out.Status != Penetrating || depth < height+0.5-1e-12 || depth > height+math.Sqrt(0.75)+1e-12 {
			t.Fatalf("%v, depth %g, expected %g to %g\npa=%+v pb=%+v", out.Status, depth, height+0.5, height+math.Sqrt(0.75), pa, pb)
		}
	}
	if lost > n/500 {
		t.Errorf("%d of %d pairs did not converge", lost, n)
	}
}

// TestUsersOpenGJK41: aligned boxes, at every offset of quarters, with faces, edges and corners
// that meet exactly, and simplices with the origin on a corner, an edge or a face. The poses are of
// the reported kind.
func TestUsersOpenGJK41(t *testing.T) {
	cube := box(t, 1, 1, 1)
	s := NewSearch()
	for i := range 11 {
		for j := range 11 {
			for k := range 11 {
				x, y, z := float64(i-5)/4, float64(j-5)/4, float64(k-5)/4
				over := vec.V(max(math.Abs(x)-1, 0), max(math.Abs(y)-1, 0), max(math.Abs(z)-1, 0))
				want := over.Norm()
				if want == 0 {
					want = max(math.Abs(x), math.Abs(y), math.Abs(z)) - 1
				}
				var out Answer
				s.Pair(cube, at(0, 0, 0), cube, at(x, y, z), math.Inf(1), &out)
				if !(math.Abs(out.Gap-want) <= 1e-15) {
					t.Errorf("offset %g %g %g: %v, gap %.17g, expected %g", x, y, z, out.Status, out.Gap, want)
				}
				if want == 0 && out.Status != Touching {
					t.Errorf("offset %g %g %g: %v, expected touching", x, y, z, out.Status)
				}
				if want != 0 && out.Normal.Dot(vec.V(x, y, z)) < 0 {
					t.Errorf("offset %g %g %g: normal %v points from B to A", x, y, z, out.Normal)
				}
			}
		}
	}
}

// TestUsersCoal37: a box that contains a concentric, symmetric simplex, so that the search starts
// without a preferred direction. The poses are of the reported kind.
func TestUsersCoal37(t *testing.T) {
	tetra := hullOf(t, tetraPoints())
	for _, h := range []float64{0.01, 0.25, 0.5, 1, 2, 4} {
		cube := box(t, 2*h, 2*h, 2*h)
		// Along an axis of the cube, or along a face normal of the tetrahedron.
		want := -min(1+h, (1+3*h)/math.Sqrt(3))
		for _, turn := range []vec.Quat{vec.Identity, vec.FromRotationVector(vec.V(0.3, -0.2, 0.7))} {
			p := vec.Pose{Pos: vec.V(3, 4, 5), Rot: turn}
			for _, out := range []Answer{answered(t, cube, p, tetra, p), answered(t, tetra, p, cube, p)} {
				if !(math.Abs(out.Gap-want) <= 1e-13*max(1, h)) {
					t.Errorf("half side %g: gap %.17g, expected %.17g", h, out.Gap, want)
				}
			}
		}
	}
}

// TestUsersOpenRAL215: hulls with a depth of 1.5 mm were reported as 32 mm deep, the depth of their
// boxes. Two octahedra, face to face along a diagonal, have a known depth. The poses are of the
// reported kind.
func TestUsersOpenRAL215(t *testing.T) {
	const r, depth = 0.1, 1.5e-3
	octa := hullOf(t, []vec.Vec3{{X: r}, {X: -r}, {Y: r}, {Y: -r}, {Z: r}, {Z: -r}})
	side := (2*r/math.Sqrt(3) - depth) / math.Sqrt(3)
	out := answered(t, octa, at(0, 0, 0), octa, at(side, side, side))
	if !(math.Abs(out.Gap+depth) <= 1e-15) {
		t.Errorf("depth %.17g, expected %g", -out.Gap, depth)
	}
	if want := vec.V(1, 1, 1).Unit(); out.Normal.Sub(want).Norm() > 1e-14 {
		t.Errorf("normal %v, expected %v", out.Normal, want)
	}
	cube := box(t, 2*r, 2*r, 2*r)
	if bound := answered(t, cube, at(0, 0, 0), cube, at(side, side, side)); -bound.Gap < 50*depth {
		t.Errorf("the boxes are %g deep: they do not tell the hulls' depth from the boxes'", -bound.Gap)
	}
}

// TestUsersMuJoCoWarp1526 reproduces the exact condition of that thread: GJK ends with a
// tetrahedron of K that has the origin on a face. The test passes all tetrahedra of corners of K to
// EPA; that of the stacked boxes is among them.
func TestUsersMuJoCoWarp1526(t *testing.T) {
	const side, depth = 0.4, 2.5e-4
	cube := box(t, side, side, side)
	pb := at(0, 0, side-depth)
	s := NewSearch()
	if !s.in.Load(cube, at(0, 0, 0), cube, pb) {
		t.Fatal("the pair is not answerable")
	}
	// Corner i of K is vertex i of A minus the opposite vertex of B; boxPoints numbers vertices by
	// the bits of the signs.
	var k [8]facets.Corner
	for i := range k {
		k[i] = facets.Corner{P: s.in.HullA.At(i).Sub(s.in.HullB.At(7 - i)), A: uint16(i), B: uint16(7 - i)}
	}
	onFace, holds := 0, 0
	for mask := range 256 {
		var c [4]facets.Corner
		n := 0
		for i := range k {
			if mask>>i&1 == 1 && n <= 4 {
				if n < 4 {
					c[n] = k[i]
				}
				n++
			}
		}
		if n != 4 || c[1].P.Sub(c[0].P).Cross(c[2].P.Sub(c[0].P)).Dot(c[3].P.Sub(c[0].P)) == 0 {
			continue
		}
		face := false
		for i := range c {
			p, q, r := c[(i+1)%4].P, c[(i+2)%4].P, c[(i+3)%4].P
			face = face || p.Dot(q.Cross(r)) == 0
		}
		start := func() { s.in.C, s.in.N, s.in.Lower, s.in.Upper = c, 4, -1, 0 }
		// GJK must not report the pair apart when the simplex touches the origin.
		start()
		v, inside := s.in.Closest()
		touches := inside || v.Norm() <= s.in.Tol.Close
		if touches {
			holds++
			if face {
				onFace++
			}
		}
		for _, reduce := range []bool{false, true} {
			var out Answer
			if start(); reduce {
				s.in.Closest()
			}
			s.in.EPA(&out)
			if out.Status != Penetrating || !(math.Abs(out.Gap+depth) <= 1e-15) || out.Normal.Sub(vec.V(0, 0, 1)).Norm() > 1e-15 {
				t.Errorf("corners %08b, origin in it %v, on a face %v: %v, gap %g, normal %v", mask, touches, face, out.Status, out.Gap, out.Normal)
			}
		}
	}
	if onFace == 0 || holds == 0 {
		t.Errorf("%d tetrahedra hold the origin, %d on a face: the condition is not met", holds, onFace)
	}
	out := answered(t, cube, at(0, 0, 0), cube, pb)
	if out.Status != Penetrating || !(math.Abs(out.Gap+depth) <= 1e-15) {
		t.Errorf("%v, gap %g, expected %g", out.Status, out.Gap, -depth)
	}
}

// TestUsersJolt671: a box near a hull, apart by less than the requested margin, had a reversed
// normal. The normal must separate the bodies by the whole gap, which only the right one does.
func TestUsersJolt671(t *testing.T) {
	brick := box(t, 1, 0.5, 0.25)
	wedge := hullOf(t, []vec.Vec3{{X: -1, Y: -1, Z: -0.4}, {X: 1, Y: -1, Z: -0.4}, {X: -1, Y: 1, Z: -0.4}, {X: 1, Y: 1, Z: -0.4}, {X: -1, Z: 0.8}, {X: 1, Z: 0.8}})
	r := rand.New(rand.NewPCG(6, 71))
	s := NewSearch()
	const reach = 0.05
	for _, hull := range []*soa.View{wedge, rock(t, 9, 14), hullOf(t, tetraPoints())} {
		for range 150 {
			want := reach * []float64{1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.999}[r.IntN(6)]
			pa, pb := placed(r, brick, hull, want)
			size := max(brick.Radius, hull.Radius)
			for _, swap := range []bool{false, true} {
				a, qa, b, qb := brick, pa, hull, pb
				if swap {
					a, qa, b, qb = hull, pb, brick, pa
				}
				var out Answer
				s.Resolve(a, qa, b, qb, reach, &out)
				if !out.Exact || out.Status != Separated || !(math.Abs(out.Gap-want) <= 1e-12*size) {
					t.Fatalf("%v, exact %v, gap %g, expected %g\npa=%+v pb=%+v", out.Status, out.Exact, out.Gap, want, qa, qb)
				}
				if apart := separation(a, qa, b, qb, out.Normal); !(math.Abs(apart-want) <= 2e-12*size) {
					t.Fatalf("the normal %v separates by %g of %g\npa=%+v pb=%+v", out.Normal, apart, want, qa, qb)
				}
			}
		}
	}
}

// TestUsersJolt671ParallelEdges lowers an edge onto a parallel edge through the margin into
// contact. For the pair apart the normal is vertical. For an overlap the shortest way out is along
// a face, at 45°. The normal must never point downwards.
func TestUsersJolt671ParallelEdges(t *testing.T) {
	cube := box(t, 1, 1, 1)
	turn := vec.FromRotationVector(vec.V(0, math.Pi/4, 0))
	s := NewSearch()
	for _, along := range []float64{0, 0.3, -0.999} {
		for _, h := range []float64{0.05, 1e-3, 1e-6, 1e-9, -1e-9, -1e-6, -1e-3, -0.05} {
			want, up := h, 1.0
			if h < 0 {
				want, up = h*math.Sqrt(0.5), math.Sqrt(0.5)
			}
			var out Answer
			s.Pair(cube, posed(0, 0, 0, turn), cube, posed(0, along, math.Sqrt2+h, turn), 0.05+1e-9, &out)
			if d := math.Abs(want); d < 1-math.Abs(along) && !(math.Abs(out.Gap-want) <= 1e-14) {
				t.Errorf("%g along, %g apart: %v, gap %.17g, expected %.17g", along, h, out.Status, out.Gap, want)
			}
			// A rounding of 1e-16 rotates a normal across a gap of 1e-9 by 1e-7.
			if math.Abs(out.Normal.Z-up) > 1e-6 && math.Abs(want) < 1-math.Abs(along) {
				t.Errorf("%g along, %g apart: normal %v, expected a height of %g", along, h, out.Normal, up)
			}
		}
	}
}

// separation returns how far apart two bodies are along a direction, by their vertices alone.
func separation(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, n vec.Vec3) float64 {
	dx := pb.Pos.Sub(pa.Pos)
	hi, lo := math.Inf(-1), math.Inf(1)
	for _, v := range worldVerts(a, pa.Rot, vec.Vec3{}) {
		hi = max(hi, n.Dot(v))
	}
	for _, v := range worldVerts(b, pb.Rot, dx) {
		lo = min(lo, n.Dot(v))
	}
	return lo - hi
}

// TestUsersJolt2065: triangles 142 m long and millimetres wide had contacts metres away from the
// body. The test puts balls and blocks beside the long edge and above the middle, rotated and far
// from the origin.
func TestUsersJolt2065(t *testing.T) {
	const long, tol = 71.0, 1e-12 * 71
	turn := vec.FromRotationVector(vec.V(0.3, -0.8, 0.5))
	s := NewSearch()
	for _, width := range []float64{1, 1e-2, 1e-3} {
		tri := facetOf(t, vec.V(-long, 0, 0), vec.V(long, 0, 0), vec.V(0, width, 0))
		frame := vec.Pose{Pos: vec.V(-142.7733, 19.7557, 174.7865), Rot: turn}
		pf := vec.Pose{Pos: frame.Point(vec.V(0, width/3, 0)), Rot: turn}
		for _, c := range []struct{ x, y, z float64 }{
			{0, -0.1, 0.2}, {35.6943, -0.2, 0.1}, {-60, -0.3, 0}, {12, -1e-6, 0.249}, {0, width / 4, 0.2}, {0, width / 4, -0.3}, {5, 0.5 * width, 0.25},
		} {
			t.Run(fmt.Sprintf("width %g, ball at %g %g %g", width, c.x, c.y, c.z), func(t *testing.T) {
				ball := ballOf(t, 0.25)
				nearest := vec.V(c.x, max(c.y, 0), 0) // the nearest point of the triangle
				centre := vec.V(c.x, c.y, c.z)
				want := centre.Sub(nearest).Norm() - 0.25
				pa := vec.Pose{Pos: frame.Point(centre), Rot: turn}
				var out Answer
				s.Pair(ball, pa, tri, pf, 0.05, &out)
				if out.Exact && !(math.Abs(out.Gap-want) <= tol) || !out.Exact && (want <= 0.05 || out.Gap > want+tol) {
					t.Errorf("gap %.17g, expected %.17g", out.Gap, want)
				}
				if d := pf.Pos.Add(out.ArmB).Sub(frame.Point(nearest)).Norm(); out.Exact && !(d <= 1e-9) {
					t.Errorf("the contact is %g m away from the nearest point", d)
				}
				if n := frame.Rot.Rotate(nearest.Sub(centre).Unit()); out.Exact && out.Normal.Sub(n).Norm() > 1e-9 {
					t.Errorf("normal %v, expected %v", out.Normal, n)
				}
			})
		}
		block := box(t, 0.6, 1.6, 0.6)
		r := rand.New(rand.NewPCG(20, 65))
		for range 40 {
			pa := vec.Pose{Pos: frame.Point(vec.V(60*(2*r.Float64()-1), 0.4*r.Float64()-0.2, 0.4+0.5*r.Float64())), Rot: randomRot(r)}
			truth := bruteGap(block, pa, tri, pf)
			var out Answer
			s.Resolve(block, pa, tri, pf, math.Inf(1), &out)
			if err := judge(block, pa, tri, pf, truth, long, &out); err != nil {
				t.Fatalf("width %g: %v\npa=%+v", width, err, pa)
			}
		}
	}
}

// TestUsersAvian159: cubes on a hull of 20 km had reversed normals. Everywhere on the hull the
// normal is vertical, and the gap is that of the lowest corner, to the digits of coordinates of 10
// km.
func TestUsersAvian159(t *testing.T) {
	const half = 1e4
	ground, cube := box(t, 2*half, 2*half, 1), box(t, 1, 1, 1)
	r := rand.New(rand.NewPCG(1, 59))
	s := NewSearch()
	for range 400 {
		rot := randomRot(r)
		if r.IntN(3) == 0 {
			rot = vec.FromRotationVector(vec.V(0, 0, 6*r.Float64())) // face on face
		}
		low := math.Inf(1)
		for _, v := range worldVerts(cube, rot, vec.Vec3{}) {
			low = min(low, v.Z)
		}
		want := []float64{0.1, 1e-3, -1e-3, -0.1}[r.IntN(4)]
		pb := vec.Pose{Pos: vec.V(0.99*half*(2*r.Float64()-1), 0.99*half*(2*r.Float64()-1), 0.5-low+want), Rot: rot}
		var out Answer
		s.Resolve(ground, at(0, 0, 0), cube, pb, 0.2, &out)
		if !out.Exact || !(math.Abs(out.Gap-want) <= 1e-12*half) {
			t.Fatalf("%v, gap %.17g, expected %g: %+v", out.Status, out.Gap, want, pb)
		}
		if d := out.Normal.Sub(vec.V(0, 0, 1)).Norm(); !(d <= 1e-7) {
			t.Fatalf("normal %v at gap %g, expected upwards: %+v", out.Normal, want, pb)
		}
	}
}

// TestUsersBepu67: one of several nearly coplanar faces was chosen in one step and another in the
// next. A motion of 1e-9 may change the gap by no more than that, the normal by no more than the
// faces bend, and the feature only between faces of equal depth, up to the motion.
func TestUsersBepu67(t *testing.T) {
	const move = 1e-9
	for _, bend := range []float64{1e-7, 1e-5, 1e-3, 1e-2} {
		t.Run(fmt.Sprint("bend ", bend), func(t *testing.T) {
			// A block whose top is a shallow dome of 12 facets around a flat middle. A corner of a
			// cube stands on the edge between two of them.
			pts := []vec.Vec3{{X: 1, Y: 1, Z: -1}, {X: -1, Y: 1, Z: -1}, {X: -1, Y: -1, Z: -1}, {X: 1, Y: -1, Z: -1}}
			for i := range 12 {
				sin, cos := math.Sincos(float64(i) * math.Pi / 6)
				pts = append(pts, vec.V(0.95*cos, 0.95*sin, -0.45*bend), vec.V(0.5*cos, 0.5*sin, 0))
			}
			scan, cube := hullOf(t, pts), box(t, 0.1, 0.1, 0.1)
			tip := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
			r := rand.New(rand.NewPCG(67, 1))
			s := NewSearch()
			// Both facets are equally deep at this distance beyond their edge.
			const depth = 1e-4
			slope := 0.45 * bend / (0.45 * math.Cos(math.Pi/12))
			beyond := -depth * slope / (1 + math.Sqrt(1+slope*slope))
			swapped := 0
			for range 40 {
				sin, cos := math.Sincos((float64(r.IntN(12)) + 0.5) * math.Pi / 6)
				far := 0.5*math.Cos(math.Pi/12) + beyond + (2*r.Float64()-1)*move
				pb := vec.Pose{Pos: vec.V(far*cos, far*sin, 0.1*math.Sqrt(0.75)-depth), Rot: tip}
				var was, out Answer
				s.Resolve(scan, at(0, 0, 0), cube, pb, 0, &was)
				for range 20 {
					moved := pb
					moved.Pos = pb.Pos.AddScaled(move, randomUnit(r))
					s.Resolve(scan, at(0, 0, 0), cube, moved, 0, &out)
					if out.Status != Penetrating || !(math.Abs(out.Gap-was.Gap) <= move+1e-14) {
						t.Fatalf("gap %.17g, was %.17g", out.Gap, was.Gap)
					}
					if d := out.Normal.Sub(was.Normal).Norm(); !(d <= 2*bend) || out.Facet == was.Facet && d > 1e-15 {
						t.Fatalf("the normal turned by %g", d)
					}
					if out.Facet != was.Facet {
						swapped++
						if tie := math.Abs(separation(scan, at(0, 0, 0), cube, pb, out.Normal) - was.Gap); tie > 2*move+1e-14 {
							t.Fatalf("%v became %v, which is %g deeper", was.Facet, out.Facet, tie)
						}
					}
				}
			}
			// Faces that bend less than rounding tie, and the one with the lowest id stays the
			// answer.
			if bend >= 1e-3 && swapped < 40 || bend < 1e-6 && swapped > 0 {
				t.Errorf("%d of 800 moves changed the feature", swapped)
			}
		})
	}
}

// TestUsersRapier455: hulls with long, pointed tips, tip on face, tip on edge and tip on tip. The
// poses are of the reported kind; the expected answers are those of exact arithmetic.
func TestUsersRapier455(t *testing.T) {
	spike := func(tip float64) *soa.View {
		return hullOf(t, []vec.Vec3{{X: 0.05}, {X: -0.05, Y: 0.04}, {X: -0.04, Y: -0.05}, {Z: tip}, {X: 0.003, Y: 0.002, Z: -tip}})
	}
	turn := func(x, y, z float64) vec.Quat { return vec.FromRotationVector(vec.V(x, y, z)) }
	cube := box(t, 1, 1, 1)
	for _, tip := range []float64{0.5, 2, 10} {
		v := spike(tip)
		for _, h := range []float64{1e-3, 1e-9, -1e-9, -1e-3} {
			for name, b := range map[string]vec.Pose{
				"tip on face":      posed(0.2, 0.1, 0.5+tip+h, vec.Identity),
				"tip near an edge": posed(0.5-1e-9, 0.1, 0.5+tip+h, vec.Identity),
				"lying on a face":  posed(0.1, 0, 0.52+h, turn(math.Pi/2, 0, 0)),
				"leaning":          posed(0.4, 0.3, 0.6+h, turn(1.1, 0.2, 0.3)),
			} {
				out := answered(t, cube, at(0, 0, 0), v, b)
				exact := oracle.ExactGap(cube, at(0, 0, 0), v, b)
				if d := math.Abs(out.Gap - exact); !(d <= 1e-12*v.Radius) {
					t.Errorf("%s, tip %g, %g apart: gap %.17g, exactly %.17g", name, tip, h, out.Gap, exact)
				}
				if name == "tip on face" && !(math.Abs(out.Gap-h) <= 1e-13*tip) {
					t.Errorf("tip %g on a face: gap %g, expected %g", tip, out.Gap, h)
				}
			}
			// A horizontal plane separates the tips. If they overlap, the shorter way out is
			// sideways.
			out := answered(t, v, at(0, 0, 0), v, posed(0, 0, 2*tip+h, turn(math.Pi, 0, 0)))
			if ok := math.Abs(out.Gap-h) <= 1e-13*tip || h < 0 && out.Gap < 0 && out.Gap >= h; !ok {
				t.Errorf("tips %g, %g apart: gap %g", tip, h, out.Gap)
			}
		}
	}
}
