package section

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

func viewOf(t *testing.T, p *geometry.Polyhedron) *soa.View {
	t.Helper()
	var s soa.Shapes
	id, err := s.Add(p.Template())
	if err != nil {
		t.Fatal(err)
	}
	return s.View(id)
}

// TestOnPlaneIsASlab cuts rocks by a plane and by a slab whose top is this plane. The locations
// must agree.
func TestOnPlaneIsASlab(t *testing.T) {
	big, err := geometry.Box(20, 20, 20)
	if err != nil {
		t.Fatal(err)
	}
	slab := viewOf(t, big)
	r := geometry.NewRand(4)
	c := NewCutter()
	for i := range 100 {
		rock, err := geometry.Rock(uint64(i), 8+i%20, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		v := viewOf(t, rock)
		pose := vec.Pose{Pos: vec.V(0.3, 0.2, 0), Rot: r.Rotation()}
		low := math.Inf(1)
		var arm vec.Vec3
		for k := range v.NVerts {
			if p := pose.Rot.Rotate(v.Vert(soa.Vertex(k))); p.Z < low {
				low, arm = p.Z, p
			}
		}
		gap := -0.1 * r.Float64()
		pose.Pos.Z = gap - low
		n := vec.V(0, 0, -1)
		armB := arm.Add(pose.Pos).AddScaled(gap, n).Sub(vec.V(0, 0, -10))
		want, wantArea, ok := c.Reduced(v, pose, slab, vec.Pose{Pos: vec.V(0, 0, -10), Rot: vec.Identity}, n, gap, arm, armB)
		if !ok {
			t.Fatal("no section with the slab")
		}
		wantWide := c.Gyration()
		got, area, ok := c.OnPlane(v, pose, n, gap, arm.AddScaled(0.5*gap, n))
		if !ok || got.Sub(want).Norm() > 1e-12 || math.Abs(area-wantArea) > 1e-12 {
			t.Errorf("rock %d: section %v of %g m², expected %v of %g", i, got, area, want, wantArea)
		}
		if wide := c.Gyration(); math.Abs(wide.XX-wantWide.XX)+math.Abs(wide.XY-wantWide.XY)+math.Abs(wide.YY-wantWide.YY) > 1e-12 {
			t.Errorf("rock %d: gyration %v, expected %v", i, wide, wantWide)
		}
	}
}

// TestGyration tests the moments of a rectangle a×b: a²/12 and b²/12.
func TestGyration(t *testing.T) {
	box, err := geometry.Box(3, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	v := viewOf(t, box)
	c := NewCutter()
	turn := vec.FromRotationVector(vec.V(0, 0, math.Pi/6))
	_, area, ok := c.OnPlane(v, vec.Pose{Pos: vec.V(5, 6, 7), Rot: turn}, vec.V(0, 0, -1), -0.1, vec.V(0, 0, -0.45))
	if !ok || math.Abs(area-3) > 1e-12 {
		t.Fatalf("section of %g m², expected 3", area)
	}
	want := vec.Sym3{XX: 9.0 / 12, YY: 1.0 / 12}.Rotated(turn.Mat3())
	got := c.Gyration()
	for name, d := range map[string]float64{"xx": got.XX - want.XX, "yy": got.YY - want.YY, "xy": got.XY - want.XY,
		"zz": got.ZZ, "xz": got.XZ, "yz": got.YZ} {
		if math.Abs(d) > 1e-12 {
			t.Errorf("moment %s is off by %g", name, d)
		}
	}
	// On its edge the section is thin, and as long as the edge.
	lean := vec.FromRotationVector(vec.V(math.Pi/4, 0, 0))
	if _, _, ok = c.OnPlane(v, vec.Pose{Rot: lean}, vec.V(0, 0, -1), -1e-9, vec.V(0, 0, -math.Sqrt(0.5))); !ok {
		t.Fatal("no section on the edge")
	}
	if g := c.Gyration(); math.Abs(g.XX-0.75) > 1e-6 || math.Abs(g.YY) > 1e-6 {
		t.Errorf("on its edge: gyration %v, expected 0.75 along x", g)
	}
}
