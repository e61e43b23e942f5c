package geometry

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func massBox(t testing.TB, x, y, z float64) *soa.Template {
	return must[*Polyhedron](t)(Box(x, y, z)).Template()
}

func massBall(t testing.TB, r float64) *soa.Template { return must[*soa.Template](t)(BallTemplate(r)) }

func shifted(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z)} }

// sameMass compares masses, centres and moments, as shares of the mass and the size.
func sameMass(t *testing.T, what string, got, want BodyMass, size, tol float64) {
	t.Helper()
	if off := math.Abs(got.Mass - want.Mass); !(off <= tol*want.Mass) {
		t.Errorf("%s: mass %.15g kg, expected %.15g", what, got.Mass, want.Mass)
	}
	if off := got.Centre.Sub(want.Centre).Norm(); !(off <= tol*size) {
		t.Errorf("%s: centre %v, expected %v", what, got.Centre, want.Centre)
	}
	d := got.Inertia.Add(want.Inertia.Scale(-1))
	if off := max(math.Abs(d.XX), math.Abs(d.YY), math.Abs(d.ZZ), math.Abs(d.XY), math.Abs(d.XZ), math.Abs(d.YZ)); !(off <= tol*want.Mass*size*size) {
		t.Errorf("%s: inertia %v, expected %v", what, got.Inertia, want.Inertia)
	}
}

// sumOf returns the mass of parts that do not overlap; a negative density takes away. It is the sum over parts of
// engine bodies, written again.
func sumOf(parts ...BodyMass) (m BodyMass) {
	for _, p := range parts {
		m.Mass += p.Mass
		m.Centre = m.Centre.AddScaled(p.Mass, p.Centre)
	}
	m.Centre = m.Centre.Scale(1 / m.Mass)
	for _, p := range parts {
		d := p.Centre.Sub(m.Centre)
		m.Inertia = m.Inertia.Add(p.Inertia).Add(vec.Sym3{
			XX: p.Mass * (d.Y*d.Y + d.Z*d.Z), YY: p.Mass * (d.X*d.X + d.Z*d.Z), ZZ: p.Mass * (d.X*d.X + d.Y*d.Y),
			XY: -p.Mass * d.X * d.Y, XZ: -p.Mass * d.X * d.Z, YZ: -p.Mass * d.Y * d.Z,
		})
	}
	return m
}

// boxAt is a box with edges a and the centre c.
func boxAt(density float64, a, c vec.Vec3) BodyMass {
	m := density * a.X * a.Y * a.Z
	return BodyMass{m, c, vec.Sym3{XX: m / 12 * (a.Y*a.Y + a.Z*a.Z), YY: m / 12 * (a.X*a.X + a.Z*a.Z), ZZ: m / 12 * (a.X*a.X + a.Y*a.Y)}}
}

// TestUnionOfCubes is case V43 for blocks: unit cubes offset by (0.3, 0.2, 0.1) share 0.504 m³. Their mass is that of
// both less that of the box that they share, with the density of the first in it.
func TestUnionOfCubes(t *testing.T) {
	cube, d := massBox(t, 1, 1, 1), vec.V(0.3, 0.2, 0.1)
	one, shared := vec.V(1, 1, 1), vec.V(0.7, 0.8, 0.9)
	for _, density := range [][2]float64{{1, 1}, {2000, 3000}, {3000, 10}} {
		got := must[BodyMass](t)(UnionMass([]MassPiece{{cube, vec.Pose{}, density[0]}, {cube, vec.Pose{Pos: d}, density[1]}}))
		want := sumOf(boxAt(density[0], one, vec.Vec3{}), boxAt(density[1], one, d), boxAt(-density[1], shared, d.Scale(0.5)))
		sameMass(t, fmt.Sprint(density), got, want, 1, 1e-12)
		if density[0] == 1 && math.Abs(got.Mass-1.496) > 1e-12 {
			t.Errorf("the volume is %.15g m³, expected 1.496", got.Mass)
		}
	}
}

