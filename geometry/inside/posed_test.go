package inside

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/geometry/surfaces"
	"github.com/scree-dem/scree/vec"
)

// TestMeeting compares the nodes of posed tori in each other with a direct computation by solid
// angles, body by body, on any number of workers.
func TestMeeting(t *testing.T) {
	m, err := surfaces.Torus(1, 0.4, 30, 20)
	if err != nil {
		t.Fatal(err)
	}
	auto, err := New(m, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	angles, err := New(m, Options{Method: Winding, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	expansions, err := New(m, Options{Method: FMM, Direct: "never", Workers: 1})
	if err != nil || expansions.Report.Near == expansions.Report.Cells {
		t.Fatal(err, "no expansion is used")
	}
	rng := rand.New(rand.NewPCG(2, 3))
	var bodies []PosedSolid
	var a, b []uint32
	for k := range 6 {
		turn := vec.FromRotationVector(vec.V(rng.Float64()*3, rng.Float64()*3, rng.Float64()*3))
		bodies = append(bodies, PosedSolid{auto, vec.Pose{Pos: vec.V(rng.Float64(), rng.Float64(), rng.Float64()), Rot: turn}})
		for j := range k {
			a, b = append(a, uint32(j)), append(b, uint32(k))
		}
	}
	bodies[0].Pose.Rot = vec.Quat{}
	var want []Hit
	for k := range a {
		for _, side := range [2][2]uint32{{a[k], b[k]}, {b[k], a[k]}} {
			of, in := bodies[side[0]], bodies[side[1]]
			points := make([]vec.Vec3, len(auto.Nodes()))
			for i, p := range auto.Nodes() {
				points[i] = in.Pose.OrIdentity().PointInv(of.Pose.OrIdentity().Point(p))
			}
			places := make([]Place, len(points))
			if err := angles.Locate(points, places, nil); err != nil {
				t.Fatal(err)
			}
			for i, p := range places {
				if p != Outside {
					want = append(want, Hit{k, side[0], side[1], uint32(i), p})
				}
			}
		}
	}
	if len(want) < 100 {
		t.Fatalf("%d hits: the test tests too little", len(want))
	}
	for _, workers := range []int{1, 3} {
		meeting := NewMeeting(workers)
		got, err := meeting.Find(bodies, a, b, nil)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: %d hits, expected %d, and the same (%v)", workers, len(got), len(want), err)
		}
		// The fast multipole method, with one tree for all poses, finds the same nodes.
		for k := range bodies {
			bodies[k].Solid = expansions
		}
		if got, err := meeting.Find(bodies, a, b, nil); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers, fmm: %d hits, expected %d, and the same (%v)", workers, len(got), len(want), err)
		}
		for k := range bodies {
			bodies[k].Solid = auto
		}
		if workers == 1 {
			if n := testing.AllocsPerRun(3, func() { got, err = meeting.Find(bodies, a, b, got[:0]) }); n != 0 {
				t.Errorf("%v allocations, expected none", n)
			}
		}
		meeting.Close()
	}
}

// TestMeetingFarAway moves two turned cubes that touch within 1e-10 by a distance at which the
// difference of their positions stays exact: the hits must stay the same.
func TestMeetingFarAway(t *testing.T) {
	s, err := New(boxMesh(vec.Vec3{}, unit), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	meeting := NewMeeting(1)
	defer meeting.Close()
	rng, found := rand.New(rand.NewPCG(5, 5)), 0
	for range 50 {
		q := vec.FromRotationVector(vec.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
		d := q.Rotate(vec.V(1, 0.3, 0.2))
		d = vec.V(math.Round(d.X*0x1p32), math.Round(d.Y*0x1p32), math.Round(d.Z*0x1p32)).Scale(0x1p-32)
		var hits [2][]Hit
		for k, far := range []vec.Vec3{{}, vec.V(0x1p20, -0x1p20, 0x1p19)} {
			bodies := []PosedSolid{{s, vec.Pose{Pos: far, Rot: q}}, {s, vec.Pose{Pos: far.Add(d), Rot: q}}}
			if hits[k], err = meeting.Find(bodies, []uint32{0}, []uint32{1}, nil); err != nil {
				t.Fatal(err)
			}
		}
		found += len(hits[0])
		if !slices.Equal(hits[0], hits[1]) {
			t.Errorf("rotation %v: hits %v, and %v far away", q, hits[0], hits[1])
		}
	}
	if found < 20 {
		t.Errorf("%d hits: the test tests too little", found)
	}
}

// TestBodyBox checks that all nodes of a body lie in its box, at any pose.
func TestBodyBox(t *testing.T) {
	s, err := New(boxMesh(vec.V(-3, 0, 1e3), vec.V(1, 5, 1e3+2)), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 1000 {
		turn := vec.FromRotationVector(vec.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()))
		body := PosedSolid{s, vec.Pose{Pos: vec.V(rng.NormFloat64()*1e5, rng.NormFloat64(), 0), Rot: turn}}
		box := body.Box()
		for _, p := range s.Nodes() {
			if q := body.Pose.Point(p); q.Max(box.Min) != q || q.Min(box.Max) != q {
				t.Fatalf("node %v at %v lies outside of %v", p, q, box)
			}
		}
	}
}

// TestMeetingRefuses checks that errors name the body that cannot be tested.
func TestMeetingRefuses(t *testing.T) {
	s, err := New(boxMesh(vec.Vec3{}, unit), Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	meeting := NewMeeting(1)
	for name, c := range map[string]struct {
		bodies []PosedSolid
		a, b   []uint32
		kind   error
	}{
		"no such body": {[]PosedSolid{{Solid: s}}, []uint32{0}, []uint32{1}, geometry.ErrValue},
		"no solid":     {[]PosedSolid{{Solid: s}, {}}, []uint32{0}, []uint32{1}, geometry.ErrValue},
		"no rotation":  {[]PosedSolid{{Solid: s}, {s, vec.Pose{Rot: vec.Quat{W: 2}}}}, []uint32{0}, []uint32{1}, geometry.ErrValue},
		"one column":   {[]PosedSolid{{Solid: s}}, []uint32{0}, nil, geometry.ErrValue},
		"not finite":   {[]PosedSolid{{Solid: s}, {s, vec.Pose{Pos: vec.V(1, 0, 0).Scale(1e308).Scale(10)}}}, []uint32{0}, []uint32{1}, geometry.ErrNotFinite},
	} {
		if _, err := meeting.Find(c.bodies, c.a, c.b, nil); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// BenchmarkMeeting tests two tori of 20000 nodes that pass through each other.
func BenchmarkMeeting(b *testing.B) {
	m, err := surfaces.Torus(1, 0.4, 200, 100)
	if err != nil {
		b.Fatal(err)
	}
	s, err := New(m, Options{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	bodies := []PosedSolid{{Solid: s}, {Solid: s, Pose: vec.Pose{Pos: vec.V(0.6, 0, 0), Rot: vec.FromRotationVector(vec.V(1.5, 0.1, 0))}}}
	meeting := NewMeeting(1)
	var hits []Hit
	for b.Loop() {
		if hits, err = meeting.Find(bodies, []uint32{0}, []uint32{1}, hits[:0]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(2*len(s.Nodes())), "ns/node")
	b.ReportMetric(float64(len(hits)), "hits")
}

// TestNodesAreOnTheSurface checks that the tips of a spike and of a triangle without area are no nodes:
// they are not on the surface, and the body's box lacks them.
func TestNodesAreOnTheSurface(t *testing.T) {
	box, err := geometry.Box(1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := &geometry.Mesh{Name: "box with tips", Verts: append(slices.Clone(box.Verts), vec.V(3, -0.5, -0.5), vec.V(0, 0, 7))}
	for f := range box.NFaces() {
		var face []int
		for _, k := range box.Loop(f) {
			face = append(face, int(k))
		}
		m.Faces = append(m.Faces, face)
	}
	m.Faces = append(m.Faces, []int{0, 1, 8}, []int{8, 1, 0}) // 8 is in a row with 0 and 1
	m.Faces[0] = append(m.Faces[0], m.Faces[0][0], 9)
	s, err := New(m, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if !slices.Equal(s.Nodes(), box.Verts) {
		t.Errorf("nodes %v, expected those of the box", s.Nodes())
	}
}
