package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestUsersCoal144: one point is not enough for a face on a face, and methods that perturb the
// bodies to find more return points inside the bodies. The basic contacts of a face on a face,
// parallel or nearly so, must lie on both bodies and span the common region.
func TestUsersCoal144(t *testing.T) {
	cube, slab := box(t, 1, 1, 1), box(t, 4, 4, 0.5)
	s := NewSearch()
	for _, tilt := range []float64{0, 1e-12, 1e-9, 1e-7} {
		for _, depth := range []float64{0, 1e-9, 1e-3} {
			for _, m := range []Method{Auto, DS, FDS, SAT, FCP} {
				pa, pb := at(0, 0, 0), posed(0.2, -0.3, 0.75-depth, vec.FromRotationVector(vec.V(tilt, tilt/2, 0.4)))
				var mem Memory
				var out Answer
				s.By(m, slab, pa, cube, pb, 0, 1e-6, &mem, &out)
				if !m.Lists() {
					s.Contacts(slab, pa, cube, pb, 1e-6, &out, &mem.List)
				}
				if mem.List.Type != TypeFaceFace || len(mem.List.Basic) < 3 {
					t.Fatalf("%v, tilt %g, depth %g: %v with %d contacts, expected f-f with three or more", m, tilt, depth, mem.List.Type, len(mem.List.Basic))
				}
				size := vec.Box{Min: vec.V(9, 9, 9), Max: vec.V(-9, -9, -9)}
				for i, c := range mem.List.Basic {
					onB := pb.Rot.RotateInv(pa.Pos.Add(c.Point).AddScaled(c.Distance, c.Normal).Sub(pb.Pos))
					if a, b := outside(slab, c.Point), outside(cube, onB); math.Abs(a) > 1e-6 || math.Abs(b) > 1e-6 {
						t.Errorf("%v, tilt %g, depth %g: contact %d is %g above A and %g above B", m, tilt, depth, i, a, b)
					}
					size = size.With(c.Point)
				}
				if size := size.Size(); size.X < 1 || size.Y < 1 {
					t.Errorf("%v, tilt %g, depth %g: the contacts span %v of a face of side 1", m, tilt, depth, size)
				}
			}
		}
	}
}

// TestUsersBullet1978: between hulls of many edges the separating axis test tried every pair of
// edges, a hundred times slower than GJK. The searches must test fewer than one in a hundred of the
// edge pairs of two hulls of 128 vertices, with the same answer.
func TestUsersBullet1978(t *testing.T) {
	a, b := geometryRock(t, 1, 128), geometryRock(t, 2, 128)
	all := len(a.Edge) * len(b.Edge)
	r := rand.New(rand.NewPCG(19, 78))
	s := NewSearch()
	for _, want := range []float64{0.1, 1e-6, -1e-6, -0.01} {
		most := 0
		for range 50 {
			pa, pb := vec.Pose{Rot: randomRot(r)}, vec.Pose{Rot: randomRot(r), Pos: randomUnit(r)}
			var x, y Answer
			for range 3 {
				s.Resolve(a, pa, b, pb, math.Inf(1), &x)
				pb.Pos = pb.Pos.AddScaled(want-x.Gap, x.Normal)
			}
			var mem Memory
			s.By(FDS, a, pa, b, pb, 0, 1e-6, &mem, &x)
			if x.AnsweredBy == BySearch && x.Exact {
				most = max(most, len(s.in.Fronts.Edges)*len(s.in.Fronts.EdgesA))
			}
			s.Resolve(a, pa, b, pb, 0, &y)
			if corners := len(s.in.Corners); corners > 96 {
				t.Errorf("gap %g: EPA made %d corners", want, corners)
			}
			if x.Status != y.Status || x.Exact && y.Exact && math.Abs(x.Gap-y.Gap) > 1e-12 {
				t.Fatalf("gap %g:\n%+v\n%+v", want, x, y)
			}
		}
		if most*100 > all {
			t.Errorf("gap %g: %d of %d pairs of edges are in front", want, most, all)
		}
	}
}
