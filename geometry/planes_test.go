package geometry

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scree-dem/scree/geometry/hull"
	"github.com/scree-dem/scree/internal/require"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// apart returns the largest distance from a point of one set to the nearest point of the other.
func apart(a, b []vec.Vec3) float64 {
	most := 0.0
	for range 2 {
		for _, v := range a {
			least := math.Inf(1)
			for _, w := range b {
				least = min(least, v.Sub(w).Norm())
			}
			most = max(most, least)
		}
		a, b = b, a
	}
	return most
}

// planeShapes returns shapes that planes must give back, each as it is and turned.
func planeShapes(t testing.TB) (shapes []*Polyhedron) {
	specs := []string{"box:1x1x1", "box:1x1x1e-2", "box:1x1x1e-6", "box:1x1e-3x1e-6", "box:1e20x2e20x3e20", "box:1e-20x2e-20x3e-20",
		"tetra:1", "octa:1", "dodeca:1", "icosa:1", "prism:100,1,1", "prism:7,1e-4,9", "prism:100,1,1e3", "rock:1,12,1", "rock:3,257,1"}
	for _, spec := range specs {
		p := must[Builtin](t)(ParseBuiltin(spec)).Poly
		turned := must[*Polyhedron](t)(p.Rotated(vec.FromRotationVector(vec.V(0.4, 0.2, 0.3))))
		shapes = append(shapes, p, turned)
	}
	return shapes
}

// TestFromPlanesGivesBack: the planes of a shape make the shape, also if other planes touch it at
// corners and edges, repeat its faces, or miss it.
func TestFromPlanesGivesBack(t *testing.T) {
	for _, p := range planeShapes(t) {
		size := p.Box().Size().MaxAbs()
		planes := p.Planes()
		more := slices.Concat(planes[:2], planes)
		r := NewRand(5)
		for range 200 {
			n, at := r.Unit(), 0.0
			if r.Float64() < 0.5 {
				at = size * (1 + r.Float64()*1e6)
			}
			more = append(more, Plane{n, support(p.Verts, n) + at})
		}
		for _, h := range p.Edges() {
			n := p.Normals[p.Face(h)].Add(p.Normals[p.Face(p.Twin[h])]).Unit()
			more = append(more, Plane{n, support(p.Verts, n)})
		}
		for name, planes := range map[string][]Plane{"own": planes, "more": more} {
			tol := 1e-13
			if name == "more" {
				tol = 4 * hullMergeRel // Corners that the touching planes split by rounding are welded.
			}
			q, err := FromPlanes(p.Name, planes)
			if err != nil {
				t.Errorf("%s, %s planes: %v", p.Name, name, err)
				continue
			}
			if err := q.Validate(); err != nil {
				t.Errorf("%s, %s planes: %v", p.Name, name, err)
			}
			if d := apart(p.Verts, q.Verts); d > tol*size || q.NFaces() != p.NFaces() {
				t.Errorf("%s, %s planes: corners %.2g of the size apart, %d faces, expected %d", p.Name, name, d/size, q.NFaces(), p.NFaces())
			}
		}
	}
}

// TestFromPlanesFar: far from the origin, offsets are rounded, and corners follow them.
func TestFromPlanesFar(t *testing.T) {
	for _, p := range planeShapes(t)[:2] {
		far := must[*Polyhedron](t)(p.Translated(vec.V(1e6, -3e5, 2e5)))
		q := must[*Polyhedron](t)(FromPlanes("far", far.Planes()))
		if d := apart(far.Verts, q.Verts); d > 1e-9 || q.NFaces() != 6 {
			t.Errorf("corners %.2g apart, %d faces", d, q.NFaces())
		}
		e := must[*Polyhedron](t)(must[*Polyhedron](t)(far.Eroded(0.25)).Expanded(0.25))
		if d := apart(far.Verts, e.Verts); d > 5e-10 {
			t.Errorf("eroded and expanded: corners %.2g apart", d)
		}
	}
}

