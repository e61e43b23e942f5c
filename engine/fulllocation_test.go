package engine

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/overlap"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// poseRowOf returns where the single contact of a world acts.
func poseRowOf(t *testing.T, w *World) (at vec.Vec3) {
	t.Helper()
	n := 0
	for c := range w.ActiveContacts() {
		at = c.Location
		n++
	}
	if n != 1 || w.AnsweredBy().NoOverlap != 0 {
		t.Fatalf("%d contacts, %d of them without an overlap, expected one", n, w.AnsweredBy().NoOverlap)
	}
	return at
}

// TestFullLocation compares the location of cubes in the ground with the centroid of a wedge (V6), a
// pyramid (V5) and a slab. The ground is a plane, a block or two facets; the last cube lies half beyond
// its border.
func TestFullLocation(t *testing.T) {
	const h = 0.01
	edge, corner := math.Sqrt2/2, math.Sqrt(3)/2
	upright := vec.FromRotationVector(vec.V(1, -1, 0).Unit().Scale(math.Acos(1 / math.Sqrt(3))))
	for _, c := range []struct {
		name   string
		pose   vec.Pose
		want   vec.Vec3
		border bool
	}{
		{"edge", vec.Pose{Pos: vec.V(0.1, 0.2, edge-h), Rot: vec.FromRotationVector(vec.V(pi/4, 0, 0))}, vec.V(0.1, 0.2, -h/3), false},
		{"corner", vec.Pose{Pos: vec.V(0.1, 0.2, corner-h), Rot: upright}, vec.V(0.1, 0.2, -h/4), false},
		{"face", at(0.1, 0.2, 0.5-h), vec.V(0.1, 0.2, -h/2), false},
		{"face beyond the border", at(2, 0.2, 0.5-h), vec.V(1.75, 0.2, -h/2), true},
	} {
		for name, ground := range map[string]func(w *World){
			"plane": func(w *World) {
				addWall(t, w, WallSpec{Parts: one(addShape(t, w, PlaneTemplate()), 0), Pose: PlanePose(vec.Vec3{}, vec.V(0, 0, 1))})
			},
			"block": func(w *World) {
				addWall(t, w, WallSpec{Parts: one(addShape(t, w, box(t, 4, 4, 2)), 0), Pose: at(0, 0, -1)})
			},
			"facets": func(w *World) { floor(t, w, 2) },
		} {
			if c.border && name == "plane" {
				continue
			}
			for _, first := range []bool{true, false} { // The order of the bodies is no matter.
				w := newWorld(t, Config{Location: Full}, force.Linear{Kn: 1e6})
				if first {
					ground(w)
				}
				addBody(t, w, BodySpec{Parts: one(addShape(t, w, box(t, 1, 1, 1)), 1000), Pose: c.pose})
				if !first {
					ground(w)
				}
				if got := poseRowOf(t, w); got.Sub(c.want).Norm() > 1e-12 {
					t.Errorf("%s on a %s: at %v, expected %v", c.name, name, got, c.want)
				}
			}
		}
	}
}

// TestFullLocationOfBlocks is V1, V2 and V7 between two bodies, also far from the origin, and V1 between
// rounded cubes, which act as their cores moved together.
func TestFullLocationOfBlocks(t *testing.T) {
	quarter := vec.FromRotationVector(vec.V(pi/4, 0, 0))
	crossed := vec.FromRotationVector(vec.V(0, 0, pi/2)).Mul(quarter)
	for _, c := range []struct {
		name   string
		pa, pb vec.Pose
		round  float64
		want   vec.Vec3
	}{
		{"V1", at(0, 0, 0), at(0.9, 0.2, 0.1), 0, vec.V(0.45, 0.1, 0.05)},
		{"V1 rounded", at(0, 0, 0), at(0.9+0.1, 0.2, 0.1), 0.05, vec.V(0.5, 0.1, 0.05)},
		{"V2", at(0, 0, 0), vec.Pose{Pos: vec.V(0, 0, 0.9), Rot: vec.FromRotationVector(vec.V(0, 0, pi/6))}, 0, vec.V(0, 0, 0.45)},
		{"V7", vec.Pose{Rot: crossed}, vec.Pose{Pos: vec.V(0, 0, math.Sqrt2-0.1), Rot: quarter}, 0, vec.V(0, 0, math.Sqrt2/2-0.05)},
	} {
		for _, far := range []float64{0, 1e6} {
			w := newWorld(t, Config{Location: Full}, force.Linear{Kn: 1e6})
			cube := box(t, 1, 1, 1)
			cube.Round = c.round
			shape, away := addShape(t, w, cube), vec.V(far, far, -far)
			c.pa.Pos, c.pb.Pos = c.pa.Pos.Add(away), c.pb.Pos.Add(away)
			addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: c.pa})
			addBody(t, w, BodySpec{Parts: one(shape, 1000), Pose: c.pb})
			if off := poseRowOf(t, w).Sub(away).Sub(c.want).Norm(); off > 1e-12+1e-15*far {
				t.Errorf("%s, %g m from the origin: off by %g", c.name, far, off)
			}
			c.pa.Pos, c.pb.Pos = c.pa.Pos.Sub(away), c.pb.Pos.Sub(away)
		}
	}
}

