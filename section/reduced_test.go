package section

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestKnown tests sections with an obvious centroid. Locations are relative to A's position. The
// tolerance is 1e-12·size, or 3·tolSection·size if a body only touches, because the section is then
// just below the surface.
func TestKnown(t *testing.T) {
	cube := view(t, boxBody(1, 1, 1))
	slab := view(t, boxBody(8, 8, 4))
	bar := view(t, barBody(6, 1))
	upright := vec.FromRotationVector(vec.V(1, 1, 1).Cross(vec.V(0, 0, 1)).Unit().Scale(vec.Acos(1 / math.Sqrt(3))))
	quarter := about(vec.V(0, 0, 1), 90)
	up, down := vec.V(0, 0, 1), vec.V(0, 0, -1)
	const h = 0.1
	half := math.Sqrt(3) / 2 // half a diagonal of the unit cube
	for _, c := range []struct {
		name     string
		a, b     *soa.View
		pa, pb   vec.Pose
		normal   vec.Vec3
		gap      float64
		location vec.Vec3
		area     float64
		tol      float64
	}{
		{"V1 cubes offset", cube, cube, at(0, 0, 0), at(0.3, 0.2, 0.1), vec.V(1, 0, 0), -0.7, vec.V(0.15, 0.1, 0.05), 0.72, 1e-12},
		{"V2 turned by 30, stacked", cube, cube, at(0, 0, 0), turned(about(up, 30), 0, 0, 0.99), up, -0.01, vec.V(0, 0, 0.495), 0.84529946162074954, 1e-12},
		{"V2 turned by 45, stacked", cube, cube, at(0, 0, 0), turned(about(up, 45), 0, 0, 0.99), up, -0.01, vec.V(0, 0, 0.495), 0.82842712474619029, 1e-12},
		// Half-way up the pyramid of depth h, the section is a quarter of its base (3√3/2)h².
		{"V5 corner", cube, slab, turned(upright, 0, 0, half-h), at(0, 0, -2), down, -h, vec.V(0, 0, -h/2-(half-h)), 3 * math.Sqrt(3) / 8 * h * h, 1e-12},
		{"V6 edge", bar, slab, at(0, 0, 1-h), at(0, 0, -2), down, -h, vec.V(0, 0, -h/2-(1-h)), 6 * h, 1e-12},
		{"V6 edge overhanging", bar, slab, at(4, 0, 1-h), at(0, 0, -2), down, -h, vec.V(-1.5, 0, -h/2-(1-h)), 3 * h, 1e-12},
		{"V7 crossed bars", bar, bar, turned(quarter, 0, 0, 1-h), at(0, 0, -1), down, -h, vec.V(0, 0, -h/2-(1-h)), h * h, 1e-12},
		{"parallel bars", bar, bar, at(1, 0, 1-h), at(0, 0, -1), down, -h, vec.V(-0.5, 0, -h/2-(1-h)), 5 * h, 1e-12},
		{"faces graze", cube, cube, at(0, 0, 0), at(1, 0.25, 0.5), vec.V(1, 0, 0), 0, vec.V(0.5, 0.125, 0.25), 0.375, 1e-12},
		{"faces apart", cube, cube, at(0, 0, 0), at(1.25, 0.25, 0.5), vec.V(1, 0, 0), 0.25, vec.V(0.625, 0.125, 0.25), 0.375, 1e-12},
		{"corner grazes", cube, slab, turned(upright, 0, 0, half), at(0, 0, -2), down, 0, vec.V(0, 0, -half), 0, 3 * tolSection},
		{"corner apart", cube, slab, turned(upright, 0, 0, half+h), at(0, 0, -2), down, h, vec.V(0, 0, -h/2-half), 3 * math.Sqrt(3) / 8 * h * h, 1e-12},
		{"crossed bars graze", bar, bar, turned(quarter, 0, 0, 1), at(0, 0, -1), down, 0, vec.V(0, 0, -1), 0, 3 * tolSection},
		{"parallel bars graze", bar, bar, at(1, 0, 1), at(0, 0, -1), down, 0, vec.V(-0.5, 0, -1), 0, 6 * 6 * tolSection},
		{"corners graze", cube, cube, turned(upright, 0, 0, half), turned(upright, 0, 0, -half), down, 0, vec.V(0, 0, -half), 0, 3 * tolSection},
		{"concentric cubes", cube, cube, at(0, 0, 0), at(0, 0, 0), vec.V(1, 0, 0), -1, vec.V(0, 0, 0), 1, 1e-12},
		{"far inside: the plane ends where the body does", cube, slab, at(0.25, 0, 0.25), at(0, 0, 0), up, -2.25, vec.V(0, 0, 0.625), 1, 1e-12},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pair{a: c.a, b: c.b, pa: c.pa, pb: c.pb, normal: c.normal, gap: c.gap}
			// The deepest points: A's lies -gap beyond B's, both on the line along the normal
			// through the location.
			p.armA = c.location.AddScaled(-c.gap/2, c.normal)
			p.armB = c.location.AddScaled(c.gap/2, c.normal).Sub(c.pb.Pos.Sub(c.pa.Pos))
			cut := NewCutter()
			loc, area := p.must(t, cut)
			nearVec(t, "location", loc, c.location, c.tol)
			if c.area > 0 {
				near(t, "area", area, c.area, c.tol)
			}
			back, areaBack := p.swapped().must(t, cut)
			nearVec(t, "swapped location", back.Add(p.pb.Pos), loc.Add(p.pa.Pos), 1e-14)
			near(t, "swapped area", areaBack, area, 1e-14)
			if slow, slowArea, ok := p.slow(); ok && c.name != "far inside: the plane ends where the body does" {
				nearVec(t, "location against the slow section", loc, slow, 1e-12+c.tol)
				near(t, "area against the slow section", area, slowArea, 1e-12)
			}
		})
	}
}

