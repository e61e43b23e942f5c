package geometry

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// total returns the mass properties of two bodies together (Steiner's theorem).
func total(a, b MassProperties) MassProperties {
	v := a.Volume + b.Volume
	c := a.Centroid.Scale(a.Volume / v).Add(b.Centroid.Scale(b.Volume / v))
	return MassProperties{v, c, about(a, c).Add(about(b, c))}
}

func about(m MassProperties, c vec.Vec3) vec.Sym3 {
	d, v := m.Centroid.Sub(c), m.Volume
	return m.Inertia.Add(vec.Sym3{
		XX: v * (d.Y*d.Y + d.Z*d.Z), YY: v * (d.X*d.X + d.Z*d.Z), ZZ: v * (d.X*d.X + d.Y*d.Y),
		XY: -v * d.X * d.Y, XZ: -v * d.X * d.Z, YZ: -v * d.Y * d.Z,
	})
}

// conserved fails the test unless the sides add up to the whole within rel.
func conserved(t testing.TB, p, below, above *Polyhedron, rel float64) {
	t.Helper()
	var sum MassProperties
	switch {
	case below == nil:
		sum = above.Mass
	case above == nil:
		sum = below.Mass
	default:
		sum = total(below.Mass, above.Mass)
	}
	size := p.Box().Size().MaxAbs()
	if !near(sum.Volume, p.Mass.Volume, rel, 0) {
		t.Errorf("volume %.17g, want %.17g (%.2g)", sum.Volume, p.Mass.Volume, sum.Volume/p.Mass.Volume-1)
	}
	if d := sum.Centroid.Sub(p.Mass.Centroid).MaxAbs(); d > rel*size {
		t.Errorf("centroid off by %g of the size %g", d, size)
	}
	a, b := sum.Inertia, p.Mass.Inertia
	largest := max(b.XX, b.YY, b.ZZ)
	for i, d := range []float64{a.XX - b.XX, a.YY - b.YY, a.ZZ - b.ZZ, a.XY - b.XY, a.XZ - b.XZ, a.YZ - b.YZ} {
		if math.Abs(d) > rel*largest {
			t.Errorf("inertia %d off by %.2g of the largest moment", i, d/largest)
		}
	}
}

func checkCut(t testing.TB, p *Polyhedron, n vec.Vec3, d, rel float64) (below, above *Polyhedron) {
	t.Helper()
	below, above, err := p.Cut(n, d)
	if err != nil {
		t.Fatalf("cut by %v·v = %g: %v", n, d, err)
	}
	if below == nil && above == nil {
		t.Fatal("both sides are empty")
	}
	tol := 2 * p.tolerance() * n.Norm()
	for side, q := range map[float64]*Polyhedron{-1: below, 1: above} {
		if q == nil || q == p {
			continue
		}
		if err := q.Validate(); err != nil {
			t.Errorf("cut by %v·v = %g: side %g: %v", n, d, side, err)
		}
		for k, v := range q.Verts {
			if h := side * (n.Dot(v) - d); h < -tol {
				t.Errorf("cut by %v·v = %g: vertex %d of side %g lies %g behind the plane", n, d, k, side, h)
			}
		}
	}
	conserved(t, p, below, above, rel)
	return below, above
}

// TestCutConserves checks that cutting preserves volume, centroid and inertia to 1e-13 (case V14).
func TestCutConserves(t *testing.T) {
	r := NewRand(11)
	for _, spec := range []string{"box:1x2x3", "tetra:1", "dodeca:2", "icosa:1", "prism:17,1,2", "rock:5,30,1", "box:1x1x0.001"} {
		t.Run(spec, func(t *testing.T) {
			p := must[Builtin](t)(ParseBuiltin(spec)).Poly
			for _, scale := range []float64{1, 1e-6, 1e6} {
				p := must[*Polyhedron](t)(p.Scaled(scale))
				radius := p.Template().Radius
				for range 100 {
					n := r.Unit()
					checkCut(t, p, n.Scale(r.Range(0.5, 2)), r.Range(-0.7, 0.7)*radius, 1e-13)
				}
			}
		})
	}
}

