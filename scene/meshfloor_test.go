package scene

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// floorOBJ returns a square mesh of side 4 about the origin in the plane z = 0, with n×n cells of
// two triangles. Every other triangle has the opposite orientation.
func floorOBJ(n int) string {
	var b strings.Builder
	for j := range n + 1 {
		for i := range n + 1 {
			fmt.Fprintf(&b, "v %.17g %.17g 0\n", 4*float64(i)/float64(n)-2, 4*float64(j)/float64(n)-2)
		}
	}
	for j := range n {
		for i := range n {
			a := j*(n+1) + i + 1
			fmt.Fprintf(&b, "f %d %d %d\nf %d %d %d\n", a, a+1, a+n+2, a, a+n+1, a+n+2)
		}
	}
	return b.String()
}

const (
	planeFloor = "plane = {point = [0, 0, 0], normal = [0, 0, 1]}"
	meshFloor  = `file = "floor.obj"`
)

// onFloor builds a scene of one body above a floor.
func onFloor(t *testing.T, floor, law, body string) *Built {
	t.Helper()
	return onFloorOf(t, "floor.obj", floorOBJ(60), floor, law, body)
}

// onFloorOf is onFloor with another mesh file.
func onFloorOf(t *testing.T, name, mesh, floor, law, body string) *Built {
	t.Helper()
	text := `[time]
dt = 2e-5
steps = 1
[materials.rock]
density = 1000
[shapes.box]
builtin = "box:0.4x0.3x0.2"
material = "rock"
[shapes.ball]
builtin = "ball:0.1"
material = "rock"
[law]
stiffness = 1e6
` + law + "\n[[bodies]]\n" + body + "\n[[walls]]\nmaterial = \"rock\"\n" + floor + "\n"
	s, err := Load(write(t, text, map[string]string{name: mesh}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func advance(t *testing.T, b *Built, steps int) {
	t.Helper()
	for range steps {
		if err := b.World.Step(2e-5); err != nil {
			t.Fatal(err)
		}
	}
}

// contacts returns the number of active contacts.
func contacts(b *Built) int {
	n := 0
	for _, a := range b.World.Contacts().Active {
		if a {
			n++
		}
	}
	return n
}

// TestMeshFloorSlides: without friction, a box and a ball slide over thousands of triangles as over
// a plane: with one contact, constant speed and no rotation.
func TestMeshFloorSlides(t *testing.T) {
	box, ball := 24.0, 1000*4*math.Pi/3*1e-3
	for _, c := range []struct {
		name, body string
		mass, half float64
	}{
		{"box", "shape = \"box\"\nrotation = [0.9689124217106447, 0, 0, 0.2474039592545229]", box, 0.1},
		{"ball", "shape = \"ball\"", ball, 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Start at the depth at which the floor carries the weight.
			body := fmt.Sprintf("%s\nposition = [-0.4, -0.3, %.17g]\nvelocity = [1.5, 0.7, 0]", c.body, c.half-c.mass*9.81/1e6)
			mesh, plane := onFloor(t, meshFloor, "", body), onFloor(t, planeFloor, "", body)
			if n := mesh.World.Pieces().Len(); n != 2 {
				t.Fatalf("%d pieces, expected the body and one facet", n)
			}
			for range 20 {
				advance(t, mesh, 500)
				advance(t, plane, 500)
				m, p := mesh.World.Bodies(), plane.World.Bodies()
				if n := contacts(mesh); n != 1 {
					t.Fatalf("%d contacts, expected one", n)
				}
				if d := m.Vel.At(0).Sub(vec.V(1.5, 0.7, 0)).Norm(); d > 1e-9 {
					t.Fatalf("the velocity is off by %g m/s", d)
				}
				if s := m.Spin.At(0).Norm(); s > 1e-9 {
					t.Fatalf("it turns at %g rad/s", s)
				}
				if d := m.Pos.At(0).Sub(p.Pos.At(0)).Norm(); d > 1e-9 {
					t.Fatalf("it is %g m from where it would be on a plane", d)
				}
			}
		})
	}
}

// TestMeshFloorSettles: a box that falls 1 mm comes to rest as on a plane, at the depth at which
// the spring of one contact carries it. It never gains energy.
func TestMeshFloorSettles(t *testing.T) {
	const law = "restitution = 0.3\nfriction = 0.5"
	const body = "shape = \"box\"\nposition = [0.1, 0.05, 0.101]"
	mesh, plane := onFloor(t, meshFloor, law, body), onFloor(t, planeFloor, law, body)
	energy := func() float64 {
		m := mesh.World.Measure()
		return m.Kinetic() + m.Potential + m.Ledger.Elastic + m.Ledger.Shear
	}
	start := energy()
	for range 40 {
		advance(t, mesh, 500)
		advance(t, plane, 500)
		if e := energy(); e > start+1e-9*24*9.81*0.1 {
			t.Fatalf("energy %g J, at the start %g J", e, start)
		}
	}
	m, p := mesh.World.Bodies(), plane.World.Bodies()
	got, want := m.Pos.At(0), p.Pos.At(0)
	if d := got.Sub(want).Norm(); d > 1e-11 {
		t.Errorf("it rests at %v, on a plane at %v: off by %g m", got, want, d)
	}
	if rest := 0.1 - 24*9.81/1e6; math.Abs(got.Z-rest) > 1e-9 {
		t.Errorf("it rests at the height %.12g, expected %.12g", got.Z, rest)
	}
	if v, s := m.Vel.At(0).Norm(), m.Spin.At(0).Norm(); v > 1e-7 || s > 1e-7 {
		t.Errorf("it still moves at %g m/s and %g rad/s", v, s)
	}
}

// TestMeshFloorDraws: frames draw a facet of several triangles as one polygon.
func TestMeshFloorDraws(t *testing.T) {
	b := onFloor(t, meshFloor, "", "shape = \"ball\"\nposition = [0, 0, 1]")
	f := &folder{r: &runner{w: b.World, s: &Scene{}}}
	d := &fileio.PolyData{}
	if n := f.draw(d, soa.Piece(1)); n != 1 {
		t.Errorf("%d faces drawn, expected one", n)
	}
	if len(d.Points) != 12 || len(d.Polys.Offsets) != 1 || len(d.Polys.Connectivity) != 4 {
		t.Errorf("%d coordinates, %d polygons of %d corners, expected a square", len(d.Points), len(d.Polys.Offsets), len(d.Polys.Connectivity))
	}
}

// TestModulusOnMeshes: a modulus between a block and facets is rejected with its key and the
// materials. A modulus that does not concern facets is accepted.
func TestModulusOnMeshes(t *testing.T) {
	scene := func(shape, law, pair string) string {
		return `[time]
dt = 2e-5
steps = 1
[materials.rock]
density = 1000
[materials.steel]
[materials.clay]
density = 1500
[shapes.stone]
builtin = "` + shape + `"
material = "rock"
[law]
normal = "thickness"
` + law + "\n" + pair + `
[[bodies]]
shape = "stone"
position = [0, 0, 1]
[[walls]]
material = "steel"
file = "floor.obj"
[[walls]]
material = "clay"
plane = {point = [0, 0, -1], normal = [0, 0, 1]}
`
	}
	const (
		block, round = "box:0.4x0.3x0.2", "ball:0.1"
		stiff, grows = "stiffness = 1e6", "modulus = 1e6\narea_exponent = 0.5"
		of           = ": found 1e+06, which has no meaning between the blocks of shapes.stone (material \"rock\") and the facets of walls[0] (material \"steel\")"
	)
	pair := func(a, b, keys string) string {
		return fmt.Sprintf("[[law.pair]]\nmaterials = [%q, %q]\n%s", a, b, keys)
	}
	for _, c := range []struct{ name, shape, law, pair, want string }{
		{"base", block, grows, "", "law.modulus" + of},
		{"pair", block, stiff, pair("steel", "rock", grows), "law.pair[0].modulus" + of},
		{"pair with the base's", block, grows, pair("steel", "rock", "friction = 0.1"), "law.modulus" + of},
		{"ball", round, grows, "", ""},
		{"blocks and a plane", block, stiff, pair("rock", "clay", grows), ""},
		{"all but facets", block, grows, pair("rock", "steel", stiff), ""},
	} {
		s, err := Load(write(t, scene(c.shape, c.law, c.pair), map[string]string{"floor.obj": floorOBJ(4)}))
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, expected %s", c.name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "":
			b, err := s.Build(1)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			advance(t, b, 3)
			b.Close()
		}
	}
}
