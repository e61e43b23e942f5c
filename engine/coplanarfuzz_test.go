package engine

import (
	"fmt"
	"math"
	"testing"

	"github.com/scree-dem/scree/force"
	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// A block and a flat wall, compared with one facet.

// FuzzCoplanarFacets compares a block's contact with a triangulated square to its contact with one
// facet, for any pose and depth. If the square has a hole, no contact may be deeper than the
// plane's, or less deep than that of the deepest facet.
func FuzzCoplanarFacets(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Add(uint64(77), uint64(1))
	f.Fuzz(func(t *testing.T, seed, cut uint64) {
		r := geometry.NewRand(seed)
		floor := gridFloor(1+int(cut%9), 0.35, cut)
		shape := rock(t, seed%7, 8+int(seed%20), 0.2)
		if seed%5 == 0 {
			shape.Round = 0.02
		}
		if seed%3 == 0 {
			shape = box(t, 0.3, 0.2, 0.1+0.3*r.Float64())
		}
		pose := vec.Pose{Pos: vec.V(r.Range(-1.2, 1.2), r.Range(-1.2, 1.2), r.Range(-0.05, 0.25)), Rot: r.Rotation()}
		world := func(f triangles) *World {
			w := newWorld(t, Config{}, force.Linear{Kn: 1e6, Dn: 10})
			f.wall(t, w, vec.IdentityPose, Motion{})
			addBody(t, w, BodySpec{Parts: one(addShape(t, w, shape), 1000), Pose: pose, Vel: vec.V(0.1, 0.2, -0.3)})
			w.Measure()
			return w
		}
		got, want := world(floor), world(square)
		a, b := contactsOf(got), contactsOf(want)
		if len(a) != len(b) {
			t.Fatalf("%v: contacts %v, with one facet %v", pose, a, b)
		}
		if len(a) == 1 {
			// If two directions are equally deep, either may be the answer.
			if math.Abs(a[0].gap-b[0].gap) > 1e-10 || a[0].normal.Sub(b[0].normal).Norm() < 1e-6 && a[0].at.Sub(b[0].at).Norm() > 1e-7 {
				t.Errorf("%v: contact %+v, with one facet %+v", pose, a[0], b[0])
			}
		}
		x, y := r.Range(-1, 0.5), r.Range(-1, 0.5)
		holed := floor.without(x, y, x+0.4, y+0.4)
		if len(holed) < 2 {
			return
		}
		deepest := 0.0
		for _, p := range holed {
			for _, c := range contactsOf(world(triangles{p})) {
				deepest = min(deepest, c.gap)
			}
		}
		least := 0.0
		for _, c := range contactsOf(world(holed)) {
			least = min(least, c.gap)
		}
		if under := -planeDepth(want); least > deepest*(1-1e-9)+1e-10 || least < under-1e-10 {
			t.Errorf("%v: depth %g in a floor with a hole, expected %g, of its deepest facet, to %g", pose, -least, -deepest, -under)
		}
	})
}

// seen is a contact as the tests compare it.
type seen struct {
	gap        float64
	normal, at vec.Vec3
}

func (s seen) String() string { return fmt.Sprintf("%g along %v at %v", s.gap, s.normal, s.at) }

func contactsOf(w *World) (out []seen) {
	for i, active := range w.space.Contacts.Active {
		if active {
			out = append(out, seen{w.space.Contacts.Gap[i], w.space.Contacts.Normal.At(i), w.space.Contacts.Location.At(i)})
		}
	}
	return out
}

// planeDepth returns how far body 1 reaches through the plane z = 0, from the side where that is
// less.
func planeDepth(w *World) float64 {
	p := w.bodies.FirstPiece[1]
	pose, v := w.space.Pieces.Pose(&w.bodies, p), w.space.Shapes.View(w.space.Pieces.Shape[p])
	low, high := math.Inf(1), math.Inf(-1)
	for k := range v.NVerts {
		z := pose.Point(v.Vert(soa.Vertex(k))).Z
		low, high = min(low, z), max(high, z)
	}
	return max(min(-low, high)+v.Round, 0)
}
