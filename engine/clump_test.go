package engine

import (
	"fmt"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/narrow"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestPiecesWithAPlaceOfTheirOwn drops bodies of several pieces onto one another. The gaps of their pieces, proven or
// not, must be those of a search. With the tag invariants, every certificate's answer is compared with a search.
func TestPiecesWithAPlaceOfTheirOwn(t *testing.T) {
	w := newWorld(t, Config{Gravity: vec.V(0, 0, -9.81)},
		force.Linear{Kn: 1e6, Kt: 8e5, Mu: 0.5, ByRestitution: true, Restitution: 0.3})
	cube := addShape(t, w, box(t, 0.2, 0.2, 0.2))
	tooth := addShape(t, w, rock(t, 3, 12, 0.12))
	floor(t, w, 3)
	for i := range 6 {
		parts := []Part{
			{Shape: cube, Density: 2000, Local: vec.Pose{Pos: vec.V(-0.1, 0, 0), Rot: vec.Identity}},
			{Shape: cube, Density: 2000, Local: vec.Pose{Pos: vec.V(0.1, 0.03, 0), Rot: vec.FromRotationVector(vec.V(0, 0, 0.3))}},
			{Shape: tooth, Density: 2000, Local: vec.Pose{Pos: vec.V(0, 0.05, 0.12), Rot: vec.FromRotationVector(vec.V(0.4, 0.2, 0))}},
		}
		addBody(t, w, BodySpec{Parts: parts, Pose: vec.Pose{
			Pos: vec.V(0.03*float64(i%2), 0.02*float64(i%3), 0.14+0.3*float64(i)),
			Rot: vec.FromRotationVector(vec.V(0.1*float64(i), 0.05, 0.2*float64(i))),
		}})
	}
	search, out := narrow.NewSearch(), narrow.Answer{}
	touched, proven := 0, 0
	for range 250 {
		steps(t, w, 10, 1e-4)
		c := &w.space.Contacts
		for i := range w.space.ActiveRows {
			a, b := w.space.PiecesOf(i)
			of := &w.space.Pieces
			if of.Kind[b] != soa.Block || !of.Offset[a] && !of.Offset[b] {
				continue
			}
			if touched++; c.Proven[i] > 0 {
				proven++
			}
			search.Resolve(w.space.Shapes.View(of.Shape[a]), of.Pose(&w.bodies, a), w.space.Shapes.View(of.Shape[b]), of.Pose(&w.bodies, b), 0, &out)
			if c.Gap[i] != out.Gap || c.Normal.At(i) != out.Normal {
				t.Fatalf("pieces %d and %d: gap %g along %v, of a search %g along %v", a, b, c.Gap[i], c.Normal.At(i), out.Gap, out.Normal)
			}
		}
	}
	if touched < 100 || proven < touched/2 {
		t.Errorf("%d contacts of such pieces seen, %d of them proven, expected more", touched, proven)
	}
}

// BenchmarkClumps measures a step of a heap of single cubes, and of cubes in clumps of two, for each active contact.
func BenchmarkClumps(b *testing.B) {
	for name, law := range map[string]force.Parameters{
		"gaps":     force.Linear{Kn: 1e5, Kt: 8e4, Mu: 0.5, ByRestitution: true, Restitution: 0.2},
		"overlaps": force.Thickness{Stiffness: 1e5, Tangential: 8e4, Friction: 0.5, Restitution: 0.2},
	} {
		for _, pieces := range []int{1, 2} {
			b.Run(fmt.Sprintf("law=%s/pieces=%d", name, pieces), func(b *testing.B) {
				w := newWorld(b, Config{Gravity: vec.V(0, 0, -9.81)}, law)
				cube := addShape(b, w, box(b, 0.2, 0.2, 0.2))
				for _, n := range []vec.Vec3{{Z: 1}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
					at := n.Scale(-1.2)
					if n.Z > 0 {
						at = vec.Vec3{}
					}
					planeWall(b, w, PlanePose(at, n), Motion{})
				}
				r := geometry.NewRand(1)
				for i := range 1000 / pieces {
					parts := []Part{{Shape: cube, Density: 2000}}
					pose := vec.Pose{Pos: vec.V(0.36*float64(i%6)-0.9, 0.36*float64(i/6%6)-0.9, 0.2+0.36*float64(i/36)), Rot: r.Rotation()}
					if pieces == 2 {
						parts = []Part{{Shape: cube, Density: 2000, Local: at(-0.09, 0, 0)}, {Shape: cube, Density: 2000, Local: at(0.09, 0.02, 0)}}
						pose.Pos = vec.V(0.45*float64(i%5)-0.9, 0.45*float64(i/5%5)-0.9, 0.25+0.45*float64(i/25))
					}
					addBody(b, w, BodySpec{Parts: parts, Pose: pose})
				}
				const dt = 5e-4
				steps(b, w, 6000, dt)
				active := w.space.Counts().Active
				for b.Loop() {
					steps(b, w, 1, dt)
				}
				if active = w.space.Counts().Active - active; active > 0 {
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(active), "ns/contact")
				}
			})
		}
	}
}