func TestCutByNamedPlanes(t *testing.T) {
	cube := must[*Polyhedron](t)(Box(2, 2, 2))
	for _, c := range []struct {
		name         string
		n            vec.Vec3
		d            float64
		below, above float64 // volumes
		vb, va       int     // vertices
	}{
		{"half", vec.V(0, 0, 1), 0, 4, 4, 8, 8},
		{"longNormal", vec.V(0, 0, 10), 5, 6, 2, 8, 8},
		{"throughFace", vec.V(0, 0, 1), 1, 8, 0, 8, 0},
		{"throughFaceBackwards", vec.V(0, 0, -1), 1, 8, 0, 8, 0},
		{"faceMissedByRounding", vec.V(0, 0, 1), 1 - 1e-16, 8, 0, 8, 0},
		{"miss", vec.V(1, 2, 3), 7, 8, 0, 8, 0},
		{"missAbove", vec.V(1, 2, 3), -7, 0, 8, 0, 8},
		{"touchVertex", vec.V(1, 1, 1), 3, 8, 0, 8, 0},
		{"touchEdge", vec.V(1, 1, 0), 2, 8, 0, 8, 0},
		{"diagonalThroughEdges", vec.V(1, 1, 0), 0, 4, 4, 6, 6},
		{"diagonalThroughEdgesTilted", vec.V(1, -1, 1e-17), 0, 4, 4, 6, 6},
		{"corner", vec.V(1, 1, 1), 1, 8 - 4.0/3, 4.0 / 3, 7, 4},
		{"hexagon", vec.V(1, 1, 1), 0, 4, 4, 10, 10},
		{"throughVertexAndEdges", vec.V(2, 1, 0), 1, 6, 2, 8, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			below, above := checkCut(t, cube, c.n, c.d, 1e-14)
			check := func(side string, q *Polyhedron, volume float64, verts int) {
				if (q == nil) != (volume == 0) {
					t.Fatalf("%s is %v, want volume %g", side, q, volume)
				}
				if q != nil && (!near(q.Mass.Volume, volume, 1e-14, 0) || len(q.Verts) != verts) {
					t.Errorf("%s has volume %.17g and %d vertices, want %g and %d", side, q.Mass.Volume, len(q.Verts), volume, verts)
				}
			}
			check("below", below, c.below, c.vb)
			check("above", above, c.above, c.va)
		})
	}
}

func TestCutRefusesPlanes(t *testing.T) {
	cube := must[*Polyhedron](t)(Box(2, 2, 2))
	for _, c := range []struct {
		n vec.Vec3
		d float64
	}{{vec.Vec3{}, 0}, {vec.V(math.NaN(), 0, 1), 0}, {vec.V(0, 0, math.Inf(1)), 0}, {vec.V(0, 0, 1), math.NaN()}, {vec.V(0, 0, 1), math.Inf(-1)}} {
		if _, _, err := cube.Cut(c.n, c.d); !errors.Is(err, ErrValue) {
			t.Errorf("cut by %v·v = %g: %v, want ErrValue", c.n, c.d, err)
		}
	}
}

// TestCutRepeatedly cuts a body into pieces and each piece again. Errors must not accumulate.
func TestCutRepeatedly(t *testing.T) {
	r := NewRand(23)
	whole := must[*Polyhedron](t)(Dodeca(1))
	pieces := []*Polyhedron{whole}
	for range 7 {
		n := r.Unit()
		d := r.Range(-0.5, 0.5)
		var next []*Polyhedron
		for _, p := range pieces {
			below, above, err := p.Cut(n, d)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range []*Polyhedron{below, above} {
				if q != nil {
					next = append(next, q)
				}
			}
		}
		pieces = next
	}
	sum := pieces[0].Mass
	for _, p := range pieces[1:] {
		if err := p.Validate(); err != nil {
			t.Error(err)
		}
		sum = total(sum, p.Mass)
	}
	if len(pieces) < 30 {
		t.Errorf("%d pieces only", len(pieces))
	}
	if !near(sum.Volume, whole.Mass.Volume, 1e-13, 0) || sum.Centroid.MaxAbs() > 1e-13 || !near(sum.Inertia.XX, whole.Mass.Inertia.XX, 1e-13, 0) {
		t.Errorf("%d pieces sum up to %v, want %v", len(pieces), sum, whole.Mass)
	}
}

