package section

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/scree-dem/scree/geometry"
	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// polygonView puts a facet with any number of corners into its own arena.
func polygonView(t testing.TB, verts []vec.Vec3) *soa.View {
	t.Helper()
	tpl, err := geometry.FacetPolygonTemplate(verts)
	if err != nil {
		t.Fatal(err)
	}
	var s soa.Shapes
	i, err := s.Add(tpl)
	if err != nil {
		t.Fatal(err)
	}
	return s.View(i)
}

// ring returns n corners at z = 0 and radius r, at least half a step apart.
func ring(n int, r float64, shift func(k int) float64) []vec.Vec3 {
	var p []vec.Vec3
	for k := range n {
		s, c := vec.Sincos(2 * math.Pi * (float64(k) + 0.5*shift(k)) / float64(n))
		p = append(p, vec.V(r*c, r*s, 0))
	}
	return p
}

// TestPrismIsClosed: for every number of corners the adjacency is that of a closed surface that
// satisfies Euler's formula, whatever facets came before.
func TestPrismIsClosed(t *testing.T) {
	var p drum
	for _, n := range []int{3, 4, 7, 3, 100, 5, soa.MaxVerts, 6} {
		p.shape(n)
		v := &p.view
		if v.NVerts-len(v.Tail)/2+v.NFaces != 2 {
			t.Fatalf("n = %d: %d vertices, %d half-edges, %d faces", n, v.NVerts, len(v.Tail), v.NFaces)
		}
		seen := make([]bool, len(v.Tail))
		for k := range v.NVerts {
			for _, h := range v.Ring[v.RingFirst[k] : v.RingFirst[k]+v.RingLen[k]] {
				if int(v.Tail[h]) != k || seen[h] {
					t.Fatalf("n = %d: vertex %d has half-edge %d in its ring", n, k, h)
				}
				seen[h] = true
			}
		}
		met := 0
		for f := range v.NFaces {
			for h := v.LoopFirst[f]; h < v.LoopFirst[f]+v.LoopLen[f]; h++ {
				met++
				w := v.Twin[h]
				if int(v.Face[h]) != f || v.Twin[w] != h || v.Tail[w] != v.Tail[v.Next(h)] || v.Tail[v.Next(w)] != v.Tail[h] || !seen[h] {
					t.Fatalf("n = %d: half-edge %d of face %d, twin %d", n, h, f, w)
				}
			}
		}
		if met != len(v.Tail) {
			t.Fatalf("n = %d: faces have %d half-edges of %d", n, met, len(v.Tail))
		}
	}
}

// TestPolygonFacetIsThickBlock is TestFacetIsThickBlock for facets of many corners, from both
// sides, with mixed numbers of corners.
func TestPolygonFacetIsThickBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	c := NewCutter()
	met := 0
	for i := range 80 {
		rock := view(t, rockBody(r, 10))
		n := 4 + r.IntN(9)
		outline := ring(n, 2, func(int) float64 { return r.Float64() })
		side := 1.0
		if i%2 == 1 {
			side = -1
		}
		wall := vec.Pose{Pos: vec.V(30*r.Float64(), 20, -10), Rot: turn(r)}
		q := turn(r)
		var local, thick []vec.Vec3
		for _, v := range outline {
			local = append(local, wall.PointInv(q.Rotate(v)))
			thick = append(thick, local[len(local)-1], wall.PointInv(q.Rotate(v.Add(vec.V(0, 0, -2*side*rock.Radius)))))
		}
		// Rotated and translated corners are coplanar up to rounding, which the template allows.
		facet := polygonView(t, local)
		block := oracle.Hull(thick)
		_, centroid := block.Volume()
		blockView, blockPose := view(t, block.Moved(centroid.Neg())), vec.Pose{Pos: wall.Point(centroid), Rot: wall.Rot}
		rockPose := vec.Pose{Pos: q.Rotate(vec.V(3*r.Float64()-1.5, 3*r.Float64()-1.5, side*(0.6+0.4*r.Float64()))), Rot: turn(r)}
		g := solve(rock, rockPose, blockView, blockPose)
		if g.gap > 0.2 || side*g.normal.Dot(q.Rotate(vec.V(0, 0, 1))) > -0.6 {
			continue
		}
		f := g
		f.b, f.pb = facet, wall
		f.armB = g.armB.Add(blockPose.Pos.Sub(wall.Pos))
		want, wantArea, okBlock := g.reduced(c)
		got, gotArea, ok := f.reduced(c)
		if ok != okBlock {
			t.Errorf("facet %v, block %v", ok, okBlock)
		}
		met++
		nearVec(t, "facet against block", got, want, 1e-11)
		near(t, "area", gotArea, wantArea, 1e-11)
	}
	if met < 20 {
		t.Errorf("only %d contacts", met)
	}
}

// TestLargestFacet: a facet with the largest number of corners is cut as a disc, without allocation
// after the first time. Its cost is quadratic in the corners, so the second half uses fewer.
func TestLargestFacet(t *testing.T) {
	disc := polygonView(t, ring(soa.MaxVerts, 0.25, func(int) float64 { return 0 }))
	square := polygonView(t, ring(4, 3, func(int) float64 { return 0 }))
	p := facetPair(t)
	big, middle, small := p, p, p
	big.b, small.b = disc, square
	middle.b = polygonView(t, ring(200, 0.25, func(int) float64 { return 0 }))
	c := NewCutter()
	_, area := big.must(t, c)
	near(t, "area of a disc", area, math.Pi/16, 1e-7)
	_, area = small.must(t, c)
	near(t, "area of a cube's side", area, 1, 1e-14)
	if n := testing.AllocsPerRun(20, func() {
		middle.reduced(c)
		small.reduced(c)
		p.reduced(c)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestFacetFromAnyCorner: the location does not depend on the first corner of a facet's polygon.
// The facets include a row thinner than the block is deep in it, whose far side is parallel to the
// section but for a small angle.
func TestFacetFromAnyCorner(t *testing.T) {
	c := NewCutter()
	a := view(t, boxBody(0.4, 0.4, 0.4))
	for _, deep := range []float64{0.02, 0.11, 0.15} {
		var want vec.Vec3
		var wantArea float64
		for i, lean := range []float64{0, 1e-15, -1e-14} {
			s, co := vec.Sincos(0.021)
			n := vec.V(lean, -co, -s)
			corners := []vec.Vec3{vec.V(-0.26, -0.0523, 0), vec.V(0.28, -0.0523, 0), vec.V(0.25, 0, 0), vec.V(-0.26, 0, 0)}
			p := pair{a: a, normal: n, gap: -deep, pb: vec.IdentityPose, armB: vec.V(0.2, 0, 0)}
			p.pa.Rot = vec.FromRotationVector(vec.V(0.03, 0.02, 0.05))
			p.pa.Pos = vec.V(0.06, 0, -0.02)
			high := math.Inf(-1)
			for k := range a.NVerts {
				high = max(high, n.Dot(p.pa.Point(a.Vert(soa.Vertex(k)))))
			}
			p.pa.Pos = p.pa.Pos.AddScaled(deep-high, n)
			p.armA = p.armB.AddScaled(deep, n).Sub(p.pa.Pos)
			for first := range corners {
				p.b = polygonView(t, append(slices.Clone(corners[first:]), corners[:first]...))
				loc, area := p.must(t, c)
				if i == 0 && first == 0 {
					want, wantArea = loc, area
				}
				nearVec(t, "location", loc, want, 1e-12)
				near(t, "area", area, wantArea, 1e-12)
			}
		}
	}
}