// TestFullLocationOnConcaveGroup lays rocks over the inner corner of three squares, which are one coplanar
// group. The contact with their plane acts at the centroid of what the rock shares with all three.
func TestFullLocationOnConcaveGroup(t *testing.T) {
	r, clipper, met := geometry.NewRand(3), overlap.NewClipper(), 0
	for i := range 40 {
		shape, turn := rock(t, uint64(i), 8+i, 0.3), r.Rotation()
		var parts triangles
		for k, p := range [][2]float64{{-1, -1}, {0, -1}, {-1, 0}, {0, 0}} {
			if x, y := p[0], p[1]; k != i%4 {
				parts = append(parts, []vec.Vec3{vec.V(x, y, 0), vec.V(x+1, y, 0), vec.V(x+1, y+1, 0), vec.V(x, y+1, 0)})
			}
		}
		w := newWorld(t, Config{Location: Full}, force.Linear{Kn: 1e6})
		parts.wall(t, w, vec.IdentityPose, Motion{})
		low := math.Inf(1)
		for _, v := range shape.Verts {
			low = min(low, turn.Rotate(v).Z)
		}
		id := addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1), Pose: vec.Pose{Pos: vec.V(0.1*r.Range(-1, 1), 0.1*r.Range(-1, 1), -low-0.03), Rot: turn}})
		for c := range w.ActiveContacts() {
			if c.Normal.Z > -1+1e-12 {
				continue
			}
			met++
			pose := w.bodies.Pose(soa.Body(id))
			var sum vec.Vec3
			all := 0.0
			for _, corners := range parts {
				v := w.space.Shapes.View(w.space.Pieces.Shape[c.PieceA])
				bounds := []overlap.Bound{{Normal: vec.V(0, 0, 1), Offset: -pose.Pos.Z}}
				for k, p := range corners {
					side := corners[(k+1)%4].Sub(p).Cross(vec.V(0, 0, 1))
					bounds = append(bounds, overlap.Bound{Normal: side, Offset: side.Dot(p.Sub(pose.Pos))})
				}
				volume, at, _ := clipper.VolumeWithin(v, vec.Pose{Rot: pose.Rot}, bounds)
				all += volume
				sum = sum.AddScaled(volume, pose.Pos.Add(at))
			}
			if want := sum.Scale(1 / all); c.Location.Sub(want).Norm() > 1e-11 {
				t.Errorf("rock %d acts at %v, expected %v", i, c.Location, want)
			}
		}
	}
	if met < 20 {
		t.Errorf("%d contacts with the plane of the group, expected 20 at least", met)
	}
}

// TestFullLocationSameBits drops a heap on any number of workers, and lets it come to rest.
func TestFullLocationSameBits(t *testing.T) {
	var want uint64
	for _, workers := range []int{1, 3} {
		w := heap(t, Config{Location: Full, Workers: workers}, 30)
		steps(t, w, 8000, 1e-4)
		m, counts := w.Measure(), w.AnsweredBy()
		if want == 0 {
			want = w.Hash()
		}
		if w.Hash() != want || !(m.Kinetic() < 2e-3*m.StartedAbove) || counts.NoOverlap > counts.Active/1000 {
			t.Errorf("%d workers: hash %x, expected %x; %g J of %g J move; %d of %d contacts without an overlap",
				workers, w.Hash(), want, m.Kinetic(), m.StartedAbove, counts.NoOverlap, counts.Active)
		}
	}
}