// TestCutFarAway checks a body at the distance D: its vertices are rounded to 1e-16·D. The loss
// must be that much relative to the size, and no more.
func TestCutFarAway(t *testing.T) {
	r := NewRand(29)
	p := must[*Polyhedron](t)(Dodeca(1))
	for _, far := range []float64{1e3, 1e6} {
		at := vec.V(far, -far, far/3)
		q := must[*Polyhedron](t)(p.Translated(at))
		for range 100 {
			n := r.Unit()
			checkCut(t, q, n, n.Dot(at)+r.Range(-0.8, 0.8), 16*0x1p-52*far)
		}
	}
}

// TestCutOfMergedMesh cuts a body whose faces bend by the rounding of single precision. The sides
// must be valid, and add up within the bend of the faces.
func TestCutOfMergedMesh(t *testing.T) {
	r := NewRand(31)
	for _, spec := range []string{"prism:40,1,1", "dodeca:1", "rock:8,60,1"} {
		p := must[Builtin](t)(ParseBuiltin(spec)).Poly
		p = must[*Polyhedron](t)(p.Rotated(r.Rotation()))
		p = must[*Polyhedron](t)(FromMesh(soup(meshOf(p))))
		for k := range 300 {
			n := r.Unit()
			d := r.Range(-0.7, 0.7)
			if k%3 == 0 {
				// The plane runs along a face, at less and at more than the face's bend.
				f := k % p.NFaces()
				n, d = p.Normals[f], p.Offsets[f]-p.Spread*r.Range(-4, 4)
			}
			checkCut(t, p, n, d, 20*p.Spread+1e-13)
		}
	}
}

// FuzzCut cuts standard shapes by planes near to and far from vertices, edges and faces.
func FuzzCut(f *testing.F) {
	f.Add(uint8(0), uint8(0), uint8(1), uint8(2), 0.0, 0.0, 0.0)
	f.Add(uint8(1), uint8(0), uint8(1), uint8(2), 1e-14, 0.0, 0.0)
	f.Add(uint8(2), uint8(3), uint8(3), uint8(5), 1e-13, -1e-15, 0.5)
	f.Add(uint8(3), uint8(9), uint8(1), uint8(7), 0.3, 0.2, -0.1)
	f.Add(uint8(4), uint8(9), uint8(1), uint8(7), 3e-16, 2e-14, -1e-13)
	f.Add(uint8(11), uint8(75), uint8(0), uint8(2), 1e-14, 0.0, 0.0) // along the many-sided face, off by rounding
	f.Add(uint8(1), uint8(0), uint8(1), uint8(2), 4e-16, 1e-14, 0.0) // along the wide face of a plate
	var shapes []*Polyhedron
	for _, make := range []func() (*Polyhedron, error){
		func() (*Polyhedron, error) { return Box(1, 1, 1) },
		func() (*Polyhedron, error) { return Box(1, 0.01, 0.3) },
		func() (*Polyhedron, error) { return Tetra(1) },
		func() (*Polyhedron, error) { return Dodeca(1) },
		func() (*Polyhedron, error) { return Icosa(1) },
		func() (*Polyhedron, error) { return Prism(12, 1, 1) },
	} {
		p := must[*Polyhedron](f)(make())
		shapes = append(shapes, must[*Polyhedron](f)(p.Rotated(NewRand(uint64(len(shapes))).Rotation())))
	}
	f.Fuzz(func(t *testing.T, shape, a, b, c uint8, da, db, dc float64) {
		if !(math.Abs(da) < 2 && math.Abs(db) < 2 && math.Abs(dc) < 2) {
			return
		}
		p := shapes[int(shape)%len(shapes)]
		// The plane passes near three vertices, each with an offset along its direction.
		corner := func(k uint8, d float64) vec.Vec3 {
			v := p.Verts[int(k)%len(p.Verts)]
			return v.AddScaled(d, v.Perpendicular())
		}
		u, v, w := corner(a, da), corner(b, db), corner(c, dc)
		n := v.Sub(u).Cross(w.Sub(u)).Unit()
		if n == (vec.Vec3{}) {
			n = u.Unit()
		}
		checkCut(t, p, n, n.Dot(u), 1e-13)
	})
}