// TestOverlapAgrees: if the common part is symmetric about the mid-plane, its centroid is that of
// the section.
func TestOverlapAgrees(t *testing.T) {
	cube, bar := boxBody(1, 1, 1), barBody(6, 1)
	q := about(vec.V(0, 0, 1), 30)
	for _, c := range []struct {
		name string
		a, b oracle.ConvexBody
		pb   vec.Pose
	}{
		{"V1", cube, cube, at(0.3, 0.2, 0.1)},
		{"V2", cube, cube, turned(q, 0.1, 0.05, 0.98)},
		{"V7", bar, bar, turned(about(vec.V(0, 0, 1), 90), 0.5, 1, 1.9)},
		{"V7 at 60°", bar, bar, turned(about(vec.V(0, 0, 1), 60), 0.5, 0.5, 1.9)},
	} {
		p := solve(view(t, c.a), vec.IdentityPose, view(t, c.b), c.pb)
		m := oracle.NewOverlap(p.a, p.pa, p.b, p.pb).At(vec.Vec3{}, vec.Vec3{}, vec.Vec3{})
		var want vec.Vec3
		want.X, _ = m.Centroid[0].Float64()
		want.Y, _ = m.Centroid[1].Float64()
		want.Z, _ = m.Centroid[2].Float64()
		loc, _ := p.must(t, NewCutter())
		nearVec(t, c.name, loc, want, 1e-12)
	}
}

// randomPair returns rocks that overlap by about depth times their size, or are apart if depth is
// negative.
func randomPair(t testing.TB, r *rand.Rand, depth float64) pair {
	a, b := view(t, rockBody(r, 6+r.IntN(7))), view(t, rockBody(r, 6+r.IntN(7)))
	pa := turned(turn(r), r.Float64(), r.Float64(), r.Float64())
	pb := vec.Pose{Rot: turn(r)}
	d := direction(r)
	pb.Pos = pa.Pos.Add(d.Scale(3))
	// Move along d until the gap is as wanted: a few steps of Newton's method from outside.
	for range 40 {
		p := solve(a, pa, b, pb)
		off := p.gap + depth
		if math.Abs(off) < 1e-3*math.Abs(depth) {
			return p
		}
		pb.Pos = pb.Pos.AddScaled(-off/max(0.3, p.normal.Dot(d)), d)
	}
	return solve(a, pa, b, pb)
}

func TestAgainstSlowSection(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	c := NewCutter()
	for _, depth := range []float64{0.3, 0.1, 1e-2, 1e-3, 1e-4, -1e-3, -1e-2, -0.1} {
		worst := 0.0
		for range 25 {
			p := randomPair(t, r, depth)
			loc, area := p.must(t, c)
			slow, slowArea, ok := p.slow()
			if !ok {
				t.Fatalf("depth %g: the slow section is empty", depth)
			}
			worst = max(worst, loc.Sub(slow).Norm())
			nearVec(t, "location", loc, slow, 1e-12)
			near(t, "area", area, slowArea, 1e-12)
		}
		t.Logf("depth %g: worst difference %.3g", depth, worst)
	}
}