// TestThousandPlanes: 1000 planes that touch a ball make the dual of the hull of their normals. Each
// face of that hull is a corner, and each corner of it a face.
func TestThousandPlanes(t *testing.T) {
	const n = 1000
	r := NewRand(11)
	normals, planes := make([]vec.Vec3, n), make([]Plane, n)
	centre, radius := vec.V(3, -2, 5), 0.7
	for i := range normals {
		normals[i] = r.Unit()
		planes[i] = Plane{normals[i], normals[i].Dot(centre) + radius}
	}
	p := must[*Polyhedron](t)(FromPlanes("ball", planes))
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	h, err := hull.Compute(normals, hull.Options{})
	if err != nil {
		t.Fatal(err)
	}
	corners := make([]vec.Vec3, len(h.Faces))
	for f, u := range h.Normals {
		corners[f] = centre.AddScaled(radius/h.Offsets[f], u)
	}
	if d := apart(corners, p.Verts); d > 1e-12 {
		t.Errorf("corners %g apart", d)
	}
	edges := 0
	for _, loop := range h.Faces {
		edges += len(loop)
	}
	if p.NFaces() != n || len(p.Verts) != len(h.Faces) || p.NEdges() != edges/2 {
		t.Errorf("%d faces, %d corners, %d edges, expected %d, %d, %d", p.NFaces(), len(p.Verts), p.NEdges(), n, len(h.Faces), edges/2)
	}
	// All faces touch the ball, so the volume is a third of the radius times the area.
	if want := radius * p.area() / 3; !near(p.Mass.Volume, want, 1e-12, 0) || p.Mass.Volume < 4*math.Pi/3*radius*radius*radius {
		t.Errorf("volume %.15g, expected %.15g", p.Mass.Volume, want)
	}
	// The other way, by the first planes: cutting a box by one after the other.
	few := planes[:require.Rounds(100, 300, n)]
	p = must[*Polyhedron](t)(FromPlanes("ball", few))
	q := must[*Polyhedron](t)(must[*Polyhedron](t)(Box(4, 4, 4)).Translated(centre))
	for _, h := range few {
		if q, _, err = q.Cut(h.Normal, h.Offset); err != nil {
			t.Fatal(err)
		}
	}
	if d := apart(q.Verts, p.Verts); d > 1e-11 || q.NFaces() != len(few) || !near(q.Mass.Volume, p.Mass.Volume, 1e-12, 0) {
		t.Errorf("corners %g from those of the cut box, which has %d faces and volume %.15g", d, q.NFaces(), q.Mass.Volume)
	}
}

// TestFromPlanesIsCut: a plane more makes the part that Cut leaves.
func TestFromPlanesIsCut(t *testing.T) {
	r := NewRand(3)
	for _, p := range planeShapes(t) {
		size := p.Box().Size().MaxAbs()
		for range 5 {
			n := r.Unit()
			low, high := -support(p.Verts, n.Neg()), support(p.Verts, n)
			d := r.Range(low+0.1*(high-low), high-0.1*(high-low))
			below, _, err := p.Cut(n, d)
			if err != nil {
				t.Fatal(err)
			}
			q, err := FromPlanes(p.Name, append(p.Planes(), Plane{n, d}))
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			// A plane that meets an edge obliquely moves the corner by its rounding over the angle.
			if far := apart(below.Verts, q.Verts); far > 1e-10*size || !near(q.Mass.Volume, below.Mass.Volume, 1e-9, 0) {
				t.Errorf("%s cut by %v, %g: corners %.2g of the size apart, volumes %.15g and %.15g", p.Name, n, d, far/size, q.Mass.Volume, below.Mass.Volume)
			}
		}
	}
}

// largest returns the radius of the largest ball inside planes: by duality the least of the balls
// that touch four planes whose normals enclose the origin.
func largest(planes []Plane) float64 {
	least := math.Inf(1)
	for a := range planes {
		for b := range a {
			for c := range b {
				for d := range c {
					four := [4]int{a, b, c, d}
					_, det := cofactors(planes, four)
					w := barycentric(planes, four, vec.Vec3{})
					if _, r := touching(planes, four); math.Abs(det) > 1e-9 && min(w[0], w[1], w[2], w[3]) > -1e-12 {
						least = min(least, r)
					}
				}
			}
		}
	}
	return least
}

