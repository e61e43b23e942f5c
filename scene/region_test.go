package scene

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scree-dem/scree/fileio"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// regionScene returns a scene with random balls in a region.
func regionScene(region string, count string) string {
	return `
seed = 3
time = { dt = 1e-4, steps = 1 }
materials.stone = { density = 2600 }
shapes.rock = { builtin = "rock:1,12,0.05", material = "stone" }
[[bodies]]
generator = "random"
shapes = ["rock"]
count = ` + count + `
` + region + `
[law]
stiffness = 1e5
`
}

// cornerOBJ is a tetrahedron with three right angles at one corner and legs of 1 m.
const cornerOBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

// TestRandomRegions puts rocks into a tilted cylinder and into a tetrahedron. All bounding balls
// must be inside and disjoint, and some must be near every side.
func TestRandomRegions(t *testing.T) {
	from, to := vec.V(1, 2, 3), vec.V(1.6, 2.8, 3)
	axis := to.Sub(from).Unit()
	for _, c := range []struct {
		name, region string
		// depths returns the depth of a point below each side.
		depths func(p vec.Vec3) []float64
	}{
		{"cylinder", `cylinder = { from = [1, 2, 3], to = [1.6, 2.8, 3], radius = 0.3 }`, func(p vec.Vec3) []float64 {
			h := p.Sub(from).Dot(axis)
			return []float64{h, 1 - h, 0.3 - p.Sub(from).AddScaled(-h, axis).Norm()}
		}},
		{"mesh", `mesh = "room.obj"`, func(p vec.Vec3) []float64 {
			return []float64{p.X, p.Y, p.Z, (1 - p.X - p.Y - p.Z) / 1.7320508075688772}
		}},
	} {
		s, err := Load(write(t, regionScene(c.region, "40"), map[string]string{"room.obj": cornerOBJ}))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		b, err := s.Build(1)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		w := b.World
		radius := w.Bodies().Radius[0]
		near := c.depths(w.Bodies().Pos.At(0))
		for i := range b.moving() {
			p := w.Bodies().Pos.At(i)
			for k, d := range c.depths(p) {
				if near[k] = min(near[k], d); d < radius-1e-12 {
					t.Errorf("%s: body %d is %g m below side %d, expected %g m at least", c.name, i, d, k, radius)
				}
			}
			for j := range i {
				if d := w.Bodies().Pos.At(j).Sub(p).Norm(); d < 2*radius-1e-12 {
					t.Errorf("%s: bodies %d and %d are %g m apart", c.name, i, j, d)
				}
			}
		}
		for k, d := range near {
			if d > 2*radius {
				t.Errorf("%s: no body is near side %d, the nearest %g m below it", c.name, k, d)
			}
		}
		b.Close()
	}
}

// TestRandomRegionErrors: the message names the wrong key.
func TestRandomRegionErrors(t *testing.T) {
	for region, want := range map[string]string{
		"":                                      "bodies[0].box: is missing",
		"box = [[0,0,0],[1,1,1]]\nmesh = \"m\"": "bodies[0].mesh: is given beside box",
		"cylinder = { from = [0,0,0], to = [0,0,0], radius = 1 }": "bodies[0].cylinder.to",
		"cylinder = { from = [0,0,0], to = [0,0,1], radius = 0 }": "bodies[0].cylinder.radius",
		"cylinder = { from = [0,0,0], to = [0,0,1], raduis = 1 }": "the nearest known one is \"radius\"",
		"cylinder = { to = [0,0,1], radius = 0.04 }":              "bodies[0].cylinder: sides",
		"cylinder = { radius = 1 }":                               "bodies[0].cylinder.to: is missing, expected three numbers [x, y, z], the middle of the other end",
		"cylinder = { to = [0,0,1] }":                             "bodies[0].cylinder.radius: is missing, expected a length > 0 m",
		"cylinder = {}":                                           "bodies[0].cylinder.to: is missing",
		"cylinder = { to = [0,0,0.3], radius = 0.3 }":             "fit into the cylinder",
		"mesh = \"absent.obj\"":                                   "absent.obj",
		// The message names the mesh once, numbers faces as the file does, and suggests no methods.
		"mesh = \"dent.obj\"": "dent.obj: 3 boundary edges of one face, first (0 1 0) to (1 0 0) of face 1, (1 0 0) to (0 0 1) of face 2, (0 0 1) to (0 1 0) of face 3: it is open, expected a closed surface",
	} {
		path := write(t, regionScene(region, "4000"), map[string]string{
			"dent.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", // open
		})
		s, err := Load(path)
		if err == nil {
			var b *Built
			if b, err = s.Build(1); err == nil {
				b.Close()
			}
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "winding") {
			t.Errorf("%q: error %v, expected %q in it", region, err, want)
		}
	}
}