// TestUnionOfBalls is case V43 for balls: two unit balls 1 m apart have 9π/4 m³. The part of the second one outside of
// the first, and that of other pairs, has the moments of a ball less those of two caps.
func TestUnionOfBalls(t *testing.T) {
	unit := massBall(t, 1)
	got := must[BodyMass](t)(UnionMass([]MassPiece{{unit, vec.Pose{}, 1}, {unit, shifted(1, 0, 0), 1}}))
	t.Logf("off by %.2g", got.Mass/(9*math.Pi/4)-1)
	if math.Abs(got.Mass/(9*math.Pi/4)-1) > 1e-5 {
		t.Errorf("the union of two unit balls 1 m apart has %.9g m³, expected %.9g", got.Mass, 9*math.Pi/4)
	}
	// A cap of a ball of radius r about the origin, from x = a to r, and its moments by ∫ of discs.
	cap := func(density, r, a float64) BodyMass {
		in := func(n int, x float64) float64 { return math.Pow(x, float64(n+1)) / float64(n+1) }
		of := func(n int) float64 { // ∫ xⁿ·π(r² − x²) dx
			return density * math.Pi * (r*r*(in(n, r)-in(n, a)) - (in(n+2, r) - in(n+2, a)))
		}
		yy := density * math.Pi / 4 * (r*r*r*r*(r-a) - 2*r*r*(in(2, r)-in(2, a)) + in(4, r) - in(4, a)) // ∫ π/4·(r² − x²)² dx
		m, c := of(0), of(1)/of(0)
		xx := of(2) - m*c*c
		return BodyMass{m, vec.V(c, 0, 0), vec.Sym3{XX: 2 * yy, YY: xx + yy, ZZ: xx + yy}}
	}
	ball := func(density, r, x float64) BodyMass {
		m := density * 4 * math.Pi / 3 * r * r * r
		i := 0.4 * m * r * r
		return BodyMass{m, vec.V(x, 0, 0), vec.Sym3{XX: i, YY: i, ZZ: i}}
	}
	for _, c := range []struct{ r, s, d, rho, sigma float64 }{{1, 1, 1, 1, 1}, {1, 0.5, 1.2, 3, 2}, {0.5, 1, 0.6, 1000, 2600}, {1, 0.3, 1.2, 1, 5}} {
		got := must[BodyMass](t)(UnionMass([]MassPiece{{massBall(t, c.r), vec.Pose{}, c.rho}, {massBall(t, c.s), shifted(c.d, 0, 0), c.sigma}}))
		x := (c.d*c.d + c.r*c.r - c.s*c.s) / (2 * c.d) // the plane of the common circle
		far := cap(-c.sigma, c.r, x)
		near := cap(-c.sigma, c.s, c.d-x)
		near.Centre.X = c.d - near.Centre.X
		want := sumOf(ball(c.rho, c.r, 0), ball(c.sigma, c.s, c.d), far, near)
		sameMass(t, fmt.Sprintf("%+v", c), got, want, 2, 1e-5)
	}
	// A ball inside an earlier one adds nothing, and one that overlaps nothing is exact.
	got = must[BodyMass](t)(UnionMass([]MassPiece{{unit, vec.Pose{}, 1}, {massBall(t, 0.5), shifted(0.3, 0.3, 0), 9}, {massBall(t, 0.5), shifted(2, 0, 0), 2}}))
	sameMass(t, "inside and apart", got, sumOf(ball(1, 1, 0), ball(2, 0.5, 2)), 2, 1e-15*8)
}

// TestUnionOfABallAndABlock puts a ball over the corner of a cube, over an edge, and over a face, where the share of the
// ball outside is 7/8, 3/4 and 1/2; in either order, so that either density counts inside.
func TestUnionOfABallAndABlock(t *testing.T) {
	cube, ball := massBox(t, 2, 2, 2), massBall(t, 0.8)
	volume := 4 * math.Pi / 3 * 0.8 * 0.8 * 0.8
	for _, c := range []struct {
		at    vec.Vec3
		share float64
	}{{vec.V(1, 1, 1), 7.0 / 8}, {vec.V(1, 0, 1), 3.0 / 4}, {vec.V(0.1, 0, 1), 1.0 / 2}, {vec.V(0.1, 0, 0), 0}} {
		place := vec.Pose{Pos: c.at}
		after := must[BodyMass](t)(UnionMass([]MassPiece{{cube, vec.Pose{}, 3}, {ball, place, 2}}))
		before := must[BodyMass](t)(UnionMass([]MassPiece{{ball, place, 2}, {cube, vec.Pose{}, 3}}))
		wants := [2]float64{24 + 2*volume*c.share, 24 + 2*volume - 3*volume*(1-c.share)}
		t.Logf("%v: off by %.2g and %.2g", c.at, after.Mass/wants[0]-1, before.Mass/wants[1]-1)
		if math.Abs(after.Mass-wants[0]) > 1e-5*2*volume || math.Abs(before.Mass-wants[1]) > 1e-5*2*volume {
			t.Errorf("a ball at %v: masses %.9g after the cube and %.9g before, expected %.9g", c.at, after.Mass, before.Mass, wants)
		}
	}
	// Over the corner, each eighth of the ball has its centroid 3/8·r from the planes.
	got := must[BodyMass](t)(UnionMass([]MassPiece{{cube, vec.Pose{}, 1}, {ball, shifted(1, 1, 1), 1}}))
	eighth, c := volume/8, 1-0.8*3/8
	want := (volume - eighth*c) / (8 + volume*7/8)
	if d := got.Centre.Sub(vec.V(want, want, want)).Norm(); d > 1e-5 {
		t.Errorf("the centre of a cube with a ball at its corner is %v, expected three times %.9g", got.Centre, want)
	}
}