// TestInscribed compares the largest ball with the least of all balls that touch four planes, for
// planes at random, and for planes of few directions and offsets, where many balls are equal.
func TestInscribed(t *testing.T) {
	r, pick := NewRand(7), rand.New(rand.NewPCG(7, 9))
	kinds := map[string]int{}
	for round := range 3000 {
		var planes []Plane
		for range 4 + pick.IntN(8) {
			n, d := r.Unit(), r.Range(-0.2, 1)
			if round%2 == 0 {
				if n = vec.V(float64(pick.IntN(3)-1), float64(pick.IntN(3)-1), float64(pick.IntN(3)-1)); n == (vec.Vec3{}) {
					n.Z = 1
				}
				n, d = n.Unit(), float64(pick.IntN(4))
			}
			planes = append(planes, Plane{n, d})
		}
		b, err := inscribed(planes)
		if errors.Is(err, ErrNotClosed) {
			kinds["open"]++
			// A direction that all planes admit: open bodies have one among the crosses of normals.
			if !admits(planes) {
				t.Fatalf("round %d: %v is not open: %v", round, planes, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v: %v", round, planes, err)
		}
		want := largest(planes)
		if want > 0 {
			kinds["body"]++
		} else {
			kinds["empty"]++
		}
		if math.Abs(b.radius-want) > 1e-10 {
			t.Fatalf("round %d: %v: radius %.15g, expected %.15g", round, planes, b.radius, want)
		}
		p, err := FromPlanes("random", planes)
		if want > 1e-6 {
			if err != nil {
				t.Fatalf("round %d: %v: %v", round, planes, err)
			}
			checkCorners(t, planes, p)
		} else if want < 1e-14 && !errors.Is(err, ErrEmpty) {
			t.Fatalf("round %d: %v: %v, expected ErrEmpty", round, planes, err)
		}
	}
	t.Log(kinds)
	if min(kinds["open"], kinds["body"], kinds["empty"]) < 50 {
		t.Errorf("cases %v, expected some of each", kinds)
	}
}

// admits reports whether a point can move without end along some direction.
func admits(planes []Plane) bool {
	for _, a := range planes {
		for _, b := range planes {
			for _, u := range []vec.Vec3{a.Normal.Cross(b.Normal).Unit(), a.Normal.Perpendicular(), a.Normal.Perpendicular().Cross(a.Normal), a.Normal.Neg()} {
				for _, u := range []vec.Vec3{u, u.Neg()} {
					if u != (vec.Vec3{}) && !slices.ContainsFunc(planes, func(h Plane) bool { return h.Normal.Dot(u) > 1e-12 }) {
						return true
					}
				}
			}
		}
	}
	return false
}

// checkCorners compares the corners of p with all points in which three planes meet and that lie
// inside all planes.
func checkCorners(t *testing.T, planes []Plane, p *Polyhedron) {
	t.Helper()
	var corners []vec.Vec3
	for i, a := range planes {
		for j, b := range planes[:i] {
			for _, c := range planes[:j] {
				det := a.Normal.Cross(b.Normal).Dot(c.Normal)
				if math.Abs(det) < 1e-6 {
					continue
				}
				x := b.Normal.Cross(c.Normal).Scale(a.Offset).Add(c.Normal.Cross(a.Normal).Scale(b.Offset)).Add(a.Normal.Cross(b.Normal).Scale(c.Offset)).Scale(1 / det)
				if !slices.ContainsFunc(planes, func(h Plane) bool { return h.Normal.Dot(x) > h.Offset+1e-9 }) {
					corners = append(corners, x)
				}
			}
		}
	}
	if d := apart(corners, p.Verts); d > 1e-7 {
		t.Fatalf("%v: corners %v, expected %v: %g apart", planes, p.Verts, corners, d)
	}
}

// TestErodedExpanded: eroding moves the faces in, expanding moves them back.
func TestErodedExpanded(t *testing.T) {
	for _, p := range planeShapes(t) {
		size, inner := p.Box().Size().MaxAbs(), p.Template().Inner
		for _, rel := range []float64{1e-9, 0.1, 0.5} {
			r := rel * inner
			q, err := p.Eroded(r)
			if err != nil {
				t.Errorf("%s eroded by %g: %v", p.Name, r, err)
				continue
			}
			for _, n := range q.Normals {
				if d := support(p.Verts, n) - support(q.Verts, n) - r; d < -1e-12*size {
					t.Errorf("%s eroded by %g: a face moved by %g less", p.Name, r, -d)
				}
			}
			if q.NFaces() != p.NFaces() {
				continue // Faces vanished, or coincide within MergeTol.
			}
			back, err := q.Expanded(r)
			if err != nil {
				t.Errorf("%s expanded by %g: %v", p.Name, r, err)
				continue
			}
			if d := apart(p.Verts, back.Verts); d > 1e-12*size || back.NFaces() != p.NFaces() {
				t.Errorf("%s eroded and expanded by %g: corners %.2g of the size apart, %d faces, expected %d", p.Name, r, d/size, back.NFaces(), p.NFaces())
			}
		}
	}
}

func TestErodedKnown(t *testing.T) {
	box := must[*Polyhedron](t)(Box(1, 2, 3))
	q := must[*Polyhedron](t)(box.Eroded(0.25))
	if want := must[*Polyhedron](t)(Box(0.5, 1.5, 2.5)); q.Mass != want.Mass || apart(q.Verts, want.Verts) != 0 {
		t.Errorf("box eroded by 0.25: %v, expected %v", q.Mass, want.Mass)
	}
	q = must[*Polyhedron](t)(box.Expanded(0.25))
	if want := must[*Polyhedron](t)(Box(1.5, 2.5, 3.5)); !near(q.Mass.Volume, want.Mass.Volume, 1e-15, 0) || apart(q.Verts, want.Verts) > 1e-15 {
		t.Errorf("box expanded by 0.25: %v, expected %v", q.Mass, want.Mass)
	}
	// A regular tetrahedron of edge a has an inscribed ball of radius a/√24, and keeps its form.
	tetra := must[*Polyhedron](t)(Tetra(1))
	q = must[*Polyhedron](t)(tetra.Eroded(0.1))
	if want := tetra.Mass.Volume * math.Pow(1-0.1*math.Sqrt(24), 3); !near(q.Mass.Volume, want, 1e-13, 0) {
		t.Errorf("tetrahedron eroded: volume %.15g, expected %.15g", q.Mass.Volume, want)
	}
	if same, err := box.Eroded(0); err != nil || same != box {
		t.Errorf("eroded by 0: %v, %v, expected the box itself", same, err)
	}
	// A roof of four planes loses its ridge: half a box of width 2 and height 1.
	roof := must[*Polyhedron](t)(FromPlanes("roof", []Plane{{vec.V(0, 0, -1), 0}, {vec.V(1, 0, 1).Unit(), math.Sqrt(0.5)}, {vec.V(-1, 0, 1).Unit(), math.Sqrt(0.5)}, {vec.V(0, 1, 0), 2}, {vec.V(0, -1, 0), 2}}))
	if len(roof.Verts) != 6 || roof.NFaces() != 5 || !near(roof.Mass.Volume, 4, 1e-14, 0) {
		t.Errorf("roof: %d corners, %d faces, volume %.15g", len(roof.Verts), roof.NFaces(), roof.Mass.Volume)
	}
}

// TestDilated: the template has the faces of the core, the rounding radius, and the mass of the body
// whose planes are moved out.
func TestDilated(t *testing.T) {
	box := must[*Polyhedron](t)(must[*Polyhedron](t)(Box(1, 2, 3)).Translated(vec.V(5, 6, 7)))
	d := must[*soa.Template](t)(box.Dilated(0.25))
	want := must[*Polyhedron](t)(Box(1.5, 2.5, 3.5)).Mass
	core := box.Template()
	if d.Round != 0.25 || !near(d.Volume, want.Volume, 1e-13, 0) || !near(d.Inertia.XX, want.Inertia.XX, 1e-13, 0) || !near(d.Inertia.ZZ, want.Inertia.ZZ, 1e-13, 0) {
		t.Errorf("radius %g, volume %g, inertia %v, expected 0.25, %g, %v", d.Round, d.Volume, d.Inertia, want.Volume, want.Inertia)
	}
	if apart(d.Verts, core.Verts) > 1e-14 || d.Origin.Sub(vec.V(5, 6, 7)).Norm() > 1e-14 {
		t.Errorf("core %v about %v, expected %v about (5, 6, 7)", d.Verts, d.Origin, core.Verts)
	}
	// The centroid of a rock moves, and its vertices stay where they are.
	for _, p := range []*Polyhedron{must[*Polyhedron](t)(Rock(4, 9, 1)), must[*Polyhedron](t)(must[*Polyhedron](t)(Rock(4, 9, 1)).Translated(vec.V(1e4, 0, 0)))} {
		d := must[*soa.Template](t)(p.Dilated(0.1))
		out := must[*Polyhedron](t)(p.Expanded(0.1))
		moved := d.Origin.Sub(p.Mass.Centroid).Norm()
		if d.Origin != out.Mass.Centroid || d.Volume != out.Mass.Volume || d.Inertia != out.Mass.Inertia || moved < 1e-4 {
			t.Errorf("mass %g about %v, which moved by %g, expected %v", d.Volume, d.Origin, moved, out.Mass)
		}
		for k, v := range d.Verts {
			if off := v.Add(d.Origin).Sub(p.Verts[k]).Norm(); off > 4e-16*(1+p.Verts[k].Norm()) {
				t.Errorf("vertex %d is %g off", k, off)
			}
		}
		var s soa.Shapes
		if _, err := s.Add(d); err != nil {
			t.Error(err)
		}
	}
	// The centroid leaves the core: far out, the body is a large copy of its own dual form.
	if _, err := must[*Polyhedron](t)(FromPoints("wedge", []vec.Vec3{{}, {Y: 1}, {Z: 1}, {X: 30, Y: 0.9, Z: 0.9}})).Dilated(300); !errors.Is(err, ErrValue) || !strings.Contains(err.Error(), "centroid") {
		t.Errorf("%v, expected that the centroid lies outside of the core", err)
	}
}

// TestPlanesBad: what bounds no body is refused by kind, plane and value.
func TestPlanesBad(t *testing.T) {
	cube := must[*Polyhedron](t)(Box(1, 1, 1)).Planes()
	with := func(h Plane) []Plane { return append(slices.Clone(cube), h) }
	prism := must[*Polyhedron](t)(Prism(5, 1, 1)).Planes()
	turned := must[*Polyhedron](t)(must[*Polyhedron](t)(Box(1, 1, 1)).Rotated(vec.FromRotationVector(vec.V(0.4, 0.2, 0.3)))).Planes()
	sides := slices.DeleteFunc(prism, func(h Plane) bool { return math.Abs(h.Normal.Z) > 0.5 })
	for _, c := range []struct {
		name   string
		planes []Plane
		kind   error
		want   []string
	}{
		{"none", nil, ErrNotClosed, []string{"the 0 planes", "open"}},
		{"three", cube[:3], ErrNotClosed, []string{"open"}},
		{"box without lid", cube[:5], ErrNotClosed, []string{"open towards", "expected planes on all sides"}},
		{"turned box without lid", turned[1:], ErrNotClosed, []string{"open towards"}},
		{"prism without ends", sides, ErrNotClosed, []string{"lie in one plane"}},
		{"the same plane", slices.Repeat(cube[:1], 9), ErrNotClosed, []string{"open"}},
		{"nothing left", with(Plane{vec.V(0, 0, 1), -0.6}), ErrEmpty, []string{"leave nothing", "planes ", "6", "-0.05"}},
		{"a face left", with(Plane{vec.V(0, 0, 1), -0.5}), ErrEmpty, []string{"leave nothing"}},
		{"no unit", with(Plane{vec.V(0, 0, 2), 1}), ErrValue, []string{"plane 6", "length 2", "expected 1"}},
		{"zero", with(Plane{}), ErrValue, []string{"plane 6", "length 0"}},
		{"NaN", with(Plane{vec.V(0, math.NaN(), 1), 1}), ErrNotFinite, []string{"plane 6", "NaN"}},
		{"offset NaN", with(Plane{vec.V(0, 0, 1), math.NaN()}), ErrNotFinite, []string{"plane 6", "NaN"}},
		{"offset infinite", with(Plane{vec.V(0, 0, 1), math.Inf(1)}), ErrNotFinite, []string{"plane 6", "+Inf"}},
		{"offset large", with(Plane{vec.V(0, 0, 1), 1e60}), ErrValue, []string{"plane 6", "1e+60"}},
	} {
		p, err := FromPlanes("shape", c.planes)
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, %v, expected %v", c.name, p, err, c.kind)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, expected %q in it", c.name, err, want)
			}
		}
	}
	p := must[*Polyhedron](t)(Box(1, 2, 3))
	for _, r := range []float64{0.5, 0.5 - 1e-16, 7, -1, math.NaN(), math.Inf(1)} {
		if _, err := p.Eroded(r); !errors.Is(err, ErrValue) || r > 0 && r < 10 && !strings.Contains(err.Error(), "the radius 0.5 of the largest ball") {
			t.Errorf("eroded by %g: %v", r, err)
		}
	}
	for _, r := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := p.Expanded(r); !errors.Is(err, ErrValue) {
			t.Errorf("expanded by %g: %v", r, err)
		}
		if _, err := p.Dilated(r); !errors.Is(err, ErrValue) {
			t.Errorf("dilated by %g: %v", r, err)
		}
	}
	// Four digits are enough for a normal, and the half-space stays the same.
	four := must[Plane](t)(Plane{vec.V(0.7071, 0.7071, 0), 2}.Unit())
	if math.Abs(four.Normal.Norm()-1) > 1e-15 || !near(four.Offset, 2/0.9999904, 1e-7, 0) {
		t.Errorf("%v", four)
	}
}

