package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// lattice returns an overlap of bodies on a lattice of positions and rotations: coplanar faces,
// vertices on edges, several planes through a point. Some are moved together by 1e-10 to 0.1, and
// then along the lattice.
func lattice(r *rand.Rand, c *Clipper, shapes []*soa.View, plane *soa.View) overlapping {
	step := func() float64 { return float64(r.IntN(9)-4) / 8 }
	axes := []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}, vec.V(1, 1, 0).Unit(), vec.V(1, 1, 1).Unit()}
	turn := func() vec.Quat {
		return vec.FromRotationVector(axes[r.IntN(len(axes))].Scale(math.Pi / 8 * float64(r.IntN(5))))
	}
	o := overlapping{a: shapes[r.IntN(len(shapes))], b: shapes[r.IntN(len(shapes))], along: axes[r.IntN(3)], depth: 1e-3}
	o.pa.Rot, o.pb.Rot, o.pb.Pos = turn(), turn(), vec.V(step(), step(), step()).Scale(2)
	if r.IntN(2) == 0 {
		o.pa.Rot, o.pb.Rot = vec.Identity, vec.FromRotationVector(vec.Vec3{Z: math.Pi / 8 * float64(r.IntN(3))})
	}
	if r.IntN(2) == 0 {
		o = meet(c, o.a, o.b, o.pa.Rot, o.pb.Rot, o.along, math.Pow(10, -10+9*r.Float64()))
		o.pb.Pos = o.pb.Pos.Add(vec.V(step(), step(), 0).Scale(float64(r.IntN(2))))
	}
	if r.IntN(6) == 0 {
		o.b, o.pb.Pos = plane, vec.V(step(), step(), step())
	}
	if r.IntN(4) == 0 {
		o.along = direction(r)
	}
	if r.IntN(8) == 0 {
		far := direction(r).Scale(1e6)
		o.pa.Pos, o.pb.Pos = o.pa.Pos.Add(far), o.pb.Pos.Add(far)
	}
	return o
}

// TestShareOnALattice moves bodies on a lattice by steps from below a rounding up to 1e-7. Signs
// are near zero on both sides of every margin. With the features of the last step the overlap has
// the bits that it has without them.
func TestShareOnALattice(t *testing.T) {
	n := 3000
	if *soakOverlaps > 0 {
		n = 1000 * *soakOverlaps
	}
	r := rand.New(rand.NewPCG(13, 13))
	shapes := []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.5, 0.5)), view(t, boxBody(1, 1, 0.05)), view(t, rockBody(r, 4)), view(t, rockBody(r, 8)),
		view(t, rockBody(r, 12)), view(t, rockBody(r, 32)), view(t, barBody(2, 0.3)), view(t, prismBody(6)), view(t, pyramidBody(mostEdges, 0.7)), view(t, pyramidBody(5, 0.7)),
	}
	plane := planeView(t)
	warm, cold := NewClipper(), NewClipper()
	typed, held, placed := 0, 0, 0
	tiny := func() float64 { return math.Copysign(math.Pow(10, -17+10*r.Float64()), r.Float64()-0.5) }
	for range n {
		o, guess, told := lattice(r, cold, shapes, plane), Features{}, memory{}
		for range 5 {
			var got Moments
			want, ok := cold.Share(o.a, o.pa, o.b, o.pb, o.along)
			okToo := warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &guess, &got)
			if ok != okToo || got != want {
				t.Fatalf("supposing %+v: %v, by %+v, %+v; without %v, by %+v, %+v", guess, okToo, warm.Named(), got, ok, cold.Named(), want)
			}
			okToo = warm.ShareNear(o.a, o.pa, o.b, o.pb, o.along, &told.features, &got)
			if ok != okToo || got != want {
				t.Fatalf("supposing the skeleton %+v: %v, %+v; without %v, %+v", told.features, okToo, got, ok, want)
			}
			if by, _ := warm.Skeleton(); by != nil && by == told.features.Skeleton {
				placed++
			}
			if told.of(cold); cold.Named() != (Features{}) {
				if typed++; warm.Named() == guess {
					held++
				}
				guess = cold.Named()
			}
			o.pa.Pos = o.pa.Pos.Add(vec.V(tiny(), tiny(), tiny()))
			if r.IntN(2) == 0 {
				o.pa.Rot = vec.FromRotationVector(direction(r).Scale(tiny())).Mul(o.pa.Rot)
			}
		}
	}
	t.Logf("of %d overlaps %d are of a type, and %d known from the step before; %d by a skeleton", 5*n, typed, held, placed)
	if typed < n || held < typed/2 || placed < n/10 {
		t.Errorf("of %d overlaps %d are of a type, and %d known from the step before; %d by a skeleton", 5*n, typed, held, placed)
	}
}
