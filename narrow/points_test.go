package narrow

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// seenFace returns the corners, world axes relative to an origin, of the face of a body that
// contains all vertices next to the support along out, world axes, and whose normal is closest to
// out. It returns false if two faces are equally close, or if none is within 60 degrees.
func seenFace(v *soa.View, p vec.Pose, origin, out vec.Vec3) (corners []vec.Vec3, ok bool) {
	in := p.Rot.RotateInv(out)
	high, n := math.Inf(-1), 0
	for k := range v.NVerts {
		high = max(high, in.Dot(v.Vert(soa.Vertex(k))))
	}
	top := func(k soa.Vertex) bool { return in.Dot(v.Vert(k)) > high-1e-9*v.Radius }
	for k := range v.NVerts {
		if top(soa.Vertex(k)) {
			n++
		}
	}
	best, most, second := 0, -1.0, -1.0
	for f := range v.NFaces {
		touching := 0
		for _, k := range v.Tail[v.LoopFirst[f]:][:v.LoopLen[f]] {
			if top(k) {
				touching++
			}
		}
		if c := in.Dot(v.Normal(soa.Face(f))); touching == n && c > most {
			best, most, second = f, c, most
		} else if touching == n {
			second = max(second, c)
		}
	}
	for _, k := range v.Tail[v.LoopFirst[best]:][:v.LoopLen[best]] {
		corners = append(corners, p.Point(v.Vert(k)).Sub(origin))
	}
	return corners, most > 0.5+1e-6 && most-second > 1e-6
}

// clipped returns the corners of the intersection of two polygons, seen along n (Sutherland and
// Hodgman 1974), on the plane of the first.
func clipped(subject, by []vec.Vec3, n vec.Vec3) []vec.Vec3 {
	for i := range by {
		a, side := by[i], n.Cross(by[(i+1)%len(by)].Sub(by[i]))
		if len(by) > 2 && side.Dot(by[(i+2)%len(by)].Sub(a)) < 0 {
			side = side.Neg()
		}
		var kept []vec.Vec3
		for j, p := range subject {
			q := subject[(j+1)%len(subject)]
			dp, dq := side.Dot(p.Sub(a)), side.Dot(q.Sub(a))
			if dp >= 0 {
				kept = append(kept, p)
			}
			if dp < 0 != (dq < 0) {
				kept = append(kept, p.AddScaled(dp/(dp-dq), q.Sub(p)))
			}
		}
		subject = kept
	}
	return subject
}

// planeHeight returns how far along n a point lies below the plane of a polygon.
func planeHeight(p vec.Vec3, polygon []vec.Vec3, n vec.Vec3) float64 {
	m := polygon[1].Sub(polygon[0]).Cross(polygon[2].Sub(polygon[0]))
	return m.Dot(polygon[0].Sub(p)) / m.Dot(n)
}

// offSegment returns the distance of a point from a segment.
func offSegment(p, a, b vec.Vec3) float64 {
	d := b.Sub(a)
	share := 0.0
	if l := d.Norm2(); l > 0 {
		share = min(max(d.Dot(p.Sub(a))/l, 0), 1)
	}
	return p.Sub(a.AddScaled(share, d)).Norm()
}

// areaOf returns the area of a polygon seen along n.
func areaOf(p []vec.Vec3, n vec.Vec3) (area float64) {
	for i := 2; i < len(p); i++ {
		area += 0.5 * p[i-1].Sub(p[0]).Cross(p[i].Sub(p[0])).Dot(n)
	}
	return math.Abs(area)
}

// checkPoints compares the points of a pair with the oracle, which clips one face by the other, and
// with those of the swapped pair.
func checkPoints(t *testing.T, s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) (compared bool) {
	t.Helper()
	var ans Answer
	s.Resolve(a, pa, b, pb, math.Inf(1), &ans)
	if ans.Status == Degenerate {
		return false
	}
	size := max(a.Radius, b.Radius, pb.Pos.Sub(pa.Pos).Norm())
	tol := 8*cornerTol*max(a.Radius, b.Radius) + 1e-9*size
	all := s.AppendPoints(nil, a, pa, b, pb, math.Inf(1), &ans)
	SortPoints(all)
	for i, p := range all {
		if !p.At.Finite() || !(p.Gap >= ans.Gap-tol) || p.Feature < 1 || p.Feature >= 1<<53 {
			t.Fatalf("point %+v of a pair with gap %g", p, ans.Gap)
		}
		for _, q := range all[:i] {
			if q.Feature == p.Feature {
				t.Fatalf("two points with one name: %+v, %+v", p, q)
			}
		}
	}
	for _, reach := range []float64{ans.Gap, max(ans.Gap, 0)} {
		for _, p := range s.AppendPoints(nil, a, pa, b, pb, reach, &ans) {
			if p.Gap > reach+1e-12*size {
				t.Fatalf("point %+v beyond the reach %g", p, reach)
			}
		}
	}
	fa, okA := seenFace(a, pa, pa.Pos, ans.Normal)
	fb, okB := seenFace(b, pb, pa.Pos, ans.Normal.Neg())
	if !okA || !okB {
		return false
	}
	var want []vec.Vec3
	for _, p := range clipped(fa, fb, ans.Normal) {
		gap := planeHeight(p, fb, ans.Normal)
		want = append(want, p.AddScaled(0.5*gap, ans.Normal))
	}
	if len(want) == 0 || areaOf(want, ans.Normal) < float64(1000*tol*size) {
		return false // The oracle cuts slivers anywhere, and edges are within the tolerance far from where they meet.
	}
	for _, p := range all {
		if !slices.ContainsFunc(want, func(q vec.Vec3) bool { return p.At.Sub(q).Norm() <= tol }) {
			t.Fatalf("point %+v is none of %v", p, want)
		}
	}
	for _, q := range want {
		// The oracle cuts nearly parallel edges anywhere.
		if !slices.ContainsFunc(all, func(p TouchPoint) bool {
			return slices.ContainsFunc(all, func(o TouchPoint) bool { return offSegment(q, p.At, o.At) <= tol })
		}) {
			t.Fatalf("%v is none of %+v", q, all)
		}
	}
	if len(all) < 3 {
		t.Fatalf("%d points of a common part of %g m²", len(all), areaOf(want, ans.Normal))
	}
	if a.Kind == soa.Block && b.Kind == soa.Block {
		checkPointsSwapped(t, s, a, pa, b, pb, &ans, all, tol)
	}
	return true
}

