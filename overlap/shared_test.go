package overlap

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

var soakOverlaps = flag.Int("soak.overlaps", 0, "pairs of TestSoakOverlaps, of shapes of up to 64 vertices, and of TestKindsOfOverlaps, and thousands of TestShareOnALattice; 0 for the few of the ordinary run")

// overlapping is two shapes and their poses. They were moved together along the direction along, by
// depth.
type overlapping struct {
	a, b   *soa.View
	pa, pb vec.Pose
	along  vec.Vec3
	depth  float64 // m
	size   float64 // m
}

// meet moves two shapes together along a direction until Share finds a volume, and then by depth.
func meet(c *Clipper, a, b *soa.View, qa, qb vec.Quat, along vec.Vec3, depth float64) overlapping {
	o := overlapping{a: a, b: b, pa: vec.Pose{Rot: qa}, pb: vec.Pose{Rot: qb}, along: along, depth: depth, size: a.Radius + b.Radius}
	lo, hi := 0.0, o.size
	for lo < 0.5*(lo+hi) && 0.5*(lo+hi) < hi {
		o.pb.Pos = along.Scale(0.5 * (lo + hi))
		if _, ok := c.Share(a, o.pa, b, o.pb, along); ok {
			lo = 0.5 * (lo + hi)
		} else {
			hi = 0.5 * (lo + hi)
		}
	}
	o.pb.Pos = along.Scale(lo - depth)
	return o
}

// overlaps calls do with n overlaps, 1e-7 to 0.3 of the size deep. Shapes are thin and thick, with
// random or nearly equal rotations.
func overlaps(t testing.TB, n, most int, seed uint64, do func(o overlapping)) {
	r := rand.New(rand.NewPCG(seed, 7))
	shapes := []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.7, 0.2)), view(t, boxBody(1, 1, 1e-3)), view(t, barBody(2, 0.3)),
		view(t, rockBody(r, 4)), view(t, rockBody(r, 8)), view(t, rockBody(r, 12)), view(t, rockBody(r, 32)), view(t, rockBody(r, 64)),
	}
	for len(shapes) > 1 && shapes[len(shapes)-1].NVerts > most {
		shapes = shapes[:len(shapes)-1]
	}
	c := NewClipper()
	for k := range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		qa, qb, along := turn(r), turn(r), direction(r)
		switch k % 4 {
		case 0:
			qb = vec.FromRotationVector(direction(r).Scale(math.Pow(10, -12+12*r.Float64()))).Mul(qa)
		case 1:
			along = qa.Rotate([]vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}}[r.IntN(3)])
		}
		do(meet(c, a, b, qa, qb, along, math.Pow(10, -7+6.5*r.Float64())))
	}
}

// TestSharedIsExact compares volume, λ and its gradients with an exact oracle. All types of
// overlaps must occur.
func TestSharedIsExact(t *testing.T) {
	const n = 60
	c := NewClipper()
	counted, worst := 0, overlapErrors{}
	var types [nShapes]int
	overlaps(t, n, 12, 1, func(o overlapping) {
		if e, _, ok := compare(t, c, o); ok {
			counted++
			types[c.lastShape(o.a, o.b)]++
			worst = worst.over(e)
		}
	})
	t.Logf("%d overlaps, by type %v, worst errors of stiffness and size %+v", counted, types, worst)
	if types[corner4]+types[corner8] < n/6 || types[crossing] < n/6 || types[prism4]+types[prism6]+types[prism8] == 0 {
		t.Errorf("of %d overlaps the types are %v", n, types)
	}
	if counted < n*9/10 {
		t.Errorf("%d of %d pairs overlap", counted, n)
	}
}

// TestSharedKnown tests overlaps with analytic results.
func TestSharedKnown(t *testing.T) {
	c := NewClipper()
	cube := view(t, boxBody(1, 1, 1))
	s, ok := c.Share(cube, at(0, 0, 0), cube, at(0.3, 0.2, 0.1), vec.V(1, 0, 0)) // V1
	if near(t, "volume", s.Volume, 0.504, 1e-15); !ok {
		t.Fatal("no overlap")
	}
	nearVec(t, "centroid", s.Centroid, vec.V(0.15, 0.1, 0.05), 1e-15)
	near(t, "spread along x", s.Spread.XX, 0.49/12, 1e-15)
	nearVec(t, "volume's gradient", s.VolumeGradient, vec.V(0.8*0.9, 0.7*0.9, 0.7*0.8), 1e-14)

	// A cube on a cube, coplanar and 1e-4 deep: λ = δ²/12 but for (δ/L)⁴, force k·δ, no moment.
	s, _ = c.Share(cube, at(0, 0, 0), cube, at(0, 0, 1-1e-4), vec.V(0, 0, 1))
	near(t, "thickness", math.Sqrt(12*s.Variance), 1e-4, 1e-14)
	nearVec(t, "gradient", s.VarianceGradient.Scale(6), vec.V(0, 0, 1e-4), 1e-13)
	nearVec(t, "turn", s.VarianceTurn, vec.Vec3{}, 1e-16)

	// A corner in a plane, with its diagonal orthogonal to the plane (V5).
	diagonal := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	plane := planeView(t)
	s, _ = c.Share(cube, turned(diagonal, 0, 0, math.Sqrt(3)/2-0.1), plane, at(0, 0, 0), vec.V(0, 0, -1))
	near(t, "volume of a corner", s.Volume, 8.6602540378e-4, 1e-13)
	nearVec(t, "centroid of a corner", s.Centroid.Add(vec.V(0, 0, math.Sqrt(3)/2-0.1)), vec.V(0, 0, -0.025), 1e-14)
	near(t, "area of a corner", -s.VolumeGradient.Z, 1.5*math.Sqrt(3)*0.01, 1e-14)

	// Two long bars that cross at 90° (V7).
	bar := view(t, barBody(4, 0.5))
	s, _ = c.Share(bar, at(0, 0, 0), bar, turned(about(vec.V(0, 0, 1), 90), 0, 0, 0.9), vec.V(0, 0, 1))
	near(t, "volume of crossing edges", s.Volume, 2.0/3*1e-3, 1e-15)
	nearVec(t, "area of crossing edges", s.VolumeGradient, vec.V(0, 0, 0.02), 1e-15)

	if _, ok := c.Share(cube, at(0, 0, 0), cube, at(0, 0, 1.001), vec.V(0, 0, 1)); ok {
		t.Error("cubes apart share a volume")
	}
}