// FuzzFromPlanes: any planes make a valid body that all planes contain, or an error of a kind.
func FuzzFromPlanes(f *testing.F) {
	add := func(planes []Plane) {
		var b []byte
		for _, h := range planes {
			for _, x := range []float64{h.Normal.X, h.Normal.Y, h.Normal.Z, h.Offset} {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			}
		}
		f.Add(b)
	}
	for _, p := range planeShapes(f) {
		if p.NFaces() < 30 {
			add(p.Planes())
		}
	}
	add([]Plane{{vec.V(1, 0, 0), 1}, {vec.V(-1, 1e-8, 0), 1}, {vec.V(-1, -1e-8, 1e-8), 1}, {vec.V(-1, 0, -1e-8), 1}})
	f.Fuzz(func(t *testing.T, b []byte) {
		var planes []Plane
		for ; len(b) >= 16 && len(planes) < 60; b = b[16:] {
			var x [4]float64
			for i := range x {
				x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
			}
			planes = append(planes, Plane{vec.V(x[0], x[1], x[2]).Unit(), x[3]})
		}
		p, err := FromPlanes("fuzz", planes)
		if err != nil {
			for _, kind := range []error{ErrNotFinite, ErrValue, ErrNotClosed, ErrEmpty, ErrFlat, ErrTooLarge, hull.ErrFlat} {
				if errors.Is(err, kind) {
					return
				}
			}
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		largest, err := inscribed(planes)
		if err != nil {
			t.Fatal(err)
		}
		e := extentOf(p.Box())
		thin := dualRel * e.size * e.size / largest.radius
		if !(largest.radius > 0) { // the body is thinner than the rounding of the planes as given
			thin = e.tolerance(mergeRel)
		}
		tol := 4*e.tolerance(hullMergeRel) + thin
		for i, h := range planes {
			if out := support(p.Verts, h.Normal) - h.Offset; out > tol+1e-14*math.Abs(h.Offset) {
				t.Fatalf("a corner is %g outside of plane %d of %v, size %g", out, i, planes, e.size)
			}
		}
	})
}
