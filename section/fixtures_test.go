package section

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/scree-dem/scree/internal/oracle"
	"github.com/scree-dem/scree/soa"
	"github.com/scree-dem/scree/vec"
)

// arenas has an arena for each running test.
var arenas sync.Map

// view adds a body to the arena of a test. Three vertices make a facet, whose frame may be anywhere.
// The origin of a block's frame must be inside the block.
func view(t testing.TB, b oracle.ConvexBody) *soa.View {
	t.Helper()
	arena, known := arenas.LoadOrStore(t, &soa.Shapes{})
	if !known {
		t.Cleanup(func() { arenas.Delete(t) })
	}
	i, err := arena.(*soa.Shapes).Add(template(b))
	if err != nil {
		t.Fatal(err)
	}
	v := *arena.(*soa.Shapes).View(i)
	return &v
}

// template returns the template of a body.
func template(b oracle.ConvexBody) *soa.Template {
	tpl := &soa.Template{Kind: soa.Block, Verts: b.Verts, LoopFirst: []soa.HalfEdge{0}}
	if len(b.Verts) == 3 {
		tpl.Kind = soa.Facet
	}
	half := map[[2]int]soa.HalfEdge{}
	for _, loop := range b.Faces {
		for i, v := range loop {
			half[[2]int{v, loop[(i+1)%len(loop)]}] = soa.HalfEdge(len(tpl.Tail))
			tpl.Tail = append(tpl.Tail, soa.Vertex(v))
		}
		tpl.LoopFirst = append(tpl.LoopFirst, soa.HalfEdge(len(tpl.Tail)))
		p, q, r := b.Verts[loop[0]], b.Verts[loop[1]], b.Verts[loop[2]]
		n := q.Sub(p).Cross(r.Sub(p)).Unit()
		tpl.Normals = append(tpl.Normals, n)
		tpl.Offsets = append(tpl.Offsets, b.Support(n))
	}
	tpl.Twin = make([]soa.HalfEdge, len(tpl.Tail))
	for e, h := range half {
		tpl.Twin[h] = half[[2]int{e[1], e[0]}]
	}
	for _, v := range b.Verts {
		tpl.Radius = max(tpl.Radius, v.Norm())
	}
	if tpl.Kind == soa.Block {
		tpl.Inner = max(0, slices.Min(tpl.Offsets)*(1-1e-12))
	}
	return tpl
}

func boxBody(x, y, z float64) oracle.ConvexBody {
	var p []vec.Vec3
	for k := range 8 {
		p = append(p, vec.V(float64(k&1)-0.5, float64(k>>1&1)-0.5, float64(k>>2)-0.5).Mul(vec.V(x, y, z)))
	}
	return oracle.Hull(p)
}

// barBody returns a bar with its length along x and ridges at ±h in y and z.
func barBody(length, h float64) oracle.ConvexBody {
	var p []vec.Vec3
	for _, x := range []float64{-length / 2, length / 2} {
		p = append(p, vec.V(x, h, 0), vec.V(x, -h, 0), vec.V(x, 0, h), vec.V(x, 0, -h))
	}
	return oracle.Hull(p)
}

func rockBody(r *rand.Rand, n int) oracle.ConvexBody {
	var p []vec.Vec3
	for range n {
		p = append(p, direction(r).Scale(0.8+0.4*r.Float64()))
	}
	b := oracle.Hull(p)
	_, c := b.Volume()
	return b.Moved(c.Neg())
}

func facetBody(a, b, c vec.Vec3) oracle.ConvexBody {
	return oracle.ConvexBody{Verts: []vec.Vec3{a, b, c}, Faces: [][]int{{0, 1, 2}, {0, 2, 1}}}
}

func direction(r *rand.Rand) vec.Vec3 {
	for {
		v := vec.V(2*r.Float64()-1, 2*r.Float64()-1, 2*r.Float64()-1)
		if l := v.Norm(); l > 0.1 && l <= 1 {
			return v.Unit()
		}
	}
}

func turn(r *rand.Rand) vec.Quat {
	return vec.Quat{W: r.NormFloat64(), X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}.Normalized()
}

func about(axis vec.Vec3, degrees float64) vec.Quat {
	return vec.FromRotationVector(axis.Unit().Scale(degrees * math.Pi / 180))
}

func at(x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: vec.Identity} }

func turned(q vec.Quat, x, y, z float64) vec.Pose { return vec.Pose{Pos: vec.V(x, y, z), Rot: q} }

// pair is the input of Reduced.
type pair struct {
	a, b       *soa.View
	pa, pb     vec.Pose
	normal     vec.Vec3
	gap        float64
	armA, armB vec.Vec3
	id         soa.FacetID
}