// TestSharedInvariant swaps, moves, rotates and scales overlaps, and passes other directions.
func TestSharedInvariant(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	c := NewClipper()
	overlaps(t, 300, 64, 2, func(o overlapping) {
		s, ok := c.Share(o.a, o.pa, o.b, o.pb, o.along)
		if !ok {
			return
		}
		thickness := math.Sqrt(12 * s.Variance)
		tol := 1e-13 * o.size
		same := func(what string, u Moments, ok bool, q vec.Quat) {
			t.Helper()
			if !ok || math.Abs(math.Sqrt(12*u.Variance)-thickness) > 1e-6*thickness+tol ||
				6*q.Rotate(s.VarianceGradient).Sub(u.VarianceGradient).Norm() > tol || 6*q.Rotate(s.VarianceTurn).Sub(u.VarianceTurn).Norm() > tol*o.size {
				t.Errorf("%s: thickness %g, gradient %v, turn %v; before %g, %v, %v", what, math.Sqrt(12*u.Variance), u.VarianceGradient, u.VarianceTurn,
					thickness, q.Rotate(s.VarianceGradient), q.Rotate(s.VarianceTurn))
			}
		}
		u, ok := c.Share(o.b, o.pb, o.a, o.pa, o.along.Neg())
		u.VarianceGradient, u.VarianceTurn = u.VarianceGradient.Neg(), u.VarianceTurn.Neg()
		same("swapped", u, ok, vec.Identity)
		u, ok = c.Share(o.a, o.pa, o.b, o.pb, direction(r))
		same("asked with another direction", u, ok, vec.Identity)
		q := turn(r)
		u, ok = c.Share(o.a, vec.Pose{Rot: q.Mul(o.pa.Rot)}, o.b, vec.Pose{Pos: q.Rotate(o.pb.Pos), Rot: q.Mul(o.pb.Rot)}, q.Rotate(o.along))
		same("turned", u, ok, q)
		by := vec.V(0x1p20, -0x1p19, 0x1p18)
		u, ok = c.Share(o.a, vec.Pose{Pos: by, Rot: o.pa.Rot}, o.b, vec.Pose{Pos: o.pb.Pos.Add(by), Rot: o.pb.Rot}, o.along)
		tol = 1e-8 // because of the digits of the positions
		same("moved", u, ok, vec.Identity)
	})
}

// TestSharedClosedPaths leads A along closed paths of poses in B. The work of the force and moment
// of a potential must be zero.
func TestSharedClosedPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	c := NewClipper()
	const n = 2000
	for k := range 8 {
		cube, rock := view(t, boxBody(1, 1, 1)), view(t, rockBody(r, 12))
		o := meet(c, []*soa.View{cube, rock}[k%2], cube, turn(r), turn(r), direction(r), 0.05)
		// Lissajous figures of position and rotation.
		u, v, w, x := direction(r), direction(r), direction(r), direction(r)
		pose := func(i int) vec.Pose {
			s, co := vec.Sincos(2 * math.Pi * float64(i) / n)
			s2, c2 := vec.Sincos(4 * math.Pi * float64(i) / n)
			place := u.Scale(0.02*s).AddScaled(0.02*(c2-1), v)
			return vec.Pose{Pos: o.pa.Pos.Add(place), Rot: vec.FromRotationVector(w.Scale(0.1*(co-1)).AddScaled(0.1*s2, x)).Mul(o.pa.Rot)}
		}
		work, all := 0.0, 0.0
		for i := range n {
			p, q := pose(i), pose(i+1)
			// The midpoint rule, in position and rotation.
			half := vec.Quat{W: p.Rot.W + q.Rot.W, X: p.Rot.X + q.Rot.X, Y: p.Rot.Y + q.Rot.Y, Z: p.Rot.Z + q.Rot.Z}.Normalized()
			mid := vec.Pose{Pos: p.Pos.Add(q.Pos).Scale(0.5), Rot: half}
			s, ok := c.Share(o.a, mid, o.b, o.pb, o.along)
			if !ok {
				continue
			}
			d := q.Rot.Mul(p.Rot.Conj())
			angle := vec.V(d.X, d.Y, d.Z).Scale(2)
			// The rotation is about A's position; VarianceTurn is about the centroid.
			moment := s.VarianceTurn.Add(s.Centroid.Cross(s.VarianceGradient))
			dw := s.VarianceGradient.Dot(q.Pos.Sub(p.Pos)) + moment.Dot(angle)
			work += dw
			all += math.Abs(dw)
		}
		if !(all > 0) || math.Abs(work) > 2e-5*all {
			t.Errorf("path %d: the work comes to %.2g of what goes back and forth", k, work/all)
		}
	}
}

