package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// cutOnly is Share without joining.
func (c *Clipper) cutOnly(o overlapping) (s Moments, ok bool) {
	c.begin(&o.pa, &o.pb)
	c.frame.sign, c.frame.arm = 1, 2*min(o.a.Radius, o.b.Radius)
	if !c.facing(o.a, o.pa, o.b, o.pb, o.along) {
		return s, false
	}
	found := c.cutDown(o.a, o.pa, o.b, o.pb, o.along, &Features{}, &s)
	return s, found == Computed || found == SurfaceFound && c.Measure(&s)
}

// joins returns the result of joining the edges of two blocks.
func (c *Clipper) joins(o overlapping) joined {
	if !c.facing(o.a, o.pa, o.b, o.pb, o.along) {
		return separate
	}
	return c.join(o.pb.Pos.Sub(o.pa.Pos))
}

// off returns the largest of the errors of energy, volume and, with slopes, force and moment, for a
// unit stiffness, over the size.
func (s *Moments) off(t *Moments, size float64, slopes bool) float64 {
	size2 := size * size
	worst := max(6*math.Abs(s.Variance-t.Variance)/size2, math.Abs(s.Volume-t.Volume)/(size2*size))
	if slopes {
		worst = max(worst, 6*s.VarianceGradient.Sub(t.VarianceGradient).Norm()/size, 6*s.VarianceTurn.Sub(t.VarianceTurn).Norm()/size2)
	}
	return worst
}

// TestJoinedIsCut compares overlaps joined from edges with those of the same bodies cut plane by
// plane. Either both have the bits of a formula or neither has. Most must join.
func TestJoinedIsCut(t *testing.T) {
	joining, cutter := NewClipper(), NewClipper()
	all, typed, random, worst := 0, 0, 0, 0.0
	compare := func(o overlapping, slopes bool) {
		s, ok := joining.Share(o.a, o.pa, o.b, o.pb, o.along)
		u, okToo := cutter.cutOnly(o)
		all++
		if joining.Named() != cutter.Named() {
			t.Fatalf("joined it is made by %+v, cut by %+v", joining.Named(), cutter.Named())
		}
		if joining.Named() != (Features{}) {
			if typed++; s != u {
				t.Fatalf("%+v make %+v, and %+v when cut", joining.Named(), s, u)
			}
		}
		thin := math.Sqrt(12*max(s.Variance, u.Variance)) < 1e-13*o.size
		err := s.off(&u, o.size, slopes)
		if worst = max(worst, err); !thin && ok != okToo || !(err < 1e-13) {
			t.Fatalf("%g deep, bodies of %d and %d vertices: joined %v, %+v, cut %v, %+v", o.depth, o.a.NVerts, o.b.NVerts, ok, s, okToo, u)
		}
	}
	n := 600
	if *soakOverlaps > 0 {
		n = 100 * *soakOverlaps
	}
	overlaps(t, n, 64, 14, func(o overlapping) {
		compare(o, true)
		if joining.joins(o) == closed {
			random++
		}
	})
	r := rand.New(rand.NewPCG(15, 15))
	shapes := []*soa.View{
		view(t, boxBody(1, 1, 1)), view(t, boxBody(1, 0.5, 0.5)), view(t, boxBody(1, 1, 0.05)), view(t, rockBody(r, 8)),
		view(t, rockBody(r, 32)), view(t, barBody(2, 0.3)), view(t, prismBody(6)), view(t, pyramidBody(mostEdges, 0.7)),
	}
	var of [closed + 1]int
	for range 4 * n {
		o := lattice(r, cutter, shapes, shapes[0])
		o.size = o.a.Radius + o.b.Radius + o.pa.Pos.MaxAbs()*0x1p-12
		// Of coplanar faces, rounding decides whose face it is, and so what moves with A.
		compare(o, false)
		of[joining.joins(o)]++
	}
	t.Logf("of %d overlaps %d are of a type; of %d %d join, of %d on a lattice %d join, and %d are apart; worst difference %.2g of stiffness and size", all, typed, n, random, 4*n, of[closed], of[separate], worst)
	if random < n*95/100 {
		t.Errorf("of %d turned any way or nearly alike %d join", n, random)
	}
	if of[contradicts] < n/100 || of[contradicts] > n/4 || of[closed] < n {
		t.Errorf("of %d on a lattice %d join, and %d contradict themselves", 4*n, of[closed], of[contradicts])
	}
}

// TestJoinSameBodies places a body on itself: faces of both cover the whole surface, which counts
// once.
func TestJoinSameBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	c := NewClipper()
	for _, v := range []*soa.View{view(t, boxBody(1, 1, 1)), view(t, rockBody(r, 4)), view(t, rockBody(r, 20)), view(t, prismBody(6))} {
		for range 200 {
			o := overlapping{a: v, b: v, along: direction(r), size: 2 * v.Radius}
			o.pa.Rot = turn(r)
			o.pb = o.pa
			if r.IntN(2) == 0 {
				o.pb.Pos = direction(r).Scale(math.Pow(10, -18+4*r.Float64()))
				o.pb.Rot = vec.FromRotationVector(direction(r).Scale(math.Pow(10, -18+4*r.Float64()))).Mul(o.pa.Rot)
			}
			want, ok := c.cutOnly(o)
			got, okToo := c.Share(o.a, o.pa, o.b, o.pb, o.along)
			if ok != okToo || !(math.Abs(got.Volume-want.Volume) < 1e-12*want.Volume) {
				t.Fatalf("a body of %d vertices in itself: %v, volume %g, expected %v, %g", v.NVerts, okToo, got.Volume, ok, want.Volume)
			}
		}
	}
}

// TestJoinPastEdges rotates one of two plates about their common diagonal. At each corner of the
// overlap, edges of both pass through each other. No sign then shows that an edge reaches into the
// other plate.
func TestJoinPastEdges(t *testing.T) {
	c := NewClipper()
	plate := view(t, boxBody(1, 1, 0.05))
	o := overlapping{a: plate, b: plate, pa: vec.IdentityPose, size: 2 * plate.Radius}
	unsure := 0
	for k := range 180 {
		o.pb = vec.Pose{Rot: vec.FromRotationVector(vec.V(1, 1, 0).Unit().Scale(0.2 + float64(k)*0.015))}
		for _, o.along = range []vec.Vec3{{X: 1}, {Y: 1}, {Z: 1}} {
			want, ok := c.cutOnly(o)
			got, okToo := c.Share(o.a, o.pa, o.b, o.pb, o.along)
			if !ok || !okToo || !(want.Volume > 1e-3) || !(got.off(&want, o.size, false) < 1e-13) {
				t.Fatalf("turned by %g: %v, volume %g, cut %v, %g", 0.2+float64(k)*0.015, okToo, got.Volume, ok, want.Volume)
			}
			if c.joins(o) == contradicts {
				unsure++
			}
		}
	}
	if unsure < 180 {
		t.Errorf("of 540 plates %d pass too close to say", unsure)
	}
}