// TestEmptyMeshes: a mesh without volume is rejected as a region to fill, and causes a warning in a
// count.
func TestEmptyMeshes(t *testing.T) {
	sheet := map[string]string{"sheet.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"}
	_, err := Load(write(t, regionScene(`mesh = "sheet.obj"`, "5"), sheet))
	if want := `.mesh: found "sheet.obj", expected a mesh with room for bodies: this one is closed, but encloses no more volume`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, expected %q", err, want)
	}
	s, err := Load(write(t, regionScene(`box = [[0, 0, 0], [1, 1, 1]]`, "5")+"[[counts]]\nname = \"sheet\"\nmesh = \"sheet.obj\"\n", sheet))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.warnings) != 1 || !strings.Contains(s.warnings[0], `counts[0].mesh: "sheet.obj" is closed, but encloses no more volume`) {
		t.Errorf("warnings %q", s.warnings)
	}
}

// torusScene returns a scene with a torus mesh, in which bodies are placed or counted.
func torusScene(t *testing.T, region string) *Scene {
	t.Helper()
	ring, err := surfaces.Torus(1, 0.3, 96, 48)
	if err != nil {
		t.Fatal(err)
	}
	text := regionScene(region, "150") + "[[counts]]\nname = \"ring\"\nmesh = \"ring.off\"\n"
	path := write(t, text, nil)
	if err := fileio.WriteMesh(filepath.Join(filepath.Dir(path), "ring.off"), ring); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRandomInARing fills a solid that is not convex. All bounding balls must be inside the torus,
// some near its surface, and none in its hole.
func TestRandomInARing(t *testing.T) {
	s := torusScene(t, `mesh = "ring.off"`)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	bodies := b.World.Bodies()
	radius, least := bodies.Radius[0], 1.0
	for i := range b.moving() {
		p := bodies.Pos.At(i)
		depth := 0.3 - math.Hypot(math.Hypot(p.X, p.Y)-1, p.Z)
		if least = min(least, depth); depth < radius-1e-12 {
			t.Errorf("body %d is %g m below the surface, expected %g m at least", i, depth, radius)
		}
	}
	if least > 1.3*radius {
		t.Errorf("no body is near the surface, the nearest %g m below it", least)
	}
	if n := s.counts[0].bodies(b.World); n != b.moving() {
		t.Errorf("%d of %d bodies counted in the ring", n, b.moving())
	}
}

// TestCountsInARing counts bodies that fill the bounding box of the torus.
func TestCountsInARing(t *testing.T) {
	s := torusScene(t, `box = [[-1.3, -1.3, -0.3], [1.3, 1.3, 0.3]]`)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	bodies, least, most := b.World.Bodies(), 0, 0
	for i := range b.moving() {
		p := bodies.Pos.At(i)
		depth := 0.3 - math.Hypot(math.Hypot(p.X, p.Y)-1, p.Z)
		if depth > 0.0015 { // the mesh is up to 1.4 mm inside the smooth torus
			least++
		}
		if depth > 0 {
			most++
		}
	}
	if n := s.counts[0].bodies(b.World); n < least || n > most || least < 20 || most > least+3 {
		t.Errorf("%d bodies counted in the ring, expected %d to %d", n, least, most)
	}
	if got := s.counts[0].String(); !strings.HasPrefix(got, "ring mesh ring.off of 9216 triangles, 1.77") {
		t.Errorf("the region is %q", got)
	}
}
