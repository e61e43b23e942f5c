package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/internal/backends"
	"github.com/scree-dem/scree/vec"
)

// TestShareOfCoplanarBricks places bricks on bricks with sides that are coplanar but for 1e-18 to
// 1e-10 of their size. These values are below, within and above the tolerances of coplanar faces
// and of proofs. With the faces of the last step the overlap has the bits that it has without them,
// joined and cut. If the sides count as coplanar, the overlap is a prism with the sides of A.
func TestShareOfCoplanarBricks(t *testing.T) {
	n := 800
	if *soakOverlaps > 0 {
		n = 100 * *soakOverlaps
	}
	backends.Run(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(17, 17))
		brick, half := view(t, boxBody(1, 0.5, 0.5)), view(t, boxBody(0.5, 0.5, 0.5))
		warm, cold := NewClipper(), NewClipper()
		level, prisms, held := 0, 0, 0
		for range n {
			far := math.Pow(10, -18+8*r.Float64())
			o := overlapping{a: brick, b: brick, along: vec.Vec3{Z: 1}, pb: vec.Pose{Rot: vec.Identity}}
			o.pa.Rot = vec.Identity
			if r.IntN(3) == 0 {
				o.b = half
			}
			o.pb.Pos = vec.V([]float64{0, 0.25, 0.5, r.Float64()}[r.IntN(4)], 0, 0.5-math.Pow(10, -6+4*r.Float64()))
			if r.IntN(2) == 0 { // the wall may have any orientation
				q := turn(r)
				o.pa.Rot, o.pb.Rot, o.pb.Pos, o.along = q, q, q.Rotate(o.pb.Pos), q.Rotate(o.along)
			}
			if r.IntN(2) == 0 {
				o.a, o.b, o.pa, o.pb, o.along = o.b, o.a, o.pb, o.pa, o.along.Neg()
			}
			guess, told := Features{}, memory{}
			for range 4 {
				want, ok := cold.Share(o.a, o.pa, o.b, o.pb, o.along)
				var got Moments
				if okToo := warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &told.features, &got); ok != okToo || got != want {
					t.Fatalf("%g off, supposing the skeleton %+v: %v, %+v; without %v, %+v", far, told.features, okToo, got, ok, want)
				}
				told.of(cold)
				if okToo := warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &guess, &got); ok != okToo || got != want {
					t.Fatalf("%g off, supposing %+v: %v, by %+v, %+v; without %v, by %+v, %+v", far, guess, okToo, warm.Named(), got, ok, cold.Named(), want)
				}
				held += int(min(warm.prism.Sides, guess.Prism.Sides, 1))
				guess = cold.Named()
				if far < 1e-15 {
					level++
					prisms += int(min(guess.Prism.Sides, 1))
				}
				if cut, _ := warm.cutOnly(o); warm.Named() != guess || guess != (Features{}) && cut != want {
					t.Fatalf("%g off, cut: by %+v, %+v; joined by %+v, %+v", far, warm.Named(), cut, guess, want)
				}
				// With a direction along the sides, the floors lie in the planes of the sides.
				for _, along := range []vec.Vec3{{Y: 1}, {Y: -1}} {
					turned, _ := warm.Share(o.a, o.pa, o.b, o.pb, o.pb.Rot.Rotate(along))
					if warm.Named() != guess || guess != (Features{}) && turned != want {
						t.Fatalf("%g off, along the sides: by %+v, %+v; before by %+v, %+v", far, warm.Named(), turned, guess, want)
					}
				}
				o.pa.Pos = o.pa.Pos.AddScaled(far, direction(r))
				if r.IntN(2) == 0 {
					o.pa.Rot = vec.FromRotationVector(direction(r).Scale(far)).Mul(o.pa.Rot)
				}
			}
		}
		t.Logf("of %d overlaps with sides in one plane %d are prisms; %d of all were known from the step before", level, prisms, held)
		if prisms < level*3/4 || held < n {
			t.Errorf("of %d overlaps with sides in one plane %d are prisms; %d of all were known from the step before", level, prisms, held)
		}
	})
}