func BenchmarkCut(b *testing.B) {
	for _, n := range []int{4, 20, 100} {
		b.Run("op=cut/sides="+strconv.Itoa(n), func(b *testing.B) {
			p := must[*Polyhedron](b)(Prism(n, 1, 1))
			sum := 0.0
			for b.Loop() {
				below, _, err := p.Cut(vec.V(0.3, 0.4, 0.5), 0.1)
				if err != nil {
					b.Fatal(err)
				}
				sum = below.Mass.Volume
			}
			b.ReportMetric(sum, "checksum")
		})
	}
}

// points reads fuzz bytes as points of few bits, so that ties, lines and planes occur.
func points(data []byte, n int) []vec.Vec3 {
	var pts []vec.Vec3
	for len(data) >= 6 && len(pts) < n {
		c := func(i int) float64 { return float64(int16(binary.LittleEndian.Uint16(data[2*i:]))) / 256 }
		pts = append(pts, vec.V(c(0), c(1), c(2)))
		data = data[6:]
	}
	return pts
}

// TestCutByAFarPlane checks that a plane so far away that its distance overflows is an error, not a
// plane below the body.
func TestCutByAFarPlane(t *testing.T) {
	p, err := Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Cut(vec.V(1e-10, 0, 0), 1e300); !errors.Is(err, ErrValue) {
		t.Errorf("error %v, expected %v", err, ErrValue)
	}
	if below, above, err := p.Cut(vec.V(1, 0, 0), 1e308); below != p || above != nil || err != nil {
		t.Errorf("%v, %v, %v, expected the body below", below, above, err)
	}
}

// TestCutKeepsLabels checks that faces that are one face of the modelled body still share a label on
// each side of a cut.
func TestCutKeepsLabels(t *testing.T) {
	groups := 0
	for _, k := range []int{2, 5, 10} {
		p, err := FromMesh(single(squares(k), vec.FromRotationVector(vec.V(0.4, 0.2, 0.3)), vec.V(20, 20, 20)))
		if err != nil {
			t.Fatal(err)
		}
		if p.Label == nil {
			continue
		}
		n := p.Normals[0].Perpendicular()
		below, above, err := p.Cut(n, n.Dot(p.Mass.Centroid))
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []*Polyhedron{below, above} {
			shares := func(f, g int) bool { return f == g || q.Label != nil && q.Label[f] == q.Label[g] }
			of := make([]int, q.NFaces()) // the only face of p with this normal, or -1
			for f := range of {
				of[f] = slices.Index(p.Normals, q.Normals[f])
			}
			for f, i := range of {
				for g, j := range of {
					if i < 0 || j < 0 || f == g {
						continue
					}
					if p.Label[i] == p.Label[j] {
						groups++
					}
					if shares(f, g) != (p.Label[i] == p.Label[j]) {
						t.Errorf("%d squares: faces %d and %d share a label: %v, those they were cut from: %v", k, f, g, shares(f, g), p.Label[i] == p.Label[j])
					}
				}
			}
		}
	}
	if groups == 0 {
		t.Error("no cut face has a label")
	}
}