func TestShareAllocatesNothing(t *testing.T) {
	c := NewClipper()
	var all []overlapping
	overlaps(t, 40, 64, 3, func(o overlapping) { all = append(all, o) })
	ask := func() {
		for k := range all {
			o := &all[k]
			c.Share(o.a, o.pa, o.b, o.pb, o.along)
		}
	}
	ask()
	if n := testing.AllocsPerRun(5, ask); n > 0 {
		t.Errorf("%g allocations for %d overlaps", n, len(all))
	}
}

func BenchmarkShare(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 6))
	cube, brick, rock := view(b, boxBody(1, 1, 1)), view(b, boxBody(1, 0.7, 0.5)), view(b, rockBody(r, 12))
	large := view(b, rockBody(r, 64))
	for _, k := range []struct {
		name string
		a, b *soa.View
		turn vec.Quat
	}{
		{"face on face", cube, brick, about(vec.V(0, 0, 1), 20)},
		{"corner on face", cube, cube, vec.FromRotationVector(vec.V(0.6, -0.7, 0.1))},
		{"rocks of 12", rock, rock, turn(r)}, {"rocks of 64", large, large, turn(r)},
	} {
		c := NewClipper()
		o := meet(c, k.a, k.b, vec.Identity, k.turn, vec.V(0, 0, 1), 1e-3)
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				c.Share(o.a, o.pa, o.b, o.pb, o.along)
			}
		})
	}
}

func planeView(t testing.TB) *soa.View {
	t.Helper()
	var s soa.Shapes
	id, err := s.Add(&soa.Template{Kind: soa.Plane, Name: "plane"})
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

// FuzzShare computes overlaps of bodies in arbitrary poses. The result must be finite, and the same
// with A and B swapped.
func FuzzShare(f *testing.F) {
	r := rand.New(rand.NewPCG(8, 8))
	shapes := []*soa.View{view(f, boxBody(1, 1, 1)), view(f, boxBody(1, 1, 1e-6)), view(f, rockBody(r, 4)), view(f, rockBody(r, 20))}
	f.Add(uint8(0), 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
	f.Add(uint8(0), 1.0, 0.0, 0.0, 1e-9, 0.5, 0.5, 1-1e-9)
	f.Add(uint8(7), 0.3, 0.4, -0.5, 0.1, 0.2, 0.3, 0.4)
	f.Add(uint8(5), 1.0, 1e-12, 0.0, 0.0, 0.0, 0.0, 1e-7)
	f.Fuzz(func(t *testing.T, which uint8, w, x, y, z, px, py, pz float64) {
		q, p := vec.Quat{W: w, X: x, Y: y, Z: z}, vec.V(px, py, pz)
		if n := q.Norm(); !(n > 1e-3 && n < 1e3) || !p.Finite() || p.MaxAbs() > 1e6 {
			return
		}
		a, b := shapes[which%4], shapes[which/4%4]
		pb := vec.Pose{Pos: p, Rot: q.Normalized()}
		along := p.Unit()
		if along == (vec.Vec3{}) {
			along = vec.V(0, 0, 1)
		}
		c := NewClipper()
		s, ok := c.Share(a, vec.IdentityPose, b, pb, along)
		u, okToo := c.Share(b, pb, a, vec.IdentityPose, along.Neg())
		if ok && !(s.Volume > 0 && s.Variance > 0 && s.Centroid.Finite() && s.VarianceGradient.Finite() && s.VarianceTurn.Finite() && s.VolumeGradient.Finite()) {
			t.Fatalf("the overlap is %+v", s)
		}
		size := a.Radius + b.Radius
		if thick := 1e-6 * size; ok && math.Sqrt(s.Variance) > thick || okToo && math.Sqrt(u.Variance) > thick {
			// If faces of both bodies are coplanar but for rounding, the force along their normal
			// jumps there.
			if !ok || !okToo || math.Abs(s.Variance-u.Variance) > 1e-9*size*size || math.Abs(s.Volume-u.Volume) > 1e-9*size*size*size {
				t.Fatalf("from A %v %+v, from B %v %+v", ok, s, okToo, u)
			}
		}
	})
}
