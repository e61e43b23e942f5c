package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// bricksInOne returns three boxes of one arena.
func bricksInOne(t *testing.T) *soa.Shapes {
	t.Helper()
	shapes := &soa.Shapes{}
	for _, sides := range [][3]float64{{1, 0.5, 0.5}, {1, 1, 1}, {0.3, 0.7, 0.4}} {
		p, err := geometry.Box(sides[0], sides[1], sides[2])
		if err == nil {
			_, err = shapes.Add(p.Template())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return shapes
}

// TestFacesAlone moves bricks that lie face on face, and answers them one by one. The stored proof
// of two faces must answer many of them with the bits of a search, by Auto and by the fast direct
// search, with the same lists.
func TestFacesAlone(t *testing.T) {
	shapes := bricksInOne(t)
	r := rand.New(rand.NewPCG(61, 1))
	s, fresh := NewSearch(), NewSearch()
	answers, byFaces, lists := 0, 0, 0
	for range 300 {
		a, b := shapes.View(soa.Shape(r.IntN(3))), shapes.View(soa.Shape(r.IntN(3)))
		tilt := vec.FromRotationVector(randomUnit(r).Scale(math.Pow(10, -9+6*r.Float64())))
		depth := math.Pow(10, -6+4*r.Float64())
		at := vec.V(0.2*r.NormFloat64(), 0.2*r.NormFloat64(), a.Vert(0).Abs().Z+b.Vert(0).Abs().Z-depth)
		turn := randomRot(r)
		pa, pb := vec.Pose{Rot: turn}, vec.Pose{Pos: turn.Rotate(at), Rot: turn.Mul(tilt).Normalized()}
		dtol := Dtol(a, b)
		var out, want Answer
		step := depth * math.Pow(10, -4+3*r.Float64())
		var auto, fds, initial Memory
		for range 20 {
			stream := randomUnit(r)
			pa, pb = moved(r, pa, step, a.Radius), moved(r, pb, step, b.Radius)
			pa.Pos, pb.Pos = pa.Pos.Add(stream), pb.Pos.Add(stream)
			fresh.Resolve(a, pa, b, pb, 0, &want)
			if want.Status != Penetrating {
				break
			}
			answers++
			faces := auto.proof.QuadA != 0 && auto.provenByPose(a, pa, b, pb)
			s.By(Auto, a, pa, b, pb, 0, dtol, &auto, &out)
			if faces && out.AnsweredBy == ByFeature {
				byFaces++
			}
			if out.AnsweredBy = want.AnsweredBy; out != want {
				t.Fatalf("by faces %v:\n%+v\nthe search\n%+v\npa=%+v pb=%+v", faces, out, want, pa, pb)
			}
			kept := fds.List.Kept.Proof.QuadA != 0
			s.By(FDS, a, pa, b, pb, 0, dtol, &fds, &out)
			if kept && fds.List.Kept.Proof.QuadA != 0 {
				lists++
			}
			if out.AnsweredBy = want.AnsweredBy; out != want {
				t.Fatalf("fds:\n%+v\nthe search\n%+v\npa=%+v pb=%+v", out, want, pa, pb)
			}
			initial.List.Reset()
			fresh.in.FastDirect(a, pa, b, pb, 0, dtol, &initial.List, &want)
			if got, list := fds.List.Basic, initial.List.Basic; fds.List.Type != initial.List.Type || !sameFeatures(got, list) {
				t.Fatalf("fds lists %v %+v, from nothing %v %+v", fds.List.Type, got, initial.List.Type, list)
			}
		}
	}
	t.Logf("%d answers, %d by two faces, %d lists with their proof", answers, byFaces, lists)
	if byFaces < answers/4 || lists < answers/8 {
		t.Errorf("%d answers, %d by two faces, %d lists with their proof: too few to prove anything", answers, byFaces, lists)
	}
}

func TestFacesAloneDoNotAllocate(t *testing.T) {
	a := bricksInOne(t).View(0)
	pa, pb := vec.IdentityPose, vec.Pose{Pos: vec.V(0.25, 0.1, 0.499), Rot: vec.Identity}
	s := NewSearch()
	var mem Memory
	var out Answer
	for range 2 {
		s.By(Auto, a, pa, a, pb, 0, 0, &mem, &out)
	}
	if mem.proof.QuadA == 0 {
		t.Fatal("two bricks have no budget of faces")
	}
	s.By(Auto, a, pa, a, pb, 0, 0, &mem, &out)
	if n := testing.AllocsPerRun(100, func() { s.By(Auto, a, pa, a, pb, 0, 0, &mem, &out) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