func TestMetamorphic(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	c := NewCutter()
	for i := range 40 {
		p := randomPair(t, r, []float64{0.1, 1e-2, 1e-3, -1e-2}[i%4])
		loc, area := p.must(t, c)

		back, areaBack := p.swapped().must(t, c)
		nearVec(t, "swapped", back.Add(p.pb.Pos), loc.Add(p.pa.Pos), 1e-13)
		near(t, "swapped area", areaBack, area, 1e-13)

		q := turn(r)
		g := p
		g.pa = vec.Pose{Pos: q.Rotate(p.pa.Pos), Rot: q.Mul(p.pa.Rot)}
		g.pb = vec.Pose{Pos: q.Rotate(p.pb.Pos), Rot: q.Mul(p.pb.Rot)}
		g.normal, g.armA, g.armB = q.Rotate(p.normal), q.Rotate(p.armA), q.Rotate(p.armB)
		moved, areaMoved := g.must(t, c)
		nearVec(t, "turned", moved, q.Rotate(loc), 1e-12)
		near(t, "turned area", areaMoved, area, 1e-12)

		// Positions on a grid of 2^-30 move by 2^20 without rounding, so no bit may change.
		grid := func(v vec.Vec3) vec.Vec3 {
			return vec.V(math.Round(v.X*0x1p30), math.Round(v.Y*0x1p30), math.Round(v.Z*0x1p30)).Scale(0x1p-30)
		}
		near0 := p
		near0.pa.Pos, near0.pb.Pos = grid(p.pa.Pos), grid(p.pb.Pos)
		far := near0
		far.pa.Pos = far.pa.Pos.Add(vec.V(0x1p20, -0x1p20, 0x1p20))
		far.pb.Pos = far.pb.Pos.Add(vec.V(0x1p20, -0x1p20, 0x1p20))
		here, _ := near0.must(t, c)
		there, _ := far.must(t, c)
		nearVec(t, "a million away", there, here, 0)
	}
}

// TestScale: the same pair in units from 1e-6 to 1e6 has the same location; for powers of two, the
// same bits.
func TestScale(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	c := NewCutter()
	for _, s := range []float64{1e-6, 1e6, 0x1p-40, 0x1p40, 0x1p-300, 0x1p300} {
		a, b := rockBody(r, 9), rockBody(r, 9)
		rel := vec.V(1.2, 0.4, 0.3)
		scaled := func(m oracle.ConvexBody, s float64) oracle.ConvexBody {
			out := oracle.ConvexBody{Faces: m.Faces}
			for _, v := range m.Verts {
				out.Verts = append(out.Verts, v.Scale(s))
			}
			return out
		}
		p := solve(view(t, a), at(0, 0, 0), view(t, b), vec.Pose{Pos: rel, Rot: turn(r)})
		q := p
		q.a, q.b = view(t, scaled(a, s)), view(t, scaled(b, s))
		q.a.Radius, q.b.Radius = p.a.Radius*s, p.b.Radius*s
		q.pb.Pos, q.gap, q.armA, q.armB = rel.Scale(s), p.gap*s, p.armA.Scale(s), p.armB.Scale(s)
		loc, _ := p.must(t, c)
		got, _ := q.must(t, c)
		tol := 1e-13
		if f, _ := math.Frexp(s); f == 0.5 {
			tol = 0
		}
		nearVec(t, "location", got.Scale(1/s), loc, tol)
	}
}

// TestContinuousThroughZero: for a face on a face, an edge and a corner on a face, and crossed
// edges, the location moves less than 1e-6 of the size as the gap goes from -1e-9 to 1e-9.
func TestContinuousThroughZero(t *testing.T) {
	cube, slab, bar := view(t, boxBody(1, 1, 1)), view(t, boxBody(8, 8, 4)), view(t, barBody(6, 1))
	c := NewCutter()
	r := rand.New(rand.NewPCG(27, 28))
	for _, k := range []struct {
		name string
		a    *soa.View
		rot  vec.Quat
		top  float64 // height of the centre over the slab at gap 0
	}{
		{"face", cube, about(vec.V(0, 0, 1), 20), 0.5},
		{"edge", bar, about(vec.V(0, 0, 1), 20), 1},
		{"corner", cube, about(vec.V(1, -1, 0), 54.735610317245346), math.Sqrt(3) / 2},
	} {
		t.Run(k.name, func(t *testing.T) {
			q := turn(r) // rotates the whole scene, so that no faces are exactly parallel
			var first vec.Vec3
			for i := -10; i <= 10; i++ {
				gap := float64(i) * 1e-10
				pos := vec.V(3.75, 1, k.top+gap)
				p := pair{
					a: k.a, b: slab, gap: gap, normal: q.Rotate(vec.V(0, 0, -1)),
					pa: vec.Pose{Pos: q.Rotate(pos), Rot: q.Mul(k.rot)}, pb: vec.Pose{Pos: q.Rotate(vec.V(0, 0, -2)), Rot: q},
				}
				p.armA = q.Rotate(vec.V(0, 0, -k.top))
				p.armB = q.Rotate(vec.V(3.75, 1, 2))
				loc, _ := p.must(t, c)
				if i == -10 {
					first = loc
				}
				nearVec(t, "location", loc, first, 1e-6)
			}
		})
	}
}

