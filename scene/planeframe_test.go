package scene

import (
	"math"
	"slices"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestPlanesAreDrawn: the plane of a scene is drawn as a square around the bodies, and the frame
// has the names of the walls.
func TestPlanesAreDrawn(t *testing.T) {
	s := load(t, small)
	b, err := s.Build(1)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	f := &folder{r: &runner{s: s, b: b, w: b.World}}
	fr, err := f.snapshot(t.Context())
	if err != nil || fr.walls == nil {
		t.Fatalf("walls %v, %v", fr.walls, err)
	}
	d := fr.walls
	if len(d.Polys.Offsets) != 1 || len(d.Points) != 12 || !slices.Equal(d.Names, []string{"floor"}) {
		t.Fatalf("%d polygons of %d coordinates, names %q", len(d.Polys.Offsets), len(d.Points), d.Names)
	}
	box := vec.EmptyBox()
	for i := range 4 {
		p := vec.V(d.Points[3*i], d.Points[3*i+1], d.Points[3*i+2])
		if math.Abs(p.Z) > 1e-12 {
			t.Errorf("corner %v, expected one on the floor", p)
		}
		box = box.With(p)
	}
	for i := range b.moving() {
		if p := b.World.Bodies().Pos.At(i); p.X < box.Min.X || p.X > box.Max.X || p.Y < box.Min.Y || p.Y > box.Max.Y {
			t.Errorf("body %d at %v is not above the square %v", i, p, box)
		}
	}
	mass, slides := 0.0, false
	for _, field := range fr.bodies.CellData {
		if field.Name == "mass" {
			mass = field.Floats[0]
		}
	}
	for _, field := range fr.contacts.PointData {
		slides = slides || field.Name == "sliding" && field.Ints != nil
	}
	if mass != b.World.Bodies().Mass[0] || !slides {
		t.Errorf("mass %g, expected %g kg; contacts report whether they slide: %v", mass, b.World.Bodies().Mass[0], slides)
	}
}

// TestPlainNames: names are unique, and numpy and pandas accept them without change.
func TestPlainNames(t *testing.T) {
	taken := map[string]bool{}
	var got []string
	for _, name := range []string{"wall_drum", "wall_a b", "wall_a.b", "wall_a_b", "wall_µ-1"} {
		got = append(got, plainName(name, taken))
	}
	if want := []string{"wall_drum", "wall_a_b", "wall_a_b_2", "wall_a_b_3", "wall_µ_1"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}