// solve computes gap, normal and witness points with the oracle.
func solve(a *soa.View, pa vec.Pose, b *soa.View, pb vec.Pose) pair {
	r := oracle.Gap(oracle.FromView(a, pa, pa.Pos), oracle.FromView(b, pb, pa.Pos))
	return pair{a, b, pa, pb, r.Normal, r.Gap, r.PointA, r.PointB.Sub(pb.Pos.Sub(pa.Pos)), soa.FacetID{}}
}

func (p pair) swapped() pair {
	return pair{p.b, p.a, p.pb, p.pa, p.normal.Neg(), p.gap, p.armB, p.armA, flipped(p.id)}
}

// flipped returns the same pair of features with A and B swapped.
func flipped(id soa.FacetID) soa.FacetID {
	id.A, id.B = id.B, id.A
	switch id.Kind {
	case soa.FaceVertex:
		id.Kind = soa.VertexFace
	case soa.VertexFace:
		id.Kind = soa.FaceVertex
	}
	return id
}

func (p pair) reduced(c *Cutter) (vec.Vec3, float64, bool) {
	return c.Reduced(p.a, p.pa, p.b, p.pb, p.normal, p.gap, p.armA, p.armB)
}

// must returns the result of reduced for a pair whose sections meet. The location is in world axes
// relative to pa.Pos.
func (p pair) must(t testing.TB, c *Cutter) (vec.Vec3, float64) {
	t.Helper()
	loc, area, ok := p.reduced(c)
	if !ok {
		t.Fatalf("the sections do not meet: normal %v, gap %g", p.normal, p.gap)
	}
	return loc, area
}

// slow computes Reduced with the oracle, for blocks. It moves both bodies along the normal until
// their cutting planes lie on the mid-plane, and clips the mid-plane by all their faces.
func (p pair) slow() (vec.Vec3, float64, bool) {
	rel := p.pb.Pos.Sub(p.pa.Pos)
	a, b := oracle.FromView(p.a, p.pa, p.pa.Pos), oracle.FromView(p.b, p.pb, p.pa.Pos)
	n := p.normal
	mid := 0.5 * n.Dot(p.armA.Add(p.armB).Add(rel))
	depth := func(radius float64) float64 { return max(math.Abs(p.gap)/2, radius*0x1p-26) }
	a = a.Moved(n.Scale(mid - (a.Support(n) - depth(p.a.Radius))))
	b = b.Moved(n.Scale(mid - (-b.Support(n.Neg()) + depth(p.b.Radius))))
	area, c, ok := oracle.Section(n, mid, a, b)
	return c, area, ok
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s is %.17g, want %.17g (off by %.3g, tolerance %.3g)", what, got, want, got-want, tol)
	}
}

func nearVec(t testing.TB, what string, got, want vec.Vec3, tol float64) {
	t.Helper()
	if !(got.Sub(want).Norm() <= tol) {
		t.Errorf("%s is %v, want %v (off by %.3g, tolerance %.3g)", what, got, want, got.Sub(want).Norm(), tol)
	}
}

// BenchmarkReduced measures one location on warm shapes; checksum is the sum of all coordinates.
func BenchmarkReduced(b *testing.B) {
	r := rand.New(rand.NewPCG(51, 52))
	box := view(b, boxBody(1, 1, 1))
	round := view(b, prismBody(32))
	for _, k := range []struct {
		name string
		p    pair
	}{
		{"shape=box/contact=face", pair{a: box, b: box, pa: at(0, 0, 0), pb: turned(about(vec.V(0, 0, 1), 10), 0.3, 0.2, 0.99),
			normal: vec.V(0, 0, 1), gap: -0.01, armA: vec.V(0.15, 0.1, 0.5), armB: vec.V(-0.15, -0.1, -0.5)}},
		{"shape=rock10/contact=any", randomPair(b, r, 1e-3)},
		{"shape=prism32/contact=face", pair{a: round, b: round, pa: at(0, 0, 0), pb: at(0.3, 0.2, 0.99),
			normal: vec.V(0, 0, 1), gap: -0.01, armA: vec.V(0.15, 0.1, 0.5), armB: vec.V(-0.15, -0.1, -0.5)}},
		{"shape=box/contact=facet", facetPair(b)},
	} {
		b.Run(k.name, func(b *testing.B) {
			c := NewCutter()
			sum := vec.Vec3{}
			n := 0
			for b.Loop() {
				loc, _, _ := k.p.reduced(c)
				sum = sum.Add(loc)
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/contact")
			b.ReportMetric((sum.X+sum.Y+sum.Z)/float64(n), "checksum")
		})
	}
}