// mixed returns pieces of both kinds in a heap.
func mixed(t testing.TB, seed uint64, n int, balls bool) (pieces []MassPiece) {
	r := NewRand(seed)
	for i := range n {
		p := MassPiece{Density: r.Range(1, 3), Pose: vec.Pose{Pos: vec.V(r.Range(-0.5, 0.5), r.Range(-0.5, 0.5), r.Range(-0.5, 0.5)), Rot: r.Rotation()}}
		switch k := i % 3; {
		case k == 2 && balls:
			p.Shape = massBall(t, r.Range(0.2, 0.5))
		case k == 1:
			p.Shape = must[*Polyhedron](t)(Rock(r.Uint64()%1000, 12, r.Range(0.3, 0.6))).Template()
		default:
			p.Shape = massBox(t, r.Range(0.2, 1), r.Range(0.2, 1), r.Range(0.2, 1))
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// sampled integrates the union at points of a grid with a random shift, by the definition alone.
func sampled(pieces []MassPiece, n int) BodyMass {
	r, h := NewRand(5), 3/float64(n)
	from := vec.V(-1.5-h*r.Float64(), -1.5-h*r.Float64(), -1.5-h*r.Float64())
	var planes [][]Plane
	for _, p := range pieces {
		var list []Plane
		for f, n := range p.Shape.Normals {
			list = append(list, Plane{n, p.Shape.Offsets[f]})
		}
		planes = append(planes, list)
	}
	density := func(x vec.Vec3) float64 {
		for i, p := range pieces {
			v := p.Pose.OrIdentity().PointInv(x).Sub(p.Shape.Origin)
			in := len(p.Shape.Verts) > 0 || v.Norm() < p.Shape.Radius
			for _, q := range planes[i] {
				in = in && q.Normal.Dot(v) < q.Offset
			}
			if in {
				return p.Density
			}
		}
		return 0
	}
	var points []BodyMass
	for i := range n + 1 {
		for j := range n + 1 {
			for k := range n + 1 {
				x := from.Add(vec.V(float64(i), float64(j), float64(k)).Scale(h))
				if d := density(x); d > 0 {
					points = append(points, BodyMass{d * h * h * h, x, vec.Sym3{}})
				}
			}
		}
	}
	return sumOf(points...)
}

// TestUnionOfAHeap compares unions of rocks, boxes and balls with points of a grid.
func TestUnionOfAHeap(t *testing.T) {
	for seed := range uint64(4) {
		pieces := mixed(t, seed, 3+int(seed), seed%2 == 0)
		got := must[BodyMass](t)(UnionMass(pieces))
		sameMass(t, fmt.Sprint("seed ", seed), got, sampled(pieces, 90), 1, 3e-3)
	}
}

// TestUnionTurnsWithItsPieces turns and moves all pieces. The mass stays, the rest turns with them.
func TestUnionTurnsWithItsPieces(t *testing.T) {
	for seed := range uint64(10) {
		balls := seed < 1
		pieces := mixed(t, 20+seed, 6, balls)
		one := must[BodyMass](t)(UnionMass(pieces))
		move := vec.Pose{Pos: vec.V(3, -2, 5), Rot: NewRand(seed).Rotation()}
		for i := range pieces {
			pieces[i].Pose = move.Mul(pieces[i].Pose)
		}
		want := BodyMass{one.Mass, move.Point(one.Centre), one.Inertia.Rotated(move.Rot.Mat3())}
		tol := 1e-12
		if balls {
			tol = 1e-5
		}
		sameMass(t, fmt.Sprint("seed ", seed), must[BodyMass](t)(UnionMass(pieces)), want, 1, tol)
		for i := range pieces {
			pieces[i].Density = 2
		}
		one = must[BodyMass](t)(UnionMass(pieces))
		for i := range pieces[1:] {
			pieces[i], pieces[i+1] = pieces[i+1], pieces[i]
		}
		sameMass(t, fmt.Sprint("of one density in another order, seed ", seed), must[BodyMass](t)(UnionMass(pieces)), one, 1, tol)
	}
}

// TestUnionOfBoxesThatTouch divides a box into boxes that touch, or overlap, in planes turned together, and by less than
// rounding shifted: the union is the box.
func TestUnionOfBoxesThatTouch(t *testing.T) {
	for seed := range uint64(40) {
		r := NewRand(seed)
		turn := vec.Pose{Pos: r.Unit(), Rot: r.Rotation()}
		if seed%4 == 0 {
			turn = vec.IdentityPose
		}
		var pieces []MassPiece
		for x := range 3 {
			for y := range 2 {
				for z := range 2 {
					over := 0.25 * float64(int(seed+uint64(x+y+z))%2)
					shift := r.Unit().Scale(1e-16)
					pieces = append(pieces, MassPiece{massBox(t, 1+over, 1, 1), turn.Mul(vec.Pose{Pos: vec.V(float64(x)-over/2*float64(x-1), float64(y), float64(z)).Add(shift), Rot: vec.Identity}), 1})
				}
			}
		}
		got := must[BodyMass](t)(UnionMass(pieces))
		far := func(x int) float64 { // how far the boxes of both ends reach
			most := 0.0
			for k := range 4 {
				over := 0.25 * float64(int(seed+uint64(x+k/2+k%2))%2)
				most = max(most, over)
			}
			return most
		}
		if far(0) > 0 || far(2) > 0 {
			continue // Rows differ in length; TestUnionOfAHeap has such.
		}
		want := boxAt(1, vec.V(3, 2, 2), vec.Vec3{})
		want.Centre, want.Inertia = turn.Point(vec.V(1, 0.5, 0.5)), want.Inertia.Rotated(turn.Rot.Mat3())
		sameMass(t, fmt.Sprint("seed ", seed), got, want, 3, 1e-12)
	}
}

func TestUnionRefuses(t *testing.T) {
	cube := massBox(t, 1, 1, 1)
	for _, c := range []struct {
		pieces []MassPiece
		want   error
		says   string
	}{
		{nil, ErrEmpty, "0 pieces"},
		{[]MassPiece{{cube, vec.Pose{}, 1}, {nil, vec.Pose{}, 1}}, ErrValue, "piece 1 is neither"},
		{[]MassPiece{{cube, vec.Pose{}, 0}}, ErrValue, "piece 0 has the density 0"},
		{[]MassPiece{{cube, vec.Pose{Pos: vec.V(math.NaN(), 0, 0)}, 1}}, ErrValue, "piece 0 has the pose"},
	} {
		if _, err := UnionMass(c.pieces); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, expected %v saying %q", c.pieces, err, c.want, c.says)
		}
	}
}

// FuzzUnion makes two blocks whose faces nearly coincide. The volume of their union is the same in either order, and
// between that of the larger one and that of both.
func FuzzUnion(f *testing.F) {
	for i := range 24 {
		f.Add(uint64(i), -float64(i), byte(i))
	}
	f.Fuzz(func(t *testing.T, seed uint64, power float64, how byte) {
		r := NewRand(seed)
		if !(power > -20 && power < 0) {
			power = -12
		}
		small := math.Pow(10, power)
		a := massBox(t, 1, r.Range(0.3, 1), 1)
		b := a
		if how&1 != 0 {
			b = must[*Polyhedron](t)(Rock(seed%100, 8+int(how)%20, 0.6)).Template()
		}
		pose := vec.Pose{Pos: vec.V(1, 0, 0).Scale(float64(how & 2 / 2)).Add(r.Unit().Scale(small)), Rot: vec.Identity}
		if how&4 != 0 {
			pose.Rot = vec.FromRotationVector(r.Unit().Scale(small))
		}
		if how&8 != 0 {
			pose.Rot = r.Rotation()
		}
		got := must[BodyMass](t)(UnionMass([]MassPiece{{a, vec.Pose{}, 1}, {b, pose, 1}}))
		turned := must[BodyMass](t)(UnionMass([]MassPiece{{b, pose, 1}, {a, vec.Pose{}, 1}}))
		if math.Abs(got.Mass-turned.Mass) > 1e-11 {
			t.Errorf("the union has %.15g m³ in one order, %.15g in the other", got.Mass, turned.Mass)
		}
		if low, high := max(a.Volume, b.Volume), a.Volume+b.Volume; got.Mass < low*(1-1e-12) || got.Mass > high*(1+1e-12) {
			t.Errorf("the union of %.15g and %.15g m³ has %.15g", a.Volume, b.Volume, got.Mass)
		}
	})
}