// checkPointsSwapped computes the points of B and A: they must be the same, in the same order.
func checkPointsSwapped(t *testing.T, s *Search, a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose, ans *Answer, all []TouchPoint, tol float64) {
	t.Helper()
	var back Answer
	s.Resolve(b, pb, a, pa, math.Inf(1), &back)
	if back.Normal.Add(ans.Normal).Norm() > 1e-12 {
		return // Another facet of K that ties.
	}
	swapped := s.AppendPoints(nil, b, pb, a, pa, math.Inf(1), &back)
	SortPoints(swapped)
	if len(swapped) != len(all) {
		t.Fatalf("swapped: %+v\nexpected %+v", swapped, all)
	}
	other := [...]PointKind{PointOfContact, PointOfVertexB, PointOfVertexA, PointOfEdges}
	for i, p := range swapped {
		at := p.At.Add(pb.Pos.Sub(pa.Pos))
		if at.Sub(all[i].At).Norm() > tol || math.Abs(p.Gap-all[i].Gap) > tol || p.order != all[i].order ||
			p.Kind() != other[all[i].Kind()] && p.Kind() != PointOfVertexA {
			t.Fatalf("swapped: point %d of %+v\nexpected %+v", i, swapped, all)
		}
	}
	few, back2 := ThinPoints(all, 8), ThinPoints(swapped, 8)
	if len(few) != min(len(all), 8) || len(back2) != len(few) {
		t.Fatalf("%d of %d points are left, swapped %d", len(few), len(all), len(back2))
	}
}

// cornerTol is the tolerance within which corners merge, relative to the larger radius: that of
// Dtol.
const cornerTol = 1e-6

func FuzzPoints(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 168, 128, 128, 0})
	f.Add([]byte{1, 2, 0x15, 0x2a, 160, 128, 130, 0x81, 3, 9, 200})
	f.Add([]byte{0, 0, 3, 77, 3, 99, 128, 130, 120, 66, 1, 2, 3, 1, 200, 100, 50})
	s := NewSearch()
	f.Fuzz(func(t *testing.T, b []byte) {
		a, pa, c, pc := fuzzPair(t, b)
		checkPoints(t, s, a, pa, c, pc)
	})
}

// TestPoints compares pairs at every kind of gap with the oracle.
func TestPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 5))
	s := NewSearch()
	_, shapes := menagerie(t)
	compared := 0
	for range 1500 {
		a, b := shapes[r.IntN(len(shapes))], shapes[r.IntN(len(shapes))]
		pa, pb := placed(r, a, b, []float64{-0.05, -1e-3, -1e-9, 0, 1e-6, 0.01}[r.IntN(6)])
		if checkPoints(t, s, a, pa, b, pb) {
			compared++
		}
	}
	if compared < 500 {
		t.Errorf("%d pairs were compared, expected more", compared)
	}
	b := make([]byte, 20)
	for range 1500 {
		drawCoarse(r, b)
		a, pa, c, pc := fuzzPair(t, b)
		checkPoints(t, s, a, pa, c, pc)
	}
}

// BenchmarkAppendPoints lists the points of a rotated cube on a cube, for a known answer.
// TestPointUnderUprightEdge puts a facet with an upright edge on a corner of a cube. Both ends of
// the edge meet the corner as seen along the normal. The lower one is the point, however the
// facet's vertices are numbered.
func TestPointUnderUprightEdge(t *testing.T) {
	s, cube := NewSearch(), solidBox(t, 2, 2, 2)
	v := []vec.Vec3{vec.V(1, 1, 1), vec.V(1, 1, 1.05), vec.V(-5, -5, 30)}
	for k := range v {
		for _, w := range [][3]vec.Vec3{{v[k], v[(k+1)%3], v[(k+2)%3]}, {v[k], v[(k+2)%3], v[(k+1)%3]}} {
			facet, err := geometry.FacetTemplate(w[0], w[1], w[2])
			if err != nil {
				t.Fatal(err)
			}
			var out Answer
			b := addTemplate(t, facet)
			s.Resolve(cube, at(0, 0, 0), b, at(0, 0, 0), 0, &out)
			points := s.AppendPoints(nil, cube, at(0, 0, 0), b, at(0, 0, 0), 0.1, &out)
			if len(points) != 1 || points[0].Gap != 0 || points[0].At != vec.V(1, 1, 1) {
				t.Errorf("vertices %v: %+v, expected one point at the corner", w, points)
			}
		}
	}
}

func BenchmarkAppendPoints(b *testing.B) {
	cube, s := box(b, 1, 1, 1), NewSearch()
	pa, pb := at(0, 0, 0), posed(0.1, 0.2, 0.999, vec.FromRotationVector(vec.V(1e-4, 2e-4, 0.5)))
	var ans Answer
	s.Resolve(cube, pa, cube, pb, 0, &ans)
	var points []TouchPoint
	for b.Loop() {
		points = s.AppendPoints(points[:0], cube, pa, cube, pb, 0, &ans)
	}
	if len(points) < 4 {
		b.Fatalf("%d points", len(points))
	}
}