// TestCoplanarAndLateral: boxes with exactly parallel faces and coinciding sides, and boxes that
// touch along a line only because their sections do.
func TestCoplanarAndLateral(t *testing.T) {
	cube := view(t, boxBody(1, 1, 1))
	c := NewCutter()
	up := vec.V(0, 0, 1)
	for _, eps := range []float64{0, 0x1p-53, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3} {
		for _, gap := range []float64{-1e-3, -1e-15, 0, 1e-15, 1e-3} {
			// Coplanar: the common section is the whole face but for eps.
			p := pair{a: cube, b: cube, pa: at(0, 0, 0), pb: at(eps, 0, 1+gap), normal: up, gap: gap,
				armA: vec.V(0, 0, 0.5), armB: vec.V(0, 0, -0.5)}
			loc, area := p.must(t, c)
			nearVec(t, "coplanar", loc, vec.V(eps/2, 0, 0.5+gap/2), 1e-14)
			near(t, "coplanar area", area, 1-eps, 1e-14)
			// Lateral: the sections share a strip of width eps, or a line if eps is zero. The
			// location is its middle.
			p.pb.Pos.X, p.armA, p.armB = 1-eps, vec.V(0.5, 0.25, 0.5), vec.V(-0.5, 0.25, -0.5)
			loc, area, ok := p.reduced(c)
			if !ok {
				t.Fatalf("lateral strip of %g has no section", eps)
			}
			// If the widths of a strip's ends differ by a rounding, its centroid has an error of
			// this rounding over the width. A strip thinner than tolThin counts as a line.
			tol := 1e-14
			if eps > tolThin {
				tol += 0x1p-52 / eps
			}
			nearVec(t, "lateral", loc, vec.V(0.5-eps/2, 0, 0.5+gap/2), tol)
			near(t, "lateral area", area, eps, 1e-14)
		}
	}
	// Sections that pass each other share nothing: the location is the midpoint of the witness
	// points, and ok is false.
	p := pair{a: cube, b: cube, pa: at(0, 0, 0), pb: at(1.5, 0, 1), normal: up, armA: vec.V(0.5, 0, 0.5), armB: vec.V(-0.5, 0, -0.5)}
	loc, area, ok := p.reduced(c)
	if ok || area != 0 {
		t.Error("boxes past each other have a common section")
	}
	nearVec(t, "fallback", loc, vec.V(0.75, 0, 0.5), 0)
}

func TestBall(t *testing.T) {
	var s soa.Shapes
	i, err := s.Add(&soa.Template{Kind: soa.Ball, Radius: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	p := pair{a: s.View(i), b: view(t, boxBody(1, 1, 1)), pa: at(1, 2, 3), pb: at(1, 2, 3.9), normal: vec.V(0, 0, 1), gap: -0.1,
		armA: vec.V(0, 0, 0.5), armB: vec.V(0, 0, -0.5)}
	loc, area := p.must(t, NewCutter())
	nearVec(t, "location", loc, vec.V(0, 0, 0.45), 1e-15)
	near(t, "area", area, 0, 0)
	nearVec(t, "BallLocation", BallLocation(p.pa, p.pb, p.armA, p.armB), loc, 0)
}

func TestNoAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	p := randomPair(t, r, 1e-2)
	f := facetPair(t)
	c := NewCutter()
	p.reduced(c)
	f.reduced(c)
	if n := testing.AllocsPerRun(100, func() {
		p.reduced(c)
		f.reduced(c)
	}); n != 0 {
		t.Errorf("%g allocations a call", n)
	}
}
