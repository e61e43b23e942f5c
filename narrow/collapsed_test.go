package narrow

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// TestCollapsedByRounding puts a body next to a cube that is up to 10²² times as large. In the frame
// of the cube, the small body's vertices round to few points or one, so its faces and edges lose
// their directions. The gap must still be that of a point, and the witness points must lie on both
// bodies. Many places are next to an edge or a corner of the cube, or beside it along an axis.
func TestCollapsedByRounding(t *testing.T) {
	s := NewSearch()
	p, err := geometry.Box(2, 2, 2)
	cube := solid(t, p, err)
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range []float64{1e-13, 1e-16, 1e-22} {
		p, err := geometry.Box(size, size, size)
		small := []*soa.View{solid(t, p, err)}
		p, err = geometry.Box(size, 2*size, 0.5*size)
		small = append(small, solid(t, p, err))
		p, err = geometry.Tetra(size)
		small = append(small, solid(t, p, err))
		place := func() float64 {
			return []float64{-1, 1, -1, 1, 0.3, 2, -3, 40}[r.IntN(8)] + []float64{0, 1e-15, 2e-12, 0.1}[r.IntN(4)]*r.NormFloat64()
		}
		places := []vec.Vec3{vec.V(1+3e-13, -0.9, -1-2e-13)}
		for range 100 {
			places = append(places, vec.V(place(), place(), place()))
		}
		for _, at := range places {
			turn := []vec.Vec3{{}, vec.V(0, 0, 0.7), vec.V(math.Pi/2, 0, 0), vec.V(1, 2, 3)}[r.IntN(4)]
			b, pb := small[r.IntN(len(small))], vec.Pose{Pos: at, Rot: vec.FromRotationVector(turn)}
			if testPoint(t, s, cube, b, pb, size); t.Failed() {
				t.Fatalf("size %g, pose %+v", size, pb)
			}
		}
	}
}

// testPoint tests all methods on a cube of half side 1 and a body b that is nearly a point.
func testPoint(t *testing.T, s *Search, cube, b *soa.View, pb vec.Pose, size float64) {
	t.Helper()
	beyond := pb.Pos.Abs().Sub(vec.V(1, 1, 1))
	want := max(beyond.X, beyond.Y, beyond.Z)
	if want > 0 {
		want = beyond.Max(vec.Vec3{}).Norm()
	}
	tol := float64(ProofTol*max(cube.Radius, pb.Pos.MaxAbs())) + 4*size
	for _, m := range Methods() {
		for _, swapped := range []bool{false, true} {
			var out Answer
			var mem Memory
			if swapped {
				s.By(m, b, pb, cube, at(0, 0, 0), math.Inf(1), Dtol(cube, b), &mem, &out)
				out.Normal, out.ArmA, out.ArmB = out.Normal.Neg(), out.ArmB, out.ArmA
			} else {
				s.By(m, cube, at(0, 0, 0), b, pb, math.Inf(1), Dtol(cube, b), &mem, &out)
			}
			if out.Status >= NotConverged || out.Exact && !(math.Abs(out.Gap-want) <= tol) || !(out.Gap <= want+tol) {
				t.Errorf("%v, swapped %v: gap %g, expected %g: %+v", m, swapped, out.Gap, want, out)
			}
			if out.Exact && !(out.ArmA.MaxAbs() <= 1+tol && out.ArmB.MaxAbs() <= b.Radius+tol) {
				t.Errorf("%v, swapped %v: witness points beside the bodies: %+v", m, swapped, out)
			}
		}
	}
}
