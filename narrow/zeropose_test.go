package narrow

import (
	"math"
	"testing"

	"github.com/scree-dem/scree/vec"
)

// TestZeroRotationIsTheIdentity checks that poses with a zero rotation have the bits of the
// identity: with every method, apart and overlapping, and with stored data.
func TestZeroRotationIsTheIdentity(t *testing.T) {
	_, shapes := menagerie(t)
	shapes = append(shapes, ballOf(t, 0.5))
	s, fresh := NewSearch(), NewSearch()
	for k, b := range shapes {
		a := shapes[(k+3)%len(shapes)]
		if a.Kind > b.Kind {
			a, b = b, a
		}
		for _, m := range Methods() {
			var zero, turned Memory
			for _, at := range []vec.Vec3{{}, {X: 0.3, Y: 0.1}, {X: 0.5}, {X: 3}, {X: 3.01}, {X: 0.4}} {
				pose := vec.Pose{Pos: at, Rot: vec.Identity}
				dtol := Dtol(a, b)
				var got, want Answer
				s.By(m, a, vec.Pose{}, b, vec.Pose{Pos: at}, 0.01, dtol, &zero, &got)
				fresh.By(m, a, vec.IdentityPose, b, pose, 0.01, dtol, &turned, &want)
				if got != want {
					t.Errorf("%v, shapes %d at %v:\n%+v, expected\n%+v", m, k, at, got, want)
				}
				if x, y := s.TypeOf(a, vec.Pose{}, b, vec.Pose{Pos: at}, dtol, &got), fresh.TypeOf(a, vec.IdentityPose, b, pose, dtol, &want); x != y {
					t.Errorf("%v, shapes %d at %v: type %v, expected %v", m, k, at, x, y)
				}
			}
		}
		at := vec.V(0.3, 0.1, 0)
		for name, ask := range map[string]func(pa, pb vec.Pose, out *Answer){
			"Pair":       func(pa, pb vec.Pose, out *Answer) { s.Pair(a, pa, b, pb, math.Inf(1), out) },
			"Resolve":    func(pa, pb vec.Pose, out *Answer) { s.Resolve(a, pa, b, pb, math.Inf(1), out) },
			"Exhaustive": func(pa, pb vec.Pose, out *Answer) { s.Exhaustive(a, pa, b, pb, math.Inf(1), out) },
			"Measure":    func(pa, pb vec.Pose, out *Answer) { s.Measure(a, pa, b, pb, &Memory{}, out) },
		} {
			var got, want Answer
			ask(vec.Pose{}, vec.Pose{Pos: at}, &got)
			ask(vec.IdentityPose, vec.Pose{Pos: at, Rot: vec.Identity}, &want)
			if got != want || got.Status == Degenerate {
				t.Errorf("%s, shapes %d:\n%+v, expected\n%+v", name, k, got, want)
			}
		}
	}
}
