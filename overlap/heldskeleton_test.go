package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// skeletonStudy computes the overlap of a pair by a skeleton, proven and held.
type skeletonStudy struct {
	o      overlapping
	k      Skeleton
	budget float64 // m, of the proof at the poses of o
	solids *UntypedBatch
}

// newSkeletonStudy returns false if the overlap has no skeleton with a positive budget.
func newSkeletonStudy(c *Clipper, o overlapping) (s *skeletonStudy, ok bool) {
	c.Share(o.a, o.pa, o.b, o.pb, o.along)
	k, _ := c.Skeleton()
	if k == nil {
		return nil, false
	}
	s = &skeletonStudy{o: o, k: *k, solids: NewUntypedBatch()}
	_, ok = s.ask(o.pa, o.pb, false)
	return s, ok && s.budget > 0
}

// ask returns the overlap at two poses, and whether the skeleton is proven there.
func (s *skeletonStudy) ask(pa, pb vec.Pose, held bool) (answer Moments, ok bool) {
	s.solids.Clear()
	if held {
		s.solids.AddHeldSkeleton(0, &s.k, s.o.a, pa, s.o.b, pb)
	} else if s.budget, ok = s.solids.AddSkeleton(0, &s.k, s.o.a, pa, s.o.b, pb); !ok {
		return answer, false
	}
	s.solids.Solve()
	s.solids.At(0, &answer)
	return answer, true
}

// way returns a direction in which a corner approaches one of its bounds: along a normal of a face
// of either body, in a face across one of its sides, or any direction.
func (s *skeletonStudy) way(r *rand.Rand) vec.Vec3 {
	v, at := s.o.a, s.o.pa
	if r.IntN(2) == 0 {
		v, at = s.o.b, s.o.pb
	}
	sign := float64(2*r.IntN(2) - 1)
	switch r.IntN(3) {
	case 0:
		return at.Rot.Rotate(v.Normal(soa.Face(r.IntN(v.NFaces)))).Scale(sign)
	case 1:
		return at.Rot.Rotate(v.Rims[r.IntN(len(v.Rims))].In).Scale(sign)
	}
	return direction(r)
}

// moved returns both poses after the odometers have advanced by the given sum.
func (s *skeletonStudy) moved(r *rand.Rand, by float64) (pa, pb vec.Pose) {
	ofA, turn, way := r.Float64(), [3]float64{0, r.Float64(), 1}[r.IntN(3)], s.way(r)
	a := mover{way, direction(r), turn, s.o.a.Radius}
	b := mover{way.Neg(), direction(r), turn, s.o.b.Radius}
	return a.to(s.o.pa, by*ofA), b.to(s.o.pb, by*(1-ofA))
}

// within fails the test if a budget is wrong: if the skeleton is not proven after a motion within
// it, or if the held overlap has other bits than the proven one or than the one with nothing known.
func (s *skeletonStudy) within(t *testing.T, c *Clipper, pa, pb vec.Pose, budget float64) {
	t.Helper()
	proven, ok := s.ask(pa, pb, false)
	if !ok {
		t.Fatalf("%d corners, %g deep, a budget of %g: not proven after it\n%+v %+v\n%+v %+v", s.k.verts, s.o.depth, budget, s.o.pa, s.o.pb, pa, pb)
	}
	if held, _ := s.ask(pa, pb, true); held != proven {
		t.Fatalf("held %+v, proven %+v", held, proven)
	}
	cold, _ := c.Share(s.o.a, pa, s.o.b, pb, s.o.along)
	if c.Named() == (Features{}) && cold != proven { // a type comes before a skeleton
		t.Fatalf("proven %+v, with nothing known %+v", proven, cold)
	}
}

// TestHeldSkeletons: while the odometers of two bodies advance by no more than the budget of a
// skeleton, it would be proven again. The held overlap has the bits of the proven one, and of the
// one with nothing known. At ten times the budget at least a fiftieth of the skeletons must be
// lost; otherwise the budgets would be too small to matter.
func TestHeldSkeletons(t *testing.T) {
	r := rand.New(rand.NewPCG(241, 242))
	shapes := []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.5, 0.5)), view(t, rockBody(r, 4)), view(t, rockBody(r, 12)), view(t, rockBody(r, 20)),
		view(t, rockBody(r, 64)), view(t, prismBody(6)), view(t, boxBody(1, 1, 0.01)), view(t, boxBody(0.02, 0.02, 0.02)), view(t, barBody(2, 0.05)),
	}
	n := 1500
	if *soakOverlaps > 0 {
		n = 100 * *soakOverlaps
	}
	if testing.Short() {
		n = 300
	}
	c, skeletons, asked, lost, most := NewClipper(), 0, 0, 0, 0.0
	for range n {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		qa, qb, along := mixedPlace(r, a, b)
		s, ok := newSkeletonStudy(c, meet(c, a, b, qa, qb, along, math.Pow(10, -6+5.5*r.Float64())))
		if !ok {
			continue
		}
		skeletons++
		budget := s.budget
		most = max(most, budget/s.o.size)
		for range 20 {
			pa, pb := s.moved(r, budget)
			s.within(t, c, pa, pb, budget)
			asked++
			pa, pb = s.moved(r, 10*budget)
			if _, ok := s.ask(pa, pb, false); !ok {
				lost++
			}
		}
	}
	t.Logf("%d skeletons, %d motions; %d are lost after ten times as much; the largest budget is %.2g of the size", skeletons, asked, lost, most)
	if skeletons < n/4 || lost < asked/50 || most < 1e-3 {
		t.Errorf("%d skeletons, %d motions; %d are lost after ten times as much; the largest budget is %.2g of the size", skeletons, asked, lost, most)
	}
}

// FuzzHeldSkeletons tests the same for bodies of any size and place.
func FuzzHeldSkeletons(f *testing.F) {
	for seed := range uint64(12) { // some overlaps are of a type
		f.Add(seed, uint8(4*seed), uint8(20), -1-0.25*float64(seed), math.Pow(10, float64(seed%3)-1))
	}
	f.Fuzz(func(t *testing.T, seed uint64, nA, nB uint8, depth, scale float64) {
		if !(depth >= -8 && depth <= -0.5) || !(scale >= 1e-3 && scale <= 1e3) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 243))
		body := rockBody(r, 4+int(nB)%60)
		for i := range body.Verts {
			body.Verts[i] = body.Verts[i].Scale(scale)
		}
		a, b, c := view(t, rockBody(r, 4+int(nA)%60)), view(t, body), NewClipper()
		qa, qb, along := mixedPlace(r, a, b)
		s, ok := newSkeletonStudy(c, meet(c, a, b, qa, qb, along, math.Pow(10, depth)*min(a.Radius, b.Radius)))
		if !ok {
			t.Skip()
		}
		budget := s.budget
		for range 10 {
			pa, pb := s.moved(r, budget)
			s.within(t, c, pa, pb, budget)
		}
	})
}
